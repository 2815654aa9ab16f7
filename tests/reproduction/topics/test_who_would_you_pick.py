"""The comparison with algorithms of today: what is recorded, and any division of a stream."""

import numpy as np

from reproduction.topics.who_would_you_pick import (
    FOLLOWED,
    FOLLOWED_ON,
    WindowedBoosting,
    current_peers,
    stream_courses,
)


def boosting(**parameters):
    return WindowedBoosting(np.array([False, True]), 0, **parameters)


def examples(n):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return np.column_stack([rng.normal(size=n) + y, rng.integers(0, 3, n)]), y


def test_predictions_do_not_depend_on_the_division_of_the_stream():
    X, y = examples(450)
    whole, pieces = boosting(window=150), boosting(window=150)
    expected = whole.prequential_predict(X, y)
    found = [pieces.prequential_predict(X[n : n + 77], y[n : n + 77]) for n in range(0, len(y), 77)]
    np.testing.assert_array_equal(np.concatenate(found), expected)
    np.testing.assert_array_equal(pieces.partial_fit(X, y).predict(X), whole.partial_fit(X, y).predict(X))
    assert (expected[:100] == 0).all() and (expected == y)[100:].mean() > 0.6


def test_courses_end_where_the_recorded_runs_of_the_same_examples_do():
    cell = ["dataset", "algorithm"]
    ends = stream_courses.recorded().query("n_seen == 20_000").set_index(cell)
    runs = current_peers.recorded().query("run == 0").set_index(cell)
    both = ends.index.intersection(runs.index)
    assert len(both) == len(FOLLOWED) * (len(FOLLOWED_ON) - 1)  # one does not drift
    assert ends.loc[both, "n_correct"].equals(runs.loc[both, "n_correct"])
