"""Validation of bits, signals and parameters."""

from numbers import Real

import numpy as np
from sklearn.utils.validation import validate_data

from ..columns.validation import changed_in_mid_stream, check_order, unmasked


def refuse_change(name: str, before, now) -> None:
    """Refuse a parameter that is not as it was when learning began."""
    if before != now:
        raise changed_in_mid_stream(name, before, now)


def check_bits(forecaster, name: str, bits) -> np.ndarray:
    """`bits` as a two-dimensional uint8 array of zeros and ones, with the columns of the first call."""
    array = unmasked(name, bits)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (n, M) with at least one row and one column. "
            f"A single row is passed as [{name}]."
        )
    n_columns = getattr(forecaster, "n_features_in_", array.shape[1])
    if array.shape[1] != n_columns:
        raise ValueError(f"{name} has {array.shape[1]} columns; expected {n_columns}, as in the first call.")
    is_named = hasattr(bits, "columns") or hasattr(forecaster, "feature_names_in_")
    if is_named and hasattr(forecaster, "n_features_in_"):  # takes 19 µs, too long for rows without names
        validate_data(forecaster, bits, skip_check_array=True, reset=False)
    return _as_bits(name, array)


def check_outcomes(forecaster, name: str, bits, y) -> tuple[np.ndarray, np.ndarray]:
    """`bits`, and `y` as a uint8 array of a zero or a one for each row."""
    check_order(bits, name, y=y)
    bits, array = check_bits(forecaster, name, bits), unmasked("y", y)
    if array.shape != (n_rows := len(bits),):
        raise ValueError(f"y has shape {array.shape}; expected ({n_rows},), one outcome for each row.")
    return bits, _as_bits("y", array)


def _as_bits(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biuf":
        wrong = (array != 0) & (array != 1)
    else:  # strings, dates, missing values and the like; a frame of mixed columns is also an object array
        flat = [not (isinstance(v, Real | np.bool_) and v in (0, 1)) for v in array.ravel().tolist()]
        wrong = np.array(flat).reshape(array.shape)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        where = ", ".join(map(str, place))
        raise ValueError(f"{name}[{where}] is {array[(..., *place)].item()!r}; expected 0 or 1.")
    return np.ascontiguousarray(array.astype(np.uint8))


def check_signal(x, amplitude: float, name_of_amplitude: str) -> np.ndarray:
    """`x` as a one-dimensional float64 array with every |x| ≤ `amplitude`."""
    array = unmasked("x", x)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(
            f"x has shape {array.shape}; expected (n,) with at least one sample. "
            "A single sample is passed as [x]."
        )
    if array.dtype.kind not in "biufO":
        raise ValueError(f"x is of type {array.dtype}; expected real numbers.")
    try:
        signal = np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"x holds {array.tolist()!r:.60}; expected real numbers.") from None
    wrong = ~(np.abs(signal) <= amplitude)
    if wrong.any():
        t = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"x[{t}] is {signal[t]:g}; expected a finite number of at most {amplitude:g} in magnitude, "
            f"the {name_of_amplitude}."
        )
    return signal
