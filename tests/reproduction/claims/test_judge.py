"""A claim is judged by its number, from what is recorded, and comes out as it stands on record."""

import json

import pytest

from reproduction.claims import (
    CHECKS,
    EVIDENCE,
    claim,
    judge,
    recorded_verdicts,
    renew_verdicts,
    rule_changes,
)
from reproduction.paths import DATA
from reproduction.tables import Record

#: Claims whose simulations take more than a few seconds.
SIMULATED = {"C018", "C026", "C027", "C037", "C038", "C039", "C062", "C098", "C104"}

ON_RECORD = recorded_verdicts(DATA / "results").set_index("claim")


@pytest.fixture(scope="module")
def record():
    return Record()


def test_every_claim_has_an_evidence_provider_and_a_verdict_on_record():
    assert set(EVIDENCE) == set(CHECKS) == set(ON_RECORD.index)
    with pytest.raises(TypeError, match="evidence"):
        claim("C001")


@pytest.mark.parametrize(
    "number", [pytest.param(c, marks=pytest.mark.slow) if c in SIMULATED else c for c in sorted(CHECKS)]
)
def test_the_verdict_on_record_is_what_the_evidence_says(number, record):
    (verdict,) = judge(record, number)
    former = ON_RECORD.loc[number]
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


def test_an_unknown_claim_is_refused(record):
    with pytest.raises(ValueError, match="unknown claim 'C999'"):
        judge(record, "C999")


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
