"""Ensembles that follow the stream are as accurate as those of MOA, whose answers are recorded."""

import json

import numpy as np
import pytest

from benchmarks.stream_ensembles import COMPARED, RECORD, STREAMS, beside_moa

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
FAST = ("sea", "rbf", "stagger")  # the others take minutes, and need a data set

#: Where we are more accurate by more than that: in our leaves Naive Bayes sees all columns, and not only those
#: drawn. With leaves that predict their majority class the difference was 0.006.
MORE_ACCURATE = {"rbf/adaptive forest"}


def test_every_stream_and_ensemble_is_recorded_for_ten_seeds():
    assert set(RECORDED["accuracy"]) == {f"{name}/{ensemble}" for name in STREAMS for ensemble in COMPARED}
    assert {len(each) for each in RECORDED["accuracy"].values()} == {10}


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=[] if key.split("/")[0] in FAST else pytest.mark.slow)
        for key in RECORDED["accuracy"]
    ],
)
def test_mean_accuracy_over_ten_seeds_is_within_one_percent_of_moa(key):
    own, theirs = beside_moa(key, RECORDED["accuracy"])
    difference = np.mean(own) - np.mean(theirs)
    assert 0.01 < difference < 0.02 if key in MORE_ACCURATE else abs(difference) <= 0.01
