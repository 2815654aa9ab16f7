"""What a lossy online learner costs: networks by the number of updates for each example, and of examples."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy.optimize import curve_fit

from oza.datasets import dataset_info
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import NeuralNetworkClassifier

from ..record.study import Study, grid
from .protocol import N_FOLDS, Correct, prepare

#: Data sets, and the numbers of training examples that they have enough of.
DATASETS = ("car-evaluation", "nursery", "synthetic1", "synthetic2")
SIZES = (250, 500, 1000, 2000, 4000, 8000)

#: Updates for each example; 0 stands for networks that learn in batch, with as many passes as the thesis's.
UPDATES = (0, 1, 2, 4, 8, 16, 32)

#: Networks alone, and bags of ten.
N_MODELS = (1, 10)

#: Splits of each data set: two cross-validations.
N_RUNS = 10


@dataclass(frozen=True, order=True)
class Lossy:
    """Networks that make `updates` for each of the first `n_train` training examples of split `run`."""

    study: ClassVar = "lossy-learners"
    dataset: str
    updates: int
    n_models: int
    n_train: int
    run: int

    def estimator(self) -> Any:
        network = NeuralNetworkClassifier(updates=self.updates or 1)
        seed = key_of(self.study, self.dataset, self.n_models, self.run)
        columns = range(len(dataset_info(self.dataset).attributes))
        if self.n_models == 1:
            return network.set_params(categorical_features=columns, random_state=seed)
        bagging = OnlineBaggingClassifier if self.updates else BaggingClassifier
        return bagging(network, self.n_models, categorical_features=columns, random_state=seed)


def learn_lossy(task: Lossy) -> Correct:
    """Train and test the networks of a task.

    >>> learn_lossy(Lossy("car-evaluation", 1, 1, 250, 0)).n_test
    345
    """
    split = prepare(task.dataset, *divmod(task.run, N_FOLDS))
    X, y = split.X_train[: task.n_train], split.y_train[: task.n_train]
    classifier = task.estimator()
    if task.updates:
        classifier.partial_fit(X, y, classes=np.arange(len(dataset_info(task.dataset).classes)))
    else:
        classifier.fit(X, y)
    right = classifier.predict(split.X_test) == split.y_test
    return Correct(len(right), int(right.sum()))


def lossy_tasks(
    datasets: tuple[str, ...] = DATASETS, sizes: tuple[int, ...] = SIZES, n_runs: int = N_RUNS
) -> list[Lossy]:
    """List the runs on data sets that have enough training examples."""
    cells = {"dataset": datasets, "updates": UPDATES, "n_models": N_MODELS, "n_train": sizes}
    every = grid(Lossy, **cells, run=range(n_runs))
    return [task for task in every if task.n_train <= dataset_info(task.dataset).n_train]


def mean_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean errors by dataset, n_models and n_train, a column for each number of updates."""
    with_errors = rows.assign(error=1.0 - rows["n_correct"] / rows["n_test"])
    index = ["dataset", "n_models", "n_train"]
    return with_errors.pivot_table(index=index, columns="updates", values="error", sort=True)


@dataclass(frozen=True)
class Law:
    """The law error = floor + scale · N^−by_examples · u^−by_updates for N examples of u updates each."""

    floor: float  # the parameters are fitted to all numbers of examples but the largest
    scale: float
    by_examples: float
    by_updates: float
    explained: float  # share of the variance of the errors explained by the fit
    missed: float  # mean absolute difference of predicted and measured errors at the largest number


def fitted_law(errors: pd.DataFrame) -> Law:
    """Fit the law of `Law` by least squares, with the largest number of examples left out to test it.

    A row for each number of examples, a column for each number of updates (of online learning).

    >>> sizes, updates = [100, 200, 400, 800], [1, 2, 4, 8]
    >>> exact = {u: [0.1 + 5 * n**-0.5 * u**-0.25 for n in sizes] for u in updates}
    >>> law = fitted_law(pd.DataFrame(exact, sizes))
    >>> round(law.floor, 3), round(law.by_examples, 3), round(law.by_updates, 3), law.missed < 1e-6
    (0.1, 0.5, 0.25, True)
    """

    def predicted(both: Any, floor: float, scale: float, by_examples: float, by_updates: float) -> Any:
        return floor + scale * both[0] ** -by_examples * both[1] ** -by_updates

    known = errors.iloc[:-1].stack()
    both = np.array(known.index.to_list(), dtype=float).T
    bounds = ([0.0, 0.0, 0.0, -1.0], [1.0, np.inf, 3.0, 3.0])
    parameters, _ = curve_fit(
        predicted, both, known.to_numpy(), p0=(0.05, 2.0, 0.5, 0.3), bounds=bounds, max_nfev=20_000
    )
    low, high = map(np.array, bounds)  # the fit stays inside; how far inside depends on the processor
    parameters = np.where(parameters - low < 1e-9, low, np.where(high - parameters < 1e-9, high, parameters))
    rest = known.to_numpy() - predicted(both, *parameters)
    explained = 1.0 - float((rest**2).sum() / ((known - known.mean()) ** 2).sum())
    last = errors.iloc[-1]
    ahead = predicted((float(errors.index[-1]), last.index.to_numpy(dtype=float)), *parameters)
    floor, scale, by_examples, by_updates = map(float, parameters)
    missed = float(np.abs(ahead - last.to_numpy()).mean())
    return Law(floor, scale, by_examples, by_updates, explained, missed)


STUDY = Study.of(
    learn_lossy,
    "Networks by the number of updates for each example, and of examples (KDD, section 5)",
    smoke=lambda: lossy_tasks(("car-evaluation",), (250,), 1),
    thesis=lossy_tasks,
    quick=lambda task: task.run < N_FOLDS,
)
