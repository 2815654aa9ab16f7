import numpy as np
import pytest

from oza import OnlineBaggingClassifier, OnlineBoostingClassifier
from tests.estimators import ensembles

NOMINAL = {"categorical_features": range(8)}
ENSEMBLES = {
    name: each.set_params(**NOMINAL) for name, each in ensembles(n_estimators=6, n_prime=None).items()
}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 800)
    X = np.where(rng.random((800, 8)) < 0.15, y[:, None], rng.integers(0, 4, (800, 8)))
    return X, np.array(["ant", "bee", "cow"])[y]


@pytest.mark.parametrize("ensemble", ENSEMBLES.values(), ids=ENSEMBLES)
class TestEveryEnsemble:
    def test_the_last_stage_is_the_prediction_and_the_first_is_the_first_model(self, ensemble, data):
        X, y = data
        ensemble.fit(X, y)
        stages = list(ensemble.staged_predict(X))
        assert len(stages) == len(ensemble.estimators_)
        np.testing.assert_array_equal(stages[0], ensemble.estimators_[0].predict(X))
        np.testing.assert_array_equal(stages[-1], ensemble.predict(X))

    def test_each_model_predicts(self, ensemble, data):
        X, y = data
        said = ensemble.fit(X, y).predict_each(X)
        assert said.shape == (len(X), len(ensemble.estimators_))
        np.testing.assert_array_equal(said.T, [member.predict(X) for member in ensemble.estimators_])

    def test_the_error_of_each_model_is_known(self, ensemble, data):
        X, y = data
        errors = ensemble.fit(X, y).estimator_errors_
        assert errors.shape == (len(ensemble.estimators_),)
        assert (errors > 0.0).all()
        assert (errors < 0.6).all()  # of three classes, a guess gets 2/3 wrong

    def test_margins_are_positive_where_the_prediction_is_right(self, ensemble, data):
        X, y = data
        margins, right = ensemble.fit(X, y).margins(X, y), ensemble.predict(X) == y
        assert ((margins >= -1) & (margins <= 1)).all() and margins.mean() > 0
        assert (margins[right] >= 0).all() and (margins[~right] <= 0).all()

    def test_probabilities_are_shares_of_the_vote_or_those_of_the_members(self, ensemble, data):
        X, y = data
        ensemble.fit(X, y)
        weights = ensemble.vote_weights_
        adds_up = getattr(ensemble, "voting", "majority") == "probability"
        expected = sum(
            weight * (member.predict_proba(X) if adds_up else member.predict(X)[:, None] == ensemble.classes_)
            for weight, member in zip(weights, ensemble.estimators_, strict=True)
        )
        np.testing.assert_allclose(ensemble.predict_proba(X), expected / weights.sum(), rtol=1e-12)


def test_a_model_that_has_learned_nothing_predicts_the_first_class_but_does_not_vote():
    ensemble = OnlineBaggingClassifier(n_estimators=10, random_state=1)
    ensemble.partial_fit([["a"]], [1], classes=[0, 1])
    has_learned = np.array([member.class_count_.any() for member in ensemble.estimators_])
    assert 0 < has_learned.sum() < 10
    np.testing.assert_array_equal(ensemble.predict_each([["a"]]), [np.where(has_learned, 1, 0)])
    assert ensemble.vote_weights_.tolist() == [1] * 10
    assert ensemble.predict_proba([["a"]]).tolist() == [[0, 1]]


def test_each_stage_is_the_ensemble_of_the_first_models(data):
    X, y = data
    stages = OnlineBoostingClassifier(n_estimators=9, random_state=1, **NOMINAL).fit(X, y).staged_predict(X)
    for n_models, stage in enumerate(stages, start=1):
        smaller = OnlineBoostingClassifier(n_estimators=n_models, random_state=1, **NOMINAL).fit(X, y)
        np.testing.assert_array_equal(stage, smaller.predict(X))
