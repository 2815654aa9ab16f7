"""A user's file is read, or refused with one line that names the place of the error."""

import bz2
import gzip
import json
import lzma
import sys
import zipfile
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from oza.compare import own_data, unpack
from oza.compare.own import MOST_CLASSES, MOST_VALUES

ROWS = "sky,degrees,wind,play\nsun,21.5,1,yes\nrain,12,2,no\n,18,1,yes\nsun,-3,2,no\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def arrays(data):
    X, y = zip(*data.chunks(), strict=True)
    return np.concatenate(X).tolist(), np.concatenate(y).tolist()


def test_numbers_are_numbers_names_are_names_and_a_missing_name_is_one_of_them(write):
    data = own_data(write(ROWS), "play")
    assert data.columns == ("sky", "degrees", "wind")
    assert data.values == (("", "rain", "sun"), None, None)
    assert data.class_counts == {"no": 2, "yes": 2} and data.n_rows == 4
    assert arrays(data) == ([[2, 21.5, 1], [1, 12, 2], [0, 18, 1], [2, -3, 2]], [1, 0, 1, 0])


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_empty_lines_and_a_byte_order_mark_are_understood(write, separator):
    text = "\ufeff" + ROWS.replace(",", separator).replace("rain", "\nrain")
    assert arrays(own_data(write(text), "play", chunk_size=1)) == arrays(own_data(write(ROWS), "play"))


def test_parquet_gives_the_same_as_csv(write, tmp_path):
    path = write(ROWS)
    frame = pd.read_csv(path, keep_default_na=False)
    frame.assign(sky=frame["sky"].replace("", None).astype("category")).to_parquet(tmp_path / "a.parquet")
    parquet = own_data(tmp_path / "a.parquet", "play", chunk_size=3)
    assert arrays(parquet) == arrays(own_data(path, "play")) and parquet.values[0] == ("", "rain", "sun")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a.csv: is empty"),
        ("sky,play\n", r"column 'play': no row at all"),
        ("sky,sky,play\nsun,sun,yes\n", "two columns have the name 'sky'"),
        (ROWS + "sun,3,1\n", "line 6: 3 fields, but the header names 4"),
        (ROWS + "sun,3,1,yes,no\n", "line 6: 5 fields, but the header names 4"),
        (
            ROWS + "sun,1,1,yes\n" * 5 + "sun,-nan,1,yes\n",
            "line 11, column 'degrees': '-nan' is not a number",
        ),
        (ROWS + "sun,1,1,yes\n" * 5 + "sun,inf,1,yes\n", "line 11, column 'degrees': 'inf' is not a number"),
        (
            ROWS + "sun,1,1,yes\n" * 20 + "sun,3..5,1,yes\n",
            r"line 26, column 'degrees': '3\.\.5' is not a num",
        ),
        (ROWS + "sun,3,1,?\n", "line 6, column 'play': the class is missing"),
        ("sky,play\nsun,yes\nrain,yes\n", "only the class 'yes'"),
        ("x,play\n1,1\n2,1.0\n3,2\n", r"line 3, column 'play': '1\.0' and '1' are one number"),
        ("x;play\n1;1,5\n2;1.50\n3;2\n", r"line 3, column 'play': '1\.50' and '1,5' are one number"),
        ("sep=;\nx;play\n1;yes\n", "line 1: 'sep=;' does not name the columns; delete"),
        ("# of 2020\nx,play\n1,yes\n", "line 1: '# of 2020' does not name the columns; delete"),
        ("Of 2020\nx,play\n1,yes\n", "line 1: 'Of 2020' does not name the columns; delete"),
        ("Of 2020,\nx,play\n1,yes\n", r"no column 'play'; did you mean .*\? Delete a title above the names"),
        ("Of 2020,,\nx,z,play\n1,1,yes\n", "two columns have the name ''; .* a title above"),
        ("x,play\n" + "".join(f"1,{n}\n" for n in range(MOST_CLASSES + 1)), "probably a quantity"),
        (
            "x,play\n" + "".join(f"a{n},{n % 2}\n" for n in range(MOST_VALUES + 1)),
            "name the column in drop to leave it out",
        ),
    ],
)
@pytest.mark.parametrize("size", [2, 10_000])
def test_a_bad_file_gets_one_line_that_names_the_place(write, text, fault, size):
    if "is not a num" in fault and size == 2:
        size = 5  # the first chunk decides what is a number
    with pytest.raises(ValueError, match=fault) as caught:
        own_data(write(text), "play", chunk_size=size)
    assert str(caught.value).startswith("a.csv") and "\n" not in str(caught.value)


