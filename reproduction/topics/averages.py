"""Averages of guesses and of trees: bias, variance, and what correlation leaves of the gain.

The claims are of Mooney's lecture.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.stats
from matplotlib.patches import Rectangle

from oza import BaggingClassifier, DecisionTreeClassifier
from oza.ensembles.bagging.kernels import draw_samples
from oza.evaluation.significance import LEVEL
from oza.kernels.draws import normals, uniforms
from oza.kernels.random import key_of

from ..claims.criteria import holm, outside_band
from ..claims.registry import Decision, claim, require
from ..exact import log
from ..figures import BAND, COOL, GUIDE, INK, Picture, drawing, shade_points, squares
from ..record.simulation import simulation

#: Laws of the noise of a guess, all with mean 0: functions of (shape, *name).
NOISES: dict[str, Callable[..., np.ndarray]] = {
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


def plane(name: str, n_examples: int, *key: object) -> tuple[np.ndarray, np.ndarray]:
    """Draw points in the unit square with their classes, of which one in ten is wrong.

    The problem has its name in `PLANES`; the key is part of the name of the draws.

    >>> X, y = plane("disc", 200, 1)
    >>> X.shape, round(float(y.mean()), 1)
    ((200, 2), 0.4)
    """
    X = uniforms((n_examples, 2), "plane", name, *key)
    return X, (uniforms(n_examples, "class", name, *key) < PLANES[name](X)).astype(np.int64)


def guesses(noise: str, sizes: Sequence[int], n_trials: int, seed: int) -> pd.DataFrame:
    """Compare the mean of n guesses with the guesses, by their distance from the truth.

    The noise follows a law in `NOISES`. The frame has a row for each n in `sizes`, with columns noise,
    guesses and trials; wins, the trials in which the mean is nearer to the truth than the guess of median
    distance; distance, that of the mean, on average over the trials; nearer, by how much the mean is nearer
    than a guess drawn at random, and the standard_error of that.

    >>> guesses("normal", [100], 200, seed=1)["wins"].to_list()
    [200]
    """
    rows = []
    for n in sizes:
        off = NOISES[noise]((n_trials, n), n, seed)
        distances, of_mean = np.abs(off), np.abs(off.mean(axis=1))
        wins = int((of_mean < np.median(distances, axis=1)).sum())
        nearer = distances.mean(axis=1) - of_mean
        rows.append((noise, n, n_trials, wins, of_mean.mean(), nearer.mean(), scipy.stats.sem(nearer)))
    columns = ["noise", "guesses", "trials", "wins", "distance", "nearer", "standard_error"]
    return pd.DataFrame(rows, columns=columns)


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
    alone, bagged = np.empty((2, n_sets, most, len(y)))
    for s in range(n_sets):
        of_set = [plane(problem, n_train, "train", s, m, seed) for m in range(most)]
        bagged[s] = BaggingClassifier(tree, most, random_state=s).fit(*of_set[0]).predict_each(at).T
        alone[s] = [tree.fit(*examples).predict(at) for examples in of_set]
    of_bags = 2 * bagged - 1
    centred = of_bags - of_bags.mean(axis=0)
    total, own = ((values**2).mean() for values in (centred.mean(axis=1), centred))
    rho = (most * total / own - 1) / (most - 1)
    found: dict[str, Any] = {"problem": problem, "models": sizes}
    for name, signs in (("independent", 2 * alone - 1), ("bagged", of_bags)):
        variances = [signs[:, :m].mean(axis=1).var(axis=0).mean() for m in sizes]
        found[name] = np.array(variances) / variances[0]
    found |= {"correlation": rho, "formula": rho + (1 - rho) / np.array(sizes)}
    errors = {"single_error": (alone[:, 0] != y).mean(), "member_error": (bagged != y).mean()}
    return pd.DataFrame(found | errors)


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
    rows = {}
    for depth in depths:
        says, wrong = [], 0.0
        for s in range(n_sets):
            X, labels = plane(problem, n_train, "train", s, 0, seed)
            tree = Cart(max_depth=depth, random_state=0).fit(X, labels)
            says.append(tree.predict_proba(at)[:, 1])
            wrong += float(((tree.predict_proba(X)[:, 1] - labels) ** 2).mean()) / n_sets
        bias = ((np.mean(says, axis=0) - PLANES[problem](at)) ** 2).mean()
        variance = np.var(says, axis=0).mean()
        rows[depth] = bias + variance, bias, variance, wrong
    columns = ["error", "bias", "variance", "training"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("depth")


def _bootstrap_shares(_: object) -> tuple[pd.DataFrame, str]:
    """Evidence: distinct examples in bootstrap samples, simulated by the library, and exact."""
    rows = []
    for n in (10, 100, 1000, 10_000):
        shares = [len(np.unique(sample)) / n for sample in draw_samples(2000, n, key_of("distinct", n))]
        rows.append((n, 1 - (1 - 1 / n) ** n, np.mean(shares), scipy.stats.sem(shares)))
    return pd.DataFrame(rows, columns=["examples", "exact", "estimate", "standard_error"]), "0.632"


@claim("C124", evidence=_bootstrap_shares, given=("printed", "shares.exact"))
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


def _averages_of_predictors() -> pd.DataFrame:
    """Average m independent predictors, of bias 0.5 and variance 1: bias and variance for each m."""
    rows, n_trials = [], 20_000
    for m in (1, 2, 5, 10, 50):
        means = 0.5 + normals((n_trials, m), "predictors", m, 1).mean(axis=1)
        squares = (means - means.mean()) ** 2
        for part, exact, values in (("bias", 0.5, means), ("variance", 1 / m, squares)):
            rows.append((m, part, exact, values.mean(), scipy.stats.sem(values)))
    return pd.DataFrame(rows, columns=["models", "part", "exact", "estimate", "standard_error"])


def _bags_of_trees() -> pd.DataFrame:
    """Measure variances of bagged trees and of independent ones, on three problems."""
    return pd.concat(bags_in_the_plane.recorded(problem) for problem in PLANES)


@claim(
    "C131", evidence=lambda record: (_averages_of_predictors(), _bags_of_trees()), given=("simulated.exact",)
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
        f"{largest['bagged'].mean():.1%} of the variance of one of their trees, independent trees "
        f"{largest['independent'].mean():.1%}"
    )


def _crowds(_: object) -> tuple[pd.DataFrame]:
    return (pd.concat(guesses(name, (3, 10, 30, 100), 2000, seed=1) for name in NOISES),)


@claim("C133", evidence=_crowds)
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
    by_noise = wins.sort_values("guesses", kind="stable").groupby("noise")
    falls = by_noise["distance"].is_monotonic_decreasing.all()
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


@claim("C142", evidence=lambda record: (_bags_of_trees(),), given=("bags.models",))
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


def plane_shades(shares: Mapping[str, Any], X: np.ndarray, y: np.ndarray) -> Picture:
    """Shade the unit square by the share of class 1 that classifiers give, a panel for each.

    `shares` are functions of points (n, 2); the training examples are drawn over the shades. The cells hold
    the share of the square on the side of class 1, and of that where fewer than nine in ten agree.
    """

    def draw(axes: Any, share: Any) -> dict[str, float]:
        values = shade_points(axes, share, X, y, 10, 80)
        return {"class 1": (values > 0.5).mean(), "unsure": (np.abs(values - 0.5) < 0.4).mean()}

    sentence = "{panel}: {class 1:.0%} of the square is class 1, {unsure:.0%} unsure"
    return squares(shares.items(), 360, draw, sentence, "Shades: share of class 1.")


def bootstrap_boxes(samples: npt.ArrayLike, n_examples: int) -> Picture:
    """Draw bootstrap samples as rows of boxes, below the training set, and what each leaves out beside it.

    A row of `samples` has the numbers of the examples drawn, from 0.
    """
    rows = {"training set": [*range(1, n_examples + 1)]}
    rows |= {f"sample {m}": (sample + 1).tolist() for m, sample in enumerate(np.asarray(samples), 1)}
    width = max(map(len, rows.values()))
    lines = []
    with drawing(40 + 50 * len(rows)) as figure:
        axes: Any = figure.subplots()
        for r, (name, inside) in enumerate(rows.items()):
            y = -1.25 * r
            axes.text(-0.9, y, name, ha="right", va="center")
            outside = [i for i in rows["training set"] if i not in inside]
            for x, i in [*enumerate(inside), *enumerate(outside, width + 1)]:
                is_in = x < width
                fill = (BAND if inside.count(i) == 1 else COOL) if is_in else "none"
                look: Any = {"facecolor": fill, "edgecolor": GUIDE, "linestyle": "-" if is_in else ":"}
                axes.add_patch(Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, **look))
                axes.text(x, y, str(i), ha="center", va="center", color=INK if is_in else GUIDE)
            numbers = (" ".join(map(str, part)) or "none" for part in (inside, outside))
            lines.append("{}: {}; left out: {}".format(name, *numbers))
        axes.text(width + 0.6, 0.0, "left out", va="center", color=GUIDE)
        axes.set(xlim=(-4.2, width + n_examples - 1.0), ylim=(-1.25 * (len(rows) - 1) - 0.7, 0.7))
        axes.set_aspect("equal")
        axes.axis("off")
    counts = {name: [inside.count(i) for i in rows["training set"]] for name, inside in rows.items()}
    cells = pd.DataFrame(counts, rows["training set"]).drop(columns="training set").T
    return Picture(figure, "\n".join(lines[1:]), cells)
