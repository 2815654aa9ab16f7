"""Learning curves: recorded points can be computed again."""

from dataclasses import astuple

import pytest

from reproduction.studies.curves import CURVES, STUDY, Point, measure
from reproduction.tables import Record


def test_recorded_points_can_be_computed_again():
    points = CURVES["car-evaluation-decision-tree"].points()
    rows = STUDY.recorded(p for p in points if (p.n_train, p.repetition, p.fold) == (200, 0, 1))
    for point, row in zip(STUDY.tasks_in(rows), rows.itertuples(), strict=True):
        assert astuple(measure(point)) == (row.n_test, row.n_correct, row.n_voting)


def test_every_point_is_recorded_once():
    for curve in CURVES.values():
        points = curve.points()
        assert points == sorted(set(points)) == STUDY.tasks_in(STUDY.recorded(points))


def test_a_point_wants_examples_that_are_there():
    with pytest.raises(ValueError, match="n_train=501: balance has 500 training examples"):
        measure(Point("balance", "naive_bayes", "single", 1, 501, 0, 0))


def test_the_seed_knows_all_but_the_number_of_examples():
    point = Point("balance", "naive_bayes", "bagging", 5, 100, 0, 0)
    assert point.seed == Point("balance", "naive_bayes", "bagging", 5, 200, 0, 0).seed
    assert point.seed != Point("balance", "naive_bayes", "bagging", 5, 100, 0, 1).seed


def test_a_curve_of_which_nothing_is_recorded_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="synthetic1-naive-bayes is recorded: run the study curves"):
        Record().curve("synthetic1-naive-bayes")
