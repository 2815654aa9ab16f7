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

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from oza.datasets import dataset_info, list_datasets
from oza.evaluation.significance import LEVEL

from ..record.study import cells
from ..statistics import cell_verdict, half_width_beside_print, with_accuracy
from .accuracy import is_small
from .protocol import N_FOLDS, OF_TREES, SMALL

#: The data sets with printed accuracies of networks and stumps, without those that stand apart.
DATASETS = (*OF_TREES, "connect4", "synthetic1", "synthetic2", "synthetic3")


def splits(dataset: str, is_ensemble: bool) -> list[dict[str, int]]:
    """List the splits on which settings are tried.

    >>> len(splits("balance", True)), len(splits("nursery", True)), splits("connect4", True)
    (10, 5, [{'repetition': 0, 'fold': 0}])
    """
    folds = 1 if is_ensemble and not is_small(dataset_info(dataset)) else N_FOLDS
    return cells(repetition=range(2 if dataset in SMALL else 1), fold=range(folds))


def mean_accuracies(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean accuracy of every setting, and how exact it is: the `means` of `judged_cells`.

    A row for each setting, data set and algorithm.
    """
    accuracies = with_accuracy(rows).set_index(["repetition", "fold"])
    groups: Any = accuracies.groupby(["setting", "dataset", "algorithm"], sort=False)["accuracy"]
    return groups.agg(mean=lambda part: part.mean(), half_width=half_width_beside_print)


def judged_cells(means: pd.DataFrame, printed: pd.Series) -> pd.DataFrame:
    """Judge the cells of each setting by the printed values, and say which half they belong to.

    `means` is indexed by setting, data set and algorithm, `printed` by data set and algorithm, NaN if
    illegible. The rows of `means` that have a printed value come with `printed`, `differs` and `half`, which
    is "choosing" or "testing".

    >>> names = ["setting", "dataset", "algorithm"]
    >>> index = pd.MultiIndex.from_product([["a", "b"], ["balance", "chess"], ["single"]], names=names)
    >>> means = pd.DataFrame({"mean": [0.6, 0.7, 0.6, 0.8], "half_width": 0.002}, index)
    >>> printed = pd.Series([0.6, 0.8], index[:2].droplevel("setting"))
    >>> judged_cells(means, printed)[["half", "differs"]].to_numpy().tolist()
    [['choosing', False], ['testing', True], ['choosing', False], ['testing', False]]
    """
    found = means.join(printed.rename("printed"), on=["dataset", "algorithm"]).dropna(subset=["printed"])
    in_order = [name for name in list_datasets() if name in found.index.unique("dataset")]
    verdicts = map(cell_verdict, found["mean"], found["half_width"].fillna(0.0), found["printed"])
    return found.assign(
        differs=[verdict == "differs" for verdict in verdicts],
        half=np.where(found.index.isin(in_order[::2], level="dataset"), "choosing", "testing"),
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
