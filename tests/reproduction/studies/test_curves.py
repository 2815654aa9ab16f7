"""Learning curves: recorded points can be computed again."""

from dataclasses import astuple

import pytest

from reproduction.record.store import as_tasks
from reproduction.studies.curves import CURVES, STUDY, Point, load_curve, measure


def test_recorded_points_can_be_computed_again():
    rows = load_curve("car-evaluation-decision-tree").query(
        "n_train == 200 and repetition == 0 and fold == 1"
    )
    for point, row in zip(as_tasks(STUDY, rows), rows.itertuples(), strict=True):
        assert astuple(measure(point)) == (row.n_test, row.n_correct, row.n_voting)


def test_every_point_is_recorded_once():
    for name, curve in CURVES.items():
        points = as_tasks(STUDY, load_curve(name))
        assert points == sorted(curve.points())


def test_a_point_wants_examples_that_are_there():
    with pytest.raises(ValueError, match="n_train=501: balance has 500 training examples"):
        measure(Point("balance", "naive_bayes", "single", 1, 501, 0, 0))


def test_the_seed_knows_all_but_the_number_of_examples():
    point = Point("balance", "naive_bayes", "bagging", 5, 100, 0, 0)
    assert point.seed == Point("balance", "naive_bayes", "bagging", 5, 200, 0, 0).seed
    assert point.seed != Point("balance", "naive_bayes", "bagging", 5, 100, 0, 1).seed


def test_a_curve_of_which_nothing_is_recorded_is_named(tmp_path):
    with pytest.raises(
        FileNotFoundError, match="synthetic1-naive-bayes is recorded: python -m reproduction run curves"
    ):
        load_curve("synthetic1-naive-bayes", tmp_path)
