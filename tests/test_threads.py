"""Threads that share an estimator: nothing crashes, and the result is one of the calls in some order."""

import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier

import oza
from oza.classifier.base import KernelClassifier
from oza.classifier.online import OnlineKernelClassifier
from oza.drift import ADWIN
from oza.kernels import undivided
from oza.kernels.exclusive import Exclusive

from .estimators import FORECASTERS, full_but, one_of_each

N_THREADS = 8
CHUNK = 50
SMALL = {"n_estimators": 3, "n_prime": 500, "block_size": 100, "max_trials": 5, "random_state": 0}
CLASSIFIERS = one_of_each(KernelClassifier, **SMALL)
ONLINE = {name: each for name, each in CLASSIFIERS.items() if isinstance(each, OnlineKernelClassifier)}
OF_SGD = oza.OnlineBaggingClassifier(SGDClassifier(random_state=0), 2, random_state=0)
ONLINE["online bagging of SGDClassifier"] = OF_SGD


def stream(n=6000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)


def run(*jobs):
    """Run each of the functions in a thread of its own, from the same moment on; raises their first error."""
    errors, start = [], threading.Barrier(len(jobs))

    def guarded(job):
        start.wait()
        try:
            job()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def public_results(model, X, y):
    """Call every public method that predicts, and read every public property."""
    for name in (
        "predict",
        "predict_log_proba",
        "decision_function",
        "predict_each",
        "staged_predict",
        "decision_path",
    ):
        if hasattr(model, name):
            list(getattr(model, name)(X))
    model.score(X, y)
    for name in dir(type(model)):
        if name.endswith("_") and not name.startswith("_") and hasattr(model, name):
            getattr(model, name)


def stress(model, seconds):
    X, y = stream()
    if isinstance(model, OnlineKernelClassifier):
        model.partial_fit(X[:CHUNK], y[:CHUNK], classes=[0, 1])
    else:
        model.fit(X[:CHUNK], y[:CHUNK])
    end = time.monotonic() + seconds
    seen = []

    def work(number):
        rng = np.random.default_rng(number)
        while time.monotonic() < end:
            first = int(rng.integers(len(X) - CHUNK))
            rows = slice(first, first + CHUNK)
            if number % 2 == 0:
                seen.append(pickle.loads(pickle.dumps(model))) if rng.random() < 0.02 else None
                public_results(model, X[rows], y[rows])
            elif isinstance(model, OnlineKernelClassifier):
                model.partial_fit(X[rows], y[rows])
            else:
                model.fit(X[rows], y[rows])

    run(*[lambda number=number: work(number) for number in range(N_THREADS)])
    public_results(model, X[:CHUNK], y[:CHUNK])
    for copy in seen[-3:]:
        public_results(copy, X[:CHUNK], y[:CHUNK])


FEW = "NaiveBayesClassifier", "OnlineBaggingClassifier", "AdaBoostClassifier"


@pytest.mark.filterwarnings("ignore:a DecisionTreeClassifier has learned")
@pytest.mark.parametrize("name", full_but(CLASSIFIERS | ONLINE, *FEW))
def test_threads_that_share_a_classifier_crash_nothing(name):
    stress(clone((CLASSIFIERS | ONLINE)[name]), seconds=0.3)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:a DecisionTreeClassifier has learned")
@pytest.mark.parametrize("name", CLASSIFIERS | ONLINE)
def test_threads_that_share_a_classifier_for_long_crash_nothing(name):
    stress(clone((CLASSIFIERS | ONLINE)[name]), seconds=30)


@pytest.mark.parametrize("name", full_but(ONLINE, *FEW))
def test_the_result_is_that_of_the_calls_in_some_order(name, monkeypatch):
    X, y = stream(1600)
    model, order = clone(ONLINE[name]), []
    learn = type(model)._validate_chunk

    def noted(self, X, *others):
        order.append(X)
        return learn(self, X, *others)

    monkeypatch.setattr(type(model), "_validate_chunk", noted)
    model.partial_fit(X[:20], y[:20], classes=[0, 1])
    label_of = {row.tobytes(): label for row, label in zip(X, y, strict=True)}

    def work(number):
        for first in range(20 + 5 * number, 1600, 5 * N_THREADS):
            model.partial_fit(X[first : first + 5], y[first : first + 5])

    run(*[lambda number=number: work(number) for number in range(N_THREADS)])
    monkeypatch.undo()
    again = clone(ONLINE[name])
    for chunk in order:
        again.partial_fit(chunk, [label_of[row.tobytes()] for row in chunk], classes=[0, 1])
    assert sum(map(len, order)) == len(X)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    if hasattr(model, "vote_weights_"):
        np.testing.assert_array_equal(model.vote_weights_, again.vote_weights_)