def test_bad_parquet_is_refused_by_row_and_column(write, tmp_path):
    frame = pd.DataFrame({"x": [1.0, np.nan], "lists": [[1], [2]], "play": ["yes", "no"]})
    frame.to_parquet(tmp_path / "a.parquet")
    data = own_data(tmp_path / "a.parquet", "play", columns=["x"])
    assert data.n_missing == (1,) and data.values == (None,)
    with pytest.raises(ValueError, match=r"a\.parquet, column 'lists': cannot learn from list"):
        own_data(tmp_path / "a.parquet", "play", drop=["x"])
    with pytest.raises(ValueError, match="not a Parquet file"):
        own_data(write("nothing", "b.parquet"), "play")


def test_a_column_that_is_not_there_gets_its_neighbours_named(write):
    with pytest.raises(ValueError, match=r"no column 'degres'; did you mean 'degrees'\?"):
        own_data(write(ROWS), "play", drop=["degres"])


@pytest.mark.parametrize("missing", ["", "?", "NA", "n/a", "nan", "NULL", "<NA>"])
@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_missing_number_is_nan_wherever_it_stands(write, missing, size):
    text = f"x,z,play\n{missing},1,yes\n{missing},{missing},no\n2.5,3,yes\n"
    data = own_data(write(text), "play", chunk_size=size)
    assert data.values == (None, None) and data.n_missing == (2, 1)
    X, _ = zip(*data.chunks(), strict=True)
    np.testing.assert_array_equal(np.concatenate(X), [[np.nan, 1], [np.nan, np.nan], [2.5, 3]])


def packed(text, compression, tmp_path):
    path = tmp_path / f"a.csv.{compression}"
    if compression == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inner.csv", text)
        return path
    with {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}[compression](path, "wb") as file:
        file.write(text)
    return path


@pytest.mark.parametrize(
    ("compression", "name"), [("gz", "gzip"), ("bz2", "bzip2"), ("xz", "xz"), ("zip", "zip")]
)
def test_a_compressed_file_is_read_by_its_content(write, tmp_path, compression, name):
    path = packed(ROWS.encode(), compression, tmp_path)
    data = own_data(path, "play")
    assert data.table.format == f"CSV with commas, UTF-8, {name}"
    expected = arrays(own_data(write(ROWS), "play"))
    assert arrays(data) == expected
    other = tmp_path / "named-otherwise.csv"
    other.write_bytes(path.read_bytes())
    assert arrays(own_data(other, "play")) == expected
    other.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match=rf"named-otherwise\.csv: the {name} file is damaged"):
        own_data(other, "play")


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_an_encoding_is_found_and_named(tmp_path, encoding, name):
    rows = ROWS.replace("sun", "Föhn")
    (tmp_path / "a.csv").write_bytes(rows.encode(encoding))
    data = own_data(tmp_path / "a.csv", "play")
    assert data.table.format == f"CSV with commas, {name}"
    assert data.values[0] == ("", "Föhn", "rain")


RECORDS = [
    {"sky": "sun", "degrees": 21.5, "wind": 1, "play": True},
    {"sky": "rain", "degrees": 12, "wind": None, "play": False},
    {"degrees": 18, "wind": 1, "play": True},
]


