"""A claim is judged by its number, from what is recorded, and comes out as it stands on record."""

import pytest

from reproduction.claims import (
    CHECKS,
    EVIDENCE,
    claim,
    judge,
    on_record,
    recorded_verdicts,
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


def test_verdicts_on_record_are_read_in_the_order_asked_for(monkeypatch, tmp_path):
    found = on_record("C071", "C070")
    assert [(v.claim, v.outcome) for v in found] == [("C071", "fails"), ("C070", "holds")]
    assert found[0].evidence == ON_RECORD.loc["C071", "evidence"]
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    with pytest.raises(ValueError, match="C071: no verdict on record"):
        on_record("C071")
