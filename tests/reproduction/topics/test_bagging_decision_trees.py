"""Claims about bagged decision trees: what would support and what would refute them."""

import pandas as pd

from tests.reproduction.claims.contrasts import EIGHT, accuracies, apart, better_on


def asked_trees(*factors, naive_bayes=1e6):
    """Benchmarks of a tree on data sets a, b, c: so many times as long as in batch; of Naive Bayes."""
    trees = [
        ("one lossless online tree", "abc"[i], 3e5 / f, "oza, batch", 3e5) for i, f in enumerate(factors)
    ]
    rows = [*trees, ("one Naive Bayes", "d", naive_bayes, "", float("nan"))]
    cells = pd.DataFrame(rows, columns=["work", "dataset", "rate", "peer", "peer_rate"])
    return cells.assign(task="prequential")


SEVEN = [name for name in EIGHT if name != "mushroom"]

SIZES = {"a": 100, "b": 1000, "c": 10000}

EVIDENCE = {
    "C067": (
        (accuracies(EIGHT, better_on(*SEVEN)),),
        (accuracies(EIGHT, better_on(*SEVEN[1:])),),
        (
            accuracies(
                EIGHT,
                better_on(*SEVEN)
                | {("nursery", "bagging"): "unknown", ("nursery", "online_bagging"): "unknown"},
            ),
        ),
    ),
    "C069": ((asked_trees(2, 9, 12), SIZES), (asked_trees(12, 9, 11), SIZES)),
}

COUNTER = {"C066": apart, "C068": lambda results: results.assign(n_correct=results["n_test"])}
