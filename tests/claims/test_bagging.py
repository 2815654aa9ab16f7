"""What the evidence about bagging says in words."""

from oza.claims import CHECKS

from .evidence.bagging import BETTER, accuracies


def test_the_evidence_names_the_data_sets_that_speak_against_a_claim():
    assert "better on set3" in CHECKS["C108"](accuracies(welch=BETTER)).evidence
    apart = CHECKS["C108"](accuracies(welch=BETTER, apart=["set3"]))
    assert apart.outcome == "holds"
    assert "apart: set3" in apart.evidence
