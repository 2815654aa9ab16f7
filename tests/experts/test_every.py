"""What all forecasters have in common."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import skops.io
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import oza
from oza import UniversalLinearPredictor, WeightedMajority, Winnow
from tests.estimators import FORECASTERS

BITS = np.random.default_rng(0).integers(0, 2, (60, 4))
OUTCOMES = np.random.default_rng(1).integers(0, 2, 60)
STREAMS = [
    (WeightedMajority(beta=0.7), (BITS, OUTCOMES)),
    (Winnow(alpha=1.5, threshold=3), (BITS, OUTCOMES)),
    (UniversalLinearPredictor(order=3, amplitude=2.0), (np.sin(np.arange(60.0)),)),
]
BINARY = [WeightedMajority(), Winnow()]


def test_there_is_a_stream_for_every_forecaster():
    assert {type(forecaster) for forecaster, _ in STREAMS} == set(FORECASTERS.values())


def name_of(value):
    return type(value).__name__


@pytest.mark.parametrize(("forecaster", "stream"), STREAMS, ids=name_of)
class TestEvery:
    def test_clones_have_the_parameters_and_nothing_learned(self, forecaster, stream):
        learned = clone(forecaster).fit(*stream)
        again = clone(learned)
        assert again.get_params() == forecaster.get_params() == learned.get_params()
        assert not hasattr(again, "n_seen_")
        assert repr(again) == repr(forecaster)

    def test_skops_files_hold_the_same(self, forecaster, stream):
        learned = clone(forecaster).fit(*stream)
        file = skops.io.dumps(learned)
        again = skops.io.loads(file, trusted=skops.io.get_untrusted_types(data=file))
        assert pickle.dumps(learned.partial_fit(*stream)) == pickle.dumps(again.partial_fit(*stream))

    def test_fit_starts_from_the_beginning(self, forecaster, stream):
        once = clone(forecaster).fit(*stream)
        twice = clone(forecaster).fit(*stream).partial_fit(*stream).fit(*stream)
        assert pickle.dumps(once) == pickle.dumps(twice)
        assert once.n_seen_ == len(stream[0])

    def test_a_fit_that_is_refused_leaves_it_as_it_was(self, forecaster, stream):
        learned = clone(forecaster).fit(*stream)
        before = pickle.dumps(learned)
        with pytest.raises(ValueError, match="nan"):
            learned.fit(stream[0] * math.nan, *stream[1:])
        assert pickle.dumps(learned) == before

    def test_a_changed_parameter_is_refused_in_mid_stream(self, forecaster, stream):
        changes = {"beta": 0.6, "alpha": 3.0, "threshold": 2.0, "order": 4, "amplitude": 3.0, "c": 5.0}
        for name in changes.keys() & forecaster.get_params():
            learned = clone(forecaster).fit(*stream)
            with pytest.raises(ValueError, match=f"{name} was .* when learning began and is {changes[name]}"):
                learned.set_params(**{name: changes[name]}).partial_fit(*stream)

    def test_the_stream_itself_is_left_alone(self, forecaster, stream):
        copies = [np.array(part) for part in stream]
        for part in copies:
            part.setflags(write=False)
        clone(forecaster).fit(*copies).partial_fit(*copies)

    def test_what_it_shows_is_a_copy(self, forecaster, stream):
        learned = clone(forecaster).fit(*stream)
        before = pickle.dumps(learned)
        for name in ("weights_", "expert_mistakes_", "losses_", "coefficients_"):
            if hasattr(learned, name):
                getattr(learned, name)[:] = 99
        assert pickle.dumps(learned) == before

    def test_asking_before_it_has_learned_says_so(self, forecaster, stream):
        for method, arguments in [
            ("predict", (BITS,)),
            ("mistake_bound", (1,) if isinstance(forecaster, Winnow) else ()),
            ("predict_next", ()),
            ("regret", ()),
            ("regret_bound", ()),
        ]:
            if hasattr(forecaster, method):
                with pytest.raises(NotFittedError):
                    getattr(clone(forecaster), method)(*arguments)


@pytest.mark.parametrize("learner", BINARY, ids=name_of)
class TestBits:
    def test_bits_may_be_of_any_type_and_layout(self, learner):
        expected = clone(learner).fit(BITS, OUTCOMES)
        for bits, outcomes in [
            (BITS.tolist(), OUTCOMES.tolist()),
            (BITS.astype(bool), OUTCOMES.astype(bool)),
            (BITS.astype(np.float32), OUTCOMES.astype(np.float64)),
            (BITS.astype(object), OUTCOMES.astype(object)),
            (np.asfortranarray(BITS), np.repeat(OUTCOMES, 2)[::2]),
            (np.repeat(BITS, 2, axis=1)[:, ::2], OUTCOMES.astype(np.uint8)),
            (pd.DataFrame(BITS).astype({0: bool}), pd.Series(OUTCOMES)),
        ]:
            other = clone(learner).fit(bits, outcomes)
            np.testing.assert_array_equal(other.predictions_, expected.predictions_)
            assert other.weights_.tobytes() == expected.weights_.tobytes()
            np.testing.assert_array_equal(other.predict(bits), expected.predict(BITS))

    @pytest.mark.parametrize(
        ("bits", "outcomes", "message"),
        [
            ([[0, 1, 0, 2]], [0], r"\[0, 3\] is 2; expected 0 or 1"),
            ([[0, 1, 0, 1], [0, 0.5, 0, 0]], [0, 1], r"\[1, 1\] is 0.5; expected 0 or 1"),
            ([[0, math.nan, 0, 1]], [0], r"\[0, 1\] is nan; expected 0 or 1"),
            ([[0, None, 0, 1]], [0], r"\[0, 1\] is None; expected 0 or 1"),
            ([["0", "1", "0", "1"]], [0], r"\[0, 0\] is '0'; expected 0 or 1"),
            ([[0, pd.NA, 0, 1]], [0], r"\[0, 1\] is <NA>; expected 0 or 1"),
            ([[0, 1, 0, 1j]], [0], r"\[0, 0\] is 0j; expected 0 or 1"),
            ([0, 1, 0, 1], [0], r"has shape \(4,\); expected \(n, M\)"),
            (np.empty((0, 4)), [], r"has shape \(0, 4\)"),
            (np.empty((3, 0)), [0, 0, 0], r"has shape \(3, 0\)"),
            (scipy.sparse.csr_array(BITS), OUTCOMES, r"has shape \(\)"),
            ([[0, 1, 1]], [0], "has 3 columns; expected 4, as in the first call"),
            ([[0, 1, 0, 1]], [0, 1], r"y has shape \(2,\); expected \(1,\)"),
            (np.ma.array([[0, 1, 0, 1]], mask=[[0, 1, 0, 0]]), [0], "has masked values"),
            ([[0, 1, 0, 1]], np.ma.array([1], mask=[1]), "y has masked values"),
            ([[0, 1, 0, 1]], [[0]], r"y has shape \(1, 1\); expected \(1,\)"),
            ([[0, 1, 0, 1]], 0, r"y has shape \(\)"),
            ([[0, 1, 0, 1]], [-1], r"y\[0\] is -1; expected 0 or 1"),
            ([[0, 1, 0, 1]], ["yes"], r"y\[0\] is 'yes'; expected 0 or 1"),
        ],
    )
    def test_anything_else_is_refused_and_changes_nothing(self, learner, bits, outcomes, message):
        learned = clone(learner).partial_fit(BITS, OUTCOMES)
        before = pickle.dumps(learned)
        name = "P" if isinstance(learner, WeightedMajority) else "X"
        message = message if message.startswith("y") else name + (" " if message[0] == "h" else "") + message
        with pytest.raises(ValueError, match=message):
            learned.partial_fit(bits, outcomes)
        assert pickle.dumps(learned) == before
        if not message.startswith("y"):
            with pytest.raises(ValueError, match=message):
                learned.predict(bits)

    def test_columns_and_rows_are_not_mistaken_for_others(self, learner, tmp_path):
        X, y = pd.DataFrame(BITS, columns=[*"abcd"]), pd.Series(OUTCOMES)
        oza.save(clone(learner).fit(X, y), tmp_path / "learner.oza")
        learned = oza.load(tmp_path / "learner.oza")
        for call in (learned.predict, lambda X: learned.partial_fit(X, y)):
            with pytest.raises(ValueError, match="feature names should match"):
                call(X[[*"bacd"]])
        with pytest.raises(ValueError, match="and y have the same index labels in different orders"):
            learned.partial_fit(X, y[::-1])
        assert learned.n_seen_ == len(y) and not hasattr(learned.fit(BITS, OUTCOMES), "feature_names_in_")

    def test_a_first_call_that_is_refused_leaves_nothing_behind(self, learner):
        fresh = clone(learner)
        with pytest.raises(ValueError, match="y has shape"):
            fresh.partial_fit(BITS, OUTCOMES[1:])
        assert pickle.dumps(fresh) == pickle.dumps(clone(learner))
