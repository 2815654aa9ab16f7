"""The comparison with algorithms of today: retraining on windows, and what is recorded."""

import numpy as np
import pytest

from reproduction.studies import STUDIES
from reproduction.studies.courses import FOLLOWERS
from reproduction.studies.courses import STREAMS as COURSE_STREAMS
from reproduction.studies.current_peers import (
    DATASETS,
    DRIFTING,
    METHODS,
    MOA,
    N_RUNS,
    PeerTask,
    WindowedBoosting,
)


def boosting(**parameters):
    return WindowedBoosting(np.array([False, True]), 0, **parameters)


def examples(n):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return np.column_stack([rng.normal(size=n) + y, rng.integers(0, 3, n)]), y


def test_it_is_trained_whenever_it_has_seen_twice_as_many_and_then_at_equal_distances():
    X, y = examples(1000)
    model = boosting(every=300)
    moments = []
    for n in range(len(y)):
        former = model.trained
        model.partial_fit(X[n : n + 1], y[n : n + 1])
        if model.trained is not former:
            moments.append(n + 1)
    assert moments == [100, 200, 400, 700, 1000]


def test_predictions_do_not_depend_on_the_division_of_the_stream():
    X, y = examples(450)
    whole, pieces = boosting(window=150), boosting(window=150)
    expected = whole.prequential_predict(X, y)
    found = [pieces.prequential_predict(X[n : n + 77], y[n : n + 77]) for n in range(0, len(y), 77)]
    np.testing.assert_array_equal(np.concatenate(found), expected)
    np.testing.assert_array_equal(pieces.partial_fit(X, y).predict(X), whole.partial_fit(X, y).predict(X))
    assert (expected[:100] == 0).all() and (expected == y)[100:].mean() > 0.6


def test_only_the_window_is_learned():
    X, y = examples(800)
    changed = y.copy()
    changed[:300] = 1 - y[:300]
    np.testing.assert_array_equal(
        boosting(window=100).partial_fit(X, y).predict(X),
        boosting(window=100).partial_fit(X, changed).predict(X),
    )


def test_a_window_of_one_class_predicts_it():
    X, _ = examples(120)
    assert (boosting().partial_fit(X, np.full(120, 3)).predict(X) == 3).all()


def test_everything_is_recorded():
    rows = STUDIES["current-peers"].recorded()
    assert len(rows) == (len(METHODS) + len(MOA)) * (len(DATASETS) + len(DRIFTING)) * N_RUNS
    assert (rows["version"] != "").tolist() == rows["algorithm"].isin(MOA).tolist()


@pytest.mark.parametrize("dataset", ["sea", "synthetic2"])
def test_runs_differ_in_their_examples(dataset):
    first, second = (PeerTask(dataset, "online_bagging", 1000, run).examples()[0] for run in (0, 1))
    assert not np.array_equal(first, second)
    assert dataset == "sea" or len(first) == 1000


def test_courses_end_where_the_recorded_runs_of_the_same_examples_do():
    ends = STUDIES["stream-courses"].recorded().query("n_seen == 20_000").set_index(["dataset", "algorithm"])
    runs = STUDIES["current-peers"].recorded().query("run == 0").set_index(["dataset", "algorithm"])
    both = ends.index.intersection(runs.index)
    assert len(both) == len(FOLLOWERS) * (len(COURSE_STREAMS) - 1)  # one does not drift
    assert ends.loc[both, "n_correct"].equals(runs.loc[both, "n_correct"])
