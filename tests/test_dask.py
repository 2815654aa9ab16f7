"""Ensembles, and models of parts of a stream, learn on a cluster what they learn on one machine."""

import os
import signal
import time
from threading import Thread

import dask.array
import dask.dataframe
import distributed
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import oza
from oza.dask import DaskEnsemble, ModelPerKey

from .containers import CONTAINERS

pytestmark = pytest.mark.full  # a cluster of processes; test_parts.py has the same bits in one

BAGGING = oza.OnlineBaggingClassifier(n_estimators=5, random_state=1)
TREES = oza.OnlineBaggingClassifier(oza.HoeffdingTreeClassifier(grace_period=50), 5, random_state=1)


@pytest.fixture(scope="module")
def client():
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        yield client


@pytest.fixture(scope="module")
def stream():
    """A table with a nominal column, whose values come one after the other, and labels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(900, 3)), columns=["a", "b", "c"])
    shops = np.array(["north", "south", "east", "west"])
    X["shop"] = shops[rng.integers(1 + np.arange(900) // 225)]
    return X, pd.Series(np.where(X["a"] * X["b"] + (X["shop"] == "east") > 0, "yes", "no"), name="class")


@pytest.fixture
def files(stream, tmp_path):
    X, y = stream
    paths = [tmp_path / f"{n}.parquet" for n in range(9)]
    for n, path in enumerate(paths):
        X.assign(**{"class": y}).iloc[100 * n : 100 * n + 100].to_parquet(path)
    return paths


def assert_same(model, other, X):
    np.testing.assert_array_equal(model.predict_each(X), other.predict_each(X))
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


def pairs(X, y):
    return ((X.iloc[n : n + 250], y.iloc[n : n + 250]) for n in range(0, len(y), 250))


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_cluster_reads_every_container_as_one_machine_does(client, container):
    rows = [{"whole": n, "name": "ab"[n % 2], "flag": n > 2} for n in (1, 4, 2, 3)]
    X, y = CONTAINERS[container](rows), [*"uvuv"]
    expected = clone(BAGGING).fit(X, y)
    for method in ("fit", "partial_fit"):
        there = getattr(DaskEnsemble(BAGGING, client, 1), method)(X, y)
        assert there.gather().is_categorical_.tolist() == [False, True, True]
        np.testing.assert_array_equal(there.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("n_parts", [None, 3])
def test_chunks_give_the_bits_of_one_machine(client, stream, n_parts):
    X, y = stream
    there = DaskEnsemble(TREES, client, n_parts).partial_fit(pairs(X, y))
    one = clone(TREES).partial_fit(X, y)
    assert_same(there.gather(), one, X)
    there.partial_fit(X[:100], y[:100])
    assert_same(there.gather(), one.partial_fit(X[:100], y[:100]), X)


def test_arrays_frames_and_files_of_parquet_give_them_too(client, stream, files):
    X, y = stream
    numbers, labels = X[["a", "b", "c"]].to_numpy(), y.to_numpy()
    arrays = dask.array.from_array(numbers, (300, 2)), dask.array.from_array(labels, 200)
    one = clone(BAGGING).partial_fit(numbers, labels)
    assert_same(DaskEnsemble(BAGGING, client).partial_fit(*arrays).gather(), one, numbers)
    one = clone(BAGGING).partial_fit(X, y)
    frames = dask.dataframe.from_pandas(X, npartitions=4), dask.dataframe.from_pandas(y, npartitions=4)
    for source in (frames, (files, "class"), (str(files[0].parent / "0.parquet"), "class")):
        found = DaskEnsemble(BAGGING, client).partial_fit(*source).gather()
        known = clone(BAGGING).partial_fit(X[:100], y[:100]) if isinstance(source[0], str) else one
        assert_same(found, known, X)


def test_forests_too(client, stream):
    X, y = stream
    forest = oza.RandomForestClassifier(5, random_state=1)
    assert_same(DaskEnsemble(forest, client).fit(pairs(X, y)).gather(), clone(forest).fit(X, y), X)
    adaptive = oza.AdaptiveRandomForestClassifier(n_estimators=4, random_state=1)
    there = DaskEnsemble(adaptive, client).partial_fit(pairs(X, y))
    assert_same(there.gather(), clone(adaptive).partial_fit(X, y), X)


def test_workers_divide_the_rows_that_they_predict(client, stream):
    X, y = stream
    there = DaskEnsemble(BAGGING, client).partial_fit(X, y)
    one = clone(BAGGING).partial_fit(X, y)
    rows = dask.dataframe.from_pandas(X, npartitions=3)
    np.testing.assert_array_equal(there.predict(rows).compute(), one.predict(X))
    np.testing.assert_array_equal(there.predict_proba(rows).compute(), one.predict_proba(X))
    np.testing.assert_array_equal(there.predict_proba(X), one.predict_proba(X))
    numbers = X[["a", "b"]].to_numpy()
    there, one = DaskEnsemble(BAGGING, client).partial_fit(numbers, y), clone(BAGGING).partial_fit(numbers, y)
    shares = there.predict_proba(dask.array.from_array(numbers, (400, 1)))
    assert shares.shape == (900, 2)
    np.testing.assert_array_equal(shares.compute(), one.predict_proba(numbers))


def test_a_filter_may_leave_a_worker_no_rows(client, stream):
    X, y = stream
    there = DaskEnsemble(BAGGING, client).partial_fit(X, y)
    rows = dask.dataframe.from_pandas(X.assign(number=np.arange(len(X))), npartitions=4)
    first = rows[rows["number"] < 200][[*X]]
    for method in ("predict", "predict_proba"):
        expected = getattr(there.gather(), method)(X[:200])
        np.testing.assert_array_equal(getattr(there, method)(first).compute(), expected)


def slow(path, seconds):
    time.sleep(seconds)
    return pd.read_parquet(path)


def test_a_lost_worker_costs_nothing_of_a_collection(client, stream, files):
    X, y = stream
    rows = dask.dataframe.from_delayed(
        [dask.delayed(slow)(path, 0.2) for path in files], meta=slow(files[0], 0)
    )
    there = DaskEnsemble(TREES, client).partial_fit(rows[[*X]], rows["class"])
    victim = client.run(os.getpid)[there._homes[0]]
    killer = Thread(target=lambda: (time.sleep(0.5), os.kill(victim, signal.SIGKILL)))
    killer.start()
    there.partial_fit(rows[[*X]], rows["class"])
    killer.join()
    assert victim not in client.run(os.getpid).values()
    assert_same(there.gather(), clone(TREES).partial_fit(X, y).partial_fit(X, y), X)


def test_chunks_that_only_a_lost_worker_had_are_not_passed_over(client, stream):
    X, y = stream
    there = DaskEnsemble(BAGGING, client).partial_fit(X, y)
    os.kill(client.run(os.getpid)[there._homes[0]], signal.SIGKILL)
    while there._homes[0] in client.nthreads():
        time.sleep(0.05)
    with pytest.raises(RuntimeError, match="cannot be learned again"):
        there.partial_fit(X, y)


def test_an_error_leaves_what_was_learned_before_its_chunk(client, stream):
    X, y = stream
    there = DaskEnsemble(BAGGING, client)
    with pytest.raises(ValueError, match="yet now missing:\n- shop"):
        there.partial_fit([(X, y), (X[["a", "b", "c"]], y), (X, y)])
    assert_same(there.gather(), clone(BAGGING).partial_fit(X, y), X)


def test_a_model_for_each_key_learns_its_rows(client, stream):
    X, y = stream
    models = ModelPerKey(TREES, "shop", client).partial_fit(pairs(X, y)).gather()
    assert list(models) == ["east", "north", "south", "west"]
    for shop, model in models.items():
        rows = X[X["shop"] == shop].drop(columns="shop")
        assert_same(model, clone(TREES).partial_fit(rows, y[rows.index]), rows)
    of_keys = "shop must hold strings or integers, and no missing values"
    for rows, labels, fault in [
        (X[:2].assign(shop=[1.0, 2.0]), y[:2], of_keys),
        (X[:2].assign(shop=["north", None]), y[:2], of_keys),
        (X.to_numpy(), y, "X must be a data frame with a column 'shop'"),
        (X[:2], y[:3], "X has 2 rows and y has 3 labels"),
    ]:
        with pytest.raises(ValueError, match=fault):
            ModelPerKey(BAGGING, "shop", client).partial_fit(rows, labels)
    assert len(ModelPerKey(BAGGING, "shop", client).partial_fit([(X[:0], y[:0]), (X, y)]).gather()) == 4
    with pytest.raises(ValueError, match="X has 2 rows and y has 1 labels"):
        DaskEnsemble(BAGGING, client).fit([(X[:2], y[:1]), (X[2:4], y[1:4])])
    with pytest.raises(ValueError, match="n_parts must be an integer of at least 1; got 0"):
        DaskEnsemble(BAGGING, client, 0)


def test_boosting_is_refused(client):
    said = "OnlineBoostingClassifier cannot be divided among workers: what one of"
    with pytest.raises(TypeError, match=said):
        DaskEnsemble(oza.OnlineBoostingClassifier(), client)
