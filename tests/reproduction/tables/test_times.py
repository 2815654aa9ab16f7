"""Comparable times are summed, and compared with printed ones and counts of work."""

import pandas as pd
import pytest

from reproduction.tables import costs_by_size, time_cells

from .given import counted, results


@pytest.mark.parametrize("column", ["source", "processor"])
def test_a_table_of_times_refuses_to_mix(column):
    frame = results().assign(source="1f", processor="Pentium III", commit="c")
    other_commit = frame.assign(commit=["another", *["c"] * (len(frame) - 1)])
    assert time_cells(other_commit, "3.9").equals(time_cells(results(), "3.9"))
    mixed = frame.assign(**{column: ["2a", *["1f"] * (len(frame) - 1)]})
    with pytest.raises(
        ValueError, match=r"Table 3\.9: times were measured with different .*1f, 2a.*make times"
    ):
        time_cells(mixed, "3.9")


def test_costs_by_size_are_counts_of_all_models_and_median_seconds():
    times = pd.DataFrame({"dataset": "balance", "n_train": 500, "algorithm": "single", "seconds": [1, 2, 9]})
    costs = costs_by_size(times, counted())
    assert set(costs) == {"updates", "operations", "seconds"}
    assert costs["updates"].loc[("balance", 500)].to_dict() == {"single": 2000, "bagging": 2000}
    assert costs["operations"].loc[("balance", 500), "bagging"] == 4500
    assert costs["seconds"].loc[("balance", 500), "single"] == 2
