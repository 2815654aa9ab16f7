"""The article says what the record says: each number in the text of the PDF file, and no other."""

import io
import re
from collections import Counter

import pytest
from pypdf import PdfReader

from tools import article

SOURCE, ABSTRACT = ((article.FOLDER / name).read_text("utf-8") for name in ("article.typ", "abstract.md"))
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: What may be typed: places in the sources, formulas, names, and what the sources print or prescribe.
TYPED = re.compile(
    r"[pP]ages \d+ (?:and|to) \d+|first 77 pages|edge was left at 0\.1\b|truncated 0\.216\b"
    r"|(?:[pP]ages?|p\.|chapter|Table|Lemma|Theorem|Synthetic)[ ~]?\d[\d.]*|\bC\d{3}\b|\$[^$]*\$"
    r"|AdaBoost\.M1|x86-64|95.% interval|0 log 0(?: is 0\b)?|\b(?:of|in|after) 2001|CC BY 4\.0"
    r"|Tables 4\.1 to 4\.6|first 20,000 rows|80,000 training|right on (?:56 of 100 examples|98\b)|of 0\.21\b"
)


def read(pdf):
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def numbers(texts):
    return Counter(number for text in texts for number in NUMBER.findall(text))


def typed(source):
    """Numbers in a text that neither the record gives nor `TYPED` allows."""
    text = re.sub(r'(?s)^.*?#box-of\(|"[^"]*"|\{val\}`[^`]*`|@\w+|<\w+>|#set[^\n]*|#show[^\n]*', "", source)
    text = re.sub(r"\d+(?:%|pt\b)|\b(?:columns|align): [^\n]*", "", text)
    return NUMBER.findall(TYPED.sub("", text))


def without_digits(it):
    if isinstance(it, dict):
        return {key: without_digits(value) for key, value in it.items()}
    return [without_digits(part) for part in it] if isinstance(it, list) else re.sub(r"\d", "x", it)


@pytest.fixture(scope="module")
def record():
    return article.content()


def test_the_numbers_of_the_article_are_those_of_the_record(record):
    keys = article.VALUE.findall(SOURCE) + article.SAID.findall(SOURCE)
    cells = [cell for table in record["tables"].values() for row in table for cell in row]
    expected = numbers([record["abstract"], *(record["values"][key] for key in keys), *cells])
    own = {name: without_digits(record[name]) for name in ("abstract", "values", "tables")}
    others = numbers(read(article.typeset(record | own)))
    assert numbers(read(article.typeset(record))) - others == expected and expected.total() > 100
    planted = record | {"abstract": record["abstract"].replace("2001", "2002")}
    assert numbers(read(article.typeset(planted))) - others != expected
    drawn = re.findall(r"<text\b[^>]*>([^<]*)<", "".join(it["svg"] for it in record["figures"].values()))
    assert not numbers(drawn) - others


def test_no_number_of_ours_is_typed():
    assert typed(SOURCE) == typed(ABSTRACT) == []
    assert typed(SOURCE + "It wins on 27 of 39.") == ["27", "39"]


def test_the_article_is_short_tagged_and_has_its_fonts(record):
    book = PdfReader(io.BytesIO(article.typeset(record)))
    text = " ".join(page.extract_text() for page in book.pages)
    assert len(book.pages) <= 10
    assert len(re.findall(r"\S*[^\W\d_]\S*", text.rpartition("References")[0])) <= 5000
    assert len(record["figures"]) <= 8 and len(record["tables"]) <= 3
    assert book.root_object["/MarkInfo"]["/Marked"] and book.root_object["/Lang"] == "en-GB"
    fonts = [font.get_object() for page in book.pages for font in page["/Resources"]["/Font"].values()]
    described = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts]
    assert all("/FontFile2" in it or "/FontFile3" in it for it in described)
