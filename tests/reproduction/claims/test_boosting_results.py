"""Work is judged by two counts; times are told."""

import pytest

from reproduction.claims import CHECKS

from .evidence.boosting_results import work


@pytest.mark.parametrize("number", ["C016", "C017"])
def test_counts_that_disagree_decide_nothing(number):
    assert CHECKS[number](work([1.2] * 3 + [9.0], [1.1] * 4, tested=0.5)).outcome == "undecided"


@pytest.mark.parametrize("number", ["C016", "C017"])
def test_times_are_reported_but_not_judged(number):
    found, slow = (
        work([0.5, 0.6, 2.0], [0.1] * 3, seconds=seconds) for seconds in (1.0, [1.0, 0.5, 0.1] * 3)
    )
    verdicts = CHECKS[number](found), CHECKS[number](slow)
    assert verdicts[0].outcome == verdicts[1].outcome == "holds"
    assert "seconds in 0 of 3 cases" in verdicts[0].evidence
    assert "seconds in 3 of 3 cases" in verdicts[1].evidence


@pytest.mark.parametrize("number", ["C016", "C017"])
def test_without_counts_nothing_is_decided(number):
    times_alone = {table: cells[["seconds"]] for table, cells in work([0.5], [0.1]).items()}
    assert CHECKS[number](times_alone).outcome == "undecided"
