"""Setup of an experiment (thesis, section 3.5.1): splits, orders, binning.

Ten repetitions of five-fold cross-validation, or the supplied split of a data set that has one;
several orders of each training set for online algorithms. Every permutation has its own key, derived
from its purpose. The key does not depend on study and algorithm, so that all of them use the same
splits and orders.

**Numbers.** The thesis does not say how its models treat numeric columns. Its decision trees are those
of ITI, whose test of a number is `value <= threshold`. So a decision tree receives as numbers all columns
whose values are numbers according to the archive's documentation: four of Balance, nine of Breast Cancer
and seven of German Credit. A missing value is above all numbers, so that it passes no test, like a value
unknown to a tree. All other models receive symbols, and for columns with many values ten equal-frequency
bins, fitted on the training examples. So do trees on Census Income and Forest Covertype, on which the
thesis runs no trees: with numbers they would take many hours. Formerly all trees did; those results are
retained in the study `decision-trees-of-symbols`, on the same splits and with the same random draws.
"""

import hashlib
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from oza.datasets import EqualFrequencyDiscretizer, dataset_info, load_dataset
from oza.kernels.random import key_of, permutation

N_FOLDS = 5

#: The data sets of fewer than 4,000 examples among those of the thesis.
SMALL = ("promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess")
#: Those on which the thesis runs decision trees.
OF_TREES = (*SMALL, "mushroom", "nursery")


class Split(NamedTuple):
    """Training and test examples."""

    X_train: np.ndarray  # codes of nominal values or bins, int64; float64 if columns are numbers
    y_train: np.ndarray  # class codes
    X_test: np.ndarray
    y_test: np.ndarray


#: The measurements that `count_correct` returns.
CORRECT = {"n_test": int, "n_correct": int}


def count_correct(classifier: Any, examples: Split) -> tuple[int, int]:
    """Count the test examples, and those that a trained classifier classifies correctly."""
    is_correct = classifier.predict(examples.X_test) == examples.y_test
    return len(is_correct), int(is_correct.sum())


def digest(predicted: np.ndarray) -> str:
    """First 16 digits of the SHA-256 of predicted codes, each eight bytes, little-endian."""
    return hashlib.sha256(predicted.astype("<i8").tobytes()).hexdigest()[:16]


def split(dataset: str, n_examples: int, repetition: int, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the training and of the test examples, each in the order of the data.

    A supplied split has fold 0 only, and is the same in all repetitions.

    >>> train, test = split("balance", 625, repetition=0, fold=4)
    >>> len(train), len(test)
    (500, 125)
    """
    info = dataset_info(dataset)
    n_folds = 1 if info.split == "supplied" else N_FOLDS
    if not 0 <= fold < n_folds:
        raise ValueError(f"fold={fold}: {dataset} has folds 0 to {n_folds - 1}")
    if info.split == "supplied":
        return np.arange(info.n_train), np.arange(info.n_train, n_examples)
    shuffled = permutation(n_examples, key_of("folds", dataset, repetition))
    tested = _tested(n_examples, fold)
    return np.sort(np.delete(shuffled, tested)), np.sort(shuffled[tested])


def _tested(n_examples: int, fold: int) -> slice:
    """Places of the test examples of a fold in the permutation."""
    return slice(fold * n_examples // N_FOLDS, (fold + 1) * n_examples // N_FOLDS)


def arrival_order(dataset: str, n_train: int, repetition: int, fold: int, number: int) -> np.ndarray:
    """Permutation of 0..n_train−1: the order of arrival of the training examples of a split."""
    return permutation(n_train, key_of("order", dataset, repetition, fold, number))


def prepare(
    dataset: str, repetition: int = 0, fold: int = 0, order: int = 0, with_numbers: bool = False
) -> Split:
    """Training examples, in one of their orders, and test examples.

    Synthetic data sets are drawn afresh for each repetition. With numbers all columns are numbers; in a
    nominal one the number is the code, since codes increase with the values. By default columns are symbols,
    those with many values bins.

    >>> prepare("balance").X_train.shape
    (500, 4)
    """
    examples = _examples(dataset, repetition, fold, with_numbers)
    rows = arrival_order(dataset, len(examples.y_train), repetition, fold, order)
    return examples._replace(X_train=examples.X_train[rows], y_train=examples.y_train[rows])


@cache
def n_training(dataset: str, fold: int = 0) -> int:
    """Count the training examples of a split.

    >>> n_training("balance"), n_training("soybean-large")
    (500, 307)
    """
    info = dataset_info(dataset)
    if info.split == "supplied":
        return info.n_train
    n_examples = info.n_train + info.n_test
    return n_examples - len(range(n_examples)[_tested(n_examples, fold)])


@lru_cache(maxsize=1)  # tasks on one split are run one after the other
def _examples(dataset: str, repetition: int, fold: int, with_numbers: bool) -> Split:
    data = load_dataset(dataset, random_state=repetition)
    train, test = split(dataset, len(data.target), repetition, fold)
    numeric = ~data.categorical_features
    X_train, X_test = data.data[train], data.data[test]
    if with_numbers:
        return Split(X_train.astype(float), data.target[train], X_test.astype(float), data.target[test])
    if numeric.any():
        binning = EqualFrequencyDiscretizer().fit(X_train[:, numeric])
        for X in (X_train, X_test):
            X[:, numeric] = binning.transform(X[:, numeric])
    return Split(X_train.astype(np.int64), data.target[train], X_test.astype(np.int64), data.target[test])
