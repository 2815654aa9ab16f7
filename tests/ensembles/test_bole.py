"""BOLE: the order of its models, its sums and its votes, on examples that are computed by hand."""

import numpy as np

from oza import BOLEClassifier, NaiveBayesClassifier, OnlineBoostingClassifier
from oza.datasets import load_dataset
from reproduction.topics.repairing_online_boosting import CoinClassifier
from reproduction.topics.repairs_study_bole import PartsOfBOLEClassifier


def test_an_answer_decides_which_model_is_next():
    model = BOLEClassifier(CoinClassifier(1), 3, categorical_features=None, random_state=0)
    found = []
    for answers in ([1, 1, 0], [0, 1, 1], [1, 1, 1]):  # the class is 1
        model.partial_fit([answers], [1], classes=[0, 1])
        found.append([model.lambda_correct_.tolist(), model.lambda_wrong_.tolist()])
    assert found[0] == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]  # models 2, 1, 0 with λ = 1, 1/2, 1/2
    assert found[1] == [[0.5, 1.5, 1.0], [1.0, 0.0, 1.0]]  # models 2, 0, 1 with λ = 1, 1, 1
    assert found[2] == [[1.5, 2.5, 1.6], [1.0, 0.0, 1.0]]  # models 0, 1, 2 with λ = 1, 1, 3/5
    assert model._order.tolist() == [1, 2, 0]  # before the third example, with 1, 1/2 and 1/3 correct
    expected = np.log([1.5, 1.0, 1.6])  # model 1, which has never erred, has no vote
    np.testing.assert_allclose(model.vote_weights_, expected, rtol=1e-15)


def test_all_vote_alike_if_none_errs_sometimes_and_at_most_half():
    model = BOLEClassifier(CoinClassifier(4), 2, categorical_features=None, random_state=0)
    model.partial_fit([[1, 0]] * 4, [1] * 4, classes=[0, 1])
    assert model.estimator_errors_.tolist() == [0.0, 1.0]
    assert model.vote_weights_.tolist() == [1.0, 1.0]


def test_its_three_lines_lead_from_online_boosting_to_bole():
    X, y = load_dataset("balance", return_X_y=True)

    def lambdas(classifier, **lines):
        model = classifier(NaiveBayesClassifier(), 10, random_state=3, **lines).fit(X, y)
        return model.predict_proba(X), model.lambda_correct_

    none = lambdas(PartsOfBOLEClassifier)
    later = lambdas(PartsOfBOLEClassifier, later=True)
    all_three = lambdas(PartsOfBOLEClassifier, in_order=True, later=True, all_vote=True)
    np.testing.assert_equal(none, lambdas(OnlineBoostingClassifier))
    np.testing.assert_equal(later, lambdas(OnlineBoostingClassifier, weight_update="later"))
    for ours, boles in zip(all_three, lambdas(BOLEClassifier), strict=True):
        np.testing.assert_allclose(ours, boles, rtol=1e-9)
