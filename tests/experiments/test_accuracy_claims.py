"""Claims about recorded accuracies and times: evidence for and against each."""

import pandas as pd
import pytest

from oza.experiments import claims

ALGORITHMS = ["single", "bagging", "online_bagging"]


def accuracies(n_datasets=10, welch="none", star=(), apart=()):
    """Cells in which every ensemble stands to the single model as `welch` says (or as it says where)."""
    names = ["chess", *(f"set{i}" for i in range(1, n_datasets))]
    index = pd.MultiIndex.from_product([names, ALGORITHMS], names=["dataset", "algorithm"])
    marks, everywhere = ({}, welch) if isinstance(welch, str) else (welch, "none")
    cells = pd.DataFrame({"mean": 0.9, "welch": everywhere, "star": False, "verdict": "agrees"}, index)
    for place, mark in marks.items():
        cells.loc[place, "welch"] = mark
    for place in star:
        cells.loc[place, "star"] = True
    for dataset in apart:
        cells.loc[dataset, "verdict"] = "apart"
    return cells


def times(ratio):
    index = pd.MultiIndex.from_product([["a", "b"], ALGORITHMS], names=["dataset", "algorithm"])
    return pd.DataFrame({"seconds": [0.1, 1.0, 1.1, 0.1, 1.0, ratio]}, index)


BETTER = {("set3", "online_bagging"): "better"}
STARS = [("set1", "bagging"), ("set2", "online_bagging")]


@pytest.mark.parametrize(
    ("check", "evidence", "outcome"),
    [
        (claims.bagging_matches_online, accuracies(), "holds"),
        (claims.bagging_matches_online, accuracies(star=STARS), "fails"),
        (claims.bagging_matches_online, accuracies(welch="worse"), "fails"),
        (claims.bagging_matches_online, accuracies(welch="unknown"), "untestable"),
        (claims.bagging_gains_nothing, accuracies(), "holds"),
        (claims.bagging_gains_nothing, accuracies(welch="worse"), "holds"),
        (claims.bagging_gains_nothing, accuracies(welch=BETTER), "fails"),
        (claims.bagging_gains_nothing, accuracies(welch=BETTER, apart=["set3"]), "holds"),
        (claims.bagging_gains_nothing, accuracies(welch="unknown"), "untestable"),
        (claims.batch_wins_on_chess, accuracies(star=[("chess", "bagging")]), "holds"),
        (claims.batch_wins_on_chess, accuracies(), "fails"),
        (claims.batch_wins_on_chess, accuracies().drop("chess", level="dataset"), "untestable"),
        (claims.times_are_comparable, times(2.9), "holds"),
        (claims.times_are_comparable, times(3.5), "fails"),
        (claims.times_are_comparable, times(0.2), "fails"),
        (claims.times_are_comparable, times(float("nan")).iloc[3:], "untestable"),
    ],
)
def test_the_verdict_follows_the_evidence(check, evidence, outcome):
    assert check(evidence).outcome == outcome


def test_the_evidence_names_the_data_sets_that_speak_against_a_claim():
    assert "better on set3" in claims.bagging_gains_nothing(accuracies(welch=BETTER)).evidence
    assert "apart: set3" in claims.bagging_gains_nothing(accuracies(welch=BETTER, apart=["set3"])).evidence
