"""The independent check: its record is complete, our results are reproducible, its rules are fair."""

from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest

from oza.datasets import dataset_info
from oza.models import NaiveBayesClassifier
from reproduction.studies import compute
from reproduction.studies.algorithms import ALGORITHMS
from reproduction.studies.independent import (
    COMPARED,
    LATER,
    REPETITIONS,
    STUDY,
    VARIANTS,
    Check,
    _vote,
    accuracies,
    against,
    answer,
    check_tasks,
    online_against_batch,
    predictions,
    sizes,
)
from reproduction.studies.protocol import N_FOLDS, Split

ONLINE, BATCH = ("online_bagging", "online_boosting"), ("bagging", "boosting")
COMPLETE = {
    "oza": [(a, v, 1.0) for a in COMPARED for v in ("", *VARIANTS.get(a, ()))],
    "scikit-learn": [(a, "", alpha) for a in ("single", *BATCH) for alpha in (0.0, 1.0)],
    "MOA": [(a, "", 1.0) for a in ("single", *ONLINE)],
    "Weka": [(a, "", 1.0) for a in ("single", *BATCH)],
}


def test_the_record_holds_every_split_of_every_implementation_once():
    frame = STUDY.recorded()
    assert not frame.duplicated(STUDY.key).any() and not frame.isna().any(axis=None)
    for implementation, runs in COMPLETE.items():
        wanted = {
            (dataset, implementation, *run, repetition, fold)
            for run in runs
            for dataset, n in REPETITIONS.items()
            for repetition in range(n)
            for fold in range(N_FOLDS)
        }
        mine = frame[frame["implementation"] == implementation]
        assert set(mine[STUDY.key].itertuples(index=False, name=None)) == wanted
    river = frame[frame["implementation"] == "River"].groupby(["dataset", "algorithm"])["fold"].apply(sorted)
    assert river.map(lambda folds: folds == list(range(N_FOLDS))).all()


def test_the_record_says_what_was_run_and_counts_what_can_be():
    frame = STUDY.recorded()
    peers = frame[frame["implementation"] != "oza"]
    assert (peers.groupby("implementation")["version"].nunique() == 1).all()
    assert (peers.groupby(["implementation", "algorithm", "alpha"])["command"].nunique() == 1).all()
    assert frame["n_correct"].between(0, frame["n_test"]).all()
    assert frame["n_differ"].between(0, frame["n_test"]).all()
    for dataset, rows in frame.groupby("dataset"):
        info = dataset_info(dataset)
        one = rows.drop_duplicates(["repetition", "fold"])
        assert one["n_test"].sum() == REPETITIONS[dataset] * (info.n_train + info.n_test)
        assert rows.groupby(["repetition", "fold"])["n_test"].nunique().eq(1).all()


def test_our_side_of_the_record_can_be_computed_again():
    frame = STUDY.recorded().query("implementation == 'oza' and dataset in ('balance', 'car-evaluation')")
    for row in frame.sample(8, random_state=0)[[*STUDY.key, *STUDY.measured]].itertuples(index=False):
        n_key = len(STUDY.key)
        again = answer(Check(*row[:n_key]))
        assert astuple(again)[1:] == row[n_key + 1 :]


@pytest.mark.parametrize("algorithm", COMPARED)
def test_without_smoothing_and_variant_we_are_the_study(algorithm):
    task = check_tasks("balance", algorithm)[7]
    n_correct = int((predictions(task, alpha=0.0) == task.examples().y_test).sum())
    assert n_correct == compute(task).n_correct
    found = accuracies()["oza", algorithm, "", 0.0]
    assert found["balance", task.repetition, task.fold] == n_correct / 125


def test_a_variant_of_the_vote_that_changes_nothing_gives_the_same_predictions():
    task = check_tasks("balance", "boosting")[0]
    examples = task.examples()
    model = ALGORITHMS["boosting"].make(NaiveBayesClassifier(), 20, 1)
    model.set_params(categorical_features=range(4))
    model.fit(examples.X_train, examples.y_train)
    assert (_vote(model, examples, 3, "none of them") == model.predict(examples.X_test)).all()
    task = check_tasks("balance", "online_boosting")[0]
    assert (predictions(task, 1.0, LATER) != predictions(task, 1.0)).any()


def test_a_perfect_model_votes_as_the_variant_says():
    task = check_tasks("balance", "boosting")[0]
    examples = task.examples()

    class Constant:
        def __init__(self, label):
            self.label = label

        def predict(self, X):
            return examples.y_train if len(X) == len(examples.y_train) else np.full(len(X), self.label)

    class Model:
        estimators_ = (Constant(1), Constant(2))
        vote_weights_ = np.array([0.9, 5.0])

    wanted = {"": 2, "perfect model votes 1": 2, "perfect model dropped": 1}
    for variant, label in wanted.items():
        assert (_vote(Model, examples, 3, variant) == label).all()
    Model.vote_weights_ = np.array([1.1, 5.0])
    assert (_vote(Model, examples, 3, "perfect model votes 1") == 1).all()


def test_an_attribute_has_the_values_of_the_catalogue_or_as_many_bins_as_were_made():
    few = Split(np.zeros((3, 4), int), np.zeros(3, int), np.zeros((1, 4), int), np.zeros(1, int))
    assert sizes("balance", few) == [5, 5, 5, 5]
    amounts = np.zeros((3, 20), int)
    amounts[0] = 6
    found = sizes("german-credit", few._replace(X_train=amounts))
    assert found[:2] == [4, 7]  # nominal, then a number in bins


def evidence(**columns):
    """Accuracies of five splits of Balance by column."""
    index = pd.MultiIndex.from_tuples(
        [("balance", 0, fold) for fold in range(5)], names=["dataset", "repetition", "fold"]
    )
    names = {
        "ours": ("oza", "online_boosting", "", 1.0),
        "theirs": ("MOA", "online_boosting", "", 1.0),
        "batch": ("Weka", "boosting", "", 1.0),
    }
    base = np.array([0.80, 0.81, 0.79, 0.80, 0.80])
    return pd.DataFrame({names[name]: base + shift for name, shift in columns.items()}, index)


def test_comparisons_say_who_is_ahead():
    found = evidence(ours=0.0, theirs=0.05, batch=0.0)
    row = against(found, ("MOA", "online_boosting", 1.0)).loc["balance"]
    assert (row["splits"], row["welch"], row["verdict"]) == (5, "worse", "different")
    assert row["difference"] == pytest.approx(-0.05)
    ahead = online_against_batch(found, ("MOA", "", 1.0), ("Weka", 1.0))
    assert ahead.loc["balance", "mark"] == "better"
    behind = online_against_batch(evidence(theirs=-0.05, batch=0.0), ("MOA", "", 1.0), ("Weka", 1.0))
    assert behind.loc["balance", "mark"] == "worse"
    level = online_against_batch(evidence(theirs=0.0, batch=0.0), ("MOA", "", 1.0), ("Weka", 1.0))
    assert level.loc["balance", "mark"] == "none"
    same = against(evidence(ours=0.0, theirs=0.009), ("MOA", "online_boosting", 1.0)).loc["balance"]
    assert same["verdict"] == "equal", "always a little less: significant, and within 0.01"


def test_splits_that_one_side_lacks_are_left_out():
    found = evidence(ours=0.0, theirs=0.0)
    found.iloc[3:, 1] = np.nan
    assert against(found, ("MOA", "online_boosting", 1.0)).loc["balance", "splits"] == 3
