"""What a lossy online learner costs: networks by the number of updates for each example, and of examples."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import curve_fit

from oza.datasets import dataset_info
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import NeuralNetworkClassifier

from ..record.study import cells, study
from .protocol import CORRECT, N_FOLDS, prepare

_DATASETS = ("car-evaluation", "nursery", "synthetic1", "synthetic2")
_SIZES = (250, 500, 1000, 2000, 4000, 8000)  # numbers of training examples, where there are enough
_RUNS = range(2 * N_FOLDS)  # splits of two cross-validations

#: Updates for each example, where 0 stands for batch training with as many passes as in the thesis; networks
#: alone, and bagged ensembles of ten.
_NETWORKS = {"updates": (0, 1, 2, 4, 8, 16, 32), "n_models": (1, 10)}


@study(
    "lossy-learners",
    "Networks by the number of updates for each example, and of examples (KDD, section 5)",
    CORRECT,
    smoke=lambda: cells(dataset="car-evaluation", **_NETWORKS, n_train=250, run=0),
    thesis=lambda: [
        cell
        for cell in cells(dataset=_DATASETS, **_NETWORKS, n_train=_SIZES, run=_RUNS)
        if cell["n_train"] <= dataset_info(cell["dataset"]).n_train
    ],
    quick=lambda task: task.run < N_FOLDS,
)
def lossy_learners(dataset: str, updates: int, n_models: int, n_train: int, run: int) -> tuple[int, int]:
    """Networks that make `updates` for each of the first `n_train` training examples of split `run`."""
    split, info = prepare(dataset, *divmod(run, N_FOLDS)), dataset_info(dataset)
    model: Any = NeuralNetworkClassifier(updates=updates or 1)
    if n_models > 1:
        model = (OnlineBaggingClassifier if updates else BaggingClassifier)(model, n_models)
    seed = key_of("lossy-learners", dataset, n_models, run)
    model.set_params(categorical_features=range(len(info.attributes)), random_state=seed)
    X, y = split.X_train[:n_train], split.y_train[:n_train]
    if updates:
        model.partial_fit(X, y, classes=np.arange(len(info.classes)))
    else:
        model.fit(X, y)
    return len(split.y_test), int((model.predict(split.X_test) == split.y_test).sum())


def mean_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean errors by dataset, n_models and n_train, a column for each number of updates."""
    with_errors = rows.assign(error=1.0 - rows["n_correct"] / rows["n_test"])
    return with_errors.pivot_table("error", ["dataset", "n_models", "n_train"], "updates")


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

    known, last = errors.iloc[:-1].stack(), errors.iloc[-1]
    both = np.array(known.index.to_list(), dtype=float).T
    bounds = ([0.0, 0.0, 0.0, -1.0], [1.0, np.inf, 3.0, 3.0])
    parameters, _ = curve_fit(
        predicted, both, known.to_numpy(), p0=(0.05, 2.0, 0.5, 0.3), bounds=bounds, max_nfev=20_000
    )
    low, high = map(np.array, bounds)  # the fit stays inside; how far inside depends on the processor
    parameters = np.where(parameters - low < 1e-9, low, np.where(high - parameters < 1e-9, high, parameters))
    rest = known.to_numpy() - predicted(both, *parameters)
    explained = 1.0 - float((rest**2).sum() / ((known - known.mean()) ** 2).sum())
    ahead = predicted((float(errors.index[-1]), last.index.to_numpy(dtype=float)), *parameters)
    missed = float(np.abs(ahead - last.to_numpy()).mean())
    return Law(*map(float, (*parameters, explained, missed)))
