"""Universal linear prediction: least-squares predictors of every order up to p, mixed by their losses."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from ..columns.validation import check_count, check_number
from ..kernels.arithmetic import exp, log
from ..kernels.compile import kernel
from ..kernels.exclusive import Exclusive
from ..kernels.undivided import undivided
from .base import restart
from .checks import check_signal, refuse_change

_SMALLEST, _LARGEST = 1e-50, 1e50  # magnitudes whose squares and sums of squares are normal numbers


class LinearPredictors(NamedTuple):
    """Least-squares predictors of the orders 1 to p, as one triangular system.

    Rotating each new row (x[t−1], ..., x[t−p] | x[t]) into (`factor` | `targets`) keeps the
    QR decomposition of all rows so far. Its leading k × k block is the system of order k, so one
    system serves every order, and no inverse matrix is stored whose symmetry rounding could destroy.
    """

    # upper triangular R, with RᵀR = ridge·I + sum of the rows' squares
    factor: Annotated[np.ndarray, "p, p", "finite"]
    targets: Annotated[np.ndarray, "p", "finite"]  # z; order k has the coefficients R_k⁻¹ z_k
    past: Annotated[np.ndarray, "p", "finite"]  # the last p samples, latest first
    losses: Annotated[np.ndarray, "p", "finite"]  # cumulative squared error of each order


class UniversalLinearPredictor(Exclusive, BaseEstimator):
    r"""Universal linear predictor: nearly as good as the best linear predictor of any order up to p.

    For each order k ≤ p, a linear predictor forecasts the next sample from the last k, with the
    coefficients that minimise the squared error over the past. The forecast is the mean of the p
    predictions, weighted by :math:`e^{-\ell_k / 2c}`, where :math:`\ell_k` is the cumulative squared
    error of order k (thesis section 2.3, after Singer and Feder 1999).

    Parameters
    ----------
    order : int, default=10
        Highest order p.
    c : float or None, default=None
        Scale of the losses in the weights; None means 4·amplitude², the smallest value with a known
        bound on the regret.
    amplitude : float or None, default=None
        A, for a signal in [−A, A], to which predictions are clipped. None means that the range is
        unknown; then nothing is clipped, and `c` must be given.
    ridge : float, default=1e-3
        Factor of the sum of the squared coefficients, which is added to the squared error, in units
        of the squared signal; coefficients start at 0. A later change takes effect at the next `fit`.

    Attributes
    ----------
    predictions_ : ndarray of shape (n,)
        Forecast of each sample of the latest `partial_fit`, made before it was seen.
    loss_ : float
        Cumulative squared error of the forecasts.
    losses_ : ndarray of shape (p,)
        Cumulative squared error of the predictor of each order, 1 to p.
    weights_ : ndarray of shape (p,)
        Weights of the orders in the next forecast; they sum to 1.
    coefficients_ : ndarray of shape (p, p)
        Row k − 1 holds the k coefficients of order k, for the latest sample first, then zeros.
    n_seen_ : int
        Number of samples seen.

    Raises
    ------
    ValueError
        For samples that are not finite or larger than `amplitude`, or parameters out of range or, but for
        `ridge`, changed in mid-stream; the predictor stays unchanged.

    Notes
    -----
    Samples before the first count as 0. With predictions and samples in [−A, A] the squared error
    is 1/(2c)-exp-concave for c ≥ 4A², so that the forecasts' cumulative squared error exceeds that
    of the best order by at most :math:`2 c \ln p`, which is :math:`8 A^2 \ln p` for the
    default c.

    A sample takes O(p²) operations, since the orders share one QR decomposition; p separate
    recursions would take O(p³), and the lattice recursion of the paper takes O(p).

    References
    ----------
    A. C. Singer and M. Feder, "Universal linear prediction by model order weighting", *IEEE
    Transactions on Signal Processing* 47, 1999. N. C. Oza, *Online Ensemble Learning*,
    dissertation, UC Berkeley, 2001, section 2.3.

    Examples
    --------
    A sine satisfies x[t] = 2 cos(w) x[t−1] − x[t−2]: order 2 predicts it, order 1 cannot.

    >>> import numpy as np
    >>> from oza import UniversalLinearPredictor
    >>> x = np.sin(0.7 * np.arange(500))
    >>> predictor = UniversalLinearPredictor(order=4, amplitude=1.0).partial_fit(x)
    >>> predictor.losses_.round(2)
    array([105.23,   1.4 ,   1.4 ,   1.4 ])
    >>> predictor.regret() < predictor.regret_bound()
    True
    >>> round(predictor.predict_next(), 3), round(float(np.sin(0.7 * 500)), 3)
    (-0.959, -0.959)
    """

    loss_: float
    n_seen_: int

    def __init__(self, order=10, c=None, amplitude=None, ridge=1e-3):
        self.order = order
        self.c = c
        self.amplitude = amplitude
        self.ridge = ridge

    def fit(self, x, y=None):
        """Predict and learn sample by sample, from the initial state.

        Parameters
        ----------
        x : array-like of shape (n,)
            The signal.
        y : ignored

        Returns
        -------
        self
        """
        return restart(self, x)

    @undivided()
    def partial_fit(self, x):
        """Predict and learn sample by sample, after all samples before.

        However a signal is divided into calls, the predictor is the same, bit for bit.

        Parameters
        ----------
        x : array-like of shape (n,)
            The next n samples.

        Returns
        -------
        self
        """
        order, ridge, limit, c = self._checked()
        signal = check_signal(x, limit, "amplitude" if self.amplitude else "largest allowed")
        if hasattr(self, "n_seen_"):
            refuse_change("order", len(self._predictors.past), order)
            refuse_change("amplitude", *(None if a == _LARGEST else a for a in (self._limit, limit)))
            refuse_change("c", self._c, c)
        else:
            blank = LinearPredictors(math.sqrt(ridge) * np.eye(order), *(np.zeros(order) for _ in range(3)))
            self.__dict__.update(_limit=limit, _c=c, _predictors=blank, loss_=0.0, n_seen_=0)
        self.predictions_ = np.empty(len(signal))
        self.loss_ = float(
            _predict_and_learn(self._predictors, self._limit, self._c, signal, self.loss_, self.predictions_)
        )
        self.n_seen_ += len(signal)
        return self

    def _checked(self) -> tuple[int, float, float, float]:
        """The parameters: order, ridge, the largest |x|, and c."""
        order = check_count("order", self.order)
        ridge = check_number("ridge", self.ridge, _SMALLEST, _LARGEST, "in units of the squared signal")
        limit = _LARGEST
        if self.amplitude is not None:
            limit = check_number("amplitude", self.amplitude, _SMALLEST, _LARGEST, "the largest |x| there is")
        elif self.c is None:
            raise ValueError(
                "amplitude and c are both None; give amplitude=A for a signal in [-A, A], "
                "which makes c = 4·A², or c alone for a signal of unknown range."
            )
        c = 4.0 * limit * limit if self.c is None else self.c
        return order, ridge, limit, check_number("c", c, 0, math.inf, "or None for 4·amplitude²")

    def predict_next(self) -> float:
        """Forecast the next sample.

        Returns
        -------
        float
        """
        check_is_fitted(self, "n_seen_")
        forecasts = np.empty(len(self._predictors.past))
        _forecast_each(self._predictors, self._limit, forecasts)
        return float(_mean(forecasts, self._predictors.losses, self._c))

    def predict_sequence(self, x):
        """Forecasts of a whole signal from its beginning, each made before the sample was seen.

        Parameters
        ----------
        x : array-like of shape (n,)
            The signal.

        Returns
        -------
        ndarray of shape (n,)
            Forecasts of a new predictor with these parameters; what this one has learned is neither
            used nor changed.
        """
        return clone(self).partial_fit(x).predictions_

    def regret(self) -> float:
        """Cumulative squared error of the forecasts beyond that of the best order.

        Returns
        -------
        float
        """
        check_is_fitted(self, "n_seen_")
        return float(self.loss_ - self._predictors.losses.min())

    def regret_bound(self) -> float:
        """Largest possible regret, whatever the signal.

        Returns
        -------
        float
            2 c ln p; infinity if `amplitude` is not given or c < 4·amplitude², for which no bound is
            known.
        """
        check_is_fitted(self, "n_seen_")
        if self._c < 4.0 * self._limit * self._limit:
            return math.inf
        return 2.0 * self._c * log(float(len(self._predictors.past)))

    @property
    def losses_(self) -> np.ndarray:
        """Cumulative squared error of the predictor of each order."""
        return self._predictors.losses.copy()

    @property
    def weights_(self) -> np.ndarray:
        """Weights of the orders in the next forecast."""
        return _shares(self._predictors.losses, self._c)

    @property
    def coefficients_(self) -> np.ndarray:
        """Coefficients of every order, one row for each."""
        return _solve_each(self._predictors)


@kernel
def _forecast_each(predictors, limit, forecasts):
    """Write the clipped prediction of each order into `forecasts`, (p,).

    Order k predicts past_kᵀ R_k⁻¹ z_k = (R_k⁻ᵀ past_k)ᵀ z_k. The leading entries of R_k⁻ᵀ past_k are
    those of order k − 1, so one forward substitution serves all orders.
    """
    factor, targets, past, _ = predictors
    solved = np.empty(len(past))
    forecast = 0.0
    for k in range(len(past)):
        rest = past[k]
        for j in range(k):
            rest -= factor[j, k] * solved[j]
        solved[k] = rest / factor[k, k]
        forecast += solved[k] * targets[k]
        forecasts[k] = min(max(forecast, -limit), limit)


@kernel
def _learn(predictors, x):
    """Rotate the row (past | `x`) into the triangular system, then shift `x` into the past."""
    factor, targets, past, _ = predictors
    row = past.copy()
    target = x
    for j in range(len(row)):
        diagonal = math.sqrt(factor[j, j] * factor[j, j] + row[j] * row[j])
        cosine = factor[j, j] / diagonal
        sine = row[j] / diagonal
        factor[j, j] = diagonal
        for k in range(j + 1, len(row)):
            above = factor[j, k]
            factor[j, k] = cosine * above + sine * row[k]
            row[k] = cosine * row[k] - sine * above
        above = targets[j]
        targets[j] = cosine * above + sine * target
        target = cosine * target - sine * above
    for j in range(len(past) - 1, 0, -1):
        past[j] = past[j - 1]
    past[0] = x


@kernel
def _shares(losses, c):
    """Weight of each order, (p,), by its loss; they sum to 1."""
    least = losses.min()
    shares = np.empty(len(losses))
    total = 0.0
    for k in range(len(losses)):
        shares[k] = exp(-(losses[k] - least) / (2.0 * c))
        total += shares[k]
    return shares / total


@kernel
def _mean(forecasts, losses, c):
    """Mean of the forecasts, weighted by the losses."""
    shares = _shares(losses, c)
    mean = 0.0
    for k in range(len(forecasts)):
        mean += shares[k] * forecasts[k]
    return mean


@kernel
def _predict_and_learn(predictors, limit, c, signal, loss, predictions):
    forecasts = np.empty(len(predictors.past))
    for t in range(len(signal)):
        x = signal[t]
        _forecast_each(predictors, limit, forecasts)
        predictions[t] = _mean(forecasts, predictors.losses, c)
        loss += (x - predictions[t]) * (x - predictions[t])
        for k in range(len(forecasts)):
            predictors.losses[k] += (x - forecasts[k]) * (x - forecasts[k])
        _learn(predictors, x)
    return loss


@kernel
def _solve_each(predictors):
    """Coefficients of every order by back substitution, (p, p), one row for each order."""
    order = len(predictors.past)
    coefficients = np.zeros((order, order))
    for k in range(order):
        for i in range(k, -1, -1):
            rest = predictors.targets[i]
            for j in range(i + 1, k + 1):
                rest -= predictors.factor[i, j] * coefficients[k, j]
            coefficients[k, i] = rest / predictors.factor[i, i]
    return coefficients
