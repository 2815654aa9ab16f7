"""AdaBoost on halves of data sets: its weights, bounds and margins, and wrong labels (thesis section 4.3).

The topic of the pages on AdaBoost and on what it promises. One claim draws after those of
`weak_and_strong_learning`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier as Cart

from oza import AdaBoostClassifier, DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier
from oza.datasets import load_dataset
from oza.evaluation.significance import LEVEL, compared

from ..claims.criteria import every, holm
from ..claims.registry import Decision, Found, claim, recorded, require
from ..columns import nominal_columns
from ..exact import artanh, dot, exp
from ..record.simulation import simulation
from ..statistics import mean_against_zero
from ..studies.halves import n_of_halves, noisy, random_half
from ..theory import boosting
from ..theory.boosting import example_weights
from .weak_and_strong_learning import ROUNDING, constructions

_TREE = DecisionTreeClassifier(prune=True)
_BASES = {type(base).__name__: base for base in (_TREE, DecisionStumpClassifier(), NaiveBayesClassifier())}
_DATASETS = ("car-evaluation", "balance", "nursery")


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
    for name, base in product(datasets, bases):
        X, y, *_ = random_half(name, 0, n_train, seed)
        model = AdaBoostClassifier(_BASES[base], n_models, categorical_features=nominal_columns(X)).fit(X, y)
        eps = model.estimator_errors_
        bounds, edges = np.cumprod(2 * np.sqrt(eps * (1 - eps))), 0.5 - np.maximum.accumulate(eps)
        steps = zip(staged_errors(model, X, y), bounds, edges, strict=True)
        rows += [(name, base, m, *step) for m, step in enumerate(steps, 1)]
        weights, wrong = example_weights(model, X, y), y != model.predict_each(X).T
        for error, is_wrong, before, after in zip(eps, wrong, weights, weights[1:], strict=False):
            factor = after / before
            factors.append((error, factor[~is_wrong].max(), factor[is_wrong].min()))
            repeated_errors.append(after[is_wrong].sum() / len(y))
    runs = pd.DataFrame(rows, columns=["dataset", "base", "m", "training_error", "bound", "edge"])
    return Steps(runs, pd.DataFrame(factors, columns=["error", "right", "wrong"]), repeated_errors)


def staged_errors(model: AdaBoostClassifier, X: Any, y: Any) -> np.ndarray:
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
    for name, number in product(datasets, range(n_splits)):
        X, y, *of_test = random_half(name, number, n_train, seed)
        model = AdaBoostClassifier(_TREE, n_models, categorical_features=nominal_columns(X)).fit(X, y)
        train, test = staged_errors(model, X, y), staged_errors(model, *of_test)
        if train.min() == 0 and len(train) == n_models:
            zero = int(np.argmax(train == 0))
            small = clone(model).set_params(n_estimators=zero + 1).fit(X, y)
            low, high = (np.quantile(each.margins(X, y), 0.1) for each in (small, model))
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
    rows = [
        (name, share, *noisy(name, number, share, n_train, n_models, seed))
        for name, number, share in product(datasets, range(n_splits), shares)
    ]
    return pd.DataFrame(rows, columns=["dataset", "flipped", "examples", "weight", "boosting", "bagging"])


@claim("C028", evidence=lambda record: (boosting_steps.recorded().factors,))
def wrong_examples_gain(factors: pd.DataFrame) -> Decision:
    """Judge the factors by which each round multiplied the weights of examples.

    They must be below 1 for correctly classified and above 1 for misclassified examples.

    Parameters
    ----------
    factors : DataFrame
        A row for each round; columns `error`, and the largest factor of a right example (`right`) and
        the least of a wrong one (`wrong`). Rounds with an error of 1/2 or more do not count.
    """
    weak = factors.query("0 < error < 0.5")
    require(len(weak), "no round with an error between 0 and 1/2")
    return bool((weak["right"] < 1).all() and (weak["wrong"] > 1).all()), (
        f"{len(weak)} rounds: factors of at most {weak['right'].max():.4f} for correct, "
        f"of at least {weak['wrong'].min():.4f} for misclassified examples"
    )


def _repeated_errors(_: object) -> tuple[list[Any]]:
    """Evidence: errors of the models of ten examples, as fractions, and of models of data sets."""
    wrong, run = boosting.ten_examples()
    exact = [sum(weights[row == 1]) for weights, row in zip(run.weights[1:], wrong, strict=True)]
    return ([*exact, *boosting_steps.recorded().repeated_errors],)


@claim("C029", evidence=_repeated_errors)
def last_model_has_error_one_half(errors: Sequence[Any]) -> Decision:
    """Judge the error of each base model under the weights that follow from its own errors.

    It must be 1/2.
    """
    require(len(errors), "no base model")
    worst = max(abs(float(error) - 0.5) for error in errors)
    return worst <= ROUNDING, f"{len(errors)} models, error at most {worst:.1g} from 1/2"


def _noise(_: object) -> tuple[pd.DataFrame]:
    return (boosting_with_noise.recorded().drop(columns="dataset").groupby("flipped").mean(),)


@claim("C030", evidence=_noise)
def noise_hurts_boosting(noise: pd.DataFrame) -> Decision:
    """Judge boosting on training data with some wrong labels.

    The claim holds if, at each share of wrong labels, mislabelled examples carry more weight than their
    share, and if noise raises the error of boosting more than that of bagging.

    Parameters
    ----------
    noise : DataFrame
        A row for each share of flipped labels, 0 among them, in rising order. Columns: `weight`, the
        share of the final weight that lies on flipped examples; `boosting` and `bagging`, errors on
        clean test examples.
    """
    require(0 in noise.index and len(noise) >= 2, "needs clean data and noisy data")
    noisy = noise.drop(index=0)
    collects = bool((noisy["weight"] > noisy.index.to_numpy()).all())
    rise = {name: float(noise[name].iloc[-1] - noise[name].loc[0]) for name in ("boosting", "bagging")}
    return collects and rise["boosting"] > max(rise["bagging"], 0), (
        f"{noise.index[-1]:.0%} wrong labels have {noise['weight'].iloc[-1]:.0%} of the weight; error rises "
        f"by {rise['boosting']:.3f} for boosting, {rise['bagging']:.3f} for bagging"
    )


def _ten_weights(_: object) -> tuple[Sequence[Fraction], Sequence[int]]:
    wrong, run = boosting.ten_examples()
    return run.weights[1], wrong[0]


@claim("C092", evidence=_ten_weights)
def ten_examples(weights: Sequence[Fraction], wrong: Sequence[int]) -> Decision:
    """Judge the exact weights of ten examples, three of which the first model misclassified."""
    require(len(weights) == 10 and sum(wrong) == 3, "needs ten examples, three of them wrong")
    of_right, of_wrong = (
        {w for w, x in zip(weights, wrong, strict=True) if x == is_wrong} for is_wrong in (0, 1)
    )
    evidence = f"misclassified: {', '.join(map(str, of_wrong))}; correct: {', '.join(map(str, of_right))}"
    return of_wrong == {Fraction(1, 6)} and of_right == {Fraction(1, 14)}, evidence


def _voters(_: object) -> tuple[dict[str, int], dict[str, int]]:
    rng = np.random.default_rng(1)
    constructions(rng)  # the first draws of the generator belong to C090
    return boosting.independent_voters(8, rng)


@claim("C093", evidence=_voters)
def vote_is_the_bayes_rule(disagreements: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge the number of vote patterns on which the weighted vote differs from the Bayes rule.

    Parameters
    ----------
    disagreements : mapping
        For sets of two-class voters whose errors are independent of each other and of the class.
    control : mapping
        The same for voters that do not; if the vote is the Bayes rule there too, the comparison
        shows nothing.
    """
    enough = disagreements and control and all(control.values())
    require(enough, "no control shows that a disagreement would have been seen")
    return not any(disagreements.values()), (
        f"{len(disagreements)} sets of independent voters: {sum(disagreements.values())} vote patterns "
        "differ; " + "; ".join(f"{name}: {count}" for name, count in control.items())
    )


