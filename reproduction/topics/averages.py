"""Averages of guesses, of trees and of ratings: bias, variance, and what correlation leaves of the gain.

The claims are of Mooney's lecture.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.stats
from matplotlib.patches import Rectangle

from oza.ensembles import BaggingClassifier
from oza.ensembles.bagging.kernels import draw_samples
from oza.evaluation.significance import LEVEL
from oza.kernels.draws import normals, uniforms
from oza.kernels.random import key_of
from oza.models import DecisionTreeClassifier

from ..claims.criteria import holm, names, outside_band
from ..claims.registry import Decision, claim, require
from ..exact import log
from ..figures import (
    BAND,
    COOL,
    GUIDE,
    INK,
    Picture,
    bare,
    drawing,
    grid_shares,
    mark_points,
    paneled,
    shade,
)
from ..printed.printed import printed
from ..record.simulation import simulation

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
Predictor = Callable[["Ratings"], npt.NDArray[np.float64]]
_SIZES = (10, 100, 1000, 10_000)


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


class Ratings(NamedTuple):
    """Generated ratings, most of them missing.

    Attributes
    ----------
    users, films : int64 arrays of shape (n,)
        Who rated what.
    stars : ndarray of shape (n,)
        Whole numbers from 1 to 5.
    part : int64 array of shape (n,)
        0 for training, 1 for fitting the blend, 2 for the test.
    n_users, n_films : int
    """

    users: npt.NDArray[np.int64]
    films: npt.NDArray[np.int64]
    stars: npt.NDArray[np.float64]
    part: npt.NDArray[np.int64]
    n_users: int
    n_films: int


def generate(n_users: int = 400, n_films: int = 150, share: float = 0.2, seed: int = 1) -> Ratings:
    """Generate ratings: a level for each user and film, three tastes, an effect of kinds of films, and noise.

    Parameters
    ----------
    n_users, n_films : int
    share : float, default=0.2
        Share of the pairs that are rated (in the Netflix prize 1 %).
    seed : int
        Seed.

    Examples
    --------
    >>> ratings = generate(50, 20)
    >>> sorted(set(ratings.stars.tolist()))
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    tastes, kinds = normals((n_users, 3), "tastes", seed), normals((n_films, 3), "kinds", seed)
    levels = 0.4 * normals(n_users, "users", seed)[:, None] + 0.5 * normals(n_films, "films", seed)
    group = (uniforms(n_films, "group", seed) * 6).astype(int)
    liking = 0.4 * normals((n_users, 6), "liking", seed)[:, group]
    noise = 0.7 * normals((n_users, n_films), "noise", seed)
    stars = np.clip(
        np.rint(3.6 + levels + 0.35 * (tastes[:, None] * kinds).sum(axis=2) + liking + noise), 1, 5
    )
    users, films = np.nonzero(uniforms((n_users, n_films), "rated", seed) < share)
    draw = uniforms(len(users), "part", seed)
    return Ratings(users, films, stars[users, films], (draw > 0.8) * 1 + (draw > 0.9) * 1, n_users, n_films)


def _means(values: Any, of: Any, n: int, damping: float) -> npt.NDArray[np.float64]:
    """Means by user or film, drawn towards 0 by so many zeros."""
    return np.bincount(of, values, n) / (np.bincount(of, minlength=n) + damping)


def _levels(ratings: Ratings, with_users: bool = True, with_films: bool = True) -> npt.NDArray[np.float64]:
    known = ratings.part == 0
    users, films, stars = ratings.users[known], ratings.films[known], ratings.stars[known]
    mean = stars.mean()
    of_film, of_user = np.zeros(ratings.n_films), np.zeros(ratings.n_users)
    for _ in range(5 if with_users and with_films else 1):
        if with_films:
            of_film = _means(stars - mean - of_user[users], films, ratings.n_films, 2.0)
        if with_users:
            of_user = _means(stars - mean - of_film[films], users, ratings.n_users, 2.0)
    return mean + of_user[ratings.users] + of_film[ratings.films]


