"""Throughput of the library and, where they are installed, of its peers, in one run on one core.

    python benchmarks/bench.py [--repeats N] [--peers]

Synthetic-2, 80,000 examples to learn and 20,000 to classify, 100 base models, medians of
`--repeats` runs. Machines differ and are noisy: compare ratios within one run.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402  (threads are set before the first import that starts some)
from sklearn.neural_network import MLPClassifier  # noqa: E402

from oza import (  # noqa: E402
    AdaBoostClassifier,
    BaggingClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
)
from oza.datasets import load_dataset  # noqa: E402

N_TRAIN, N_MODELS = 80_000, 100
RIVER_EXAMPLES = MLP_EXAMPLES = 1_000  # a peer at 600 examples/s is timed on a part of the stream


def seconds(work, repeats):
    """Median time of `work()`, which returns what is to be timed, made ready."""
    times = []
    for _ in range(repeats + 1):
        timed = work()
        start = time.perf_counter()
        timed()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])  # the first run loads the kernels


def ours(X, y, repeats):
    train, test = (X[:N_TRAIN], y[:N_TRAIN]), X[N_TRAIN:]

    def learning(model, chunk=None):
        def ready():
            def learn():
                if chunk is None:
                    model.fit(*train)
                    return
                stream = type(model)(random_state=0)
                for start in range(0, N_TRAIN, chunk):
                    rows = slice(start, start + chunk)
                    stream.partial_fit(train[0][rows], train[1][rows], classes=[0, 1])

            return learn

        return N_TRAIN / seconds(ready, repeats)

    def classifying(model):
        model.fit(*train)
        return len(test) / seconds(lambda: lambda: model.predict(test), repeats)

    online = OnlineBaggingClassifier(n_estimators=N_MODELS, random_state=0)
    batch = BaggingClassifier(n_estimators=N_MODELS, random_state=0)
    boosted = OnlineBoostingClassifier(n_estimators=N_MODELS, random_state=0)
    single = NaiveBayesClassifier()
    return {
        "online bagging, learn": learning(online),
        "online bagging, learn in chunks of 1000": learning(online, 1000),
        "online bagging, classify": classifying(online),
        "online boosting, learn": learning(boosted),
        "online boosting, learn in chunks of 1000": learning(boosted, 1000),
        "online boosting, classify": classifying(boosted),
        "bagging, learn": learning(batch),
        "AdaBoost, learn (until it stops)": learning(AdaBoostClassifier(n_estimators=N_MODELS)),
        "single Naive Bayes, learn": learning(single),
        "single Naive Bayes, classify": classifying(single),
    }


def network(repeats):
    """Networks of 10 hidden units on a stream of the shape of Connect-4, and scikit-learn's beside it."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (67_557, 42)), rng.integers(0, 3, 67_557)
    rates = {}
    for updates in (1, 10):

        def ready(updates=updates):
            model = NeuralNetworkClassifier(updates=updates, categories=[range(3)] * 42, random_state=0)
            model.partial_fit(X[:1], y[:1], classes=[0, 1, 2])
            return lambda: model.partial_fit(X, y)

        rates[f"network, updates, {updates} for each example"] = updates * len(y) / seconds(ready, repeats)
    one_hot = np.eye(3)[X[:MLP_EXAMPLES]].reshape(MLP_EXAMPLES, -1)

    def mlp():
        model = MLPClassifier(10, activation="logistic", solver="sgd", learning_rate_init=0.5)
        model.partial_fit(one_hot[:1], y[:1], classes=[0, 1, 2])

        def learn():
            for n in range(MLP_EXAMPLES):
                model.partial_fit(one_hot[n : n + 1], y[n : n + 1])

        return learn

    return rates, MLP_EXAMPLES / seconds(mlp, min(repeats, 3))


def river(X, y):
    from river import ensemble, naive_bayes

    examples = [{f"A{a}": str(v) for a, v in enumerate(row)} for row in X[:RIVER_EXAMPLES].tolist()]
    model = ensemble.BaggingClassifier(naive_bayes.MultinomialNB(), n_models=N_MODELS, seed=0)
    counts = [{f"{name}={value}": 1 for name, value in x.items()} for x in examples]
    start = time.perf_counter()
    for x, label in zip(counts, y[:RIVER_EXAMPLES].tolist(), strict=True):
        model.learn_one(x, label)
    return {"online bagging, learn": RIVER_EXAMPLES / (time.perf_counter() - start)}


def start_up():
    """Seconds of a fresh process: to import, to compile, to load what was compiled."""
    code = """
import json, time
t0 = time.perf_counter()
import numba, sklearn
t1 = time.perf_counter()
import oza
t2 = time.perf_counter()
import numpy as np
X, y = np.arange(40).reshape(20, 2) % 3, np.arange(20) % 2
model = oza.OnlineBaggingClassifier(random_state=0).fit(X, y)
model.predict(X)
print(json.dumps([t1 - t0, t2 - t1, time.perf_counter() - t2]))
"""
    with tempfile.TemporaryDirectory() as cache:

        def fresh():
            return json.loads(
                subprocess.run(
                    [sys.executable, "-c", code],
                    env={**os.environ, "OZA_CACHE": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )

        compiled = fresh()[2]
        later = [fresh() for _ in range(5)]
    return {
        "import numba and scikit-learn": statistics.median(t[0] for t in later),
        "import oza after them": statistics.median(t[1] for t in later),
        "first fit and predict, compiling": compiled,
        "first fit and predict, from the cache": statistics.median(t[2] for t in later),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7, help="runs of which the median counts (default 7)")
    parser.add_argument("--peers", action="store_true", help="also time River (pip install 'oza[peers]')")
    options = parser.parse_args()
    X, y = load_dataset("synthetic2", return_X_y=True)
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    rates = ours(X, y, options.repeats)
    peers = river(X, y) if options.peers else {}
    for name, rate in rates.items():
        ratio = f"   {rate / peers[name]:10,.0f} times River ({peers[name]:,.0f}/s)" if name in peers else ""
        print(f"{name:42}{rate:14,.0f} examples/s{ratio}")
    rates, mlp = network(options.repeats)
    for name, rate in rates.items():
        print(f"{name:42}{rate:14,.0f} updates/s    {rate / mlp:10,.0f} times MLPClassifier ({mlp:,.0f}/s)")
    for name, value in start_up().items():
        print(f"{name:42}{value:14.2f} s")


if __name__ == "__main__":
    main()
