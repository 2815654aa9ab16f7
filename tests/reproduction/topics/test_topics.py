"""Every study can be run, recorded, read and verified."""

import json
from contextlib import closing
from dataclasses import replace
from functools import cache

import pandas as pd
import pyarrow.parquet as pq
import pytest

from oza.datasets import dataset_info, list_datasets
from reproduction.paths import DATA
from reproduction.record import PROFILES, Store, run
from reproduction.record.bits import OF_PROCESSOR
from reproduction.record.study import Measure
from reproduction.record.verification import not_repeatable, repeatable, verify
from reproduction.studies.accuracy import GRIDS
from reproduction.topics import studies, tasks
from tests.estimators import full_but

from ..conftest import InProcess

MEASURED = [name for name in studies() if name not in GRIDS]
#: Studies whose smallest tasks take more than a second.
SLOW = {
    *("active-learning", "current-peers", "few-labels", "nan-stumps", "stream-courses", "stream-ensembles"),
    *("times-by-size", "tree-settings", "work"),
}


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory):
    """A folder with the recorded results of the smallest profile of a study."""

    @cache
    def recorded(name):
        folder = tmp_path_factory.mktemp("results")
        with closing(Store(folder)) as store:
            assert run(studies()[name], tasks(name, "smoke"), store, InProcess()) == []
            store.export()
        return folder

    return recorded


def test_every_study_that_is_declared_is_listed():
    sources = [path.read_text(encoding="utf-8") for path in (DATA.parent / "reproduction").rglob("*.py")]
    declared = [each for each in studies().values() if isinstance(each.measure, Measure)]
    assert len(declared) == sum(s.count("\n@study(") + s.count(" = _on_streams(") for s in sources)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("study", studies())
def test_no_task_comes_twice(study, profile):
    listed = tasks(study, profile)
    assert len(listed) == len(set(listed)) > 0
    assert {task.study for task in listed} == {study} and {type(t) for t in listed} == {studies()[study].task}


@pytest.mark.parametrize("study", studies())
def test_results_name_the_source_of_the_module_that_measures(study):
    assert studies()[study].measure.__module__.partition(".record")[0] != "reproduction"


@pytest.mark.parametrize("study", studies())
def test_quick_is_a_part_of_thesis(study):
    assert set(tasks(study, "quick")) <= set(tasks(study, "thesis"))


@pytest.mark.parametrize("study", studies())
def test_smoke_needs_no_file(study):
    listed = {task.dataset for task in tasks(study, "smoke")} & set(list_datasets())
    assert all(dataset_info(name).generated for name in listed)


@pytest.mark.parametrize("name", full_but(MEASURED, *{*MEASURED} - SLOW))
def test_what_is_recorded_is_read_and_computed_again(folder_of, name):
    study, folder = studies()[name], folder_of(name)
    listed = tasks(name, "smoke")
    rows = study.recorded(listed, folder)
    assert list(dict.fromkeys(study.tasks_in(rows))) == listed
    results = repeatable(study, rows)
    assert len(results) == len(listed) and {one.stratum[1] for one in results} == {name}
    assert [*verify(results[:1], InProcess())] == [(results[0], None)]


@pytest.mark.full  # every task once more for each of its columns
@pytest.mark.parametrize("name", MEASURED)
def test_a_wrong_value_is_found_in_every_column_but_those_that_vary(folder_of, name):
    study = replace(studies()[name], measure=cache(studies()[name].measure))
    first = tasks(name, "smoke")[-1]
    rows = study.recorded([first], folder_of(name))
    for column in study.measured:
        other = rows[column] + "x" if rows[column].dtype == "str" else 2 * rows[column] + 1
        if rows[column].isna().all():
            other = other.fillna(0.5)
        ((_, computed),) = verify(repeatable(study, rows.assign(**{column: other})), InProcess())
        is_text = rows[column].dtype == "str" and study.bits(first) is OF_PROCESSOR  # then numbers count
        assert (computed is not None) == (column not in study.varying and not is_text), column


def test_a_task_that_is_not_recorded_is_neither_computed_nor_read(monkeypatch, tmp_path):
    study = studies()["answers-by-size"]
    first, second = tasks("answers-by-size", "smoke")
    with closing(Store(tmp_path)) as store:
        run(study, [second], store, InProcess())
        store.export()
    computed = study.compute([second])
    monkeypatch.setattr("reproduction.topics.kdd2001._answers", lambda *_: pytest.fail("computed"))
    rows = study.recorded([first, second], tmp_path)
    assert rows[list(computed)].equals(computed) and study.recorded("smoke", tmp_path).equals(rows)
    assert study.recorded(folder=tmp_path).equals(rows)
    assert study.recorded([first], tmp_path).empty


def test_what_is_recorded_is_read_and_the_rest_computed_but_not_recorded(tmp_path):
    computed = []
    study = studies()["answers-by-size"]
    counting = replace(study, measure=lambda task: computed.append(task) or study.measure(task))
    listed = tasks("answers-by-size", "smoke")
    whole = counting.recorded_or_computed(listed, tmp_path)
    assert computed == study.tasks_in(whole) == listed and list(tmp_path.iterdir()) == []
    with closing(Store(tmp_path)) as store:
        run(study, listed[1:], store, InProcess())
        store.export()
    pd.testing.assert_frame_equal(counting.recorded_or_computed(listed, tmp_path), whole)
    assert computed[len(listed) :] == listed[:1]
    assert len(study.recorded(listed, tmp_path)) == len(listed) - 1


def test_answers_of_other_libraries_are_not_computed_again():
    study = studies()["independent-check"]
    rows = study.recorded().query("dataset == 'balance' and repetition == 0 and fold == 0")
    ours = rows[rows["implementation"] == "oza"]
    assert 0 < len(ours) == len(repeatable(study, rows)) < len(rows)


def test_everything_in_the_folder_of_results_is_of_a_study_or_listed():
    lines = not_repeatable(studies(), DATA / "results")
    assert not any("no study has this name" in line for line in lines)
    peers = studies()["independent-check"].recorded().query("implementation != 'oza'")
    for name, rows in peers.groupby("implementation"):
        reason = f"answers of {name}, which `make peers-check` records"
        assert f"{len(rows)} results of independent-check: {reason}" in lines


@pytest.mark.parametrize("name", [name for name in MEASURED if name != "work"])
def test_studies_that_are_no_grids_are_recorded_whole(name):
    recorded = set(studies()[name].tasks_in(studies()[name].recorded()))
    assert set(tasks(name, "thesis")) <= recorded


def test_shards_hold_each_task_of_a_study_that_is_no_grid_in_order():
    for name in MEASURED:
        every = studies()[name].recorded()
        for path in (DATA / "results" / name).glob("*.parquet"):
            rows = every[every["dataset"] == path.stem]
            listed = studies()[name].tasks_in(rows)
            assert listed == sorted(listed) and len(listed) == pq.read_metadata(path).num_rows
            assert json.dumps(rows.iloc[0].to_dict())
