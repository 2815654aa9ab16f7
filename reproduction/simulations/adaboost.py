"""AdaBoost on halves of data sets: its weights, bounds and margins, and wrong labels (thesis section 4.3)."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.tree import DecisionTreeClassifier as Cart

from oza.datasets import load_dataset
from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..columns import nominal_columns
from ..exact import artanh, dot, exp
from ..record.simulation import simulation
from ..theory.boosting import example_weights

_TREE = DecisionTreeClassifier(prune=True)
_BASES = {type(base).__name__: base for base in (_TREE, DecisionStumpClassifier(), NaiveBayesClassifier())}
_DATASETS = ("car-evaluation", "balance", "nursery")


class Half(NamedTuple):
    """Training examples from a random half of a data set, and the other half as test examples."""

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    X_test: npt.NDArray[Any]
    y_test: npt.NDArray[Any]


def random_half(dataset: str, number: int, n_train: int, seed: int) -> Half:
    """Draw the half of a data set with this number; of its examples at most `n_train` are for training."""
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


@simulation(small={"datasets": ["balance"], "n_models": 5})
def boosting_steps(
    datasets: Sequence[str] = _DATASETS,
    n_train: int = 500,
    n_models: int = 100,
    seed: int = 1,
    bases: Sequence[str] = tuple(_BASES),
) -> Steps:
    """Run AdaBoost over several base models, and follow the weights of the examples of half number 0."""
    rows, factors, repeated_errors = [], [], []
    for name in datasets:
        X, y, *_ = random_half(name, 0, n_train, seed)
        nominal = {"categorical_features": nominal_columns(X)}
        for base in bases:
            model = AdaBoostClassifier(_BASES[base], n_models, **nominal).fit(X, y)
            weights = example_weights(model, X, y)
            eps = model.estimator_errors_
            bound = np.cumprod(2 * np.sqrt(eps * (1 - eps)))
            for m, error in enumerate(staged_errors(model, X, y)):
                edge = 0.5 - eps[: m + 1].max()
                rows.append((name, base, m + 1, error, bound[m], edge))
            for m, is_wrong in enumerate((y != model.predict_each(X).T)[: len(weights) - 1]):
                factor = weights[m + 1] / weights[m]
                factors.append((eps[m], factor[~is_wrong].max(), factor[is_wrong].min()))
                repeated_errors.append(weights[m + 1][is_wrong].sum() / len(y))
    runs = pd.DataFrame(rows, columns=["dataset", "base", "m", "training_error", "bound", "edge"])
    return Steps(runs, pd.DataFrame(factors, columns=["error", "right", "wrong"]), repeated_errors)


def staged_errors(model: AdaBoostClassifier, X: Any, y: Any) -> npt.NDArray[np.float64]:
    """Give the error of the first m models for each m."""
    return np.array([(predicted != y).mean() for predicted in model.staged_predict(X)])


@simulation(small={"datasets": ["balance"], "n_splits": 2, "n_train": 100, "n_models": 10})
def boosting_margins(
    datasets: Sequence[str] = _DATASETS,
    n_splits: int = 10,
    n_train: int = 500,
    n_models: int = 100,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare boosted trees whose training error is zero for the first time with all models.

    The frame has a row for each split on which the training error reaches zero and no model stops the run,
    with columns dataset, split and zero_at (number of models at that point); margin_at_zero and
    margin_at_end, the tenth percentiles of the training margins; test_at_zero and test_at_end, errors.
    """
    rows = []
    for name in datasets:
        for number in range(n_splits):
            half = random_half(name, number, n_train, seed)
            nominal = {"categorical_features": nominal_columns(half.X)}
            model = AdaBoostClassifier(_TREE, n_models, **nominal).fit(half.X, half.y)
            train = staged_errors(model, half.X, half.y)
            if train.min() > 0 or len(train) < n_models:
                continue
            test = staged_errors(model, half.X_test, half.y_test)
            zero = int(np.argmax(train == 0))
            small = AdaBoostClassifier(_TREE, zero + 1, **nominal).fit(half.X, half.y)
            low, high = (np.quantile(m.margins(half.X, half.y), 0.1) for m in (small, model))
            rows.append((name, number, zero + 1, low, high, test[zero], test[-1]))
    numbers = ["zero_at", "margin_at_zero", "margin_at_end", "test_at_zero", "test_at_end"]
    return pd.DataFrame(rows, columns=["dataset", "split", *numbers])