@claim("C094", evidence=lambda record: (boosting_steps.recorded().runs,), given=("runs.bound",))
def training_error_is_bounded(runs: pd.DataFrame) -> Decision:
    """Judge the training error of ensembles against 2ᴹ ∏√(ε(1−ε)), at every number of models."""
    require(not runs.empty, "no run")
    room = runs["bound"] - runs["training_error"]
    is_below = bool((room >= -ROUNDING).all())
    return is_below, f"{len(runs)} ensembles, bound above the error by {room.min():.2g} or more"


@claim("C095", evidence=lambda record: (boosting_steps.recorded().runs,))
def bound_falls_exponentially(runs: pd.DataFrame) -> Decision:
    """Judge the bound of Theorem 3 against exp(−2γ²m), with γ the least edge of the first m models.

    Parameters
    ----------
    runs : DataFrame
        Columns `m`, `edge` (the least of the first m, 1/2 − ε) and `bound`.
    """
    weak = runs[runs["edge"] > 0]
    require(not weak.empty, "no models with an edge")
    room = np.exp(-2 * weak["edge"] ** 2 * weak["m"]) - weak["bound"]
    evidence = f"{len(weak)} ensembles; least edges {weak['edge'].min():.3g} to {weak['edge'].max():.3g}"
    return bool((room >= -ROUNDING).all()), evidence


