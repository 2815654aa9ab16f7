"""Leveraging bagging ME in the readings of what the slides print, and evidence about the six methods."""

import numpy as np
import pandas as pd
import pytest

from oza import NaiveBayesClassifier
from oza.streams import STAGGER
from reproduction.topics.leveraging_bagging import MistakesClassifier
from tests import references

#: Accuracy and RAM-hours of each method, in thousandths.
AS_PRINTED = {
    "hoeffding_tree": (740, 0.01),
    "online_bagging": (772, 2.98),
    "adwin_bagging": (792, 1.48),
    "leveraging_bagging": (855, 20.17),
    "leveraging_bagging_mc": (845, 22.04),
    "leveraging_bagging_me": (808, 0.87),
}


def runs(n_streams=4, **changed):
    """Two runs on each stream; methods scatter by a thousandth. `changed` has other accuracies and costs."""
    rows = [
        (f"stream {n}", name, run, 1000, accuracy - 40 * n + (n * 7 + place) % 3 - 1, cost * 1.1**n)
        for place, (name, (accuracy, cost)) in enumerate((AS_PRINTED | changed).items())
        for n in range(n_streams)
        for run in range(2)
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "n_seen", "n_correct", "ram_hours"])


PRINTED = runs()
MANY_CLASSES = {f"stream {n}": 3 for n in range(4)}

EVIDENCE = {
    "C129": ((PRINTED,), (runs(adwin_bagging=(870, 1.48)),)),
    "C140": (
        (runs(leveraging_bagging_mc=(855, 22.04)), MANY_CLASSES),
        (runs(leveraging_bagging_mc=(830, 22.04)), MANY_CLASSES),
    ),
}

AGAINST = [
    ("C129", (runs(leveraging_bagging_mc=(845, 20.0)),)),  # another order of costs
    ("C129", (runs(adwin_bagging=(792, 21.0)),)),
    ("C129", (runs(leveraging_bagging_me=(785, 0.87)),)),  # less accurate than ADWIN bagging
    ("C129", (runs(leveraging_bagging_me=(808, 1.6)),)),
]

N = 800


@pytest.fixture(scope="module")
def swapped():
    """A stream whose classes change places, so that detectors alarm."""
    X, y = STAGGER(2)[:N]
    return X, np.where(np.arange(N) < N // 2, y, 1 - y)


@pytest.mark.parametrize("reading", ["weight", "probability"])
@pytest.mark.parametrize("tested", ["before", "after"])
def test_members_and_detectors_are_those_of_the_plain_reference(swapped, reading, tested):
    X, y = swapped
    categories = STAGGER(2).categories
    model = MistakesClassifier(
        NaiveBayesClassifier(), 4, reading=reading, tested=tested, categories=categories, random_state=5
    )
    model.partial_fit(X, y, classes=[0, 1])
    models, reference = references.adaptive(
        lambda: references.NaiveBayes([0, 1], 0.0, sizes=[len(column) for column in categories]),
        4,
        X.astype(int).tolist(),
        y.tolist(),
        model._key,
        by_mistakes=reading == "probability",
        by_weight=reading == "weight",
        test_after=tested == "after",
    )
    # Naive Bayes is right about nearly all that it has just learned; its detector then finds nothing.
    assert (len(reference.history) > 0) == (tested == "before")
    assert model.drift_history_.tolist() == reference.history
    assert model.estimator_errors_.tolist() == reference.errors
    answers = [[each.classify(x) for each in models] for x in X.astype(int).tolist()]
    assert model.predict_each(X).tolist() == answers
