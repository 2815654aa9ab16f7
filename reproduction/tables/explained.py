"""The rule of the verdict *explained*: our accuracy differs from the printed one, and it is known why.

A cell that differs is explained by another setting, with a fault or a choice that the thesis's program may
have had. Whoever tries enough settings finds one for every cell. So all of this is required; it was fixed
before the runs of `reproduction.studies.nan_settings` were made:

- *One cause.* It is one setting for all cells of the table. No parameter is chosen for a cell or a data set.
- *Choice.* It is chosen among all candidates, our own setting being one of them, by the rule of
  `reproduction.studies.held_out` on the choosing half of the data sets, without the column `UNSEEN`.
- *Confirmation on data that did not suggest it.* It passes the test of `held_out` twice: on the testing half
  of the data sets, in all columns; and on the column `UNSEEN` of all data sets, of which no result had been
  seen with the cause when it was found.
- *No contradiction.* No cell of the table that agrees in our setting differs with the cause.
- *Reproduction.* Of the cells that differ in our setting, explained are those that agree with the cause, by
  the rule of equality. If it is undecided whether they agree, they are not explained.

An explained cell is counted apart and never as agreement. A cell that does not differ keeps its verdict.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..studies import nan_settings, tree_settings
from ..studies.held_out import HeldOutTest, held_out, judged_cells
from ..studies.statistics import BY_EQUALITY

#: Our own setting, the first of the candidates.
OURS = "ours"
UNSEEN = "online_bagging"

#: For tables with candidates: the study of these, and a function that gives for each the rows of the table.
CANDIDATES: dict[str, tuple[str, Callable[[pd.DataFrame], dict[str, pd.DataFrame]]]] = {
    "3.3": (tree_settings.STUDY.name, tree_settings.by_setting),
    "3.5": (nan_settings.STUDY.name, nan_settings.by_program),
}


class Cause(NamedTuple):
    """The candidate that was chosen, and what the tests say of it."""

    by_dataset: HeldOutTest  # on the testing half of the data sets
    by_column: HeldOutTest  # on the column that had not been seen
    contradicted: int  # cells that agree in our setting, and differ with this one

    @property
    def name(self) -> str:
        return self.by_dataset.chosen

    @property
    def is_confirmed(self) -> bool:
        return self.by_dataset.explains and self.by_column.explains and not self.contradicted


def cause_of(candidates: pd.DataFrame) -> Cause | None:
    """Choose a candidate and test it; None if there are no two data sets to choose and test by.

    `candidates` are the cells of each setting as `accuracy_cells` gives them, with the further level
    `setting`; `OURS` is one of them.
    """
    judged = judged_candidates(candidates)
    if judged.index.unique("dataset").size < 2:
        return None
    is_unseen = judged.index.isin([UNSEEN], level="algorithm")
    chooses, tests = judged["half"] == "choosing", judged["half"] == "testing"
    by_column = judged.assign(half=np.where(is_unseen, "testing", "choosing"))
    of_datasets = held_out(judged[tests | (chooses & ~is_unseen)], OURS)
    of_column = held_out(by_column[is_unseen | chooses], OURS)
    verdicts: Any = judged["verdict"].unstack("setting")
    contradicted = verdicts[OURS].eq("agrees") & verdicts[of_datasets.chosen].eq("differs")
    return Cause(of_datasets, of_column, int(contradicted.sum()))


def judged_candidates(candidates: pd.DataFrame) -> pd.DataFrame:
    """Judge the cells of each setting that count, as `judged_cells` does, with the half they belong to."""
    cells = candidates[candidates["verdict"].isin(BY_EQUALITY)]
    printed = cells["printed"][cells.index.isin([OURS], level="setting")].droplevel("setting")
    return judged_cells(cells[["mean", "half_width", "verdict"]], printed)


def explained(cells: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Give the cells of a table with the verdict "explained" on those that differ for a confirmed cause."""
    cause = cause_of(candidates)
    if cause is None or not cause.is_confirmed:
        return cells
    with_cause = candidates["verdict"].xs(cause.name, level="setting").reindex(cells.index)
    is_explained = cells["verdict"].eq("differs") & with_cause.eq("agrees")
    return cells.assign(verdict=cells["verdict"].mask(is_explained, "explained"))
