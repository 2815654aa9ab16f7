"""Learning curves: recorded points can be computed again."""

from dataclasses import astuple

from reproduction.studies.curves import CURVES, STUDY, Point, measure


def test_recorded_points_can_be_computed_again():
    points = CURVES["car-evaluation-decision-tree"].points()
    rows = STUDY.recorded(p for p in points if (p.n_train, p.repetition, p.fold) == (200, 0, 1))
    for point, row in zip(STUDY.tasks_in(rows), rows.itertuples(), strict=True):
        assert astuple(measure(point)) == (row.n_test, row.n_correct, row.n_voting)


def test_the_seed_knows_all_but_the_number_of_examples():
    point = Point("balance", "naive_bayes", "bagging", 5, 100, 0, 0)
    assert point.seed == Point("balance", "naive_bayes", "bagging", 5, 200, 0, 0).seed
    assert point.seed != Point("balance", "naive_bayes", "bagging", 5, 100, 0, 1).seed