def test_threads_share_the_forecasters_and_the_detector():
    rng = np.random.default_rng(0)
    bits, outcomes = rng.integers(0, 2, (2000, 4)), rng.integers(0, 2, 2000)
    for name, kind in FORECASTERS.items():
        is_of_signals = name == "UniversalLinearPredictor"
        learner = kind(amplitude=1.0) if is_of_signals else kind()
        arguments = (outcomes / 2.0,) if is_of_signals else (bits, outcomes)

        def work(learner=learner, arguments=arguments):
            for first in range(0, 2000, 20):
                learner.partial_fit(*(each[first : first + 20] for each in arguments))

        run(*[work] * N_THREADS)
        assert learner.n_seen_ == 2000 * N_THREADS
    detector = ADWIN()
    run(*[lambda: [detector.update(outcomes[n : n + 10]) for n in range(0, 2000, 10)]] * N_THREADS)
    assert detector.n_seen_ == 2000 * N_THREADS


def test_learning_waits_for_the_next_prediction_of_a_learning_curve():
    X, y = stream(400)
    model = oza.NaiveBayesClassifier()
    stages = model.learn_and_predict(X, y, X, after=[200, 400], classes=[0, 1])
    next(stages)
    run(lambda: model.partial_fit(X[:10], y[:10]))
    with pytest.raises(RuntimeError, match="learned something else"):
        next(stages)


def test_what_is_public_waits_and_what_is_pickled_is_a_copy():
    for kind in [*CLASSIFIERS.values(), *(kind() for kind in FORECASTERS.values()), ADWIN()]:
        assert isinstance(kind, Exclusive)
        assert "_lock" not in kind.__getstate__()
    model = oza.NaiveBayesClassifier().fit([[1.0], [2.0]], [0, 1])
    state = model.__getstate__()
    assert not np.shares_memory(state["_models"].class_counts, model._models.class_counts)
    clone(model), pickle.loads(pickle.dumps(model))


def forked(work=lambda: None):
    """Fork a child that works, and wait for its end."""
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(20)  # which ends the child if it waits for a lock
            work()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def fork_among(models, X, y, n_forks):
    """Fork while a thread for each model teaches it; the children use all of them.

    A fork that waited for the threads, and not for a call, would come after their last one.
    """
    is_over = threading.Event()

    def learn(model):
        for _ in range(100_000):
            if is_over.is_set():
                break
            model.partial_fit(X, y)

    def use():
        for model in models:
            model.predict(X[:5])
            model.partial_fit(X[:5], y[:5])

    use()  # which compiles what the children call
    threads = [threading.Thread(target=learn, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    try:
        for _ in range(n_forks):
            forked(use)
        assert all(thread.is_alive() for thread in threads)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


class Forking(SGDClassifier):
    def partial_fit(self, X, y, classes=None):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(forked).result()
        return super().partial_fit(X, y, classes)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
@pytest.mark.parametrize("n_rows", [1, 500])
def test_a_fork_waits_for_one_kernel_however_many_threads_learn(n_rows):
    X, y = stream(n_rows + CHUNK)
    models = [oza.NaiveBayesClassifier().partial_fit(X, y, classes=[0, 1]) for _ in range(6)]
    fork_among(models, X[:n_rows], y[:n_rows], 8)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
def test_a_kernel_for_which_a_fork_waits_may_be_compiled():
    is_in_kernel = threading.Event()

    def call():
        undivided.begin_kernel(threading.get_ident())
        is_in_kernel.set()
        while not undivided._forkers:
            time.sleep(1e-3)
        with undivided.undivided():
            undivided.end_kernel(threading.get_ident())

    calls = threading.Thread(target=call, daemon=True)
    calls.start()
    is_in_kernel.wait()
    forks = threading.Thread(target=forked, daemon=True)
    forks.start()
    forks.join(60)
    assert not forks.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
def test_a_call_in_which_another_thread_forks_comes_to_an_end():
    X, y = stream(4)
    models = [oza.OnlineBaggingClassifier(Forking(), 2, random_state=seed) for seed in range(2)]
    run(*[partial(model.partial_fit, X, y, classes=[0, 1]) for model in models])


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
@pytest.mark.parametrize("name", [*ONLINE][:-1])
def test_children_work_for_long_that_are_forked_while_threads_learn(name, seconds=30):
    X, y = stream(CHUNK)
    models = [clone(ONLINE[name]).partial_fit(X, y, classes=[0, 1]) for _ in range(4)]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        fork_among(models, X, y, 20)


@pytest.mark.parametrize("name", full_but(CLASSIFIERS, *FEW))
def test_a_model_that_was_read_as_a_map_of_a_file_predicts_and_learns(name, tmp_path):
    """The workers of joblib are given such models."""
    X, y = stream(1000)
    model = clone(CLASSIFIERS[name]).fit(X, y)
    joblib.dump(model, tmp_path / "model")
    there = joblib.load(tmp_path / "model", mmap_mode="r")
    np.testing.assert_array_equal(there.predict_proba(X), model.predict_proba(X))
    if isinstance(model, OnlineKernelClassifier):
        for each in (there, model):
            each.partial_fit(X[::-1], y[::-1])
        np.testing.assert_array_equal(there.predict_proba(X), model.predict_proba(X))
