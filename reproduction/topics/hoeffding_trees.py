"""How Hoeffding trees grow: on known streams, on noise, and where two tests are nearly equally good."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from oza.models import HoeffdingTreeClassifier
from oza.streams import LED, SEA, Chain

from ..record.simulation import simulation


def _grow(tree: HoeffdingTreeClassifier, stream: Any, n_examples: int) -> pd.DataFrame:
    """Give the accuracy in each of 20 pieces of a stream, and the number of leaves after it."""
    rows: list[tuple[int, float, int]] = []
    for X, y in stream.chunks(stop=n_examples, size=n_examples // 20):
        right = tree.prequential_predict(X, y, classes=stream.classes) == y
        rows.append(((len(rows) + 1) * len(y), right.mean(), tree.n_leaves_))
    return pd.DataFrame(rows, columns=["examples", "accuracy", "leaves"]).set_index("examples")


@simulation(small={"n_examples": 20_000})
def growth_by_leaves(n_examples: int = 1_000_000, seed: int = 1) -> pd.DataFrame:
    """Let trees whose leaves predict in three ways learn three streams, in 20 pieces.

    The frame has a row for each piece, with the number of examples so far, and columns (stream, prediction of
    the leaves, "accuracy" in the piece or "leaves" after it).
    """
    streams = {
        "Synthetic2": Chain("synthetic2", random_state=seed),
        "SEA": SEA(random_state=seed),
        "LED": LED(random_state=seed),
    }
    grown = {}
    for name, stream in streams.items():
        known = {"categories": stream.categories, "categorical_features": stream.categorical_features}
        for leaves in ("majority", "naive_bayes", "adaptive"):
            tree = HoeffdingTreeClassifier(leaf_prediction=leaves, **known)
            grown[name, leaves] = _grow(tree, stream, n_examples)
    return pd.concat(grown, axis="columns").sort_index(axis="columns")


@simulation(small={"n_examples": 20_000})
def growth_on_noise(
    n_examples: int = 2_000_000, limits: Sequence[int] = (10, 100), seed: int = 1
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Let trees with several settings learn SEA with a noise of one half, and SEA.

    The first frame has the leaves on the noise by number of examples, a column for each setting. The second
    has for each setting numbers of leaves and bytes at the end, and the accuracy on SEA.
    """
    settings: dict[str, dict[str, Any]] = {"default": {}, "tie_threshold=0": {"tie_threshold": 0.0}}
    settings |= {f"max_leaves={limit}": {"max_leaves": limit} for limit in limits}
    leaves, ends = {}, {}
    for name, given in settings.items():
        tree = HoeffdingTreeClassifier(**given)
        leaves[name] = _grow(tree, SEA(noise=0.5, random_state=seed), n_examples)["leaves"]
        right = _grow(HoeffdingTreeClassifier(**given), SEA(random_state=seed), n_examples)["accuracy"]
        ends[name] = tree.n_leaves_, tree.n_leaves_ - tree.n_frozen_, tree.memory_bytes_, right.mean()
    columns = ["leaves on noise", "leaves that learn", "bytes", "accuracy on SEA"]
    return pd.DataFrame(leaves), pd.DataFrame.from_dict(ends, "index", columns=columns)


@simulation(small={"n_trees": 20})
def first_tests(
    better: Sequence[float] = (0.51, 0.52, 0.55),
    rare: float = 0.1,
    n_trees: int = 1000,
    seed: int = 1,
    delta: float = 1e-7,
) -> pd.DataFrame:
    """Let trees learn 3,200 examples whose rare class two attributes find together.

    The first finds the share `better` of them, the second the others. The frame has for each share and tree
    which of them, 0 or 1, the tree tests first; -1 is none.
    """
    draws = np.random.default_rng(seed)
    tree = HoeffdingTreeClassifier(delta=delta, tie_threshold=0.0, categories=[[0, 1], [0, 1]])

    def first_test(share: float) -> int:
        is_rare, found_by_first = draws.random(3200) < rare, draws.random(3200) < share
        found = np.column_stack([is_rare & found_by_first, is_rare & ~found_by_first]).astype(int)
        return int(tree.fit(found, is_rare).tree_.feature[0])

    return pd.DataFrame({share: [first_test(share) for _ in range(n_trees)] for share in better})
