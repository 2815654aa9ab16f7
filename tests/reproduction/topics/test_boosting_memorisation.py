"""Boosted trees: recorded results can be computed again."""

import numpy as np

from reproduction.topics.boosting_memorisation import boosted_trees, memorisation

MEASURES = ["before", "after", "finished", "error", "vote", "largest_lambda", "alone", "accuracy"]


def test_more_trees_leave_the_first_ones_as_they_are():
    few, many = (
        memorisation.compute(boosted_trees("synthetic2", 100, n, ["λ at most 4"])[2:]) for n in (2, 4)
    )
    np.testing.assert_array_equal(many[MEASURES].to_numpy()[:2], few[MEASURES].to_numpy())
