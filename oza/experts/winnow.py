"""Winnow: few mistakes although most attributes are irrelevant."""

from __future__ import annotations

import math

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.exclusive import Exclusive
from ..kernels.undivided import undivided
from .base import restart
from .checks import check_bits, check_outcomes, refuse_change
from .weights import multiply, ones, total, values

_LARGEST = 1e100  # keeps every sum of weights far below the largest float64


class Winnow(Exclusive, BaseEstimator):
    r"""Winnow: learn a disjunction of a few out of M boolean attributes, online.

    Littlestone's Winnow2. Each attribute starts with weight 1. It predicts 1 if the weights of the
    attributes that are 1 sum to at least `threshold`. After a mistake the weights of those attributes
    are multiplied by `alpha` if the outcome was 1 (promotion), divided by it if it was 0
    (demotion); without a mistake nothing changes.

    Parameters
    ----------
    alpha : float, default=2.0
        Factor of promotion and demotion, above 1 (Littlestone's usual choice is 2).
    threshold : float or None, default=None
        None means the number M of attributes, which is usual for initial weights of 1.

    Attributes
    ----------
    weights_ : ndarray of shape (M,)
        Weights of the attributes.
    threshold_ : float
        The threshold in use.
    promotions_, demotions_ : int
        Number of mistakes with outcome 1, and with outcome 0.
    mistakes_ : int
        Their sum.
    predictions_ : ndarray of shape (n,)
        The prediction for each row of the latest `partial_fit`, before its outcome was seen.
    n_seen_ : int
        Number of outcomes seen.

    Raises
    ------
    ValueError
        For values other than 0 and 1, other attributes than in the first call, by number or by the names
        of a frame, or parameters out of range or changed in mid-stream; the learner stays unchanged.

    Notes
    -----
    *Mistake bound*, for outcomes that are 1 if and only if at least one of r relevant attributes
    is 1. Write u for the promotions, v for the demotions, :math:`\theta` for the threshold.

    - In a promotion a relevant attribute is 1, with a weight below :math:`\theta`; in a demotion
      none is 1. So each relevant weight is an increasing power of :math:`\alpha` and is promoted at
      most :math:`\lceil \log_\alpha \theta \rceil` times: :math:`u \le r \lceil \log_\alpha \theta
      \rceil`.
    - The total weight starts at M. A promotion adds less than :math:`(\alpha - 1) \theta`, a
      demotion takes at least :math:`(1 - 1/\alpha) \theta`, and what is left is positive:
      :math:`v < \alpha u + \frac{\alpha M}{(\alpha - 1) \theta}`.

    Together, :math:`u + v < (\alpha + 1) r \lceil \log_\alpha \theta \rceil + \frac{\alpha M}
    {(\alpha - 1) \theta}`: for the defaults fewer than :math:`3 r \lceil \log_2 M \rceil + 2`.

    References
    ----------
    N. Littlestone, "Learning quickly when irrelevant attributes abound: a new linear-threshold
    algorithm", *Machine Learning* 2, 1988. A. Blum, "On-line algorithms in machine learning",
    1996 (:math:`2 + 3 r (1 + \log_2 M)` for the defaults). Named in the thesis, section 2.3.

    Examples
    --------
    The outcome is 1 if attribute 3 or attribute 70 of 100 is 1.

    >>> import numpy as np
    >>> from oza import Winnow
    >>> X = np.random.default_rng(0).random((2000, 100)) < 0.1
    >>> y = X[:, 3] | X[:, 70]
    >>> learner = Winnow().partial_fit(X, y)
    >>> learner.mistakes_, learner.mistake_bound(2)
    (16, 44.0)
    """

    n_features_in_: int

    def __init__(self, alpha=2.0, threshold=None):
        self.alpha = alpha
        self.threshold = threshold

    def fit(self, X, y):
        """Predict and learn row by row, from the initial state.

        Parameters
        ----------
        X : array-like of shape (n, M)
            Boolean attributes, zeros and ones.
        y : array-like of shape (n,)
            Outcomes, zeros and ones.

        Returns
        -------
        self
        """
        return restart(self, X, y)

    @undivided()
    def partial_fit(self, X, y):
        """Predict and learn row by row, after all rows before.

        However a stream is divided into calls, the learner is the same, bit for bit.

        Parameters
        ----------
        X : array-like of shape (n, M)
            Boolean attributes, zeros and ones.
        y : array-like of shape (n,)
            Outcomes, zeros and ones.

        Returns
        -------
        self
        """
        attributes, outcomes = check_outcomes(self, "X", X, y)
        n_attributes = attributes.shape[1]
        alpha = check_number("alpha", self.alpha, 1, _LARGEST, "the factor of a promotion")
        threshold = n_attributes if self.threshold is None else self.threshold
        threshold = check_number("threshold", threshold, 0, _LARGEST, "None for one a column of X")
        refuse_change("alpha", getattr(self, "_alpha", alpha), alpha)
        refuse_change("threshold", getattr(self, "threshold_", threshold), threshold)
        if not hasattr(self, "n_seen_"):
            validate_data(self, X, skip_check_array=True)
            self._alpha, self.threshold_ = alpha, threshold
            self._weights = ones(n_attributes)
            self.promotions_ = self.demotions_ = 0
            self.n_seen_ = 0
        factors = math.frexp(1.0 / self._alpha), math.frexp(self._alpha)  # of a demotion, of a promotion
        self.predictions_ = _predict_and_learn(self._weights, self.threshold_, factors, attributes, outcomes)
        self.promotions_ += int((self.predictions_ < outcomes).sum())
        self.demotions_ += int((self.predictions_ > outcomes).sum())
        self.n_seen_ += len(outcomes)
        return self

    def predict(self, X):
        """Predict 1 for each row whose attributes have at least the threshold in total weight, else 0.

        Parameters
        ----------
        X : array-like of shape (n, M)
            Boolean attributes, zeros and ones.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "n_seen_")
        return _predict(self._weights, self.threshold_, check_bits(self, "X", X))

    def mistake_bound(self, n_relevant: int) -> float:
        """Upper bound on the mistakes if the outcome is a disjunction.

        Parameters
        ----------
        n_relevant : int
            Number r of attributes in the disjunction, from 0 (the outcome is always 0) to M.

        Returns
        -------
        float
            (alpha + 1) r ⌈log_alpha threshold⌉ + alpha M / ((alpha − 1) threshold).
        """
        check_is_fitted(self, "n_seen_")
        check_integer("n_relevant", n_relevant, 0, self.n_features_in_)
        alpha, threshold = self._alpha, self.threshold_
        rises, weight = 0, 1.0
        while weight < threshold:
            weight *= alpha
            rises += 1
        return (alpha + 1) * int(n_relevant) * rises + alpha * self.n_features_in_ / ((alpha - 1) * threshold)

    @property
    def mistakes_(self) -> int:
        """Number of mistakes, each prediction made before its outcome was seen."""
        return self.promotions_ + self.demotions_

    @property
    def weights_(self) -> np.ndarray:
        """Weights of the attributes."""
        return values(self._weights, 0)


@kernel
def _reaches(weights, threshold, attributes):
    return int(total(weights, attributes, 1, 0) >= threshold)


@kernel
def _predict(weights, threshold, attributes):
    predictions = np.empty(len(attributes), np.int64)
    for n in range(len(attributes)):
        predictions[n] = _reaches(weights, threshold, attributes[n])
    return predictions


@kernel
def _predict_and_learn(weights, threshold, factors, attributes, outcomes):
    predictions = np.empty(len(attributes), np.int64)
    for n in range(len(attributes)):
        predictions[n] = _reaches(weights, threshold, attributes[n])
        if predictions[n] != outcomes[n]:
            for i in range(attributes.shape[1]):
                if attributes[n, i] == 1:
                    multiply(weights, i, factors[outcomes[n]])
    return predictions
