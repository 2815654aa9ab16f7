"""Counts of the work of an algorithm, which do not depend on the speed of a program.

Times depend on the program; the thesis argues with passes and updates. These are counted while the
training set of a task is learned:

* **passes** through the training set, to learn it or to measure errors on it;
* **updates** of base models. A model that counts its examples (Naive Bayes, a stump, a tree) takes an
  example of any weight at once: one update for each example that it learns with a positive weight. A
  network makes one for each step of gradient descent: for each copy in each pass of batch training, and
  online `updates` for each copy;
* **classifications** of training examples by base models.

Counts that follow from the draws and the number of models are computed from these; online boosting is
run with base models that count.
"""

from typing import Any, NamedTuple, get_type_hints

import numpy as np

from oza.columns.validation import check_key
from oza.ensembles import AdaBoostClassifier, OnlineBoostingClassifier, PrimedOnlineBoostingClassifier
from oza.ensembles.bagging.kernels import sample_with_replacement
from oza.kernels.random import poisson_each, row_key
from oza.models import NeuralNetworkClassifier

from ..record.study import study, without_warnings_of_bounds
from .accuracy import GRIDS, Task
from .algorithms import BASE_MODELS
from .counted import Counted
from .protocol import n_training
from .times import times_by_size


class Work(NamedTuple):
    n_tried: int  # base models, including one that AdaBoost drops
    passes: float  # through the training set; priming counts with the share of it that it uses
    updates: int  # totals over all base models
    classifications: int


def count_work(task: Task, n_train: int | None = None) -> Work:
    """Count the work of learning a training set, or its first `n_train` examples.

    The task is a single model, bagging or boosting, in batch, online or primed.

    >>> count_work(Task("times", "balance", "naive_bayes", "boosting", 10, 0, 0, 0))
    Work(n_tried=10, passes=20.0, updates=5000, classifications=5000)
    """
    examples = task.examples()
    X, y = examples.X_train[:n_train], examples.y_train[:n_train]
    with without_warnings_of_bounds():
        if task.algorithm in _DETERMINED:
            return _DETERMINED[task.algorithm](task, len(y))
        if task.algorithm == "boosting":
            return _of_adaboost(task, X, y)
        if task.algorithm in ("online_boosting", "primed_boosting"):
            return _of_online_boosting(task, X, y)
    raise ValueError(f"the work of {task.algorithm!r} is not counted")


def _is_network(task: Task) -> bool:
    return isinstance(BASE_MODELS[task.base_model](), NeuralNetworkClassifier)


def _epochs(task: Task) -> int:
    """Number of passes of a base model through its training set in batch."""
    return BASE_MODELS[task.base_model]().epochs if _is_network(task) else 1


def _updates(task: Task, n_given: float, n_copies: float) -> int:
    """Number of online updates, given the numbers of examples learned and of their copies."""
    return int(n_copies * BASE_MODELS[task.base_model]().updates if _is_network(task) else n_given)


def _of_single(task: Task, n_train: int) -> Work:
    return Work(1, float(_epochs(task)), n_train * _epochs(task), 0)


def _of_online_single(task: Task, n_train: int) -> Work:
    return Work(1, 1.0, _updates(task, n_train, n_train), 0)


def _of_bagging(task: Task, n_train: int) -> Work:
    n_learned = task.n_models * n_train
    if not _is_network(task):  # an example that is drawn twice is learned once, with weight 2
        sample, key = np.empty(n_train, np.int32), np.uint64(check_key(task.seed))
        n_learned = 0
        for m in range(task.n_models):
            sample_with_replacement(sample, np.uint64(row_key(key, m)))
            n_learned += len(np.unique(sample))
    return Work(task.n_models, float(task.n_models * _epochs(task)), n_learned * _epochs(task), 0)


def _of_online_bagging(task: Task, n_train: int) -> Work:
    copies, key = np.empty(task.n_models), np.uint64(check_key(task.seed))
    n_given, n_copies = 0, 0.0
    for n in range(n_train):
        poisson_each(1.0, np.uint64(row_key(key, n)), copies)
        n_given += int(np.count_nonzero(copies))
        n_copies += copies.sum()
    return Work(task.n_models, 1.0, _updates(task, n_given, n_copies), 0)


_DETERMINED = {
    "single": _of_single,
    "online_single": _of_online_single,
    "bagging": _of_bagging,
    "online_bagging": _of_online_bagging,
}


def _of_adaboost(task: Task, X: np.ndarray, y: np.ndarray) -> Work:
    """Work of AdaBoost: each model learns the training set and is tested on it; the last may be dropped."""
    made, known = task.estimator().get_params(deep=False), AdaBoostClassifier().get_params()
    ensemble = AdaBoostClassifier(**{name: made[name] for name in known.keys() & made.keys()})
    errors = ensemble.fit(X, y).estimator_errors_
    was_last_kept = len(errors) == task.n_models or errors[-1] == 0.0 or errors[0] >= 0.5
    n_tried = len(errors) if was_last_kept else len(errors) + 1
    sample = n_tried * len(y)
    return Work(n_tried, float(n_tried * (_epochs(task) + 1)), sample * _epochs(task), sample)


class _OnlineBoosting(OnlineBoostingClassifier):
    def _new_kind(self) -> Counted:
        return Counted(super()._new_kind())


class _PrimedOnlineBoosting(_OnlineBoosting, PrimedOnlineBoostingClassifier):
    """Primed online boosting of base models that count their online work."""


def counting(task: Task) -> Any:
    """Make the untrained classifier of a task of online boosting, with base models that count."""
    kind = _PrimedOnlineBoosting if task.algorithm == "primed_boosting" else _OnlineBoosting
    return kind(**task.estimator().get_params(deep=False))


def _of_online_boosting(task: Task, X: np.ndarray, y: np.ndarray) -> Work:
    ensemble = counting(task).fit(X, y)
    n_given, n_copies, n_classified = ensemble._models.work
    first = Work(0, 0.0, 0, 0)
    n_prime = getattr(ensemble, "_n_prime", 0)
    if n_prime:
        first = _of_adaboost(task, X[:n_prime], y[:n_prime])
    return Work(
        task.n_models,
        (first.passes * n_prime + len(y) - n_prime) / len(y),
        first.updates + _updates(task, n_given, n_copies),
        first.classifications + int(n_classified),
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
