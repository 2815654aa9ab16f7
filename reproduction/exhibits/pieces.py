"""The data of the pieces to play with: what their scripts show, from the library and recorded results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from oza.ensembles.steps.bagging import OnlineBagging, draw_copies, draw_samples
from oza.kernels.random import row_key

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


#: Function that computes the data of each piece, which must be writable as JSON.
PIECES: dict[str, Callable[[], Any]] = {
    "poisson": _poisson,
}
