"""Checks of y, sample_weight, random_state and n_estimators, each with one clear error."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ._random import key_of

#: Counts are float64, exact below this number.
EXACT_BELOW = 2.0**53


def check_labels(y, n_samples: int) -> np.ndarray:
    """`y` as a one-dimensional array of `n_samples` class labels."""
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    y = column_or_1d(y, warn=True)
    if len(y) != n_samples:
        raise ValueError(f"X has {n_samples} rows and y has {len(y)} labels; they must be as many.")
    if y.dtype.kind == "O" and any(label is None or label != label for label in y):
        raise ValueError("Input y contains NaN or None; each example needs a label.")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity; each example needs a label.")
    return y


def distinct_labels(y: np.ndarray) -> np.ndarray:
    """The classes among the labels, sorted; refuses numbers that look like a regression target."""
    check_classification_targets(y)
    return np.unique(y)


def encode_labels(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Index of each label among the sorted `classes`, int64."""
    codes = np.searchsorted(classes, y)
    codes[codes == len(classes)] = 0
    unknown = classes[codes] != y
    if unknown.any():
        n = int(np.flatnonzero(unknown)[0])
        raise ValueError(
            f"y holds the label {y.tolist()[n]!r} in row {n}, which is not among the classes "
            f"{classes.tolist()!r}; declare every class with `classes` at the first call of partial_fit."
        )
    return codes.astype(np.int64, copy=False)


def check_sample_weight(sample_weight, n_samples: int) -> np.ndarray:
    """Finite weights ≥ 0 as a float64 array of `n_samples`; all 1 for None."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_samples, weights)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; expected ({n_samples},), one weight a row of X."
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        n = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"sample_weight holds {weights[n]} in row {n}; weights must be finite and not negative."
        )
    return weights


def check_total(weight: float) -> None:
    """Refuse more weight in one model than float64 counts exactly."""
    if weight >= EXACT_BELOW:
        raise OverflowError(
            f"a model could come to learn a weight of {weight:.3g}; counts are exact only below 2**53. "
            "Scale sample_weight down."
        )


def check_count(name: str, value) -> int:
    """`value` as an integer ≥ 1."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be an integer of at least 1; got {value!r}.")
    return int(value)


def check_key(random_state) -> int:
    """Key of all draws of an estimator, from None, an int, a RandomState or a Generator."""
    if isinstance(random_state, Integral):
        if random_state < 0:
            raise ValueError(f"random_state must not be negative; got {random_state}.")
        return key_of("random_state", int(random_state))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63 - 1))
    return key_of(*check_random_state(random_state).randint(2**31, size=2).tolist())
