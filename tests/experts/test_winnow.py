import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import Winnow
from tests import references

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


def play(reference, X, y):
    """Number of mistakes of a reference implementation."""
    mistakes = 0
    for row, outcome in zip(X.tolist(), y.tolist(), strict=True):
        mistakes += reference.predict(row) != outcome
        reference.learn(row, outcome)
    return mistakes


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
    pieces, predictions, start = Winnow(1.5), [], 0
    for size in [*cuts, len(y)]:
        if start < len(y):
            piece = slice(start, start + size)
            predictions += pieces.partial_fit(X[piece], y[piece]).predictions_.tolist()
            start += size
    assert predictions == whole.predictions_.tolist()
    assert (pieces.promotions_, pieces.demotions_) == (whole.promotions_, whole.demotions_)
    assert pieces.n_seen_ == whole.n_seen_
    assert pieces.weights_.tobytes() == whole.weights_.tobytes()


@given(disjunctions(), ALPHAS, st.sampled_from([None, 1.0, 3.7, 100.0]))
@settings(max_examples=300)
def test_mistakes_on_a_disjunction_stay_below_the_bound(stream, alpha, threshold):
    X, y, n_relevant = stream
    learner = Winnow(alpha, threshold).partial_fit(X, y)
    expected = bound(n_relevant, X.shape[1], alpha, threshold)
    assert learner.mistake_bound(n_relevant) == pytest.approx(expected, rel=1e-12)
    assert learner.mistakes_ < expected


def hardest(learner, n_attributes, relevant, n=400, seed=0):
    """Give `learner` examples of a disjunction, misclassified ones if 200 draws contain one."""
    rng = np.random.default_rng(seed)
    learner.partial_fit(np.ones((1, n_attributes)), [bool(relevant)])
    for _ in range(n):
        shares = rng.random((200, 1)) ** 3
        X = (rng.random((200, n_attributes)) < shares).astype(np.int64)
        y = X[:, relevant].any(axis=1).astype(np.int64)
        wrong = np.flatnonzero(learner.predict(X) != y)
        chosen = wrong[0] if len(wrong) else 0
        learner.partial_fit(X[[chosen]], y[[chosen]])


@pytest.mark.parametrize("relevant", [[], [3], [1, 7], [0, 2, 4, 6, 8]])
@pytest.mark.parametrize("n_attributes", [16, 50])
def test_the_bound_holds_against_an_adversary(n_attributes, relevant):
    learner = Winnow()
    hardest(learner, n_attributes, relevant)
    r = len(relevant)
    assert learner.mistakes_ < learner.mistake_bound(r) == 3 * r * math.ceil(math.log2(n_attributes)) + 2
    assert learner.mistake_bound(r) <= 2 + 3 * r * (1 + math.log2(n_attributes))  # as Blum states it


@pytest.mark.parametrize("n_attributes", [1, 2, 5, 16, 50])
def test_the_bound_on_promotions_is_reached(n_attributes):
    alone = np.repeat(np.eye(n_attributes), 10, axis=0)
    learner = Winnow().partial_fit(alone, np.ones(len(alone)))
    assert learner.promotions_ == n_attributes * math.ceil(math.log2(n_attributes))


def test_no_relevant_attribute_costs_one_mistake():
    learner = Winnow().partial_fit(np.ones((50, 9)), np.zeros(50))
    assert learner.mistakes_ == 1 < learner.mistake_bound(0) == 2


def test_irrelevant_attributes_cost_only_their_logarithm():
    rng = np.random.default_rng(2)
    X = rng.random((3000, 2000)) < 0.002
    y = X[:, 17] | X[:, 1234] | X[:, 1999]
    learner = Winnow().partial_fit(X, y)
    assert learner.mistakes_ < learner.mistake_bound(3) == 3 * 3 * 11 + 2


class NeverDemotes(references.Winnow):
    def change(self, weight, outcome):
        return super().change(weight, outcome) if outcome == 1 else weight


class NeverPromotes(references.Winnow):
    def change(self, weight, outcome):
        return super().change(weight, outcome) if outcome == 0 else weight


class Swapped(references.Winnow):
    def change(self, weight, outcome):
        return super().change(weight, 1 - outcome)


@pytest.mark.parametrize("wrong", [NeverDemotes, NeverPromotes, Swapped])
def test_a_wrong_update_breaks_the_bound(wrong):
    rng = np.random.default_rng(5)
    X = (rng.random((2000, 16)) < rng.random((2000, 1))).astype(np.int64)
    y = X[:, 4] | X[:, 11]
    assert play(references.Winnow(16), X, y) < bound(2, 16)
    assert play(wrong(16), X, y) > bound(2, 16)


def test_an_attribute_demoted_for_long_can_come_back():
    # Attribute 0 alone can carry a row over the threshold, which it does for 4000 demotions of
    # attribute 1; in plain floats attribute 1 would be 0 for ever.
    X = np.tile([[1, 1], [1, 0]], (4000, 1))
    y = np.tile([0, 1], 4000)
    learner = Winnow(threshold=1.0).partial_fit(X, y)
    assert learner.weights_[1] == 0.0  # 2^-4000 as a float64
    assert learner.demotions_ == 4000
    learner.partial_fit(np.tile([0, 1], (5000, 1)), np.ones(5000))
    assert learner.predictions_[-1] == 1
    assert learner.weights_[1] >= 1.0


def test_long_noisy_streams_stay_finite():
    rng = np.random.default_rng(8)
    X = rng.random((100_000, 10)) < 0.5
    y = rng.integers(0, 2, 100_000)
    for alpha in (2.0, 1.1, 1e99):
        learner = Winnow(alpha).partial_fit(X, y)
        assert np.isfinite(learner.weights_).all()
        assert learner.n_seen_ == 100_000


@pytest.mark.parametrize("value", [1, 0.5, 0, -2, math.nan, math.inf, "two", True])
def test_an_alpha_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match=r"alpha must be a number above 1 and below 1e\+100 .*; got "):
        Winnow(alpha=value).partial_fit([[0, 1]], [0])


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, "M"])
def test_a_threshold_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match="threshold must be a number above 0"):
        Winnow(threshold=value).partial_fit([[0, 1]], [0])


@pytest.mark.parametrize("value", [-1, 4, 1.5, None])
def test_a_bound_for_more_attributes_than_there_are_is_refused(value):
    learner = Winnow().partial_fit([[0, 1, 1]], [0])
    with pytest.raises(ValueError, match="n_relevant must be an integer from 0 to 3"):
        learner.mistake_bound(value)


def test_pickles_continue_where_they_stopped():
    rng = np.random.default_rng(9)
    X, y = rng.integers(0, 2, (200, 6)), rng.integers(0, 2, 200)
    learner = Winnow(1.7).partial_fit(X[:90], y[:90])
    again = pickle.loads(pickle.dumps(learner)).partial_fit(X[90:], y[90:])
    learner.partial_fit(X[90:], y[90:])
    assert again.weights_.tobytes() == learner.weights_.tobytes()
    assert again.mistakes_ == learner.mistakes_
