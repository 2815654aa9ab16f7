"""Exceptions of a signal's handler at any moment: what is learned is counted, and going on is exact."""

import random
import signal
import time
from contextlib import suppress

import joblib
import numpy as np
import pytest
from sklearn.base import clone

from oza.columns.examples import joined
from oza.kernels.undivided import undivided

from .test_threads import ONLINE

#: Upper bounds and what has been said; they change no prediction.
BESIDE = {"_most_learned", "_n_calls", "_warned_of_unknown", "_warned_of_bounds"}


class Interrupt(BaseException):
    pass


def stream(n):
    """Columns of both kinds, with values and a class that come later, and two concepts."""
    rng = np.random.default_rng(0)
    letters = np.array([*"abcdefghijklmnopqrst"], object)
    X = np.empty((n, 3), object)
    X[:, 0] = letters[(rng.random(n) * (2 + np.arange(n) * 18 // n)).astype(int)]
    X[:, 1:] = rng.normal(size=(n, 2)).round(1)
    is_late = np.arange(n) > n // 2
    return X, letters[((X[:, 1] > 0) != is_late) + 1 * (rng.random(n) < 0.1 * is_late)]


#: Lists with a piece for each call, which are learned as a whole.
PIECES = {"_pending": joined, "_waiting": joined, "_history": np.concatenate}


def bits(model):
    state = {k: v for k, v in model.__getstate__().items() if k not in BESIDE}
    return joblib.hash(state | {k: whole(state[k]) for k, whole in PIECES.items() if state.get(k)})


def learn(model, X, y, first=0):
    """Learn the rest of the stream, in chunks and then one by one."""
    classes = np.unique(y) if "SGD" in repr(model) else None
    for start in range(first, len(y) - 5, 300):
        part = slice(start, min(start + 300, len(y) - 5))
        model.partial_fit(X[part], y[part], classes=None if start else classes)
    for n in range(max(first, len(y) - 5), len(y)):
        model.learn_one(X[n], y[n])
    return model


def interrupted(name, times, seed):
    """Interrupt a model at so many random moments, go on, and compare with what no moment interrupted."""
    X, y = stream(60 if "SGD" in name else 900)
    X = X[:, 1:].astype(float) if "SGD" in name else X
    draws, wanted = random.Random(seed), bits(learn(clone(ONLINE[name]), X, y))
    start = time.perf_counter()
    learn(clone(ONLINE[name]), X, y)
    duration, n_interrupted = time.perf_counter() - start, 0
    while n_interrupted < times:
        model = clone(ONLINE[name])
        try:
            signal.setitimer(signal.ITIMER_REAL, draws.uniform(1e-6, duration))
            learn(model, X, y)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Interrupt:
            n_interrupted += 1
        assert bits(learn(model, X, y, model._n_seen if model._is_fitted() else 0)) == wanted


@pytest.fixture(autouse=True)
def _alarm():
    def interrupt(number, frame):
        raise Interrupt

    former = signal.signal(signal.SIGALRM, interrupt)
    yield
    assert signal.signal(signal.SIGALRM, former) is interrupt


def test_every_handler_is_in_its_place_after_a_section_in_which_one_raised():
    draws, handler = random.Random(0), signal.getsignal(signal.SIGALRM)
    for _ in range(2000):
        with suppress(Interrupt):
            signal.setitimer(signal.ITIMER_REAL, draws.uniform(1e-5, 3e-4))
            for _ in range(1000):
                with undivided():
                    pass
        assert signal.getsignal(signal.SIGALRM) is handler


@pytest.mark.parametrize("name", ONLINE)
def test_nothing_is_lost_by_an_interrupt(name, times=4):
    interrupted(name, times, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("name", ONLINE)
def test_nothing_is_lost_by_many_interrupts(name):
    interrupted(name, 50, seed=2)
