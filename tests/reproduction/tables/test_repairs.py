"""Ways of boosting online are compared by the rules of their study."""

import numpy as np
import pandas as pd
import pytest

from reproduction.studies.repairs import (
    ON_STREAMS,
    SINGLE,
    THESIS,
    WAYS,
    recorded_beside,
)
from reproduction.tables import beside_references, counted_outcomes, earned, on_streams

BASE, N = "naive_bayes", 50


def rows_of(gains):
    """Results of ways that are so much more accurate than the thesis's on all splits of two data sets."""
    thesis = recorded_beside(BASE, (THESIS,))
    thesis = thesis[thesis["dataset"].isin(["car-evaluation", "chess"])]
    return pd.concat(
        [
            thesis.assign(algorithm=way, n_correct=thesis["n_correct"] + (gain * thesis["n_test"]).round())
            for way, gain in gains.items()
        ]
    )


def test_a_way_that_gains_is_better_and_one_that_changes_nothing_is_equal():
    cells = beside_references(rows_of({"bole": 0.05, "os_boost": 0.0, "online_bbm": -0.05}))
    beside = cells.xs(THESIS, level="reference")["outcome"].groupby(level="way").unique()
    assert {way: found.tolist() for way, found in beside.items()} == {
        "bole": ["better"],
        "os_boost": ["equal"],
        "online_bbm": ["worse"],
    }
    counts = counted_outcomes(cells)
    assert counts.loc[("bole", THESIS), "better"] == 2 and counts.loc[("bole", THESIS), "not run"] == 37
    assert counts.loc[("bole", THESIS), "difference"] == pytest.approx(0.05, abs=0.002)


def stream_rows(gain):
    """Results of streams on which the way `bole` gains, and all others are as accurate as the thesis's."""
    noise = np.random.default_rng(0).integers(-2, 3, 5000)
    runs = ON_STREAMS.tasks("thesis")
    return pd.DataFrame(
        {
            **vars(task),
            "n_seen": 1000,
            "n_correct": 800 + noise[place] + (gain if task.algorithm == "bole" else 0),
        }
        for place, task in enumerate(runs)
    )


@pytest.mark.parametrize(("gain", "expected"), [(50, "better"), (0, "equal"), (-50, "worse")])
def test_streams_are_compared_with_the_thesis_way(gain, expected):
    found = on_streams(stream_rows(gain))
    assert found.loc["bole", "outcome"].eq(expected).all() and len(found.loc["bole"]) == 8
    assert found.loc["os_boost", "outcome"].eq("equal").all()
    assert SINGLE in found.index


@pytest.mark.parametrize("gain", [50, -50])
def test_a_way_is_clearly_better_only_if_it_meets_all_conditions(gain):
    streams = on_streams(stream_rows(gain))
    gains = dict.fromkeys(WAYS, 0.0) | {"bole": 0.03}
    conditions = earned(counted_outcomes(beside_references(rows_of(gains))), streams)
    assert conditions.loc["bole", "not worse on streams"] == (gain > 0)
    assert conditions["not worse on streams"].drop("bole").all()
    assert not conditions.drop("bole")["more accurate than the thesis's way"].any()
