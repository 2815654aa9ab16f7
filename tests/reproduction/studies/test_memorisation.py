"""Boosted trees: recorded results can be computed again."""

import numpy as np
import pytest

from reproduction.studies import boosted_trees, load_boosted_trees
from reproduction.studies.memorisation import N_MODELS, N_TRAIN
from reproduction.theory.memorising import FORMS

MEASURES = ["before", "after", "finished", "error", "vote", "largest_lambda", "alone", "accuracy"]


@pytest.mark.parametrize("dataset", ["synthetic1", "synthetic2"])
def test_the_first_recorded_tree_is_computed_again(dataset):
    recorded = load_boosted_trees(dataset)
    assert set(recorded["form"]) == {"one tree", "batch", *FORMS}
    assert recorded.groupby("form")["model"].max().drop("one tree").eq(N_MODELS).all()
    again = boosted_trees(dataset, N_TRAIN, 1, ["tested before learning"]).query("form != 'batch'")
    first = recorded[recorded["model"] == 1].set_index("form")[MEASURES]
    np.testing.assert_array_equal(first.loc[again["form"]].to_numpy(), again[MEASURES].to_numpy())


def test_more_trees_leave_the_first_ones_as_they_are():
    few, many = (
        boosted_trees("synthetic2", 100, n, ["λ at most 4"]).query("form == 'λ at most 4'") for n in (2, 4)
    )
    np.testing.assert_array_equal(many[MEASURES].to_numpy()[:2], few[MEASURES].to_numpy())
