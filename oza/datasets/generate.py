"""Generated data: two decision models, one law of physics and three random chains.

Balance Scale, Car Evaluation and Nursery list every combination of their attributes' values, so
that a rule for the class determines them.  Their text is generated as the archive has it, byte for
byte, and is then read like any other file.
"""

import csv
import json
from itertools import product

import numpy as np

from ..kernels.compile import kernel
from ..kernels.random import draw_in_row, key_of, row_key, uniform
from .catalogue import CATALOGUE, DatasetInfo


def generated_text(info: DatasetInfo) -> bytes:
    """Generate the text of the archive's file."""
    return _torque(info) if info.generator == "torque" else _decision_tables(info)


def _torque(info: DatasetInfo) -> bytes:
    """Balance Scale: the beam tips to the side of the greater weight times distance."""
    tips_left, balances, tips_right = info.classes
    lines = []
    for left, left_distance, right, right_distance in product(range(1, 6), repeat=4):
        torque = left * left_distance - right * right_distance
        tip = tips_left if torque > 0 else tips_right if torque < 0 else balances
        lines.append(f"{tip},{left},{left_distance},{right},{right_distance}\n")
    return "".join(lines).encode()


def _decision_tables(info: DatasetInfo) -> bytes:
    """Car Evaluation and Nursery: evaluate the tables for all combinations, first attribute slowest."""
    models = json.loads((CATALOGUE / "dex_tables.json").read_text(encoding="utf-8"))["datasets"].values()
    model = next(model for model in models if model["file"]["path"] == info.files[0].path)
    attributes, classes = model["attributes"], np.array(model["classes"])
    shape = [len(attribute["values"]) for attribute in attributes]
    numbers = np.indices(shape).reshape(len(shape), -1)
    levels = {attribute["name"]: number for attribute, number in zip(attributes, numbers, strict=True)}
    for node in model["nodes"]:
        inputs = [levels[name] for name in node["inputs"]]
        place = np.ravel_multi_index(inputs, node["input_cardinalities"])
        levels[node["name"]] = np.array(node["table"])[place]
    fields = [np.array(each["values"])[number] for each, number in zip(attributes, numbers, strict=True)]
    fields.append(classes[levels[model["nodes"][-1]["name"]]])
    rows = [",".join(row) + "\n" for row in zip(*fields, strict=True)]
    return ("".join(rows) + model["file"]["trailer"]).encode()


def chain_parameters(thesis_name: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Probabilities of Table 3.2 for one of the Synthetic sets.

    Returns
    -------
    prior : float
        P(C = 0).
    first : array of shape (2,)
        P(A_20 = 0 | C = c) at [c].
    step : array of shape (2, 2)
        P(A_a = 0 | C = c, A_(a+1) = v) at [c, v], the same for every a.
    """
    prior, first, step = np.nan, np.full(2, np.nan), np.full((2, 2), np.nan)
    with (CATALOGUE / "synthetic.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["kind"] != "given" or row["dataset"] not in ("all", thesis_name):
                continue
            given = dict(term.split("=") for term in row["condition"].split("; ") if "=" in term)
            match row["parameter"]:
                case "P(C=c)":
                    prior = float(row["value"])
                case "P(A_20=0|C)":
                    first[int(given["C"])] = float(row["value"])
                case "P(A_a=0|A_{a+1},C)":
                    step[int(given["C"]), int(given["A_{a+1}"])] = float(row["value"])
    return prior, first, step


def drawn_chain(info: DatasetInfo, random_state: int) -> tuple[np.ndarray, np.ndarray]:
    """Examples (n, A) and classes (n,) of a Synthetic set, as codes."""
    key = np.uint64(key_of("synthetic", info.name, random_state))
    rows = np.arange(info.rows("all"))
    values, classes = np.empty((len(rows), len(info.attributes)), np.int16), np.empty(len(rows), np.int16)
    draw_chain(key, rows, *chain_parameters(info.thesis_name), values, classes)
    return values, classes


@kernel
def draw_chain(key, rows, prior, first, step, values, classes):
    """Draw the class of each example, then its attributes from the last down to the first."""
    n_attributes = values.shape[1]
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        c = 0 if uniform(draw_in_row(row, 0)) < prior else 1
        classes[i] = c
        for a in range(n_attributes - 1, -1, -1):
            zero = first[c] if a == n_attributes - 1 else step[c, values[i, a + 1]]
            values[i, a] = 0 if uniform(draw_in_row(row, a + 1)) < zero else 1
