import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from oza import UniversalLinearPredictor
from tests import references
from tests.processes import run
from tests.streams import pieces

AMPLITUDES = st.sampled_from([1.0, 0.1, 37.0, 1e10])


@st.composite
def signals(draw, max_length=60):
    """(x, amplitude): flat, repeating, random or extreme samples in [-amplitude, amplitude]."""
    amplitude = draw(AMPLITUDES)
    sample = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5]), st.floats(-1, 1, width=32))
    x = draw(st.lists(sample, min_size=1, max_size=max_length))
    period = draw(st.integers(1, max_length))
    return amplitude * np.array([x[t % period % len(x)] for t in range(len(x))]), amplitude


def bound(order, amplitude):
    return 8 * amplitude**2 * math.log(order)


@given(signals(), st.integers(1, 5), st.sampled_from([1e-3, 1.0, 1e-9]))
@settings(max_examples=100)
def test_equals_the_reference_with_a_predictor_for_each_order(signal, order, ridge):
    x, amplitude = signal
    predictor = UniversalLinearPredictor(order, amplitude=amplitude, ridge=ridge).partial_fit(x)
    reference = references.UniversalLinearPredictor(order, amplitude, ridge)
    expected, loss = [], 0.0
    for sample in x.tolist():
        expected.append(reference.predict())
        loss += (sample - expected[-1]) * (sample - expected[-1])
        reference.learn(sample)
    assert predictor.predictions_.tolist() == expected
    assert predictor.losses_.tolist() == [p.loss for p in reference.predictors]
    assert predictor.loss_ == loss
    assert predictor.predict_next() == reference.predict()


@given(signals(), st.lists(st.integers(1, 20), max_size=8))
def test_any_chunks_give_the_same_bits(signal, cuts):
    x, amplitude = signal
    whole = UniversalLinearPredictor(4, amplitude=amplitude).fit(x)
    cut, predictions = UniversalLinearPredictor(4, amplitude=amplitude), []
    for piece in pieces(cuts, len(x)):
        predictions += cut.partial_fit(x[piece]).predictions_.tolist()
    assert predictions == whole.predictions_.tolist()
    assert cut.losses_.tobytes() == whole.losses_.tobytes()
    assert (cut.loss_, cut.n_seen_) == (whole.loss_, whole.n_seen_)
    assert cut.coefficients_.tobytes() == whole.coefficients_.tobytes()
    assert cut.predict_next() == whole.predict_next()


def test_coefficients_minimise_the_squared_error_over_the_past():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 80)
    predictor = UniversalLinearPredictor(5, amplitude=1.0, ridge=0.01)
    for t in range(len(x)):
        if t > 0:
            padded = np.concatenate([np.zeros(5), x[:t]])
            for k in range(1, 6):
                rows = np.array([padded[5 + s - k : 5 + s][::-1] for s in range(t)])
                least = np.linalg.solve(rows.T @ rows + 0.01 * np.eye(k), rows.T @ x[:t])
                np.testing.assert_allclose(predictor.coefficients_[k - 1, :k], least, atol=1e-10)
                assert not predictor.coefficients_[k - 1, k:].any()
        before = predictor.losses_ if t else np.zeros(5)
        coefficients = predictor.coefficients_ if t else np.zeros((5, 5))
        predictor.partial_fit(x[t : t + 1])
        past = np.concatenate([np.zeros(5), x[:t]])[-1:-6:-1]
        errors = x[t] - np.clip(coefficients @ past, -1, 1)
        np.testing.assert_allclose(predictor.losses_ - before, errors**2, atol=1e-10)


