"""Full Bayesian learning over all decision stumps of a small problem (thesis section 2.2.1, equation 2.2).

Inputs are vectors of small numbers, and all of them are listed. A stump says 1 above or below a threshold of
one attribute; with a noise rate it gives each label a probability, so that the class of models is finite and
the posterior, the predictive law and the errors are exact.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

Bits = np.ndarray
Numbers = np.ndarray


def small_problem(n_attributes: int, n_values: int) -> Bits:
    """List all vectors of attributes with the values 0 to n_values − 1, in lexicographic order.

    >>> small_problem(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.array(list(product(range(n_values), repeat=n_attributes)))


def all_stumps(examples: Bits, n_values: int) -> Bits:
    """Predictions, 0 or 1, of every decision stump, a row each.

    For each attribute and each threshold the stump that says 1 from there upwards; then the opposites.

    >>> all_stumps(np.array([[0], [1], [2]]), 3).tolist()
    [[0, 1, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0]]
    """
    up = np.vstack([column >= cut for column in examples.T for cut in range(1, n_values)]).astype(int)
    return np.vstack([up, 1 - up])


class Posterior(NamedTuple):
    of_models: Numbers  # P(h | T) of each model, its noise rate summed out; the sum is 1
    reliability: Numbers  # 1 minus the posterior mean of each model's noise rate

    def law(self, predictions: Bits, chosen: np.ndarray | None = None) -> Numbers:
        """Probability of the label 1 at each input by equation 2.2.

        `predictions`, shape (n_models, n), are 0 or 1. The probabilities of the `chosen` models are scaled to
        sum to 1.
        """
        some = slice(None) if chosen is None else chosen
        weights = self.of_models[some] / self.of_models[some].sum()
        sure = self.reliability[some]
        ones = predictions[some]
        return np.einsum("h,hn->n", weights, np.where(ones == 1, sure[:, None], 1 - sure[:, None]))

    def best(self, k: int) -> np.ndarray:
        """Numbers of the k most probable models, the first ones where they are equally so."""
        return np.argsort(-self.of_models, kind="stable")[:k]


def posterior(mistakes: Bits, n_examples: int, noise: Sequence[float]) -> Posterior:
    """Bayes' rule for deterministic models with noisy labels; models and noise rates have uniform priors.

    The likelihood depends only on how many of the training examples each model misclassifies: `mistakes`.

    One example, of which one model is right, and a noise rate of 1/4:

    >>> posterior(np.array([0, 1]), 1, [0.25]).of_models.round(6).tolist()
    [0.75, 0.25]
    """
    rates = np.asarray(noise, dtype=float)
    counts = np.arange(n_examples + 1)[:, None]
    by_count = counts * np.log(rates) + (n_examples - counts) * np.log1p(-rates)
    log_likelihoods = by_count[mistakes]  # equal counts get equal numbers, to the last bit
    joint = np.exp(log_likelihoods - log_likelihoods.max())
    of_rates = np.exp(log_likelihoods - log_likelihoods.max(axis=1, keepdims=True))
    reliability = (of_rates * (1 - rates)).sum(axis=1) / of_rates.sum(axis=1)
    return Posterior(joint.sum(axis=1) / joint.sum(), reliability)


def noise_of_factor(factor: float) -> float:
    """Noise rate η with η/(1 − η) = factor: what a forecaster believes that multiplies by it at each mistake.

    >>> round(noise_of_factor(0.5), 6)
    0.333333
    """
    return factor / (1 + factor)


def log_losses(predictions: Bits, labels: Bits, noise: float) -> tuple[float, float]:
    """Cumulative log losses of the Bayesian mixture, which predicts before it learns, and of the best model.

    In nats; the first exceeds the second by ln n_models at most. All models have the same noise rate.

    >>> mixture, best = log_losses(np.array([[1, 1], [0, 0]]), np.array([1, 1]), 0.25)
    >>> round(mixture, 4), round(best, 4)
    (1.1632, 0.5754)
    """
    wrong = predictions != labels
    loss, mistakes = 0.0, np.zeros(len(predictions), np.int64)
    for n, label in enumerate(labels):
        one = posterior(mistakes, n, [noise]).law(predictions[:, n : n + 1])[0]
        loss -= float(np.log(one if label else 1 - one))
        mistakes += wrong[:, n]
    fewest, size = mistakes.min(), len(labels)
    return loss, float(-fewest * np.log(noise) - (size - fewest) * np.log1p(-noise))
