"""Recorded results are read, and wrong ones are detected."""

import shutil
from collections import Counter
from contextlib import closing
from dataclasses import asdict, replace

import pandas as pd
import pytest

from reproduction.paths import DATA
from reproduction.printed.record import Record
from reproduction.record import Store
from reproduction.record.shards import read_shard, shard_bytes
from reproduction.record.verification import missing_results, repeatable, stratified, verify
from reproduction.studies.accuracy import GRIDS, compute
from reproduction.topics import studies, tasks

from ..conftest import InProcess, made_with, result, task

SOME = [t for t in tasks("naive-bayes", "smoke") if t.dataset == "balance"]


@pytest.fixture(scope="module")
def truth():
    return {t: compute(t) for t in SOME}


def recorded(results):
    """The results of one study as a frame of records."""
    return pd.DataFrame([asdict(key) | asdict(value) for key, value in results.items()])


def verified(results, study="naive-bayes"):
    found = [*verify(repeatable(studies()[study], recorded(results)), InProcess())]
    different = [(one, computed) for one, computed in found if computed is not None]
    assert all(one.value != computed for one, computed in different)
    return len(found), [one.name for one, _ in different]


def test_true_results_pass(truth):
    assert verified(truth) == (len(SOME), [])


@pytest.mark.parametrize("wrong", [{"n_correct": 1}, {"digest": "0" * 16}, {"n_test": 1}, {"n_train": 1}])
def test_a_tampered_row_is_found(truth, wrong):
    assert verified(truth | {SOME[0]: replace(truth[SOME[0]], **wrong)}) == (len(SOME), [str(SOME[0])])


def test_timing_studies_are_verified_but_their_times(truth):
    timed = replace(SOME[0], study="times-naive-bayes")
    found = compute(timed)
    assert verified({timed: found}, study=timed.study) == (1, [])
    assert verified({timed: replace(found, train_seconds=9.0)}, study=timed.study) == (1, [])
    assert len(verified({timed: replace(found, digest="0" * 16)}, study=timed.study)[1]) == 1


EVERYTHING = [
    one
    for name, study in GRIDS.items()
    for one in repeatable(study, recorded({t: result() for t in tasks(name, "quick")}))
]


def test_a_sample_takes_from_every_study_and_in_each_from_every_stratum_in_turn():
    sample = stratified(EVERYTHING, 5 * len(GRIDS), seed=1)
    assert len({one.name for one in sample}) == len(sample) == 5 * len(GRIDS)
    assert Counter(one.stratum[1] for one in sample) == dict.fromkeys(GRIDS, 5)
    assert max(Counter(one.stratum for one in sample).values()) == 1
    assert stratified(EVERYTHING, len(EVERYTHING) + 1, seed=1) == stratified(EVERYTHING, len(EVERYTHING), 2)


def test_smoke_results_are_computed_not_read(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    frame = Record("smoke").results("naive-bayes")
    assert studies()["naive-bayes"].tasks_in(frame) == sorted(tasks("naive-bayes", "smoke"))
    assert list(tmp_path.iterdir()) == []


def test_recorded_results_are_read_from_the_shards(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    study = studies()["naive-bayes"]
    assert study.recorded().empty
    full, small = task(n_models=100, repetition=3), task(n_models=10)
    with closing(Store(tmp_path)) as store:
        for t in (full, small, replace(full, study="times-naive-bayes")):
            store.add(t, result(), made_with())
        store.export()
    assert study.tasks_in(study.recorded()) == sorted([full, small])
    assert study.tasks_in(study.recorded("thesis")) == [full]
    assert study.recorded("quick").empty


@pytest.mark.full  # a task of the thesis for every study
@pytest.mark.parametrize("n_words", [2, pytest.param(None, marks=pytest.mark.long)], ids=["study", "kind"])
def test_a_recorded_result_of_every_study_is_reproduced(n_words):
    """On Balance, which no file is needed for; the slow one for every base model and algorithm as well."""
    kinds = {
        one.stratum[:n_words]: one
        for study in studies().values()
        for one in repeatable(study, study.recorded(folder=DATA / "results"))
        if one.stratum[0] == "balance"
    }
    assert {study for _, study, *_ in kinds} >= {"neural-networks", "variants", "few-labels"}
    assert [computed for _, computed in verify(kinds.values(), InProcess())] == [None] * len(kinds)


def test_results_that_were_removed_are_named(tmp_path):
    folder = tmp_path / "naive-bayes"
    folder.mkdir()
    path = folder / "balance.parquet"
    shutil.copy(DATA / "results" / "naive-bayes" / "balance.parquet", path)
    assert not any(
        line.endswith("of naive-bayes on balance") for line in missing_results(studies(), tmp_path)
    )
    rows = read_shard(path)
    path.write_bytes(shard_bytes(rows.slice(15)))
    found = missing_results(studies(), tmp_path)
    assert f"15 of {len(rows)} planned results of naive-bayes on balance" in found
    assert any(line.endswith("of naive-bayes on chess") for line in found)
    assert found[-1].startswith("all results of ") and "decision-trees" in found[-1]
