"""Learning curves: recorded points can be computed again."""

from reproduction.studies.curves import Point


def test_the_seed_knows_all_but_the_number_of_examples():
    point = Point("balance", "naive_bayes", "bagging", 5, 100, 0, 0)
    assert point.seed == Point("balance", "naive_bayes", "bagging", 5, 200, 0, 0).seed
    assert point.seed != Point("balance", "naive_bayes", "bagging", 5, 100, 0, 1).seed
