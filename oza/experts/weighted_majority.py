"""Weighted Majority: predict by weighted vote, and reduce the weights of experts that are wrong."""

from __future__ import annotations

import math

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ..columns.validation import check_number
from ..kernels.arithmetic import log
from ..kernels.compile import kernel
from ..kernels.exclusive import Exclusive
from ..kernels.undivided import undivided
from .base import restart
from .checks import check_bits, check_outcomes, refuse_change
from .weights import Weights, multiply, ones, total, values


class WeightedMajority(Exclusive, BaseEstimator):
    r"""Weighted Majority: predict a bit from the predictions of M experts.

    Each expert starts with weight 1. The forecaster predicts the bit with the larger total weight,
    1 in a tie; then the weight of each expert that was wrong is multiplied by `beta`, whether or not the
    forecaster was wrong (thesis Figure 2.8).

    Parameters
    ----------
    beta : float, default=0.5
        Factor of the weight of an expert that is wrong, 0 < beta < 1 (thesis: 1/2).

    Attributes
    ----------
    weights_ : ndarray of shape (M,)
        Weights of the experts, scaled to sum to 1.
    expert_mistakes_ : ndarray of shape (M,)
        Number of mistakes of each expert.
    mistakes_ : int
        Number of mistakes of the forecaster, each prediction made before its outcome was seen.
    predictions_ : ndarray of shape (n,)
        Those predictions, for the rows of the latest `partial_fit`.
    n_seen_ : int
        Number of outcomes seen.

    Raises
    ------
    ValueError
        For values other than 0 and 1, other experts than in the first call, by number or by the names of
        a frame, or `beta` out of range or changed in mid-stream; the forecaster stays unchanged.

    Notes
    -----
    Weights cannot underflow: an expert that was often wrong long ago regains influence when all others
    become as bad. If `beta` is a power of two, weights are exact.

    The total weight starts at M. When the forecaster is wrong, at least half of the weight is multiplied
    by `beta`, and the weight of the best expert alone is :math:`\beta^{m^*}`, where m* is its number of
    mistakes. So the number of mistakes is at most
    :math:`(m^* \ln \frac{1}{\beta} + \ln M) / \ln \frac{2}{1 + \beta}`.

    References
    ----------
    N. Littlestone and M. K. Warmuth, "The weighted majority algorithm", *Information and
    Computation* 108, 1994. N. C. Oza, *Online Ensemble Learning*, dissertation, UC Berkeley, 2001,
    section 2.3.

    Examples
    --------
    Three experts: one predicts the previous bit, one its opposite, one always 1.

    >>> import numpy as np
    >>> from oza import WeightedMajority
    >>> y = np.tile([1, 1, 1, 1, 0], 20)
    >>> last = np.concatenate([[0], y[:-1]])
    >>> forecaster = WeightedMajority().partial_fit(np.column_stack([last, 1 - last, y | 1]), y)
    >>> forecaster.expert_mistakes_
    array([40, 60, 20])
    >>> forecaster.mistakes_, round(forecaster.mistake_bound(), 1)
    (20, 52.0)
    """

    n_features_in_: int

    def __init__(self, beta=0.5):
        self.beta = beta

    def fit(self, P, y):
        """Predict and learn row by row, from the initial state.

        Parameters
        ----------
        P : array-like of shape (n, M)
            Predictions of the M experts, zeros and ones.
        y : array-like of shape (n,)
            Outcomes, zeros and ones.

        Returns
        -------
        self
        """
        return restart(self, P, y)

    @undivided()
    def partial_fit(self, P, y):
        """Predict and learn row by row, after all rows before.

        However a stream is divided into calls, the forecaster is the same, bit for bit.

        Parameters
        ----------
        P : array-like of shape (n, M)
            Predictions of the M experts, zeros and ones.
        y : array-like of shape (n,)
            Outcomes, zeros and ones.

        Returns
        -------
        self
        """
        advice, outcomes = check_outcomes(self, "P", P, y)
        beta = check_number("beta", self.beta, 0, 1, "the factor of a weight after a mistake")
        refuse_change("beta", getattr(self, "_beta", beta), beta)
        if not hasattr(self, "n_seen_"):
            validate_data(self, P, skip_check_array=True)
            self._beta = beta
            self._weights = ones(advice.shape[1])
            self._expert_mistakes = np.zeros(advice.shape[1], np.int64)
            self.mistakes_ = 0
            self.n_seen_ = 0
        self.predictions_ = _predict_and_learn(
            self._weights, self._expert_mistakes, math.frexp(self._beta), advice, outcomes
        )
        self.mistakes_ += int((self.predictions_ != outcomes).sum())
        self.n_seen_ += len(outcomes)
        return self

    def predict(self, P):
        """Predict for each row the bit with the larger total weight; 1 in a tie.

        Parameters
        ----------
        P : array-like of shape (n, M)
            Predictions of the M experts, zeros and ones.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "n_seen_")
        return _predict(self._weights, check_bits(self, "P", P))

    def mistake_bound(self) -> float:
        """Upper bound on the mistakes of the forecaster, given those of the best expert so far.

        Returns
        -------
        float
            (m* ln(1/beta) + ln M) / ln(2/(1 + beta)), that is 2.41 (m* + log2 M) for beta = 1/2.
        """
        check_is_fitted(self, "n_seen_")
        best = float(self._expert_mistakes.min())
        loss = best * -log(self._beta) + log(float(self.n_features_in_))
        return loss / log(2.0 / (1.0 + self._beta))

    @property
    def expert_mistakes_(self) -> np.ndarray:
        """Number of mistakes of each expert."""
        return self._expert_mistakes.copy()

    @property
    def weights_(self) -> np.ndarray:
        """Weights of the experts, scaled to sum to 1."""
        plain = values(self._weights, self._weights.exponents.max())
        return plain / plain.sum()


@kernel
def _majority(weights: Weights, advice):
    unit = weights.exponents.max()
    return int(total(weights, advice, 1, unit) >= total(weights, advice, 0, unit))


@kernel
def _predict(weights, advice):
    predictions = np.empty(len(advice), np.int64)
    for n in range(len(advice)):
        predictions[n] = _majority(weights, advice[n])
    return predictions


@kernel
def _predict_and_learn(weights, mistakes, beta, advice, outcomes):
    predictions = np.empty(len(advice), np.int64)
    for n in range(len(advice)):
        predictions[n] = _majority(weights, advice[n])
        for i in range(advice.shape[1]):
            if advice[n, i] != outcomes[n]:
                mistakes[i] += 1
                multiply(weights, i, beta)
    return predictions
