"""What earlier online ensembles do, on data small enough to look inside (thesis section 2.4)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from oza import BlockedBoostingClassifier, DecisionTreeClassifier, FixedFractionBaggingClassifier
from oza.datasets import load_dataset
from oza.kernels.draws import uniforms
from oza.streams import Chain

from ..claims.criteria import above, above_zero, all_above_zero, every
from ..claims.registry import Decision, claim, require
from ..columns import nominal_columns
from ..exact import log, slope
from ..printed.record import Record
from ..record.simulation import simulation
from ..record.study import cells, study
from ..statistics import mean_against_zero
from ..theory.memory import arcing_error

_STREAMS = ("car-evaluation", "nursery", "synthetic2", "synthetic3")
_Examples = tuple[np.ndarray, np.ndarray]


def shuffled(dataset: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Bring the examples of a data set into random order."""
    X, y = load_dataset(dataset, return_X_y=True)
    order = uniforms(len(y), "order", dataset, seed).argsort(kind="stable")
    return X[order], y[order]


@simulation(small={"streams": ["car-evaluation"], "n_blocks": 3})
def exact_hard_shares(streams: Sequence[str] = _STREAMS, n_blocks: int = 25, seed: int = 1) -> pd.DataFrame:
    """Fill blocks by the acceptance rule with the exact error of the vote; data sets are the populations.

    There are `n_blocks` of each stream; fewer if the vote becomes perfect, or worse than one half. The frame
    has columns stream and share, that of the examples that the vote of the earlier models gets wrong; a row
    for each block but the first.
    """
    rows = [(name, share) for name in streams for share in _exact_blocks(name, n_blocks, seed)]
    return pd.DataFrame(rows, columns=["stream", "share"])


def _exact_blocks(name: str, n_blocks: int, seed: int, size: int = 100) -> Iterator[float]:
    X, y = (part[:10_000] for part in shuffled(name, seed))
    classes, codes = np.unique(y, return_inverse=True)
    votes = np.zeros((len(y), len(classes)))
    tree, block = DecisionTreeClassifier(categorical_features=nominal_columns(X)), np.arange(size)
    for m in range(n_blocks):
        votes += tree.fit(X[block], y[block]).predict(X)[:, None] == classes
        wrong = votes.argmax(axis=1) != codes
        e = wrong.mean()
        if not 0 < e <= 1 / 2:
            return
        met = (uniforms(int(size / e), "met", name, seed, m) * len(y)).astype(int)  # about twice enough
        chance = np.where(wrong[met], 1, e / (1 - e))
        block = met[uniforms(len(met), "kept", name, seed, m) < chance][:size]
        yield int(wrong[block].sum()) / size


def _boosted_blocks(n_blocks: int, seed: int, **options: Any) -> BlockedBoostingClassifier:
    tree = DecisionTreeClassifier()
    return BlockedBoostingClassifier(tree, n_estimators=n_blocks, random_state=seed, **options)


@simulation(small={"streams": ["car-evaluation"]})
def hard_shares(streams: Sequence[str] = _STREAMS, seed: int = 1) -> pd.DataFrame:
    """Give the same shares for the blocks of the library's algorithm, which estimates the error."""
    rows = []
    for name in streams:
        X, y = shuffled(name, seed)
        ensemble = _boosted_blocks(100, seed, categorical_features=nominal_columns(X)).fit(X, y)
        rows += [(name, share) for share in ensemble.hard_shares_[1:]]
    return pd.DataFrame(rows, columns=["stream", "share"])


