import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import WeightedMajority
from tests import references
from tests.streams import pieces

BETAS = st.sampled_from([0.5, 0.25, 0.9, 0.999, 1e-3, 1e-300])


@st.composite
def rounds(draw, max_rows=60):
    """Predictions of experts, and outcomes; some experts are often right, some often wrong."""
    n_experts, n = draw(st.integers(1, 6)), draw(st.integers(1, max_rows))
    rows = st.lists(st.integers(0, 1), min_size=n_experts, max_size=n_experts)
    advice = draw(st.lists(rows, min_size=n, max_size=n))
    follow = draw(st.one_of(st.none(), st.integers(0, n_experts - 1)))
    if follow is not None:
        return np.array(advice), np.array([row[follow] for row in advice])
    return np.array(advice), np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))


def bound(mistakes, n_experts, beta):
    return (mistakes * math.log(1 / beta) + math.log(n_experts)) / math.log(2 / (1 + beta))


@given(rounds(), BETAS)
@settings(max_examples=150)
def test_equals_the_reference(stream, beta):
    advice, outcomes = stream
    forecaster = WeightedMajority(beta).partial_fit(advice, outcomes)
    reference = references.WeightedMajority(advice.shape[1], beta)
    expected = []
    for row, y in zip(advice.tolist(), outcomes.tolist(), strict=True):
        expected.append(reference.predict(row))
        reference.learn(row, y)
    assert forecaster.predictions_.tolist() == expected
    assert forecaster.expert_mistakes_.tolist() == reference.mistakes
    assert forecaster.predict(advice).tolist() == [reference.predict(row) for row in advice.tolist()]
    weights = forecaster._weights
    for i, k in enumerate(reference.mistakes):
        assert (weights.mantissas[i], weights.exponents[i]) == references.power(beta, k)


@given(rounds(max_rows=50))
@settings(max_examples=150)
def test_halving_decides_as_exact_arithmetic_does(stream):
    advice, outcomes = stream
    forecaster = WeightedMajority().partial_fit(advice, outcomes)
    weights = [Fraction(1, 2**k) for k in forecaster.expert_mistakes_.tolist()]
    for row, prediction in zip(advice.tolist(), forecaster.predict(advice), strict=True):
        for_one = sum(w for w, bit in zip(weights, row, strict=True) if bit)
        assert prediction == (for_one >= sum(weights) - for_one)
    np.testing.assert_array_equal(forecaster.weights_, [float(w / sum(weights)) for w in weights])


@given(rounds(), BETAS, st.lists(st.integers(1, 20), max_size=8))
def test_any_chunks_give_the_same_bits(stream, beta, cuts):
    advice, outcomes = stream
    whole = WeightedMajority(beta).fit(advice, outcomes)
    cut, predictions = WeightedMajority(beta), []
    for piece in pieces(cuts, len(outcomes)):
        predictions += cut.partial_fit(advice[piece], outcomes[piece]).predictions_.tolist()
    assert predictions == whole.predictions_.tolist()
    assert cut.mistakes_ == whole.mistakes_ and cut.n_seen_ == whole.n_seen_
    assert cut.weights_.tobytes() == whole.weights_.tobytes()


@given(rounds(), BETAS)
@settings(max_examples=200)
def test_the_mistake_bound_holds(stream, beta):
    advice, outcomes = stream
    forecaster = WeightedMajority(beta).partial_fit(advice, outcomes)
    expected = bound(min((advice != outcomes[:, None]).sum(axis=0)), advice.shape[1], beta)
    assert forecaster.mistake_bound() == pytest.approx(expected, rel=1e-12)
    assert forecaster.mistakes_ <= expected + 1e-9


def test_an_expert_long_written_off_can_come_back():
    advice = np.ones((16_000, 2), np.int64)
    advice[:2000, 0] = advice[2000:, 1] = 0  # the outcome is always 1
    forecaster = WeightedMajority().partial_fit(advice, np.ones(16_000, np.int64))
    assert forecaster.mistakes_ <= forecaster.mistake_bound() < 16_000
    assert forecaster.weights_.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("beta", [0.5, 0.9, 1e-300])
def test_long_streams_do_not_underflow(beta):
    rng = np.random.default_rng(7)
    outcomes = rng.integers(0, 2, 100_000)
    advice = outcomes[:, None] ^ (rng.random((100_000, 10)) < np.linspace(0.6, 0.4, 10))
    forecaster = WeightedMajority(beta).partial_fit(advice, outcomes)
    assert forecaster.expert_mistakes_.min() > 35_000
    assert np.isfinite(forecaster.weights_).all()
    assert forecaster.weights_.sum() == pytest.approx(1)
    assert forecaster.weights_.argmax() == forecaster.expert_mistakes_.argmin()
    assert forecaster.mistakes_ <= forecaster.mistake_bound()
    best = advice[:, forecaster.expert_mistakes_.argmin()]
    np.testing.assert_array_equal(forecaster.predict(advice[:100]), best[:100])


def test_a_tie_predicts_1():
    assert WeightedMajority().fit([[0, 1]], [1]).predictions_.tolist() == [1]
    assert WeightedMajority().fit([[0, 1], [0, 1]], [1, 0]).predict([[1, 0], [0, 1]]).tolist() == [1, 1]


def test_the_order_of_the_experts_does_not_decide_a_tie():
    # Weights 0.9^k of the six experts on either side are the same numbers in another order.
    advice = np.zeros((11, 12), np.int64)
    for i, k in enumerate([0, 3, 5, 7, 9, 11, 11, 9, 7, 5, 3, 0]):
        advice[:k, i] = 1
    forecaster = WeightedMajority(0.9).partial_fit(advice, np.zeros(11))
    side = np.repeat([0, 1], 6)
    assert forecaster.predict([side, 1 - side]).tolist() == [1, 1]


@pytest.mark.parametrize("beta", [0, 1, -0.5, 2, math.nan, math.inf, "half", None, True])
def test_a_beta_out_of_range_is_refused(beta):
    with pytest.raises(ValueError, match=r"beta must be a number above 0 and below 1 .*; got "):
        WeightedMajority(beta).partial_fit([[0, 1]], [0])