def autoregression(coefficients, n, noise, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(n + len(coefficients))
    for t in range(len(coefficients), len(x)):
        x[t] = coefficients @ x[t - len(coefficients) : t][::-1] + noise * rng.uniform(-1, 1)
    return x[len(coefficients) :] / np.abs(x).max()


def named_signals(n=2000):
    t = np.arange(n)
    rng = np.random.default_rng(3)
    return {
        "AR(1)": autoregression(np.array([0.9]), n, 1.0, 1),
        "AR(2)": autoregression(np.array([1.6, -0.9]), n, 1.0, 2),
        "AR(6)": autoregression(np.array([0.3, -0.2, 0.1, 0.0, 0.2, 0.5]), n, 1.0, 3),
        "sine": np.sin(0.7 * t),
        "two sines": 0.5 * np.sin(0.3 * t) + 0.5 * np.sin(1.9 * t),
        "uniform": rng.uniform(-1, 1, n),
        "signs": rng.choice([-1.0, 1.0], n),
        "alternating": np.where(t % 2, 1.0, -1.0),
        "constant": np.ones(n),
        "zero": np.zeros(n),
        "impulses": np.where(t % 7 == 0, 1.0, 0.0),
        "growing": np.linspace(0, 1, n),
        "square": np.sign(np.sin(0.05 * t) + 1e-9),
        "change": np.concatenate([np.sin(0.7 * t[: n // 2]), np.sign(np.sin(0.2 * t[n // 2 :]) + 1e-9)]),
    }


@pytest.mark.parametrize("name", named_signals(1))
@pytest.mark.parametrize("order", [1, 2, 10])
@pytest.mark.parametrize("amplitude", [1.0, 250.0])
def test_the_regret_bound_holds(name, order, amplitude):
    x = amplitude * named_signals()[name]
    predictor = UniversalLinearPredictor(order, amplitude=amplitude).partial_fit(x)
    assert predictor.regret_bound() == pytest.approx(bound(order, amplitude), rel=1e-12, abs=0)
    assert predictor.loss_ == pytest.approx(((x - predictor.predictions_) ** 2).sum(), rel=1e-9)
    assert predictor.regret() <= bound(order, amplitude)
    assert np.abs(predictor.predictions_).max() <= amplitude * (1 + 1e-15)


def test_a_smaller_c_has_no_known_bound():
    x = np.sin(np.arange(50.0))
    assert UniversalLinearPredictor(3, c=3.9, amplitude=1.0).fit(x).regret_bound() == math.inf
    assert UniversalLinearPredictor(3, c=8, amplitude=1.0).fit(x).regret_bound() == 16 * math.log(3)
    assert UniversalLinearPredictor(3, c=8).fit(x).regret_bound() == math.inf


@pytest.mark.parametrize("name", ["sine", "constant", "signs", "two sines"])
def test_long_streams_neither_underflow_nor_lose_their_precision(name):
    x = named_signals(100_000)[name]
    predictor = UniversalLinearPredictor(10, amplitude=1.0).partial_fit(x)
    assert np.isfinite(predictor.coefficients_).all() and predictor.weights_.sum() == pytest.approx(1)
    assert predictor.regret() <= bound(10, 1.0)
    if name != "signs":
        assert np.abs(x - predictor.predictions_)[-1000:].max() < 1e-3


@pytest.mark.parametrize("scale", [1e-49, 1e49])
def test_extreme_magnitudes_stay_finite(scale):
    x = scale * named_signals(500)["two sines"]
    for parameters in ({"amplitude": scale}, {"c": scale}):
        predictor = UniversalLinearPredictor(10, ridge=2e-50, **parameters).partial_fit(x)
        for values in (predictor.predictions_, predictor.losses_, predictor.coefficients_):
            assert np.isfinite(values).all()


def test_next_and_sequence_agree():
    x = named_signals(40)["AR(2)"]
    predictor = UniversalLinearPredictor(3, amplitude=1.0)
    whole = predictor.predict_sequence(x)
    with pytest.raises(NotFittedError):
        predictor.predict_next()
    assert whole[0] == 0.0
    for t in range(len(x) - 1):
        assert predictor.partial_fit(x[t : t + 1]).predict_next() == whole[t + 1]
    before = pickle.dumps(predictor)
    np.testing.assert_array_equal(predictor.predict_sequence(x), whole)
    assert pickle.dumps(predictor) == before


@pytest.mark.parametrize("sample", [1.0000001, -2.0, math.inf, -math.inf, math.nan])
def test_a_sample_beyond_the_amplitude_is_refused_and_nothing_of_its_chunk_is_learned(sample):
    predictor = UniversalLinearPredictor(3, amplitude=1.0).partial_fit([0.5, -1.0, 1.0])
    before = pickle.dumps(predictor)
    with pytest.raises(ValueError, match=r"x\[2\] is .*at most 1 in magnitude, the amplitude"):
        predictor.partial_fit([0.1, 0.2, sample])
    assert pickle.dumps(predictor) == before
    with pytest.raises(ValueError, match=r"x\[0\]"):
        UniversalLinearPredictor(3, amplitude=1.0).partial_fit([sample])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "amplitude and c are both None"),
        ({"amplitude": 0}, "amplitude must be a number above 1e-50"),
        ({"amplitude": math.nan}, "amplitude must be a number above 1e-50"),
        ({"amplitude": "1"}, "amplitude must be a number above 1e-50 .*got '1'"),
        ({"amplitude": 1.0, "c": 0}, "c must be a number above 0"),
        ({"amplitude": 1.0, "c": math.inf}, "c must be a number above 0"),
        ({"amplitude": 1.0, "c": 10**400}, "c must be a number above 0"),
        ({"amplitude": 1.0, "order": 0}, "order must be an integer of at least 1"),
        ({"amplitude": 1.0, "order": 2.5}, "order must be an integer of at least 1"),
        ({"amplitude": 1.0, "ridge": 0}, "ridge must be a number above 1e-50"),
    ],
)
def test_bad_parameters_are_named_in_the_message(parameters, message):
    predictor = UniversalLinearPredictor(**parameters)
    before = pickle.dumps(predictor)
    with pytest.raises(ValueError, match=message):
        predictor.partial_fit([0.0])
    assert pickle.dumps(predictor) == before


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([], r"x has shape \(0,\); expected \(n,\)"),
        (0.5, r"x has shape \(\); .*passed as \[x\]"),
        ([[0.5]], r"x has shape \(1, 1\)"),
        (["a"], "x is of type <U1; expected real numbers"),
        ([1j], "x is of type complex128"),
        ([None, 0.5], r"x\[0\] is nan"),
        ([0.5, 10**400], "x holds .*; expected real numbers"),
        (["a", None], r"x holds \['a', None\]; expected real numbers"),
    ],
)
def test_bad_signals_say_what_is_wrong(x, message):
    predictor = UniversalLinearPredictor(2, amplitude=1.0).partial_fit([0.5])
    before = pickle.dumps(predictor)
    with pytest.raises(ValueError, match=message):
        predictor.partial_fit(x)
    assert pickle.dumps(predictor) == before


DIGEST = """
import hashlib, numpy as np
from oza import UniversalLinearPredictor, WeightedMajority, Winnow
rng = np.random.default_rng(0)
bits, y = rng.integers(0, 2, (3000, 9)), rng.integers(0, 2, 3000)
digest = hashlib.sha256()
for learner in (WeightedMajority(0.9), Winnow(1.3)):
    digest.update(learner.fit(bits, y).predictions_.tobytes())
    digest.update(learner.weights_.tobytes())
predictor = UniversalLinearPredictor(amplitude=1.0).fit(rng.uniform(-1, 1, 3000))
for part in (predictor.predictions_, predictor.losses_, predictor.coefficients_):
    digest.update(part.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.full  # compiles for another processor
def test_every_processor_gives_the_same_bits(tmp_path):
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "OZA_CACHE": str(tmp_path)}
    assert run(DIGEST)[0] == run(DIGEST, **plain)[0] != ""
