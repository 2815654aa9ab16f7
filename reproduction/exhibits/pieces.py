"""The data of the pieces to play with: what their scripts show, from the library and recorded results."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from oza import OnlineBoostingClassifier
from oza.classifier.validation import check_key
from oza.datasets import load_dataset
from oza.ensembles.steps.bagging import OnlineBagging, draw_copies, draw_samples
from oza.evaluation.significance import ROUNDING
from oza.kernels.draws import uniforms
from oza.kernels.random import poisson, row_key

from ..probes.online_boosting import compare_weights, shuffled
from ..studies.statistics import MARGIN, PRINTED_ROUNDING
from ..tables import Record, joined_cells
from ..tables.layout import PRINTED_ACCURACIES, heading
from ..tables.printed import label
from .scorecard import JUDGED

__all__ = ["PIECES"]

_BASES = {
    "3.3": "trees",
    "3.4": "Naive Bayes",
    "3.5": "stumps",
    "3.6": "networks",
    "3.7": "networks, ten updates",
}
_SHORT = {
    "single": "S",
    "bagging": "B",
    "online_bagging": "O",
    "online_bagging_10": "O",
    "online_single": "o",
    "online_single_10": "o",
}


def _poisson() -> dict[str, Any]:
    """Numbers of training examples, and copies of ten examples dealt to three models, for many keys."""
    n_models, n_examples = 3, 10
    deals = []
    for key in range(60):
        samples = draw_samples(n_models, n_examples, key)
        batch = [np.bincount(sample, minlength=n_examples).tolist() for sample in samples]
        bagging = OnlineBagging(None, np.empty(n_models), np.empty(n_models, np.int32))
        rows = []
        for n in range(n_examples):
            draw_copies(bagging, 1.0, row_key(key, n))
            rows.append(bagging.copies.astype(int).tolist())
        deals.append({"batch": batch, "online": np.transpose(rows).tolist()})
    sizes = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000]
    return {"sizes": sizes, "deals": deals}


def _boosting() -> dict[str, Any]:
    """The passage of examples through four models of online boosting, tested after or before learning."""
    n_models, n_examples, seed = 4, 60, 1
    stream = shuffled("car-evaluation", seed)
    X, y = stream.X[:n_examples], stream.y[:n_examples]
    compared = compare_weights(stream, n_examples, n_models, seed)
    names = load_dataset("car-evaluation").target_names
    right, copies = {}, {}
    for tested in ("after", "before"):
        model = OnlineBoostingClassifier(n_estimators=n_models, tested=tested, random_state=seed)
        passage = model.trace(X, y, np.unique(stream.y))
        right[tested] = passage.is_right.astype(int).tolist()
        copies[tested] = [
            [int(poisson(mean, row_key(check_key(seed), n), m)) for m, mean in enumerate(means)]
            for n, means in enumerate(passage.lam)
        ]
    return {
        "labels": [names[code] for code in y],
        "right": right,
        "copies": copies,
        "batch": compared.weights[:n_models].T.tolist(),
    }


def _tolerance() -> dict[str, Any]:
    """Every printed accuracy that is judged, with ours and half its interval, and the rule's roundings."""
    record, rows = Record("thesis"), []
    cells = joined_cells({table: record.accuracy(table) for table in PRINTED_ACCURACIES})
    for cell in cells[cells["verdict"].isin(JUDGED)].reset_index().to_dict("records"):
        half_width = None if math.isnan(cell["half_width"]) else cell["half_width"]
        names = (cell["table"], label(cell["dataset"]), cell["algorithm"])
        rows.append((*names, cell["mean"], half_width, cell["printed"]))
    return {
        "margin": MARGIN,
        "rounding": ROUNDING,
        "printed_rounding": PRINTED_ROUNDING,
        "tables": {table: _BASES[table] for table in PRINTED_ACCURACIES},
        "algorithms": {name: heading(name) for name in dict.fromkeys(row[2] for row in rows)},
        "short": _SHORT,
        "cells": rows,
    }


def _votes() -> dict[str, Any]:
    """Uniform numbers for a hundred examples and up to 31 models, as a simulation of votes draws them."""
    n_examples, n_models = 100, 31
    return {
        "hard": uniforms(n_examples, "difficulty", "piece").round(4).tolist(),
        "own": uniforms((n_examples, n_models), "own error", "piece").round(4).tolist(),
        "shared": uniforms((n_examples, n_models), "shared", "piece").round(4).tolist(),
    }


#: Function that computes the data of each piece, which must be writable as JSON.
PIECES: dict[str, Callable[[], Any]] = {
    "poisson": _poisson,
    "boosting": _boosting,
    "tolerance": _tolerance,
    "votes": _votes,
}
