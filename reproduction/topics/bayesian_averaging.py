"""Full Bayesian learning over stumps, beside bagging and boosting of the same stumps (section 2.2.1)."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from ..record.simulation import simulation
from ..theory.bayesian import Bits, Numbers, all_stumps, noise_of_factor, posterior, small_problem
from ..theory.boosting import boost_over

#: Differences of votes below this come from rounding, and count as ties.
_TIE = 1e-10


def _vote_of_three(stumps: Bits, generator: np.random.Generator, n_attributes: int) -> Bits:
    """Draw the majority vote of stumps on three attributes, which no single stump is."""
    of_attribute = np.tile(np.repeat(np.arange(n_attributes), len(stumps) // (2 * n_attributes)), 2)
    three = generator.choice(n_attributes, size=3, replace=False)
    drawn = [generator.choice(np.flatnonzero(of_attribute == a)) for a in three]
    return (stumps[drawn].sum(axis=0) >= 2).astype(int)


def _scores(
    stumps: Bits, wrong: Bits, noise: Sequence[float], mixtures: Sequence[int], n_models: int, generator: Any
) -> dict[str, Numbers]:
    """Score of the label 1 at every input by each method, given which examples each stump gets wrong."""
    mistakes, n = wrong.sum(axis=1), wrong.shape[1]
    signs = 2 * stumps - 1
    known = posterior(mistakes, n, noise)
    scores = {f"best {k}": known.law(stumps, known.best(k)) - 0.5 for k in mixtures}
    scores["full Bayesian"] = known.law(stumps) - 0.5
    for name, factor in {"weighted majority": 0.5, "universal weights": np.exp(-0.5)}.items():
        believed = posterior(mistakes, n, [noise_of_factor(factor)])
        scores[name] = np.einsum("h,hn->n", believed.of_models, signs)
    copies = generator.multinomial(n, np.full(n, 1 / n), size=n_models)
    voters = np.einsum("mn,hn->mh", copies, wrong).argmin(axis=1)
    scores["bagging"] = signs[voters].mean(axis=0)
    boosted = boost_over(wrong, n_models, np.full(n, 1 / n))
    errors = np.maximum(np.array(boosted.errors, dtype=float), 0.5 / n)
    chosen = np.array(boosted.chosen, dtype=int)
    scores["boosting"] = np.einsum("m,mn->n", np.log((1 - errors) / errors), signs[chosen])
    return scores


@simulation(small={"n_attributes": 3, "n_values": 3, "sizes": (5, 10), "n_models": 10, "n_runs": 5})
def bayesian_errors(
    n_attributes: int = 5,
    n_values: int = 5,
    noise: Sequence[float] = (0.05, 0.15, 0.25, 0.35),
    sizes: Sequence[int] = (5, 10, 20, 40, 80, 160, 320, 640),
    mixtures: Sequence[int] = (1, 3, 10),
    n_models: int = 50,
    n_runs: int = 120,
    seed: int = 1,
) -> pd.DataFrame:
    """Added error of full Bayesian learning, of mixtures of the best models, and of ensembles of stumps.

    Numbers of training examples in `sizes` are drawn evenly from all inputs of three attributes or more, for
    `n_runs` truths of each kind, whose noise rates are equally probable. There are `mixtures` of the k most
    probable models.

    The frame has a row for each run, with an index of truth ("a stump" is drawn from the prior, "a vote of
    three" is not in the class), examples and run, and a column for each method: the exact error on new
    examples minus the noise rate.
    """
    stumps = all_stumps(small_problem(n_attributes, n_values), n_values)
    rows = {}
    for (is_vote, truth_name), n in product(enumerate(("a stump", "a vote of three")), sizes):
        generator = np.random.default_rng([seed, is_vote, n])
        for run in range(n_runs):
            if is_vote:
                concept = _vote_of_three(stumps, generator, n_attributes)
            else:
                concept = stumps[generator.integers(len(stumps))]
            rate = generator.choice(noise)
            drawn = generator.integers(stumps.shape[1], size=n)
            labels = concept[drawn] ^ (generator.random(n) < rate)
            wrong, errors = (stumps[:, drawn] != labels).astype(int), {}
            for name, score in _scores(stumps, wrong, noise, mixtures, n_models, generator).items():
                says_one = np.where(np.abs(score) < _TIE, 0.5, score > 0)  # a tie is half an error
                errors[name] = (1 - 2 * rate) * np.abs(says_one - concept).mean()
            rows[truth_name, n, run] = errors
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["truth", "examples", "run"])