def _factors(ratings: Ratings, rank: int, ridge: float = 4.0, rounds: int = 15) -> npt.NDArray[np.float64]:
    """Factorise what the levels leave, by alternating least squares."""
    base = _levels(ratings)
    known = ratings.part == 0
    users, films, rest = ratings.users[known], ratings.films[known], (ratings.stars - base)[known]
    sides = [0.1 * normals((n, rank), "start", rank, n) for n in (ratings.n_users, ratings.n_films)]
    for _ in range(rounds):
        for side, (own, other) in enumerate(((users, films), (films, users))):
            order = np.argsort(own, kind="stable")
            ends = np.searchsorted(own[order], np.arange(len(sides[side]) + 1))
            for i in range(len(sides[side])):
                rows = order[ends[i] : ends[i + 1]]
                x = sides[1 - side][other[rows]]
                sides[side][i] = np.linalg.solve(x.T @ x + ridge * np.eye(rank), x.T @ rest[rows])
    return base + (sides[0][ratings.users] * sides[1][ratings.films]).sum(axis=1)


def _neighbours(ratings: Ratings, n_neighbours: int = 20) -> npt.NDArray[np.float64]:
    """Add to the levels what the user said of the most similar films."""
    base = _levels(ratings)
    known = ratings.part == 0
    table = np.zeros((ratings.n_users, ratings.n_films))
    rated = np.zeros_like(table)
    table[ratings.users[known], ratings.films[known]] = (ratings.stars - base)[known]
    rated[ratings.users[known], ratings.films[known]] = 1.0
    common = rated.T @ rated
    norms = np.sqrt((table.T**2 @ rated) * (rated.T @ table**2))
    alike = (table.T @ table) / np.maximum(norms, 1e-9) * common / (common + 20.0)
    np.fill_diagonal(alike, 0.0)
    strongest = np.sort(np.abs(alike), axis=1)[:, -n_neighbours][:, None]
    alike = np.where(np.abs(alike) >= strongest, alike, 0.0)
    return base + ((table @ alike.T) / (rated @ np.abs(alike).T + 1.0))[ratings.users, ratings.films]


#: Predictors, the simple ones first; each predicts all ratings from those for training.
PREDICTORS: dict[str, Predictor] = {
    "mean of all": lambda ratings: np.full(len(ratings.stars), ratings.stars[ratings.part == 0].mean()),
    "level of the film": lambda ratings: _levels(ratings, with_users=False),
    "level of the user": lambda ratings: _levels(ratings, with_films=False),
    "both levels": _levels,
    "similar films": _neighbours,
    "one factor": lambda ratings: _factors(ratings, 1),
    "two factors": lambda ratings: _factors(ratings, 2),
    "six factors": lambda ratings: _factors(ratings, 6),
}


def blend(ratings: Ratings) -> tuple[pd.DataFrame, npt.NDArray[np.float64]]:
    """Measure each predictor, and the blends of the first, the first two, and so on.

    The weights of a blend are fitted by least squares, with a small ridge, to ratings that no predictor has
    seen, and tested on others.

    Parameters
    ----------
    ratings : Ratings

    Returns
    -------
    scores : DataFrame
        By predictor: rmse, its root mean square error on the test ratings; blend, that of the blend of it
        and all before it; weight, its weight in the blend of all.
    correlations : ndarray of shape (n_predictors, n_predictors)
        Of their errors on the test ratings.
    """
    says = np.column_stack([predict(ratings) for predict in PREDICTORS.values()])
    fitting, testing = ratings.part == 1, ratings.part == 2
    stars = ratings.stars[testing]
    rows, weights = [], np.zeros(0)
    for k, name in enumerate(PREDICTORS):
        x = says[fitting, : k + 1]
        target = ratings.stars[fitting]
        weights = np.linalg.solve(x.T @ x + 1.0 * np.eye(k + 1), x.T @ target)
        blended = says[testing, : k + 1] @ weights
        rows.append((name, _rmse(says[testing, k] - stars), _rmse(blended - stars)))
    scores = pd.DataFrame(rows, columns=["predictor", "rmse", "blend"]).set_index("predictor")
    return scores.assign(weight=weights), np.corrcoef((says[testing] - stars[:, None])[:, 1:].T)


