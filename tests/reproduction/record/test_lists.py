"""Results count if their task is on the list that was committed, and their run began before the end."""

from dataclasses import replace

import pandas as pd
import pytest

from oza.datasets.catalogue import catalogue
from reproduction import commands
from reproduction.record import lists
from reproduction.record.lists import all_breaches, breaches, in_time, registered
from reproduction.topics import studies

STUDY = studies()["forests"]


def test_every_study_keeps_its_list_and_its_end(monkeypatch):
    monkeypatch.setitem(catalogue(), "another", replace(catalogue()["nursery"], name="another"))
    assert all_breaches(studies().values()) == []
    assert registered()["ends"].str.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00").all()


@pytest.mark.parametrize("command", [["judge", "C001"], ["run", "forests", "--profile", "smoke"]], ids=str)
def test_a_task_too_many_is_refused(command, monkeypatch, capsys, offline):
    longer = replace(STUDY, tasks=lambda p: [*STUDY.tasks(p), replace(STUDY.tasks(p)[0], dataset="another")])
    monkeypatch.setitem(studies(), "forests", longer)
    monkeypatch.setattr(commands, "DATA", offline)
    assert commands.main(command) == 2
    said = capsys.readouterr().err
    assert ": the list of forests has " in said and said.endswith("commit its new line before it runs\n")


def test_a_result_that_no_list_names_is_refused(monkeypatch):
    shorter = replace(STUDY, tasks=lambda profile: STUDY.tasks(profile)[1:])
    assert any("1 recorded results of forests are of tasks" in found for found in breaches(shorter))


def test_a_run_after_the_end_is_refused_and_left_out(monkeypatch):
    lines = registered().copy()
    lines.loc["forests", "ends"] = "2026-11-01T00:00:00+00:00"
    monkeypatch.setattr(lists, "registered", lambda: lines)
    assert breaches(STUDY) == ["210 results of forests are of runs after its end, 2026-11-01T00:00:00+00:00"]
    assert in_time("forests", STUDY.recorded()).empty


def test_a_study_needs_a_line(monkeypatch):
    line = registered().loc["forests"]
    monkeypatch.setattr(lists, "registered", lambda: pd.DataFrame(index=["another"]))
    (found,) = breaches(STUDY)
    assert found.startswith("forests has no line in data/reference/studies.csv: before it runs, commit one")
    assert found.endswith(f" begins forests,{line['tasks']},{line['digest']}")


@pytest.mark.parametrize(("study", "n"), [("repaired-boosting", 401), ("repaired-boosting-streams", 0)])
def test_what_was_run_late_is_on_record_and_does_not_count(study, n):
    rows = studies()[study].recorded()
    assert len(rows) - len(in_time(study, rows)) == n
