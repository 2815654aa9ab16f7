"""Checks of the claims of two lectures: Mooney on ensembles, Aditya and Sarkar on why AdaBoost works.

The lecture on data streams has a module of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

from oza.ensembles import AdaBoostClassifier
from oza.ensembles.bagging.kernels import draw_samples
from oza.evaluation.significance import LEVEL
from oza.kernels.random import key_of
from oza.models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

from ..columns import nominal_columns
from ..printed.printed import printed
from ..printed.record import Record
from ..simulations import averages
from ..statistics import mean_against_zero
from ..studies import parallel
from ..studies.halves import random_half
from ..theory import exponential_loss, schapire
from .criteria import above, every, holm, names, outside_band
from .registry import Decision, Found, claim, require

#: The learners that claim C135 speaks of.
COUNTING_LEARNERS = ("Naive Bayes", "decision stump", "decision tree", "pruned decision tree")
_SIZES = (10, 100, 1000, 10_000)


def toy_printed(quantity: str) -> dict[int, float]:
    """Read the printed numbers of Schapire's toy example, by round."""
    rows = printed("schapire_toy").query("topic == 'adaboost_toy' and status == 'printed'")
    return {int(r.index_): float(r.value) for r in _rows(rows) if r.quantity == quantity}


def _rows(frame: pd.DataFrame) -> list[Any]:
    return list(frame.rename(columns={"index": "index_"}).itertuples(index=False))


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


def _in_threads(record: Record) -> tuple[pd.DataFrame, pd.DataFrame]:
    return parallel.speed_up(record.recorded(parallel.times_parallel)), parallel.waiting("balance")


@claim("C128", evidence=_in_threads)
def bagging_is_parallel_and_boosting_waits(speed: pd.DataFrame, waiting: pd.DataFrame) -> Decision:
    """Judge times of bagging in one and in two threads, and the effect of not waiting.

    Each case is timed ten times. The measure is processor time: that of one thread beside that of the main
    thread and of the slowest other one. The claim holds if two threads are at least 1.5 times as fast in the
    geometric mean over the cases, with the whole 95 % interval over the cases; if all models predict the
    same; if no model of a bag changes when the models do not wait for each other; and if at least half of the
    boosted models after the first do change. It fails if the interval lies below 1.5 or one of the other
    conditions is not met. It is undecided unless the threads of each case were seen to run at the same time,
    which a busy machine cannot show.
    """
    enough = len(speed) >= 3 and speed["repetitions"].min() >= 10
    require(enough, "needs three cases or more, each timed ten times")
    ratios = np.log(speed["critical"])
    found = mean_against_zero(ratios)
    low, high = (np.exp(found.difference + sign * found.half_width) for sign in (-1, 1))
    elapsed = float(np.exp(np.log(speed["elapsed"]).mean()))
    shares = waiting.set_index("algorithm")
    changed = shares["changed"] / shares["models"]
    parts = [
        above(ratios, np.log(1.5)),
        bool(speed["at_once"].all()) or None,
        bool(speed["same"].all()),
        bool(changed["bagging"] == 0 and changed["boosting"] >= 0.5),
    ]
    return every(parts), (
        f"two threads {np.exp(found.difference):.2f} ({low:.2f} to {high:.2f}, 95 % interval over "
        f"{len(speed)} cases) times as fast by processor time, {elapsed:.2f} times by elapsed time; "
        f"predictions {'equal' if parts[2] else 'different'}; without waiting {changed['bagging']:.0%} of "
        f"the bagged and {changed['boosting']:.0%} of the boosted models change"
    )


@cache
def averages_of_predictors() -> pd.DataFrame:
    """Simulate averages of independent predictors."""
    return averages.averages((1, 2, 5, 10, 50), bias=0.5, n_trials=20_000, seed=1)


