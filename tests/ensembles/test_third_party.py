"""Ensembles of classifiers of other libraries: the same algorithms with the same random draws."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    PassiveAggressiveClassifier,
    Perceptron,
    SGDClassifier,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier

import oza
from tests.estimators import full_but, pairs

from .test_combinations import ENSEMBLES, ONLINE, data


class ThirdPartyClassifier(ClassifierMixin, BaseEstimator):
    """One of our classifiers, wrapped as a classifier of another library."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y, sample_weight=None):
        self.model_ = clone(self.model).fit(X, y, sample_weight)
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        if not hasattr(self, "model_"):
            self.model_ = clone(self.model)
        self.model_.partial_fit(X, y, classes, sample_weight)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)

    @property
    def classes_(self):
        return self.model_.classes_


class ThirdPartyWithoutWeights(ThirdPartyClassifier):
    def fit(self, X, y):
        return super().fit(X, y)

    def partial_fit(self, X, y, classes=None):
        return super().partial_fit(X, y, classes)


class CopiedNaiveBayes(oza.NaiveBayesClassifier):
    _most_copies = 100.0  # as for models without weights, where each copy is a call


def fitted(ensemble, estimator, X, y, **parameters):
    return clone(ensemble).set_params(estimator=estimator, **parameters).fit(X, y)


def assert_same(ours, third_party, X, y):
    np.testing.assert_array_equal(ours.predict_proba(X), third_party.predict_proba(X))
    np.testing.assert_array_equal(list(ours.staged_predict(X)), list(third_party.staged_predict(X)))
    np.testing.assert_array_equal(ours.margins(X, y), third_party.margins(X, y))
    np.testing.assert_array_equal(ours.predict_each(X), third_party.predict_each(X))
    for attribute in (
        "estimator_errors_",
        "oob_score_",
        "vote_weights_",
        "lambda_wrong_",
        "block_errors_",
        "n_bounded_draws_",
    ):
        if hasattr(ours, attribute):
            np.testing.assert_array_equal(getattr(ours, attribute), getattr(third_party, attribute))
    for own, other in zip(ours.estimators_, third_party.estimators_, strict=True):
        np.testing.assert_array_equal(own.predict(X), other.predict(X))


SCIKIT_LEARN = [
    GaussianNB(var_smoothing=1e-3),
    MultinomialNB(),
    BernoulliNB(binarize=1.0),
    CategoricalNB(min_categories=8),
    SGDClassifier(loss="log_loss"),
    Perceptron(),
    PassiveAggressiveClassifier(),
    MLPClassifier((8,), solver="sgd", learning_rate_init=0.3, max_iter=20),
]
#: The others call a classifier in the same ways: one with probabilities and one without suffice.
EVERY_ESTIMATOR = {
    "BaggingClassifier",
    "AdaBoostClassifier",
    "OnlineBaggingClassifier",
    "OnlineBoostingClassifier",
}


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
@pytest.mark.parametrize(("name", "base"), pairs(ENSEMBLES, ["nb", "stump"]))
def test_a_wrapped_model_gives_the_same_bits(name, base, kind):
    base = oza.NaiveBayesClassifier() if base == "nb" else oza.DecisionStumpClassifier()
    X, y = (values[:80] for values in data(kind))
    declared = {"categories": [range(3)] * X.shape[1]} if kind == "nominal" else {}
    ours = fitted(ENSEMBLES[name], base, X, y, **declared)
    third_party = fitted(ENSEMBLES[name], ThirdPartyClassifier(clone(base).set_params(**declared)), X, y)
    assert_same(ours, third_party, X, y)


@pytest.mark.parametrize("name", [name for name in ENSEMBLES if name != "AdaBoostClassifier"])
def test_copies_are_calls_where_there_are_no_weights(name):
    X, y = data("nominal")
    categories = [range(3)] * X.shape[1]
    whole = {"resample": True} if name == "PrimedOnlineBoostingClassifier" else {}
    ours = fitted(ENSEMBLES[name], CopiedNaiveBayes(), X, y, categories=categories, **whole)
    model = ThirdPartyWithoutWeights(oza.NaiveBayesClassifier(categories=categories))
    assert_same(ours, fitted(ENSEMBLES[name], model, X, y, **whole), X, y)


def test_no_example_is_learned_half_a_time():
    X, y = data("nominal")
    model = ThirdPartyWithoutWeights(oza.NaiveBayesClassifier(categories=[range(3)] * X.shape[1]))
    with pytest.raises(ValueError, match=r"takes no sample_weight.*resample=True"):
        oza.AdaBoostClassifier(model, n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match=r"not 0\.5 times"):
        oza.FixedFractionBaggingClassifier(model, n_estimators=3).fit(X, y, np.full(len(y), 0.5))
    twice = oza.FixedFractionBaggingClassifier(model, 3, random_state=0).fit(X, y, np.full(len(y), 2.0))
    pairs = [(m.model_.class_count_ % 2).tolist() for m in twice.estimators_]
    assert pairs == [[0.0, 0.0]] * 3


