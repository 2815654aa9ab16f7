"""What the evidence about running times says in words."""

from oza.claims import CHECKS

from .evidence.kdd import times


def test_a_stand_in_is_told_but_decides_nothing():
    verdict = CHECKS["C121"](times("covertype-head", start=0.0), 4.4)
    assert verdict.outcome == "untestable"
    assert "16,000 examples of covertype-head batch takes 10 times as long; printed 4.4" in verdict.evidence


def test_a_part_of_the_training_set_does_not_decide_for_all_of_it():
    part = times("census-income").query("n_train < 199523")
    assert CHECKS["C120"](part, 21.3).outcome == "undecided"
