"""The first page: numbers with denominators, dots that do not overlap, a map whose cells are links."""

import re

import oza_front
import pytest
from oza_book import look_up, read_runs

from tools.run_notebooks import NOTEBOOKS, TOP


def gap(difference, family="bagging", equivalence="equal"):
    return {
        "family": family,
        "base_model": "decision trees",
        "updates": 0,
        "dataset": "Nursery",
        "difference": difference,
        "equivalence": equivalence,
    }


def test_each_number_has_its_denominator():
    counts = {"bagging": {"equal": 2, "undecided": 1}, "boosting": {"worse": 3, "better": 1}}
    shown = oza_front.numerals(counts, 5, 9)
    assert re.findall(r'number">(\d+)<span> of (\d+)', shown) == [("2", "3"), ("0", "4"), ("5", "9")]
    assert "found worse on 3, better on 1, undecided on 0" in shown


def test_the_readme_has_the_numbers_of_the_first_page():
    runs = read_runs(NOTEBOOKS)
    shown = oza_front.first_numerals(lambda name: look_up(runs, f"scorecard::{name}"))
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\*\*(\d+) of (\d+)\*\*", readme) == re.findall(r'number">(\d+)<span> of (\d+)', shown)
    assert len(readme.split()) <= 900


@pytest.mark.parametrize("width", [344, 688])
def test_dots_lie_within_the_drawing_and_do_not_overlap(width):
    gaps = [gap(0.0001 * n) for n in range(30)] + [gap(-0.12, "boosting", "worse"), gap(0.03, "boosting")]
    drawn = oza_front.strip(gaps, width)
    dots = [
        tuple(map(float, found)) for found in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn)
    ]
    assert len(dots) == len(gaps)
    height = float(re.search(r'viewBox="0 0 \d+ (\d+)"', drawn)[1])
    assert all(r <= x <= width - r and r <= y <= height - r for x, y, r in dots)
    apart = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for i, a in enumerate(dots) for b in dots[:i]]
    assert min(apart) ** 0.5 > 2 * dots[0][2] - 0.2  # rounded to a tenth of a pixel
    assert ">Online bagging minus bagging<" in drawn and ">Online boosting minus boosting<" in drawn
    assert "online bagging: 30 of 30 equal to batch; online boosting: 1 of 2 equal" in drawn


def test_the_map_has_a_link_and_a_sign_for_each_cell():
    cells = [
        ("3.4", "Nursery", "bagging", 0.9, 0.9, "agrees"),
        ("3.6", "Nursery", "online_bagging", 0.8, 0.9, "differs"),
        ("3.6", "Chess", "online_bagging", None, 0.9, "not run"),
    ]
    names = ("table", "dataset", "algorithm", "ours", "printed", "verdict")
    shown = oza_front.cell_map([dict(zip(names, cell, strict=True)) for cell in cells], "chapters")
    assert shown.count("<a href=") == 3 and shown.count("<td></td>") == 1
    assert (
        '<td class="verdict-agrees"><a href="../executed/bagging-naive-bayes.html#table-3-4-accuracy"'
        in shown
    )
    assert 'Chess, Table 3.6, online bagging: no result, printed 0.9000; not run">–</a>' in shown
    assert oza_front.cell_map([], ".") == ""


def test_the_book_and_its_sources_can_be_cited():
    own = oza_front.own_entry(oza_front._citation())
    assert own.startswith("@misc{oza2026,\n  author  = {{The oza authors}},\n") and own.endswith("}")
    bibliography = (TOP / "book" / "references.bib").read_text(encoding="utf-8")
    assert "Online Ensemble Learning" in oza_front.entry_of(bibliography, "oza2001")
    with pytest.raises(LookupError, match="no entry 'nobody'"):
        oza_front.entry_of(bibliography, "nobody")
