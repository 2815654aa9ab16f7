"""Comparable times are summed, and compared with printed ones and counts of work."""

import pytest

from reproduction.tables import time_cells

from .given import results


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
