"""A rule that changes keeps its former outcome on record, with a reason."""

import inspect
import re

import pytest

from reproduction.claims import CHECKS, OUTCOMES, Verdict, record_verdicts, recorded_verdicts, rule_changes
from reproduction.paths import DATA

CHANGES = rule_changes(DATA / "results")
ON_RECORD = recorded_verdicts(DATA / "results")


def test_every_change_of_a_rule_says_what_it_was_and_why():
    without = CHANGES[~CHANGES["change"].isin(["meaning", "words"]) | (CHANGES["reason"] == "")]
    assert without.empty, f"fill in `change` and `reason` in rule_changes.csv: {', '.join(without['claim'])}"


def test_every_change_tells_the_rules_and_outcomes_before_and_after():
    assert (CHANGES.drop(columns="commit") != "").all(axis=None)
    assert set(CHANGES["claim"]) <= {*CHECKS, "cells"}
    of_claims = CHANGES[CHANGES["claim"] != "cells"]
    assert set(of_claims["former_outcome"]) | set(of_claims["outcome"]) <= set(OUTCOMES)


@pytest.mark.parametrize("claim", ON_RECORD["claim"].unique())
def test_a_verdict_on_record_was_reached_by_the_present_rule(claim):
    """Or the change is told already, and the book waits to be executed again."""
    now = Verdict(claim, "", "").rule
    told = CHANGES[(CHANGES["claim"] == claim) & (CHANGES["rule"] == now)]["former_rule"]
    for rule in ON_RECORD.loc[ON_RECORD["claim"] == claim, "rule"]:
        assert rule == now or rule in set(told), f"{claim} was judged by another rule; execute the book"


@pytest.mark.parametrize("claim", CHECKS)
def test_a_rule_does_not_hide_among_the_arguments(claim):
    """The record keeps the summary of a check; what it takes to hold has to stand there."""
    arguments = (inspect.getdoc(CHECKS[claim]) or "").partition("\n\nParameters\n")[2]
    assert not re.search(r"[Tt]o hold|claim (holds|fails)|has to|are to be", " ".join(arguments.split()))


@pytest.fixture
def page(tmp_path):
    return tmp_path / "verdicts" / "a.json"


def judge_by(monkeypatch, page, rule, outcome):
    monkeypatch.setattr(CHECKS["C053"], "__doc__", rule)
    record_verdicts(page, [Verdict("C053", outcome, f"seen by {rule}"), Verdict("C054", "holds", "")], {})


def test_another_rule_leaves_the_former_one_with_its_outcome(page, monkeypatch):
    judge_by(monkeypatch, page, "One rule.", "fails")
    assert rule_changes(page.parent.parent).empty
    judge_by(monkeypatch, page, "Another rule.", "holds")
    (change,) = rule_changes(page.parent.parent).to_dict("records")
    assert change["claim"] == "C053" and change["date"]
    assert (change["former_rule"], change["former_outcome"]) == ("One rule.", "fails")
    assert change["former_evidence"] == "seen by One rule."
    assert (change["rule"], change["outcome"]) == ("Another rule.", "holds")
    assert change["change"] == change["reason"] == ""
    judge_by(monkeypatch, page, "Another rule.", "fails")
    assert len(rule_changes(page.parent.parent)) == 1
    judge_by(monkeypatch, page, "One rule.", "fails")
    assert rule_changes(page.parent.parent)["former_outcome"].to_list() == ["fails", "fails"]


def test_a_claim_that_another_page_judges_keeps_its_history(page, monkeypatch):
    judge_by(monkeypatch, page, "One rule.", "fails")
    judge_by(monkeypatch, page.with_name("b.json"), "Another rule.", "holds")
    judge_by(monkeypatch, page, "Another rule.", "holds")
    assert len(rule_changes(page.parent.parent)) == 1
