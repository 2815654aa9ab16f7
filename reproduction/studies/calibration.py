"""Search for the settings of the thesis's networks that it does not specify.

The accuracies of every setting on small data sets are compared with the printed ones. A setting is
chosen on all data sets but one and evaluated on that one, so that no printed value influences the
choice of the setting that it evaluates.
"""

import math
from dataclasses import astuple
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import OneHotEncoder

from oza.datasets import dataset_info
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import NeuralNetworkClassifier

from ..record.study import cells, study
from .protocol import N_FOLDS, Split, count_correct, prepare


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


#: The library's defaults.
DEFAULT = Setting(10, 0.5, 0.05, "value")
#: The data sets of fewer than 4,000 examples among those of the thesis.
SMALL = ("promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess")
#: Those on which the thesis runs decision trees.
OF_TREES = (*SMALL, "mushroom", "nursery")
#: Algorithms by their names in the tables of printed accuracies.
ALGORITHMS = ("single", "online_single", "online_single_10", "bagging", "online_bagging", "online_bagging_10")


def inputs(coding: str, examples: Split) -> tuple[Split, Any]:
    """Give examples in a coding of `Setting`, and the values of each column.

    >>> rows = Split(np.array([[0], [1]]), np.array([0, 1]), np.array([[1], [1]]), np.array([0, 1]))
    >>> inputs("signed", rows)[0].X_train.tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    if coding == "signed":
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(examples.X_train)
        train, test = (2.0 * encoder.transform(X) - 1.0 for X in (examples.X_train, examples.X_test))
        return examples._replace(X_train=train, X_test=test), "auto"
    if coding == "number":
        return examples._replace(X_train=examples.X_train + 1.0, X_test=examples.X_test + 1.0), "auto"
    known = [np.unique(column) for column in examples.X_train.T]
    if coding == "each":  # a third value, absent in training, so that the two do not share an input
        known = [np.append(values, values[-1] + 1) if len(values) == 2 else values for values in known]
    return examples, known


@study(
    "network-calibration",
    "Settings of the networks that the thesis leaves open",
    {"n_correct": int, "n_examples": int},  # in one five-fold cross-validation
    smoke=lambda: cells(DEFAULT._asdict(), dataset="balance", algorithm=ALGORITHMS, n_models=2),
    thesis=lambda: cells(
        hidden_units=(5, 10, 20),
        learning_rate=(0.1, 0.5, 1.0),
        initial_range=(0.05, 0.5),
        coding=("value", "each", "signed"),
        dataset=SMALL,
        algorithm=ALGORITHMS,
        n_models=5,  # 100, as in the thesis, would take twenty times as long
    ),
    quick=lambda task: astuple(task)[:4] == DEFAULT,
)
def network_calibration(
    hidden_units: int,
    learning_rate: float,
    initial_range: float,
    coding: str,
    dataset: str,
    algorithm: str,
    n_models: int,
) -> tuple[int, int]:
    """A setting on a data set with an algorithm; an ensemble has `n_models` networks."""
    found = []
    for fold in range(N_FOLDS):
        examples, known = inputs(coding, prepare(dataset, fold=fold))
        updates = 10 if algorithm.endswith("_10") else 1
        classifier: Any = NeuralNetworkClassifier(
            hidden_units, learning_rate, updates=updates, initial_range=initial_range
        )
        if "bagging" in algorithm:
            bagging = OnlineBaggingClassifier if "online" in algorithm else BaggingClassifier
            classifier = bagging(classifier, n_models)
        seed = key_of("network-calibration", dataset, fold)
        classifier.set_params(random_state=seed, categories=known)
        if "online" in algorithm:
            classes = np.arange(len(dataset_info(dataset).classes))
            classifier.partial_fit(examples.X_train, examples.y_train, classes=classes)
        else:
            classifier.fit(examples.X_train, examples.y_train)
        found.append(count_correct(classifier, examples))
    n_examples, n_correct = map(sum, zip(*found, strict=True))
    return n_correct, n_examples


def distances(results: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Distance of each setting from the printed accuracies, on each data set.

    The distance of a cell is the difference in units of √(p(1 − p)/N), the standard error of an
    accuracy p on N examples, p being the printed one; that of a data set is the mean over its
    legible cells.

    A row for each setting, a column for each data set.
    """
    legible = printed.query("base_model == 'neural_network'").dropna(subset="value")
    legible = legible[["dataset", "algorithm", "value"]].drop_duplicates()  # Table 3.7 repeats some of 3.6
    both = results.merge(legible, on=["dataset", "algorithm"])
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
        judged = here[chosen], here.get(DEFAULT, math.nan), here.median(), here.min()
        rows.append((dataset, *chosen, *judged))
    columns = ["left out", *Setting._fields, "chosen", "default", "median", "least"]
    return pd.DataFrame(rows, columns=columns).set_index("left out")
