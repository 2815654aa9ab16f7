"""Speed, memory and start-up time of the library and its peers, in one run on one core.

Every rate is in examples per CPU second, the median over `--repeats` runs. Machines differ and are
noisy, so compare ratios within one run. Peers that are not installed are named and omitted.
"""

import argparse
import json
import os
import pickle
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

from peers import InPython, Missing, Moa, River, timed, version_of  # noqa: E402  (after the threads are set)
from rows import CONSTANT_MEMORY, ROWS, Row, load  # noqa: E402

from oza.datasets import DatasetUnavailableError  # noqa: E402

N_TRAIN = {"synthetic2": 80_000}


def find_peers(folder, wanted):
    """The installed peers by name, and messages about the others."""
    peers, notes = {}, []
    for make in (lambda: Moa(folder), River) if wanted else ():
        try:
            peer = make()
            peers[peer.name] = peer
        except Missing as why:
            notes.append(str(why))
    for peer in (InPython("scikit-learn", "scikit-learn"), InPython("oza, batch", "oza")) if wanted else ():
        peers[peer.name] = peer
    return peers, notes


def measure(row, data, peers, n_models, repeats):
    """Results of one row, as written to the file."""

    def figures(n_examples, seconds):
        rate = n_examples / statistics.median(seconds)
        return {"n_examples": n_examples, "seconds": seconds, "examples_per_second": rate}

    row.ready(load(row.dataset, 200), n_models)()  # loads or compiles the kernels
    ours = figures(data.n_train, timed(lambda: row.ready(data, n_models), repeats))
    rate, seconds = ours["examples_per_second"], statistics.median(ours["seconds"])
    theirs = {}
    for name in row.peers.keys() & peers.keys():
        found = figures(*peers[name].measure(row, data, row.peers[name], n_models, min(repeats, 3)))
        ratio = rate / found["examples_per_second"]
        target = row.targets.get(name)
        theirs[name] = found | {"ratio": ratio, "target": target, "reached": target and ratio >= target}
    return {
        "work": row.work,
        "task": row.task,
        "dataset": row.dataset,
        "n_models": n_models if row.base else 1,
        "ours": ours,
        "peers": dict(sorted(theirs.items())),
        "least_rate": row.least_rate,
        "most_seconds": row.most_seconds,
        "reached": (row.least_rate is None or rate >= row.least_rate)
        and (row.most_seconds is None or seconds <= row.most_seconds),
    }


def show(result):
    ours = result["ours"]["examples_per_second"]
    print(f"{result['work']}, {result['task']}, {result['dataset']}: {ours:,.0f} examples/s")
    for name, peer in result["peers"].items():
        target = f", target {peer['target']:,.3g}: {verdict(peer['reached'])}" if peer["target"] else ""
        print(f"    {peer['ratio']:10,.2f} times {name} ({peer['examples_per_second']:,.0f}/s){target}")
    if result["least_rate"]:
        print(f"    target {result['least_rate']:,.0f} examples/s: {verdict(result['reached'])}")
    if result["most_seconds"]:
        seconds = statistics.median(result["ours"]["seconds"])
        print(f"    {seconds:,.1f} s, target {result['most_seconds']} s: {verdict(result['reached'])}")


def verdict(reached):
    return "reached" if reached else "NOT reached"


def memory(model, base, data, n_models):
    """Bytes of a pickled ensemble after one pass through a stream and after five."""
    ensemble = Row("", data.name, "learn", model, base).new(data, n_models)
    sizes = []
    for passes in (1, 4):
        for _ in range(passes):
            ensemble.partial_fit(*data.train, classes=data.classes)
        sizes.append(len(pickle.dumps(ensemble)))
    n = data.n_train
    return {"model": model, "base": base, "n_examples": [n, 5 * n], "bytes": sizes}


def peak_memory(model, base, n_examples, n_models):
    """Peak memory of a fresh process, in bytes, after a tenth of a long stream and after all of it."""
    code = f"""
import json, resource, sys
import numpy as np
import oza

def peak():
    if sys.platform == "linux":  # where getrusage includes the memory of the parent process
        status = open("/proc/self/status").read()
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

ensemble = oza.{model}(oza.{base}(), n_estimators={n_models}, categories=[range(2)] * 20, random_state=0)
rng, peaks = np.random.default_rng(0), []
for _ in range(10):
    for _ in range({n_examples // 100_000 or 1}):
        y = rng.integers(0, 2, {min(n_examples // 10, 10_000)})
        X = (rng.random((len(y), 20)) < 0.3 + 0.4 * y[:, None]).astype(np.int64)
        ensemble.partial_fit(X, y, classes=[0, 1])
    peaks.append(peak())
print(json.dumps([peaks[0], peaks[-1]]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {
        "model": model,
        "base": base,
        "n_examples": [n_examples // 10, n_examples],
        "bytes": json.loads(done.stdout),
    }


def start_up(repeats, compiling):
    """Seconds of a fresh process to import, to compile kernels (if `compiling`), and to load them."""
    code = """
