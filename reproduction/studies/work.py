"""Counts of the work of an algorithm, which do not depend on the speed of a program.

Times depend on the program; the thesis argues with passes and updates. These are counted while the
training set of a task is learned:

* **passes** through the training set, to train on it or to measure errors on it;
* **updates** of base models. A model that counts its examples (Naive Bayes, a stump, a tree) takes an
  example of any weight at once: one update for each example that it learns with a positive weight. A
  network makes one for each step of gradient descent: for each copy in each pass of batch training, and
  online `updates` for each copy;
* **classifications** of training examples by base models.

Counts that follow from the draws and the number of models are computed from these. What online boosting draws
depends on what its models classify correctly, and is drawn again with the λ of its trace.
"""

from typing import Any, NamedTuple, get_type_hints

import numpy as np

from oza.columns.validation import check_key
from oza.ensembles import AdaBoostClassifier
from oza.ensembles.bagging.kernels import sample_with_replacement
from oza.ensembles.boosting.kernels import copies_to_learn, new_boosting
from oza.extend import kernel
from oza.kernels.random import poisson, row_key
from oza.models import NeuralNetworkClassifier

from ..record.study import study, without_warnings_of_bounds
from .accuracy import GRIDS, Task
from .algorithms import BASE_MODELS
from .protocol import n_training
from .times import times_by_size


class Work(NamedTuple):
    n_tried: int  # base models, including one that AdaBoost drops
    passes: float  # through the training set; priming counts with the share of it that it uses
    updates: int  # totals over all base models
    classifications: int


@without_warnings_of_bounds()
def count_work(task: Task, n_train: int | None = None) -> Work:
    """Count the work of learning a training set, or its first `n_train` examples.

    The task is a single model, bagging or boosting, in batch, online or primed.

    >>> count_work(Task("times", "balance", "naive_bayes", "boosting", 10, 0, 0, 0))
    Work(n_tried=10, passes=20.0, updates=5000, classifications=5000)
    """
    examples = task.examples()
    X, y = examples.X_train[:n_train], examples.y_train[:n_train]
    n_train, epochs, n_models = len(y), _epochs(task), task.n_models
    match task.algorithm:
        case "single":
            return Work(1, float(epochs), n_train * epochs, 0)
        case "online_single":
            updates = BASE_MODELS[task.base_model]().updates if _is_network(task) else 1
            return Work(1, 1.0, n_train * updates, 0)
        case "bagging":
            return Work(n_models, float(n_models * epochs), _n_learned_by_bagging(task, n_train) * epochs, 0)
        case "online_bagging":
            return Work(n_models, 1.0, _updates(task, np.ones((n_train, n_models))), 0)
        case "boosting":
            return _of_adaboost(task, X, y)
        case "online_boosting" | "primed_boosting":
            return _of_online_boosting(task, X, y)
    raise ValueError(f"the work of {task.algorithm!r} is not counted")


def _is_network(task: Task) -> bool:
    return isinstance(BASE_MODELS[task.base_model](), NeuralNetworkClassifier)


def _epochs(task: Task) -> int:
    """Number of passes of a base model through its training set in batch."""
    return BASE_MODELS[task.base_model]().epochs if _is_network(task) else 1


@kernel
def count_learned(boosting, lam, key, most_copies):
    """How often M models are trained on each of N examples, by its λ, (N, M); NaN if it does not arrive."""
    n_given = 0
    for n in range(len(lam)):
        row = row_key(key, n)
        for m in range(lam.shape[1]):
            if lam[n, m] > 0.0:
                k, _ = copies_to_learn(boosting, m, lam[n, m], poisson(lam[n, m], row, m), most_copies)
                n_given += k > 0.0
    return n_given


def _updates(task: Task, lam: np.ndarray) -> int:
    """Number of online updates by examples that reach the models with these λ."""
    base, boosting = BASE_MODELS[task.base_model](), new_boosting(task.n_models)
    n_given = count_learned(boosting, lam, np.uint64(check_key(task.seed)), float(base._most_copies))
    return int(boosting.learned.sum() * base.updates if _is_network(task) else n_given)


