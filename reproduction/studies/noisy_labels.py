"""Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels (Mooney's slide 18)."""

from dataclasses import dataclass, fields
from itertools import product
from typing import ClassVar

import pandas as pd

from ..record.study import Study
from ..simulations.noise_tolerant import learned
from .statistics import mean_against_zero

#: Data sets that are generated, so that their own labels are what the generator means.
DATASETS = ("balance", "car-evaluation", "nursery", "synthetic2", "synthetic3")
BASES = ("naive_bayes", "decision_tree")
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3)
SPLITS = range(6)
_N_TRAIN, _N_TEST, _N_MODELS = 1000, 2000, 25


@dataclass(frozen=True, order=True)
class NoisyLabels:
    """Training examples from a random half of a data set, of whose labels the share `flipped` is wrong."""

    study: ClassVar = "noisy-labels"
    dataset: str
    base_model: str
    split: int
    flipped: float
    n_train: int
    n_models: int


@dataclass(frozen=True)
class Errors:
    """Share of the test examples, whose labels are right, that each algorithm misclassifies."""

    single: float
    bagging: float
    adaboost: float
    madaboost: float
    aveboost: float
    brownboost: float  # aims at a training error of `TARGET`
    brownboost_told: float  # aims at the share of wrong labels, at least 0.01
    online_boosting: float  # as in the thesis
    tested_before: float  # online boosting with `tested="before"`


#: The algorithms, as they are called in `Errors`.
ALGORITHMS = tuple(field.name for field in fields(Errors))


def of_labels(task: NoisyLabels) -> Errors:
    half, _, _, models = learned(
        task.dataset, task.base_model, task.split, task.flipped, task.n_train, task.n_models
    )
    X, y = half.X_test[:_N_TEST], half.y_test[:_N_TEST]
    return Errors(**{name: float((models[name].predict(X) != y).mean()) for name in ALGORITHMS})


def against_adaboost(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each algorithm with AdaBoost: differences of errors, in the mean over the data sets.

    A row for each base model, share of wrong labels and algorithm: `difference`, its error minus AdaBoost's;
    `half_width`, half of its 95 % interval, by Student's t over the data sets, whose splits are averaged
    before.
    """
    means = rows.groupby(["base_model", "flipped", "dataset"])[list(ALGORITHMS)].mean()
    differences = means.sub(means["adaboost"], axis=0).drop(columns="adaboost")
    cells = differences.groupby(["base_model", "flipped"])
    half_widths = cells.agg(_half_width)
    found = {"difference": cells.mean().stack(), "half_width": half_widths.stack()}
    return pd.DataFrame(found).rename_axis(["base_model", "flipped", "algorithm"])


def _half_width(values: pd.Series) -> float:
    return mean_against_zero(values).half_width


STUDY = Study.of(
    of_labels,
    "Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels",
    smoke=lambda: [NoisyLabels("balance", base, 0, 0.2, 60, 3) for base in BASES],
    thesis=lambda: [
        NoisyLabels(*cell, _N_TRAIN, _N_MODELS) for cell in product(DATASETS, BASES, SPLITS, SHARES)
    ],
    quick=lambda task: task.split == 0,
    exhibits=("Mooney's slide 18",),
)
