"""The averaging gap of section 3.4: Lemma 2 is about the mean of M samples, a base model learns from one.

The distances are sums of absolute differences: those between vectors of proportions and the uniform
vector (1/N)(1, …, 1).
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from .sampling import is_online


def limit_distance(n_models: int) -> float:
    """Limit, as N grows, of the distance between the mean proportions of M samples and the uniform vector.

    N times a mean proportion tends to the mean of M Poisson(1) counts, whose mean absolute deviation from
    1 is 2 e⁻ᴹ Mᴹ / M!, in batch and online alike.

    >>> round(limit_distance(1), 4), round(limit_distance(100), 4)
    (0.7358, 0.0797)
    """
    return 2 * math.exp(n_models * math.log(n_models) - n_models - math.lgamma(n_models + 1))


def _counts(online: bool, n: int, n_models: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Copies of n examples in the samples of n_models models; an empty sample is drawn again."""
    if not online:
        return generator.multinomial(n, np.full(n, 1 / n), size=n_models)
    counts = generator.poisson(1.0, size=(n_models, n))
    while (empty := counts.sum(axis=1) == 0).any():
        counts[empty] = generator.poisson(1.0, size=(int(empty.sum()), n))
    return counts


def averaging_gap(
    sizes: Sequence[int], n_models: int, n_repeats: int, radius: float, seed: int
) -> pd.DataFrame:
    """Simulate a proportional learner that is constant near the uniform vector, and bagging with it.

    The learner sees the proportions of its sample only. If their distance from the uniform vector is below
    the radius, its model says "positive". Else it says "positive" if every proportion is a multiple of 1/N,
    which every bootstrap sample has, and "negative" if not.

    A row for each scheme and N: mean distance of a sample's proportions and of the mean proportions over the
    M samples from the uniform vector (`one sample`, `mean`), the share of ensembles whose `mean is near` it
    and of samples that are (`sample is near`), and the share of ensembles that vote `positive`.
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
