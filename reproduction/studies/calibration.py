"""Search for the settings of the thesis's networks that it does not specify.

The accuracies of every setting on small data sets are compared with the printed ones. A setting is
chosen on all data sets but one and evaluated on that one, so that no printed value influences the
choice of the setting that it evaluates.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import OneHotEncoder

from oza.datasets import dataset_info
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import NeuralNetworkClassifier

from ..record.study import Study
from .protocol import N_FOLDS, Split, prepare


class Setting(NamedTuple):
    """Settings that the thesis does not specify.

    Codings of nominal values are "value": inputs 0 or 1 for each value, and one for an attribute of two
    values; "each": 0 or 1 for each value; "signed": −1 or 1 for each value; "number": one input, the place
    of the value from 1 on.
    """

    hidden_units: int
    learning_rate: float
    initial_range: float
    coding: str


#: The grid of settings.
GRID = tuple(
    Setting(*values)
    for values in product((5, 10, 20), (0.1, 0.5, 1.0), (0.05, 0.5), ("value", "each", "signed"))
)
#: The library's defaults.
DEFAULT = Setting(10, 0.5, 0.05, "value")
#: The data sets of fewer than 4,000 examples among those of the thesis.
SMALL = ("promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess")
#: Algorithms by their names in the tables of printed accuracies.
ALGORITHMS = ("single", "online_single", "online_single_10", "bagging", "online_bagging", "online_bagging_10")


@dataclass(frozen=True, order=True)
class CalibrationTrial:
    """A setting on a data set with an algorithm; an ensemble has `n_models` networks."""

    study: ClassVar = "network-calibration"
    hidden_units: int
    learning_rate: float
    initial_range: float
    coding: str
    dataset: str
    algorithm: str
    n_models: int

    @property
    def setting(self) -> Setting:
        return Setting(self.hidden_units, self.learning_rate, self.initial_range, self.coding)


@dataclass(frozen=True)
class Count:
    """Number of correctly classified examples in one five-fold cross-validation, and of all examples."""

    n_correct: int
    n_examples: int


def inputs(setting: Setting, examples: Split) -> tuple[Any, Any, Any]:
    """Training and test examples in the coding of a setting, and the values of each column.

    >>> rows = Split(np.array([[0], [1]]), np.array([0, 1]), np.array([[1], [1]]), np.array([0, 1]))
    >>> inputs(DEFAULT._replace(coding="signed"), rows)[0].tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    if setting.coding == "signed":
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(examples.X_train)
        train, test = (2.0 * encoder.transform(X) - 1.0 for X in (examples.X_train, examples.X_test))
        return train, test, "auto"
    if setting.coding == "number":
        return examples.X_train + 1.0, examples.X_test + 1.0, "auto"
    known = [np.unique(column) for column in examples.X_train.T]
    if setting.coding == "each":  # a third value, absent in training, so that the two do not share an input
        known = [np.append(values, values[-1] + 1) if len(values) == 2 else values for values in known]
    return examples.X_train, examples.X_test, known


def count_correct(setting: Setting, dataset: str, algorithm: str, n_models: int) -> int:
    right = 0
    for fold in range(N_FOLDS):
        examples = prepare(dataset, fold=fold)
        X_train, X_test, known = inputs(setting, examples)
        seed = key_of("network-calibration", dataset, fold)
        network = NeuralNetworkClassifier(
            setting.hidden_units,
            setting.learning_rate,
            updates=10 if algorithm.endswith("_10") else 1,
            initial_range=setting.initial_range,
        )
        if "single" in algorithm:
            classifier: Any = network.set_params(random_state=seed)
        elif algorithm == "bagging":
            classifier = BaggingClassifier(network, n_models, random_state=seed)
        else:
            classifier = OnlineBaggingClassifier(network, n_models, random_state=seed)
        classifier.set_params(categories=known)
        if "online" in algorithm:
            classes = np.arange(len(dataset_info(dataset).classes))
            classifier.partial_fit(X_train, examples.y_train, classes=classes)
        else:
            classifier.fit(X_train, examples.y_train)
        right += int(np.sum(classifier.predict(X_test) == examples.y_test))
    return right


def trials(
    settings: Iterable[Setting] = GRID, datasets: Iterable[str] = SMALL, n_models: int = 5
) -> list[CalibrationTrial]:
    """List settings on data sets, each with every algorithm.

    An ensemble of 100 networks, as in the thesis, would take twenty times as long.
    """
    return [
        CalibrationTrial(*setting, dataset, algorithm, n_models)
        for setting, dataset, algorithm in product(settings, datasets, ALGORITHMS)
    ]


def _count(trial: CalibrationTrial) -> Count:
    info = dataset_info(trial.dataset)
    n_correct = count_correct(trial.setting, trial.dataset, trial.algorithm, trial.n_models)
    return Count(n_correct, info.n_train + info.n_test)


def distances(results: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Distance of each setting from the printed accuracies, on each data set.

    The distance of a cell is the difference in units of √(p(1 − p)/N), the standard error of an
    accuracy p on N examples, p being the printed one; that of a data set is the mean over its
    legible cells.

    A row for each setting, a column for each data set.
    """
    cells = printed.query("base_model == 'neural_network'").dropna(subset="value")
    cells = cells[["dataset", "algorithm", "value"]].drop_duplicates()  # Table 3.7 repeats some of Table 3.6
    both = results.merge(cells, on=["dataset", "algorithm"])
    error = np.sqrt(both["value"] * (1.0 - both["value"]) / both["n_examples"])
    both["distance"] = (both["n_correct"] / both["n_examples"] - both["value"]).abs() / error
    return both.pivot_table("distance", list(Setting._fields), "dataset")[both["dataset"].unique()]


def leave_one_out(distance: pd.DataFrame) -> pd.DataFrame:
    """Choose a setting on all data sets but one, and evaluate it on that one, for each in turn.

    For each data set left out: the setting with the least mean distance on the others, its distance on the
    one left out, those of the default and of the median setting, and the least distance of any setting there.
    """
    rows = []
    for dataset in distance.columns:
        chosen: Any = distance.drop(columns=dataset).mean(axis=1).idxmin()
        here = distance[dataset]
        rows.append(
            {
                "left out": dataset,
                **dict(zip(Setting._fields, chosen, strict=True)),
                "chosen": here[chosen],
                "default": here.get(DEFAULT, math.nan),
                "median": here.median(),
                "least": here.min(),
            }
        )
    return pd.DataFrame(rows).set_index("left out")


STUDY = Study.of(
    _count,
    "Settings of the networks that the thesis leaves open",
    smoke=lambda: trials([DEFAULT], ["balance"], 2),
    thesis=trials,
    quick=lambda trial: trial.setting == DEFAULT,
)
