"""Rows mean the same in whatever they are held: the same kinds of columns, the same bits of predictions."""

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from oza import NaiveBayesClassifier
from oza.ensembles.active import ActiveLearner
from oza.evaluation import prequential

from .containers import CONTAINERS

pytestmark = pytest.mark.full  # random tables; each kind of column is in test_kinds_of_columns.py

CLASSES = ["u", "v"]
KINDS = {
    "whole": st.integers(-3, 9),
    "number": st.sampled_from([-0.5, 0.25, 1.0, 1.5, 1e6]),
    "name": st.sampled_from(["a", "b", "é", "", "1", "True"]),
    "flag": st.booleans(),
}


@st.composite
def tables(draw, kinds=KINDS, may_be_missing=True):
    """Rows of columns of different kinds, in which values may be missing, and labels."""
    drawn = draw(st.lists(st.sampled_from([*kinds]), min_size=1, max_size=4))
    columns = {
        f"{kind} {j}": kinds[kind] | st.none() if may_be_missing and draw(st.booleans()) else kinds[kind]
        for j, kind in enumerate(drawn)
    }
    values = draw(st.lists(st.tuples(*columns.values()), min_size=2, max_size=9))
    rows = [dict(zip(columns, row, strict=True)) for row in values]
    return rows, draw(st.lists(st.sampled_from(CLASSES), min_size=len(rows), max_size=len(rows)))


def by_fit(hold, rows, y):
    model = NaiveBayesClassifier().fit(hold(rows), y)
    return model, model.predict_proba(hold(rows))


def by_partial_fit(hold, rows, y):
    model = NaiveBayesClassifier()
    for start, stop in pairwise([0, 1, len(rows) // 2 + 1, len(rows)]):
        if start < stop:
            model.partial_fit(hold(rows[start:stop]), y[start:stop], classes=CLASSES)
    return model, model.predict_proba(hold(rows))


def by_learn_one(hold, rows, y):
    model, shares = NaiveBayesClassifier(), []
    for row, label in zip(rows, y, strict=True):
        held = hold([row])
        # Frames have no rows in which kinds survive.
        x = held[0] if isinstance(held, list | np.ndarray) else row
        model.learn_one(x, label)
        shares.append(str(model.predict_proba_one(x)))
    return model, np.array(shares)


def by_prequential_predict(hold, rows, y):
    model = NaiveBayesClassifier()
    return model, model.prequential_predict(hold(rows), y, classes=CLASSES)


def by_prequential(hold, rows, y):
    model = NaiveBayesClassifier()
    pair = hold(rows), y
    found = prequential(model, pair, every=3, holdout=pair, progress=False)
    return model, found.scores["accuracy"].to_numpy()


def by_delayed_prequential(hold, rows, y):
    model = NaiveBayesClassifier()
    found = prequential(model, (hold(rows), y), delay=1, progress=False)
    model.partial_fit(hold(rows), y)  # the last label never came, nor perhaps the only value of a column
    return model, found.scores["accuracy"].to_numpy()


def by_teaching(hold, rows, y):
    learner = ActiveLearner(NaiveBayesClassifier())
    for start in (0, 1):
        learner.teach(hold(rows[start::2]), y[start::2])
    return learner.estimator_, learner.predict_proba(hold(rows))


def outcome(enter, hold, rows, y):
    """Which columns are nominal and what is predicted, or the kind of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model, predicted = enter(hold, rows, y)
        except (TypeError, ValueError) as error:
            return type(error).__name__, ""
    return model.is_categorical_.tolist(), predicted.tobytes()


ENTRIES = [by_fit, by_partial_fit, by_learn_one, by_prequential_predict, by_prequential]
ENTRIES += [by_delayed_prequential, by_teaching]
#: Examples are small: nothing to shrink.
FEW = settings(max_examples=5, phases=[Phase.explicit, Phase.generate])
#: As arrays these have one type: booleans become numbers, and numbers become strings.
FLAGS = [{"whole": n, "flag": n > 2} for n in (1, 4, 2, 3)]
NAMES = [{"whole": n, "name": "ab"[n % 2]} for n in (1, 4, 2, 3)]


@pytest.mark.parametrize("enter", ENTRIES)
@FEW
@example(table=(FLAGS, [*"uvuv"]))
@example(table=(NAMES, [*"uvuv"]))
@given(table=tables())
def test_every_container_means_the_same(enter, table):
    rows, y = table
    found = {name: outcome(enter, hold, rows, y) for name, hold in CONTAINERS.items()}
    for name, each in found.items():
        assert each == found["pandas of objects"], name


def test_missing_integers_of_any_size_are_exact():
    rows = [{"code": 2**53 + n % 4 if n < 40 else None} for n in range(41)]
    for hold in (CONTAINERS["table of pyarrow"], lambda rows: pyarrow.table({"code": in_numbers(rows)})):
        model = NaiveBayesClassifier(categorical_features=[0]).fit(hold(rows), [n % 2 for n in range(41)])
        assert model.score(hold(rows), [n % 2 for n in range(41)]) == 1.0
        assert model.categories_[0].tolist() == [2**53 + n for n in range(4)]


def test_integers_beside_numbers_and_dates_as_categories_are_exact():
    rows, y = [[2**60 + n % 4, 0.5] for n in range(40)], [n % 2 for n in range(40)]
    model = NaiveBayesClassifier(categorical_features=[0]).fit(rows, y)
    assert model.score(rows, y) == 1.0
    days = pd.date_range("2001", periods=4)
    X = pd.DataFrame({"day": pd.Categorical(days[[n % 4 for n in range(40)]])})
    model = NaiveBayesClassifier().fit(X, y)
    assert model.score(X, y) == 1.0 and [*model.categories_[0]] == [*days]


def in_numbers(rows):
    return pyarrow.array([row["code"] for row in rows]).dictionary_encode()


@pytest.mark.parametrize("values", [[1, 2, 3], [True, False, True], ["a", "b", "c"]])
def test_what_is_asked_must_be_of_the_kind_that_was_learned(values):
    others = ["1", "2", "3"] if type(values[0]) is not str else [1, 2, 3]
    model = NaiveBayesClassifier(categorical_features=[0]).fit([[v] for v in values] * 6, [0, 1, 1] * 6)
    for ask in (
        lambda: model.predict([[v] for v in others]),
        lambda: model.predict(pd.DataFrame({"x": others}).astype("category").to_numpy()),
        lambda: model.predict_one(others[:1]),
        lambda: model.learn_one(others[:1], 0),
        lambda: model.partial_fit([[v] for v in others], [0, 1, 1]),
    ):
        with pytest.raises(ValueError, match=r"column 0 of X holds .* and held .* before"):
            ask()
