"""Kernels run uncompiled while another process compiles them; where they change over makes no difference."""

import os
import pickle
import signal

import numpy as np
import pytest

import oza
from oza.kernels import beside
from oza.kernels import compile as _compile
from oza.kernels import random as _random
from oza.models.single import test_and_count as single_kernel
from tests.estimators import NAIVE_BAYES, averaging_ensembles, base_models, ensembles, full_but
from tests.processes import run

ESTIMATORS = base_models() | ensembles(n_estimators=3) | averaging_ensembles(n_estimators=3)
ESTIMATORS["forest"] = oza.AdaptiveRandomForestClassifier(n_estimators=3, n_jobs=2, random_state=0)


@pytest.fixture
def uncompiled(monkeypatch):
    """Forget what is compiled; a function says how many looks later a kernel is found in the cache."""
    monkeypatch.setenv("OZA_COMPILE", "beside")
    monkeypatch.setattr(_compile, "_LOOK", 0.0)
    monkeypatch.setattr(_compile._compiler, "can_start", lambda: False)
    monkeypatch.setattr(_compile.CACHE, "has", lambda beginning: False)
    kept = {kernel: vars(kernel).pop("compiled", None) for kernel in list(_compile._kernels.values())}

    def change_over(after):
        looks = iter(range(after))
        monkeypatch.setattr(_compile._Wanted, "is_ready", lambda wanted: next(looks, None) is None)
        for kernel in kept:
            vars(kernel).pop("compiled", None)

    yield change_over
    for kernel, compiled in kept.items():
        vars(kernel).pop("compiled", None)
        if compiled is not None:
            kernel.compiled = compiled


def bits(value):
    """A state, of which arrays are bytes: equal types of records may be several objects, and pickled so."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return {name: bits(each) for name, each in value.items()}
    return [*map(bits, value)] if isinstance(value, tuple | list) else repr(value)


def answers(estimator):
    """What a classifier answers, and its state, after a stream in chunks of different sizes."""
    rng = np.random.default_rng(0)
    numbers, names = rng.normal(size=(160, 2)), rng.integers(0, 3, (160, 2)).astype(str)
    X = np.column_stack([numbers.astype(object), names.astype(object)])
    y = (numbers[:, 0] + (names[:, 1] == "1") > 0).astype(int)
    model, found = pickle.loads(pickle.dumps(estimator)), []
    if hasattr(model, "partial_fit"):
        for first, end in (0, 1), (1, 8), (8, 108):
            model.partial_fit(X[first:end], y[first:end], classes=[0, 1])
        for n in range(108, 112):
            found.append(model.predict_one(X[n]))
            model.learn_one(X[n], int(y[n]))
        found += model.prequential_predict(X[112:], y[112:]).tolist()
        found.append(model.predict_proba(X).tobytes())
    else:
        found += [model.fit(X, y).predict_proba(X).tobytes(), model.predict(X[:1]).tobytes()]
    return found, bits(model.__getstate__())


@pytest.mark.parametrize("name", full_but(ESTIMATORS, *NAIVE_BAYES, "HoeffdingTreeClassifier"))
def test_wherever_kernels_change_over_the_bits_are_the_same(name, uncompiled):
    estimator = ESTIMATORS[name]
    uncompiled(after=0)
    expected = answers(estimator)
    for after in 1, 7, 100, 10**9:
        uncompiled(after)
        assert answers(estimator) == expected, after


ANOTHER_COMPILES = """
import oza
from oza.kernels import compile as _compile

def refuse(*arguments):
    raise AssertionError("this process compiles")

_compile._EntryPointCompiler.compile_extra = refuse
model, n_rows = oza.WeightedMajority(), 0
while not any("_predict_and_learn" in path.name for path in _compile.CACHE.folder.glob("*.entry")):
    model.partial_fit([[0, 1, 1], [1, 1, 0]], [1, 0])
    n_rows += 2
again = oza.WeightedMajority()
for _ in range(n_rows // 2):
    again.partial_fit([[0, 1, 1], [1, 1, 0]], [1, 0])
assert [*again.weights_] == [*model.weights_]
print(n_rows > 2)
"""


def test_another_process_compiles_what_this_one_runs_uncompiled(tmp_path):
    assert run(ANOTHER_COMPILES, OZA_COMPILE="beside", OZA_CACHE=str(tmp_path)) == ("True", "")


def test_what_the_other_process_does_not_compile_this_one_does(tmp_path):
    code = """
import multiprocessing.spawn, shutil
import oza
from oza.kernels.compile import CACHE
multiprocessing.spawn.set_executable(shutil.which("false"))
model = oza.WeightedMajority()
while not [*CACHE.folder.glob("*.entry")]:
    model.partial_fit([[0, 1, 1], [1, 1, 0]], [1, 0])
"""
    assert run(code, OZA_COMPILE="beside", OZA_CACHE=str(tmp_path)) == ("", "")


def test_where_no_other_process_can_compile_this_one_does_so_in_a_long_call(uncompiled, monkeypatch):
    is_ready = _compile._Wanted.is_ready
    uncompiled(after=0)
    monkeypatch.setattr(_compile._Wanted, "is_ready", is_ready)
    monkeypatch.setattr(_compile, "_PATIENCE", 0.001)
    oza.NaiveBayesClassifier().prequential_predict(np.zeros((300, 1)), np.arange(300) % 2, classes=[0, 1])
    assert single_kernel.compiled.signatures


def test_ctrl_c_ends_an_uncompiled_call_as_if_it_had_not_been_made(uncompiled, monkeypatch):
    X, y = np.arange(400.0).reshape(200, 2) % 7, np.arange(200) % 2
    model = oza.OnlineBaggingClassifier(n_estimators=3, random_state=0).partial_fit(X, y)

    def learned(model):
        return [np.asarray(part).tobytes() for part in (*model._models, model._counted)]

    before, other = learned(model), pickle.loads(pickle.dumps(model))
    uncompiled(after=10**9)
    n_calls, row_key = iter(range(10**9)), _random.row_key.py_func

    def interrupting(key, i):
        if next(n_calls) == 100:
            signal.raise_signal(signal.SIGINT)
        return row_key(key, i)

    monkeypatch.setattr(_random.row_key, "py_func", interrupting)
    with pytest.raises(KeyboardInterrupt):
        model.partial_fit(X, y)
    assert 100 < next(n_calls) < 200 and learned(model) == before
    assert learned(model.partial_fit(X, y)) == learned(other.partial_fit(X, y)) != before


def test_a_child_does_not_wait_for_the_process_of_its_parent(monkeypatch):
    monkeypatch.setitem(_compile._compiler._given, os.getpid(), [b"kernel"])
    child = os.fork()
    if child == 0:
        os._exit(not _compile._compiler.is_done(b"kernel"))
    assert os.waitpid(child, 0)[1] == 0


def test_no_process_is_started_without_a_second_processor_or_a_cache(monkeypatch, tmp_path):
    compiler = beside.Compiler(_compile.DiskCache(tmp_path, "name"))
    monkeypatch.setattr(beside.joblib, "cpu_count", lambda: 1)
    assert not compiler.can_start()
    monkeypatch.setattr(beside.joblib, "cpu_count", lambda: 2)
    assert compiler.can_start() == (os.name == "posix")
    monkeypatch.setattr(compiler._cache, "problem", "it is full")
    assert not compiler.can_start()


def test_another_time_to_compile_is_refused(monkeypatch):
    monkeypatch.setenv("OZA_COMPILE", "later")
    with pytest.raises(ValueError, match="OZA_COMPILE is 'later'; it must be one of beside, now, never, or"):
        beside.mode()
