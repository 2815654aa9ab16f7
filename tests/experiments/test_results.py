"""Recorded results are found again, and a wrong one is found out."""

from contextlib import closing
from dataclasses import replace

import pytest

from oza.experiments import Store, compute, load_results, run, tasks, verify
from oza.experiments.results import stratified
from oza.experiments.store import recorded

from .conftest import InProcess, made_with, result, task

SOME = [t for t in tasks("naive-bayes", "smoke") if t.dataset == "balance"]


@pytest.fixture(scope="module")
def truth():
    return {t: compute(t) for t in SOME}


class Mapping(InProcess):
    def map(self, function, items):
        return map(function, items)


def test_true_results_pass(truth):
    assert verify(truth, 100, Mapping()) == (len(SOME), [])


@pytest.mark.parametrize("wrong", [{"n_correct": 1}, {"digest": "0" * 16}, {"n_test": 1}, {"n_train": 1}])
def test_a_tampered_row_is_found(truth, wrong):
    tampered = truth | {SOME[0]: replace(truth[SOME[0]], **wrong)}
    n_checked, mismatches = verify(tampered, 100, Mapping())
    assert n_checked == len(SOME)
    assert [m.task for m in mismatches] == [SOME[0]]
    assert mismatches[0].recorded != mismatches[0].computed


def test_other_times_are_no_mismatch(truth):
    slower = {t: replace(r, train_seconds=9.0) for t, r in truth.items()}
    assert verify(slower, 100, Mapping())[1] == []


def test_timing_studies_are_left_out():
    assert verify({task(study="times-naive-bayes"): result()}, 10, Mapping()) == (0, [])
    assert verify({task(study="a study of old"): result()}, 10, Mapping()) == (0, [])


def test_a_sample_takes_from_every_stratum_in_turn():
    everything = tasks("naive-bayes", "thesis")
    sample = stratified(everything, 192)
    assert len(sample) == len(set(sample)) == 192
    strata = [(t.dataset, t.base_model, t.algorithm) for t in sample]
    assert len(set(strata)) == 96 and max(map(strata.count, strata)) == 2
    assert stratified(everything[::-1], 192) == sample


def test_smoke_results_are_computed_not_read(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    frame = load_results("naive-bayes", "smoke")
    assert set(recorded(frame)) == set(tasks("naive-bayes", "smoke"))
    assert list(tmp_path.iterdir()) == []
    frame["n_correct"] = 0  # the next caller must not see this
    assert load_results("naive-bayes", "smoke")["n_correct"].min() > 0


def test_recorded_results_are_read_from_the_shards(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    assert load_results("naive-bayes").empty
    full, small = task(n_models=100, repetition=3), task(n_models=10)
    with closing(Store(tmp_path)) as store:
        for t in (full, small, replace(full, study="times-naive-bayes")):
            store.add(t, result(), store.begin(made_with()))
        store.export()
    assert set(recorded(load_results("naive-bayes"))) == {full}
    assert set(recorded(load_results("naive-bayes", "quick"))) == set()
    assert set(recorded(load_results("naive-bayes", datasets=[full.dataset]))) == {full}
    assert load_results("naive-bayes", datasets=["balance-2"]).empty


def test_an_exported_run_can_be_verified(store):
    run(SOME, store, InProcess())
    store.export()
    with closing(Store(store.folder)) as again:
        again.import_shards()
        assert verify(recorded(again.frame()), 3, Mapping()) == (3, [])
