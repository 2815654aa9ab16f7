"""Every check is fed evidence for and against its claim, and its verdict flips.

The file of tests of a topic has it. Its `COUNTER` maps a claim that the record decides to a change of the
evidence on record that turns the verdict, or to several that do.
For claims that the record leaves open, or whose evidence takes long, its `EVIDENCE` has arguments that speak
for it, those that speak against it (None if our results can refute nothing, as when something may happen)
and, for rules that weigh their evidence, those that decide nothing; its `AGAINST` lists, for rules of several
parts, further (claim, arguments) that speak against one.

What turns a verdict must be the evidence: whatever is given with the claim is the same in all cases.
"""

import inspect
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduction.claims.criteria import vanishes
from reproduction.claims.registry import REGISTERED, claim, claims_where
from reproduction.printed.record import Record
from reproduction.topics import checks

MODULES = [
    import_module(f"tests.reproduction.{path.parent.name}.{path.stem}")
    for path in sorted(Path(__file__).parents[1].glob("topics/test_*.py"))
]
EVIDENCE = {number: cases for module in MODULES for number, cases in getattr(module, "EVIDENCE", {}).items()}
AGAINST = [case for module in MODULES for case in getattr(module, "AGAINST", [])]
COUNTER = {
    number: changes if isinstance(changes, list) else [changes]
    for module in MODULES
    for number, changes in getattr(module, "COUNTER", {}).items()
}
RECORD = Record()


@cache
def on_record(number):
    return checks()[number].evidence(RECORD)


def turned(number):
    """The evidence on record, changed in each way that turns the verdict."""
    found = [change(*on_record(number)) for change in COUNTER.get(number, [])]
    return [case if isinstance(case, tuple) else (case,) for case in found]


def cases_of(number):
    if number in COUNTER:
        return [on_record(number), *turned(number)]
    against_it = (case for claimed, case in AGAINST if claimed == number)
    return [case for case in (*EVIDENCE[number], *against_it) if case is not None]


def test_every_check_is_tried():
    assert set(EVIDENCE) | set(COUNTER) == set(checks())
    assert not set(EVIDENCE) & set(COUNTER)


@pytest.mark.parametrize("number", COUNTER)
def test_other_evidence_turns_the_verdict_on_record(number):
    outcomes = {"holds", against(number)}
    now = checks()[number](*on_record(number)).outcome
    assert [{now, checks()[number](*case).outcome} for case in turned(number)] == [outcomes] * len(
        turned(number)
    )


#: What is counted or compared here is there in any case.
NEVER_OPEN = {"C002", "C019", "C064", "C083", "C118", "C143"}

#: Evidence that decides nothing, if it is not the first argument that can be missing.
OPEN = {
    "C003": lambda single, members, ensemble: (single, members[:1], ensemble),
    "C034": lambda share_of_bad, changed, later: (share_of_bad, 0, 0),
    "C057": lambda pointwise, distance, mass: (pointwise, distance, 0.0),
    "C061": lambda base, ensemble: (0 * base + 0.3, ensemble),
    "C080": lambda cells: (cells.drop("3.10"),),
    "C084": lambda times, blocks: ({"4.7": times["4.7"]}, blocks),
    "C101": lambda tables: ({"4.1": tables["4.1"]},),
    "C105": lambda premises, conclusions: (0 * premises + 0.3, conclusions),
}


def without_the_first(first, *others):
    nothing = {} if isinstance(first, dict) else 0 if isinstance(first, int) else first[:0]
    return nothing, *others


@pytest.mark.parametrize(
    "number", [name for name in checks() if name not in NEVER_OPEN and len(EVIDENCE.get(name, ())) < 3]
)
def test_a_claim_without_evidence_stays_open(number):
    case = OPEN.get(number, without_the_first)(*cases_of(number)[0])
    assert checks()[number](*case).outcome == "undecided"


