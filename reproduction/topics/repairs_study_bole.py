"""Which of the three lines in which BOLE differs from online boosting carries its gain.

The lines are the order of the models, the later update of λ, and the vote, which does not end at the first
model that errs on more than half of its weight. All eight combinations are run on each data set and base
model of `repairs_study`, on the first of its splits, at most ten, with the same draws: one run gives both
votes. The list of tasks and the end of the study are in `data/reference/studies.csv`; a data set with a base
model counts if two splits or more of it have run with all combinations by then.

The rules, which were fixed before any result of this study was computed. Known were the recorded results of
the thesis's way, of the later update alone and of BOLE, and that over the data sets BOLE and the later update
alone differ by 0.27 ± 0.51 points.

**Outcomes.** Differences are means over data sets, whose pairs are averaged first, with Student's t interval
and test, and Holm's correction over the three lines. A line *alone is enough* if with it alone online
boosting is significantly more accurate than without it. A line *is needed* if BOLE without it is
significantly less accurate than BOLE. A line carries the gain if both are so; if no line does, the page says
that it is not known which one does.
"""

from dataclasses import KW_ONLY
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from oza.columns.validation import EXACT_BELOW
from oza.datasets import dataset_info
from oza.ensembles import BOLEClassifier
from oza.ensembles.bole.kernels import BOLE, sort_by_accuracy
from oza.ensembles.boosting.kernels import copies_to_learn, count_example, next_lambda
from oza.evaluation.significance import LEVEL
from oza.extend import classify, implements, learn, parameters, poisson, step, vote_weights
from oza.kernels.random import key_of

from ..printed.table import Table
from ..record.study import cells, study
from ..statistics import holm, mean_against_zero
from ..studies.accuracy import declared, examples_for, numeric_columns
from ..studies.algorithms import BASE_MODELS
from .repairs_study import BASES, DATASETS, splits

#: The lines: parameters of `PartsOfBOLEClassifier`.
LINES = ("in_order", "later", "all_vote")


class Parts(NamedTuple):
    """State of online boosting with some of the lines of BOLE."""

    bole: BOLE  # whose order of the models is sorted by accuracy if `in_order`
    labels: np.ndarray  # (M,) int32: buffer
    in_order: bool
    later: bool
    all_vote: bool


@implements(step, Parts)
def _learn_by_parts(algorithm, models, examples, n, label, weight, row):
    boosting, order = algorithm.bole.boosting, algorithm.bole.order
    if algorithm.in_order:
        sort_by_accuracy(order, boosting)
    count_example(boosting, weight)
    lam, takes_first = weight, not algorithm.in_order
    best, worst = 0, len(order) - 1
    for _ in range(len(order)):
        if takes_first:
            m, best = order[best], best + 1
        else:
            m, worst = order[worst], worst - 1
        drawn = poisson(min(lam, EXACT_BELOW), row, m)
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.bole.most_copies)
        learn(models, m, examples, n, label, k)
        is_right = classify(models, m, examples, n) == label
        lam = next_lambda(boosting, m, lam, is_right, algorithm.later, boosting.seen[0])
        takes_first = is_right or not algorithm.in_order


@implements(vote_weights, Parts)
def _votes_by_parts(algorithm, n_models):
    if algorithm.all_vote:
        return vote_weights(algorithm.bole, n_models)
    return vote_weights(algorithm.bole.boosting, n_models)


@parameters
class PartsOfBOLEClassifier(BOLEClassifier):
    """Online boosting with some of the three lines of BOLE."""

    _: KW_ONLY
    in_order: Any = False
    later: Any = False
    all_vote: Any = False

    _read_at_every_call = ("all_vote",)

    def _algorithm(self) -> Any:
        known = super()._algorithm()
        return Parts(known, known.labels, self.in_order, self.later, self.all_vote)


def _cells(base_model: str, dataset: str, split: tuple[int, int], **others: Any) -> list[dict[str, Any]]:
    repetition, fold = split
    pair = {"dataset": dataset, "base_model": base_model, "in_order": (False, True)}
    return cells(pair, repetition=repetition, fold=fold, **others)


