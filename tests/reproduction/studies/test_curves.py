"""Learning curves: recorded points can be computed again."""

from oza import NaiveBayesClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from reproduction.studies.curves import curves
from reproduction.studies.protocol import prepare


def test_the_curve_of_an_online_algorithm_is_that_of_one_stream():
    model = {"base_model": "naive_bayes", "algorithm": "online_bagging", "n_models": 5}
    point = {"dataset": "balance", **model, "repetition": 0, "fold": 0}
    found = curves.compute([curves.task(n_train=n, **point) for n in (100, 200)])
    split = prepare("balance")
    ensemble = OnlineBaggingClassifier(
        NaiveBayesClassifier(),
        5,
        categorical_features=range(4),
        random_state=key_of("curve", "balance", "naive_bayes", "online_bagging", 5, 0, 0, 0),
    )
    correct = []
    for part in (slice(100), slice(100, 200)):
        ensemble.partial_fit(split.X_train[part], split.y_train[part], classes=range(3))
        correct.append((ensemble.predict(split.X_test) == split.y_test).sum())
    assert found["n_correct"].to_list() == correct
