"""What MOA's Hoeffding trees predict, example by example: recorded once, for the tests.

    python -m benchmarks.hoeffding

writes `tests/models/moa_hoeffding.npz`, `moa_option_trees.npz` for option trees, and `moa_two_columns.json`
from MOA in the wheel of CapyMOA; Java is needed.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peers import CAPYMOA, Missing, moa_jar
from oza import streams
from oza.datasets import load_dataset
from oza.kernels.draws import uniforms

RECORD = Path(__file__).parents[1] / "tests" / "models" / "moa_hoeffding.npz"
OPTION_RECORD = RECORD.with_name("moa_option_trees.npz")
TWO_COLUMNS_RECORD = RECORD.with_name("moa_two_columns.json")
N_EXAMPLES = 100_000

#: Streams by name.
STREAMS = {
    "stagger": streams.STAGGER(function=2),
    "led": streams.LED(noise=0.1),
    "synthetic2": streams.Chain("synthetic2"),
    "synthetic3": streams.Chain("synthetic3"),
    "agrawal-1": streams.Agrawal(function=1),
    "agrawal-7": streams.Agrawal(function=7),
    "sea": streams.SEA(noise=0.1),
    "rbf": streams.RandomRBF(),
    "rbf-5": streams.RandomRBF(n_classes=5),
    "electricity": None,
}
NUMERIC = ("sea", "rbf", "rbf-5", "electricity")  # the others are nominal or mixed
LEAVES = {"majority": "MC", "adaptive": "NBAdaptive"}  # the names of leaf predictions in MOA


class OptionRun(NamedTuple):
    """One run of MOA's option tree, and the parameters of ours."""

    stream: str
    leaf_prediction: str
    kind: str = "option tree"
    options: str = ""
    parameters: dict[str, Any] = {}  # noqa: RUF012, nothing changes it


#: MOA's limit holds for all options of the tree together, ours for the leaves of one example: without a
#: limit they are the same tree.
UNLIMITED = OptionRun("", "majority", options="-o 1000000", parameters={"max_options": 1000})
MANY = UNLIMITED._replace(options="-o 1000000 -w 0.9", parameters={"max_options": 1000, "option_delta": 0.9})
OPTION_RUNS = {
    "rbf, majority": OptionRun("rbf", "majority"),
    "agrawal-7, majority": OptionRun("agrawal-7", "majority"),
    "agrawal-7, majority, many options": MANY._replace(stream="agrawal-7"),
    "synthetic2, majority, many options": MANY._replace(stream="synthetic2"),
    "electricity, majority": OptionRun("electricity", "majority"),
    "electricity, majority, unlimited": UNLIMITED._replace(stream="electricity"),
    "electricity, adaptive": OptionRun("electricity", "adaptive"),
    "electricity, adaptive, corrected": OptionRun("electricity", "adaptive", "corrected option tree"),
    "rbf, adaptive": OptionRun("rbf", "adaptive"),
    "agrawal-7, adaptive": OptionRun("agrawal-7", "adaptive"),
    "rbf, adaptive, corrected": OptionRun("rbf", "adaptive", "corrected option tree"),
    "agrawal-7, adaptive, corrected": OptionRun("agrawal-7", "adaptive", "corrected option tree"),
}


def examples(name, n=N_EXAMPLES):
    """(X, y, number of values of each column, 0 for numeric ones, number of classes)."""
    if name == "electricity":
        data = load_dataset(name)
        values = [0 if known is None else len(known) for known in data.categories]
        return data.data, data.target, values, len(data.target_names)
    stream = STREAMS[name]
    X, y = stream[:n]
    return X, y, [0 if known is None else len(known) for known in stream.categories], len(stream.classes)


def two_columns(n):
    """Examples (X, y) of two binary columns, which both tell of the class: four cells in all."""
    first, second, chance = uniforms((3, n), "two columns")
    X = np.column_stack([first < 0.5, second < 0.5]).astype(float)
    share = np.array([[0.9, 0.6], [0.3, 0.1]])[X[:, 0].astype(int), X[:, 1].astype(int)]
    return X, (chance < share).astype(np.int64)


def moa_answers(name, leaf_prediction, n=N_EXAMPLES, kind="tree", options=""):
    """What MOA's tree answers on a stream, as `moa_on`."""
    return moa_on(*examples(name, n), leaf_prediction, kind, options)


def moa_on(X, y, sizes, n_classes, leaf_prediction, kind="tree", options=""):
    """(class predicted for each example, number of leaves, CPU seconds of the first and second half)."""
    if shutil.which("java") is None:
        raise Missing("java is not found: MOA is left out")
    with tempfile.TemporaryDirectory() as folder:
        table, answers = Path(folder) / "examples", Path(folder) / "answers"
        table.write_bytes(np.column_stack([X, y]).astype("<f8").tobytes())
        command = [
            *("java", "-XX:+UseSerialGC", "-cp", moa_jar(), Path(__file__).with_name("Hoeffding.java")),
            *(table, answers, ",".join(str(size) for size in [*sizes, n_classes])),
            *(kind, f"-l {LEAVES[leaf_prediction]} {options}"),
        ]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
        predicted = np.frombuffer(answers.read_bytes(), np.int8)
    leaves, *seconds = done.stdout.split()
    return predicted, int(leaves), [float(part) for part in seconds]


def packed(predicted):
    """Predictions as they are recorded: as bits if there are two classes."""
    return np.packbits(predicted.astype(bool)) if predicted.max() < 2 else predicted


def unpacked(recorded, n):
    """The recorded predictions of a stream of `n` examples."""
    return recorded if len(recorded) == n else np.unpackbits(recorded, count=n)


def record():
    """Write what MOA's trees answer."""
    recorded = {"made_with": CAPYMOA, "made_by": "python -m benchmarks.hoeffding"}
    for name in STREAMS:
        for leaf_prediction in LEAVES:
            predicted, n_leaves, seconds = moa_answers(name, leaf_prediction)
            recorded[f"{name}/{leaf_prediction}"] = packed(predicted)
            recorded[f"{name}/{leaf_prediction}/leaves"] = n_leaves
            print(f"{name}, {leaf_prediction}: {n_leaves} leaves, {seconds} s")
    np.savez_compressed(RECORD, **recorded)


def record_option_trees():
    """Write what MOA's option trees answer; the leaves include the nodes that keep statistics."""
    recorded = {"made_with": CAPYMOA, "made_by": "python -m benchmarks.hoeffding"}
    for name, run in OPTION_RUNS.items():
        predicted, n_leaves, seconds = moa_answers(
            run.stream, run.leaf_prediction, kind=run.kind, options=run.options
        )
        recorded[name], recorded[f"{name}/leaves"] = packed(predicted), n_leaves
        print(f"{name}: {n_leaves} leaves, {seconds} s")
    np.savez_compressed(OPTION_RECORD, **recorded)


def record_two_columns():
    """Write how many leaves MOA's tree has on two binary columns, with its tie threshold and without."""
    recorded = {"made_with": CAPYMOA, "made_by": "python -m benchmarks.hoeffding", "leaves": {}}
    for options in ("", "-t 0"):
        for n in (5_000, 20_000, 100_000, 300_000):
            predicted, n_leaves, _ = moa_on(*two_columns(n), [2, 2], 2, "majority", options=options)
            counted = {"leaves": n_leaves, "ones": int(predicted.sum())}
            recorded["leaves"].setdefault(options, {})[str(n)] = counted
            print(f"two columns, {n} examples, {options or 'default'}: {counted}")
    TWO_COLUMNS_RECORD.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
    record_option_trees()
    record_two_columns()
