"""Every ensemble works with every base model."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

import oza
from tests.estimators import bases_of_every_ensemble, ensembles, pairs

BASES = bases_of_every_ensemble(hidden_units=4, updates=10, initial_range=0.5)
ENSEMBLES = ensembles()
ONLINE = [name for name, ensemble in ENSEMBLES.items() if hasattr(ensemble, "partial_fit")]


@pytest.mark.parametrize(
    ("name", "base"),
    [
        *pairs(ENSEMBLES, ["NeuralNetworkClassifier"]),
        pytest.param("BaggingClassifier", "NeuralNetworkClassifier", id="networks that count themselves"),
    ],
)
def test_examples_too_heavy_for_a_network_are_counted_and_reported_once(name, base):
    X, y = data("nominal")
    ensemble = clone(ENSEMBLES[name]).set_params(
        estimator=clone(BASES[base]), categories=[range(3)] * X.shape[1]
    )
    heavy = np.where(np.arange(len(y)) % 10 == 3, 1e6, 1.0)
    if name == "AdaBoostClassifier, resampling":  # no copy of an example weighs more than 1
        assert ensemble.fit(X, y, sample_weight=heavy).n_bounded_draws_ == 0
        return
    with pytest.warns(RuntimeWarning, match="n_bounded_draws_ says how many") as caught:
        ensemble.fit(X, y, sample_weight=heavy)
        if hasattr(ensemble, "partial_fit"):
            ensemble.partial_fit(X, y, sample_weight=heavy)
    assert len(caught) == 1
    assert ensemble.n_bounded_draws_ >= np.sum(heavy[:60] > 1)
    lossless = clone(ensemble).set_params(estimator=None).fit(X, y, sample_weight=heavy)
    assert lossless.n_bounded_draws_ == 0


def data(kind):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    if kind == "nominal":
        return np.where(rng.random((200, 5)) < 0.7, y[:, None], rng.integers(0, 3, (200, 5))), y
    return np.round(rng.normal(size=(200, 3)) + y[:, None], 1), y


@pytest.mark.parametrize(("name", "base"), pairs(ENSEMBLES, BASES))
def test_it_learns_in_any_chunks_and_is_saved(name, base, tmp_path):
    kind = "nominal" if (list(ENSEMBLES).index(name) + list(BASES).index(base)) % 2 else "numeric"
    X, y = data(kind)
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=BASES[base])
    if kind == "nominal":
        ensemble.set_params(categories=[range(3)] * X.shape[1])
    whole = clone(ensemble).fit(X, y)
    expected = whole.predict_proba(X)
    assert whole.score(X, y) > 0.6
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).predict_proba(X), expected)
    oza.save(whole, tmp_path / "model.skops")
    again = oza.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.predict_proba(X), expected)
    np.testing.assert_array_equal(again.estimator_errors_, whole.estimator_errors_)
    assert len(whole.estimators_) >= 1
    if not hasattr(ensemble, "partial_fit"):
        return
    for start in range(0, len(y), 33):
        ensemble.partial_fit(X[start : start + 33], y[start : start + 33], classes=[0, 1])
    np.testing.assert_array_equal(ensemble.predict_proba(X), expected)
    np.testing.assert_array_equal(ensemble.estimator_errors_, whole.estimator_errors_)


@pytest.mark.parametrize(("name", "base"), pairs(ONLINE, BASES))
def test_what_it_predicts_on_the_way_is_what_it_predicts_when_it_learns_row_by_row(name, base):
    X, y = (part[:90] for part in data("numeric"))
    row_by_row, prequential, staged = (
        clone(ENSEMBLES[name]).set_params(estimator=BASES[base]) for _ in "123"
    )
    before, after = [0], []
    for n in range(len(y)):
        if n > 0:
            before.append(row_by_row.predict(X[n : n + 1])[0])
        row_by_row.partial_fit(X[n : n + 1], y[n : n + 1], classes=[0, 1])
        after.append(row_by_row.predict(X[:4]).tolist())
    assert prequential.prequential_predict(X, y, classes=[0, 1]).tolist() == before
    np.testing.assert_array_equal(prequential.estimator_errors_, row_by_row.estimator_errors_)
    assert [p.tolist() for p in staged.learn_and_predict(X, y, X[:4], classes=[0, 1])] == after
