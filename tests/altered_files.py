"""Model files that were altered, to be opened in a process of their own.

`python -m tests.altered_files FIRST LAST` opens the files of these numbers.
A process says of each file what became of it, so that one who waits for it sees at which it crashes or hangs.
"""

import io
import json
import subprocess
import sys
import tempfile
import threading
import warnings
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

import oza
from oza import model_files
from oza.classifier.base import KernelClassifier
from oza.drift import ADWIN
from tests.estimators import one_of_each

TOP = Path(__file__).parent.parent
REFUSED, LEARNED = "refused", "learned"
PATIENCE = 60.0  # seconds for one file, which others may slow down


def frame():
    """Rows of a nominal, a numeric and a boolean column, and their classes."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], 300),
            "size": rng.normal(size=300).round(1),
            "flag": rng.random(300) < 0.5,
        }
    )
    return X, np.where((X["colour"] == "red") & (X["size"] > 0), "yes", "no")


def numbers():
    X, y = frame()
    return X[["size"]].to_numpy(), y


def bits():
    bits = np.random.default_rng(0).integers(0, 2, (60, 4))
    return bits, bits[:, 0]


FEW = {"n_estimators": 3, "random_state": 0}
SPLITTING = {"grace_period": 10, "delta": 0.2, "tie_threshold": 0.5}
#: Learners of every kind, and settings with states of their own.
LEARNERS = {
    **one_of_each(KernelClassifier, block_size=40, chunk_size=50, n_prime=30, oob_score=True, **FEW),
    "Hoeffding tree": oza.HoeffdingTreeClassifier(**SPLITTING),
    "Hoeffding tree, bounded": oza.HoeffdingTreeClassifier(max_leaves=4, **SPLITTING),
    "option tree": oza.HoeffdingOptionTreeClassifier(**SPLITTING),
    "bagged trees": oza.OnlineBaggingClassifier(oza.HoeffdingTreeClassifier(**SPLITTING), **FEW),
    "bagged decision trees": oza.OnlineBaggingClassifier(oza.DecisionTreeClassifier(), **FEW),
    "bagged stumps": oza.OnlineBaggingClassifier(oza.DecisionStumpClassifier(), **FEW),
    "boosted networks": oza.OnlineBoostingClassifier(oza.NeuralNetworkClassifier(), **FEW),
    "output codes": oza.LeveragingBaggingClassifier(output_codes=True, **FEW),
    "third party": oza.OnlineBaggingClassifier(GaussianNB(), **FEW),
    "active": oza.ActiveLearner(oza.BaggingClassifier(**FEW)),
    "majority": oza.WeightedMajority(),
    "winnow": oza.Winnow(),
    "predictor": oza.UniversalLinearPredictor(3, amplitude=2.0),
    "detector": ADWIN(),
}


def stream_of(name):
    """What the learner of this name learns from."""
    if name in ("third party", "active"):
        return numbers()
    if name in ("majority", "winnow"):
        return bits()
    if name == "predictor":
        return (np.sin(np.arange(60.0)),)
    return (np.arange(700) % 9 > 4,) if name == "detector" else frame()


def rows_of(stream, rows):
    return [part.iloc[rows] if hasattr(part, "iloc") else part[rows] for part in stream]


def learn(model, stream):
    """Let a model learn some rows, if it can go on."""
    if isinstance(model, ADWIN):
        model.update(*stream)
    elif not hasattr(model, "partial_fit") or hasattr(model, "teach"):
        model.fit(*stream)
    elif hasattr(model, "prequential_predict"):
        model.partial_fit(*stream, classes=None if len(model.__dict__.get("classes_", ())) else ["no", "yes"])
    else:
        model.partial_fit(*stream)


def use(model, stream):
    """Let a model predict, and go on, in every way there is."""
    for name in ("predict", "predict_proba", "predict_each"):
        if hasattr(model, name):
            getattr(model, name)(stream[0])
    for name in ("estimators_", "vote_weights_", "n_bounded_draws_", "tree_", "drift_history_", "weights_"):
        getattr(model, name, None)
    if hasattr(model, "partial_fit") or isinstance(model, ADWIN):
        learn(model, stream)
    for name in ("predict_next", "mean_", "coefficients_"):
        found = getattr(model, name, None)
        if callable(found):
            found()


def bytes_of(model):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        oza.save(model, path)
        return path.read_bytes()


@cache
def original(name):
    """The file of a learner that has learned the first two thirds of its stream."""
    model, stream = clone(LEARNERS[name]), stream_of(name)
    learn(model, rows_of(stream, slice(2 * len(stream[0]) // 3)))
    return bytes_of(model)


# How files are altered


def with_members(members):
    """A file with these members and a digest that fits."""
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for name, part in members.items():
            if name != "oza.json":
                archive.writestr(name, part)
        about = json.loads(members["oza.json"]) | {"sha256": model_files._digest(archive)}
        archive.writestr("oza.json", json.dumps(about))
    return content.getvalue()


def altered_numbers(rng, array):
    """The array with other entries."""
    if array.dtype.names:
        array = array.copy()
        name = str(rng.choice(array.dtype.names))
        array[name] = altered_numbers(rng, np.ascontiguousarray(array[name]))
        return array
    array = np.array(array)
    flat = array.reshape(-1)
    if len(flat) == 0 or array.dtype.kind not in "iufb":
        return array
    n = 1 if rng.random() < 0.6 else len(flat)
    places = rng.integers(0, len(flat), n)
    if array.dtype.kind == "b":
        flat.view(np.uint8)[places] = rng.integers(0, 256, n)
    elif array.dtype.kind == "f":
        wrong = [np.nan, np.inf, -np.inf, -1.0, 1e300, -1e300, 1e-320, 2.0**40, 0.5]
        flat[places] = rng.choice(wrong, n)
    else:
        limits = np.iinfo(array.dtype)
        wrong = [-1, -2, -3, 0, 1, 2, 3, 7, 8, 50, 1000, 2**20, len(flat) - 1, len(flat)]
        wrong += [limits.max, limits.min]
        chosen = [wrong[i] for i in rng.integers(0, len(wrong), n)]
        flat[places] = np.array([min(max(each, limits.min), limits.max) for each in chosen], array.dtype)
    return array


def altered_array(rng, content):
    """A member with an array, altered."""
    array = np.load(io.BytesIO(content))
    how = rng.integers(0, 10)
    if how < 6:
        array = altered_numbers(rng, array)
    elif how == 6 and array.size:
        array = np.frombuffer(rng.bytes(array.nbytes), array.dtype).reshape(array.shape)
    elif how == 7:
        array = array[: len(array) // 2] if array.ndim and rng.random() < 0.5 else np.stack([array, array])
    elif how == 8 and not array.dtype.names and array.dtype.kind in "iufb":
        array = array.astype(rng.choice(["<f4", ">f8", "<i4", "<i8", "<u8", "|b1"]))
    elif array.ndim and rng.random() < 0.5:
        array = np.resize(array, tuple(rng.integers(0, 5, array.ndim)))
    else:
        array = np.asfortranarray(array[::-1] if array.ndim else array)
    altered = io.BytesIO()
    np.save(altered, array)
    return altered.getvalue()


def nodes_in(tree):
    """Every object in the description of a model."""
    if isinstance(tree, dict):
        yield tree
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from nodes_in(part)


def altered_description(rng, content):
    """The description of the objects with one of them altered."""
    tree = json.loads(content)
    nodes = list(nodes_in(tree))
    arrays = [node for node in nodes if "file" in node]
    values = [node for node in nodes if node.get("__loader__") == "JsonNode"]
    records = [node for node in nodes if isinstance(node.get("content"), list | dict) and node["content"]]
    how = rng.integers(0, 5)
    if how == 0 and arrays:
        rng.choice(arrays)["file"] = rng.choice(arrays)["file"]
    elif how == 1 and values:
        wrong = [
            "-1",
            "0",
            "5",
            "1e300",
            "NaN",
            "null",
            "true",
            '"x"',
            "9223372036854775807",
            "[]",
            "1000000",
        ]
        rng.choice(values)["content"] = str(rng.choice(wrong))
    elif how == 2:
        node, other = (rng.choice([each for each in nodes if "__class__" in each]) for _ in "12")
        node["__class__"], node["__module__"] = other["__class__"], other["__module__"]
    elif how == 3 and records:
        content = rng.choice(records)["content"]
        del content[rng.choice([*content]) if isinstance(content, dict) else rng.integers(0, len(content))]
    else:
        node, other = rng.choice(nodes), dict(rng.choice(nodes))
        node.clear()
        node.update(json.loads(json.dumps(other)))
    return json.dumps(tree).encode()


def altered(number):
    """(name of its learner, altered file), the same for each number."""
    rng = np.random.default_rng([7, number])
    name = [*LEARNERS][number % len(LEARNERS)]
    content = original(name)
    how = rng.random()
    if how < 0.03:
        return name, content[: rng.integers(0, len(content))]
    if how < 0.08:
        flipped = np.frombuffer(content, np.uint8).copy()
        flipped[rng.integers(0, len(flipped), rng.integers(1, 20))] ^= np.uint8(rng.integers(1, 256))
        return name, flipped.tobytes()
    with ZipFile(io.BytesIO(content)) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    arrays = sorted((each for each in members if each.endswith(".npy")), key=lambda each: members[each])
    if how < 0.3 or not arrays:
        members["schema.json"] = altered_description(rng, members["schema.json"])
    else:
        kinds = {each: np.load(io.BytesIO(members[each])).dtype.kind for each in arrays}
        of_indices = [each for each in arrays if kinds[each] in "iuVb"]
        chosen = str(rng.choice(of_indices if of_indices and rng.random() < 0.6 else arrays))
        members[chosen] = altered_array(rng, members[chosen])
    return name, with_members(members)


# What becomes of them


def outcome(number):
    """What becomes of an altered file: `REFUSED`, `LEARNED`, or the error after it was loaded."""
    name, content = altered(number)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        path.write_bytes(content)
        try:
            model = oza.load(path)
        except ValueError as error:
            is_ours = str(error).startswith("model.skops ")
            return REFUSED if is_ours else f"{name}: load raised {error!r}"
    stream = stream_of(name)
    try:
        use(model, rows_of(stream, slice(2 * len(stream[0]) // 3, None)))
    except Exception as error:
        return f"{name}: {error!r}"
    return LEARNED


def outcomes(first, last, *options):
    """The outcome of each of these files, from processes that may crash or hang, by number."""
    found = {}
    while first < last:
        command = [sys.executable, "-m", "tests.altered_files", str(first), str(last), *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        process = subprocess.Popen(command, cwd=TOP, **pipes)
        hangs = threading.Event()

        def stop(process=process, hangs=hangs):
            hangs.set()
            process.kill()

        timer = threading.Timer(3 * PATIENCE, stop)  # it has to begin, too
        timer.start()
        for line in process.stdout:
            timer.cancel()
            timer = threading.Timer(PATIENCE, stop)
            timer.start()
            number, said = line.rstrip("\n").split(" ", 1)
            found[int(number)] = said
            first = int(number) + 1
        timer.cancel()
        process.stdout.close()
        if process.wait() != 0 and first < last:
            found[first] = "hangs" if hangs.is_set() else f"crashes: {process.returncode}"
            first += 1
    return found


def main(first, last, *options):
    if "--unchecked" in options:
        model_files._checked = lambda estimator, state: state
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for number in range(int(first), int(last)):
        print(number, str(outcome(number))[:300].replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
