"""Random calls with good and bad arguments: no crash, no foreign error, no state changed by an error."""

import os
import pickle
import subprocess
import sys
import traceback
import warnings
from datetime import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone

from oza.classifier.base import KernelClassifier
from oza.discovery import all_estimators

pytestmark = pytest.mark.full  # random products of what other tests call one by one

ROOT = Path(__file__).parents[1]
NAMES = sorted(all_estimators(KernelClassifier))
#: Small values of parameters, so that a call takes milliseconds.
SMALL = {"n_estimators": 3, "n_epochs": 2, "chunk_size": 8, "n_folds": 2, "n_prime": 5, "max_trials": 4}
#: Packages whose errors users know from scikit-learn: they validate what our code hands to them.
OURS = ("oza", "sklearn")


def some(rng, *values):
    return values[rng.integers(len(values))]


def table(rng, n, n_columns):
    """A table, of which one in three has something wrong."""
    numbers = rng.normal(size=(n, n_columns)).round(1)
    names = rng.choice(["a", "b", "c", "d"], (n, n_columns)).astype(object)
    kind = rng.integers(30)
    if kind < 5:
        return numbers
    if kind < 9:
        return rng.integers(0, 4, (n, n_columns))
    if kind < 13:
        return names
    if kind < 16:
        return pd.DataFrame(numbers).add_prefix("x")
    if kind < 18:
        return numbers.tolist()
    mixed = numbers.astype(object)
    mixed[:, 0] = names[:, 0]
    if kind < 21:
        return mixed
    holed = some(rng, numbers, names, mixed).copy()
    holed[rng.random(holed.shape) < 0.3] = np.nan
    if kind < 24:
        return holed
    return some(
        rng,
        None,
        "text",
        5,
        {"a": [1, 2]},
        numbers[:, 0],
        numbers[None],
        numbers[:, :0],
        numbers[:0],
        np.where(rng.random(numbers.shape) < 0.2, np.inf, numbers),
        numbers * 1e308,
        numbers + 1j,
        scipy.sparse.csr_array(numbers),
        np.full((n, n_columns), datetime(2001, 1, 1)),
        [[1.0] * n_columns, [2.0]],
        rng.normal(size=(n, n_columns + 1)),
        np.full((n, n_columns), [[1]], object),
        pd.DataFrame(numbers).assign(when=pd.Timestamp("2001-01-01")),
    )


def labels(rng, n):
    """Class labels, of which one in four have something wrong."""
    kind = rng.integers(16)
    if kind < 7:
        return rng.integers(0, 3, n)
    if kind < 9:
        return rng.choice(["yes", "no"], n)
    if kind < 11:
        return rng.random(n) < 0.5
    if kind < 12:
        return np.zeros(n, int)
    return some(
        rng,
        None,
        "text",
        rng.normal(size=n),
        np.full(n, np.nan),
        np.array([None, 1] * n, object)[:n],
        np.array([1, "a"] * n, object)[:n],
        rng.integers(0, 3, n + 1),
        rng.integers(0, 3, (n, 2)),
        np.full(n, datetime(2001, 1, 1)),
        np.full(n, 2**63, np.uint64),
    )


def weights(rng, n):
    """Weights, of which one in four have something wrong."""
    if rng.random() < 0.75:
        return some(rng, None, np.ones(n), rng.random(n), rng.integers(0, 3, n), np.zeros(n))
    return some(rng, -np.ones(n), np.full(n, np.nan), np.ones(n + 1), "text", np.full(n, 1e300), np.inf, 1j)


def random_call(rng, model, n_columns):
    """Call a method with random arguments; the result, or the error."""
    n = int(rng.integers(1, 12))
    X, y = table(rng, n, n_columns), labels(rng, n)
    weight = weights(rng, n)
    classes = some(rng, None, None, [0, 1, 2], ["no", "yes"], [False, True], [2, 1], [], "text", 3)
    calls = {
        "fit": lambda: model.fit(X, y, sample_weight=weight),
        "partial_fit": lambda: model.partial_fit(X, y, classes=classes, sample_weight=weight),
        "prequential_predict": lambda: model.prequential_predict(X, y, classes, weight),
        "learn_and_predict": lambda: [*model.learn_and_predict(X, y, table(rng, n, n_columns), [0, 1, n])],
        "learn_one": lambda: model.learn_one(one(rng, X), one(rng, y), some(rng, 1.0, 0.0, 2, -1.0, "1")),
        "predict_one": lambda: model.predict_one(one(rng, X)),
        "predict_proba_one": lambda: model.predict_proba_one(one(rng, X)),
        "predict": lambda: model.predict(X),
        "predict_proba": lambda: model.predict_proba(X),
        "predict_each": lambda: model.predict_each(X),
        "staged_predict": lambda: [*model.staged_predict(X)],
        "score": lambda: model.score(X, y),
        "pickle": lambda: pickle.loads(pickle.dumps(model)),
    }
    name = some(rng, *(name for name in calls if name == "pickle" or hasattr(type(model), name)))
    try:
        return name, calls[name](), None
    except Exception as error:
        return name, None, error


def one(rng, values):
    """An entry of a table or of labels, as a sequence, a dict or as it is; or the whole."""
    try:
        first = values.iloc[0].to_dict() if isinstance(values, pd.DataFrame) else values[0]
    except Exception:
        return values
    is_row = isinstance(first, np.ndarray) and first.ndim == 1
    return {f"x{j}": v for j, v in enumerate(first.tolist())} if is_row and rng.random() < 0.4 else first


def is_ours(error):
    """Whether a clear error: of the usual types, raised by our code or by a check of scikit-learn."""
    *_, last = traceback.walk_tb(error.__traceback__)
    module = last[0].f_globals.get("__name__", "").partition(".")[0]
    return isinstance(error, ValueError | TypeError | AttributeError | OverflowError) and module in OURS


def make_calls(name, n_calls, seed):
    """Make random calls of an estimator and of copies of it; what is wrong, as lines of text."""
    rng, wrong = np.random.default_rng([seed, NAMES.index(name)]), []
    kind = all_estimators(KernelClassifier)[name]
    new = kind()
    new.set_params(**{key: value for key, value in SMALL.items() if key in new.get_params()})
    model, n_columns = clone(new), 3
    for n in range(n_calls):
        if rng.random() < 0.05:
            model, n_columns = clone(new), int(rng.integers(1, 5))
        before = pickle.dumps(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            method, _, error = random_call(rng, model, n_columns)
        if error is None:
            continue
        if not is_ours(error):
            lines = traceback.format_exception(error)
            wrong.append(f"call {n}, {name}.{method}: foreign error\n{''.join(lines[-3:])}")
        elif pickle.dumps(model) != before:
            wrong.append(f"call {n}, {name}.{method}: changed by {error!r}")
    return wrong


@pytest.mark.parametrize("name", NAMES)
def test_nothing_crashes_and_errors_change_nothing(name):
    wrong = make_calls(name, 60, seed=0)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_a_hundred_thousand_calls_of_which_five_thousand_have_their_bounds_checked():
    for n_calls, seed, checked in ((100_000, 1, {}), (5_000, 2, {"NUMBA_BOUNDSCHECK": "1"})):
        each = -(-n_calls // len(NAMES))
        done = subprocess.run(
            [sys.executable, "-m", "tests.test_random_calls", str(each), str(seed)],
            env=os.environ | checked,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stdout) == (0, "")


if __name__ == "__main__":
    each, seed = map(int, sys.argv[1:3])
    for name in sys.argv[3:] or NAMES:
        for line in make_calls(name, each, seed):
            print(line, flush=True)
