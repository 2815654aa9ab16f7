"""Tables of notebooks are shown with one row of headers and readable names."""

import base64
import importlib.util
import re
from itertools import count

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from oza.compare.table import Table
from tools.run_notebooks import TOP

specification = importlib.util.spec_from_file_location("oza_tables", TOP / "book" / "_ext" / "oza_tables.py")
oza_tables = importlib.util.module_from_spec(specification)
specification.loader.exec_module(oza_tables)


def shown(frame, caption=""):
    """What a page shows of a frame."""
    return BeautifulSoup(oza_tables.tidied(frame.to_html(), caption), "html.parser")


def rows(soup):
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in soup.find_all("tr")]


def test_numbers_are_typeset_in_the_page_and_plain_in_the_file():
    frame = pd.DataFrame({"form": ["Arc-x4", "-1.5 ± 0.2"], "gain": ["-0.25", "2.5e-05"]})
    soup = shown(frame)
    assert rows(soup)[1:] == [["Arc-x4", "−0.25"], ["−1.5 ± 0.2", "2.5 × 10⁻⁵"]]
    file = base64.b64decode(soup.find("a", class_="csv")["href"].partition("base64,")[2]).decode()
    assert file.splitlines()[1:] == ["Arc-x4,-0.25", "-1.5 ± 0.2,2.5e-05"]


def test_a_hyphen_is_a_minus_before_a_number_and_stays_between_two_words_or_numbers():
    assert oza_tables.typeset("by -0.5 (-3 points), 1e-07") == "by −0.5 (−3 points), 1 × 10⁻⁷"
    assert oza_tables.typeset("Tables 3.4-3.6 of Arc-x4") == "Tables 3.4-3.6 of Arc-x4"


def test_names_of_data_sets_in_a_list_are_readable():
    assert rows(shown(pd.DataFrame({"different": ["balance, car-evaluation", "balance, others"]})))[1:] == [
        ["Balance, Car Evaluation"],
        ["balance, others"],
    ]


def test_the_names_of_the_index_stand_in_the_row_of_the_columns():
    index = pd.MultiIndex.from_tuples([("chess", 1), ("chess", 2)], names=["dataset", "n_train"])
    soup = shown(pd.DataFrame({"half_width": [0.5, 0.25]}, index))
    assert rows(soup) == [
        ["data set", "training examples", "half-width"],
        ["Chess", "1", "0.50"],
        ["2", "0.25"],
    ]
    assert [th["scope"] for th in soup.find_all("th")] == ["col", "col", "col", "rowgroup", "row", "row"]


def test_headers_of_two_levels_keep_both_and_no_header_is_empty():
    columns = pd.MultiIndex.from_product([["checks", "runs"], [0.02, 0.2]], names=[None, "rate"])
    soup = shown(pd.DataFrame(np.ones((1, 4)), pd.Index([0.1], name="delta"), columns))
    assert rows(soup)[:2] == [["delta", "checks", "runs"], ["rate 0.02", "rate 0.20"] * 2]
    assert soup.find("th")["rowspan"] == "2"
    assert [th["scope"] for th in soup.find_all("th")][1:3] == ["colgroup", "colgroup"]
    assert all(th.get_text() for th in soup.find_all("th"))


def test_a_row_without_a_name_has_no_empty_header():
    index = pd.MultiIndex.from_tuples([("monday", "x"), ("all", "")], names=["date", "commit"])
    soup = shown(pd.DataFrame({"n": [1, 2]}, index))
    assert rows(soup)[2] == ["all", "", "2"] and all(th.get_text() for th in soup.find_all("th"))


def test_what_the_columns_are_is_said_where_their_names_do_not_say_it():
    frame = pd.DataFrame([[1, 2]], pd.Index(["normal"], name="noise"), pd.Index([3, 10], name="guesses"))
    assert rows(shown(frame))[:2] == [["noise", "guesses"], ["3", "10"]]
    of_datasets = frame.set_axis(pd.Index(["chess", "nursery"], name="dataset"), axis="columns")
    assert rows(shown(of_datasets))[0] == ["noise", "Chess", "Nursery"]
    of_streams = frame.set_axis(pd.Index([0, "mean"], name="stream"), axis="columns")
    assert rows(shown(of_streams))[:2] == [["noise", "stream"], ["0", "mean"]]


def test_an_index_that_only_counts_rows_is_left_out_and_one_with_a_name_is_not():
    frame = pd.DataFrame({"a": ["x", "y"]}, index=[21, 22])
    assert rows(shown(frame)) == [["a"], ["x"], ["y"]]
    assert rows(shown(frame.rename_axis("model")))[1] == ["21", "x"]
    assert rows(shown(frame.set_axis([2, 5])))[1] == ["2", "x"]


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("NaN", "–"),
        ("-0.0000", "0.0000"),
        ("-0.0001", "−0.0001"),
        ("none", ""),
        ("covertype-head", "Forest Covertype, first 20,000 rows"),
        ("naive_bayes", "Naive Bayes"),
        ("online_boosting_10", "online boosting, 10 updates"),
        ("agrees", "✓ agrees"),
        ("0.5", "0.5"),
        ("P_u < 1 & 2", "P_u < 1 & 2"),
    ],
)
def test_a_cell_is_shown_as_a_reader_expects_it(text, readable):
    (cell,) = shown(pd.DataFrame({"a": [text]}, index=["row"])).find_all("td")[1:]
    assert cell.get_text() == readable


def test_a_table_that_says_what_it_is_keeps_its_caption_and_others_get_that_of_their_cell():
    frame = pd.DataFrame({"a": ["naive_bayes"]}, index=["row"])
    assert shown(frame, "Some of them").caption.get_text() == "Some of them"
    table = Table("Table 1: all", frame, frame, frame.assign(a="agrees"))
    soup = BeautifulSoup(oza_tables.tidied(table._repr_html_(), "Some of them"), "html.parser")
    assert soup.caption.get_text() == "Table 1: all" and soup.td.get_text() == "naive_bayes"
    assert len(soup.find_all("a", class_="csv")) == 1


def test_the_cells_are_a_file():
    link = shown(pd.DataFrame({"a, b": ["x"]}, pd.Index(["y"], name="n"))).find("a")
    assert base64.b64decode(link["href"].partition("base64,")[2]).decode() == 'n,"a, b"\ny,x\n'


def test_a_table_without_rows_has_one_row_of_headers_and_none_of_them_is_empty():
    empty = pd.DataFrame(
        {"mean": [], "verdict": []}, pd.MultiIndex.from_arrays([[], []], names=["data set", "algorithm"])
    )
    heads = BeautifulSoup(oza_tables.tidied(empty.to_html(), "Nothing"), "html.parser").find_all("th")
    assert [head.get_text() for head in heads] == ["data set", "algorithm", "mean", "verdict"]


def test_tables_are_numbered_through_the_book_and_again_when_a_page_is_built_again():
    page = "<caption>Table 3.4: accuracy</caption><caption>Weights</caption>"
    once = oza_tables.numbered(page, count(7))
    assert re.sub("<[^>]*>", "|", once) == "||Table 7 |Thesis Table 3.4: accuracy|||Table 8 |Weights|"
    assert oza_tables.numbered(once, count(1)) == once.replace("Table 7 ", "Table 1 ").replace(
        "Table 8 ", "Table 2 "
    )
