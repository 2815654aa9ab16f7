"""Averages of guesses and of trees: bias, variance, and what correlation leaves of the gain."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.ensembles import BaggingClassifier
from oza.kernels.draws import normals, uniforms
from oza.models import DecisionTreeClassifier

from ..exact import log
from ..record.simulation import simulation
from ..theory.correlation import averaged_error

#: Laws of the noise of a guess, all with mean 0: functions of (shape, *name).
NOISES: dict[str, Callable[..., npt.NDArray[np.float64]]] = {
    "normal": lambda shape, *name: normals(shape, "normal", *name),
    "uniform": lambda shape, *name: uniforms(shape, "uniform", *name) - 0.5,
    "two values": lambda shape, *name: np.where(uniforms(shape, "two", *name) < 0.5, -1.0, 1.0),
    "skewed": lambda shape, *name: -log(1.0 - uniforms(shape, "skewed", *name)) - 1.0,
    "long tails": lambda shape, *name: np.multiply.reduce([normals(shape, "tails", *name)] * 3),
}
#: Problems in the unit square: the share of class 1 at each point.
PLANES: dict[str, Callable[[Any], Any]] = {
    "disc": lambda X: np.where(((X - 0.5) ** 2).sum(axis=1) < 0.12, 0.9, 0.1),
    "wave": lambda X: np.where(X[:, 1] > 0.5 + 0.25 * np.sin(6.3 * X[:, 0]), 0.9, 0.1),
    "diagonal": lambda X: np.where(X[:, 0] + X[:, 1] > 1.0, 0.9, 0.1),
}


def plane(name: str, n_examples: int, *key: object) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Draw points in the unit square with their classes, of which one in ten is wrong.

    Parameters
    ----------
    name : str
        A name in `PLANES`.
    n_examples : int
        Number of points.
    *key : objects
        Parts of the name of the draws.

    Examples
    --------
    >>> X, y = plane("disc", 200, 1)
    >>> X.shape, round(float(y.mean()), 1)
    ((200, 2), 0.4)
    """
    X = uniforms((n_examples, 2), "plane", name, *key)
    return X, (uniforms(n_examples, "class", name, *key) < PLANES[name](X)).astype(np.int64)


def guesses(noise: str, sizes: Sequence[int], n_trials: int, seed: int) -> pd.DataFrame:
    """Compare the mean of n guesses with the guesses, by their distance from the truth.

    Parameters
    ----------
    noise : str
        A law in `NOISES`.
    sizes : sequence of int
        Numbers n of guesses.
    n_trials : int
        Number of trials with each n.
    seed : int
        Seed.

    Returns
    -------
    DataFrame
        Columns noise, guesses and trials; wins, the trials in which the mean is nearer to the truth than the
        guess of median distance; distance, that of the mean, on average over the trials; nearer, by how
        much the mean is nearer than a guess drawn at random, and the standard_error of that.

    Examples
    --------
    >>> guesses("normal", [100], 200, seed=1)["wins"].to_list()
    [200]
    """
    rows = []
    for n in sizes:
        off = NOISES[noise]((n_trials, n), n, seed)
        distances, of_mean = np.abs(off), np.abs(off.mean(axis=1))
        wins = int((of_mean < np.median(distances, axis=1)).sum())
        nearer = distances.mean(axis=1) - of_mean
        error = nearer.std(ddof=1) / math.sqrt(n_trials)
        rows.append((noise, n, n_trials, wins, of_mean.mean(), nearer.mean(), error))
    columns = ["noise", "guesses", "trials", "wins", "distance", "nearer", "standard_error"]
    return pd.DataFrame(rows, columns=columns)