@study(
    "bole-parts",
    "Online boosting with one, two or three of the lines in which BOLE differs",
    {
        "n_train": int,
        "n_test": int,
        "n_correct_first": int,  # test examples classified correctly by the vote of the first L models
        "n_correct_all": int,  # and by that of all
    },
    smoke=lambda: _cells("naive_bayes", "balance", (0, 0), n_models=5, later=True),
    thesis=lambda: [
        cell
        for base_model, dataset in product(BASES, sorted(DATASETS))
        for split in splits(base_model, dataset)[:10]
        for cell in _cells(base_model, dataset, split, n_models=100, later=(False, True))
    ],
    quick=lambda task: task.base_model == "naive_bayes",
)
def bole_parts(
    dataset: str, base_model: str, in_order: bool, later: bool, n_models: int, repetition: int, fold: int
) -> tuple[int, ...]:
    """Online boosting with the order or the update of BOLE, or both, on a split of a pair."""
    split = examples_for(base_model, dataset, repetition, fold)
    key = key_of("bole-parts", dataset, base_model, n_models, repetition, fold)
    ensemble = PartsOfBOLEClassifier(BASE_MODELS[base_model](), n_models, random_state=key)
    ensemble.set_params(in_order=in_order, later=later)
    declared(ensemble, numeric_columns(base_model, dataset))
    ensemble.partial_fit(split.X_train, split.y_train, classes=range(len(dataset_info(dataset).classes)))
    n_correct = (
        int((ensemble.set_params(all_vote=all_vote).predict(split.X_test) == split.y_test).sum())
        for all_vote in (False, True)
    )
    return len(split.y_train), len(split.y_test), *n_correct


def lines_of_bole(rows: pd.DataFrame) -> pd.DataFrame:
    """Judge each of BOLE's three lines by the rules above.

    A row for each line: the mean difference of accuracy over data sets, with its interval and p-value by
    Holm's correction, of online boosting with the line `alone` from that without any, and of BOLE from BOLE
    without the line (`missing`); whether the line is `enough`, and whether it is `needed`.
    """
    splits = ["dataset", "base_model", "repetition", "fold"]
    votes = rows.set_index([*splits, "in_order", "later"])[["n_correct_first", "n_correct_all"]]
    accuracy = votes.div(rows["n_test"].to_numpy(), axis=0).set_axis([False, True], axis="columns")
    table = accuracy.rename_axis("all_vote", axis="columns").stack().unstack(LINES).dropna()
    n_splits: Any = table.groupby(splits[:2]).transform("size")
    of_datasets = table[n_splits.gt(1)].groupby(splits[:2]).mean().groupby("dataset").mean()
    none, all_three = (False,) * len(LINES), (True,) * len(LINES)
    found = {}
    for i, line in enumerate(LINES):
        only, without = (tuple((j == i) == has for j in range(len(LINES))) for has in (True, False))
        found[line, "alone"] = mean_against_zero(of_datasets[only] - of_datasets[none])
        found[line, "missing"] = mean_against_zero(of_datasets[all_three] - of_datasets[without])
    index = pd.MultiIndex.from_tuples(found, names=["line", "run"])
    cells = pd.DataFrame([each._asdict() for each in found.values()], index)
    cells["p_value"] = cells.groupby("run")["p_value"].transform(holm)
    shown = cells.unstack("run").loc[[*LINES]]
    gains = shown["difference"].gt(0) & shown["p_value"].lt(LEVEL)
    return shown.assign(enough=gains["alone"], needed=gains["missing"])


def line_table(lines: pd.DataFrame) -> Table:
    """Lay out what each line of BOLE changes alone, and what BOLE lacks without it."""
    names = {"in_order": "order of the models", "later": "later update", "all_vote": "all models vote"}
    shown = pd.DataFrame(index=pd.Index([names[line] for line in lines.index], name="line"))
    for run, said in (("alone", "added alone"), ("missing", "BOLE minus BOLE without it")):
        means = zip(lines["difference", run], lines["half_width", run], strict=True)
        shown[said] = [f"{100 * mean + 0.0:+.2f} ± {100 * half:.2f}" for mean, half in means]
    for told in ("enough", "needed"):
        shown[told] = ["yes" if found else "no" for found in lines[told]]
    title = "Difference of accuracy, in points, that each line of BOLE makes on average over data sets"
    return Table(title, lines, shown, pd.DataFrame("", shown.index, shown.columns))
