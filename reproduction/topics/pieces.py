"""The data of the pieces to play with: what their scripts show, from the library and recorded results.

They show what belongs to the topics `online_boosting`, `repairing_online_boosting`, `scorecard` and
`who_would_you_pick`.
"""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

import oza
from oza.columns.validation import check_key
from oza.datasets import load_dataset
from oza.diversity import disagreement, mean_of_pairs
from oza.ensembles.bagging.kernels import OnlineBagging, draw_copies, draw_samples
from oza.evaluation.significance import ROUNDING
from oza.kernels.draws import uniforms
from oza.kernels.random import poisson, row_key
from oza.models.decision_tree import TreeStructure
from oza.streams import RandomRBF
from oza.streams.drift import DriftingStream

from ..figures import grid_points
from ..printed import layout
from ..printed.accuracy import joined_cells
from ..printed.printed import EXCLUDED, label
from ..printed.record import Record
from ..statistics import JUDGED, MARGIN, PRINTED_ROUNDING
from ..studies.curves import CURVES
from ..studies.online_boosters import GAMMA
from ..studies.streams import STREAMS
from ..theory.memorising import Form, boost_online, scored
from ..theory.schapire import CLASSES, POINTS
from .online_boosting import compare_weights, shuffled
from .repairing_online_boosting import passed_on
from .scorecard import TABLES
from .who_would_you_pick import FOLLOWED, FOLLOWED_ON, stream_courses


def _poisson() -> dict[str, Any]:
    """Numbers of training examples, and copies of ten examples dealt to three models, for many keys."""
    n_models, n_examples = 3, 10
    deals = []
    for key in range(60):
        samples = draw_samples(n_models, n_examples, key)
        batch = [np.bincount(sample, minlength=n_examples).tolist() for sample in samples]
        online = [_dealt(n_models, 1.0, key, n) for n in range(n_examples)]
        deals.append({"batch": batch, "online": np.transpose(online).tolist()})
    sizes = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000]
    return {"sizes": sizes, "deals": deals}


def _dealt(n_models: int, lam: float, key: int, n: int) -> list[int]:
    """Copies of example number n for each model of an online bag."""
    bagging = OnlineBagging(None, np.empty(n_models), np.empty(n_models, np.int32))
    draw_copies(bagging, float(lam), row_key(key, n))
    return bagging.copies.astype(int).tolist()


def _boosting() -> dict[str, Any]:
    """The passage of examples through four models of online boosting, tested after or before learning.

    The models are Naive Bayes models, or trees, which memorise. AdaBoost's weights are those of Naive Bayes.
    """
    n_models, n_examples, seed = 4, 200, 1
    stream = shuffled("car-evaluation", seed)
    X, y = stream.X[:n_examples], stream.y[:n_examples]
    _, weights, *_ = compare_weights(stream, n_examples, n_models, seed)
    names = load_dataset("car-evaluation").target_names
    bases = {"bayes": oza.NaiveBayesClassifier(), "tree": oza.DecisionTreeClassifier()}
    right: dict[str, dict[str, Any]] = {base: {} for base in bases}
    copies: dict[str, dict[str, Any]] = {base: {} for base in bases}
    for (base, estimator), tested in product(bases.items(), ("after", "before")):
        model = oza.OnlineBoostingClassifier(estimator, n_models, tested=tested, random_state=seed)
        passage = model.trace(X, y, np.unique(stream.y))
        right[base][tested] = passage.is_right.astype(int).tolist()
        copies[base][tested] = [
            [int(poisson(mean, row_key(check_key(seed), n), m)) for m, mean in enumerate(means)]
            for n, means in enumerate(passage.lam)
        ]
    return {
        "labels": [names[code] for code in y],
        "right": right,
        "copies": copies,
        "batch": weights[:n_models].T.round(6).tolist(),
    }