@cache
def bags_of_trees() -> pd.DataFrame:
    """Measure variances of bagged trees and of independent ones, on three problems."""
    return pd.concat(averages.bags_in_the_plane.recorded(problem) for problem in averages.PLANES)


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
def followed_losses() -> pd.DataFrame:
    """Follow the exponential loss through AdaBoost of stumps, trees and Naive Bayes on random problems."""
    found = []
    for name, base in (
        ("decision stump", DecisionStumpClassifier()),
        ("Naive Bayes", NaiveBayesClassifier()),
    ):
        for problem in averages.PLANES:
            X, y = averages.plane(problem, 200, "loss")
            course = exponential_loss.follow(AdaBoostClassifier(base, 20).fit(X, y), X, y)
            found.append(course.assign(base=name, problem=problem))
    return pd.concat(found, ignore_index=True)


@claim("C132", evidence=lambda record: (followed_losses(),))
def stagewise_minimisation_is_adaboost(steps: pd.DataFrame) -> Decision:
    """Judge runs of AdaBoost against the minimisation of the exponential loss, step by step.

    To hold, in every step half of AdaBoost's vote weight is the α that minimises the loss with everything
    before kept fixed, found numerically, to within 1e-8; the derivative at α = 0 is 2ε − 1; and the loss is
    the product of 2√(ε(1 − ε)), both to within a relative 1e-8.
    """
    rows = steps.dropna()
    require(len(rows) >= 3, "needs three steps or more")
    apart = float((rows["vote"] - rows["minimising"]).abs().max())
    slopes = float((rows["derivative"] - (2 * rows["error"] - 1)).abs().max())
    losses = float((rows["loss"] / rows["bound"] - 1).abs().max())
    return max(apart, slopes, losses) < 1e-8, (
        f"{len(rows)} steps; largest differences: vote {apart:.1e}, derivative {slopes:.1e}, "
        f"loss {losses:.1e}"
    )


@cache
def crowds() -> pd.DataFrame:
    """Let means of guesses compete with typical guesses, under five laws of noise."""
    return pd.concat(averages.guesses(name, (3, 10, 30, 100), 2000, seed=1) for name in averages.NOISES)


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


@cache
def reweighted() -> tuple[int, dict[str, int]]:
    """Compare the three printed reweightings on a thousand random problems, exactly."""
    n_weights, differing = 0, {"Mooney": 0, "slides": 0}
    for number in range(200):
        _, y, weights = exponential_loss.random_problem(3 + number % 20, "reweighting", number)
        found = exponential_loss.reweightings(weights, y)  # a model that is right where y is 1
        n_weights += len(y)
        for name in differing:
            differing[name] += sum(a != b for a, b in zip(found["thesis"], found[name], strict=True))
    return n_weights, differing


@claim("C134", evidence=lambda record: reweighted())
def three_reweightings_are_one(n_weights: Found[int], differing: Mapping[str, int]) -> Decision:
    """Judge new weights by Mooney's and by the slides' rule against those by the thesis's, as fractions.

    The claim holds if none of at least a thousand weights differs.
    """
    summary = f"{n_weights:,} weights; " + ", ".join(f"{k}: {v} differ" for k, v in differing.items())
    if any(differing.values()):
        return False, summary
    return (True if n_weights >= 1000 and len(differing) == 2 else None), summary


@cache
def replicated() -> tuple[dict[str, int], dict[str, int]]:
    """Count the predicted probabilities that differ between copies of examples and their weights."""
    learners: dict[str, Callable[[], Any]] = {
        "Naive Bayes": NaiveBayesClassifier,
        "decision stump": DecisionStumpClassifier,
        "decision tree": DecisionTreeClassifier,
        "pruned decision tree": lambda: DecisionTreeClassifier(prune=True),
        "neural network": lambda: NeuralNetworkClassifier(random_state=0, hidden_units=4),
    }
    half = random_half("balance", 0, 60, seed=1)
    columns = nominal_columns(half.X)
    copies = np.array([(10, 100, 1, 0, 3)[n % 5] for n in range(len(half.y))])
    changed = {}
    for name, make in learners.items():
        weighted = make().set_params(categorical_features=columns).fit(half.X, half.y, sample_weight=copies)
        repeated = (
            make()
            .set_params(categorical_features=columns)
            .fit(np.repeat(half.X, copies, axis=0), np.repeat(half.y, copies))
        )
        differs = weighted.predict_proba(half.X_test) != repeated.predict_proba(half.X_test)
        changed[name] = int(differs.any(axis=1).sum())
    return {name: changed[name] for name in COUNTING_LEARNERS}, {"neural network": changed["neural network"]}


