"""AdaBoost as a descent of the exponential loss (lecture by Aditya and Sarkar).

Its problems in the plane are those of `averages`.
"""

from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd

from oza import AdaBoostClassifier, DecisionStumpClassifier, NaiveBayesClassifier

from ..claims.criteria import every
from ..claims.registry import Decision, Found, claim, require
from ..printed.record import Record
from ..theory import exponential_loss
from .averages import PLANES, plane


def _followed_losses(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: the exponential loss through AdaBoost of stumps and Naive Bayes on random problems."""
    found = []
    bases = {"decision stump": DecisionStumpClassifier(), "Naive Bayes": NaiveBayesClassifier()}
    for (name, base), problem in product(bases.items(), PLANES):
        X, y = plane(problem, 200, "loss")
        course = exponential_loss.follow(AdaBoostClassifier(base, 20).fit(X, y), X, y)
        found.append(course.assign(base=name, problem=problem))
    return (pd.concat(found, ignore_index=True),)


@claim("C132", evidence=_followed_losses)
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


def _reweighted(record: Record) -> tuple[int, dict[str, int]]:
    """Evidence: the three printed reweightings on two hundred random problems, exactly."""
    n_weights, differing = 0, {"Mooney": 0, "slides": 0}
    for number in range(200):
        _, y, weights = exponential_loss.random_problem(3 + number % 20, "reweighting", number)
        found = exponential_loss.reweightings(weights, y)  # a model that is right where y is 1
        n_weights += len(y)
        for name in differing:
            differing[name] += sum(a != b for a, b in zip(found["thesis"], found[name], strict=True))
    return n_weights, differing


@claim("C134", evidence=_reweighted)
def three_reweightings_are_one(n_weights: Found[int], differing: Mapping[str, int]) -> Decision:
    """Judge new weights by Mooney's and by the slides' rule against those by the thesis's, as fractions.

    The claim holds if none of at least a thousand weights differs.
    """
    summary = f"{n_weights:,} weights; " + ", ".join(f"{k}: {v} differ" for k, v in differing.items())
    enough = n_weights >= 1000 and len(differing) == 2
    return every([not any(differing.values()), enough or None]), summary


def _chosen_stumps(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: stumps chosen by the derivative at α = 0 and by the weighted error, on random data."""
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
    return (pd.DataFrame(rows, columns=["stumps", "same", "gaps"]),)


@claim("C145", evidence=_chosen_stumps)
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
    return every([not differ, not problems["gaps"].any(), len(problems) >= 50 or None]), summary