@pytest.mark.parametrize("is_list", [False, True])
@pytest.mark.parametrize("size", [1, 100])
def test_json_is_read_as_lines_or_as_a_list(write, is_list, size):
    lines = "\n".join(map(json.dumps, RECORDS)) + "\n"
    path = write(json.dumps(RECORDS, indent=1) if is_list else lines, "a.json" if is_list else "a.jsonl")
    data = own_data(path, "play", chunk_size=size)
    assert data.table.format == ("a list of JSON records, UTF-8" if is_list else "JSON lines, UTF-8")
    assert data.values == (("", "rain", "sun"), None, None) and data.n_missing == (1, 0, 1)
    assert data.class_counts == {"false": 1, "true": 2}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"x": 1, "play": "a"}\n{"x": [1], "play": "b"}\n', r"line 2, column 'x': cannot learn from a list"),
        ('{"x": {}, "play": "b"}\n', "line 1, column 'x': cannot learn from a record"),
        ('{"x": 1, "play": "a"}\n{"x": 1, ', "neither JSON lines, a record on each, nor a list of records"),
        ('[{"x": 1, "play": "a"}] 1', r"^a\.json: neither JSON lines.* \(.*line 1 column"),
        ("[1, 2]", r"record 1: neither JSON lines.*\(not a record of names and values\)"),
        ('{"x": 1, "x": 2, "play": "a"}\n', r"line 1: neither JSON lines.*\(a record has a name twice\)"),
        ('{"x": 1, "play": "a"}\n{"x": 1}\n', "line 2, column 'play': the class is missing"),
    ],
)
def test_bad_json_gets_one_line_that_names_the_place(write, text, fault):
    with pytest.raises(ValueError, match=fault) as caught:
        own_data(write(text, "a.json"), "play")
    assert str(caught.value).startswith("a.json") and "\n" not in str(caught.value)


def test_the_first_sheet_of_an_excel_file_is_read(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "")  # by which Excel files are told from other archives
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ModuleNotFoundError, match=r"a\.xlsx: reading Excel files needs openpyxl"):
        own_data(tmp_path / "a.xlsx", "play")
    sheet = [["sky", "degrees", "play"], ["sun", 21.5, True], ["rain", 12, False], ["", "", True]]
    monkeypatch.setitem(sys.modules, "openpyxl", ModuleType("openpyxl"))
    monkeypatch.setattr(pd, "read_excel", lambda *_, **__: pd.DataFrame(sheet, dtype=object))
    data = own_data(tmp_path / "a.xlsx", "play", chunk_size=2)
    assert data.values == (("", "rain", "sun"), None) and data.n_missing == (1, 1)
    monkeypatch.undo()
    openpyxl = pytest.importorskip("openpyxl")
    frame = pd.DataFrame([*sheet[1:3], [None] * 3, *sheet[3:]], columns=sheet[0])
    frame.to_excel(tmp_path / "b.xlsx", index=False)
    assert arrays(own_data(tmp_path / "b.xlsx", "play"))[1] == arrays(data)[1]
    array = openpyxl.worksheet.formula.ArrayFormula("A2:A3", "=B2:B3*2")
    no_value = "a formula without its value"
    for cell, fault in ("=B2*2", no_value), (array, no_value), ("#REF!", "an error, such as #REF!"):
        book = openpyxl.load_workbook(tmp_path / "b.xlsx")
        book.active["A2"] = cell
        book.save(tmp_path / "b.xlsx")
        with pytest.raises(ValueError, match=rf"b\.xlsx, row 2, column 1: {fault}; correct it in Excel"):
            own_data(tmp_path / "b.xlsx", "play")


def test_a_number_in_two_forms_is_reported_where_numbers_are_names(write):
    path = write("x,play\n1.1,a\n1.10,b\n1.2,b\n")
    with pytest.warns(UserWarning, match=r"line 3, column 'x': '1\.10' and '1\.1' are one number"):
        assert own_data(path, "play", nominal="x").values == (("1.1", "1.10", "1.2"),)


def test_numbers_with_decimal_commas_are_numbers_and_the_columns_are_named(write):
    text = "a;b;n;sky;play\n14,23;1,71;3;sun;yes\n13,2;-0,5;4;x,y;no\n;2,25;5;rain;yes\n"
    data = own_data(write(text), "play", chunk_size=1)
    assert data.with_commas == {"a", "b"} and data.values[:3] == (None,) * 3 and data.values[3] is not None
    X = np.concatenate([rows for rows, _ in data.chunks()])
    np.testing.assert_array_equal(X[:, :3], [[14.23, 1.71, 3], [13.2, -0.5, 4], [np.nan, 2.25, 5]])
    quoted = "a,b,play\n" + '"14,23",2,yes\n3,4,no\n'
    assert own_data(write(quoted), "play").with_commas == {"a"}
    assert own_data(write(text), "play", nominal=["a"]).with_commas == {"b"}