@claim("C135", evidence=lambda record: replicated())
def copies_are_weights(changed: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge whether copies of examples give the same class probabilities as weights, bit for bit.

    They must be the same on test examples for Naive Bayes, stumps and trees, unpruned and pruned. One learner
    with a difference refutes the claim; it holds only if all four were tried.

    Parameters
    ----------
    changed : mapping
        Number of test examples whose probabilities differ, for each learner that counts.
    control : mapping
        The same for a learner that does not count; if nothing differs there either, the comparison could
        not have seen a difference.
    """
    require(control and all(control.values()), "no control shows that a difference would have been seen")
    summary = "; ".join(f"{name}: {count} differ" for name, count in {**changed, **control}.items())
    if any(changed.values()):
        return False, summary
    missing = [name for name in COUNTING_LEARNERS if name not in changed]
    return (None, f"{summary}; not tried: {', '.join(missing)}") if missing else (True, summary)


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


def _toy(record: Record) -> tuple[list[Fraction], list[float], dict[int, float], dict[int, float]]:
    toy = schapire.run_on()
    return toy.run.errors, toy.alphas, toy_printed("epsilon"), toy_printed("alpha")


@claim("C143", evidence=_toy, given=("printed_errors", "printed_votes"))
def the_toy_example_has_the_printed_numbers(
    errors: Sequence[Fraction],
    votes: Sequence[float],
    printed_errors: Mapping[int, float],
    printed_votes: Mapping[int, float],
) -> Decision:
    """Judge errors and votes of three rounds on ten points, as AdaBoost computes them.

    The claim holds if the errors are exactly 3/10, 3/14 and 3/22, and every printed error and vote is the
    computed one, rounded to two decimals.
    """
    exact = list(errors) == [Fraction(3, 10), Fraction(3, 14), Fraction(3, 22)]
    found = [(float(errors[t - 1]), value) for t, value in printed_errors.items()]
    found += [(votes[t - 1], value) for t, value in printed_votes.items()]
    n_right = sum(f"{value:.2f}" == f"{shown:.2f}" for value, shown in found)
    return exact and n_right == len(found), (
        f"errors {', '.join(map(str, errors))}; {n_right} of {len(found)} printed numbers agree"
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


@cache
def chosen_stumps() -> pd.DataFrame:
    """Choose a stump by the derivative at α = 0 and by the weighted error, on random weighted data."""
    rows = []
    for number in range(100):
        X, y, weights = exponential_loss.random_problem(4 + number % 12, "choosing", number)
        products = exponential_loss.stumps(X) * np.array(y)
        slopes = [exponential_loss.derivative_at_zero(weights, each) for each in products]
        errors = [exponential_loss.weighted_error(weights, each) for each in products]
        by_slope = {i for i, slope in enumerate(slopes) if slope == min(slopes)}
        by_error = {i for i, error in enumerate(errors) if error == min(errors)}
        gaps = sum(slope != 2 * error - 1 for slope, error in zip(slopes, errors, strict=True))
        rows.append((len(products), by_slope == by_error, gaps))
    return pd.DataFrame(rows, columns=["stumps", "same", "gaps"])


@claim("C145", evidence=lambda record: (chosen_stumps(),))
def the_steepest_stump_has_the_least_error(problems: pd.DataFrame) -> Decision:
    """Judge which stumps are best by the derivative of the loss at α = 0, and which by the weighted error.

    To hold, the two sets of best stumps are the same in each of at least fifty random problems, and the
    derivative is 2ε − 1 for every stump, as exact fractions.

    Parameters
    ----------
    problems : DataFrame
        Columns stumps (how many there are), same, and gaps (stumps whose derivative is not 2ε − 1).
    """
    differ = int((~problems["same"]).sum())
    summary = (
        f"{len(problems)} problems with {problems['stumps'].sum():,} stumps; best ones differ in {differ}"
    )
    if differ or problems["gaps"].any():
        return False, summary
    return (True if len(problems) >= 50 else None), summary
