"""The data of the pieces to play with: what their scripts show, from the library and recorded results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from oza import OnlineBoostingClassifier
from oza.classifier.validation import check_key
from oza.datasets import load_dataset
from oza.ensembles.steps.bagging import OnlineBagging, draw_copies, draw_samples
from oza.kernels.random import poisson, row_key

from ..probes.online_boosting import compare_weights, shuffled

__all__ = ["PIECES"]


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


#: Function that computes the data of each piece, which must be writable as JSON.
PIECES: dict[str, Callable[[], Any]] = {
    "poisson": _poisson,
    "boosting": _boosting,
}
