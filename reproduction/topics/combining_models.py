"""Averages of models with correlated errors; bias and variance of the 0/1 loss (thesis sections 2.2.2, 4.3).

The decomposition is that of Kohavi and Wolpert (1996).  At one test example let p_c be the
probability, over training sets, that the classifier predicts c, and y the true class.  Then

    P(error) = 1 − p_y = ½ Σ_c (I(c = y) − p_c)²  +  ½ (1 − Σ_c p_c²) = bias + variance.

Noise in the data is part of the bias; it is the same for every classifier.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats
from sklearn.base import clone

from oza.datasets import load_dataset
from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.kernels.draws import normals, uniforms
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..claims.criteria import above_zero, every, outside_band
from ..claims.registry import Decision, Found, claim, recorded, require
from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory import lines
from ..theory.correlation import averaged_error

#: The base models whose bias and variance are measured.
BASE_MODELS: dict[str, Any] = {
    "decision tree": DecisionTreeClassifier(prune=True),
    "Naive Bayes": NaiveBayesClassifier(),
    "decision stump": DecisionStumpClassifier(),
}
#: How a classifier is made of a base model, with a number of models and a random state.
ENSEMBLES: dict[str, Callable[[Any, int, int], Any]] = {
    "single": lambda base, n_models, seed: clone(base),
    "bagging": lambda base, n_models, seed: BaggingClassifier(base, n_models, random_state=seed),
    "boosting": lambda base, n_models, seed: AdaBoostClassifier(base, n_models, random_state=seed),
}
#: Models of high bias in claim C027; the ones that claim C026 calls unstable and stable.
HIGH_BIAS = ("Naive Bayes", "decision stump")
UNSTABLE, STABLE = "decision tree", "Naive Bayes"
PARTS = ["error", "bias", "variance"]


@simulation(small={"sizes": (2, 3), "n_draws": 1000})
def averaged_errors(
    sizes: Sequence[int] = (2, 3, 10, 100), n_draws: int = 20_000, seed: int = 1
) -> pd.DataFrame:
    """Simulate errors of averages of m models, for several correlations of their errors.

    Errors are normal, of variance 1, and the average has their mean square. Columns models, correlation;
    exact, by Tumer and Ghosh's formula; estimate, and its standard_error.
    """
    rows = []
    for m in sizes:
        z = normals((n_draws, m), "added errors", m, n_draws, seed)
        for rho in (-1 / (m - 1), 0.0, 0.1, 0.25, 0.5, 0.75, 1.0):
            squares = np.einsum("ni,mi->nm", z, _root(m, rho)).mean(axis=1) ** 2
            error = squares.std(ddof=1) / math.sqrt(n_draws)
            rows.append((m, rho, averaged_error(m, rho), squares.mean(), error))
    return pd.DataFrame(rows, columns=["models", "correlation", "exact", "estimate", "standard_error"])


def _root(n_models: int, correlation: float) -> np.ndarray:
    """Cholesky factor of the correlation matrix, which may be singular."""
    wanted = np.full((n_models, n_models), float(correlation))
    np.fill_diagonal(wanted, 1.0)
    root = np.zeros_like(wanted)
    for j in range(n_models):
        rest = wanted[j:, j] - (root[j:, :j] * root[j, :j]).sum(axis=1)
        if rest[0] > 1e-12:
            root[j:, j] = rest / math.sqrt(rest[0])
    return root


def decompose(predictions: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
    """Split the error of a learner into bias and variance.

    `predictions` has a row for each of two training sets or more, and so has the result: the error of the
    classifier from this set, and jackknife values of bias and variance, up to order 1/R with R training sets,
    whose means are the estimates. These are unbiased: the sum of squared shares is too large by (1 − Σ p²)/R
    on average, so the variance is multiplied by R/(R − 1).

    Two training sets that disagree about the only example:

    >>> decompose(np.array([["a"], ["b"]]), np.array(["a"])).mean().to_list()
    [0.5, 0.0, 0.5]
    """
    n_sets = len(predictions)
    agreeing = sum((predictions == c) * (predictions == c).mean(axis=0) for c in np.unique(predictions))
    # Half the share of differing predictions.
    differing = 0.5 * (1 - agreeing).mean(axis=1) * n_sets / (n_sets - 1)
    errors = (predictions != labels).mean(axis=1)
    variances = 2 * differing - float(differing.mean())
    return pd.DataFrame({"error": errors, "bias": errors - variances, "variance": variances})


@simulation(small={"problems": ["balance"], "n_train": 50, "n_sets": 3, "n_test": 100, "n_models": 3})
def decomposed_ensembles(
    problems: Sequence[str] = ("balance", "car-evaluation", "nursery", "synthetic1", "synthetic2"),
    n_train: int = 200,
    n_sets: int = 48,
    n_test: int = 1500,
    n_models: int = 25,
    seed: int = 1,
    models: Sequence[str] = tuple(BASE_MODELS),
) -> pd.DataFrame:
    """Measure bias and variance of single models and of bagged and boosted ones on populations.

    All train on the same independent samples of a population, drawn with replacement, and predict test
    examples evenly spaced in it. The frame has a row for each training set, with columns problem, model,
    ensemble, set, error, bias and variance.
    """
    parts = {}
    for problem in problems:
        X, y = load_dataset(problem, return_X_y=True)
        nominal = {"categorical_features": nominal_columns(X)}
        test = np.unique(np.linspace(0, len(y) - 1, n_test).astype(int))
        draws = [uniforms(n_train, "training set", len(y), seed, r) for r in range(n_sets)]
        for model, (name, make) in product(models, ENSEMBLES.items()):
            predictions = []
            for r, train in enumerate((each * len(y)).astype(int) for each in draws):
                new = make(BASE_MODELS[model], n_models, r).set_params(**nominal)
                predictions.append(new.fit(X[train], y[train]).predict(X[test]))
            parts[problem, model, name] = decompose(np.array(predictions), y[test])
    return pd.concat(parts, names=["problem", "model", "ensemble", "set"]).reset_index()


def _three_lines(_: object) -> tuple[list[int], int, int]:
    points = lines.in_general_position(100, 1000, seed=1)
    answers = lines.sides(points, np.array([[1, 0, -550], [0, 1, -550], [-1, -1, 1200]]))
    labels = answers.sum(axis=1) >= 2
    vote_errors = int(((answers.sum(axis=1) >= 2) != labels).sum())
    return (answers != labels[:, None]).sum(axis=0).tolist(), vote_errors, lines.best_line(points, labels)[0]


@claim("C019", evidence=_three_lines)
def three_lines_beat_one(
    line_errors: Sequence[int], vote_errors: Found[int], best_line_errors: Found[int]
) -> Decision:
    """Judge three linear classifiers, their vote, and the best single line on the same points.

    The claim holds if the vote makes no error, while each of the three classifiers and the best single line
    do.
    """
    each = ", ".join(map(str, line_errors))
    evidence = f"lines err on {each} points, their vote on {vote_errors}, the best line on {best_line_errors}"
    return min(line_errors) > 0 and vote_errors == 0 and best_line_errors > 0, evidence


@claim("C020", evidence=recorded(averaged_errors), given=("errors.exact",))
def averaging_follows_the_formula(errors: pd.DataFrame) -> Decision:
    """Judge simulated errors of averages against (1 + ρ(M − 1))/M.

    Parameters
    ----------
    errors : DataFrame
        Columns models, correlation, exact, estimate, standard_error; in units of the error of one
        model. Two numbers of models and a positive and a negative correlation are needed.
    """
    enough = errors["models"].nunique() >= 2 and errors["correlation"].min() < 0 < errors["correlation"].max()
    require(enough, "needs two numbers of models, and correlations above and below 0")
    is_off, z = outside_band(errors)
    return not is_off, f"{len(errors)} simulated values, largest |z| {z:.1f}"


def _is_where(correlation: Callable, error: Callable) -> Callable[[pd.DataFrame], Decision]:
    """Whether formula and simulation have this error where errors have this correlation, each by M."""

    def check(errors: pd.DataFrame) -> Decision:
        rows = errors[(errors["correlation"] - correlation(errors["models"])).abs() < 1e-12]
        require(len(rows), "no ensemble with errors of that correlation")
        wanted = rows.assign(exact=error(rows["models"]))
        is_exact, (is_off, z) = np.allclose(rows["exact"], wanted["exact"], 0, 1e-12), outside_band(wanted)
        models = ", ".join(map(str, rows["models"]))
        return is_exact and not is_off, f"for {models} models; largest |z| {z:.1f}"

    return check


for _number, _at, _must, _check in (
    ("C021", "1", "that of one model", _is_where(lambda m: 1.0, lambda m: 1.0)),
    ("C022", "0", "1/M", _is_where(lambda m: 0.0, lambda m: 1 / m)),
    ("C023", "−1/(M − 1)", "0", _is_where(lambda m: -1 / (m - 1), lambda m: 0.0)),
):
    _rule = f"Judge the error of averages where ρ = {_at}: it must be {_must}; simulated as for C020."
    claim(_number, _rule, evidence=recorded(averaged_errors))(_check)


def _largest_ensemble(_: object) -> tuple[pd.Series]:
    errors = averaged_errors.recorded()
    return (errors[errors["models"] == errors["models"].max()].set_index("correlation")["estimate"],)


@claim("C024", evidence=_largest_ensemble)
def variance_falls_with_correlation(variance: pd.Series) -> Decision:
    """Judge the measured variance of an ensemble's error, for rising correlations.

    It must rise with the correlation.
    """
    require(len(variance) >= 3, "needs three correlations or more")
    rises = bool((np.diff(variance) > 0).all())
    ends = f"{variance.iloc[0]:.3g} at ρ = {variance.index[0]:.3g}, {variance.iloc[-1]:.3g} at ρ = "
    return rises, f"{len(variance)} correlations: variance {ends}{variance.index[-1]:.3g}"


def _bootstrap_samples(_: object) -> tuple[np.ndarray]:
    """Evidence: examples of which each has a value of its own, counted by bagged Naive Bayes."""
    ids = np.arange(200)[:, None]
    bag = BaggingClassifier(NaiveBayesClassifier(), 100, categorical_features=[0], random_state=1)
    bag.fit(ids, ids[:, 0] % 2)
    return (np.array([member.category_count_[0].sum(axis=0) for member in bag.estimators_]),)


@claim("C025", evidence=_bootstrap_samples)
def bootstrap_leaves_out_and_repeats(copies: np.ndarray) -> Decision:
    """Judge how often each example occurs in each bootstrap sample.

    The claim holds if each sample has N draws, leaves out some examples and repeats others, and if the mean
    share of absent examples is within the band that covers (1 − 1/N)ᴺ, the consequence of equal
    probabilities, with probability 0.999.
    """
    n_samples, n = copies.shape
    require(n_samples >= 10 and n >= 10, "needs ten samples of ten examples or more")
    absent = (copies == 0).mean(axis=1)
    exact = (1 - 1 / n) ** n
    band = scipy.stats.t.isf(0.0005, n_samples - 1) * absent.std(ddof=1) / math.sqrt(n_samples)
    whole = bool((copies.sum(axis=1) == n).all())
    mixed = bool((absent > 0).all() and (copies.max(axis=1) > 1).all())
    holds = whole and mixed and bool(abs(absent.mean() - exact) <= band)
    return holds, f"absent {absent.mean():.4f}, expected {exact:.4f}; 1/e = {1 / math.e:.4f}"


def _reductions(parts: pd.DataFrame, ensemble: str, model: str | None = None) -> pd.DataFrame:
    """How much an ensemble lowers error and its parts, by training set: means over problems and models."""
    rows = parts if model is None else parts[parts["model"] == model]
    means = rows.groupby(["ensemble", "set"])[PARTS].mean()
    return means.loc[["single"]].droplevel("ensemble") - means.loc[[ensemble]].droplevel("ensemble")


def _n_better(parts: pd.DataFrame, model: str) -> int:
    """On how many problems bagging errs significantly less than the single model."""
    rows = parts[parts["model"] == model].set_index(["ensemble", "problem", "set"])["error"]
    gains = rows["single"] - rows["bagging"]
    return sum(above_zero(gain) is True for _, gain in gains.groupby("problem"))


def _shows_all(parts: pd.DataFrame) -> bool:
    wanted = {(m, e) for m in (*HIGH_BIAS, UNSTABLE) for e in ("single", "bagging", "boosting")}
    return parts["problem"].nunique() > 1 and wanted <= set(zip(parts.model, parts.ensemble, strict=True))


def _in_points(reductions: pd.DataFrame, parts: Iterable[str] = ("bias", "variance")) -> str:
    points = {part: 100 * reductions[part].to_numpy(float) for part in parts}
    return ", ".join(f"{part} {x.mean():+.1f} ± {scipy.stats.sem(x):.1f}" for part, x in points.items())


@claim("C026", evidence=recorded(decomposed_ensembles))
def bagging_helps_the_unstable(parts: pd.DataFrame) -> Decision:
    """Judge bias and variance of single and of bagged models.

    Trees are pruned. The claim holds if bagging lowers the variance of trees significantly more than their
    bias, on average over problems, and if it lowers the error significantly on more than half of the problems
    for trees and on fewer than half for Naive Bayes. It fails if one of these counts is wrong, or if the bias
    falls significantly more than the variance.

    Parameters
    ----------
    parts : DataFrame
        A row for each training set, with columns problem, model, ensemble ("single", "bagging",
        "boosting"), set, error, bias and variance. All tests are t-tests over training sets, at 0.05.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    of_trees = _reductions(parts, "bagging", UNSTABLE)
    n_problems = parts["problem"].nunique()
    trees, bayes = (_n_better(parts, model) for model in (UNSTABLE, STABLE))
    more_variance = above_zero(of_trees["variance"] - of_trees["bias"])
    return every([more_variance, trees > n_problems / 2, bayes < n_problems / 2]), (
        f"bagging lowers, for trees, {_in_points(of_trees)} points (± standard error); significantly better "
        f"with trees on {trees}, with Naive Bayes on {bayes} of {n_problems} problems"
    )


