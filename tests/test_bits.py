"""Every class predicts the bits on record, and has those in its model file: on any processor and Python.

`make portability` runs this as on other processors. If an algorithm is meant to change, record its new bits:
`python -m tests.test_bits`.
"""

import hashlib
import io
import json
import warnings
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from sklearn.base import clone

from tests.altered_files import LEARNERS, bytes_of, learn, rows_of, stream_of

RECORD = Path(__file__).with_name("bits.json")
OURS = [name for name in LEARNERS if name != "third party"]  # scikit-learn's may have others
#: What a model file says of its making.
PASSING = {"__id__", "_skops_version", "protocol"}


def numbers():
    """Rows of numbers, some of them missing, without a function that a processor may round otherwise."""
    draws = np.random.default_rng(3).integers(-999, 1000, (600, 4))
    return np.where(draws % 11 == 0, np.nan, draws / 7), np.where(draws[:, 0] * draws[:, 1] > 0, "yes", "no")


def streams_of(name):
    own = stream_of(name)
    return {"own": own} | ({"numbers": numbers()} if hasattr(own[0], "columns") else {})


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def contents(node, archive):
    """What a model file holds, without the numbers by which its parts refer to each other."""
    if isinstance(node, dict):
        kept = {key: contents(value, archive) for key, value in node.items() if key not in PASSING}
        return kept | ({"file": digest(archive.read(node["file"]))} if "file" in node else {})
    return [contents(each, archive) for each in node] if isinstance(node, list) else node


def bits(name):
    """Digests of the predictions and of the model file, after each of the streams."""
    found = {}
    for kind, stream in streams_of(name).items():
        model, half = clone(LEARNERS[name]), len(stream[0]) // 2
        learn(model, rows_of(stream, slice(half)))
        learn(model, rows_of(stream, slice(half, None)))
        with ZipFile(io.BytesIO(bytes_of(model))) as archive:
            file = json.dumps(contents(json.loads(archive.read("schema.json")), archive)).encode()
        ask = next((getattr(model, ask) for ask in ("predict_proba", "predict") if hasattr(model, ask)), None)
        predicted = [] if ask is None else [np.ascontiguousarray(ask(stream[0])).tobytes()]
        found[kind] = {"predictions": digest(*predicted), "file": digest(file)}
    return found


@pytest.mark.filterwarnings("ignore:.*such weights are bounded:RuntimeWarning")
@pytest.mark.parametrize("name", OURS)
def test_it_has_the_bits_on_record(name):
    assert bits(name) == json.loads(RECORD.read_text("utf-8"))[name]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    RECORD.write_text(json.dumps({name: bits(name) for name in OURS}, indent=1) + "\n", "utf-8")