@simulation(small={"sizes": (2, 3), "n_draws": 1000})
def averaged_errors(
    sizes: Sequence[int] = (2, 3, 10, 100), n_draws: int = 20_000, seed: int = 1
) -> pd.DataFrame:
    """Simulate errors of averages of m models, for several correlations of their errors.

    Columns models, correlation; exact, by Tumer and Ghosh's formula; estimate, and its standard_error.
    """
    rows = [
        (m, rho, averaged_error(m, rho), *simulate_averaged_error(m, rho, n_draws, seed))
        for m in sizes
        for rho in (-1 / (m - 1), 0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
    ]
    return pd.DataFrame(rows, columns=["models", "correlation", "exact", "estimate", "standard_error"])


def simulate_averaged_error(
    n_models: int, correlation: float, n_draws: int, seed: int
) -> tuple[float, float]:
    """Mean square of the average of M normal errors of variance 1, and its standard error.

    Equal seeds give the same z whatever the correlation.
    """
    z = normals((n_draws, n_models), "added errors", n_models, n_draws, seed)
    errors = np.einsum("ni,mi->nm", z, _root(n_models, correlation))
    squares = errors.mean(axis=1) ** 2
    return float(squares.mean()), float(squares.std(ddof=1) / math.sqrt(n_draws))


def _root(n_models: int, correlation: float) -> npt.NDArray[np.float64]:
    """Cholesky factor of the correlation matrix, which may be singular."""
    wanted = np.full((n_models, n_models), float(correlation))
    np.fill_diagonal(wanted, 1.0)
    root = np.zeros_like(wanted)
    for j in range(n_models):
        rest = wanted[j:, j] - (root[j:, :j] * root[j, :j]).sum(axis=1)
        if rest[0] > 1e-12:
            root[j:, j] = rest / math.sqrt(rest[0])
    return root


def averages(sizes: Sequence[int], bias: float, n_trials: int, seed: int) -> pd.DataFrame:
    """Average m independent predictors, which all have the same bias and a variance of 1.

    Parameters
    ----------
    sizes : sequence of int
        Numbers m.
    bias : float
        Expectation of each predictor minus the truth.
    n_trials : int
        Number of averages of each size.
    seed : int
        Seed.

    Returns
    -------
    DataFrame
        Two rows for each m, `part` "bias" and "variance", with columns models, part, exact, estimate and
        standard_error.
    """
    rows = []
    for m in sizes:
        means = bias + normals((n_trials, m), "predictors", m, seed).mean(axis=1)
        squares = (means - means.mean()) ** 2
        for part, exact, values in (("bias", bias, means), ("variance", 1 / m, squares)):
            rows.append((m, part, exact, values.mean(), values.std(ddof=1) / math.sqrt(n_trials)))
    return pd.DataFrame(rows, columns=["models", "part", "exact", "estimate", "standard_error"])


@simulation(
    small={"n_sets": 5},
    calls=[
        {"problem": problem, **given}
        for problem in PLANES
        for given in ({}, {"sizes": (1, 2, 4, 8, 16, 32), "n_sets": 60})
    ],
)
def bags_in_the_plane(
    problem: str = "disc",
    sizes: Sequence[int] = (1, 2, 4, 8, 16),
    n_train: int = 150,
    n_sets: int = 40,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure the variance of averages of trees: bagged, and from independent training sets.

    A tree says 1 or −1 at each of 300 points; the average of m trees is a number, whose variance over the
    training sets is measured. The frame has a row for each m, the first of which is 1. Columns problem,
    models; independent and bagged, the mean variances divided by that of one such tree; correlation, of two
    trees of a bag; formula, ρ + (1 − ρ)/m; and the errors of one tree, from a whole training set
    (`single_error`) and in a bag (`member_error`).
    """
    at, y = plane(problem, 300, "test", seed)
    most = max(sizes)
    tree = DecisionTreeClassifier()
    bagged = np.empty((n_sets, most, len(y)))
    alone = np.empty((n_sets, most, len(y)))
    for s in range(n_sets):
        X, labels = plane(problem, n_train, "train", s, 0, seed)
        bag = BaggingClassifier(tree, most, random_state=s).fit(X, labels)
        bagged[s] = bag.predict_each(at).T
        for m in range(most):
            alone[s, m] = tree.fit(*plane(problem, n_train, "train", s, m, seed)).predict(at)
    errors = [float((predictions != y).mean()) for predictions in (alone[:, 0], bagged)]
    signs = [2 * predictions - 1 for predictions in (alone, bagged)]
    rows = []
    variances = [
        [float(predictions[:, :m].mean(axis=1).var(axis=0).mean()) for m in sizes] for predictions in signs
    ]
    centred = signs[1] - signs[1].mean(axis=0)
    total = float((centred.mean(axis=1) ** 2).mean())
    own = float((centred**2).mean())
    rho = (most * total / own - 1) / (most - 1)
    for i, m in enumerate(sizes):
        shares = [each[i] / each[0] for each in variances]
        rows.append((problem, m, *shares, rho, rho + (1 - rho) / m, *errors))
    names = ["problem", "models", "independent", "bagged", "correlation", "formula"]
    return pd.DataFrame(rows, columns=[*names, "single_error", "member_error"])


@simulation(small={"depths": [1, 2], "n_sets": 5})
def trees_by_depth(
    problem: str = "wave",
    depths: Sequence[int] = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16),
    n_train: int = 150,
    n_sets: int = 60,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure error, squared bias and variance of a tree against its largest depth.

    The prediction is the share of class 1 in the leaf; error, bias and variance are those of the squared
    distance from the true share, so that error = bias² + variance. The frame has a row for each depth: error,
    bias (squared), variance, and training, the squared error on the training examples.
    """
    from sklearn.tree import DecisionTreeClassifier as Cart  # its depth can be limited

    at, _ = plane(problem, 500, "test", seed)
    truth = PLANES[problem](at)
    rows = []
    for depth in depths:
        says = []
        wrong = 0.0
        for s in range(n_sets):
            X, labels = plane(problem, n_train, "train", s, 0, seed)
            tree = Cart(max_depth=depth, random_state=0).fit(X, labels)
            says.append(tree.predict_proba(at)[:, 1])
            wrong += float(((tree.predict_proba(X)[:, 1] - labels) ** 2).mean()) / n_sets
        found = np.array(says)
        bias = float(((found.mean(axis=0) - truth) ** 2).mean())
        rows.append(
            (depth, bias + float(found.var(axis=0).mean()), bias, float(found.var(axis=0).mean()), wrong)
        )
    return pd.DataFrame(rows, columns=["depth", "error", "bias", "variance", "training"]).set_index("depth")