def _memorisation() -> dict[str, Any]:
    """Ten trees boosted online, by the share of wrong labels: what they say before and right after learning.

    Whether a tree is right about an example, and whether a label is wrong, are bits in hexadecimal.
    """
    n, n_models, seed, shares = 1000, 10, 1, (0, 10, 20, 30, 40)
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (2 * n, 8))
    truth = (X.sum(axis=1) >= 5).astype(int)
    chance = rng.random(n)
    tree = oza.DecisionTreeClassifier(prune=True, categorical_features=range(8))
    wrong, single = [], []
    runs: dict[str, list[Any]] = {"after": [], "before": []}
    for share in shares:
        is_wrong = chance < share / 100
        y = truth[:n] ^ is_wrong
        wrong.append(_hex(is_wrong))
        single.append(float(tree.fit(X[:n], y).score(X[n:], truth[n:])))
        for tested, of_tested in runs.items():
            boosted = list(boost_online(tree, X[:n], y, n_models, Form(tested=tested), seed))
            scores = scored(boosted, X[n:], truth[n:])
            bits = {when: [_hex(each.right[when]) for each in boosted] for when in ("before", "after")}
            summary = {"alone": scores["alone"].tolist(), "vote": scores["accuracy"].tolist()}
            of_tested.append({**bits, **summary, "voting": int((scores["vote"] > 0).sum())})
    return {"examples": n, "shares": shares, "wrong": wrong, "single": single, "runs": runs}


def _hex(flags: Any) -> str:
    return np.packbits(flags).tobytes().hex()


def _tolerance() -> dict[str, Any]:
    """Every printed accuracy that is judged, with ours and half its interval, and the rule's roundings."""
    record, rows = Record("thesis"), []
    cells = joined_cells({table: record.accuracy(table) for table in layout.PRINTED_ACCURACIES})
    for cell in cells[cells["verdict"].isin(JUDGED)].reset_index().to_dict("records"):
        half_width = None if math.isnan(cell["half_width"]) else cell["half_width"]
        names = (cell["table"], label(cell["dataset"]), cell["algorithm"])
        rows.append((*names, cell["mean"], half_width, cell["printed"]))
    return {
        "margin": MARGIN,
        "rounding": ROUNDING,
        "printed_rounding": PRINTED_ROUNDING,
        "tables": {table: layout.PRINTED_BASES[table] for table in layout.PRINTED_ACCURACIES},
        "algorithms": {name: layout.heading(name) for name in dict.fromkeys(row[2] for row in rows)},
        "short": layout.LETTERS,
        "cells": rows,
    }


def _votes() -> dict[str, Any]:
    """Uniform numbers for a hundred examples and up to 101 models, as a simulation of votes draws them.

    The errors and correlations to choose from are twentieths. So a number, or its square where it is compared
    with the square root of the correlation, is one digit: its twentieths in base 36.
    """
    n_examples, n_models = 100, 101

    def digits(numbers: np.ndarray) -> str:
        return "".join(np.base_repr(int(20 * number), 36) for number in numbers)

    return {
        "hard": digits(uniforms(n_examples, "difficulty", "piece")),
        "own": [digits(row) for row in uniforms((n_examples, n_models), "own error", "piece")],
        "shared": [digits(row) for row in uniforms((n_examples, n_models), "shared", "piece") ** 2],
    }


def _toy() -> dict[str, Any]:
    return {"points": POINTS.tolist(), "classes": CLASSES.tolist()}