def from_norms(law: str, n: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Draw n examples of 20 numbers and a class −1 or 1, from one of Breiman's laws of normal variables.

    The numbers are independent, given the class, with variance 1, and have these means: on "twonorm"
    2/√20 times the class; on "threenorm" all 2/√20 or all −2/√20 for class 1, alternating for class −1; on
    "ringnorm" 1/√20 for class −1, and 0, with variance 4, for class 1.
    """
    y, sides = rng.choice([-1, 1], (2, n))
    z, unit = rng.normal(size=(n, 20)), 1 / np.sqrt(20)
    if law == "ringnorm":
        return np.where(y[:, None] > 0, 2 * z, z + unit), y
    alternating = np.where(np.arange(20) % 2, -1, 1)
    means = y[:, None] if law == "twonorm" else np.where(y[:, None] > 0, sides[:, None], alternating)
    return z + 2 * unit * means, y


@simulation(small={"laws": ["twonorm"], "n_draws": 1, "n_models": 10})
def margins_of_arcing(
    laws: Sequence[str] = ("twonorm", "threenorm", "ringnorm"),
    n_draws: int = 20,
    n_train: int = 300,
    n_test: int = 3000,
    n_models: int = 100,
    n_leaves: int = 16,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare AdaBoost with arc-gv over trees of so many leaves, on examples drawn from `from_norms`.

    Breiman's arc-gv weights examples as AdaBoost does, by exp(votes of wrong models − votes of right ones),
    and gives a model with edge e the vote artanh(e) − artanh(r), where r is the least margin so far, or 0
    while it is negative; AdaBoost's is artanh(e). The frame has a row for each law, draw and algorithm: the
    `least` margin of the training examples, the tenth percentile (`low`), and the `test_error`.
    """
    rows = []
    for law, number in product(laws, range(n_draws)):
        rng = np.random.default_rng([seed, number])
        train, test = from_norms(law, n_train, rng), from_norms(law, n_test, rng)
        for algorithm in ("AdaBoost", "arc-gv"):
            found = arced(*train, *test, n_models, n_leaves, algorithm == "arc-gv")
            rows.append((law, number, algorithm, *found))
    return pd.DataFrame(rows, columns=["law", "draw", "algorithm", "least", "low", "test_error"])


def arced(
    X: Any, y: Any, X_test: Any, y_test: Any, n_models: int, n_leaves: int, is_gv: bool
) -> tuple[float, float, float]:
    """Measure `least`, `low` and `test_error` of one row of `margins_of_arcing`."""
    margins, votes, total = np.zeros(len(y)), np.zeros(len(y_test)), 0.0
    for _ in range(n_models):
        weights = exp(-margins)
        weights /= weights.sum()
        tree = Cart(max_leaf_nodes=n_leaves, random_state=0).fit(X, y, weights)
        right = y * tree.predict(X)
        edge, least = dot(weights, right), max(margins.min(), 0.0) / total if is_gv and total else 0.0
        if right.min() > 0 or edge <= least:
            break
        vote = artanh(edge) - artanh(least)
        margins, votes, total = margins + vote * right, votes + vote * tree.predict(X_test), total + vote
    margins = margins / total
    return float(margins.min()), float(np.quantile(margins, 0.1)), float((votes * y_test <= 0).mean())


@simulation(small={"depths": [1], "n_splits": 1})
def boosted_depths(
    dataset: str = "balance",
    depths: Sequence[int] = (1, 2, 3, 5, 8),
    n_splits: int = 5,
    n_train: int = 300,
    seed: int = 1,
) -> pd.DataFrame:
    """Boost scikit-learn's trees of limited depth: means over random halves, a row for each depth."""
    rows = []
    for depth, number in product(depths, range(n_splits)):
        X, y, X_test, y_test = random_half(dataset, number, n_train, seed)
        boosted = AdaBoostClassifier(Cart(max_depth=depth), 50, random_state=seed).fit(X, y)
        alone = Cart(max_depth=depth, random_state=0).fit(X, y)
        errors = [1 - model.score(*on) for on in ((X, y), (X_test, y_test)) for model in (alone, boosted)]
        rows.append((depth, len(boosted.estimators_), *errors))
    errors_of = ["training error alone", "boosted", "test error alone", "boosted on tests"]
    return pd.DataFrame(rows, columns=["depth", "models", *errors_of]).groupby("depth").mean()


def flipped(
    y: npt.NDArray[Any], share: float, seed: Sequence[int]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Replace a share of the labels 0, 1, … by other classes, drawn evenly; say also which."""
    draws = np.random.default_rng(seed)
    is_flipped = draws.random(len(y)) < share
    n_classes = len(np.unique(y))
    other = (y + draws.integers(1, n_classes, len(y))) % n_classes
    return np.where(is_flipped, other, y), is_flipped


@simulation(small={"datasets": ["balance"], "n_splits": 1, "n_train": 100, "n_models": 5})
def boosting_with_noise(
    datasets: Sequence[str] = _DATASETS,
    shares: Sequence[float] = (0.0, 0.15, 0.3),
    n_splits: int = 3,
    n_train: int = 500,
    n_models: int = 100,
    seed: int = 1,
) -> pd.DataFrame:
    """Boost and bag trees on training examples some of whose labels are wrong.

    The frame has a row for each data set, split and share: `flipped`, the share; `examples`, that of the
    examples that were flipped; `weight`, the share of the final weight that they hold; `boosting` and
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
    """Measure `examples`, `weight`, `boosting` and `bagging` of one row of `boosting_with_noise`."""
    X, y, X_test, y_test = random_half(dataset, number, n_train, seed)
    labels, is_flipped = flipped(y, share, [seed, number, 1])
    nominal = {"categorical_features": nominal_columns(X)}
    boosted = AdaBoostClassifier(_TREE, n_models, **nominal).fit(X, labels)
    bagged = BaggingClassifier(_TREE, n_models, random_state=seed, **nominal).fit(X, labels)
    weights = example_weights(boosted, X, labels)[-1]
    boosting, bagging = (float((model.predict(X_test) != y_test).mean()) for model in (boosted, bagged))
    return float(is_flipped.mean()), float(weights[is_flipped].sum() / len(y)), boosting, bagging
