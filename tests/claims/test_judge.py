"""A claim is judged by its number, from what is recorded, and comes out as it stands on record."""

import json

import pytest

from oza._paths import DATA
from oza.analysis import Record
from oza.claims import CHECKS, EVIDENCE, judge, recorded_verdicts, renew_verdicts, rule_changes

ON_RECORD = recorded_verdicts(DATA / "results").set_index("claim")


@pytest.fixture(scope="module")
def record():
    return Record()


@pytest.mark.parametrize("claim", sorted(EVIDENCE))
def test_the_verdict_on_record_is_what_the_recorded_results_say(claim, record):
    (verdict,) = judge(record, claim)
    former = ON_RECORD.loc[claim]
    assert (verdict.outcome, verdict.evidence, verdict.rule) == tuple(former[["outcome", "evidence", "rule"]])


def test_a_verdict_says_what_was_read(record):
    for _ in range(2):  # the second time from memory
        (verdict,) = judge(record, "C068")
        (source,) = verdict.sources
        assert source.name == "decision-trees (3.3)" and "mushroom" in source.datasets
        assert source.n_runs == len(record.rows("3.3"))
    assert judge(record, "C085")[0].sources == ()


def test_other_results_give_another_verdict(monkeypatch):
    record = Record()
    perfect = record.rows("3.3").assign(n_correct=1, n_test=1)
    monkeypatch.setattr(record, "rows", lambda table: perfect)
    assert judge(record, "C068")[0].outcome == "holds"
    assert ON_RECORD.loc["C068", "outcome"] == "fails"


def test_what_cannot_be_judged_is_refused(record):
    with pytest.raises(ValueError, match="no such claim"):
        judge(record, "C999")
    of_pages = min(set(CHECKS) - set(EVIDENCE))
    with pytest.raises(ValueError, match=f"{of_pages}.*execute that page"):
        judge(record, of_pages)


def test_renewed_verdicts_keep_their_page_their_neighbours_and_the_history(tmp_path, record):
    page = tmp_path / "verdicts" / "a.json"
    page.parent.mkdir()
    rows = [
        {"claim": "C001", "outcome": "holds", "evidence": "seen", "rule": "Another rule."},
        {"claim": "C068", "outcome": "holds", "evidence": "once", "rule": "A former rule."},
    ]
    page.write_text(json.dumps({"cells": {"agrees": 2}, "claims": rows}))
    (verdict,) = judge(record, "C068")
    renew_verdicts(tmp_path, [verdict])
    found = json.loads(page.read_text())
    assert found["cells"] == {"agrees": 2} and found["claims"][0] == rows[0]
    assert found["claims"][1]["outcome"] == "fails" and found["claims"][1]["rule"] == verdict.rule
    (change,) = rule_changes(tmp_path).to_dict("records")
    assert (change["claim"], change["former_rule"], change["outcome"]) == ("C068", "A former rule.", "fails")
    with pytest.raises(ValueError, match="C066: no verdict on record"):
        renew_verdicts(tmp_path, judge(record, "C066"))