@pytest.mark.full  # every ensemble with a classifier in Python
@pytest.mark.parametrize(
    ("name", "estimator"),
    [
        (name, estimator)
        for name in ENSEMBLES
        for estimator in SCIKIT_LEARN
        if name in EVERY_ESTIMATOR or type(estimator) in (GaussianNB, Perceptron)
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_classifiers_learn(name, estimator):
    rng = np.random.default_rng(3)
    y = np.where(rng.random(120) < 0.5, "no", "yes")
    of_class = np.where((y == "yes")[:, None], [4, 4, 0, 0], [0, 0, 4, 4])
    X = np.where(rng.random((120, 4)) < 0.8, of_class, rng.integers(0, 5, (120, 4)))
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=estimator, n_estimators=3)
    if type(estimator) is PassiveAggressiveClassifier and "resample" in ensemble.get_params():
        ensemble.set_params(resample=True)
    whole = clone(ensemble).fit(X, y)
    expected = whole.predict_proba(X)
    if type(estimator) is not MLPClassifier:  # for a network, so few steps are not always enough
        assert whole.score(X, y) > 0.8
    assert {member.predict(X).dtype for member in whole.estimators_} == {y.dtype}
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).predict_proba(X), expected)
    if name in ONLINE:
        for start in range(0, 120, 33):
            ensemble.partial_fit(X[start : start + 33], y[start : start + 33], classes=["no", "yes"])
        np.testing.assert_array_equal(ensemble.predict_proba(X), expected)
        predicted = ensemble.prequential_predict(X[:2], y[:2])
        assert predicted.tolist() == whole.predict(X[:2]).tolist()


@pytest.mark.full  # every ensemble with a classifier in Python
@pytest.mark.parametrize("name", [name for name in ENSEMBLES if name != "BlockedBoostingClassifier"])
def test_sparse_matrices_pass_where_the_estimator_takes_them(name):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 45)
    X = (rng.random((45, 6)) < 0.2 + 0.5 * y[:, None]).astype(float)
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=BernoulliNB(), n_estimators=2)
    dense = clone(ensemble).fit(X, y).predict_proba(X)
    for form in (sparse.csr_matrix, sparse.csc_array):
        np.testing.assert_array_equal(clone(ensemble).fit(form(X), y).predict_proba(form(X)), dense)
    with pytest.raises(TypeError, match="Sparse data was passed"):
        ensemble.set_params(estimator=GaussianNB()).fit(sparse.csr_matrix(X), y)


def test_each_member_has_a_random_state_of_its_own():
    X, y = data("numeric")
    ensemble = oza.BaggingClassifier(MLPClassifier((3,), max_iter=1), n_estimators=3, random_state=0)
    with pytest.warns(UserWarning):
        first, again = ensemble.fit(X, y), clone(ensemble).fit(X, y)
    starts = [member.random_state for member in first.estimators_]
    assert len(set(starts)) == 3
    assert starts == [member.random_state for member in again.estimators_]


class Misnaming(CopiedNaiveBayes):
    """A classifier that predicts a class that was not declared."""

    def predict(self, X):
        return np.full(len(X), self.answer)


@pytest.mark.parametrize("name", full_but(ENSEMBLES, "OnlineBoostingClassifier"))
@pytest.mark.parametrize(
    ("answer", "classes"), [(7, [0, 1]), (-1, [0, 1]), ("maybe", ["no", "yes"]), ("zero", [0, 1])]
)
def test_a_prediction_that_is_no_class_is_refused(name, answer, classes):
    class Answering(Misnaming):
        pass

    Answering.answer = answer
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.array(classes)[np.arange(40) % 2]
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=ThirdPartyClassifier(Answering()), n_estimators=2)
    said = rf"ThirdPartyClassifier.predict returned '?{answer}'?, which is not among"
    with pytest.raises(ValueError, match=said):
        ensemble.fit(X, y).predict(X)


def test_a_single_example_has_the_weight_that_was_drawn_for_a_network_too():
    # MLPClassifier.partial_fit divides by the sum of the weights, so the weight of a single row has no effect
    X, y = data("numeric")
    network = MLPClassifier((3,), solver="sgd", learning_rate_init=0.5, alpha=0.0, random_state=0)
    alone = [clone(network).partial_fit(X[:1], y[:1], classes=[0, 1], sample_weight=[w]) for w in (1, 2)]
    np.testing.assert_array_equal(alone[0].coefs_[0], alone[1].coefs_[0])
    ensemble = oza.OnlineArcX4Classifier(network, n_estimators=1)
    once, thrice = (clone(ensemble).fit(X[:1], y[:1], [w]).estimators_[0] for w in (1.0, 3.0))
    assert (once.t_, thrice.t_) == (1, 3)