@pytest.mark.parametrize(
    ("text", "with_commas"),
    [
        ("a;play\n1,234;yes\n5,678;no\n", {"a"}),  # semicolons
        ("a;play\n1,234;yes\n0,678;no\n", {"a"}),  # no thousands begin with 0
        ("a\tplay\n1,234\tyes\n56,78\tno\n", {"a"}),  # another number of the column
        ("a\tb\tplay\n1,234\t1,5\tyes\n5,678\t2\tno\n", {"a", "b"}),  # of another column
        ("a\tplay\n1,234\tyes\n5,678\tno\n", None),
        ("a;b;play\n1,234;0.5;yes\n5,678;2;no\n", None),  # there are decimal points
        ('a,play\n"1,234",yes\n12,no\n', None),
        ("a;play\n1.234;yes\n5.678;no\n", frozenset()),
    ],
)
def test_a_comma_before_three_digits_is_read_by_what_the_others_say(write, text, with_commas):
    if with_commas is not None:
        assert own_data(write(text), "play").with_commas == with_commas
        return
    with pytest.raises(ValueError, match=r"line 2, column 'a': '1,234' may be 1\.234 or 1234; write one"):
        own_data(write(text), "play")
    assert own_data(write(text), "play", nominal=["a"]).with_commas == frozenset()


@pytest.mark.parametrize(
    ("at", "quoted"),
    [
        ((30,), '{0},{1},{2},"{3}'),  # never closed
        ((30, 60), '{0},{1},{2},"{3}'),  # closed by the next
        ((30,), '"{0},{1},{2},{3}'),
        ((29, 60), None),
    ],
)
def test_a_quote_that_is_not_closed_swallows_no_row(write, at, quoted):
    lines = ROWS.splitlines()[:1] + ROWS.splitlines()[1:] * 30
    for n, k in enumerate(at):
        form = quoted or ('{0},{1},{2},"{3}', '{0},{1},{2},{3}"')[n]
        lines[k] = form.format(*lines[k].split(","))
    with pytest.raises(ValueError, match=rf"^a\.csv, line {at[0] + 1}: .*quote"):
        own_data(write("\n".join(lines) + "\n"), "play")


@pytest.mark.parametrize(
    "text", ['[{"x": ' + "[" * 100_000, '{"x": ' * 100_000, '{"x": 1' + "0" * 5000 + "}"]
)
def test_json_that_is_too_deep_or_too_long_is_refused(write, text):
    with pytest.raises(ValueError, match=r"^a\.json.*: neither JSON lines"):
        own_data(write(text, "a.json"), "play")


@pytest.mark.parametrize("compression", ["gz", "bz2", "xz"])
def test_what_unpacks_to_very_much_is_refused_before_it_fills_the_memory(tmp_path, compression, monkeypatch):
    path = packed(ROWS.encode() + b"\n" * 2_000_000, compression, tmp_path)
    assert own_data(path, "play").n_rows == 4
    monkeypatch.setattr(unpack, "SURELY_UNPACKED", 1 << 20)
    with pytest.raises(ValueError, match=r"unpacks to more than 100 times its size.*unpack it yourself"):
        own_data(path, "play")


def test_an_endless_line_is_refused(write, monkeypatch):
    monkeypatch.setattr(unpack, "LONGEST_LINE", 50)
    with pytest.raises(ValueError, match=r"a\.csv, line 6: has 50 characters or more"):
        own_data(write(ROWS + "sun," * 50), "play")


def test_a_file_that_changes_meanwhile_is_noticed(write):
    data = own_data(write(ROWS), "play")
    for changed in (ROWS.replace("sun", "fog"), ROWS + "sun,1,1,no\n"):
        write(changed)
        with pytest.raises(ValueError, match=r"a\.csv: has changed since it was looked through"):
            list(data.chunks())


