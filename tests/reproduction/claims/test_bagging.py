"""What the evidence about bagging says in words."""

import pandas as pd

from reproduction.claims import CHECKS

from .evidence.bagging import (
    BETTER,
    LOST,
    ONLINE,
    WINDOWS,
    accuracies,
    both_times,
    networks,
    three_times,
    times,
)


def test_the_evidence_names_the_data_sets_that_speak_against_a_claim():
    assert "better on 1 of 20: set3;" in CHECKS["C108"](accuracies(welch=BETTER)).evidence
    result = CHECKS["C108"](accuracies(welch=BETTER, excluded=["set3"]))
    assert result.outcome == "holds"
    assert "excluded: set3" in result.evidence


def test_a_small_loss_on_the_larger_sets_means_the_same_in_both_claims_about_it():
    for large, outcome in (([0.88, 0.89], "holds"), ([0.81, 0.8], "fails")):  # mean losses of 0.015 and 0.095
        one, ten = networks(online_bagging=[*LOST[:2], *large]), networks("_10")
        assert CHECKS["C010"](one).outcome == CHECKS["C079"](one, ten).outcome == outcome


def test_comparable_times_may_have_one_exception_in_ten():
    many = pd.concat({"3.8": times(1.1, list("abcdefgh"))}, names=["table"])
    cells = pd.concat([three_times(3.5).drop("3.8"), many])
    verdict = CHECKS["C080"](cells)
    assert verdict.outcome == "holds"
    assert "not comparable: b of Table 3.10" in verdict.evidence


def test_relearning_is_counted_for_bagging_and_boosting_is_reported():
    evidence = CHECKS["C084"](both_times(2.0, 20.0), 10).evidence
    assert "batch bagging faster in 2 of 2 comparisons (boosting: 2 of 2)" in evidence
    assert "5.5 times the data, which would take longer than updating in 2" in evidence


def test_a_best_window_at_the_edge_of_the_search_decides_nothing():
    verdict = CHECKS["C089"](WINDOWS[:2], ONLINE, True)
    assert verdict.outcome == "undecided"
    assert "highest for size 200, the largest tried" in verdict.evidence
