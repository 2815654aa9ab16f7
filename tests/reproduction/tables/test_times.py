"""Comparable times are summed, and compared with printed ones and counts of work."""

import pandas as pd
import pytest

from reproduction.tables import costs_by_size, protocol_times, recorded_times, time_cells

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


def test_the_times_of_the_whole_protocol_count_what_both_have():
    cells = time_cells(results().assign(train_seconds=0.9, test_seconds=0.0), "3.9")
    total = protocol_times({"3.9": cells})
    splits = {"balance": 50, "chess": 50, "census-income": 10}
    both = cells["printed"].dropna().loc[list(splits)]
    runs = [
        splits[dataset] * (5 if algorithm == "online_bagging" else 1) for dataset, algorithm in both.index
    ]
    assert total.loc["3.9", "runs"] == total.loc["all", "runs"] == sum(runs)
    assert total.loc["3.9", "hours"] == pytest.approx(0.9 * sum(runs) / 3600)
    assert total.loc["all", "printed_hours"] == pytest.approx((both * runs).sum() / 3600)
    none = protocol_times({"3.9": cells.assign(printed=float("nan"))})
    assert none.loc["all", ["runs", "hours"]].to_list() == [0, 0]


def test_what_was_recorded_is_added_up(monkeypatch):
    monkeypatch.setattr(
        "reproduction.record.study.Study.recorded",
        lambda study, profile: results().assign(train_seconds=36.0, test_seconds=0.0),
    )
    total = recorded_times()
    n = len(results())
    runs, hours, planned, planned_hours = total.loc["naive-bayes"]
    assert (runs, hours, planned) == (n, pytest.approx(n / 100), 12_960)
    cross_validated, split = 50 + 50 + 5 * 50, 10 + 10 + 5 * 10  # single, bagging, online bagging
    assert planned_hours == pytest.approx((3 * cross_validated + 2 * split) / 100)
    assert total.loc["all", "runs"] == n * (len(total) - 1) and "times-naive-bayes" not in total.index
