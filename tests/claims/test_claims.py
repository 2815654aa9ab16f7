"""Every check is fed evidence for and against its claim, and its verdict flips.

Each module of `evidence` belongs to a module of `oza.claims`. Its `EVIDENCE` maps a claim to the
arguments that speak for it, those that speak against it and, where a check may see neither, those
that do not bear on it; its `AGAINST` lists further (claim, arguments) that speak against one.
"""

import importlib
import pkgutil

import numpy as np
import pandas as pd
import pytest

from oza.claims import CHECKS, Verdict, claim, verdict_table
from oza.claims._evidence import vanishes

from . import evidence
from .evidence.sampling import CONSTANT, N_OF_N, SIZES, SLOW, by_n

MODULES = [
    importlib.import_module(f"{evidence.__name__}.{m.name}") for m in pkgutil.iter_modules(evidence.__path__)
]
EVIDENCE = {number: cases for module in MODULES for number, cases in module.EVIDENCE.items()}
AGAINST = [case for module in MODULES for case in getattr(module, "AGAINST", [])]


def test_every_check_is_tried():
    assert set(EVIDENCE) == set(CHECKS)


@pytest.mark.parametrize("number", EVIDENCE)
def test_evidence_decides_the_verdict(number):
    outcomes = [CHECKS[number](*case).outcome for case in EVIDENCE[number]]
    assert outcomes in (["holds", "fails"], ["holds", "fails", "undecided"], ["holds", "fails", "untestable"])


@pytest.mark.parametrize(("number", "case"), AGAINST)
def test_each_part_of_a_check_can_fail_alone(number, case):
    assert CHECKS[number](*case).outcome == "fails"


def test_a_claim_about_many_learners_stays_open_until_all_are_tried():
    verdict = CHECKS["C008"]({"Naive Bayes": 0}, {"smoothed Naive Bayes": 7})
    assert verdict.outcome == "undecided"
    assert verdict.evidence.endswith("not tried: decision stump, decision tree")


def test_a_verdict_names_its_claim_and_kind():
    assert Verdict("C053", "holds", "").kind == "theorem"
    assert {Verdict(c, "holds", "").kind for c in ("C004", "C063")} == {"true by construction"}
    assert Verdict("C001", "holds", "").statement.startswith("A majority vote")
    assert "empirical" in {Verdict(c, "holds", "").kind for c in ("C019", "C040", "C100")}


def test_the_table_has_one_row_for_each_verdict():
    table = verdict_table([CHECKS["C058"](N_OF_N), CHECKS["C058"](0.9 * N_OF_N)])
    assert list(table["verdict"]) == ["holds", "fails"]
    assert set(table["kind"]) == {"theorem"}


def test_a_check_without_a_claim_or_with_a_taken_one_is_refused():
    with pytest.raises(ValueError, match="no claim 'C999'"):
        claim("C999")(lambda: (True, ""))
    with pytest.raises(ValueError, match="'C053' has a check already: copies_tend_to_poisson"):
        claim("C053")(lambda: (True, ""))


def test_vanishing_needs_a_rate():
    assert vanishes(by_n(lambda n: n**-0.3))
    assert vanishes(pd.Series([0.1, 0.4, 0.01, 0.0], index=[1, 2, 20, 50]))
    assert not vanishes(SLOW)
    assert not vanishes(CONSTANT)
    assert not vanishes(pd.Series([0.1, 0.01, 0.02], index=[1, 20, 50]))
    assert not vanishes(pd.Series(np.linspace(0, 1, 5), index=SIZES))
