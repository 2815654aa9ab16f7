"""Validation of y, sample_weight and parameters."""

import math
from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ..kernels.random import key_of

#: Counts are float64, which represents integers exactly below this number.
EXACT_BELOW = 2.0**53
_MOST = 2**63 - 1  # of an int64


def check_labels(y, n_samples: int) -> np.ndarray:
    """`y` as a one-dimensional array of `n_samples` class labels."""
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    if not isinstance(getattr(y, "dtype", np.dtype(object)), np.dtype):
        y = np.asarray(y, dtype=object)  # of pandas' own types scikit-learn makes floats
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype.kind not in "iubfU":
        y = column_or_1d(as_array("y", y) if isinstance(y, list | tuple | np.ndarray) else y, warn=True)
    if len(y) != n_samples:
        raise ValueError(f"X has {n_samples} rows and y has {len(y)} labels; the two numbers must be equal.")
    return y if y.dtype.kind in "iub" or len(y) == 0 else _good_labels("y", y)


def check_order(X, of: str = "X", **others) -> None:
    """Refuse `X`, named `of`, and labels or weights whose indices hold the same in different orders."""
    rows = getattr(X, "index", None)
    for name, values in others.items():
        labels = getattr(values, "index", None)
        if not (isinstance(rows, pd.Index) and isinstance(labels, pd.Index)):
            continue
        if rows is labels or rows.equals(labels) or len(rows) != len(labels):
            continue
        of_rows, of_labels = np.split(pd.factorize(rows.append(labels))[0], 2)
        if np.array_equal(np.sort(of_rows), np.sort(of_labels)):
            n = int(np.argmax(of_rows != of_labels))
            by_label = f"Match them by label with {name} = {name}.loc[{of}.index], or pass"
            raise ValueError(
                f"{of} and {name} have the same index labels in different orders: that of row {n} is "
                f"{rows[n]!r} in {of} and {labels[n]!r} in {name}. {by_label if rows.is_unique else 'Pass'} "
                f"{name}.to_numpy() to match them by position."
            )


def check_classes(classes) -> np.ndarray:
    """The declared classes, sorted."""
    declared = as_array("classes", classes)
    if declared.ndim != 1 or len(declared) == 0:
        raise ValueError(f"classes must be a list of every class there is, at least one; got {classes!r}.")
    return distinct_labels(np.repeat(_good_labels("classes", declared), 2))  # each once looks like regression


def as_array(name: str, values) -> np.ndarray:
    """`values` as an array, of objects where numpy would turn numbers into strings, or True into 1."""
    refuse_masked(name, values)
    try:
        array = np.asarray(values)
        if array.dtype.kind != "c" and not hasattr(values, "dtype"):
            as_given = np.array(values, dtype=object)
            kinds = set(map(type, as_given.flat))
            is_mixed = kinds & {bool, np.bool_} or not all(issubclass(k, Real) for k in kinds)
            if len(kinds) > 1 and (is_mixed or (np.abs(array) >= EXACT_BELOW).any()):  # floats merge integers
                return as_given
    except ValueError:  # raised by numpy
        raise ValueError(f"{name} holds lists of different lengths; each must have as many values.") from None
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} holds {array.flat[0]}; use real numbers.")
    return array


def refuse_masked(name: str, values) -> None:
    """Refuse masked values, of which numpy would take what is under the mask; also in a list of arrays."""
    for part in values if isinstance(values, list | tuple) else [values]:
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            raise ValueError(f"{name} has masked values; fill them in or drop their rows.")


def unmasked(name: str, values) -> np.ndarray:
    """`values` as an array, unless some are masked."""
    refuse_masked(name, values)
    return np.asarray(values)


