"""Which of the three lines in which BOLE differs from online boosting carries its gain.

The lines are the order of the models, the later update of λ, and the vote, which does not end at the first
model that errs on more than half of its weight. All eight combinations learn the pairs of
`reproduction.studies.repairs` on the first of its splits, at most ten, with the same draws: one run gives
both votes. The list of tasks and the end of the study are in `data/reference/studies.csv`; a pair counts if
two splits or more of it have run with all combinations by then.

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

from oza.columns.validation import EXACT_BELOW
from oza.datasets import dataset_info
from oza.ensembles import BOLEClassifier
from oza.ensembles.bole.kernels import BOLE, sort_by_accuracy
from oza.ensembles.boosting.kernels import Boosting, copies_to_learn, count_example, next_lambda
from oza.extend import classify, implements, learn, parameters, poisson, step, vote_weights
from oza.kernels.random import key_of

from ..record.study import cells, study
from .accuracy import declared, examples_for, numeric_columns
from .algorithms import BASE_MODELS
from .repairs import BASES, DATASETS, splits

#: The lines: parameters of `PartsOfBOLEClassifier`.
LINES = ("in_order", "later", "all_vote")


class Parts(NamedTuple):
    """State of online boosting with some of the lines of BOLE."""

    boosting: Boosting
    order: np.ndarray  # (M,) int64: indices of the models; sorted by accuracy if `in_order`
    in_order: bool
    later: bool
    all_vote: bool
    most_copies: float
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, Parts)
def _learn_by_parts(algorithm, models, examples, n, label, weight, row):
    boosting, order = algorithm.boosting, algorithm.order
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
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.most_copies)
        learn(models, m, examples, n, label, k)
        is_right = classify(models, m, examples, n) == label
        lam = next_lambda(boosting, m, lam, is_right, algorithm.later, boosting.seen[0])
        takes_first = is_right or not algorithm.in_order


@implements(vote_weights, Parts)
def _votes_by_parts(algorithm, n_models):
    boosting = algorithm.boosting
    if algorithm.all_vote:
        return vote_weights(
            BOLE(boosting, algorithm.order, algorithm.most_copies, algorithm.labels), n_models
        )
    return vote_weights(boosting, n_models)


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
        return Parts(
            boosting=known.boosting,
            order=known.order,
            in_order=self.in_order,
            later=self.later,
            all_vote=self.all_vote,
            most_copies=known.most_copies,
            labels=known.labels,
        )


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
    ensemble = PartsOfBOLEClassifier(
        BASE_MODELS[base_model](),
        n_models,
        in_order=in_order,
        later=later,
        random_state=key_of("bole-parts", dataset, base_model, n_models, repetition, fold),
    )
    declared(ensemble, numeric_columns(base_model, dataset))
    ensemble.partial_fit(split.X_train, split.y_train, classes=range(len(dataset_info(dataset).classes)))
    n_correct = (
        int((ensemble.set_params(all_vote=all_vote).predict(split.X_test) == split.y_test).sum())
        for all_vote in (False, True)
    )
    return len(split.y_train), len(split.y_test), *n_correct