@claim("C027", evidence=recorded(decomposed_ensembles))
def boosting_helps_high_bias(parts: pd.DataFrame) -> Decision:
    """Judge bias and variance of single and of boosted models, measured as for C026.

    The claim holds if, on average over problems, boosting lowers the bias of Naive Bayes and of stumps more
    than their variance, and the error of each of them more than that of trees: all four significantly, by
    t-tests over training sets at 0.05. It fails if one of the four is significant in the opposite direction,
    and is undecided otherwise.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    lowers = {model: _reductions(parts, "boosting", model) for model in (*HIGH_BIAS, UNSTABLE)}
    evidence = "; ".join(f"{model}: {_in_points(rows, PARTS)}" for model, rows in lowers.items())
    of_trees = lowers.pop(UNSTABLE)
    decided = [above_zero(rows["bias"] - rows["variance"]) for rows in lowers.values()]
    decided += [above_zero(rows["error"] - of_trees["error"]) for rows in lowers.values()]
    return every(decided), f"boosting lowers, in points (± standard error), for {evidence}"


@claim("C098", evidence=recorded(decomposed_ensembles))
def boosting_reduces_both(parts: pd.DataFrame) -> Decision:
    """Judge what bagging and boosting lower, on average over problems and models, measured as for C026.

    The claim holds if bagging lowers variance, and lowers it more than bias, and if boosting lowers both: all
    four significantly, by t-tests over training sets at 0.05. It fails if one of the four is significant in
    the opposite direction, and is undecided otherwise.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    bagging, boosting = (_reductions(parts, ensemble) for ensemble in ("bagging", "boosting"))
    lowered = [bagging["variance"], bagging["variance"] - bagging["bias"]]
    lowered += [boosting["bias"], boosting["variance"]]
    return every(map(above_zero, lowered)), (
        f"bagging lowers {_in_points(bagging)}, boosting {_in_points(boosting)} points (± standard error)"
    )
