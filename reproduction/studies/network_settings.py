"""Three searches for the settings of the thesis's networks that it does not specify.

`network-calibration` compares the accuracies of every setting on six small data sets with the printed ones. A
setting is chosen on all data sets but one and evaluated on that one, so that no printed value influences the
choice of the setting that it evaluates.

`network-settings` looks for one setting for all data sets and all cells, with 100 networks. On data sets that
are not small, single runs suggested more hidden units and a shorter step: on one split 25 units and a rate of
0.1 come within 0.001 of the printed value of Connect4, and 20 units and 0.1 within 0.002 of that of
Synthetic1. When the candidates were fixed, no other results of them were known but those of one split of
Nursery and of one of Chess, which were run to see how long they take. The candidates are the present number
of units, 20 and 25, each with the present rate and with 0.1, and the setting that is closest in the search on
the six sets, which has the present number of units and two inputs for an attribute of two values. The choice
and the test are those of `reproduction.studies.held_out`, over the cells of Tables 3.6 and 3.7. If the choice
passes the test, the networks are to be run in that setting; if not, the present one stays.

Orders and random draws are those of the study `neural-networks`, whose runs stand for the present setting.
Cells without a legible printed value are not run, nor, because it takes longest, is batch bagging on the
data sets of more than 13,000 examples.

A second search has one candidate, `BY_TIMES`: the networks whose sizes the printed times imply
(topic `program_of_2001`), two inputs for an attribute of two values, and the grades of Breast Cancer
as numbers from 1 to 10 with 11 for a missing one. The grades were run with one input for each value all the
same, since the classifier declares its columns as nominal; this was found after the outcome, and nothing was
run again. Units are 10 where the times allow it, and where they do
not, the round number at or below what they imply; Promoters keeps 10, since the 140 to 220 units that its
times imply make its networks far less accurate than the printed ones. When this was fixed, a simulation by
another program had counted the cells within 0.01 of print: from 17 and 20 of 33 on the two halves with the
present setting to 21 and 17. It is tested twice: by the halves of the data sets, and by columns, where the
cells of Table 3.6 choose and those that only Table 3.7 has, the networks with ten updates, test. If it
passes both tests, it becomes the reproduction's network.
"""

import math
from collections.abc import Iterable
from dataclasses import astuple
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import OneHotEncoder

from oza.datasets import dataset_info
from oza.kernels.random import key_of
from oza.models import NeuralNetworkClassifier

from ..record.study import cells, study
from .accuracy import GRIDS, Task, is_small, tried
from .algorithms import ALGORITHMS
from .held_out import DATASETS, mean_accuracies, splits
from .protocol import CORRECT, N_FOLDS, SMALL, Split, digest, prepare


class Setting(NamedTuple):
    """Settings that the thesis does not specify.

    Codings of nominal values are "value": inputs 0 or 1 for each value, and one for an attribute of two
    values; "each": 0 or 1 for each value; "signed": −1 or 1 for each value; "number": meant as one input,
    the place of the value from 1 on, but run as "value" where columns are declared as nominal.
    """

    hidden_units: int
    learning_rate: float
    initial_range: float
    coding: str


#: The library's defaults.
DEFAULT = Setting(10, 0.5, 0.05, "value")
#: The columns of Tables 3.6 and 3.7: algorithms over networks of one update, and of ten.
COLUMNS = ("single", "bagging", "online_single", "online_bagging", "online_single_10", "online_bagging_10")


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


_SINGLES_FIRST = sorted(COLUMNS, key=lambda column: "bagging" in column)


