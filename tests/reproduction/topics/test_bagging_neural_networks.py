"""Claims about bagged networks: what would support and what would refute them."""

import numpy as np

from oza.evaluation.significance import Compared
from tests.reproduction.claims.contrasts import BETTER, UNKNOWN, WORSE, accuracies, slower_online


def networks(ten="", **means):
    """Twelve data sets of networks, from small to large: accuracies by algorithm, a value for each three."""
    algorithms = ["single", "bagging", f"online_single{ten}", f"online_bagging{ten}"]
    means = {
        (name if name in algorithms else name + ten): np.repeat(np.broadcast_to(values, 4), 3)
        for name, values in means.items()
    }
    cells = accuracies(names=12, means=means, algorithms=algorithms)
    for kind in ("single", "bagging"):
        batch, online = (cells["mean"].xs(name, level=1) for name in (kind, f"online_{kind}{ten}"))
        losses = batch - online
        marks = ["better" if loss > 0.002 else "worse" if loss < -0.002 else "none" for loss in losses]
        chances = [1e-6 if mark != "none" else 0.5 for mark in marks]
        found = Compared(losses, 0.002, chances, marks, marks, marks)
        for field, values in found._asdict().items():
            cells.loc[(slice(None), kind), f"other_{field}"] = np.asarray(values)
    return cells


LOST = [0.7, 0.75, 0.88, 0.89]  # more on the smaller data sets

MIRRORED = LOST[::-1]

EVIDENCE = {
    "C010": ((networks(online_bagging=LOST),), (networks(online_bagging=MIRRORED),)),
    "C032": ((BETTER,), (WORSE,), (UNKNOWN,)),
    "C075": ((networks(online_bagging=LOST),), (networks(online_bagging=MIRRORED),)),
    "C076": [
        (networks(bagging=batch, online_single=0.8, online_bagging=0.82),)
        for batch in (0.95, 0.91, [0.95, 0.95, 0.91, 0.91])
    ],
    "C077": (
        (accuracies(4, "better", algorithms=["online_single_10", "online_bagging_10"]),),
        (accuracies(4, algorithms=["online_single_10", "online_bagging_10"]),),
        (accuracies(),),
    ),
    "C078": (
        (
            networks(online_single=0.8, online_bagging=0.8),
            networks("_10", online_single=0.85, online_bagging=0.85),
        ),
        (
            networks(online_single=0.8, online_bagging=0.8),
            networks("_10", online_single=0.75, online_bagging=0.85),
        ),
    ),
    "C079": (
        (networks(online_single=LOST), networks("_10")),
        (networks(online_single=LOST), networks("_10", online_bagging=[0.9, 0.9, 0.8, 0.8])),
    ),
}

COUNTER = {
    "C074": lambda cells: cells.assign(other_difference=-cells["other_difference"]),
    "C081": slower_online,
    "C082": slower_online,
    "C083": lambda passes: passes | {"bagging": 100.0},
}
