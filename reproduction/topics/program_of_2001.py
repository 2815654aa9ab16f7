"""What the program of 2001 did: print beside our models and those of the program.

Decision stumps count and choose on the first split of a data set, with a NaN and without. And the size of the
thesis's networks follows from the time that they took (Table 3.11). A network of I inputs, H hidden units and
K outputs has H(I + 1) + K(H + 1) weights, bias units included. An update computes with each of them a fixed
number of times, so that the printed time of a column, divided by the number of its updates, is proportional
to the number of weights. The factor is taken from data sets whose networks are assumed to have ten units. It
comes out of the printed times alone: neither our own times nor any accuracies enter.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..printed.layout import heading
from ..printed.printed import cells_of, label
from ..printed.table import Table, legend, signed
from ..record.simulation import simulation
from ..statistics import JUDGED
from ..studies.held_out import DATASETS
from ..studies.nan_settings import NanStumpClassifier, declared_values
from ..studies.protocol import n_training, prepare

#: Passes over the training examples by column. Single networks are left out: on the small data sets their
#: printed times are a few tenths of a second, in steps of 0.02.
PASSES = {"bagging": 1000, "online_bagging": 100, "online_bagging_10": 1000}
#: The data sets by which the factor is set, and the hidden units that are assumed there.
STANDARDS = ("balance", "car-evaluation")
ASSUMED_UNITS = 10


@simulation(small={"dataset": "balance"}, calls=({"dataset": "mushroom"}, {"dataset": "nursery"}))
def counts_by_value(dataset: str) -> pd.DataFrame:
    """Count the training examples of the first split; all attributes must be nominal.

    A row for each attribute and declared value, a column for each class, all by name.

    >>> counts_by_value("nursery").loc["parents"].loc["usual"].to_dict()["recommend"]
    2
    """
    info, examples = dataset_info(dataset), prepare(dataset)
    tables = {}
    for attribute, codes in zip(info.attributes, examples.X_train.T, strict=True):
        counts = np.zeros((len(attribute.values), len(info.classes)), int)
        np.add.at(counts, (codes, examples.y_train), 1)
        tables[attribute.name] = pd.DataFrame(counts, [*attribute.values], [*info.classes])
    return pd.concat(tables, names=["attribute", "value"])


@simulation(small={"datasets": ["balance"]})
def attributes_chosen(datasets: Sequence[str] = DATASETS) -> pd.DataFrame:
    """Name the attributes that stumps test on the first split of data sets.

    A row for each data set: how many `attributes` it has, the gain of how many of them `is NaN`, which one is
    tested `with the NaN` and which `without`, and whether the latter `is lost` since its gain is NaN.

    >>> attributes_chosen(["nursery"])["without"].to_dict()
    {'nursery': 'health'}
    """
    rows = {}
    for dataset in datasets:
        examples, names = prepare(dataset), [attribute.name for attribute in dataset_info(dataset).attributes]
        values = declared_values(dataset, examples)
        right, faulty = (
            NanStumpClassifier(empty, categories=values).fit(examples.X_train, examples.y_train)
            for empty in ("nothing", "class")
        )
        is_nan = np.isnan(faulty.entropies_left_)
        tests = names[faulty.feature_], names[right.feature_], bool(is_nan[right.feature_])
        rows[dataset] = len(names), int(is_nan.sum()), *tests
    columns = ["attributes", "is NaN", "with the NaN", "without", "is lost"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns)


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


def beside_the_program(ours: pd.DataFrame, theirs: pd.DataFrame, name: str, title: str) -> Table:
    """Lay out the printed cells that count: printed, ours with its verdict, the program's with its own.

    Accuracies have half of the 95 % interval of their difference from the printed one.
    """
    cells = ours[ours["verdict"].isin(JUDGED)]
    of_program = theirs.loc[cells.index]
    marks = pd.DataFrame({"printed": "", "ours": cells["verdict"], name: of_program["verdict"]})
    printed = [f"{value:.4f}" for value in cells["printed"]]
    texts = {"printed": printed, "ours": _with_interval(cells), name: _with_interval(of_program)}
    shown = pd.DataFrame(texts, cells.index)
    for source in marks:
        shown[source] = list(map(signed, shown[source], marks[source]))
    signs = legend(marks.to_numpy().ravel())
    return Table(f"{title} ({signs})", cells, _by_dataset(shown), _by_dataset(marks))


def _with_interval(cells: pd.DataFrame) -> list[str]:
    return [f"{mean:.4f} ± {half:.4f}" for mean, half in zip(cells["mean"], cells["half_width"], strict=True)]


def _by_dataset(columns: pd.DataFrame) -> pd.DataFrame:
    """A row for each data set, and the columns side by side for each algorithm."""
    parts = {
        heading(str(algorithm)): part.droplevel("algorithm")
        for algorithm, part in columns.groupby("algorithm", sort=False)
    }
    return pd.concat(parts, axis="columns").rename(index=label).rename_axis("Data set")