@study(
    "network-calibration",
    "Settings of the networks that the thesis leaves open",
    {"n_correct": int, "n_examples": int},  # in one five-fold cross-validation
    smoke=lambda: cells(DEFAULT._asdict(), dataset="balance", algorithm=_SINGLES_FIRST, n_models=2),
    thesis=lambda: cells(
        hidden_units=(5, 10, 20),
        learning_rate=(0.1, 0.5, 1.0),
        initial_range=(0.05, 0.5),
        coding=("value", "each", "signed"),
        dataset=SMALL,
        algorithm=_SINGLES_FIRST,
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
    found, updates = [], 10 if algorithm.endswith("_10") else 1
    for fold in range(N_FOLDS):
        examples, known = inputs(coding, prepare(dataset, fold=fold))
        network = NeuralNetworkClassifier(
            hidden_units, learning_rate, updates=updates, initial_range=initial_range
        )
        of_split = key_of("network-calibration", dataset, fold), dataset, examples
        found.append(tried(network, algorithm.removesuffix("_10"), n_models, *of_split, categories=known))
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


PRESENT = "10 units, rate 0.5"

#: The candidates by name, the present setting first.
SETTINGS: dict[str, Setting] = {
    f"{units} units, rate {rate}": DEFAULT._replace(hidden_units=units, learning_rate=rate)
    for units, rate in product((10, 20, 25), (0.5, 0.1))
} | {"10 units, rate 0.5, two inputs for two values": DEFAULT._replace(coding="each")}

#: The candidate of the second search, and its hidden units where they are not 10.
BY_TIMES = "units by times"
UNITS = {"nursery": 30, "connect4": 100, "synthetic1": 40, "synthetic2": 40, "synthetic3": 40}

#: Cells without a legible printed value.
ILLEGIBLE = {
    ("breast-cancer", "online_bagging_10"),
    ("german-credit", "online_bagging"),
    ("mushroom", "online_bagging_10"),
    ("nursery", "bagging"),
    ("nursery", "online_bagging"),
    ("connect4", "online_bagging"),
}


def setting_of(name: str, dataset: str) -> Setting:
    """Give the setting of a candidate on a data set; that of `BY_TIMES` depends on the data set."""
    if name != BY_TIMES:
        return SETTINGS[name]
    coding = "number" if dataset == "breast-cancer" else "each"
    return DEFAULT._replace(hidden_units=UNITS.get(dataset, 10), coding=coding)


def baseline_task(dataset: str, column: str, n_models: int, repetition: int, fold: int) -> Task:
    """The task of the study of networks on the same split, with the same random draws.

    >>> from reproduction.studies.accuracy import compute
    >>> run = "balance", "single", 1, 0, 0
    >>> here = network_settings.measure(network_settings.task(PRESENT, *run))
    >>> here.digest == compute(baseline_task(*run)).digest
    True
    """
    algorithm, ten, _ = column.partition("_10")
    size = n_models if ALGORITHMS[algorithm].is_ensemble else 1
    model = f"neural_network{ten}"
    return Task("neural-networks", dataset, model, algorithm, size, repetition, fold, order=0)


def _runs(datasets: Iterable[str] = DATASETS, n_models: int = 100) -> list[dict[str, Any]]:
    """What is run with each setting."""
    return [
        {"dataset": dataset, "column": column, "n_models": n_models, **split}
        for dataset, column in product(datasets, COLUMNS)
        if (dataset, column) not in ILLEGIBLE and (column != "bagging" or is_small(dataset_info(dataset)))
        for split in splits(dataset, "bagging" in column)
    ]


_OTHERS = [*(name for name in SETTINGS if name != PRESENT), BY_TIMES]


@study(
    "network-settings",
    "One setting of the networks for all data sets, chosen on half of them",
    CORRECT | {"digest": str},  # as in `accuracy.Result`
    smoke=lambda: [{"setting": BY_TIMES} | run for run in _runs(["balance"], 2) if run["repetition"] == 0],
    thesis=lambda: [{"setting": setting} | run for setting, run in product(_OTHERS, _runs())],
    quick=lambda task: task.dataset in SMALL and task.repetition == 0,
)
def network_settings(
    setting: str, dataset: str, column: str, n_models: int, repetition: int, fold: int
) -> tuple[int, int, str]:
    """A candidate on a split, with the algorithm of a column; an ensemble has `n_models` networks."""
    chosen = setting_of(setting, dataset)
    baseline = baseline_task(dataset, column, n_models, repetition, fold)
    examples, known = inputs(chosen.coding, baseline.examples())
    classifier, algorithm = baseline.estimator(), ALGORITHMS[baseline.algorithm]
    network = classifier.estimator if algorithm.is_ensemble else classifier
    network.set_params(hidden_units=chosen.hidden_units, learning_rate=chosen.learning_rate)
    if chosen.coding != DEFAULT.coding:
        classifier.set_params(categories=known)
    algorithm.learn(classifier, examples.X_train, examples.y_train, len(dataset_info(dataset).classes))
    predicted = classifier.predict(examples.X_test)
    return len(predicted), int(np.sum(predicted == examples.y_test)), digest(predicted)


def means(candidates: Iterable[str]) -> pd.DataFrame:
    """Read the mean accuracies of the present setting and candidates: the `means` of `held_out.judged_cells`.

    An algorithm is a column of Table 3.6 or 3.7.
    """
    baseline = GRIDS["neural-networks"].recorded([baseline_task(**run) for run in _runs()])
    ten = baseline["base_model"].str.removeprefix("neural_network")
    present = baseline.assign(setting=PRESENT, algorithm=baseline["algorithm"] + ten)
    others = network_settings.recorded("thesis").rename(columns={"column": "algorithm"})
    rows = [present, others[others["setting"].isin(candidates)]]
    return mean_accuracies(pd.concat(rows, ignore_index=True))