def _rmse(errors: npt.NDArray[np.float64]) -> float:
    return float(np.sqrt((errors**2).mean()))


@cache
def bootstrap_shares() -> pd.DataFrame:
    """Count distinct examples in bootstrap samples: simulated by the library, and exact."""
    rows = []
    for n in _SIZES:
        samples = draw_samples(2000, n, key_of("distinct", n))
        shares = np.array([len(np.unique(sample)) / n for sample in samples])
        rows.append((n, 1 - (1 - 1 / n) ** n, shares.mean(), shares.std(ddof=1) / len(shares) ** 0.5))
    return pd.DataFrame(rows, columns=["examples", "exact", "estimate", "standard_error"])


@claim("C124", evidence=lambda record: (bootstrap_shares(), "0.632"), given=("printed", "shares.exact"))
def a_sample_holds_two_thirds(shares: pd.DataFrame, printed: str) -> Decision:
    """Judge the mean share of distinct examples in bootstrap samples.

    To hold, it agrees with 1 − (1 − 1/n)ⁿ for each number n of examples, within a band of 99.9 %, and for the
    largest n it rounds to the printed share.
    """
    enough = len(shares) >= 2 and shares["examples"].max() >= 1000
    require(enough, "needs two numbers of examples or more, and a thousand examples")
    is_off, z = outside_band(shares)
    last = float(shares["estimate"].iloc[-1])
    return not is_off and f"{last:.3f}" == printed, (
        f"largest |z| {z:.1f}; mean share for n = {shares['examples'].iloc[-1]:,}: {last:.4f}"
    )


@cache
def averages_of_predictors() -> pd.DataFrame:
    """Simulate averages of independent predictors."""
    return averages((1, 2, 5, 10, 50), bias=0.5, n_trials=20_000, seed=1)


@cache
def bags_of_trees() -> pd.DataFrame:
    """Measure variances of bagged trees and of independent ones, on three problems."""
    return pd.concat(bags_in_the_plane.recorded(problem) for problem in PLANES)


@claim(
    "C131", evidence=lambda record: (averages_of_predictors(), bags_of_trees()), given=("simulated.exact",)
)
def averaging_divides_the_variance(simulated: pd.DataFrame, bags: pd.DataFrame) -> Decision:
    """Judge simulated averages of independent predictors, and measured variances of bagged trees.

    The claim holds if bias and variance of the averages agree with the bias of one predictor and with its
    variance divided by m, within a band of 99.9 %; and if on every problem bagged trees are positively
    correlated, and the largest bag keeps a larger share of the variance than as many independent trees.
    """
    enough = simulated["models"].nunique() >= 2 and bags["models"].nunique() >= 2
    require(enough, "needs two numbers of models or more")
    is_off, z = outside_band(simulated)
    largest = bags[bags["models"] == bags["models"].max()]
    less = bool((largest["bagged"] > largest["independent"]).all() and (bags["correlation"] > 0).all())
    return not is_off and less, (
        f"largest |z| of the simulation {z:.1f}; bags of {largest['models'].iloc[0]} keep "
        f"{largest['bagged'].mean():.1%} of the variance of one tree, independent trees "
        f"{largest['independent'].mean():.1%}"
    )


@cache
def crowds() -> pd.DataFrame:
    """Let means of guesses compete with typical guesses, under five laws of noise."""
    return pd.concat(guesses(name, (3, 10, 30, 100), 2000, seed=1) for name in NOISES)


