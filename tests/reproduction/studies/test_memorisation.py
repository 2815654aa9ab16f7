"""Boosted trees: recorded results can be computed again."""

import numpy as np
import pytest

from reproduction.studies import STUDIES, boosted_trees
from reproduction.theory.memorising import FORMS

MEASURES = ["before", "after", "finished", "error", "vote", "largest_lambda", "alone", "accuracy"]


@pytest.mark.parametrize("dataset", ["synthetic1", "synthetic2"])
def test_the_first_recorded_tree_is_computed_again(dataset):
    recorded = STUDIES["memorisation"].recorded(boosted_trees(dataset))
    assert set(recorded["form"]) == {"one tree", "batch", *FORMS}
    assert recorded.groupby("form")["model"].max().drop("one tree").eq(60).all()
    tasks = boosted_trees(dataset, 20_000, 1, ["tested before learning"])
    again = STUDIES["memorisation"].compute(tasks).query("form != 'batch'")
    first = recorded[recorded["model"] == 1].set_index("form")[MEASURES]
    np.testing.assert_array_equal(first.loc[again["form"]].to_numpy(), again[MEASURES].to_numpy())


def test_more_trees_leave_the_first_ones_as_they_are():
    few, many = (
        STUDIES["memorisation"].compute(boosted_trees("synthetic2", 100, n, ["λ at most 4"])[2:])
        for n in (2, 4)
    )
    np.testing.assert_array_equal(many[MEASURES].to_numpy()[:2], few[MEASURES].to_numpy())
