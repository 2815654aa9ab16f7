import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import Winnow
from tests import references
from tests.streams import pieces

ALPHAS = st.sampled_from([2.0, 1.5, 1.1, 4.0, 10.0])


@st.composite
def disjunctions(draw, noisy=False):
    """Boolean attributes, a set of relevant ones, and their disjunction."""
    n_attributes, n = draw(st.integers(1, 12)), draw(st.integers(1, 80))
    seed, share = draw(st.integers(0, 2**32)), draw(st.sampled_from([0.05, 0.2, 0.5, 0.9]))
    rng = np.random.default_rng(seed)
    X = (rng.random((n, n_attributes)) < share).astype(np.int64)
    relevant = draw(st.lists(st.integers(0, n_attributes - 1), unique=True))
    y = X[:, relevant].any(axis=1).astype(np.int64)
    if noisy:
        y ^= rng.random(n) < 0.2
    return X, y, len(relevant)


def bound(n_relevant, n_attributes, alpha=2.0, threshold=None):
    threshold = n_attributes if threshold is None else threshold
    rises = max(0, math.ceil(math.log(threshold, alpha) - 1e-12))
    return (alpha + 1) * n_relevant * rises + alpha * n_attributes / ((alpha - 1) * threshold)


@given(disjunctions(noisy=True), ALPHAS, st.sampled_from([None, 1.0, 3.7, 100.0]))
@settings(max_examples=150)
def test_equals_the_reference(stream, alpha, threshold):
    X, y, _ = stream
    learner = Winnow(alpha, threshold).partial_fit(X, y)
    reference = references.Winnow(X.shape[1], alpha, threshold)
    expected = []
    for row, outcome in zip(X.tolist(), y.tolist(), strict=True):
        expected.append(reference.predict(row))
        reference.learn(row, outcome)
    assert learner.predictions_.tolist() == expected
    assert learner.predict(X).tolist() == [reference.predict(row) for row in X.tolist()]
    assert learner.weights_.tolist() == [math.ldexp(m, e) for m, e in reference.weights]
    assert learner.promotions_ == sum(p < o for p, o in zip(expected, y, strict=True))
    assert learner.demotions_ == sum(p > o for p, o in zip(expected, y, strict=True))
    assert learner.mistakes_ == learner.promotions_ + learner.demotions_


@given(disjunctions(noisy=True), st.lists(st.integers(1, 20), max_size=8))
def test_any_chunks_give_the_same_bits(stream, cuts):
    X, y, _ = stream
    whole = Winnow(1.5).fit(X, y)
    cut, predictions = Winnow(1.5), []
    for piece in pieces(cuts, len(y)):
        predictions += cut.partial_fit(X[piece], y[piece]).predictions_.tolist()
    assert predictions == whole.predictions_.tolist()
    assert (cut.promotions_, cut.demotions_) == (whole.promotions_, whole.demotions_)
    assert cut.n_seen_ == whole.n_seen_
    assert cut.weights_.tobytes() == whole.weights_.tobytes()


@given(disjunctions(), ALPHAS, st.sampled_from([None, 1.0, 3.7, 100.0]))
@settings(max_examples=300)
def test_mistakes_on_a_disjunction_stay_below_the_bound(stream, alpha, threshold):
    X, y, n_relevant = stream
    learner = Winnow(alpha, threshold).partial_fit(X, y)
    expected = bound(n_relevant, X.shape[1], alpha, threshold)
    assert learner.mistake_bound(n_relevant) == pytest.approx(expected, rel=1e-12)
    assert learner.mistakes_ < expected


def test_an_attribute_demoted_for_long_can_come_back():
    X = np.tile([[1, 1], [1, 0]], (4000, 1))  # attribute 0 alone can carry a row over the threshold
    learner = Winnow(threshold=1.0).partial_fit(X, np.tile([0, 1], 4000))
    assert learner.weights_[1] == 0.0  # 2^-4000 as a float64, where it would stay
    learner.partial_fit(np.tile([0, 1], (5000, 1)), np.ones(5000))
    assert learner.predictions_[-1] == 1 and learner.weights_[1] >= 1.0


@pytest.mark.parametrize("value", [1, 0.5, 0, -2, math.nan, math.inf, "two", True])
def test_an_alpha_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match=r"alpha must be a number above 1 and below 1e\+100 .*; got "):
        Winnow(alpha=value).partial_fit([[0, 1]], [0])


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, "M"])
def test_a_threshold_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match="threshold must be a number above 0"):
        Winnow(threshold=value).partial_fit([[0, 1]], [0])


def test_long_noisy_streams_stay_finite():
    rng = np.random.default_rng(8)
    X = rng.random((100_000, 10)) < 0.5
    y = rng.integers(0, 2, 100_000)
    for alpha in (2.0, 1.1, 1e99):
        learner = Winnow(alpha).partial_fit(X, y)
        assert np.isfinite(learner.weights_).all()
        assert learner.n_seen_ == 100_000
