"""Trees that split by the Kolmogorov–Smirnov distance, by the whole protocol of Table 3.3.

A search over variants of the trees, by another program and without online bags, came nearest to the printed
accuracies with this distance in place of the gain ratio, no pruning, and two examples in each branch: the
sum of the deviations of single trees and bags on six data sets fell from 0.120 to 0.082. Here it is one
candidate beside our trees, which `reproduction.tables.explained` judges. Splits are those of the study of
trees, in their first order; other orders change only the random draws of a lossless online bag.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..record.study import Study
from .accuracy import Task
from .ks_tree import KSTree
from .protocol import Correct, n_training

NAME = "largest distance, two examples a branch, not pruned"
DATASETS = (
    "promoters",
    "balance",
    "breast-cancer",
    "german-credit",
    "car-evaluation",
    "chess",
    "mushroom",
    "nursery",
)
COLUMNS = ("single", "bagging", "online_bagging")


@dataclass(frozen=True, order=True)
class TreeTrial:
    """Such trees on a split, single or in an ensemble of `n_models`."""

    study: ClassVar = "tree-settings"
    dataset: str
    algorithm: str
    n_models: int
    repetition: int
    fold: int

    @property
    def usual(self) -> Task:
        """The task of the study of trees on the same split."""
        place = self.algorithm, self.n_models, self.repetition, self.fold, 0
        return Task("decision-trees", self.dataset, "decision_tree", *place)


def classify(trial: TreeTrial) -> Correct:
    """Train and test one tree, or a vote of trees, each with other weights of the examples.

    >>> classify(TreeTrial("balance", "single", 1, 0, 0))
    Correct(n_test=125, n_correct=96)
    """
    usual = trial.usual
    examples, draws = usual.examples(), np.random.default_rng(usual.seed)
    n, tree = len(examples.y_train), KSTree(usual.numeric)
    votes = np.zeros((len(examples.y_test), len(dataset_info(trial.dataset).classes)), int)
    weights = {
        "single": lambda: np.ones(n),
        "bagging": lambda: draws.multinomial(n, np.full(n, 1 / n)),
        "online_bagging": lambda: draws.poisson(1.0, n),
    }[trial.algorithm]
    for _ in range(trial.n_models):
        found = tree.fit(examples.X_train, examples.y_train, weights()).predict(examples.X_test)
        votes[np.arange(len(votes)), found] += 1
    return Correct(len(votes), int(np.sum(votes.argmax(axis=1) == examples.y_test)))


def trials(datasets: Iterable[str] = DATASETS, n_models: int = 100, repetitions: int = 10) -> list[TreeTrial]:
    """List the runs: five folds in each repetition."""
    return [
        TreeTrial(dataset, algorithm, 1 if algorithm == "single" else n_models, repetition, fold)
        for dataset in datasets
        for algorithm in COLUMNS
        for repetition in range(repetitions)
        for fold in range(5)
    ]


def by_setting(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Give the recorded rows by the name of the candidate, as the rows of a study of accuracies."""
    n_train = [n_training(*place) for place in zip(rows["dataset"], rows["fold"], strict=True)]
    return {NAME: rows.assign(base_model="decision_tree", order=0, n_train=n_train)}


STUDY = Study.of(
    classify,
    "Trees that split by the Kolmogorov-Smirnov distance",
    smoke=lambda: trials(["balance"], 2, 1),
    thesis=trials,
    quick=lambda trial: trial.dataset in ("balance", "nursery") and trial.repetition == 0,
    exhibits=("Table 3.3",),
)
