"""Settings that are chosen on half of the data sets and tested on the other half.

Whoever tries enough settings finds one that comes near to printed values, whether or not it is the thesis's.
So one setting is chosen for all data sets, on half of them, and counted on the others. All of this was fixed
before the runs of `reproduction.studies.network_settings` and the bags of
`reproduction.studies.stump_settings` were made:

- *Halves.* The data sets with a printed value, without those that stand apart, in the order of Table 3.1: the
  first, third, fifth … choose, the others test.
- *Runs.* All settings are run on the same splits in the first order: two cross-validations on the data sets
  of fewer than 4,000 examples, one on the others, and on those of more than 13,000 one split of ensembles.
- *What counts.* The cells that differ from the printed value, by the rule of equality (`cell_verdict`); where
  there is one split, and so no interval, the margin alone decides. Cells that do not differ need not be
  equal: that takes more runs than a search has.
- *Choice.* The setting with the fewest cells that differ on the choosing half; in a tie that with the least
  mean distance |ours − printed| there; in a further tie the first one.
- *Test.* The chosen setting explains the printed values if on the testing half fewer cells differ with it
  than with the present setting, and the exact one-sided sign test on the cells that differ with one of the
  two only has p ≤ 0.05. Cells of one data set are not independent, so that this test is lenient. If it fails,
  the present setting stays.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from oza.datasets import dataset_info, list_datasets
from oza.evaluation.significance import LEVEL

from ..statistics import cell_verdict, half_width_beside_print, with_accuracy
from .accuracy import is_small
from .calibration import OF_TREES, SMALL
from .protocol import N_FOLDS

#: The data sets with printed accuracies of networks and stumps, without those that stand apart.
DATASETS = (*OF_TREES, "connect4", "synthetic1", "synthetic2", "synthetic3")

_CELL = ["setting", "dataset", "algorithm"]


def splits(dataset: str, is_ensemble: bool) -> list[dict[str, int]]:
    """List the splits on which settings are tried.

    >>> len(splits("balance", True)), len(splits("nursery", True)), splits("connect4", True)
    (10, 5, [{'repetition': 0, 'fold': 0}])
    """
    folds = 1 if is_ensemble and not is_small(dataset_info(dataset)) else N_FOLDS
    places = product(range(2 if dataset in SMALL else 1), range(folds))
    return [{"repetition": repetition, "fold": fold} for repetition, fold in places]


def mean_accuracies(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean accuracy of every setting, and how exact it is: the `means` of `judged_cells`.

    A row for each setting, data set and algorithm.
    """
    accuracies = with_accuracy(rows).set_index(["repetition", "fold"])
    groups = dict(iter(accuracies.groupby(_CELL, sort=False)["accuracy"]))
    found = [(part.mean(), half_width_beside_print(part), len(part)) for part in groups.values()]
    index = pd.MultiIndex.from_tuples(groups, names=_CELL)
    return pd.DataFrame(found, index, columns=["mean", "half_width", "n_splits"])


def halves(datasets: Iterable[str]) -> tuple[list[str], list[str]]:
    """Divide data sets into those that choose and those that test, alternating in the order of Table 3.1.

    >>> halves(["chess", "balance", "nursery", "promoters"])
    (['promoters', 'chess'], ['balance', 'nursery'])
    """
    wanted = set(datasets)
    in_order = [name for name in list_datasets() if name in wanted]
    return in_order[::2], in_order[1::2]


def judged_cells(means: pd.DataFrame, printed: pd.Series) -> pd.DataFrame:
    """Judge the cells of each setting by the printed values, and say which half they belong to.

    `means` is indexed by setting, data set and algorithm, `printed` by data set and algorithm, NaN if
    illegible. The rows of `means` that have a printed value come with `printed`, `differs` and `half`, which
    is "choosing" or "testing".

    >>> names = ["setting", "dataset", "algorithm"]
    >>> index = pd.MultiIndex.from_product([["a", "b"], ["balance", "chess"], ["single"]], names=names)
    >>> means = pd.DataFrame({"mean": [0.6, 0.7, 0.6, 0.8], "half_width": 0.002, "n_splits": 50}, index)
    >>> printed = pd.Series([0.6, 0.8], index[:2].droplevel("setting"))
    >>> judged_cells(means, printed)[["half", "differs"]].to_numpy().tolist()
    [['choosing', False], ['testing', True], ['choosing', False], ['testing', False]]
    """
    cells = means.join(printed.rename("printed"), on=["dataset", "algorithm"]).dropna(subset=["printed"])
    choosing, _ = halves(cells.index.unique("dataset"))
    exactness = cells["half_width"].fillna(0.0)
    verdicts = map(cell_verdict, cells["mean"], exactness, cells["printed"])
    is_choosing = cells.index.get_level_values("dataset").isin(choosing)
    return cells.assign(
        differs=[found == "differs" for found in verdicts],
        half=np.where(is_choosing, "choosing", "testing"),
    )


def count_differing(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the cells that differ from the printed values under each setting, on both halves.

    A row for each setting, in the order of `cells`, which are those of `judged_cells`; for each half how many
    cells `differ`, of how many (`of`), and the mean `distance` |ours − printed|.
    """
    cells = cells.assign(distance=(cells["mean"] - cells["printed"]).abs())
    groups = cells.groupby(["setting", "half"], sort=False)
    counts = groups.agg(differ=("differs", "sum"), of=("differs", "size"), distance=("distance", "mean"))
    by_half = {half: counts.xs(half, level="half") for half in ("choosing", "testing")}
    return pd.concat(by_half, axis="columns")


class HeldOutTest(NamedTuple):
    """What the choice on one half gave on the other."""

    chosen: str
    present: str
    differ: int  # cells of the testing half that differ with the chosen setting
    present_differ: int  # with the present setting
    of: int  # all of them
    gained: int  # differ with the present setting only
    lost: int  # with the chosen one only
    p_value: float  # of the exact one-sided sign test; 1 if no cell differs with one of the two only
    explains: bool  # whether the chosen setting passes the test

    def __str__(self) -> str:
        if self.chosen == self.present:
            return (
                f"On the choosing half the present setting, {self.present}, is itself chosen; on the testing "
                f"half {self.differ} of {self.of} cells differ with it. No other setting is tested."
            )
        result = "passes the test" if self.explains else "does not pass the test, and the present one stays"
        return (
            f"The chosen setting is: {self.chosen}. On the testing half {self.differ} of {self.of} cells "
            f"differ with it, and {self.present_differ} with the present setting, {self.present}: "
            f"{self.gained} with the present one only, {self.lost} with the chosen one only (one-sided sign "
            f"test, p = {self.p_value:.2g}). So the chosen setting {result}."
        )


def held_out(cells: pd.DataFrame, present: str) -> HeldOutTest:
    """Choose a setting on the choosing half, and test it on the testing half against the present one.

    The cells are those of `judged_cells`.
    """
    on_half: Any = count_differing(cells)["choosing"]
    chosen = on_half.sort_values(["differ", "distance"], kind="stable").index[0]
    testing = cells[cells["half"] == "testing"]["differs"]
    mine, theirs = testing.xs(chosen, level="setting").align(testing.xs(present, level="setting"), "inner")
    gained, lost = int((theirs & ~mine).sum()), int((mine & ~theirs).sum())
    p_value = float(scipy.stats.binom.sf(gained - 1, gained + lost, 0.5)) if gained + lost else 1.0
    explains = gained > lost and p_value <= LEVEL
    return HeldOutTest(
        chosen, present, int(mine.sum()), int(theirs.sum()), len(mine), gained, lost, p_value, explains
    )
