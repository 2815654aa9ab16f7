"""Columns that are numbers for trees, and the former and the present setting."""

from dataclasses import replace

import numpy as np
import pytest

from oza.datasets import dataset_info, list_datasets, load_dataset
from reproduction.studies import STUDIES, Task, compute, tasks
from reproduction.studies.accuracy import FORMER_SETTINGS
from reproduction.studies.protocol import prepare
from reproduction.studies.variants import SEARCHES, _missing_below, _with_numbers

TREE = Task("decision-trees", "balance", "decision_tree", "single", 1, 0, 0, 0)
FORMER = replace(TREE, study="decision-trees-of-symbols")


def test_columns_of_numbers_are_those_of_the_archives_documentation():
    named = {
        name: sum(column.holds_numbers for column in dataset_info(name).attributes)
        for name in list_datasets()
    }
    assert {name: n for name, n in named.items() if n} == {
        "balance": 4,
        "breast-cancer": 9,
        "german-credit": 7,
        "census-income": 7,
        "covertype": 10,
        "covertype-head": 10,
    }


def test_codes_rise_with_the_numbers_and_a_missing_value_lies_above_all():
    columns = [c for name in list_datasets() for c in dataset_info(name).attributes if c.numbers]
    assert len(columns) == 17
    for column in columns:
        numbers = [float(value) for value in column.values if value != "?"]
        assert numbers == sorted(set(numbers)) and "?" not in column.values[: len(numbers)]


def test_trees_are_given_numbers_where_the_thesis_runs_trees():
    counts = {name: int(replace(TREE, dataset=name).numeric.sum()) for name in list_datasets()}
    assert {name: n for name, n in counts.items() if n} == {
        "balance": 4,
        "breast-cancer": 9,
        "german-credit": 7,
    }


@pytest.mark.parametrize("base_model", ["naive_bayes", "decision_stump", "neural_network"])
def test_other_models_are_given_symbols_and_bins(base_model):
    task = replace(TREE, base_model=base_model)
    assert not task.numeric.any()
    given = task.examples()
    assert given.X_train.dtype == given.X_test.dtype == np.int64
    for mine, former in zip(given, FORMER.examples(), strict=True):
        np.testing.assert_array_equal(mine, former)


def test_a_tree_tests_the_numbers_of_balance_by_thresholds():
    given, X = TREE.examples(), load_dataset("balance").data
    assert given.X_train.dtype == float and set(map(tuple, given.X_train)) <= set(map(tuple, X))
    for task, is_threshold in ((TREE, True), (FORMER, False)):
        examples = task.examples()
        tree = task.estimator().fit(examples.X_train, examples.y_train).tree_
        inner = tree.feature >= 0
        assert inner.sum() > 20 and (np.isfinite(tree.threshold[inner]) == is_threshold).all()


@pytest.mark.parametrize("algorithm", ["bagging", "online_boosting"])
def test_an_ensemble_of_trees_is_told_which_columns_are_numbers(algorithm):
    model = replace(TREE, dataset="german-credit", algorithm=algorithm, n_models=3).estimator()
    assert (~model.categorical_features).sum() == 7
    assert replace(TREE, dataset="chess").estimator().categorical_features.all()


def test_the_former_setting_keeps_splits_draws_and_results():
    assert list(FORMER_SETTINGS) == [FORMER.study] and FORMER_SETTINGS[FORMER.study] in STUDIES
    assert FORMER.seed == TREE.seed
    assert {task.dataset for task in tasks(FORMER.study, "thesis")} == {
        "balance",
        "breast-cancer",
        "german-credit",
    }
    rows = STUDIES[FORMER.study].recorded("thesis").query("dataset == 'balance'")
    digests = dict(zip(STUDIES[FORMER.study].tasks_in(rows), rows["digest"], strict=True))
    for task in (FORMER, replace(FORMER, algorithm="online_bagging", n_models=100, repetition=3, order=2)):
        assert compute(task).digest == digests[task]


@pytest.mark.archive
def test_a_missing_value_can_be_tried_below_all_numbers():
    above, below = (given("breast-cancer", 0, 0) for given in (_with_numbers, _missing_below))
    for mine, theirs in zip(above[::2], below[::2], strict=True):
        differs = mine != theirs
        assert differs.any() and (mine[differs] == mine.max()).all() and (theirs[differs] == -1).all()
    again = prepare("breast-cancer", with_numbers=True)
    np.testing.assert_array_equal(above.X_test, again.X_test)
    assert "missing_values" in SEARCHES
