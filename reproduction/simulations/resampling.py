"""What the samples of batch and online bagging do to proportions and to the tests of trees (section 3.4)."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.kernels.compile import kernel
from oza.kernels.random import integer_below, key_of, poisson_each, row_key

from ..record.bits import close
from ..record.simulation import simulation
from ..theory.id3 import classify
from ..theory.margins import Population, two_voices
from ..theory.sampling import is_online, proportion_variance


@kernel
def _mean_squared_deviations(online, n, n_models, n_repeats, key):
    """For each repetition: mean over examples of (mean proportion − 1/n)²."""
    result = np.empty(n_repeats)
    counts = np.empty(n)
    for r in range(n_repeats):
        mean = np.zeros(n)
        for m in range(n_models):
            row = row_key(key, r * n_models + m)
            if online:
                poisson_each(1.0, row, counts)
            else:
                counts[:] = 0.0
                for j in range(n):
                    counts[integer_below(n, row, j)] += 1.0
            size = counts.sum()
            for i in range(n):
                mean[i] += counts[i] / size if size > 0.0 else 1.0 / n
        result[r] = ((mean / n_models - 1.0 / n) ** 2).mean()
    return result


def simulate_proportion_variance(
    scheme: str, n: int, n_models: int, n_repeats: int, seed: int
) -> tuple[float, float]:
    """Estimate `proportion_variance` from simulated ensembles, with the ensembles' own draws.

    The entries of a vector are identically distributed, so each of `n_repeats` ensembles contributes the mean
    over its entries; estimate and standard error are those of these means.

    Examples
    --------
    >>> estimate, standard_error = simulate_proportion_variance("batch", 20, 5, 500, seed=1)
    >>> abs(estimate - proportion_variance("batch", 20, 5)) < 4 * standard_error
    True
    """
    key = np.uint64(key_of("proportion variance", scheme, n, n_models, seed))
    squares = _mean_squared_deviations(is_online(scheme), n, n_models, n_repeats, key)
    return float(squares.mean()), float(squares.std(ddof=1) / math.sqrt(n_repeats))


@simulation(small={"sizes": (5, 20), "ensembles": (1, 10), "n_repeats": 200}, bits=close(1e-9))
def proportion_variances(
    sizes: Sequence[int] = (5, 20, 100, 500),
    ensembles: Sequence[int] = (1, 10, 100),
    n_repeats: int = 2000,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare `proportion_variance` with what `simulate_proportion_variance` estimates.

    The frame has columns scheme, N, M, exact, estimate and standard_error; a row for each case.
    """
    rows = [
        (*case, proportion_variance(*case), *simulate_proportion_variance(*case, n_repeats, seed))
        for case in product(("batch", "online"), sizes, ensembles)
    ]
    return pd.DataFrame(rows, columns=["scheme", "N", "M", "exact", "estimate", "standard_error"])


