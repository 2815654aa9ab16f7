"""Two algorithms on the same splits: the one comparison behind tables, figures and claims."""

from itertools import permutations

import pandas as pd

from oza.datasets import list_datasets
from oza.evaluation.significance import Compared, compared

from ..statistics import unless_one_run
from .printed import EXCLUDED

SPLIT = ("repetition", "fold")


def compare(splits: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Compare two algorithms on the splits that both have, row by row.

    The splits are those of `split_accuracies`, without the base model, or with whatever else distinguishes
    the rows. A row for each data set, in the order of Table 3.1, and for whatever else: the mean accuracies
    `first` and `second`, the fields of `Compared`, `n_splits`, and whether the data set is `excluded` from
    counts.

    >>> from reproduction.statistics import split_accuracies
    >>> from reproduction.studies.accuracy import GRIDS
    >>> splits = split_accuracies(GRIDS["naive-bayes"].compute("smoke")).droplevel("base_model")
    >>> compare(splits, "boosting", "single")["mark"].to_dict()
    {'balance': 'none', 'car-evaluation': 'none'}
    """
    of_algorithm = splits.index.get_level_values("algorithm")
    one, other = (splits[of_algorithm == name].droplevel("algorithm") for name in (first, second))
    both = one.rename(columns={"accuracy": "first"})
    both = both.join(other["accuracy"].rename("second"), how="inner").sort_index()
    levels = [level for level in both.index.names if level not in SPLIT]
    columns = ["first", "second", *Compared._fields, "n_splits"]
    groups = both.groupby(level=levels)
    rows = []
    for _, group in groups:
        a, b = group["first"].to_numpy(), group["second"].to_numpy()
        found = unless_one_run(compared(a, b, group["n_train"].mean(), group["n_test"].mean()), a, b)
        rows.append((a.mean(), b.mean(), *found, len(group)))
    table = pd.DataFrame(rows, groups.size().index, columns)
    datasets = table.index.get_level_values("dataset")
    places = {name: place for place, name in enumerate(list_datasets())}
    table["excluded"] = datasets.isin(EXCLUDED)
    return table.iloc[datasets.map(places).argsort(kind="stable")]


def curve_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare every algorithm of a learning curve with every other at each number of training examples.

    The points are those that `Record.curve` gives; indexed by algorithm, reference and n_train.
    """
    # A point uses the first of the examples that its split holds for training. How much two splits have in
    # common, which the corrected test allows for, depends on all of them.
    index = ["dataset", "n_train", "algorithm", *SPLIT]
    splits = rows.set_index(index)[["accuracy", "n_test"]].assign(n_train=rows["n_train"].max())
    pairs = permutations(rows["algorithm"].unique(), 2)
    cells = {pair: compare(splits, *pair).droplevel("dataset") for pair in pairs}
    return pd.concat(cells, names=["algorithm", "reference"]).sort_index()
