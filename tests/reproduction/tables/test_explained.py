"""Which cells that differ are explained, and which are not."""

import pandas as pd
import pytest

from reproduction.studies.statistics import cell_verdict
from reproduction.tables import cause_of, explained
from reproduction.tables.explained import OURS

SETS = ["promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess", "mushroom"]
WRONG = ["promoters", "balance", "breast-cancer", "chess", "mushroom"]
COLUMNS = ["single", "bagging", "online_bagging"]
FAULT = "the fault"


def candidates(*changes, names=(FAULT,)):
    """Cells of our setting, wrong on five data sets, and of others, right on all but for `changes`.

    A change is a setting, a data set, a column, a mean, and half the width of its interval.
    """
    levels = ["setting", "dataset", "algorithm"]
    index = pd.MultiIndex.from_product([[OURS, *names], SETS, COLUMNS], names=levels)
    cells = pd.DataFrame({"mean": 0.5, "half_width": 0.002, "printed": 0.5}, index)
    cells.loc[(OURS, WRONG), "mean"] = 0.9
    for *place, mean, half_width in changes:
        cells.loc[tuple(place), ["mean", "half_width"]] = mean, half_width
    return cells.assign(verdict=[cell_verdict(*cell) for cell in cells.itertuples(index=False)])


def counts(cells):
    return explained(cells.xs(OURS), cells)["verdict"].value_counts().to_dict()


def test_cells_that_a_confirmed_cause_reproduces_are_explained():
    cells = candidates()
    cause = cause_of(cells)
    assert cause.is_confirmed and cause.name == FAULT
    assert (cause.by_dataset.gained, cause.by_dataset.of) == (6, 9)  # Balance and Chess, of three data sets
    assert (cause.by_column.gained, cause.by_column.of) == (5, 7)
    assert counts(cells) == {"explained": 15, "agrees": 6}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            [(FAULT, "chess", column, 0.6, 0.002) for column in COLUMNS[:2]], id="the half that tests"
        ),
        pytest.param([(FAULT, "promoters", "online_bagging", 0.6, 0.002)], id="the column not seen"),
        pytest.param([(FAULT, "car-evaluation", "single", 0.6, 0.002)], id="a cell that agrees"),
    ],
)
def test_a_cause_that_fails_one_test_explains_nothing(changes):
    cells = candidates(*changes)
    assert cause_of(cells).name == FAULT and not cause_of(cells).is_confirmed
    assert counts(cells) == {"differs": 15, "agrees": 6}


def test_a_setting_for_each_cell_is_no_cause():
    """Two settings, each right where the other is wrong."""
    halves = [
        (name, dataset, column, 0.6, 0.002)
        for name, parity in (("one", 0), ("other", 1))
        for place, dataset in enumerate(WRONG)
        for column in COLUMNS
        if place % 2 == parity
    ]
    cells = candidates(*halves, names=("one", "other"))
    assert not cause_of(cells).is_confirmed and "explained" not in counts(cells)


def test_a_cell_must_agree_with_the_cause():
    cells = candidates(
        (FAULT, "mushroom", "single", 0.5, 0.02),  # undecided
        (FAULT, "breast-cancer", "bagging", 0.6, 0.002),  # differs
    )
    assert cause_of(cells).is_confirmed
    assert counts(cells) == {"explained": 13, "differs": 2, "agrees": 6}