@simulation(small={"block_sizes": (20, 40), "n_blocks": 3, "n_examples": 3000, "n_repeats": 2})
def block_errors(
    block_sizes: Sequence[int] = (100, 200, 400, 800),
    n_blocks: int = 25,
    n_examples: int = 80_000,
    n_repeats: int = 6,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure how the error of boosting in blocks falls, on several streams of Synthetic2.

    The frame has errors on fresh examples, by stream and number of blocks (rows) and block size (columns).
    """
    curves = {}
    for repeat in range(seed, seed + n_repeats):
        X, y = load_dataset("synthetic2", return_X_y=True, random_state=repeat)
        X_test, y_test = X[-4000:], y[-4000:]
        for size in block_sizes:
            known = {"block_size": size, "categorical_features": nominal_columns(X)}
            ensemble = _boosted_blocks(n_blocks, repeat, **known).fit(X[:n_examples], y[:n_examples])
            for i, labels in enumerate(ensemble.staged_predict(X_test), start=1):
                curves[size, repeat, i] = float((labels != y_test).mean())
    return pd.Series(curves).unstack(0).rename_axis(["stream", "blocks"])


@simulation(small={"probabilities": (0.2, 0.8), "n_models": 5})
def update_probabilities(
    probabilities: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9), n_models: int = 25, seed: int = 1
) -> pd.DataFrame:
    """Measure the members of fixed-fraction bagging on Car Evaluation, by their update probability.

    The frame has a row for each probability: mean `accuracy` of a member, mean `disagreement` of two members,
    and accuracy "of the vote".
    """
    X, y = shuffled("car-evaluation", seed)
    half = len(y) // 2
    ensemble = FixedFractionBaggingClassifier(DecisionTreeClassifier(), n_models, random_state=seed)
    ensemble.set_params(categorical_features=nominal_columns(X))
    rows = {}
    for p in probabilities:
        ensemble.set_params(update_probability=p).fit(X[:half], y[:half])
        predictions = ensemble.predict_each(X[half:]).T
        disagree = np.mean([(a != b).mean() for a, b in combinations(predictions, 2)])
        rows[p] = (predictions == y[half:]).mean(), disagree, ensemble.score(X[half:], y[half:])
    return pd.DataFrame.from_dict(rows, orient="index", columns=["accuracy", "disagreement", "of the vote"])


def halves_of(dataset: str, seed: int) -> tuple[_Examples, _Examples]:
    """Halve 6000 examples, or all if there are fewer, in random order; values are coded one-hot."""
    X, y = (part[:6000] for part in shuffled(dataset, seed))
    one_hot = np.hstack([X[:, [a]] == np.unique(X[:, a]) for a in range(X.shape[1])]).astype(float)
    cut = len(y) // 2
    return (one_hot[:cut], y[:cut]), (one_hot[cut:], y[cut:])


@simulation(small={"problems": ["balance"]})
def leaf_budget(
    problems: Sequence[str] = ("balance", "car-evaluation", "nursery", "synthetic2"),
    n_leaves: int = 64,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure the test errors of Arc-x4 with trees that share a number of leaves evenly.

    The frame is indexed by the number of trees in rising order, and has a column for each problem.
    """
    numbers = [2**k for k in range((n_leaves // 2).bit_length())]
    columns = {}
    for problem in problems:
        train, test = halves_of(problem, seed)
        columns[problem] = [arcing_error(train, test, m, n_leaves // m) for m in numbers]
    return pd.DataFrame(columns, index=pd.Index(numbers, name="trees"))


#: Numbers of the streams by which the claim is judged.
JUDGED = range(20, 30)

#: Target errors: what they exceed the Bayes error by, as a share of what a guess does; those that are judged.
#: On the first 20 streams 10 % was hardly ever reached on Synthetic1, so that it could not show a difference.
SHARES, JUDGED_SHARES = (0.1, 0.15, 0.2), (0.15, 0.2)

#: Breiman's set is not named. On Synthetic3 errors are so rare that a block takes ten times as many examples.
_STREAMED = ("synthetic1", "synthetic2")

_N_TEST = 20_000


@study(
    "blocks",
    "Errors of boosting in blocks of 100 to 800 examples, by the number of blocks",
    {"blocks": int, "error": float},
    smoke=lambda: cells(dataset="synthetic2", block_size=20, n_blocks=3, n_examples=1000, stream=0),
    thesis=lambda: cells(
        dataset=_STREAMED,
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
    known = {"block_size": block_size, "categories": [np.arange(2)] * X.shape[1]}
    ensemble = _boosted_blocks(n_blocks, stream, **known).fit(X[:n_examples], y[:n_examples])
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


#: Data sets and streams of the thesis on which trees with so few leaves make errors.
_DATASETS = (
    *("balance", "car-evaluation", "chess", "german-credit"),
    *("nursery", "synthetic1", "synthetic2", "synthetic3"),
)


@study(
    "leaf-budget",
    "Batch Arc-x4 of trees that share a number of leaves",
    {"error": float},
    smoke=lambda: cells(dataset="synthetic2", n_trees=(1, 4), n_leaves=8, order=0),
    thesis=lambda: cells(dataset=_DATASETS, n_trees=[2**k for k in range(6)], n_leaves=64, order=range(10)),
    quick=lambda task: task.order == 0,
    exhibits=("Fig 2.16",),
    cost=lambda task: 0.02 * task.n_trees,
)
def leaf_budgets(dataset: str, n_trees: int, n_leaves: int, order: int) -> float:
    """Error of batch Arc-x4, of trees with `n_leaves` together, trained on half of a data set."""
    return arcing_error(*halves_of(dataset, order), n_trees, n_leaves // n_trees)


def gain_of_many(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean error of few large trees minus that of many small ones.

    Few are the lower half of the numbers of trees, many the upper half.

    A row for each order of the examples, a column for each data set; above 0 where many are better.
    """
    errors = rows.pivot_table("error", "n_trees", ["dataset", "order"], sort=False).sort_index()
    half = len(errors) // 2
    return (errors.iloc[:half].mean() - errors.iloc[-half:].mean()).unstack("dataset")


@claim("C038", evidence=lambda _: (hard_shares.recorded(), exact_hard_shares.recorded()))
def blocks_are_half_hard(shares: pd.DataFrame, exact: pd.DataFrame) -> Decision:
    """Judge the share of each block that the vote of the earlier models misclassifies.

    The share is that of the blocks which the library's algorithm fills; it must estimate the error of the
    vote. The claim holds if on every stream the whole 95 % interval of the mean over the blocks lies within
    0.05 of one half, and fails if on some stream the whole interval lies outside. That half of a block is
    misclassified on average if the exact error is known is algebra; the evidence also reports that case.

    Parameters
    ----------
    shares : DataFrame
        Columns stream and share, a row for each block but the first.
    exact : DataFrame
        The same for blocks that were filled by the acceptance rule with the exact error of the vote.
    """
    require(len(shares) >= 10, "needs ten blocks or more in all")
    texts = []
    for kind, of_blocks in (("with the estimated error", shares), ("with the exact error", exact)):
        means = (
            f"{stream} {of.mean():.3f} ± {mean_against_zero(of).half_width:.3f}"
            for stream, of in of_blocks.groupby("stream", sort=False)["share"]
        )
        texts.append(f"{kind} {', '.join(means)}")
    evidence = f"mean misclassified share of blocks {'; '.join(texts)} (95 % intervals over blocks)"
    of_streams = [of for _, of in shares.groupby("stream")["share"]]
    return every([every([above(of, 0.45), above(-of, -0.55)]) for of in of_streams]), evidence


def _blocks_to_target(record: Record) -> tuple[pd.DataFrame]:
    rows = record.recorded(blocks)
    rows = rows[rows["stream"].isin(JUDGED)]
    return (pd.DataFrame({share: slopes(rows, share) for share in JUDGED_SHARES}),)


@claim("C039", evidence=_blocks_to_target)
def larger_blocks_learn_faster(slopes: pd.DataFrame) -> Decision:
    """Judge the number of blocks that it takes to reach an error, by the size of the blocks, over streams.

    The errors to reach lie 15 % and 20 % of the way from that of the best classifier to one half. On each
    stream a line is fitted to the logarithm of the number of blocks against that of the size. Slopes on
    several data sets are averaged first. For each error, the mean slope over the streams is tested (t-test at
    0.05). The claim holds if both are significantly below 0, so that fewer blocks are needed if they are
    larger; the results contradict it if one is significantly above 0 by Holm's correction. The streams on
    which 15 % and 20 % were first looked at, with 10 %, do not count. An error that is never reached in the
    blocks of a run counts as one block more than there are.

    Parameters
    ----------
    slopes : DataFrame
        Indexed by dataset and stream, a column for each error: the change of the logarithm when blocks are
        twice as large.
    """
    of_streams = slopes.groupby(level="stream").mean()
    require(len(of_streams) >= 3, "needs three streams or more")
    means = {share: mean_against_zero(of_streams[share]) for share in of_streams}
    of_datasets = slopes.groupby(level="dataset").mean()
    said = "; ".join(
        f"{found.difference:+.3f} ± {found.half_width:.3f} for {share:.0%} ("
        f"{', '.join(f'{name} {mean:+.3f}' for name, mean in of_datasets[share].items())})"
        for share, found in means.items()
    )
    return all_above_zero([-of_streams[share] for share in of_streams]), (
        f"with blocks twice as large the number of blocks changes by a factor of 2 to the power {said}; 95 % "
        f"intervals over {len(of_streams)} streams"
    )


@claim("C046", evidence=lambda _: (update_probabilities.recorded()[["accuracy", "disagreement"]],))
def update_probability_trades_quality_for_diversity(sweep: pd.DataFrame) -> Decision:
    """Judge base models of fixed-fraction bagging by their update probability.

    The claim holds if accuracy rises and disagreement falls from the lowest P_u to the highest, with rank
    correlations of at least 0.9 in absolute value.

    Parameters
    ----------
    sweep : DataFrame
        Indexed by P_u in rising order; mean `accuracy` of a member and mean pairwise
        `disagreement`.
    """
    require(len(sweep) >= 4, "needs four update probabilities or more")
    ranks = sweep.reset_index(names="p").rank().corr()["p"]
    first, last = sweep.iloc[0], sweep.iloc[-1]
    return bool(ranks["accuracy"] >= 0.9 and ranks["disagreement"] <= -0.9), (
        f"accuracy of base models {first['accuracy']:.3f} to {last['accuracy']:.3f}, disagreement "
        f"{first['disagreement']:.3f} to {last['disagreement']:.3f}"
    )


@claim("C048", evidence=lambda record: (gain_of_many(record.recorded(leaf_budgets)),))
def many_small_trees_beat_few_large(gains: pd.DataFrame) -> Decision:
    """Judge boosted trees that share one budget of leaves: many small ones against few large ones.

    The gain on a data set is the mean error in the lower half of the numbers of trees minus that in the upper
    half, averaged over the orders of the examples. The claim holds if the gain is significantly above 0 on
    average over the data sets (t-test at 0.05); the result contradicts the claim if it is significantly below
    0.
    """
    means = gains.mean()
    require(len(means) >= 3 and len(gains) >= 2, "needs three data sets, and two orders or more")
    found = mean_against_zero(means)
    text = ", ".join(f"{name} {gain:+.3f}" for name, gain in means.items())
    return above_zero(means), (
        f"many small trees err less by {found.difference:+.4f} ± {found.half_width:.4f} (95 % interval over "
        f"{len(means)} data sets): {text}"
    )