@pytest.mark.parametrize("number", EVIDENCE)
def test_evidence_decides_the_verdict(number):
    outcomes = [None if case is None else checks()[number](*case).outcome for case in EVIDENCE[number]]
    decided = ["holds", against(number)]
    assert outcomes in (
        decided,
        *([*decided, open_] for open_ in ("undecided", "untestable")),
        ["holds", None, "undecided"],
    )


def against(number):
    return "not reproduced" if number in claims_where("reports") else "fails"


@pytest.mark.parametrize(("number", "case"), AGAINST)
def test_each_part_of_a_check_can_fail_alone(number, case):
    assert checks()[number](*case).outcome == against(number)


def given(number, name, case):
    """What a case gives as part of the rule: an argument of the check, or a column of one."""
    argument, _, column = name.partition(".")
    value = inspect.signature(checks()[number]).bind(*case).arguments[argument]
    return value[column] if column else value


def assert_same_rule(number, case, other):
    for name in checks()[number].given:
        one, two = given(number, name, case), given(number, name, other)
        if isinstance(one, pd.Series):  # of the rows that both have
            one, two = one[one.index.isin(two.index)], two[two.index.isin(one.index)]
            pd.testing.assert_series_equal(one, two)
        else:
            assert one == two, f"{number}: {name} is {one} in one case and {two} in another"


@pytest.mark.parametrize("number", checks())
def test_what_turns_a_verdict_is_the_evidence_and_not_the_rule(number):
    first, *others = cases_of(number)
    for other in others:
        assert_same_rule(number, first, other)


@pytest.mark.parametrize("number", checks())
def test_a_single_number_is_given_or_annotated_as_found(number):
    single = (bool, int, float, str, Fraction, int | None, float | None)
    parameters = inspect.signature(checks()[number]).parameters.values()
    assert {p.name for p in parameters if p.annotation in single} <= set(checks()[number].given)
    assert not {p.name for p in parameters if hasattr(p.annotation, "__metadata__")} & set(
        checks()[number].given
    )


def test_a_check_is_not_given_what_it_does_not_take(monkeypatch):
    monkeypatch.delitem(REGISTERED, "C124")
    with pytest.raises(ValueError, match=r"takes no argument .'printed'."):
        claim("C124", evidence=tuple, given=("printed",))(lambda: (True, ""))


def test_a_claim_about_many_learners_stays_open_until_all_are_tried():
    verdict = checks()["C008"]({"Naive Bayes": 0, "pruned decision tree": 9}, {"smoothed Naive Bayes": 7})
    assert verdict.outcome == "undecided"
    assert verdict.evidence.endswith("not tried: decision stump, decision tree")


def test_cases_in_which_threads_gain_and_lose_decide_nothing():
    speed, waiting = EVIDENCE["C128"][0]
    mixed = speed.assign(critical=[0.9, 1.3, 2.0, 2.2])
    assert checks()["C128"](mixed, waiting).outcome == "undecided"


def test_a_check_without_a_claim_or_with_a_taken_one_is_refused():
    with pytest.raises(ValueError, match="no claim 'C999'"):
        claim("C999", evidence=tuple)(lambda: (True, ""))
    with pytest.raises(ValueError, match="'C053' has a check already: copies_tend_to_poisson"):
        claim("C053", evidence=tuple)(lambda: (True, ""))


def test_vanishing_needs_a_rate():
    def by_n(*values):
        return pd.Series(values, index=[2, 5, 20, 100, 500][: len(values)])

    sizes = by_n(2, 5, 20, 100, 500)
    assert vanishes(sizes**-0.3)
    assert vanishes(pd.Series([0.1, 0.4, 0.01, 0.0], index=[1, 2, 20, 50]))
    assert not vanishes(sizes**-0.1)
    assert not vanishes(sizes * 0 + 0.3)
    assert not vanishes(pd.Series([0.1, 0.01, 0.02], index=[1, 20, 50]))
    assert not vanishes(by_n(*np.linspace(0, 1, 5)))