def _good_labels(name: str, labels: np.ndarray) -> np.ndarray:
    """The validated labels; an object array of numbers becomes a numeric one."""
    kind = labels.dtype.kind
    if kind == "f" and not np.isfinite(labels).all():
        wrong = int(np.flatnonzero(~np.isfinite(labels))[0])
        raise ValueError(
            f"Input {name} contains NaN or infinity: {name}[{wrong}] is {labels[wrong]}; a label must be a "
            "string or a finite number."
        )
    if kind == "f" and (is_large := np.abs(labels) >= np.float64(2**63)).any():  # as of a list of integers
        raise ValueError(
            f"{name} holds {labels[is_large][0]:.6g}, and numbers of this size cannot be told apart; a label "
            "must be a string or a number below 2**63. Convert the labels, for example to strings."
        )
    if kind in "OmM":
        n = next((n for n, label in enumerate(labels) if is_missing(label)), None)
        if n is not None:
            raise ValueError(
                f"Input {name} contains NaN, NA or None: {name}[{n}] is {labels[n]!r}; leave the row out, or "
                "give it a class of its own, such as '?'."
            )
    if kind not in "OSV":
        return labels
    n = None if kind != "O" else first_of_another_kind(labels)
    if n is not None:
        raise ValueError(
            f"{name}[0] is {labels[0]!r} and {name}[{n}] is {labels[n]!r}; labels must be all strings or all "
            "numbers. Use one type, such as str."
        )
    if kind == "O":
        n = next((n for n, v in enumerate(labels) if not isinstance(v, str | Real | np.bool_)), None)
        if n is None and isinstance(labels[0], str):
            return labels
        if n is None and (numbers := np.array(labels.tolist())).dtype.kind in "biuf":
            return _good_labels(name, numbers)
    n = n or 0
    raise ValueError(
        f"{name}[{n}] is {labels[n]!r:.60}, of the type {type(labels[n]).__name__}; a label must be a "
        "string, an integer below 2**63, another finite number or a numpy datetime64. Convert the labels, "
        "for example to strings."
    )


def is_missing(value) -> bool:
    """Whether a value is None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return not isinstance(value, str) and np.ndim(value) == 0 and bool(value != value)


def first_of_another_kind(values: np.ndarray) -> int | None:
    """Index of the first value that is a string although the first is not, or the other way round."""
    is_string = isinstance(values[0], str)
    return next((n for n, value in enumerate(values) if isinstance(value, str) != is_string), None)


def distinct_labels(y: np.ndarray) -> np.ndarray:
    """The classes among the labels, sorted; refuses numbers that look like a regression target."""
    if len(y) > 1 or y.dtype.kind not in "iub":  # it takes longer than learning from one example
        check_classification_targets(y)
    return np.unique(y)


def union_of(name: str, known: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Sorted union of the values; refuses mixed kinds, and numbers that float64 would round.

    Integral numbers stay integers, whatever their type.
    """
    if len(known) == 0:
        return new
    refuse_mixture(name, known, new[:1])
    if known.dtype.kind in "iu" and new.dtype.kind == "f" and (new == np.floor(new)).all():
        new = new.astype(np.int64)
    if np.result_type(known, new).kind not in known.dtype.kind + new.dtype.kind:  # a float's
        known, new = (part if part.max(initial=0) > _MOST else part.astype(np.int64) for part in (known, new))
    union = _union(known, np.unique(new))
    whole = [n for part in (known, new) if part.dtype.kind in "iu" for n in part.tolist()]
    if union.dtype.kind == "f" and whole and abs(largest := max(whole, key=abs)) >= EXACT_BELOW:
        raise ValueError(
            f"{name} holds integers from 2**53 on, such as {largest!r}, beside other numbers, and "
            "float64 cannot tell them apart. Use one type, such as str."
        )
    return union


def refuse_mixture(name: str, known: np.ndarray, new: np.ndarray) -> None:
    """Refuse values of another kind than the known ones: text, numbers or dates."""
    for n, value in enumerate(new.tolist()):
        if _kind_of(new[n : n + 1]) != _kind_of(known):
            raise ValueError(
                f"{name} holds {value!r} and held {known.tolist()[0]!r} before; strings, numbers and dates "
                "must not be mixed. Use one type, such as str."
            )


