"""Changes of rules are reported with the direction of the change of the outcome."""

import pandas as pd

from reproduction.pages import (
    changed_rules,
    changes_table,
    direction_counts,
    outcome_bars,
    outcome_course,
    second_audit,
    verdicts_by_former_rules,
)
from reproduction.pages.rule_changes import DIRECTIONS


def write(folder, *rows):
    (folder / "verdicts").mkdir()
    columns = ["claim", "former_outcome", "outcome", "change"]
    others = ["date", "commit", "former_rule", "former_evidence", "rule", "reason"]
    changes = pd.DataFrame(rows, columns=columns).assign(**{name: f"a {name}" for name in others})
    changes.to_csv(folder / "verdicts" / "rule_changes.csv", index=False)


def test_an_outcome_goes_towards_the_thesis_or_away_or_neither(tmp_path, monkeypatch):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    write(
        tmp_path,
        ("C053", "fails", "holds", "meaning"),
        ("C054", "fails", "undecided", "meaning"),
        ("C055", "untestable", "undecided", "meaning"),
        ("C056", "holds", "untestable", "meaning"),
        ("C057", "fails", "holds", "words"),
        ("cells", "1 of 2 agree", "2 of 2 agree", "meaning"),
    )
    changes = changed_rules()
    assert changes["claim"].to_list() == ["C053", "C054", "C055", "C056"]
    towards, away, neither = DIRECTIONS
    assert changes["direction"].to_list() == [towards, towards, neither, away]
    counts = direction_counts(changes)
    assert counts.loc[("all", "")].to_list() == [2, 1, 1]
    assert changed_rules("words")["claim"].to_list() == ["C057"]
    assert '<td class="verdict-undecided">undecided</td>' in changes_table(changes)._repr_html_()


def test_cells_that_agreed_because_splits_vary_are_undecided_now(full_card):
    judged = verdicts_by_former_rules(full_card.cells)
    assert len(judged) > 100
    turned = judged[judged["second"] != judged["verdict"]]
    assert set(turned["verdict"]) == {"undecided"}
    assert (judged["first"] == "agrees").sum() <= (judged["second"] == "agrees").sum()


def test_the_second_audit_tells_what_became_of_verdicts():
    points = second_audit("verdict").set_index("point")["outcomes"]
    assert points["C015"] == "C015 fails → undecided"
    assert points["C116"] == "C116 holds"
    assert all(len(second_audit(part)) for part in ("method", "contradiction", "cells"))


def test_the_course_of_outcomes_begins_with_the_first_and_ends_with_the_present(tmp_path):
    write(
        tmp_path,
        ("C001", "fails", "undecided", "meaning"),
        ("C002", "holds", "fails", "words"),
        ("C001", "undecided", "holds", "data"),
    )
    path = tmp_path / "verdicts" / "rule_changes.csv"
    changes = pd.read_csv(path).assign(date=["2026-11-21", "2026-11-21", "2026-11-23"])
    changes.to_csv(path, index=False)
    claims = pd.DataFrame({"outcome": ["holds", "fails"]}, index=["C001", "C002"])
    course = outcome_course(claims, tmp_path)
    assert course.index.to_list() == ["first", "2026-11-21", "2026-11-23"]
    assert course["fails"].to_list() == [2, 1, 1]  # C002 was reworded only
    assert course["undecided"].to_list() == [0, 1, 0]
    assert course["holds"].to_list() == [0, 0, 1]
    drawn = outcome_bars(course)
    widths = [bar.get_width() for bar in drawn.figure.axes[0].patches]
    assert sum(widths) == course.to_numpy().sum()
