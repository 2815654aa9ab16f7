"""A rule that changes keeps its former outcome on record, with a reason."""

import inspect
import re

import pandas as pd
import pytest

from reproduction.claims.registry import Verdict, claims_by_page
from reproduction.claims.verdicts import (
    NO_CLAIMS,
    OUTCOMES,
    record_verdicts,
    recorded_counts,
    recorded_verdicts,
    rule_changes,
)
from reproduction.paths import DATA
from reproduction.topics import checks

CHANGES = rule_changes(DATA / "results")
ON_RECORD = recorded_verdicts(DATA / "results")


def test_every_change_of_a_rule_says_what_it_was_and_why():
    without = CHANGES[~CHANGES["change"].isin(["meaning", "words", "data"]) | (CHANGES["reason"] == "")]
    assert without.empty, f"fill in `change` and `reason` in rule_changes.csv: {', '.join(without['claim'])}"


def test_every_change_tells_the_rules_and_outcomes_before_and_after():
    assert (CHANGES.drop(columns="commit") != "").all(axis=None)
    assert set(CHANGES["claim"]) <= {*checks(), *NO_CLAIMS}
    of_claims = CHANGES[~CHANGES["claim"].isin(NO_CLAIMS)]
    assert set(of_claims["former_outcome"]) | set(of_claims["outcome"]) <= set(OUTCOMES)


@pytest.mark.parametrize("claim", ON_RECORD["claim"].unique())
def test_a_verdict_on_record_was_reached_by_the_present_rule(claim):
    (rule,) = ON_RECORD.loc[ON_RECORD["claim"] == claim, "rule"]
    assert rule == checks()[claim].rule, f"{claim} was judged by another rule; judge and record it"


def test_each_claim_is_shown_by_one_page_and_recorded_there():
    assert sorted(claim for claims in claims_by_page().values() for claim in claims) == list(checks())
    assert ON_RECORD.groupby("page")["claim"].agg(list).to_dict() == claims_by_page()


@pytest.mark.parametrize("claim", checks())
def test_a_rule_does_not_hide_among_the_arguments(claim):
    """The record keeps the summary of a check; what it takes to hold has to stand there."""
    arguments = (inspect.getdoc(checks()[claim]) or "").partition("\n\nParameters\n")[2]
    assert not re.search(r"[Tt]o hold|claim (holds|fails)|has to|are to be", " ".join(arguments.split()))


def judge_by(folder, rule, outcome, page="a"):
    verdicts = [Verdict("C053", outcome, f"seen by {rule}", rule), Verdict("C054", "holds", "")]
    record_verdicts(folder, verdicts, {}, {page: ("C053", "C054")})


def test_another_rule_leaves_the_former_one_with_its_outcome(tmp_path):
    judge_by(tmp_path, "One rule.", "fails")
    assert rule_changes(tmp_path).empty
    judge_by(tmp_path, "Another rule.", "holds")
    (change,) = rule_changes(tmp_path).to_dict("records")
    assert change["claim"] == "C053" and change["date"]
    assert (change["former_rule"], change["former_outcome"]) == ("One rule.", "fails")
    assert change["former_evidence"] == "seen by One rule."
    assert (change["rule"], change["outcome"]) == ("Another rule.", "holds")
    assert change["change"] == change["reason"] == ""
    judge_by(tmp_path, "Another rule.", "holds")
    assert len(rule_changes(tmp_path)) == 1
    judge_by(tmp_path, "One rule.", "fails")
    assert rule_changes(tmp_path)["former_outcome"].to_list() == ["fails", "holds"]


def test_a_claim_that_moves_to_another_page_keeps_its_history(tmp_path):
    judge_by(tmp_path, "One rule.", "fails")
    judge_by(tmp_path, "Another rule.", "holds", page="b")
    assert len(rule_changes(tmp_path)) == 1
    assert [path.name for path in (tmp_path / "verdicts").glob("*.json")] == ["b.json"]


def test_verdicts_that_are_not_judged_again_stay(tmp_path):
    judge_by(tmp_path, "One rule.", "fails")
    pages = {"a": ("C053", "C054"), "b": ("C055",)}
    record_verdicts(tmp_path, [Verdict("C054", "fails", "now")], {"b": {"agrees": 2}}, pages)
    found = recorded_verdicts(tmp_path).set_index("claim")
    assert found["outcome"].to_dict() == {"C053": "fails", "C054": "fails"}
    assert found.loc["C053", "rule"] == "One rule."
    assert recorded_counts(tmp_path) == {
        "a": {"cells": {}, "claims": {"fails": 2}},
        "b": {"cells": {"agrees": 2}, "claims": {}},
    }


def test_an_outcome_that_turns_by_the_same_rule_is_told_as_well(tmp_path):
    judge_by(tmp_path, "One rule.", "holds")
    judge_by(tmp_path, "One rule.", "undecided")
    (change,) = rule_changes(tmp_path).to_dict("records")
    assert (change["former_outcome"], change["outcome"]) == ("holds", "undecided")
    assert change["change"] == "data" and change["reason"] == ""
    assert change["rule"] == change["former_rule"] == "One rule."


def reports_that_fail(claims):
    """Empirical claims that fail, although they tell of tables, figures or tests of the authors' runs."""
    told = claims["figure_or_table"].ne("") | claims["how_to_check"].str.contains("t-test|per dataset")
    return claims.index[told & claims["outcome"].eq("fails") & claims["kind"].ne("theorem")].to_list()


def test_no_report_of_the_authors_own_runs_fails():
    claims = pd.read_csv(DATA / "reference" / "claims.csv", index_col="id", keep_default_na=False)
    claims["outcome"] = recorded_verdicts(DATA / "results").set_index("claim")["outcome"]
    assert reports_that_fail(claims) == []
    claims.loc["C107", "outcome"] = "fails"  # planted
    assert reports_that_fail(claims) == ["C107"]