import json, time
t0 = time.perf_counter()
import numba, sklearn
t1 = time.perf_counter()
import oza
t2 = time.perf_counter()
import numpy as np
X, y = np.arange(40).reshape(20, 2) % 3, np.arange(20) % 2
model = oza.OnlineBaggingClassifier(categorical_features=[0, 1], random_state=0).fit(X, y)
model.predict(X)
print(json.dumps([t1 - t0, t2 - t1, time.perf_counter() - t2]))
"""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | ({"OZA_CACHE": cache} if compiling else {})

        def fresh():
            return json.loads(
                subprocess.run(
                    [sys.executable, "-c", code],
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )

        compiled = fresh()[2]
        later = [fresh() for _ in range(repeats)]
    return {
        "import numba and scikit-learn": statistics.median(t[0] for t in later),
        "import oza after them": statistics.median(t[1] for t in later),
        "first fit and predict, compiling": compiled,
        "first fit and predict, from the cache": statistics.median(t[2] for t in later),
    }


def machine():
    processor = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), processor)
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
    }


def parser_of(description, repeats):
    """Parser of the options of every benchmark."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument(
        "--repeats",
        type=int,
        default=repeats,
        help="number of runs, whose median is taken (default %(default)s)",
    )
    parser.add_argument("--no-peers", action="store_true", help="measure our own library only")
    parser.add_argument("--only", default="", metavar="WORD", help="only rows whose work contains this text")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to test that it runs")
    parser.add_argument("--save", type=Path, metavar="FILE", help="also write everything to this file")
    return parser


def main():
    parser = parser_of(__doc__, 5)
    parser.add_argument("--long", action="store_true", help="also the rows that take minutes")
    options = parser.parse_args()
    repeats, n_models = (1, 3) if options.quick else (options.repeats, 100)

    with tempfile.TemporaryDirectory() as folder:
        peers, notes = find_peers(Path(folder), not options.no_peers)
        for note in notes:
            print(note)
        results = []
        for row in ROWS:
            if options.only not in row.work or (row.long and not options.long):
                continue
            name = f"{row.work}, {row.task}, {row.dataset}"
            if row.missing:
                notes.append(f"{name}: oza has no {' and no '.join(row.missing)} yet")
                print(notes[-1])
                continue
            try:
                data = load(row.dataset, 200 if options.quick else N_TRAIN.get(row.dataset))
            except DatasetUnavailableError as why:
                notes.append(f"{name}: {str(why).splitlines()[0]}")
                print(notes[-1])
                continue
            n_runs = (
                1 if row.most_seconds else repeats
            )  # these rows take minutes, and their target is for one run
            results.append(measure(row, data, peers, n_models, n_runs))
            show(results[-1])

    data = load("synthetic2", 200 if options.quick else 20_000)
    sizes = [
        memory(model, base, data, n_models)
        for model, base in CONSTANT_MEMORY
        if not Row("", "", "", model, base).missing
    ]
    for size in sizes:
        n, bytes_ = size["n_examples"], size["bytes"]
        print(
            f"{size['model']} of {size['base']}: {bytes_[0]:,} bytes after {n[0]:,} examples, "
            f"{bytes_[1]:,} after {n[1]:,}"
        )
    n_examples = 1_000 if options.quick else 1_000_000
    peaks = [peak_memory("OnlineBaggingClassifier", "NaiveBayesClassifier", n_examples, n_models)]
    for peak in peaks:
        n, bytes_ = peak["n_examples"], peak["bytes"]
        print(
            f"a process with {peak['model']} of {peak['base']}: at most {bytes_[0] / 1e6:,.0f} MB in "
            f"{n[0]:,} examples, {bytes_[1] / 1e6:,.0f} MB in {n[1]:,}"
        )
    times = start_up(repeats, compiling=not options.quick)
    for name, value in times.items():
        print(f"{name}: {value:.2f} s")

    if options.save:
        packages = ("oza", "numba", "numpy", "scikit-learn")
        versions = {"python": platform.python_version()} | {name: version_of(name) for name in packages}
        document = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "versions": versions | {name: peer.version for name, peer in peers.items()},
            "repeats": repeats,
            "quick": options.quick,
            "rows": results,
            "memory": sizes,
            "peak_memory": peaks,
            "start_up_seconds": times,
            "left_out": notes,
        }
        options.save.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