@pytest.mark.parametrize("name", ENSEMBLES)
def test_an_unsuitable_estimator_is_refused(name):
    X, y = data("numeric")
    unfit = ["tree", LinearRegression(), GaussianNB]
    for estimator in [*unfit, LogisticRegression()] if name in ONLINE else unfit:
        message = "estimator must be .* that has " + ("partial_fit" if name in ONLINE else "fit")
        with pytest.raises(TypeError, match=message):
            fitted(ENSEMBLES[name], estimator, X, y)
    with pytest.raises(ValueError, match="categories is only for base models of this library"):
        fitted(ENSEMBLES[name], GaussianNB(), X, y, categories=[None] * X.shape[1])


def counts_and_bad_rows_after_good_ones():
    X, y = np.random.default_rng(0).integers(0, 5, (50, 4)), data("nominal")[1][:50]
    return X, y, np.where(np.arange(50)[:, None] >= 35, -1, X)


def over_counts(name):
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=MultinomialNB(), n_estimators=2)
    if isinstance(ensemble, oza.BlockedBoostingClassifier):  # so that many blocks are filled
        ensemble.set_params(block_size=10, n_estimators=20)
    return ensemble


WAYS_TO_LEARN = {
    "partial_fit": lambda model, X, y, X_test: model.partial_fit(X, y, classes=[0, 1]),
    "prequential": lambda model, X, y, X_test: model.prequential_predict(X, y, classes=[0, 1]),
    "curve": lambda model, X, y, X_test: [
        *model.learn_and_predict(X, y, X_test, after=[0, 25, 40], classes=[0, 1])
    ],
}


@pytest.mark.parametrize("name", full_but(ENSEMBLES, "OnlineBoostingClassifier"))
def test_a_refused_fit_leaves_the_ensemble_as_it_was(name):
    X, y, bad = counts_and_bad_rows_after_good_ones()
    model = over_counts(name)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="Negative"):
        model.fit(bad, y)
    assert pickle.dumps(model) == before
    with pytest.raises(NotFittedError):
        model.predict(X)
    before, predicted = pickle.dumps(model.fit(X, y)), model.predict_proba(X)
    with pytest.raises(ValueError, match="Negative"):
        model.fit(bad, y)
    assert pickle.dumps(model) == before
    np.testing.assert_array_equal(model.predict_proba(X), predicted)


@pytest.mark.parametrize("way", WAYS_TO_LEARN)
@pytest.mark.parametrize("name", full_but(ONLINE, "OnlineBoostingClassifier"))
def test_a_refused_row_leaves_the_ensemble_as_it_was(name, way):
    X, y, bad = counts_and_bad_rows_after_good_ones()
    model = over_counts(name)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="Negative"):
        WAYS_TO_LEARN[way](model, bad, y, X)
    assert pickle.dumps(model) == before
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.partial_fit(X[:30], y[:30], classes=[0, 1])  # priming continues until the 40th
    copied = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="Negative"):
        WAYS_TO_LEARN[way](model, bad, y, X)
    assert pickle.dumps(pickle.loads(pickle.dumps(model))) == pickle.dumps(pickle.loads(pickle.dumps(copied)))
    assert model.estimator is not copied.estimator
    for each in (model, copied):
        WAYS_TO_LEARN[way](each, X, y, X)
    np.testing.assert_array_equal(model.predict_proba(X), copied.predict_proba(X))


@pytest.mark.full  # every ensemble with a classifier in Python
@pytest.mark.parametrize(
    "estimator", [LogisticRegression(), KNeighborsClassifier(1), GaussianProcessClassifier(optimizer=None)]
)
def test_a_sample_of_one_class_makes_a_constant_member(estimator):
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.where(np.arange(30) < 2, "rare", "usual")
    X[:2] += 5.0
    bagged = oza.BaggingClassifier(estimator, n_estimators=20, random_state=0).fit(X, y)
    answers = [set(member.predict(X)) for member in bagged.estimators_]
    assert {"usual"} in answers
    assert {"rare", "usual"} in answers
    assert bagged.score(X, y) > 0.9
    again = pickle.loads(pickle.dumps(bagged))
    np.testing.assert_array_equal(again.predict_proba(X), bagged.predict_proba(X))
    boosted = oza.AdaBoostClassifier(estimator, n_estimators=20, resample=True, random_state=3).fit(X, y)
    assert boosted.score(X, y) > 0.9
