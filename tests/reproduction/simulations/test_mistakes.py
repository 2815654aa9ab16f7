"""Leveraging bagging ME, in the readings of what the slides print."""

import numpy as np
import pytest

from oza import HoeffdingTreeClassifier, LeveragingBaggingClassifier, NaiveBayesClassifier
from oza.streams import STAGGER
from reproduction.simulations.mistakes import MistakesClassifier
from reproduction.simulations.streams import STREAMS
from tests import references

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
        NaiveBayesClassifier(), 4, reading, tested=tested, categories=categories, random_state=5
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


@pytest.mark.parametrize("tested", ["before", "after"])
@pytest.mark.parametrize("name", ["sea", "agrawal"])
def test_as_a_probability_it_is_the_variant_of_the_library(name, tested):
    X, y = STREAMS[name](3000, 2)[:3000]
    ours = MistakesClassifier(HoeffdingTreeClassifier(), 5, "probability", tested=tested, random_state=3)
    theirs = LeveragingBaggingClassifier(
        HoeffdingTreeClassifier(), 5, variant="me", tested=tested, voting="majority", random_state=3
    )
    said = [model.prequential_predict(X, y, classes=[0, 1]) for model in (ours, theirs)]
    assert (said[0] == said[1]).all()
    assert ours.estimator_errors_.tolist() == theirs.estimator_errors_.tolist()
