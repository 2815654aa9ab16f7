"""The scorecard counts what is on record, hides nothing, and says the same to people and programs."""

import json
from contextlib import closing

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from oza.compare.style import svg
from reproduction import commands
from reproduction.claims import (
    Verdict,
    record_verdicts,
    recorded_counts,
    recorded_verdicts,
)
from reproduction.pages import (
    claim_cards,
    claim_line,
    claim_list,
    difference_map,
    difference_text,
    scorecard,
)
from reproduction.pages.claims import ClaimCards, first_clauses
from reproduction.pages.scorecard import CELL_VERDICTS, CLAIM_OUTCOMES, _counts
from reproduction.paths import DATA
from reproduction.record import Provenance, Store
from reproduction.studies import Result, Task, tasks


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


def test_nothing_recorded_is_nothing_judged_and_nothing_hidden(folder):
    card = scorecard()
    assert card.claims.index[0] == "C001" and card.claims.index[-1] == "C147" and len(card.claims) == 147
    nothing = dict.fromkeys(CLAIM_OUTCOMES, 0) | {"not judged yet": 147, "all": 147}
    assert card.claim_counts().sum().to_dict() == nothing
    assert not card.protocol["recorded"].any() and card.protocol["planned"].all()
    assert set(card.cells["verdict"]) == {"not run"}
    assert difference_text(card.cells) == "No cell with a printed value has a result yet."


def test_each_verdict_moves_one_claim_to_its_count(folder):
    judge(folder, "a", C053="holds", C070="fails", C071="undecided")
    counts = scorecard().claim_counts()
    assert counts.sum().to_list() == [1, 1, 0, 1, 0, 144, 147]
    assert counts.index[0] == "empirical" and "all" not in counts.index
    assert counts.loc["theorem", "holds"] == 1 and counts.loc["empirical", "fails"] == 1
    judge(folder, "a", C053="fails", C070="fails", C071="undecided")
    card = scorecard()
    assert card.claim_counts().sum().to_list() == [0, 2, 0, 1, 0, 144, 147]
    assert card.only("fails").claims.index.to_list() == ["C053", "C070"]
    assert card.of(["C071", "C001"]).claims["outcome"].to_list() == ["undecided", "not judged yet"]


def test_a_claim_is_linked_to_its_page(folder):
    judge(folder, "b", C053="fails")
    assert 'href="b.html#C053"' in claim_list(scorecard())._repr_html_()


def test_the_list_of_claims_has_a_row_each_whose_rule_is_folded(folder):
    judge(folder, "b", C053="fails")
    card = scorecard()
    soup = BeautifulSoup(claim_list(card)._repr_html_(), "html.parser")
    rows = soup.find_all("details")
    assert len(rows) == 147 and not soup.find("form") and not soup.find("script")
    (row,) = (row for row in rows if row.b.text == "C053")
    assert row["data-outcome"] == "fails" and row["data-kind"] == "theorem"
    assert row.find(class_="verdict-fails").text == "✗ fails"
    assert card.claims.loc["C053", "rule"] in row.text
    assert card.claims.loc["C053", "rule"] not in row.summary.text
    assert soup.find(class_="scoreline").text == "1 ✗ fails 146 not judged yet of 147"


def test_only_the_list_of_the_scorecard_has_addresses(full_card):
    assert 'id="C053"' in claim_list(full_card, is_filtered=True)._repr_html_()
    assert "id=" not in claim_list(full_card)._repr_html_()


def test_a_list_that_is_filtered_offers_what_occurs_and_only_where_scripts_run(folder):
    judge(folder, "b", C053="fails")
    soup = BeautifulSoup(claim_list(scorecard(), is_filtered=True)._repr_html_(), "html.parser")
    form = soup.find("form")
    assert form.has_attr("hidden") and len(soup.find_all("script")) == 1
    assert [option.text for option in form.find("select").find_all("option")] == [
        "all",
        "fails",
        "not judged yet",
    ]


