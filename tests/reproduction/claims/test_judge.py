"""A claim is judged by its number, from what is recorded, and comes out as it stands on record."""

import dis
from contextlib import suppress
from unittest.mock import Mock

import pytest

from reproduction import statistics
from reproduction.claims.registry import claim, claims_by_page, claims_where
from reproduction.claims.verdicts import on_record, recorded_verdicts
from reproduction.paths import DATA
from reproduction.printed.record import NotPrinted, PrintedRecord, Record
from reproduction.topics import checks, judge

ON_PRINT = claims_where("on_print")
ON_RECORD = recorded_verdicts(DATA / "results").set_index("claim")


@pytest.fixture(scope="module")
def record():
    return Record()


def test_every_claim_has_an_evidence_provider_and_a_verdict_on_record():
    assert set(checks()) == set(ON_RECORD.index)
    with pytest.raises(TypeError, match="evidence"):
        claim("C001")


@pytest.mark.parametrize("number", checks())
def test_the_verdict_on_record_is_what_the_evidence_says(number, record, monkeypatch):
    margin = Mock(wraps=statistics._margin)
    monkeypatch.setattr(statistics, "_margin", margin)
    (verdict,) = judge(record, number)
    former = ON_RECORD.loc[number]
    assert (verdict.outcome, verdict.evidence, verdict.rule) == tuple(former[["outcome", "evidence", "rule"]])
    assert margin.get.called == (number in claims_where("by_margin"))


def test_a_verdict_says_what_was_read(record):
    for _ in range(2):  # the second time from memory
        (verdict,) = judge(record, "C068")
        (source,) = verdict.sources
        assert source.name == "decision-trees (3.3)" and "mushroom" in source.datasets
        assert source.n_runs == len(record.rows("3.3"))
    assert judge(record, "C085")[0].sources == ()


def test_other_results_give_another_verdict(monkeypatch):
    record = Record()
    perfect = record.rows("3.3").assign(n_correct=1, n_test=1)
    monkeypatch.setattr(record, "rows", lambda table: perfect)
    assert judge(record, "C068")[0].outcome == "holds"
    assert ON_RECORD.loc["C068", "outcome"] == "not reproduced"


def test_a_rule_that_needs_only_what_is_printed_is_tried_on_it(record):
    """A rule reads means, marks and times from the record alone if it can do without anything else."""
    alone = {"accuracy", "accuracies", "by_the_program", "times", "all_times"}
    tables = {"3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11"}
    found = set()
    for number in filter(lambda number: _uses_its_record(checks()[number].evidence), ON_RECORD.index):
        read = Reading()
        with suppress(_Stop):
            checks()[number].evidence(read)
        if read.methods and read.methods <= alone and read.tables & tables and checks()[number].on_print():
            found.add(number)
    assert found == set(ON_PRINT)


def _uses_its_record(provider):
    """Whether the code of an evidence provider mentions its argument; the others simulate, for minutes."""
    record = provider.__code__.co_varnames[0]
    return any(
        one.opname.startswith("LOAD") and one.argval == record for one in dis.get_instructions(provider)
    )


class _Stop(Exception):
    pass


class Reading:
    """Notes what an evidence provider asks of a record, and gives it nothing."""

    folder = None

    def __init__(self):
        self.methods, self.tables = set(), set()

    def __getattr__(self, method):
        def read(*tables, **_):
            self.methods.add(method)
            self.tables.update(table for table in tables if isinstance(table, str))
            raise _Stop

        return read


@pytest.mark.parametrize("number", ON_PRINT)
def test_what_print_fails_is_not_called_a_failure(number, record):
    (verdict,) = judge(record, number)
    printed = checks()[number].on_print().outcome
    if printed in ("fails", "not reproduced"):
        assert verdict.outcome not in ("fails", "not reproduced")
    if printed != "undecided":
        assert verdict.evidence.endswith(f"; on the printed numbers this rule gives: {printed}")


def test_a_rule_that_print_fails_cannot_refute(monkeypatch, record):
    number = ON_PRINT[0]
    monkeypatch.setattr(checks()[number], "_decide", lambda *cells: (False, "by a rule that nothing passes"))
    (verdict,) = judge(record, number)
    assert verdict.outcome == "undecided"
    assert verdict.evidence.endswith("on the printed numbers this rule gives: fails")


def test_the_printed_record_has_what_is_printed_and_nothing_else():
    printed = PrintedRecord()
    cells = printed.accuracy("3.4")
    assert cells.loc[("chess", "bagging"), "star"]
    row = cells.loc[("mushroom", "bagging")]
    assert row["single_difference"] == row["mean"] - cells.loc[("mushroom", "single"), "mean"]
    assert printed.times("3.9")["seconds"].notna().all()
    for ask in (lambda: printed.accuracy("4.1"), lambda: printed.rows("3.3"), lambda: printed.errors()):
        with pytest.raises(NotPrinted):
            ask()


@pytest.mark.parametrize("number", ["C016", "C063", "C067", "C101", "C102", "C119"])
def test_a_claim_without_its_results_is_undecided(number, tmp_path):
    (verdict,) = judge(Record(folder=tmp_path), number)
    assert verdict.outcome == "undecided" and verdict.evidence.startswith("not recorded: ")


@pytest.mark.parametrize("page", claims_by_page())
def test_a_page_shows_the_verdicts_on_record(page):
    found = [(v.claim, v.outcome, v.evidence) for v in on_record(page)]
    assert found == list(ON_RECORD.loc[claims_by_page()[page], ["outcome", "evidence"]].itertuples(name=None))


def test_a_page_without_claims_or_a_claim_without_a_verdict_is_refused(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="page='scorecard' shows no claims"):
        on_record("scorecard")
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    assert on_record("adwin")  # those of the library
    (tmp_path / "verdicts").mkdir()
    with pytest.raises(ValueError, match="no verdict on record"):
        on_record("adwin")