def column_of(values, name="x"):
    """A file with one input, whose values are quoted."""
    return f"{name},play\n" + "".join(f'"{value}",{"ab"[n % 2]}\n' for n, value in enumerate(values))


@pytest.mark.parametrize("name", ["", "id"])
@pytest.mark.parametrize("size", [3, 10_000])
def test_a_column_that_counts_the_rows_is_reported_and_left_out_on_request(write, name, size):
    path = write(f"{name},x,play\n" + "".join(f"{n + 7},{n * n % 11},{'ab'[n % 2]}\n" for n in range(12)))
    with pytest.warns(UserWarning, match=f"a.csv: column '{name}' counts the rows; .* name it in drop"):
        data = own_data(path, "play", chunk_size=size)
    assert data.counting == (name,) and data.values == (None, None)
    without = own_data(path, "play", drop=name, chunk_size=size)
    assert without.counting == () and without.columns == ("x",) and without.dropped == (name,)


def test_the_index_of_a_pandas_frame_is_no_input_unless_it_is_asked_for(tmp_path):
    frame = pd.DataFrame({"x": [1.5, 2.5, 0.5], "play": ["a", "b", "a"]}, index=[5, 3, 9])
    frame.to_parquet(tmp_path / "a.parquet")
    data = own_data(tmp_path / "a.parquet", "play")
    assert data.columns == ("x",) and data.dropped == ("__index_level_0__",)
    frame.rename_axis("day").to_parquet(tmp_path / "a.parquet")
    assert own_data(tmp_path / "a.parquet", "play").columns == ("x",)
    assert own_data(tmp_path / "a.parquet", "play", columns=["x", "day"]).columns == ("x", "day")


def test_columns_are_chosen_dropped_and_declared_and_one_string_is_one_name(write):
    path = write("a,b,ab,play\n1,2,3,yes\n2,2,4,no\n")
    assert own_data(path, "play", drop="ab").columns == ("a", "b")
    assert own_data(path, "play", columns="ab").columns == ("ab",)
    assert own_data(path, "play", nominal="ab").values == (None, None, ("3", "4"))
    assert own_data(path, "play", columns=["b", "ab", "a"], drop=["ab"]).columns == ("b", "a")
    with pytest.raises(ValueError, match=r"chunk_size must be an integer of at least 1; got -5"):
        own_data(path, "play", chunk_size=-5)
    for name, value in ("start", -1), ("stop", 1.5), ("size", 0):
        with pytest.raises(ValueError, match=rf"{name} must be an integer of at least .; got {value}"):
            next(own_data(path, "play").chunks(**{name: value}))


def test_a_value_that_an_arff_heading_does_not_declare_is_refused(write):
    text = "@relation w\n@attribute sky {sun, 'light, rain'}\n@attribute play {yes,no}\n@data\nsun,yes\n"
    assert own_data(write(text + "'light, rain',no\n", "a.arff"), "play").values[0] == ("light, rain", "sun")
    with pytest.raises(ValueError, match=r"line 6, column 'play': 'yess' is no value that the heading decl"):
        own_data(write(text + "sun,yess\n", "a.arff"), "play")


@pytest.mark.parametrize(
    "texts",
    [
        ["1,299.99", "12.50", "1,000.00"],
        ["1,299,000", "2,500,000"],
        ["1 299", "12 500"],
        ["1_000", "2_500"],
        ["5,20 €", "12,00 €"],
        ["12 kg", "7.5 kg"],
        ["007", "012", "123"],
        ["0x1F", "0xff"],
        ["12345678901234567890", "12345678901234567891"],
        ["(5)", "12"],
        ["−5", "3"],
        ["Infinity", "3", "4"],
    ],
)
@pytest.mark.parametrize("repeated", [1, 400])
def test_what_looks_like_numbers_and_is_none_is_refused_unless_it_is_nominal(write, texts, repeated):
    path = write(column_of(["1", *texts] if repeated == 1 else texts * repeated))
    said = r"^a\.csv, line \d+, column 'x': '.*' is not a number .* nominal or drop"
    with pytest.raises(ValueError, match=said):
        own_data(path, "play")
    assert set(own_data(path, "play", nominal="x").values[0]) >= set(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["1_11", "11_1"],
        ["1st", "2nd", "3rd", "3rd", "3rd"],
        ["03.05.2021", "04.05.2021"],
        ["1/2", "3/4"],
        ["192.168.0.1", "10.0.0.7"],
        ["18-25", "26-40"],
        ["yes", "no", "1"],
    ],
)
def test_names_that_have_digits_stay_names(write, texts):
    assert own_data(write(column_of(texts)), "play").values == (tuple(sorted(set(texts))),)


