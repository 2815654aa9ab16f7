"""Two algorithms are compared on the splits that both have."""

import pandas as pd
import pytest

from oza.evaluation.significance import Compared
from reproduction.printed.accuracy import accuracy_cells
from reproduction.printed.comparing import compare, curve_cells
from reproduction.statistics import split_accuracies

from .given import Given, results


def made_up(**n_correct):
    """Results on two data sets and three splits; for each algorithm the correct ones out of 100."""
    rows = [
        (dataset, algorithm, fold, order, correct + fold + shift)
        for dataset, shift in (("balance", 0), ("nursery", -20))
        for algorithm, correct in n_correct.items()
        for fold in range(3)
        for order in range(2)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "order", "n_correct"])
    return frame.assign(base_model="decision_tree", repetition=0, n_train=400, n_test=100)


def splits(frame):
    return split_accuracies(frame).droplevel("base_model")


def test_a_comparison_is_of_means_over_splits():
    table = compare(splits(made_up(a=90, b=80)), "a", "b")
    assert list(table.index) == ["balance", "nursery"]
    assert table.loc["balance", "first"] == pytest.approx(0.91)
    assert table["difference"].tolist() == pytest.approx([0.1, 0.1])
    assert set(table["mark"]) == {"better"}
    assert set(table["n_splits"]) == {3}
    assert set(compare(splits(made_up(a=90, b=80)), "b", "a")["mark"]) == {"worse"}
    assert set(compare(splits(made_up(a=80, b=80)), "a", "b")["mark"]) == {"none"}


def test_all_tests_are_those_of_the_cells():
    cells = accuracy_cells(results(bagging=0.002), "3.4")
    rows = Given(results(bagging=0.002)).compare("3.4", "bagging", "online_bagging")
    assert {"balance", "chess"} <= {*rows.index} and "nursery" not in rows.index  # which neither has
    of_bagging = cells.xs("bagging", level="algorithm").loc[rows.index]
    for field in Compared._fields:
        pd.testing.assert_series_equal(of_bagging[f"other_{field}"], rows[field], check_names=False)
    assert rows["excluded"][rows["excluded"]].index.to_list() == ["census-income", "covertype-head"]


def test_a_curve_is_compared_at_each_number_of_examples():
    points = [
        ("balance", algorithm, n, 0, fold, 0.5 + better + 0.01 * fold, 100)
        for algorithm, better in (("single", 0.0), ("boosting", 0.2))
        for n in (100, 200)
        for fold in range(3 if n == 100 or algorithm == "single" else 2)
    ]
    names = ["dataset", "algorithm", "n_train", "repetition", "fold", "accuracy", "n_test"]
    cells = curve_cells(pd.DataFrame(points, columns=names))
    assert cells.index.names == ["algorithm", "reference", "n_train"]
    assert cells["n_splits"]["boosting", "single"].to_dict() == {100: 3, 200: 2}
    assert cells["difference"].to_dict()["single", "boosting", 200] == pytest.approx(-0.2)
    assert cells["mark"]["boosting", "single", 100] == "better"
