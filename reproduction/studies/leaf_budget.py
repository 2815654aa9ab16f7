"""Many small boosted trees and few large ones that share a number of leaves."""

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from ..record.study import Study, grid
from ..simulations.earlier import halves_of
from ..theory.memory import arcing_error

#: Data sets and streams of the thesis on which trees of so few leaves err; leaves of all trees; orders.
DATASETS = (
    *("balance", "car-evaluation", "chess", "german-credit"),
    *("nursery", "synthetic1", "synthetic2", "synthetic3"),
)
N_LEAVES, ORDERS = 64, range(10)
_NUMBERS = tuple(2**k for k in range(6))  # of trees, which then have 64 to 2 leaves


@dataclass(frozen=True, order=True)
class Budget:
    """Batch Arc-x4 of `n_trees` trees, with `n_leaves` leaves together, on half of a data set."""

    study: ClassVar = "leaf-budget"
    dataset: str
    n_trees: int
    n_leaves: int
    order: int


@dataclass(frozen=True)
class BudgetError:
    """Share of the other half of the examples that the vote gets wrong."""

    error: float


def of_budget(task: Budget) -> BudgetError:
    train, test = halves_of(task.dataset, task.order)
    return BudgetError(arcing_error(train, test, task.n_trees, task.n_leaves // task.n_trees))


def gain_of_many(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean error of few large trees minus that of many small ones.

    Few are the lower half of the numbers of trees, many the upper half.

    A row for each order of the examples, a column for each data set; above 0 where many are better.
    """
    errors = rows.pivot_table("error", "n_trees", ["dataset", "order"], sort=False).sort_index()
    half = len(errors) // 2
    return (errors.iloc[:half].mean() - errors.iloc[-half:].mean()).unstack("dataset")


STUDY = Study.of(
    of_budget,
    "Batch Arc-x4 of trees that share a number of leaves",
    smoke=lambda: grid(Budget, dataset="synthetic2", n_trees=(1, 4), n_leaves=8, order=0),
    thesis=lambda: grid(Budget, dataset=DATASETS, n_trees=_NUMBERS, n_leaves=N_LEAVES, order=ORDERS),
    quick=lambda task: task.order == 0,
    exhibits=("Fig 2.16",),
    cost=lambda task: 0.02 * task.n_trees,
)