@pytest.mark.parametrize("size", [1, 10, 10_000])
def test_a_column_in_which_most_values_are_numbers_is_reported_with_the_others(write, size):
    texts = ["-", "k", *map(str, range(1000)), "-", "1.5e3"]
    said = r"line 2, column 'x': '-' is not a number .*3 of 1,004 values: '-', 'k'"
    with pytest.raises(ValueError, match=said):
        own_data(write(column_of(texts)), "play", chunk_size=size)
    late = [*map(str, range(1000)), "007", "1_0"]
    said = r"line 1002, column 'x': '007' is not .*2 of 1,002 values: '007', '1_0'"
    with pytest.raises(ValueError, match=said):
        own_data(write(column_of(late)), "play", chunk_size=size)


def test_numbers_among_more_than_500_names_are_not_forgotten(write):
    texts = [*(f"n{k}" for k in range(300)), *map(str, range(290))]
    with pytest.raises(ValueError, match="name the column in drop to leave it out"):
        own_data(write(column_of(texts)), "play")


@pytest.mark.parametrize("name", [r"'it\'s'", '"it\'s"', r"it\'s"])
def test_quotes_of_both_kinds_and_lines_of_keel_are_read_in_arff(write, name):
    heading = f'@relation w\n@attribute "my sky" {{{name}, b}}\n@attribute x real [0, 9]\n'
    text = heading + f"@attribute play {{yes,no}}\n@inputs x\n@data\n{name},1,yes\nb\t?\tno\n"
    data = own_data(write(text, "a.arff"), "play")
    assert data.values == (("b", "it's"), None) and data.columns == ("my sky", "x")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("@attribute when date 'yyyy'\n", "line 1: .*date 'yyyy'\" cannot be read; attributes must be"),
        ("@attribute bag relational\n", "line 1: '@attribute bag relational' cannot be read; attr"),
        ("{0 1, 1 yes}\n", "line 4: sparse rows cannot be read; write all values"),
        ("1,yes,{5}\n", r"line 4: the weight \{5\} of a row cannot be read; delete it"),
        ("'1,yes\n", "line 4: a quote is not closed"),
    ],
)
def test_what_cannot_be_read_in_arff_is_said(write, line, fault):
    heading = "@attribute x real\n@attribute play {yes,no}\n@data\n"
    text = line + heading if line.startswith("@") else heading + line
    with pytest.raises(ValueError, match=rf"^a\.arff, {fault}"):
        own_data(write(text + "1,yes\n2,no\n", "a.arff"), "play")


def test_a_point_before_three_digits_is_refused_beside_decimal_commas(write):
    text = "a;b;play\n1.234;1,5;yes\n12.500;2;no\n"
    with pytest.raises(ValueError, match=r"line 2, column 'a': '1\.234' may be 1,234 or 1234; write one"):
        own_data(write(text), "play")
    assert own_data(write(text.replace(".", ",")), "play").with_commas == {"a", "b"}
    assert own_data(write(text.replace("500", "50")), "play").with_commas == {"b"}


def test_a_comment_with_as_many_fields_as_a_row_is_refused(write):
    with pytest.raises(ValueError, match=r"^a\.csv, line 6: begins with '# ', as a comment does; delete it$"):
        own_data(write(ROWS + "# a, b, c, d\n"), "play")
    assert own_data(write(ROWS.replace("sky", "# of clouds").replace("sun", "#1")), "play").n_rows == 4
