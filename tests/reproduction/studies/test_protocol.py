"""Splits and orders follow section 3.5.1 of the thesis, and are the same for every algorithm."""

from dataclasses import replace

import numpy as np
import pytest

from oza.datasets import EqualFrequencyDiscretizer, load_dataset
from reproduction.studies import protocol
from reproduction.studies.accuracy import Task

TASK = Task("naive-bayes", "car-evaluation", "naive_bayes", "online_bagging", 10, 0, 0, 0)


def test_each_example_is_tested_once_in_five_folds():
    tests = [protocol.split("promoters", 106, 3, fold)[1] for fold in range(5)]
    assert sorted(np.concatenate(tests)) == list(range(106))
    assert sorted(map(len, tests)) == [21, 21, 21, 21, 22]


def test_training_and_test_examples_are_disjoint_and_complete():
    train, test = protocol.split("balance", 625, 0, 2)
    assert sorted([*train, *test]) == list(range(625))


def test_repetitions_split_differently_and_repeatably():
    first, again, other = (protocol.split("balance", 625, repetition, 0)[1] for repetition in (0, 0, 1))
    assert first.tolist() == again.tolist() != other.tolist()


def test_a_supplied_split_is_the_same_each_time_but_comes_in_other_orders():
    for repetition in range(2):
        train, test = protocol.split("soybean-large", 683, repetition, 0)
        assert train.tolist() == list(range(307)) and test.tolist() == list(range(307, 683))
    orders = {
        tuple(protocol.arrival_order("soybean-large", 307, r, 0, k)) for r in range(2) for k in range(2)
    }
    assert len(orders) == 4


@pytest.mark.parametrize(
    ("dataset", "n", "fold"), [("soybean-large", 683, 1), ("balance", 625, 5), ("balance", 625, -1)]
)
def test_a_fold_that_does_not_exist_is_refused(dataset, n, fold):
    with pytest.raises(ValueError, match=f"fold={fold}: {dataset} has folds 0 to"):
        protocol.split(dataset, n, 0, fold)


def test_all_algorithms_and_studies_see_the_same_examples_in_the_same_order():
    one = TASK.examples()
    other = replace(TASK, study="another", algorithm="bagging", n_models=100).examples()
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_an_order_permutes_training_examples_with_their_classes():
    one, other = TASK.examples(), replace(TASK, order=1).examples()
    assert one.y_train.tolist() != other.y_train.tolist()
    assert sorted(map(tuple, np.c_[one.X_train, one.y_train])) == sorted(
        map(tuple, np.c_[other.X_train, other.y_train])
    )
    np.testing.assert_array_equal(one.X_test, other.X_test)


def test_synthetic_sets_are_drawn_afresh_for_each_repetition():
    synthetic = replace(TASK, dataset="synthetic3")
    whole = [np.sort(replace(synthetic, repetition=r).examples().X_train.sum(axis=1)) for r in (0, 1)]
    assert whole[0].tolist() != whole[1].tolist()


def test_bins_are_fitted_on_the_training_part_only(monkeypatch):
    """A test value beyond all training values lands in the last bin and moves no cut."""
    data = load_dataset("balance")
    data.data, data.categorical_features = data.data.astype(float), np.zeros(4, bool)
    _, test = protocol.split("balance", 625, 7, 0)
    data.data[test[0], 0] = 1e9
    monkeypatch.setattr(protocol, "load_dataset", lambda name, random_state: data)
    protocol._examples.cache_clear()
    examples = protocol.prepare("balance", repetition=7)
    protocol._examples.cache_clear()
    train, _ = protocol.split("balance", 625, 7, 0)
    binning = EqualFrequencyDiscretizer().fit(data.data[train])
    np.testing.assert_array_equal(examples.X_test, binning.transform(data.data[test]))
    assert examples.X_train.dtype == np.int64
    assert examples.X_test[0, 0] == examples.X_train[:, 0].max()
