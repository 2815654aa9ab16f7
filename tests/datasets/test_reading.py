"""Rows are read strictly: what the catalogue does not declare is an error with file and line."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from oza.datasets import Column, DataFile, DatasetInfo, load_dataset
from oza.datasets.readers import read_rows


def info(**changes):
    columns = (
        Column("colour", values=("red", "green", "?")),
        Column("number", "dropped", why="it identifies the row"),
        Column("length", "numeric"),
        Column("class", "class", ("no", "yes")),
    )
    file = DataFile("all", 2, "uci/toy/toy.data", sha256="0")
    toy = DatasetInfo("toy", "Toy", "Toy", "A toy.", "none", "none", "five-fold", columns, (file,))
    return replace(toy, **changes)


def test_values_become_codes_in_the_declared_order_and_numbers_numbers():
    table = read_rows(b"green,1,2.5,yes\n?,2,-3,no\nred,3,1e2,yes\n", info(), "toy.data")
    assert table.columns[0].tolist() == [1, 2, 0]
    assert table.columns[1].tolist() == [2.5, -3.0, 100.0]
    assert table.target.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "text",
    [b"green,1,2.5,yes", b"green,1,2.5,yes\n\n\n", b"green,1,2.5,yes\r\n", b" green , 1, 2.5 ,yes \n"],
    ids=["no last newline", "blank lines at the end", "line ends of DOS", "blanks around values"],
)
def test_white_space_around_the_data_does_not_matter(text):
    table = read_rows(text, info(), "toy.data")
    assert [column.tolist() for column in table.columns] == [[1], [2.5]]
    assert table.target.tolist() == [1]


@pytest.mark.parametrize("word", ["NA", "null", "nan", '"red"', "1"])
def test_no_value_is_taken_for_a_missing_one(word):
    columns = (Column("colour", values=(word, "red")), *info().columns[1:])
    table = read_rows(f"{word},1,2.5,yes\n".encode(), info(columns=columns), "toy.data")
    assert table.columns[0].tolist() == [0]


GOOD = b"green,1,2.5,yes\n"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"green,1,2.5\n", "line 3: found 3 fields, expected 4 separated by ','"),
        (b"green,1,2.5,yes,\n", "line 3: found 5 fields, expected 4"),
        (b"\n", "line 3: found 1 fields, expected 4"),
        (b"blue,1,2.5,yes\n", "line 3: colour is 'blue', expected one of red, green, ?"),
        (b"Green,1,2.5,yes\n", "line 3: colour is 'Green'"),
        (b",1,2.5,yes\n", "line 3: colour is ''"),
        (b"green,1,long,yes\n", "line 3: length is 'long', expected a number"),
        (b"green,1,?,yes\n", "line 3: length is '?', expected a number"),
        (b"green,1,nan,yes\n", "line 3: length is 'nan', expected a number"),
        (b"green,1,1_000,yes\n", "line 3: length is '1_000', expected a number"),
        (b"green,1,inf,yes\n", "line 3: length is 'inf', expected a number"),
        (b"green,1,2.5,maybe\n", "line 3: class is 'maybe', expected one of no, yes"),
        (b"\xff,1,2.5,maybe\n", "toy.data"),
    ],
)
def test_a_malformed_row_is_reported_with_file_and_line(row, message):
    with pytest.raises(ValueError) as caught:
        read_rows(GOOD * 2 + row + GOOD, info(), "toy.data")
    assert str(caught.value).startswith("toy.data")
    assert message in str(caught.value)


def test_an_empty_file_is_refused():
    with pytest.raises(ValueError, match=r"toy\.data"):
        read_rows(b"\n", info(), "toy.data")


def test_nominal_and_numeric_columns_make_a_float_array(cache, register, monkeypatch, tmp_path):
    text = b"green,1,2.5,yes\n?,2,-3,no\n"
    monkeypatch.setenv("OZA_DATA_MIRROR", str(tmp_path))
    (tmp_path / "toy.data").write_bytes(text)
    file = DataFile("all", 2, "toy.data", sha256=hashlib.sha256(text).hexdigest())
    register(info(files=(file,)))
    toy = load_dataset("toy")
    assert toy.data.dtype == np.float64 and toy.data.tolist() == [[1.0, 2.5], [2.0, -3.0]]
    assert toy.categorical_features.tolist() == [True, False]
    assert toy.categories == [["red", "green", "?"], None]
    assert "number (it identifies the row)" in toy.DESCR
    frame = load_dataset("toy", as_frame=True).frame
    assert frame["colour"].tolist() == ["green", "?"]
    assert frame["length"].dtype == np.float64
