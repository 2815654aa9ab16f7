"""A reader's file is read as it stands, or refused in one line that says where it is wrong."""

import numpy as np
import pandas as pd
import pytest

from oza.datasets import own_data
from oza.datasets._own import MOST_CLASSES, MOST_VALUES

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


def test_columns_are_chosen_dropped_and_declared(write):
    path = write(ROWS)
    assert own_data(path, "play", columns=["wind", "sky"]).columns == ("wind", "sky")
    assert own_data(path, "play", drop=["sky"]).columns == ("degrees", "wind")
    assert own_data(path, "play", nominal=["wind"]).values[2] == ("1", "2")


@pytest.mark.parametrize("size", [1, 3, 100])
def test_the_size_of_the_chunks_changes_nothing(write, size):
    data = own_data(write(ROWS), "play", chunk_size=size)
    assert max(len(y) for _, y in data.chunks()) <= size
    assert arrays(data) == arrays(own_data(write(ROWS), "play"))


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
        (ROWS + "sun,3,1\n", "line 6: 3 fields, and the heading names 4"),
        (ROWS + "sun,3,1,yes,no\n", "line 6: 5 fields, and the heading names 4"),
        (ROWS + "sun,,1,yes\n", "line 6, column 'degrees': a number is missing"),
        (ROWS + "sun,nan,1,yes\n", "line 6, column 'degrees': a number is missing"),
        (
            ROWS + "sun,1,1,yes\n" * 20 + "sun,3..5,1,yes\n",
            r"line 26, column 'degrees': '3\.\.5' is not a num",
        ),
        (ROWS + "sun,3,1,?\n", "line 6, column 'play': the class is missing"),
        ("sky,play\nsun,yes\nrain,yes\n", "only the class 'yes'"),
        ("x,play\n" + "".join(f"1,{n}\n" for n in range(MOST_CLASSES + 1)), "probably a quantity"),
        ("x,play\n" + "".join(f"a{n},{n % 2}\n" for n in range(MOST_VALUES + 1)), "leave the column out"),
    ],
)
@pytest.mark.parametrize("size", [2, 10_000])
def test_a_bad_file_gets_one_line_that_names_the_place(write, text, fault, size):
    if "3..5" in text and size == 2:
        size = 5  # the first chunk decides what is a number
    with pytest.raises(ValueError, match=fault) as caught:
        own_data(write(text), "play", chunk_size=size)
    assert str(caught.value).startswith("a.csv") and "\n" not in str(caught.value)


def test_bad_parquet_is_refused_by_row_and_column(write, tmp_path):
    frame = pd.DataFrame({"x": [1.0, np.nan], "lists": [[1], [2]], "play": ["yes", "no"]})
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"a\.parquet, row 2, column 'x': a number is missing"):
        own_data(tmp_path / "a.parquet", "play", columns=["x"])
    with pytest.raises(ValueError, match=r"a\.parquet, column 'lists': cannot learn from list"):
        own_data(tmp_path / "a.parquet", "play", drop=["x"])
    with pytest.raises(ValueError, match="not a Parquet file"):
        own_data(write("nothing", "b.parquet"), "play")


@pytest.mark.parametrize("argument", ["target", "columns", "drop", "nominal"])
def test_a_column_that_is_not_there_gets_its_neighbours_named(write, argument):
    asked = {"target": "play"} | {argument: "degres" if argument == "target" else ["degres"]}
    with pytest.raises(ValueError, match=r"no column 'degres'; did you mean 'degrees'\?"):
        own_data(write(ROWS), **asked)


def test_the_target_is_no_input(write):
    with pytest.raises(ValueError, match="other columns than the target 'play'"):
        own_data(write(ROWS), "play", columns=["play"])
