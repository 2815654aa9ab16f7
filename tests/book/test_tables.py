"""Tables of notebooks are shown with one row of headers and readable names."""

import base64
import re
from itertools import count

import oza_tables
import pandas as pd
from bs4 import BeautifulSoup


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


def test_the_cells_are_a_file():
    link = shown(pd.DataFrame({"a, b": ["x"]}, pd.Index(["y"], name="n"))).find("a")
    assert base64.b64decode(link["href"].partition("base64,")[2]).decode() == 'n,"a, b"\ny,x\n'


def test_tables_are_numbered_through_the_book_and_again_when_a_page_is_built_again():
    page = "<caption>Table 3.4: accuracy</caption><caption>Weights</caption>"
    once = oza_tables.numbered(page, count(7))
    assert re.sub("<[^>]*>", "|", once) == "||Table 7 |Thesis Table 3.4: accuracy|||Table 8 |Weights|"
    from_one = once.replace("Table 7 ", "Table 1 ").replace("Table 8 ", "Table 2 ")
    assert oza_tables.numbered(once, count(1)) == from_one
