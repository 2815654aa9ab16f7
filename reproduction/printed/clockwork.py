"""The size of the thesis's networks, from the time that they took (Table 3.11).

A network of I inputs, H hidden units and K outputs has H(I + 1) + K(H + 1) weights, bias units included. An
update computes with each of them a fixed number of times, so that the printed time of a column, divided by
the number of its updates, is proportional to the number of weights. The factor is taken from data sets whose
networks are assumed to have ten units. It comes out of the printed times alone: neither our own times nor
any accuracies enter.
"""

from itertools import product
from typing import Any

import pandas as pd

from oza.datasets import dataset_info

from ..studies.protocol import n_training
from .printed import cells_of

#: Passes over the training examples by column. Single networks are left out: on the small data sets their
#: printed times are a few tenths of a second, in steps of 0.02.
PASSES = {"bagging": 1000, "online_bagging": 100, "online_bagging_10": 1000}

#: The data sets by which the factor is set, and the hidden units that are assumed there.
STANDARDS = ("balance", "car-evaluation")
ASSUMED_UNITS = 10


def n_inputs(dataset: str, inputs_for_two: int = 2, as_numbers: bool = False) -> int:
    """Count the inputs of a network: one for a number and for each value of a nominal attribute.

    An attribute of two values has `inputs_for_two`. With `as_numbers` every attribute is a number.

    >>> n_inputs("chess"), n_inputs("chess", 1), n_inputs("breast-cancer", as_numbers=True)
    (73, 38, 9)
    """
    sizes = [1 if as_numbers else len(a.values or "1") for a in dataset_info(dataset).attributes]
    return sum(inputs_for_two if size == 2 else size for size in sizes)


def seconds_an_update() -> pd.DataFrame:
    """Divide the printed times of Table 3.11 by the updates: a row for each data set, a column a column."""
    seconds = cells_of("running_times", "3.11")["seconds"].unstack("algorithm")[[*PASSES]]
    examples = [n_training(dataset, 0) for dataset in seconds.index]
    return seconds.div(pd.Series(PASSES), axis="columns").div(examples, axis="index")


def implied_units(dataset: str, inputs: int) -> pd.Series:
    """Infer the hidden units of a network with so many inputs from its printed times.

    For each column that is printed and each of `STANDARDS`: the number of units at which the time of an
    update is to the standard's as the number of weights is to that of the standard.

    >>> implied_units("chess", 73).agg(["min", "median", "max"]).round(1).to_list()
    [8.1, 8.5, 10.0]
    """
    each: Any = seconds_an_update()
    found = {}
    for column, standard in product(PASSES, STANDARDS):
        n_weights = ASSUMED_UNITS * (n_inputs(standard) + 1) + _n_classes(standard) * (ASSUMED_UNITS + 1)
        n_weights *= each.loc[dataset, column] / each.loc[standard, column]
        found[column, standard] = (n_weights - _n_classes(dataset)) / (inputs + 1 + _n_classes(dataset))
    return pd.Series(found, name="units").rename_axis(["column", "standard"]).dropna()


def _n_classes(dataset: str) -> int:
    return len(dataset_info(dataset).classes)