def _union(known: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Union of sorted values, which moves the known ones to their places, but does not sort them again."""
    known = known.astype(np.result_type(known, new), copy=False)
    places = np.searchsorted(known, new)
    is_known = known[np.minimum(places, len(known) - 1)] == new
    return np.insert(known, places[~is_known], new[~is_known])


def _kind_of(values: np.ndarray) -> str:
    """Kind of the values, within which they can be compared: "text", "number", or a dtype kind of dates."""
    if values.dtype.kind in "OU":
        return "text" if isinstance(values[:1].tolist()[0], str) else "number"
    return values.dtype.kind if values.dtype.kind in "mM" else "number"


def encode_labels(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Index of each label among the sorted `classes`, int64."""
    try:
        codes = np.searchsorted(classes, y)
    except TypeError:  # numbers among strings
        codes = np.zeros(len(y), np.int64)
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
    refuse_masked("sample_weight", sample_weight)
    given = np.asarray(sample_weight, dtype=None if hasattr(sample_weight, "dtype") else object)
    if given.dtype.kind not in "biuf":
        for n, value in enumerate(given.ravel().tolist()):
            if not isinstance(value, Real | np.bool_):
                where = f" in row {n}" if given.ndim else ""
                raise ValueError(
                    f"sample_weight holds {value!r}{where}; weights must be finite numbers and not negative, "
                    "one for each row of X."
                )
    try:
        weights = given.astype(np.float64)
    except OverflowError:
        raise ValueError("sample_weight holds an integer beyond float64; scale the weights down.") from None
    if weights.ndim == 0:
        weights = np.full(n_samples, weights)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; expected ({n_samples},), one weight for each row of X."
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        n = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"sample_weight holds {weights[n]} in row {n}; weights must be finite and not negative."
        )
    return weights


def check_total(weight: float) -> None:
    """Refuse a total weight in one model that float64 does not count exactly."""
    if weight >= EXACT_BELOW:
        raise OverflowError(
            f"a model could be trained on a weight of {weight:.3g}; counts are exact only below 2**53. "
            "Scale sample_weight down."
        )


def check_integer(name: str, value, low: int, high: int = _MOST) -> int:
    """`value` as an integer from `low` to `high`."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not (is_integer and low <= value <= high):
        has_end = high < _MOST or (is_integer and value > high)
        bounds = f"from {low} to {high}" if has_end else f"of at least {low}"
        raise ValueError(f"{name} must be an integer {bounds}; got {value!r}.")
    return int(value)


def check_count(name: str, value) -> int:
    """`value` as an integer ≥ 1."""
    return check_integer(name, value, 1)


def check_number(
    name: str, value, low: float, high: float = math.inf, reason: str = "", ends: str = "()"
) -> float:
    """`value` as a float between `low` and `high`; a square bracket in `ends` admits that end itself."""
    try:
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        number = float(value) if is_number else math.nan
    except OverflowError:  # an integer beyond every float
        number = math.inf
    if not (low < number < high or (number == low and ends[0] == "[") or (number == high and ends[1] == "]")):
        least = f"{'at least' if ends[0] == '[' else 'above'} {low:g}"
        most = f"{'at most' if ends[1] == ']' else 'below'} {high:g}" if high < math.inf else "finite"
        said = f" ({reason})" if reason else ""
        raise ValueError(f"{name} must be a number {least} and {most}{said}; got {value!r}.")
    return number


def check_choice(name: str, value, *choices):
    """`value`, validated to be one of the choices."""
    for choice in choices:
        if not isinstance(choice, str | bool):
            raise TypeError(f"choices must be strings or booleans, one argument each; got {choice!r}.")
        if isinstance(value, type(choice) | np.bool_) and value == choice:
            return value
    raise ValueError(f"{name} must be {' or '.join(map(_quoted, choices))}; got {value!r}.")


def changed_in_mid_stream(name: str, old, new) -> ValueError:
    """The error for a parameter that is not as it was when learning began."""
    return ValueError(
        f"{name} was {old!r} when learning began and is {new!r} now, which cannot take effect in mid-stream. "
        f"Set it back with set_params({name}={old!r}), or begin again with fit, or with a clone."
    )


def _quoted(choice) -> str:
    return f'"{choice}"' if isinstance(choice, str) else repr(choice)


def check_max_features(value, n_columns: int, root: int) -> int:
    """How many of the columns `max_features` stands for; "sqrt" stands for `root` of them."""
    if value is None:
        return n_columns
    if isinstance(value, str) and value == "sqrt":
        return root
    if isinstance(value, Real) and not isinstance(value, bool | Integral) and 0 < float(value) <= 1:
        return max(1, round(float(value) * n_columns))
    raise ValueError(
        'max_features must be None, "sqrt" or a share of the columns, a float above 0 and at most 1; got '
        f"{value!r}."
    )


def check_key(random_state) -> int:
    """Key of all draws of an estimator, from None, an int, a RandomState or a Generator."""
    if isinstance(random_state, Integral):
        if random_state < 0:
            raise ValueError(f"random_state must not be negative; got {random_state}.")
        return key_of("random_state", int(random_state))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63 - 1))
    return key_of(*check_random_state(random_state).randint(2**31, size=2).tolist())