@claim("C096", evidence=recorded(boosting_margins))
def test_error_keeps_falling(falls: pd.DataFrame) -> Decision:
    """Judge the test error when the training error is first zero, and at the end.

    The claim holds if the error falls on most data sets and rises on none, each by the corrected resampled
    t-test at 0.05, with the sizes of the random halves, as points of learning curves are: the training
    examples are at most 500 from one half, and all of the other half is for testing. It fails if it rises on
    half of them or more, and is undecided otherwise. Data sets with fewer than ten splits do not count.

    Parameters
    ----------
    falls : DataFrame
        A row for each split; columns `dataset`, `test_at_zero` and `test_at_end`.
    """
    found = {
        name: compared(rows["test_at_zero"].array, rows["test_at_end"].array, *n_of_halves(str(name)))
        for name, rows in falls.groupby("dataset")
        if len(rows) >= 10
    }
    require(found, "needs ten splits or more that reach zero training error")
    marks = [each.mark for each in found.values()]
    falls_mostly = marks.count("better") > len(marks) / 2 and "worse" not in marks
    rises = marks.count("worse") >= len(marks) / 2
    changes = "; ".join(f"{name!s} {-x.difference:+.4f} ± {x.half_width:.4f}" for name, x in found.items())
    return (True if falls_mostly else False if rises else None), (
        f"change of the test error (95 % interval) on {changes}"
    )


def _margins_and_arcing(_: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    runs = margins_of_arcing.recorded().set_index(["algorithm", "law", "draw"])
    return boosting_margins.recorded(), pd.DataFrame(runs.loc["arc-gv"] - runs.loc["AdaBoost"])


@claim("C097", evidence=_margins_and_arcing)
def margins_grow(falls: pd.DataFrame, arcing: pd.DataFrame) -> Decision:
    """Judge margins when the training error first reaches zero and at the end, and Breiman's arc-gv.

    The first half of the claim needs margins that grow on every split. The second half, that they do not
    explain everything, needs a law on which arc-gv has significantly larger margins than AdaBoost, the least
    as well as the tenth percentile, and yet a significantly larger test error: t-tests over the draws, for
    the error with Holm's correction over the laws. It is refuted if margins are larger and errors
    significantly smaller on every law.

    Parameters
    ----------
    falls : DataFrame
        A row for each split; columns `margin_at_zero` and `margin_at_end`, a low quantile of the margins
        of the training examples.
    arcing : DataFrame
        Arc-gv minus AdaBoost, a row for each law and draw; columns `least` and `low`, the least margin and
        the tenth percentile of the margins of the training examples, and `test_error`.
    """
    enough = not falls.empty and len(arcing) >= 2
    require(enough, "needs splits that reach zero training error, and two draws or more")
    grows = falls["margin_at_end"] > falls["margin_at_zero"]
    laws = {
        str(name): [mean_against_zero(of_law[column]) for column in ("least", "low", "test_error")]
        for name, of_law in arcing.groupby(level="law", sort=False)
    }
    sure = holm([error.p_value for _, _, error in laws.values()]) < LEVEL
    found = {
        (least.mark == low.mark == "better", error.mark if is_sure else "none")
        for (least, low, error), is_sure in zip(laws.values(), sure, strict=True)
    }
    incomplete = (True, "better") in found or (False if found == {(True, "worse")} else None)
    texts = (
        f"{name} least margin {least.difference:+.3f} ± {least.half_width:.3f}, tenth percentile "
        f"{low.difference:+.3f} ± {low.half_width:.3f}, test error "
        f"{error.difference:+.4f} ± {error.half_width:.4f}"
        for name, (least, low, error) in laws.items()
    )
    return every([bool(grows.all()), incomplete]), (
        f"margins grow on {grows.sum()} of {len(falls)} splits; arc-gv minus AdaBoost (95 % intervals): "
        f"{'; '.join(texts)}"
    )


def _reweighted(_: object) -> tuple[np.ndarray, int]:
    """Evidence: the weights of the training examples of boosted trees, by the rule of the text."""
    X, y = (part[::2] for part in load_dataset("balance", return_X_y=True))
    boosted = AdaBoostClassifier(_TREE, 11, categorical_features=nominal_columns(X)).fit(X, y)
    weights, shares = np.full(len(y), 1 / len(y)), []
    for is_wrong in (boosted.predict_each(X) != y[:, None]).T:
        error = weights[is_wrong].sum()
        if 0 < error < 0.5:
            weights = weights / (2 * np.where(is_wrong, error, 1 - error))
            shares.append(weights[is_wrong].sum())
    return np.array(shares), len(weights)


@claim("C005", evidence=_reweighted)
def halves_after_reweighting(shares: np.ndarray, n_examples: Found[int]) -> Decision:
    """Judge the share of the weight that misclassified examples have after each reweighting.

    It must be 1/2, up to a rounding error of one unit in the last place for each weight that is added.
    """
    require(len(shares), "nothing was reweighted")
    off = float(np.abs(np.asarray(shares) - 0.5).max())
    return off <= n_examples * 2.0**-53, f"{len(shares)} reweightings, at most {off:.1g} from 1/2"
