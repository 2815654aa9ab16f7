"""Learning curves: what is recorded can be had again, and a killed recording goes on."""

from dataclasses import astuple

import pandas as pd
import pytest

from oza.experiments import curves
from oza.experiments.curves import CURVES, Curve, Measure, Point, compare, load_curve, measure, record


def test_recorded_points_can_be_had_again():
    rows = load_curve("car-evaluation-decision-tree").query(
        "n_train == 200 and repetition == 0 and fold == 1"
    )
    for point, row in zip(curves.recorded_points(rows), rows.itertuples(), strict=True):
        assert astuple(measure(point)) == (row.n_test, row.n_correct, row.n_voting)


def test_every_point_is_recorded_once_or_not_yet():
    for name, curve in CURVES.items():
        points = curves.recorded_points(load_curve(name))
        assert len(points) == len(set(points))
        assert set(points) <= set(curve.points())


def test_a_point_wants_examples_that_are_there():
    with pytest.raises(ValueError, match="n_train=501: balance has 500 to train on"):
        measure(Point("balance", "naive_bayes", "single", 1, 501, 0, 0))


def test_the_seed_knows_all_but_the_number_of_examples():
    point = Point("balance", "naive_bayes", "bagging", 5, 100, 0, 0)
    assert point.seed == Point("balance", "naive_bayes", "bagging", 5, 200, 0, 0).seed
    assert point.seed != Point("balance", "naive_bayes", "bagging", 5, 100, 0, 1).seed


def test_a_killed_recording_goes_on(tmp_path, monkeypatch):
    small = Curve("balance", "naive_bayes", ("single", "bagging"), (50, 100), 1, n_models=3, folds=2)
    monkeypatch.setitem(CURVES, "small", small)
    done = []

    def measure_until(point):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(point)
        return Measure(10, 9, 1)

    monkeypatch.setattr(curves, "measure", measure_until)
    with pytest.raises(KeyboardInterrupt):
        record("small", tmp_path)
    monkeypatch.setattr(curves, "measure", lambda point: Measure(10, 8, 1))
    assert record("small", tmp_path) == 5
    assert record("small", tmp_path) == 0
    rows = load_curve("small", tmp_path)
    assert len(rows) == 8
    assert sorted(rows["run"].unique()) == [0, 1]
    assert (rows["n_correct"] == 9).sum() == 3


def test_comparison_marks_what_differs():
    accuracies = {"a": [0.9, 0.91, 0.92], "b": [0.7, 0.71, 0.72], "c": [0.9, 0.92, 0.9]}
    rows = pd.DataFrame(
        [(name, 100, 0, fold, v) for name, values in accuracies.items() for fold, v in enumerate(values)],
        columns=["algorithm", "n_train", "repetition", "fold", "accuracy"],
    )
    marks = compare(rows)["mark"]
    assert marks["a", "b", 100] == "better"
    assert marks["b", "a", 100] == "worse"
    assert marks["a", "c", 100] == "none"
