"""The table of conformance says what was fed and seen below each rule; losses are judged by equality."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from reproduction.pages import ConformanceTable, loss_dots, losses

ROW = SimpleNamespace(
    name="copies", algorithm="bagging", rule="k copies", place="Figure 1", fed="two <rows>", expected="mean 1"
)


def cell(implementation, verdict, observed=""):
    return SimpleNamespace(
        row="copies",
        implementation=implementation,
        version="1.0",
        date="2026-01-01",
        verdict=verdict,
        observed=observed,
        note="",
    )


CELLS = [cell("ours", "conforms", "mean 1"), cell("other", "deviates", "mean 2"), cell("third", "not there")]


@pytest.fixture(scope="module")
def soup():
    table = ConformanceTable([ROW], CELLS, {("copies", "other"): Path("scripts/other_copies.py")})
    return BeautifulSoup(table._repr_html_(), "html.parser")


def test_a_cell_has_the_sign_and_the_tint_of_its_verdict(soup):
    signs = soup.find(id="row-copies").find_all("td")
    assert [sign.get_text() for sign in signs] == ["✓", "✗", ""]
    assert [sign["class"] for sign in signs] == [
        ["verdict-conforms"],
        ["verdict-deviates"],
        ["verdict-not-there"],
    ]
    assert soup.caption.get_text().endswith("✓ conforms, ✗ deviates; empty: not there")


def test_below_a_row_stands_what_was_fed_expected_and_seen(soup):
    folded = soup.find("details")
    assert folded.summary.get_text() == "k copies"
    lines = [line.get_text() for line in folded.find_all("p")]
    assert lines == [
        "Printed in: Figure 1",
        "Fed: two <rows>",
        "Expected: mean 1",
        "✓ conforms ours 1.0 mean 1",
        "✗ deviates other 1.0 mean 2 other_copies.py",
    ]


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        ([0.05, 0.06, 0.05, 0.06], "lost"),
        ([-0.05, -0.06, -0.05, -0.06], "gained"),
        ([0.001, 0.002, 0.001, 0.002], "equal"),
        ([0.05, -0.04, 0.05, -0.04], "undecided"),
    ],
)
def test_a_loss_is_judged_by_the_rule_of_equality(lost, verdict):
    experiment = SimpleNamespace(name="one", implementation="other", deviation="two copies")
    runs = [
        SimpleNamespace(experiment="one", deviating=0.5 - each, conforming=0.5, lost=each) for each in lost
    ]
    found = losses([experiment], runs)
    assert found.loc["one", "verdict"] == verdict
    assert found.loc["one", "lost"] == pytest.approx(sum(lost) / 4)
    assert "other, one" in loss_dots(found).text
