"""Every check flips its verdict when it is fed counter-evidence."""

import math

import numpy as np
import pandas as pd
import pytest

from oza.experiments import claims, sampling
from oza.experiments.claims import CHECKS, Verdict, claim, verdict_table

SIZES = [2, 5, 20, 100, 500]


def by_n(values):
    return pd.Series([float(values(n)) for n in SIZES], index=SIZES)


DISTANCE = by_n(sampling.total_variation)
COUNTS = [counts for total in range(4) for counts in sampling.count_vectors(2, total)]
TRIALS = {counts: sampling.probability_by_trials(counts) for counts in COUNTS}
INDEPENDENT = {counts: sampling.probability_by_independent_counts(counts) for counts in COUNTS}
VARIANCES = pd.DataFrame(
    [(n, m, v, 1.01 * v, 0.01 * v) for n in (10, 50) for m in (1, 5) for v in (1 / (n * n * m),)],
    columns=["N", "M", "exact", "estimate", "standard_error"],
)
CONSTANT = by_n(lambda n: 0.3)
RATIO = by_n(lambda n: n * sampling.mean_inverse_size(n))
NOTHING = by_n(lambda n: math.exp(-n) / 2)
N_OF_N = by_n(lambda n: sampling.sample_size_law(n)[n])
UNCHANGED = {"Naive Bayes": 0, "decision stump": 0, "decision tree": 0}
SLOW = by_n(lambda n: n**-0.1)

#: claim: (evidence for it, evidence against it, evidence that does not bear on it)
EVIDENCE = {
    "C007": (
        (pd.DataFrame({1: DISTANCE}),),
        (pd.DataFrame({1: CONSTANT}),),
        (pd.DataFrame({1: DISTANCE[:1]}),),
    ),
    "C008": ((UNCHANGED, {"network": 7}), ({"Naive Bayes": 1}, {"network": 7}), (UNCHANGED, {"network": 0})),
    "C053": ((DISTANCE,), (1.01 * DISTANCE.iloc[[0, -1]],), (DISTANCE[:1],)),
    "C054": ((TRIALS, INDEPENDENT), (TRIALS, {**INDEPENDENT, (1, 1): TRIALS[2, 0]}), ({}, {})),
    "C055": ((VARIANCES,), (VARIANCES.assign(estimate=1.2 * VARIANCES.exact),), (VARIANCES[:2],)),
    "C056": ((RATIO, NOTHING), (RATIO, CONSTANT), (RATIO[:1], NOTHING[:1])),
    "C057": ((DISTANCE, DISTANCE, 1.0), (DISTANCE, CONSTANT, 1.0), (DISTANCE, DISTANCE, 0.0)),
    "C058": ((N_OF_N,), (0.9 * N_OF_N,), (N_OF_N[:1],)),
    "C059": ((1 - DISTANCE, DISTANCE), (DISTANCE, DISTANCE), (1 - DISTANCE, CONSTANT)),
    "C060": ((1 - N_OF_N, NOTHING), (CONSTANT, NOTHING), (CONSTANT[:1], NOTHING[:1])),
    "C061": ((DISTANCE, 1.5 * DISTANCE), (DISTANCE, 3 * DISTANCE), (CONSTANT, DISTANCE)),
}


@pytest.mark.parametrize("number", EVIDENCE)
def test_evidence_decides_the_verdict(number):
    outcomes = [CHECKS[number](*evidence).outcome for evidence in EVIDENCE[number]]
    assert outcomes == ["holds", "fails", "untestable"]


@pytest.mark.parametrize(
    ("number", "evidence"),
    [
        ("C007", (pd.DataFrame({1: SLOW / 1e6}),)),
        ("C053", (DISTANCE + 1e-4,)),
        ("C054", (TRIALS, {**INDEPENDENT, (9, 9): TRIALS[2, 0]})),
        ("C055", (VARIANCES.assign(exact=lambda d: 1 / d.N, estimate=lambda d: 1 / d.N),)),
        ("C056", (RATIO + 0.01, NOTHING)),
        ("C058", (pd.Series(1.0, index=SIZES),)),
        ("C060", (1 - N_OF_N, CONSTANT)),
        ("C061", (DISTANCE, CONSTANT / 1e3)),
    ],
)
def test_each_half_of_a_check_can_fail_alone(number, evidence):
    assert CHECKS[number](*evidence).outcome == "fails"


def test_a_claim_about_many_learners_stays_open_until_all_are_tried():
    verdict = CHECKS["C008"]({"Naive Bayes": 0}, {"smoothed Naive Bayes": 7})
    assert verdict.outcome == "untestable"
    assert verdict.evidence.endswith("not tried: decision stump, decision tree")


def test_every_check_is_tried_with_counter_evidence():
    assert set(EVIDENCE) <= set(CHECKS)


def test_a_verdict_names_its_claim_and_kind():
    assert Verdict("C053", "holds", "").kind == "theorem"
    assert Verdict("C004", "holds", "").kind == "true by construction"
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
    assert claims._vanishes(by_n(lambda n: n**-0.3))
    assert claims._vanishes(pd.Series([0.1, 0.4, 0.01, 0.0], index=[1, 2, 20, 50]))
    assert not claims._vanishes(SLOW)
    assert not claims._vanishes(CONSTANT)
    assert not claims._vanishes(pd.Series([0.1, 0.01, 0.02], index=[1, 20, 50]))
    assert not claims._vanishes(pd.Series(np.linspace(0, 1, 5), index=SIZES))