@claim("C133", evidence=lambda record: (crowds(),))
def the_mean_beats_the_typical_guess(wins: pd.DataFrame) -> Decision:
    """Judge how far the mean of n guesses is from the truth, beside a guess drawn at random.

    The claim holds if its expected distance is smaller for each law of the noise and each n (paired t-test
    over the trials at 0.05), and falls as n grows. It fails if the distance is significantly larger for one
    of them, by Holm's correction, or does not fall. The evidence also reports in how many trials the mean is
    nearer than the guess of median distance.

    Parameters
    ----------
    wins : DataFrame
        Columns noise, guesses, trials, wins (over the guess of median distance), distance (of the mean, on
        average over the trials), nearer (by how much, than a guess drawn at random) and standard_error.
    """
    enough = wins["noise"].nunique() >= 2 and wins["trials"].min() >= 100
    require(enough, "needs two laws of noise, and a hundred trials of each kind")
    p_values = 2 * scipy.stats.t.sf(wins["nearer"].abs() / wins["standard_error"], wins["trials"] - 1)
    is_nearer = wins["nearer"] > 0
    falls = (
        wins.sort_values("guesses", kind="stable").groupby("noise")["distance"].is_monotonic_decreasing.all()
    )
    shares = wins["wins"] / wins["trials"]
    first, last = (wins[wins["guesses"] == n]["distance"].mean() for n in wins["guesses"].agg(["min", "max"]))
    evidence = (
        f"nearer on average for {(is_nearer & (p_values < LEVEL)).sum()} of {len(wins)} laws and numbers of "
        f"guesses; mean distance {first:.3f} with {wins['guesses'].min()} guesses, {last:.3f} with "
        f"{wins['guesses'].max()}; nearer than the guess of median distance in {shares.min():.1%} to "
        f"{shares.max():.1%} of the trials"
    )
    if not falls or (~is_nearer & (holm(p_values) < LEVEL)).any():
        return False, evidence
    return (True if (is_nearer & (p_values < LEVEL)).all() else None), evidence


@claim("C142", evidence=lambda record: (bags_of_trees(),), given=("bags.models",))
def bagging_divides_by_less(bags: pd.DataFrame) -> Decision:
    """Judge the variance of bags of trees beside that of as many independent trees.

    To hold, on every problem: independent trees keep 1/m of the variance of one, to within a fifth of it;
    bags keep more than that for every m above 1; what they keep is ρ + (1 − ρ)/m, with ρ the correlation of
    two trees of a bag, to within 0.05; ρ is above 0; and a tree of a bag, which sees fewer distinct cases,
    errs more than one from the whole training set.
    """
    several = bags[bags["models"] > 1]
    enough = several["models"].nunique() >= 2 and bags["problem"].nunique() >= 2
    require(enough, "needs two problems and two numbers of models above 1")
    best = (several["independent"] * several["models"] - 1).abs() <= 0.2
    more = several["bagged"] > several["independent"]
    fits = (several["bagged"] - several["formula"]).abs() <= 0.05
    fewer = bags["member_error"] > bags["single_error"]
    holds = best.all() and more.all() and fits.all() and (bags["correlation"] > 0).all() and fewer.all()
    largest = bags[bags["models"] == bags["models"].max()]
    return bool(holds), (
        f"with {largest['models'].iloc[0]} trees: share of the variance {largest['bagged'].mean():.3f} in "
        f"bags, {largest['independent'].mean():.3f} for independent trees; correlation "
        f"{bags['correlation'].mean():.2f}; error {bags['member_error'].mean():.3f} in a bag, "
        f"{bags['single_error'].mean():.3f} alone"
    )


def improvements() -> pd.DataFrame:
    """Compute the improvements of the leaderboard from its scores, beside the printed ones."""
    toy = printed("schapire_toy")
    cinematch = float(toy.loc[toy["quantity"] == "rmse_cinematch_quiz", "value"].iloc[0])
    board = printed("netflix")
    return board.assign(computed=100 * (cinematch - board["rmse"]) / cinematch)


