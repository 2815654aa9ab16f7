"""The rule of the verdict *explained*: our accuracy differs from the printed one, and it is known why.

A cell that differs can be matched by another setting, with a fault or a choice that the thesis's program may
have had. Whoever tries enough settings finds one for every cell, so that a match alone explains nothing:

- *Match.* One setting for all cells of the table, with no parameter chosen for a cell or a data set, with
  which no cell of the table differs from print. It is chosen among all candidates, our own setting being one
  of them, on the data sets that had been seen, by the rule of `reproduction.studies.held_out`.
- *Confirmation on data that did not suggest it.* Not seen is a data set of which no result with the setting
  had been seen, in any column, when the setting was chosen as a candidate: columns of one data set repeat
  each other. On the data sets not seen, the setting passes the test of `held_out`.
- *Reproduction.* Of the cells that differ in our setting, explained are those that agree with a confirmed
  match, by the rule of equality. If it is undecided whether they agree, they are not explained.

An explained cell is counted apart and never as agreement. A cell that does not differ keeps its verdict.
Until 28 November 2026 half of the data sets, some of them seen, and the column of online bagging confirmed a
setting, which was so called for Table 3.5.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..record.study import Study
from ..statistics import BY_EQUALITY
from ..studies.held_out import HeldOutTest, held_out, judged_cells
from ..studies.nan_settings import SEEN, by_program, nan_stumps
from ..studies.protocol import SMALL
from ..studies.tree_settings import by_setting, tree_settings

#: Our own setting, the first of the candidates.
OURS = "ours"


class Candidates(NamedTuple):
    """The settings that may explain the cells of a table."""

    study: Study
    by_setting: Callable[[pd.DataFrame], dict[str, pd.DataFrame]]  # gives for each the rows of the table
    seen: tuple[str, ...]  # data sets of which a result had been seen with one of them


CANDIDATES = {
    "3.3": Candidates(tree_settings, by_setting, SMALL),
    "3.5": Candidates(nan_stumps, by_program, SEEN),
}


class Cause(NamedTuple):
    """The candidate that was chosen, whether it matches the table, and what the test says of it."""

    matches: bool  # no cell differs with it
    unseen: HeldOutTest  # on the data sets that had not been seen

    @property
    def name(self) -> str:
        return self.unseen.chosen

    @property
    def is_confirmed(self) -> bool:
        return self.matches and self.unseen.explains


def cause_of(candidates: pd.DataFrame, seen: Collection[str]) -> Cause | None:
    """Choose a candidate and test it; None unless there are data sets that were seen, and others.

    `candidates` are the cells of each setting as `accuracy_cells` gives them, with the further level
    `setting`; `OURS` is one of them.
    """
    judged = judged_candidates(candidates)
    was_seen = judged.index.isin(seen, level="dataset")
    if was_seen.all() or not was_seen.any():
        return None
    found = held_out(judged.assign(half=np.where(was_seen, "choosing", "testing")), OURS)
    verdicts: Any = judged["verdict"].xs(found.chosen, level="setting")
    return Cause(bool(verdicts.ne("differs").all()), found)


def judged_candidates(candidates: pd.DataFrame) -> pd.DataFrame:
    """Judge the cells of each setting that count, as `judged_cells` does."""
    cells = candidates[candidates["verdict"].isin(BY_EQUALITY)]
    printed = cells["printed"][cells.index.isin([OURS], level="setting")].droplevel("setting")
    return judged_cells(cells[["mean", "half_width", "verdict"]], printed)


def explained(cells: pd.DataFrame, candidates: pd.DataFrame, seen: Collection[str]) -> pd.DataFrame:
    """Give the cells of a table with the verdict "explained" on those that differ for a confirmed cause."""
    cause = cause_of(candidates, seen)
    if cause is None or not cause.is_confirmed:
        return cells
    with_cause = candidates["verdict"].xs(cause.name, level="setting").reindex(cells.index)
    is_explained = cells["verdict"].eq("differs") & with_cause.eq("agrees")
    return cells.assign(verdict=cells["verdict"].mask(is_explained, "explained"))