def _counts(online: bool, n: int, n_models: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Copies of n examples in the samples of n_models models; an empty sample is drawn again."""
    if not online:
        return generator.multinomial(n, np.full(n, 1 / n), size=n_models)
    counts = generator.poisson(1.0, size=(n_models, n))
    while (empty := counts.sum(axis=1) == 0).any():
        counts[empty] = generator.poisson(1.0, size=(int(empty.sum()), n))
    return counts


@simulation(small={"sizes": (20, 50), "n_models": 9, "n_repeats": 20})
def averaging_gap(
    sizes: Sequence[int] = (20, 100, 500, 2000),
    n_models: int = 25,
    n_repeats: int = 200,
    radius: float = 0.5,
    seed: int = 1,
) -> pd.DataFrame:
    """Simulate a proportional learner that is constant near the uniform vector, and bagging with it.

    The learner sees the proportions of its sample only. If their distance from the uniform vector is below
    the radius, its model says "positive". Else it says "positive" if every proportion is a multiple of 1/N,
    which every bootstrap sample has, and "negative" if not. There are `n_repeats` pairs of ensembles.

    The frame is indexed by scheme and N: mean distance of a sample's proportions and of the mean proportions
    from the uniform vector (`one sample`, `mean`), the share of ensembles whose `mean is near` it and of
    samples that are (`sample is near`), and the share of ensembles that vote `positive`.
    """
    rows = {}
    for scheme in ("batch", "online"):
        for n in sizes:
            generator = np.random.default_rng([seed, n, int(is_online(scheme))])
            found = []
            for _ in range(n_repeats):
                counts = _counts(is_online(scheme), n, n_models, generator)
                sizes_drawn = counts.sum(axis=1, keepdims=True)
                proportions = counts / sizes_drawn
                of_sample = np.abs(proportions - 1 / n).sum(axis=1)
                of_mean = float(np.abs(proportions.mean(axis=0) - 1 / n).sum())
                is_multiple = (counts * n % sizes_drawn == 0).all(axis=1)
                positive = (of_sample < radius) | is_multiple
                votes = 2 * positive.sum() > n_models
                near = (of_sample < radius).mean()
                found.append((of_sample.mean(), of_mean, of_mean < radius, near, votes))
            rows[scheme, n] = np.mean(found, axis=0)
    columns = ["one sample", "mean", "mean is near", "sample is near", "positive"]
    index = pd.MultiIndex.from_tuples(rows, names=["scheme", "N"])
    return pd.DataFrame(list(rows.values()), index, columns)


def disagreement_rates(
    population: Population,
    example: npt.ArrayLike,
    depth: int,
    sizes: Sequence[int],
    n_models: int,
    n_repeats: int,
    seed: int,
) -> pd.DataFrame:
    """Simulate how often base models and ensembles depart from the population's tree, and from each other.

    For each number N in `sizes`, `n_repeats` training sets are drawn from the population; a batch and an
    online ensemble learn from each. The frame is indexed by N: the share of `batch` and of `online` base
    models that give the example another class than the tree of the population, and the share of training sets
    on which the `ensembles` disagree.
    """
    limit = classify(population.tree(depth), example)
    rows = {}
    for n in sizes:
        generator = np.random.default_rng([seed, n])
        departed, disagree = np.zeros(2), 0
        for _ in range(n_repeats):
            training = generator.multinomial(n, population.probabilities)
            batch = generator.multinomial(n, training / n, size=n_models)
            online = generator.poisson(training, size=(n_models, len(training)))
            predicted = np.array(
                [
                    [
                        classify(population._replace(probabilities=counts).tree(depth), example)
                        for counts in samples.astype(float)
                    ]
                    for samples in (batch, online)
                ]
            )
            departed += (predicted != limit).mean(axis=1)
            disagree += int(np.bincount(predicted[0]).argmax() != np.bincount(predicted[1]).argmax())
        rows[n] = [*(departed / n_repeats), disagree / n_repeats]
    return pd.DataFrame(rows, index=["batch", "online", "ensembles"]).T.rename_axis("N")


def branching() -> Population:
    """Three binary attributes: the first has the largest gain, and says which of the others decides."""
    cells = np.array(list(product((0, 1), repeat=4)))  # the attributes and the class
    deciding = np.where(cells[:, 0] == 0, cells[:, 1], cells[:, 2])
    of_class_1 = np.array([[0.05, 0.6], [0.4, 0.95]])[cells[:, 0], deciding]
    law = np.where(cells[:, 3] == 1, of_class_1, 1 - of_class_1) / 8
    return Population(cells[:, :3], cells[:, 3], law, (2, 2, 2))


_SIZES = (50, 200, 800, 3200, 12800)
_SMALL = {"sizes": (50, 200), "n_models": 5, "n_repeats": 10}


@simulation(small=_SMALL)
def contested_tests(
    advantages: Sequence[float] = (0.0, 0.02, 0.05, 0.1),
    accuracy: float = 0.7,
    sizes: Sequence[int] = _SIZES,
    n_models: int = 11,
    n_repeats: int = 200,
    seed: int = 1,
) -> pd.DataFrame:
    """Give `disagreement_rates` of stumps on an input for which two attributes differ, by advantage and N."""
    rates = {
        each: disagreement_rates(two_voices(each, accuracy), [1, 0], 1, sizes, n_models, n_repeats, seed)
        for each in advantages
    }
    return pd.concat(rates, names=["advantage"])


@simulation(small=_SMALL)
def branching_tests(
    sizes: Sequence[int] = _SIZES, n_models: int = 11, n_repeats: int = 200, seed: int = 1
) -> pd.DataFrame:
    """Give `disagreement_rates` of trees of depth two of `branching`, by example and N."""
    rates = {
        "".join(map(str, example)): disagreement_rates(
            branching(), example, 2, sizes, n_models, n_repeats, seed
        )
        for example in ((0, 0, 0), (0, 1, 0), (1, 0, 0))
    }
    return pd.concat(rates, names=["example"])
