"""Margins of the tests of a population: a sufficient condition for bagged trees to converge.

A stump or a tree of bounded depth is decided by comparisons: which test has the largest gain, which class
is the most frequent in a leaf. If every comparison on the path of an example has a margin in the
population, a sample that is close enough to it decides all of them alike. The functions compute the
margins, how close is close enough, and how probable it is that a sample is closer.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.integrate
import scipy.optimize
import scipy.stats

from ..exact import total
from .id3 import Codes, Node, Numbers, Tree, gains, id3
from .sampling import is_online


class Population(NamedTuple):
    """A distribution over examples with nominal attributes and a class."""

    examples: Codes  # codes, shape (C, A), of the attribute values of C different examples
    labels: Codes  # codes of their classes
    probabilities: Numbers  # they sum to 1; of a sample, the copies of each example instead
    n_values: tuple[int, ...]  # of each attribute

    def tree(self, depth: int | None = None) -> Tree:
        return id3(self.examples, self.labels, self.probabilities, self.n_values, depth=depth)


def two_voices(advantage: float, accuracy: float = 0.7) -> Population:
    """A population of two binary attributes that agree with a fair class independently of each other.

    The second agrees with it with probability `accuracy`, the first with `accuracy` + `advantage`.

    >>> two_voices(0.1).probabilities[:2].round(3)
    array([0.28, 0.03])
    """
    cells = np.array([[a, b, y] for a in (0, 1) for b in (0, 1) for y in (0, 1)])
    agrees = np.array([accuracy + advantage, accuracy])
    shares = np.where(cells[:, :2] == cells[:, 2:], agrees, 1 - agrees)
    return Population(cells[:, :2], cells[:, 2], shares.prod(axis=1) / 2, (2, 2))


class Margins(NamedTuple):
    """Margins of the decisions on the path of an example in the tree of the population.

    `tests` has a row for each test on the path: `attribute`, `probability` of reaching it, `gap` between its
    gain and that of the second best attribute (infinite if there is no other), in nats, `deviation`, the
    standard deviation of the contribution of one example to this gap, and `tolerance`, the total-variation
    distance of a sample below which the same attribute wins. A sample whose distance from the population,
    over every partition that a decision looks at, is smaller than the smallest tolerance gives the example
    the same class.
    """

    tests: pd.DataFrame
    lead: float  # probability of the leaf with its most frequent class minus that with the second
    lead_deviation: float  # standard deviation of the contribution of one example to the lead
    tolerance: float  # the smallest of all decisions
    n_outcomes: float  # sum of 2^m over these partitions of m parts each: the factor of the bound


def gain_change(distance: float, n_values: int, n_classes: int) -> float:
    """Largest change of an information gain, in nats, for a given total-variation distance.

    A gain is H(value) + H(class) − H(value, class), and entropies over d outcomes whose distributions
    have the total-variation distance t ≤ 1 − 1/d differ by at most t ln(d − 1) + h(t), with h the binary
    entropy (Audenaert 2007).

    >>> round(gain_change(0.01, 2, 2), 4)
    0.179
    """
    if distance == 0:
        return 0.0
    binary = -distance * math.log(distance) - (1 - distance) * math.log1p(-distance)
    sizes = [d for d in (n_values, n_classes, n_values * n_classes) if d > 1]
    return total(distance * math.log(d - 1) + binary for d in sizes)


def _tolerance(gap: float, n_values: int, n_classes: int) -> float:
    """The distance below which two gains that differ by `gap` keep their order."""

    def slack(distance: float) -> float:
        return gap - 2 * gain_change(distance, n_values, n_classes)

    if slack(0.5) >= 0:
        return 0.5
    return float(scipy.optimize.brentq(slack, 0.0, 0.5)) if gap > 0 else 0.0


def margins(population: Population, example: npt.ArrayLike, depth: int) -> Margins:
    """Compute the margins on the path of an example in the population's tree of bounded depth.

    The class is the first attribute in 9 cases of 10, and the second attribute tells nothing.

    >>> cells = np.array([[a, b, y] for a in (0, 1) for b in (0, 1) for y in (0, 1)])
    >>> agree = np.where(cells[:, 0] == cells[:, 2], 0.225, 0.025)
    >>> found = margins(Population(cells[:, :2], cells[:, 2], agree, (2, 2)), [1, 0], depth=1)
    >>> found.tests[["attribute", "gap"]].round(3).values.tolist(), round(found.lead, 3)
    ([[0.0, 0.368]], 0.4)
    """
    codes, (examples, labels, probabilities, n_values) = np.asarray(example), population
    tree = population.tree(depth)
    n_classes = int(labels.max()) + 1
    here = np.ones(len(labels), dtype=bool)
    attributes = set(range(len(n_values)))
    rows: list[tuple[int, float, float, float, float]] = []
    n_outcomes = 0.0
    while isinstance(tree, Node):
        best, probability = tree.attribute, float(probabilities[here].sum())
        found = gains(examples[here], labels[here], probabilities[here], sorted(attributes))
        n_outcomes += sum(2.0 ** (n_values[a] * n_classes + bool(rows)) for a in found)
        attributes -= {best}
        gaps = {a: found[best] - found[a] for a in sorted(attributes)}
        tolerances = (_tolerance(gap, max(n_values[best], n_values[a]), n_classes) for a, gap in gaps.items())
        tolerance = min(tolerances, default=0.5)
        gap, deviation = math.inf, math.nan
        if gaps:
            rival = min(gaps, key=gaps.__getitem__)
            part = Population(examples[here], labels[here], probabilities[here] / probability, n_values)
            gap, deviation = gaps[rival], _gap_deviation(part, best, rival)
        rows.append((best, probability, gap, deviation, probability * tolerance))
        here &= examples[:, best] == codes[best]
        tree = tree.branches[codes[best]]
    second, first = np.sort(np.bincount(labels[here], probabilities[here], minlength=2))[-2:]
    lead = float(first - second)
    tests = pd.DataFrame(rows, columns=["attribute", "probability", "gap", "deviation", "tolerance"])
    tolerance = min([lead / 2, *tests["tolerance"]])
    return Margins(tests, lead, math.sqrt(first + second - lead**2), tolerance, n_outcomes)


def _gap_deviation(population: Population, best: int, rival: int) -> float:
    """Standard deviation of ln P(v, y)/(P(v) P(y)) of one attribute minus that of another."""
    p, labels = population.probabilities, population.labels
    n_classes = int(labels.max()) + 1

    def information(attribute: int) -> Numbers:
        values = population.examples[:, attribute]
        cells = values * n_classes + labels
        joint = np.bincount(cells, p)[cells]
        return np.log(joint / (np.bincount(values, p)[values] * np.bincount(labels, p)[labels]))

    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(p > 0, information(best) - information(rival), 0.0)
    mean = (p * difference).sum()
    return math.sqrt(max(0.0, (p * difference**2).sum() - mean**2))


def unsettled_estimate(found: Margins, n: int) -> float:
    """Estimate how probable it is that a base model decides something on the path unlike the population.

    The gap of a sample is the mean of the contributions of its examples, and so nearly normal. Its variance
    is that of the training set about the population and that of the sample about the training set, each
    deviation²/n. The probabilities of all decisions are added.

    >>> tests = pd.DataFrame({"probability": [1.0], "gap": [0.02], "deviation": [0.4]})
    >>> found = Margins(tests, lead=0.4, lead_deviation=0.9, tolerance=0.1, n_outcomes=32.0)
    >>> round(unsettled_estimate(found, 800), 3)
    0.159
    """
    tests = found.tests["gap"] * np.sqrt(found.tests["probability"] * n / 2) / found.tests["deviation"]
    leaf = found.lead * math.sqrt(n / 2) / found.lead_deviation
    return float(np.nansum(scipy.stats.norm.sf(tests)) + scipy.stats.norm.sf(leaf))


def unsettled_bound(found: Margins, scheme: str, n: int) -> float:
    """Bound the probability that a base model gives the example another class than the population's tree.

    The training set is `n` independent draws from the population; the base model is trained on a sample of
    it. Each is to be within half of the tolerance of what it was drawn from. By the inequality of Weissman
    and others (2003), n draws are further away with probability at most 2^m exp(−n τ²/2), over m parts.

    >>> found = Margins(pd.DataFrame(), lead=0.4, lead_deviation=0.9, tolerance=0.1, n_outcomes=32.0)
    >>> round(unsettled_bound(found, "batch", 2000), 4), round(unsettled_bound(found, "online", 2000), 5)
    (0.0029, 0.00294)
    """
    rate = found.tolerance**2 / 2
    of_sample = -math.expm1(-rate) if is_online(scheme) else rate  # E exp(−K rate), K ~ Poisson(n)
    return min(1.0, found.n_outcomes * (math.exp(-n * rate) + math.exp(-n * of_sample)))


def tie_disagreement(n_models: int) -> float:
    """Limit, as N grows, of the probability that ensembles disagree where two tests have equal gains.

    The two predict different classes. The gap in the training set and its further deviation in a sample are
    normal with the same variance, so the share of base models with the first test is uniform on [0, 1].

    >>> round(tie_disagreement(1), 4)
    0.3333
    """

    def disagree(share: float) -> float:
        first = float(scipy.stats.binom.sf(n_models // 2, n_models, share))
        return 2 * first * (1 - first)

    return float(2 * scipy.integrate.quad(disagree, 0.0, 0.5)[0])  # symmetric about 1/2