def _adwin() -> dict[str, Any]:
    """Uniform numbers, times 10,000, for eight streams of errors whose rate changes half way."""
    length = 2400
    numbers = (10_000 * uniforms((8, length), "piece", "adwin")).astype(int)
    return {"length": length, "change": length // 2, "rate": 0.2, "numbers": numbers.tolist()}


def _split() -> dict[str, Any]:
    """Nothing but what the script computes itself."""
    return {}


def _differences() -> dict[str, Any]:
    """Differences of accuracy between pairs of algorithms, ours and printed, by base model and pair."""
    record = Record("thesis")
    found: dict[str, dict[str, list]] = {}
    pairs = {}
    for table in (table for tables in TABLES.values() for table in tables):
        base_model, columns, *_ = layout.layout(table)
        cells = record.accuracy(table)
        printed_at = cells["printed"].to_dict()
        for column, against in product(columns, ("other", "single")):
            other = (layout.counterpart if against == "other" else layout.reference)(column, columns)
            if not other or other == column or (against == "other" and not layout.is_online(column)):
                continue
            pair = f"{column} less {other}".replace("_10", "")
            pairs[pair] = pair.replace("_", " ").replace("less", "−").capitalize()
            name = layout.BASES[base_model] + (", ten updates" if column.endswith("_10") else "")
            rows = []
            for dataset, cell in cells.xs(column, level="algorithm").iterrows():
                if dataset in EXCLUDED or math.isnan(cell[f"{against}_difference"]):
                    continue
                numbers = cell[f"{against}_half_width"], cell["printed"] - printed_at[dataset, other]
                half_width, printed = (None if math.isnan(x) else x for x in numbers)
                is_significant = cell[f"{against}_mark"] != "none"
                difference = cell[f"{against}_difference"]
                rows.append((label(str(dataset)), difference, half_width, is_significant, printed))
            if rows:
                found.setdefault(name, {}).setdefault(pair, rows)
    return {
        "margin": MARGIN,
        "rounding": ROUNDING,
        "most": max(len(rows) for of_base in found.values() for rows in of_base.values()),
        "pairs": pairs,
        "rows": found,
    }


def _curves() -> dict[str, Any]:
    """Recorded learning curves: mean accuracies, and half the intervals of online minus batch."""
    record, found = Record("thesis"), []
    for name, curve in CURVES.items():
        means = record.curve(name).groupby(["algorithm", "n_train"])["accuracy"].mean()
        cells = record.curve_cells(name)["half_width"]
        halves = {
            f"{online} less {batch}": cells[online, batch].tolist()
            for online, batch in layout.BATCH_OF.items()
            if {online, batch} <= {*curve.algorithms}
        }
        found.append(
            {
                "name": f"{label(curve.dataset)}, {layout.BASES[curve.base_model]}",
                "sizes": list(curve.sizes),
                "means": {a: means[a].tolist() for a in curve.algorithms},
                "halves": halves,
            }
        )
    return {"curves": found}


def _arena() -> dict[str, Any]:
    """Recorded courses of classifiers through streams: right answers of each part, seconds and megabytes."""
    rows, streams = stream_courses.recorded("thesis"), []
    for name, title in FOLLOWED_ON.items():
        courses = rows[rows["dataset"] == name].pivot(index="n_seen", columns="algorithm")
        length, part = courses.index[-1], courses.index[0]
        columns = [("n_correct", name) for name in FOLLOWED]
        columns += [(baseline, "online_bagging") for baseline in ("n_majority", "n_no_change")]
        right = np.diff(courses[columns].to_numpy(int), axis=0, prepend=0).T.tolist()
        costs = {
            kind: courses[[(kind, name) for name in FOLLOWED]].round(4).to_numpy().T.tolist()
            for kind in ("seconds", "megabytes")
        }
        streams.append({"title": title, "changes": _changes(name, length), "right": right, **costs})
    names = [*FOLLOWED.values(), "majority class", "no change"]
    return {"part": int(part), "names": names, "streams": streams}


def _changes(name: str, length: int) -> list[tuple[int, float]]:
    """Where one stream turns into another, and how many examples that takes."""
    stream, changes = STREAMS[name](int(length), 0) if name in STREAMS else None, []
    while isinstance(stream, DriftingStream):
        changes.append((stream.position, stream.width))
        stream = stream.before
    return changes


def _tree() -> dict[str, Any]:
    """A stream of card holders, and the tree of the lossless learner after each.

    A tree is a leaf, the numbers of those who repaid and who defaulted, or the number of its
    question and the trees of those who answer yes and no. Of forty keys of the draws this one was chosen,
    since the tree changes at the root and below it.
    """
    draws = uniforms((24, 4), "piece", "tree", 28)
    answers = (draws[:, :3] < 0.5).astype(int)
    late, income, balance = answers.T
    risk = np.where(late & (income | balance), 0.9, np.where(income & balance, 0.75, 0.1))
    defaults = (draws[:, 3] < risk).astype(int)
    model = oza.DecisionTreeClassifier(categorical_features=[0, 1, 2], categories=[[0, 1]] * 3)
    trees = []
    for n in range(len(answers)):
        one = slice(n, n + 1)
        model.partial_fit(answers[one], defaults[one], classes=[0, 1] if n == 0 else None)
        trees.append(_nested(model.tree_))
    return {
        "questions": ["paid late", "low income", "low balance"],
        "answers": answers.tolist(),
        "defaults": defaults.tolist(),
        "trees": trees,
    }


def _nested(tree: TreeStructure, node: int = 0) -> list[Any]:
    """The part of a tree on columns of 0 and 1 from a node on."""
    if tree.feature[node] < 0:
        return tree.class_weight[node].astype(int).tolist()
    passes, fails = (_nested(tree, branch[node]) for branch in (tree.yes, tree.no))
    answers = [passes, fails] if tree.category[node] else [fails, passes]
    return [int(tree.feature[node]), *answers]


def _spread() -> dict[str, Any]:
    """What trees of several depths, and averages of eight, say on a line, in per cent, for 36 training sets.

    A training set is a hundred examples, with classes drawn from the true probability of class 1. The
    average is over bootstrap samples of the set (`bagged`) or over fresh sets (`fresh`).
    """
    from sklearn.tree import DecisionTreeClassifier as Cart  # its depth can be limited

    depths, n_sets, n_train, n_trees = (1, 2, 3, 4, 6, 8), 36, 100, 8
    at = np.linspace(0, 1, 41)

    def truth(x: np.ndarray) -> np.ndarray:
        return 0.5 + 0.4 * np.sin(4 * np.pi * x)

    numbers = uniforms((n_sets, n_trees, 2, n_train), "piece", "spread")
    x = numbers[:, :, 0].round(3)
    classes = (numbers[:, :, 1] < truth(x)).astype(int)

    def chances(x: np.ndarray, classes: np.ndarray) -> list[list[float]]:
        """Shares of class 1 by depth and place: a shallower tree is the upper part of a deeper one."""
        tree = Cart(max_depth=depths[-1], random_state=0).fit(x[:, None], classes)
        paths, shares = tree.decision_path(at[:, None]).tolil().rows, tree.tree_.value[:, 0, 1]
        return [[shares[path[: depth + 1][-1]] for path in paths] for depth in depths]

    def average(x: np.ndarray, classes: np.ndarray) -> np.ndarray:
        found = np.mean([chances(*each) for each in zip(x, classes, strict=True)], axis=0)
        return (100 * found).round().astype(int)

    samples = [draw_samples(n_trees, n_train, key) for key in range(n_sets)]
    says = {
        "one": [average(x[s, :1], classes[s, :1]) for s in range(n_sets)],
        "bagged": [average(x[s, 0][samples[s]], classes[s, 0][samples[s]]) for s in range(n_sets)],
        "fresh": [average(x[s], classes[s]) for s in range(n_sets)],
    }
    return {
        "depths": depths,
        "trees": n_trees,
        "at": at.tolist(),
        "truth": truth(at).round(6).tolist(),
        "examples": [[x[s, 0].tolist(), classes[s, 0].tolist()] for s in range(n_sets)],
        "says": {name: np.swapaxes(curves, 0, 1).tolist() for name, curves in says.items()},
    }


def _leverage() -> dict[str, Any]:
    """Copies of 16 examples dealt to six models with several mean weights, and ten trees after a stream.

    For each λ the means over two streams of 8,000 examples without drift: accuracy of a tree and of the vote
    on the 2,000 that follow, share of these on which two trees disagree, and number of leaves.
    """
    lams: tuple[float, ...] = (0.25, 0.5, 1, 2, 3, 4, 6, 8, 12)
    n_models, n_learned, n_tested = 10, 8000, 2000

    def measured(lam: float, seed: int) -> list[float]:
        stream = RandomRBF(random_state=seed)
        X, y = stream[: n_learned + n_tested]
        options: Any = {"lam": lam, "voting": "majority", "random_state": seed}
        model = oza.LeveragingBaggingClassifier(oza.HoeffdingTreeClassifier(), n_models, **options)
        model.fit(X[:n_learned], y[:n_learned])
        each = model.predict_each(X[n_learned:])
        vote = (model.predict(X[n_learned:]) == y[n_learned:]).mean()
        apart = mean_of_pairs(disagreement, each)
        leaves = np.mean([tree.n_leaves_ for tree in model.estimators_])
        return [float((each == y[n_learned:, None]).mean()), float(vote), apart, float(leaves)]

    return {
        "lams": lams,
        "deals": [[[_dealt(6, lam, key, n) for n in range(16)] for key in range(8)] for lam in lams],
        "learned": n_learned,
        "trees": n_models,
        "results": [np.mean([measured(lam, s) for s in range(2)], axis=0).round(4).tolist() for lam in lams],
    }


def _active() -> dict[str, Any]:
    """DECORATE with ten Naive Bayes models, which asks for twenty labels of points in a square, or gets any.

    Class 1 is a disc. Of each of three pools there are, for each number of labels, the rows that were
    labelled, the probability of class 1 on a grid, in 36 levels, and of the points, in parts of 10,000, and
    the accuracy on 800 new points.
    """
    n_points, n_labels, n_pools = 80, 20, 3
    grid = grid_points(16)

    def is_inside(points: np.ndarray) -> np.ndarray:
        return (((points - 0.5) ** 2).sum(axis=1) < 0.13).astype(int)

    def learned(X: np.ndarray, new: np.ndarray, by: str) -> dict[str, Any]:
        y = is_inside(X)
        rows = np.concatenate([np.flatnonzero(y == label)[:2] for label in (0, 1)]).tolist()
        steps = []
        for _ in range(n_labels + 1):
            ensemble = oza.DecorateClassifier(oza.NaiveBayesClassifier(), 10, random_state=0)
            learner = oza.ActiveLearner(ensemble).teach(X[rows], y[rows])
            levels = (35 * learner.predict_proba(grid)[:, 1]).round().astype(int)
            of_points = (10_000 * learner.predict_proba(X)[:, 1]).round().astype(int).tolist()
            shades = "".join(np.base_repr(level, 36) for level in levels)
            steps.append((shades, of_points, float(learner.score(new, is_inside(new)))))
            left = [row for row in range(n_points) if row not in rows]
            rows.append(left[learner.query(X[left])[0]] if by == "asked" else left[0])
        maps, chances, accuracy = zip(*steps, strict=True)
        return {"rows": rows, "maps": maps, "chances": chances, "accuracy": accuracy}

    pools = []
    for number in range(n_pools):
        X, new = np.split(uniforms((n_points + 800, 2), "piece", "active", number).round(3), [n_points])
        found = {by: learned(X, new, by) for by in ("asked", "any")}
        pools.append({"points": X.tolist(), "classes": is_inside(X).tolist(), **found})
    return {"first": 4, "pools": pools}


def _ways() -> dict[str, Any]:
    """Whether bagged trees agree with each label of a stream, some wrong, before they are trained on it."""
    passed = passed_on.recorded()
    answers, labels = np.array(passed.answers), np.array(passed.y)
    right = [_hex(column == labels) for column in answers.T]
    return {"examples": len(labels), "gamma": GAMMA, "wrong": _hex(passed.is_wrong), "right": right}


#: Function that computes the data of each piece, which must be writable as JSON.
PIECES: dict[str, Callable[[], Any]] = {
    each.__name__.removeprefix("_"): each
    for each in (
        *(_poisson, _boosting, _memorisation, _tolerance, _votes, _toy, _adwin, _split, _differences),
        *(_curves, _tree, _arena, _spread, _leverage, _active, _ways),
    )
}
