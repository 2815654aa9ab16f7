"""How many blocks boosting in blocks needs to reach an error, by the size of the blocks."""

import numpy as np
import pandas as pd

from oza.ensembles import BlockedBoostingClassifier
from oza.models import DecisionTreeClassifier
from oza.streams import Chain

from ..exact import log, slope
from ..record.study import cells, study

#: Numbers of the streams by which the claim is judged.
JUDGED = range(20, 30)

#: Target errors: what they exceed the Bayes error by, as a share of what a guess does; those that are judged.
#: On the first 20 streams 10 % was hardly ever reached on Synthetic1, so that it could not show a difference.
SHARES, JUDGED_SHARES = (0.1, 0.15, 0.2), (0.15, 0.2)

#: Breiman's set is not named. On Synthetic3 errors are so rare that a block takes ten times as many examples.
_DATASETS = ("synthetic1", "synthetic2")

_N_TEST = 20_000


@study(
    "blocks",
    "Errors of boosting in blocks of 100 to 800 examples, by the number of blocks",
    {"blocks": int, "error": float},
    smoke=lambda: cells(dataset="synthetic2", block_size=20, n_blocks=3, n_examples=1000, stream=0),
    thesis=lambda: cells(
        dataset=_DATASETS,
        block_size=(100, 200, 400, 800),  # as in Breiman's experiment
        n_blocks=50,
        n_examples=400_000,
        stream=range(30),
    ),
    quick=lambda task: task.stream == 0,
    exhibits=("Fig 2.9",),
    cost=lambda task: task.block_size / 100,
)
def blocks(
    dataset: str, block_size: int, n_blocks: int, n_examples: int, stream: int
) -> list[tuple[int, float]]:
    """Error of the vote on fresh examples after each block that the stream has filled."""
    X, y = Chain(dataset, random_state=stream)[: n_examples + _N_TEST]
    ensemble = BlockedBoostingClassifier(
        DecisionTreeClassifier(),
        n_estimators=n_blocks,
        block_size=block_size,
        categories=[np.arange(2)] * X.shape[1],
        random_state=stream,
    ).fit(X[:n_examples], y[:n_examples])
    votes = ensemble.staged_predict(X[n_examples:])
    return [(i, float((labels != y[n_examples:]).mean())) for i, labels in enumerate(votes, start=1)]


def blocks_to_target(rows: pd.DataFrame, share: float) -> pd.DataFrame:
    """Count the blocks until the error first is at most a target.

    The target is `share` of the way from the Bayes error to one half. A row for each dataset and stream, a
    column for each block size; NaN where no number of blocks that was tried is enough.
    """
    best = rows["dataset"].map({name: 1 - Chain(name).bayes_accuracy for name in rows["dataset"].unique()})
    reached = rows[rows["error"] <= best + share * (0.5 - best)]
    first = reached.groupby(["dataset", "stream", "block_size"])["blocks"].min()
    every = pd.MultiIndex.from_frame(rows[["dataset", "stream", "block_size"]].drop_duplicates())
    return first.reindex(every).unstack("block_size").sort_index(axis="columns")


def slopes(rows: pd.DataFrame, share: float) -> pd.Series:
    """Fit a line to the logarithms of the blocks to a target, against those of the block size.

    A target that is never reached counts as one block more than there are.

    The slope says how much the logarithm to base 2 of the number of blocks changes when the blocks are twice
    as large: −1 for half as many, so that the number of examples stays the same.
    """
    needed = blocks_to_target(rows, share)
    logarithms = log(needed.fillna(rows["n_blocks"].max() + 1).to_numpy(float))
    return pd.Series(slope(log(needed.columns.to_numpy(float)), logarithms), needed.index)
