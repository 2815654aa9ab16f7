"""Counts of work equal those of the reference implementations."""

from dataclasses import replace

import pytest

from oza.columns.validation import check_key
from reproduction.studies.accuracy import Task
from reproduction.studies.work import count_work
from tests import references

TASK = Task("times-naive-bayes", "balance", "naive_bayes", "online_boosting", 4, 0, 0, 0)
TREES = replace(TASK, base_model="decision_tree")
NETWORKS = replace(TASK, base_model="neural_network")
N = 60


def in_plain_python(task, algorithm, *settings):
    """Number of examples that the base models of `tests.references` learn and classify."""
    kind = {"naive_bayes": references.NaiveBayes, "decision_tree": references.DecisionTree}[task.base_model]
    counts = {"learned": 0, "classified": 0}

    class Counting(kind):
        def learn(self, x, y, weight=1.0):
            counts["learned"] += weight > 0
            super().learn(x, y, weight)

        def classify(self, x):
            counts["classified"] += 1
            return super().classify(x)

    examples = task.examples()
    rows, labels = examples.X_train[:N].tolist(), examples.y_train[:N].tolist()
    settings = {"prune": True} if kind is references.DecisionTree else {}
    classes = sorted(set(labels))
    algorithm(lambda m: Counting(classes, **settings), rows, labels, check_key(task.seed))
    return counts


@pytest.mark.parametrize("task", [TASK, TREES])
def test_online_boosting_is_counted_as_in_plain_python(task):
    counts = in_plain_python(task, lambda new, *data: references.online_boosting(new, 4, *data))
    found = count_work(task, N)
    assert (found.updates, found.classifications) == (counts["learned"], counts["classified"])
    assert found.classifications == 4 * N and 0 < found.updates < 4 * N and found.passes == 1


@pytest.mark.parametrize("task", [TASK, TREES])
def test_priming_is_counted_once(task):
    task = replace(task, algorithm="primed_boosting")
    P = N // 5
    counts = in_plain_python(task, lambda new, *data: references.primed(new, 4, *data, n_prime=P))
    found = count_work(task, N)
    assert (found.updates, found.classifications) == (counts["learned"], counts["classified"])
    n_tried = (found.classifications - 4 * (N - P)) // P
    assert found.passes == pytest.approx((2 * n_tried * P + N - P) / N)


@pytest.mark.parametrize("task", [TASK, TREES])
@pytest.mark.parametrize("n_models", [1, 4, 30])
def test_adaboost_is_counted_as_in_plain_python(task, n_models):
    task = replace(task, algorithm="boosting", n_models=n_models)
    counts = in_plain_python(task, lambda new, *data: references.adaboost(new, n_models, *data[:2]))
    found = count_work(task, N)
    assert (found.updates, found.classifications) == (counts["learned"], counts["classified"])
    assert found.n_tried == found.updates / N == found.passes / 2


@pytest.mark.parametrize("algorithm", ["bagging", "online_bagging"])
def test_bagging_is_counted_as_in_plain_python(algorithm):
    task = replace(TASK, algorithm=algorithm)
    counts = in_plain_python(task, lambda new, *data: getattr(references, algorithm)(new, 4, *data))
    found = count_work(task, N)
    assert (found.updates, found.classifications) == (counts["learned"], 0)
    assert found.passes == (4 if algorithm == "bagging" else 1)


@pytest.mark.parametrize("n_updates", [1, 10])
def test_a_network_takes_a_step_for_each_copy(n_updates):
    name = "neural_network" if n_updates == 1 else "neural_network_10"
    task = replace(NETWORKS, base_model=name)
    examples = task.examples()
    plain = task.estimator().fit(examples.X_train[:N], examples.y_train[:N])
    assert count_work(task, N).updates == n_updates * plain._boosting.learned.sum()
    work = {a: count_work(replace(task, algorithm=a), N) for a in ("bagging", "boosting", "single")}
    assert work["single"][1:] == (10, 10 * N, 0)
    assert work["bagging"][1:] == (40, 40 * N, 0)
    n_tried = work["boosting"].n_tried
    assert work["boosting"] == (n_tried, 11 * n_tried, 10 * n_tried * N, n_tried * N)
    assert count_work(replace(task, algorithm="online_single"), N)[1:] == (1, n_updates * N, 0)
