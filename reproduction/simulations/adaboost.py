"""AdaBoost on halves of data sets: its weights, bounds and margins, and wrong labels (thesis section 4.3)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import load_dataset
from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..columns import nominal_columns
from ..theory.boosting import example_weights

_TREE = DecisionTreeClassifier(prune=True)


class Half(NamedTuple):
    """Training examples from a random half of a data set, and the other half as test examples."""

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    X_test: npt.NDArray[Any]
    y_test: npt.NDArray[Any]


def random_half(dataset: str, number: int, n_train: int, seed: int) -> Half:
    """Draw a random half of a data set.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    number, seed : int
        Number of the half, and seed of the draw.
    n_train : int
        Training examples; fewer if the half has fewer.
    """
    X, y = load_dataset(dataset, return_X_y=True)
    order = np.random.default_rng([seed, number]).permutation(len(y))
    train, test = order[: len(y) // 2][:n_train], order[len(y) // 2 :]
    return Half(X[train], y[train], X[test], y[test])


class Steps(NamedTuple):
    """What happens in runs of AdaBoost.

    Attributes
    ----------
    runs : DataFrame
        A row for each run and number of models `m`, with columns dataset, base, m, training_error, bound
        (that of Theorem 3) and edge (the least of the first m models).
    factors : DataFrame
        A row for each step: `error` of the model, the largest factor by which the weight of a right
        example is multiplied (`right`) and the least of a wrong one (`wrong`).
    repeated_errors : list of float
        Error of each model under the weights after its step.
    """

    runs: pd.DataFrame
    factors: pd.DataFrame
    repeated_errors: list[float]


def steps(datasets: Sequence[str], n_train: int, n_models: int, seed: int) -> Steps:
    """Run AdaBoost over trees, stumps and Naive Bayes, and follow the weights of the examples.

    Parameters
    ----------
    datasets : sequence of str
        Names of data sets, of each of which half number 0 is used.
    n_train, n_models : int
        Training examples, and the largest number of base models.
    seed : int
        Seed of the halves.
    """
    rows, factors, repeated_errors = [], [], []
    for name in datasets:
        X, y, *_ = random_half(name, 0, n_train, seed)
        for base in (_TREE, DecisionStumpClassifier(), NaiveBayesClassifier()):
            model = AdaBoostClassifier(base, n_models, categorical_features=nominal_columns(X)).fit(X, y)
            weights = example_weights(model, X, y)
            eps = model.estimator_errors_
            bound = np.cumprod(2 * np.sqrt(eps * (1 - eps)))
            for m, error in enumerate(staged_errors(model, X, y)):
                edge = 0.5 - eps[: m + 1].max()
                rows.append((name, type(base).__name__, m + 1, error, bound[m], edge))
            for m, is_wrong in enumerate((y != model.predict_each(X).T)[: len(weights) - 1]):
                factor = weights[m + 1] / weights[m]
                factors.append((eps[m], factor[~is_wrong].max(), factor[is_wrong].min()))
                repeated_errors.append(weights[m + 1][is_wrong].sum() / len(y))
    runs = pd.DataFrame(rows, columns=["dataset", "base", "m", "training_error", "bound", "edge"])
    return Steps(runs, pd.DataFrame(factors, columns=["error", "right", "wrong"]), repeated_errors)


def staged_errors(model: AdaBoostClassifier, X: Any, y: Any) -> npt.NDArray[np.float64]:
    """Give the error of the first m models for each m."""
    return np.array([(predicted != y).mean() for predicted in model.staged_predict(X)])


def margins(datasets: Sequence[str], n_splits: int, n_train: int, n_models: int, seed: int) -> pd.DataFrame:
    """Compare boosted trees whose training error is zero for the first time with all models.

    Parameters
    ----------
    datasets : sequence of str
        Names of data sets.
    n_splits : int
        Random halves of each data set.
    n_train, n_models, seed : int
        As for `steps`.

    Returns
    -------
    DataFrame
        A row for each split on which the training error reaches zero and no model stops the run. Columns
        dataset, split and zero_at (number of models at that point); margin_at_zero and margin_at_end,
        the tenth percentiles of the training margins; test_at_zero and test_at_end, the test errors.
    """
    rows = []
    for name in datasets:
        for number in range(n_splits):
            half = random_half(name, number, n_train, seed)
            model = AdaBoostClassifier(_TREE, n_models, categorical_features=nominal_columns(half.X)).fit(
                half.X, half.y
            )
            train = staged_errors(model, half.X, half.y)
            if train.min() > 0 or len(train) < n_models:
                continue
            test = staged_errors(model, half.X_test, half.y_test)
            zero = int(np.argmax(train == 0))
            small = AdaBoostClassifier(_TREE, zero + 1, categorical_features=nominal_columns(half.X)).fit(
                half.X, half.y
            )
            low, high = (np.quantile(m.margins(half.X, half.y), 0.1) for m in (small, model))
            rows.append((name, number, zero + 1, low, high, test[zero], test[-1]))
    columns = [
        "dataset",
        "split",
        "zero_at",
        "margin_at_zero",
        "margin_at_end",
        "test_at_zero",
        "test_at_end",
    ]
    return pd.DataFrame(rows, columns=columns)


def flipped(
    y: npt.NDArray[Any], share: float, seed: Sequence[int]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Replace a share of the labels by other classes, drawn evenly; say also which.

    Parameters
    ----------
    y : int array of shape (N,)
        Classes 0, 1, …
    share : float
        Probability that a label is replaced.
    seed : sequence of int
        Seed of the draws.
    """
    draws = np.random.default_rng(seed)
    is_flipped = draws.random(len(y)) < share
    n_classes = len(np.unique(y))
    other = (y + draws.integers(1, n_classes, len(y))) % n_classes
    return np.where(is_flipped, other, y), is_flipped