def _n_learned_by_bagging(task: Task, n_train: int) -> int:
    """Number of examples in all bootstrap samples, as a base model counts them in one pass."""
    if _is_network(task):
        return task.n_models * n_train
    sample, key = np.empty(n_train, np.int32), np.uint64(check_key(task.seed))
    n_learned = 0
    for m in range(task.n_models):  # an example that is drawn twice is learned once, with weight 2
        sample_with_replacement(sample, np.uint64(row_key(key, m)))
        n_learned += len(np.unique(sample))
    return n_learned


def _of_adaboost(task: Task, X: np.ndarray, y: np.ndarray) -> Work:
    """Work of AdaBoost: each model is trained and tested on the training set; the last may be dropped."""
    made, known = task.estimator().get_params(deep=False), AdaBoostClassifier().get_params()
    ensemble = AdaBoostClassifier(**{name: made[name] for name in known.keys() & made.keys()})
    errors = ensemble.fit(X, y).estimator_errors_
    was_last_kept = len(errors) == task.n_models or errors[-1] == 0.0 or errors[0] >= 0.5
    n_tried = len(errors) if was_last_kept else len(errors) + 1
    sample = n_tried * len(y)
    return Work(n_tried, float(n_tried * (_epochs(task) + 1)), sample * _epochs(task), sample)


def _of_online_boosting(task: Task, X: np.ndarray, y: np.ndarray) -> Work:
    """Work of online boosting, in which each model classifies each example, and of priming."""
    ensemble, first, n_prime = task.estimator(), Work(0, 0.0, 0, 0), 0
    columns = zip(X.T, task.numeric, strict=True)  # `fit` sees all values at once
    ensemble.set_params(categories=[None if is_number else np.unique(x) for x, is_number in columns])
    if task.algorithm == "primed_boosting":
        n_prime = min(len(y) // 5, 10_000)  # as `fit` does
        ensemble.set_params(n_prime=n_prime)
        first = _of_adaboost(task, X[:n_prime], y[:n_prime])
    n_online = len(y) - n_prime
    return Work(
        task.n_models,
        (first.passes * n_prime + n_online) / len(y),
        first.updates + _updates(task, ensemble.trace(X, y, np.unique(y)).lam),
        first.classifications + task.n_models * n_online,
    )


def _cells(timed: str, profile: str = "thesis") -> list[dict[str, Any]]:
    """List the runs of a timing study in the first order, or those of times by size without repeats."""
    runs, number = (times_by_size, "repeat") if timed == times_by_size.name else (GRIDS[timed], "order")
    return [
        {"runs_of": timed, "base_model": "naive_bayes", "n_train": n_training(task.dataset)}
        | {name: value for name, value in vars(task).items() if name in work.key}
        for task in runs.tasks(profile)
        if getattr(task, number) == 0
    ]


_TIMED = (*(name for name, each in GRIDS.items() if each.timed), times_by_size.name)


@study(
    "work",
    "Counts of the work of the runs of the timing studies",
    get_type_hints(Work),
    smoke=lambda: _cells("times-naive-bayes", "smoke"),
    thesis=lambda: [cell for name in _TIMED for cell in _cells(name)],
    quick=lambda task: task.base_model == "naive_bayes" and task.n_train <= 5000,
    exhibits=("Tables 3.8-3.11, 4.7-4.12", "KDD Figures 11, 12"),
)
def work(runs_of: str, dataset: str, base_model: str, algorithm: str, n_models: int, n_train: int) -> Work:
    """Count the work of the runs of a timing study in the first order, or of times by size.

    AdaBoost may train fewer models than asked for: it stops after one whose weighted error is 0 or 1/2.
    """
    name = "times by size" if runs_of == times_by_size.name else runs_of
    return count_work(Task(name, dataset, base_model, algorithm, n_models, 0, 0, 0), n_train)


def counted_runs(timed: str) -> list[Any]:
    """List the runs of a timing study, or of times by size, whose work is counted."""
    return [task for task in work.tasks("thesis") if task.runs_of == timed]
