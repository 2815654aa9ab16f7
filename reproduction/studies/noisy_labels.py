"""Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels (Mooney's slide 18)."""

from dataclasses import dataclass, fields
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.compare.algorithms import BASE_MODELS
from oza.ensembles import AdaBoostClassifier, BaggingClassifier, OnlineBoostingClassifier

from ..columns import nominal_columns
from ..record.study import Study
from ..simulations.adaboost import Half, flipped, random_half
from ..simulations.noise_tolerant import AveBoost, BrownBoost, MadaBoost, Weighting, boost
from .statistics import of_mean

#: Data sets that are generated, so that their own labels are what the generator means.
DATASETS = ("balance", "car-evaluation", "nursery", "synthetic2", "synthetic3")
BASES = ("naive_bayes", "decision_tree")
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3)
SPLITS = range(6)
#: The training error at which BrownBoost aims, unless it is told the share of wrong labels.
TARGET = 0.1
N_TRAIN, _N_TEST, _N_MODELS, _SEED = 1000, 2000, 25, 18


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


class Learned(NamedTuple):
    """A half of a data set, the labels that were learned, which of them are wrong, and who learned them."""

    half: Half
    labels: npt.NDArray[Any]
    is_wrong: npt.NDArray[np.bool_]
    models: dict[str, Any]


def learned(task: NoisyLabels) -> Learned:
    """Let every algorithm learn the same examples with wrong labels, in the same order."""
    half = random_half(task.dataset, task.split, task.n_train, _SEED)
    labels, is_wrong = flipped(half.y, task.flipped, [_SEED, task.split, 1])
    nominal = {"categorical_features": nominal_columns(half.X)}
    n, n_models = len(labels), task.n_models
    make = BASE_MODELS[task.base_model]
    single = make().set_params(**nominal)
    of_library = {
        "bagging": BaggingClassifier(make(), n_models, random_state=task.split, **nominal),
        "adaboost": AdaBoostClassifier(make(), n_models, **nominal),
        "online_boosting": OnlineBoostingClassifier(make(), n_models, random_state=task.split, **nominal),
        "tested_before": OnlineBoostingClassifier(
            make(), n_models, tested="before", random_state=task.split, **nominal
        ),
    }
    variants: dict[str, Weighting] = {
        "madaboost": MadaBoost(n),
        "aveboost": AveBoost(n),
        "brownboost": BrownBoost(n, TARGET),
        "brownboost_told": BrownBoost(n, max(task.flipped, 0.01)),
    }
    models = {name: boost(single, half.X, labels, n_models, each) for name, each in variants.items()}
    models |= {name: each.fit(half.X, labels) for name, each in of_library.items()}
    return Learned(half, labels, is_wrong, models | {"single": single.fit(half.X, labels)})


def of_labels(task: NoisyLabels) -> Errors:
    half, _, _, models = learned(task)
    X, y = half.X_test[:_N_TEST], half.y_test[:_N_TEST]
    return Errors(**{name: float((models[name].predict(X) != y).mean()) for name in ALGORITHMS})


def given(task: NoisyLabels) -> pd.DataFrame:
    """Share of the `wrong` and of the `right` labels that it has learned which each algorithm gives back."""
    half, labels, is_wrong, models = learned(task)
    found = {}
    for name in ALGORITHMS:
        is_given = models[name].predict(half.X) == labels
        found[name] = {"wrong": is_given[is_wrong].mean(), "right": is_given[~is_wrong].mean()}
    return pd.DataFrame.from_dict(found, orient="index")


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
    return of_mean(values).half_width


STUDY = Study.of(
    of_labels,
    "Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels",
    smoke=lambda: [NoisyLabels("balance", base, 0, 0.2, 60, 3) for base in BASES],
    thesis=lambda: [
        NoisyLabels(*cell, N_TRAIN, _N_MODELS) for cell in product(DATASETS, BASES, SPLITS, SHARES)
    ],
    quick=lambda task: task.split == 0,
    exhibits=("Mooney's slide 18",),
)