def test_a_card_says_each_thing_once_and_folds_the_rule():
    verdicts = [Verdict("C053", "holds", "near < 1; " + "far " * 50), Verdict("C070", "undecided", "no")]
    cards = ClaimCards(verdicts)
    soup = BeautifulSoup(cards._repr_html_(), "html.parser")
    assert soup.find(class_="scoreline").text == "1 ✓ holds 1 ? undecided of 2"
    first, second = soup.find_all("article")
    assert [first["id"], second["id"]] == ["C053", "C070"]
    line = first.find(class_="evidence").text
    assert line == "near < 1 …"
    assert verdicts[0].rule in first.details.text and verdicts[0].evidence in first.details.text
    assert second.find(class_="evidence").text == "no" and "Evidence" not in second.details.text
    assert repr(cards).splitlines()[0].split() == ["C053", "holds", "near", "<", "1;"] + ["far"] * 50


def test_the_evidence_on_a_card_is_never_cut_within_brackets():
    assert first_clauses("a (b; c. d) is e; f is g", most=17) == "a (b; c. d) is e …"
    assert first_clauses("a (b; c. d) is e; f is g", most=5) == "a (b; c. d) is e …"
    assert first_clauses("a (b; c)", most=4) == "a (b; c)"
    evidence = recorded_verdicts(DATA / "results")["evidence"]
    assert (evidence.str.len() > 150).any()
    for shown in map(first_clauses, evidence):
        assert shown.count("(") == shown.count(")") and shown.count("[") == shown.count("]"), shown


@pytest.mark.parametrize("exhibit", [claim_cards, claim_line])
def test_a_page_says_that_its_verdicts_are_those_on_record(folder, exhibit):
    judge(folder, "a", C065="fails")
    found = exhibit("datasets")
    assert found.counts() == {"fails": 1}
    soup = BeautifulSoup(found._repr_html_(), "html.parser")
    assert [small.text for small in soup.find_all("small")].count(
        "Verdicts on record, for the parameters of this page as published."
    ) == 1
    assert soup.find(id="C065")


def test_an_explained_cell_is_compared_and_does_not_agree():
    index = pd.MultiIndex.from_tuples([("3.5", "chess", name) for name in "abcd"], names=["table", *"xy"])
    cells = pd.DataFrame({"verdict": ["agrees", "explained", "differs", "excluded"]}, index)
    counts = _counts(cells).loc["3.5"]
    assert counts[["agrees", "explained", "differs"]].to_list() == [1, 1, 1]
    assert counts["share"] == pytest.approx(1 / 3)


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


def test_the_map_of_all_differences_has_no_number_that_is_none(full_card):
    assert "nan" not in svg(difference_map(full_card.cells).figure).lower()


def test_marks_are_counted_beside_the_printed_ones(folder, full_card):
    assert scorecard().mark_counts().loc["all", ["agrees", "differs"]].to_list() == [0, 0]
    marks = full_card.marks.xs(("3.4", "single"), level=("table", "against"))
    judged = marks[marks["verdict"].isin(["agrees", "differs"])]
    assert ((judged["ours"] == judged["printed"]) == (judged["verdict"] == "agrees")).all()
    assert full_card.mark_counts().loc["3.4", "agrees"] > (judged["verdict"] == "agrees").sum() > 0


def test_the_command_says_the_same_to_people_and_to_programs(folder, capsys):
    judge(folder, "a", C053="holds")
    run_single_models(folder, 8565)
    assert commands.main(["scorecard"]) == 0
    text = capsys.readouterr().out
    assert "C053  holds  (theorem; thesis" in text and "[a]" in text and "Evidence: seen on a" in text
    assert commands.main(["scorecard", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert list(record) == ["oza", "claims", "cells", "marks", "protocol"]
    for part in ("claims", "cells", "marks"):
        assert list(record[part]) == ["counts", "list"]
    assert record["claims"]["counts"]["theorem"]["holds"] == 1
    assert record["protocol"]["naive-bayes"]["recorded"] == 10
    assert list(record["cells"]["counts"]["3.4"]) == list(CELL_VERDICTS)
    columns = ["claim", "kind", "source", "statement", "rule", "outcome", "evidence", "pages"]
    assert len(record["claims"]["list"]) == 147 and list(record["claims"]["list"][0]) == columns
    assert next(c for c in record["claims"]["list"] if c["claim"] == "C053")["pages"] == ["a"]
    columns = ["table", "dataset", "algorithm", "mean", "standard_error", "half_width", "n_splits", "printed"]
    assert list(record["cells"]["list"][0]) == [*columns, "difference", "verdict"]
    assert record["cells"]["list"][0]["mean"] is None


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
