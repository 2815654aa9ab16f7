"""Which cells that differ are explained, and which are not."""

import pandas as pd
import pytest

from reproduction.printed.explained import OURS, cause_of, explained
from reproduction.printed.record import Record
from reproduction.statistics import cell_verdict

SETS = ["promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess", "mushroom"]
WRONG = ["promoters", "balance", "breast-cancer", "chess", "mushroom"]
COLUMNS = ["single", "bagging", "online_bagging"]
SEEN = SETS[:4]
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
    return explained(cells.xs(OURS), cells, SEEN)["verdict"].value_counts().to_dict()


def test_cells_that_a_confirmed_match_reproduces_are_explained():
    cells = candidates()
    cause = cause_of(cells, SEEN)
    assert cause.is_confirmed and cause.name == FAULT
    assert (cause.unseen.gained, cause.unseen.of) == (6, 9)  # Chess and Mushroom, of three data sets
    assert counts(cells) == {"explained": 15, "agrees": 6}


@pytest.mark.parametrize(
    "place", [("car-evaluation", "single"), ("breast-cancer", "bagging"), ("mushroom", "online_bagging")]
)
def test_a_setting_with_which_a_cell_differs_is_no_match_and_explains_nothing(place):
    cells = candidates((FAULT, *place, 0.6, 0.002))
    assert not cause_of(cells, SEEN).matches
    assert counts(cells) == {"differs": 15, "agrees": 6}


def test_a_match_is_not_confirmed_by_data_that_suggested_it():
    cells = candidates()
    cause = cause_of(cells, WRONG)
    assert cause.matches and cause.unseen.of == 6 and not cause.is_confirmed
    assert explained(cells.xs(OURS), cells, WRONG)["verdict"].eq("differs").sum() == 15


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
    assert not cause_of(cells, SEEN).is_confirmed and "explained" not in counts(cells)


def test_a_cell_must_agree_with_the_cause():
    cells = candidates((FAULT, "mushroom", "single", 0.5, 0.02))  # undecided
    assert cause_of(cells, SEEN).is_confirmed
    assert counts(cells) == {"explained": 14, "differs": 1, "agrees": 6}


def test_data_sets_that_had_not_been_seen_take_no_part_in_the_choice():
    """The second setting is the better one there only."""
    worse = [("seen", "mushroom", column, 0.6, 0.002) for column in COLUMNS]
    worse += [("unseen", "promoters", "single", 0.6, 0.002)]
    assert cause_of(candidates(*worse, names=("seen", "unseen")), SEEN).name == "seen"


def test_nothing_confirms_the_match_of_the_stumps():
    cause = Record().cause("3.5")
    assert cause.matches and cause.unseen.present_differ == 0 and not cause.is_confirmed