@claim("C144", evidence=lambda record: (improvements(),), given=("board.improvement_percent",))
def improvements_follow_from_scores(board: pd.DataFrame) -> Decision:
    """Judge the improvement over Cinematch that follows from each score of the leaderboard.

    The claim holds if it rounds to the printed one, in percent with two decimals, in all twenty rows.
    """
    require(len(board) >= 20, "needs all twenty rows")
    differ = board[(board["computed"] - board["improvement_percent"]).abs() > 0.005 + 1e-9]
    agreeing = f"{len(board) - len(differ)} of {len(board)} agree"
    return differ.empty, f"{agreeing}; exceptions: {names(differ['team'])}"


def plane_shades(
    shares: Mapping[str, Any], X: npt.NDArray[Any], y: npt.NDArray[Any], n_steps: int = 80
) -> Picture:
    """Shade the unit square by the share of class 1 that classifiers give, a panel for each.

    `shares` are functions of points (n, 2); the training examples are drawn over the shades. The cells hold
    the share of the square on the side of class 1, and of that where fewer than nine in ten agree.
    """
    rows = []
    with paneled(shares, 360) as (figure, grid):
        for axes, title, share in grid:
            values = grid_shares(share, n_steps)
            shade(axes, values)
            mark_points(axes, X, y, 10)
            bare(axes, title)
            unsure = float((np.abs(values - 0.5) < 0.4).mean())
            rows.append((title, float((values > 0.5).mean()), unsure))
    cells = pd.DataFrame(rows, columns=["panel", "class 1", "unsure"]).set_index("panel")
    lines = [f"{r.Index}: {r[1]:.0%} of the square is class 1, {r[2]:.0%} unsure" for r in cells.itertuples()]
    return Picture(figure, "\n".join(["Shades: share of class 1.", *lines]), cells)


def bootstrap_boxes(samples: npt.ArrayLike, n_examples: int) -> Picture:
    """Draw bootstrap samples as rows of boxes, below the training set, and what each leaves out beside it.

    A row of `samples` has the numbers of the examples drawn, from 0.
    """
    drawn = np.asarray(samples)
    counts = np.array([np.bincount(sample, minlength=n_examples) for sample in drawn])
    rows: list[tuple[str, list[int], list[int]]] = [("training set", list(range(n_examples)), [])]
    for m, sample in enumerate(drawn, 1):
        rows.append((f"sample {m}", sample.tolist(), np.flatnonzero(counts[m - 1] == 0).tolist()))
    width = max(n_examples, drawn.shape[1])
    with drawing(40 + 50 * len(rows)) as figure:
        axes: Any = figure.subplots()
        for r, (name, inside, outside) in enumerate(rows):
            y = -1.25 * r
            axes.text(-0.9, y, name, ha="right", va="center")
            places = [(x, i, True) for x, i in enumerate(inside)]
            places += [(width + 1.0 + x, i, False) for x, i in enumerate(outside)]
            for x, i, is_in in places:
                fill = (BAND if inside.count(i) == 1 else COOL) if is_in else "none"
                look: Any = {"facecolor": fill, "edgecolor": GUIDE, "linestyle": "-" if is_in else ":"}
                axes.add_patch(Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, **look))
                axes.text(x, y, str(i + 1), ha="center", va="center", color=INK if is_in else GUIDE)
        axes.text(width + 0.6, 0.0, "left out", va="center", color=GUIDE)
        axes.set(xlim=(-4.2, width + n_examples - 1.0), ylim=(-1.25 * (len(rows) - 1) - 0.7, 0.7))
        axes.set_aspect("equal")
        axes.axis("off")
    cells = pd.DataFrame(
        counts,
        index=pd.RangeIndex(1, len(drawn) + 1, name="sample"),
        columns=pd.RangeIndex(1, n_examples + 1, name="example"),
    )
    lines = [
        f"{name}: {_numbered(inside)}; left out: {_numbered(outside) or 'none'}"
        for name, inside, outside in rows[1:]
    ]
    return Picture(figure, "\n".join(lines), cells)


def _numbered(examples: Sequence[int]) -> str:
    return " ".join(str(i + 1) for i in examples)
