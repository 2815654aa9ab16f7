"""Many small boosted trees and few large ones that share a number of leaves."""

import pandas as pd

from ..record.study import cells, study
from ..simulations.earlier import halves_of
from ..theory.memory import arcing_error

#: Data sets and streams of the thesis on which trees with so few leaves make errors.
_DATASETS = (
    *("balance", "car-evaluation", "chess", "german-credit"),
    *("nursery", "synthetic1", "synthetic2", "synthetic3"),
)


@study(
    "leaf-budget",
    "Batch Arc-x4 of trees that share a number of leaves",
    {"error": float},
    smoke=lambda: cells(dataset="synthetic2", n_trees=(1, 4), n_leaves=8, order=0),
    thesis=lambda: cells(dataset=_DATASETS, n_trees=[2**k for k in range(6)], n_leaves=64, order=range(10)),
    quick=lambda task: task.order == 0,
    exhibits=("Fig 2.16",),
    cost=lambda task: 0.02 * task.n_trees,
)
def leaf_budget(dataset: str, n_trees: int, n_leaves: int, order: int) -> float:
    """Error of batch Arc-x4, of trees with `n_leaves` together, trained on half of a data set."""
    return arcing_error(*halves_of(dataset, order), n_trees, n_leaves // n_trees)


def gain_of_many(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean error of few large trees minus that of many small ones.

    Few are the lower half of the numbers of trees, many the upper half.

    A row for each order of the examples, a column for each data set; above 0 where many are better.
    """
    errors = rows.pivot_table("error", "n_trees", ["dataset", "order"], sort=False).sort_index()
    half = len(errors) // 2
    return (errors.iloc[:half].mean() - errors.iloc[-half:].mean()).unstack("dataset")
