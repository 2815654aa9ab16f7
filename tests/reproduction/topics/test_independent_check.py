"""The independent check: its record is complete, our results are reproducible, its rules are fair."""

import numpy as np
import pytest

from reproduction.studies.accuracy import compute
from reproduction.topics.independent_check import COMPARED, _vote, accuracies, baseline_task, predictions

ONLINE, BATCH = ("online_bagging", "online_boosting"), ("bagging", "boosting")


@pytest.mark.parametrize("algorithm", COMPARED)
def test_without_smoothing_and_variant_we_are_the_study(algorithm):
    task = baseline_task("balance", algorithm, 1, 2)
    n_correct = int((predictions(task, alpha=0.0) == task.examples().y_test).sum())
    assert n_correct == compute(task).n_correct
    found = accuracies()["oza", algorithm, "", 0.0]
    assert found["balance", task.repetition, task.fold] == n_correct / 125


def test_a_perfect_model_votes_as_the_variant_says():
    task = baseline_task("balance", "boosting", 0, 0)
    examples = task.examples()

    class Constant:
        def __init__(self, label):
            self.label = label

        def predict(self, X):
            return examples.y_train if len(X) == len(examples.y_train) else np.full(len(X), self.label)

    class Model:
        estimators_ = (Constant(1), Constant(2))
        vote_weights_ = np.array([0.9, 5.0])

    wanted = {"": 2, "perfect model votes 1": 2, "perfect model dropped": 1}
    for variant, label in wanted.items():
        assert (_vote(Model, examples, 3, variant) == label).all()
    Model.vote_weights_ = np.array([1.1, 5.0])
    assert (_vote(Model, examples, 3, "perfect model votes 1") == 1).all()
