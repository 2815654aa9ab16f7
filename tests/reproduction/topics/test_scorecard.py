"""The scorecard counts what is on record, hides nothing, and says the same to people and programs."""

from contextlib import closing

import pytest

from reproduction import commands
from reproduction.claims.registry import Verdict
from reproduction.claims.verdicts import record_verdicts, recorded_counts
from reproduction.figures import svg
from reproduction.paths import DATA
from reproduction.record import Provenance, Store
from reproduction.studies.accuracy import Result, Task
from reproduction.topics import tasks
from reproduction.topics.scorecard import difference_map, difference_text, scorecard


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    (tmp_path / "verdicts").mkdir()
    return tmp_path


def judge(folder, page, **outcomes):
    verdicts = [Verdict(claim, outcome, f"seen on {page}") for claim, outcome in outcomes.items()]
    record_verdicts(folder, verdicts, {page: {"agrees": 2}}, {page: tuple(outcomes)})


def run_single_models(folder, n_correct):
    """Ten splits of the single Naive Bayes model on Car Evaluation, printed as 0.8569."""
    with closing(Store(folder)) as store:
        made_with = Provenance("0", "s", "3", "2", "0", "a processor", "a commit", "2001-09-01")
        for k in range(10):
            task = Task("naive-bayes", "car-evaluation", "naive_bayes", "single", 1, k // 5, k % 5, 0)
            store.add(task, Result(40_000, 10_000, n_correct + k % 5, "0" * 16, 0.1, 0.1), made_with)
        store.export()


@pytest.fixture(scope="module")
def full_card():
    """The scorecard of the results that come with the library, which takes seconds to compute."""
    return scorecard(DATA / "results")


def test_each_verdict_moves_one_claim_to_its_count(folder):
    judge(folder, "a", C053="holds", C070="fails", C071="undecided")
    counts = scorecard().claim_counts()
    assert counts.sum().to_list() == [1, 1, 0, 1, 0, 148, 151]
    assert counts.index[0] == "empirical" and "all" not in counts.index
    assert counts.loc["theorem", "holds"] == 1 and counts.loc["empirical", "fails"] == 1
    judge(folder, "a", C053="fails", C070="fails", C071="undecided")
    card = scorecard()
    assert card.claim_counts().sum().to_list() == [0, 2, 0, 1, 0, 148, 151]
    assert card.only("fails").claims.index.to_list() == ["C053", "C070"]
    assert card.of(["C071", "C001"]).claims["outcome"].to_list() == ["undecided", "not judged yet"]


def test_results_move_cells(folder):
    run_single_models(folder, 8565)
    card = scorecard()
    cell = card.cells.loc[("3.4", "car-evaluation", "single")]
    assert cell["verdict"] == "agrees" and cell["difference"] == pytest.approx(-0.0002)
    counts = card.cell_counts().loc["3.4"]
    assert counts[["agrees", "differs", "undecided", "share"]].to_list() == [1, 0, 0, 1.0]
    with closing(Store(folder)) as store:
        later = Provenance("0", "s", "3", "2", "0", "a processor", "a commit", "2002-09-01")
        for task in store.recorded(tasks("naive-bayes", "thesis")):
            store.add(task, Result(40_000, 10_000, 8000, "1" * 16, 0.1, 0.1), later)
        store.export()
    card = scorecard()
    assert card.cell_counts().loc["all", ["agrees", "differs", "share"]].to_list() == [0, 1, 0.0]
    assert difference_text(card.cells).endswith("3.4 Car Evaluation single -5.7.")
    assert card.protocol_counts().loc["all", "recorded"] == card.protocol.loc["naive-bayes", "recorded"] == 10
    picture = svg(difference_map(card.cells).figure)
    assert "-5.7" in picture and "Table 3.5" in picture


def test_marks_are_counted_beside_the_printed_ones(folder, full_card):
    assert scorecard().mark_counts().loc["all", ["agrees", "differs"]].to_list() == [0, 0]
    marks = full_card.marks.xs(("3.4", "single"), level=("table", "against"))
    judged = marks[marks["verdict"].isin(["agrees", "differs"])]
    assert ((judged["ours"] == judged["printed"]) == (judged["verdict"] == "agrees")).all()
    assert full_card.mark_counts().loc["3.4", "agrees"] > (judged["verdict"] == "agrees").sum() > 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "not a record of verdicts"),
        ('{"claims": []}', "not a record of verdicts"),
        (
            '{"cells": {}, "claims": [{"claim": "C053", "outcome": "true", "evidence": "", "rule": ""}]}',
            "'true' of claim 'C053'",
        ),
        (
            '{"cells": {}, "claims": [{"claim": "C999", "outcome": "holds", "evidence": "", "rule": ""}]}',
            "claim 'C999' is unknown",
        ),
    ],
)
def test_a_record_that_no_check_can_have_left_is_refused(folder, capsys, text, fault):
    (folder / "verdicts" / "a.json").write_text(text)
    assert commands.main(["scorecard"]) == 2
    assert fault in capsys.readouterr().err


def test_the_counts_of_a_page_are_those_of_its_cells_and_claims(folder):
    judge(folder, "a", C053="holds", C070="fails", C058="holds")
    assert recorded_counts(folder) == {"a": {"cells": {"agrees": 2}, "claims": {"holds": 2, "fails": 1}}}