def with_noise(
    datasets: Sequence[str], shares: Sequence[float], n_splits: int, n_train: int, n_models: int, seed: int
) -> pd.DataFrame:
    """Boost and bag trees on training examples some of whose labels are wrong.

    Parameters
    ----------
    datasets, n_splits, n_train, n_models, seed
        As for `margins`.
    shares : sequence of float
        Shares of flipped labels.

    Returns
    -------
    DataFrame
        A row for each data set, split and share: `flipped`, the share; `examples`, that of the examples
        that were flipped; `weight`, the share of the final weight that they hold; `boosting` and
        `bagging`, errors on test examples, whose labels are right.
    """
    rows = []
    for name in datasets:
        for number in range(n_splits):
            for share in shares:
                rows.append((name, share, *noisy(name, number, share, n_train, n_models, seed)))
    return pd.DataFrame(rows, columns=["dataset", "flipped", "examples", "weight", "boosting", "bagging"])


def noisy(
    dataset: str, number: int, share: float, n_train: int, n_models: int, seed: int
) -> tuple[float, float, float, float]:
    """Measure one row of `with_noise`: `examples`, `weight`, `boosting` and `bagging`.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    number : int
        Number of the half.
    share : float
        Share of flipped labels.
    n_train, n_models, seed : int
        As for `margins`.
    """
    X, y, X_test, y_test = random_half(dataset, number, n_train, seed)
    labels, is_flipped = flipped(y, share, [seed, number, 1])
    boosted = AdaBoostClassifier(_TREE, n_models, categorical_features=nominal_columns(X)).fit(X, labels)
    bagged = BaggingClassifier(
        _TREE, n_models, random_state=seed, categorical_features=nominal_columns(X)
    ).fit(X, labels)
    weights = example_weights(boosted, X, labels)[-1]
    boosting, bagging = (float((model.predict(X_test) != y_test).mean()) for model in (boosted, bagged))
    return float(is_flipped.mean()), float(weights[is_flipped].sum() / len(y)), boosting, bagging
