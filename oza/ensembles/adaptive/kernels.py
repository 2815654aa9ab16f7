"""Ensembles that replace a base model when its error rises, as kernels: bagging and boosting with ADWIN.

Each base model has a detector, which is fed with its errors. Models touch each other only where one is
replaced, and a detector can find a change only where it is checked: at every `clock`-th example of positive
weight, and there all detectors at once, since a model that is replaced at a check starts counting there.
"""

from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import (
    class_shares,
    classify,
    classify_and_share_each,
    classify_each,
    learn,
    reset,
)
from ...columns.examples import Examples
from ...columns.validation import EXACT_BELOW
from ...drift.windows import Windows, mean_of, observe, reset_window
from ...kernels.arithmetic import log
from ...kernels.compile import Operation, implements, kernel, record_type
from ...kernels.random import draw_in_row, poisson, uniform
from ..algorithm import step, vote, vote_weights
from ..boosting.kernels import OnlineBoosting, copies_to_learn, error, next_lambda
from ..votes import add_shares, add_vote, set_equal_if_all_zero

DRIFT = record_type(
    [
        ("example", np.int64),
        ("member", np.int64),
        ("before", np.float64),
        ("after", np.float64),
        ("replaced", np.int64),
    ]
)


class Detectors(NamedTuple):
    """The detectors of M models, and what they found."""

    windows: Windows
    delta: float
    clock: int
    replaces_worst: bool  # whether the worst model is replaced, or each whose detector found a change
    tests_after: bool  # whether a model is tested after it has learned from the example, or before
    has_risen: np.ndarray  # (M,) bool: whether the detector has just found that the error has risen
    estimates: np.ndarray  # (M, 2) errors of the model by its detector, before and after that example
    is_replaced: Annotated[np.ndarray, "M", "buffer"]  # bool
    drifts: Annotated[np.ndarray, "room", "buffer"]  # of DRIFT: what was found in this call
    counts: np.ndarray  # (3,) int64: examples so far, drifts in this call, models replaced so far


class AdaptiveBagging(NamedTuple):
    """State of ADWIN bagging or leveraging bagging of M models, with buffers for one example."""

    detectors: Detectors
    lam: float
    by_mistakes: bool  # whether models are trained on their mistakes, and on few other examples
    # (M, K) int64: the bit that stands for each class, for each model; (0, 0) without codes
    codes: np.ndarray
    by_shares: bool  # whether class probabilities are added up, or votes counted
    by_model: bool  # whether each model is trained on a block alone, or all side by side up to a check
    labels: np.ndarray  # (M,) int32: buffer
    copies: np.ndarray  # (M,) buffer


class AdaptiveBoosting(NamedTuple):
    """State of ADWIN boosting of M models, with buffers for one example."""

    detectors: Detectors
    online: OnlineBoosting
    seen: np.ndarray  # (2, M) weight and number of the examples since each model started
    codes: np.ndarray  # (0, 0) int64: there are none
    by_shares: bool
    labels: np.ndarray  # (M,) int32: buffer


# Example by example


@implements(step, AdaptiveBagging)
def adaptive_bagging(algorithm, models, examples, n, label, weight, row):
    """Train each model on the example k ~ Poisson(λ) times; if an error has risen, replace a model.

    The comments number the lines of the pseudo-code in the book.
    """
    detectors = algorithm.detectors
    for m in range(len(algorithm.labels)):  # 1
        wanted = target(algorithm, m, label)
        before = classify(models, m, examples, n)
        if algorithm.by_mistakes:
            k = weight_of_mistake(detectors, m, before != wanted, weight, row)
        else:
            k = poisson(algorithm.lam * weight, row, m)  # 1.1
        learn(models, m, examples, n, wanted, k)  # 1.2
        answer = classify(models, m, examples, n) if detectors.tests_after else before
        watch(detectors, m, answer != wanted, weight)  # 1.3
    if find_replaced(detectors):  # 2
        restart_replaced(algorithm, models)
    detectors.counts[0] += 1


@implements(step, AdaptiveBoosting)
def adaptive_boosting(algorithm, models, examples, n, label, weight, row):
    """Train each model on the example k ~ Poisson(λ) times, λ as in online boosting; replace as above.

    The comments number the lines of the pseudo-code in the book.
    """
    detectors, boosting = algorithm.detectors, algorithm.online.boosting
    lam = weight  # 1
    for m in range(len(algorithm.labels)):  # 2
        count_since_start(algorithm, m, weight)
        drawn = poisson(min(lam, EXACT_BELOW), row, m)  # 2.1
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.online.most_copies)
        before = classify(models, m, examples, n)
        learn(models, m, examples, n, label, k)  # 2.2
        answer = classify(models, m, examples, n) if detectors.tests_after else before
        lam = next_lambda(boosting, m, lam, answer == label, False, 0.0)  # 2.3
        watch(detectors, m, answer != label, weight)  # 2.4
    if find_replaced(detectors):  # 3
        restart_replaced(algorithm, models)
    detectors.counts[0] += 1


@kernel
def target(algorithm, m, label):
    """What model `m` learns: the class, or the bit of its code that stands for it."""
    return algorithm.codes[m, label] if len(algorithm.codes) > 0 else np.int64(label)


@kernel
def weight_of_mistake(detectors, m, is_wrong, weight, row):
    """All of the weight if the model is wrong; else all or nothing, with probability e/(1 − e) for all.

    e is the error of the model that its detector estimates; from 1/2 on, every example is learned.
    """
    e = mean_of(detectors.windows, m)
    return weight if is_wrong or uniform(draw_in_row(row, m)) * (1.0 - e) < e else 0.0


@kernel
def watch(detectors, m, is_wrong, weight):
    """Tell the detector of model `m` whether the model was wrong; note whether its error has risen."""
    detectors.has_risen[m] = False
    if weight > 0.0:
        windows = detectors.windows
        before = mean_of(windows, m)
        if observe(windows, m, 1.0 if is_wrong else 0.0, detectors.delta, detectors.clock):
            after = mean_of(windows, m)
            detectors.has_risen[m] = after > before
            detectors.estimates[m, 0] = before
        detectors.estimates[m, 1] = mean_of(windows, m)


@kernel
def find_replaced(detectors):
    """Note in `is_replaced` which models must go, and in `drifts` why; returns whether there is one."""
    n_models = len(detectors.has_risen)
    worst = 0
    any_has_risen = False
    for m in range(n_models):
        detectors.is_replaced[m] = False
        any_has_risen |= detectors.has_risen[m]
        if detectors.estimates[m, 1] > detectors.estimates[worst, 1]:
            worst = m
    if not any_has_risen:
        return False
    for m in range(n_models):
        if detectors.has_risen[m]:
            replaced = worst if detectors.replaces_worst else m
            detectors.counts[2] += not detectors.is_replaced[replaced]
            detectors.is_replaced[replaced] = True
            drift = detectors.drifts[detectors.counts[1]]
            drift.example = detectors.counts[0]
            drift.member = m
            drift.before = detectors.estimates[m, 0]
            drift.after = detectors.estimates[m, 1]
            drift.replaced = replaced
            detectors.counts[1] += 1
    return True


@kernel
def restart_replaced(algorithm, models):
    """Replace the models that `find_replaced` has found."""
    for m in range(len(algorithm.labels)):
        if algorithm.detectors.is_replaced[m]:
            restart(algorithm, models, m)


@Operation
def restart(algorithm, models, m):
    """Replace model `m`, and all that is known of it, by a new one."""
    raise NotImplementedError


@implements(restart, AdaptiveBagging)
def _restart(algorithm, models, m):
    reset(models, m)
    reset_window(algorithm.detectors.windows, m)


@implements(restart, AdaptiveBoosting)
def _restart_boosted(algorithm, models, m):
    boosting = algorithm.online.boosting
    reset(models, m)
    reset_window(algorithm.detectors.windows, m)
    boosting.right[m] = boosting.wrong[m] = boosting.learned[m] = 0.0
    algorithm.seen[0, m] = algorithm.seen[1, m] = 0.0


@kernel
def count_since_start(algorithm, m, weight):
    """Count an example and its weight for model `m`."""
    algorithm.seen[0, m] += weight
    algorithm.seen[1, m] += weight > 0.0


# Votes


@implements(vote_weights, AdaptiveBoosting)
def vote_weights_since_start(algorithm, n_models):
    """Weights of the votes of the first models, (M,), by what each has seen since it started."""
    weights = np.empty(n_models)
    for m in range(n_models):
        weights[m] = vote_weight(algorithm, m, error(algorithm.online.boosting, m))
    set_equal_if_all_zero(weights)
    return weights


@kernel
def vote_weight(algorithm, m, eps):
    """Weight log((1 − ε)/ε) of the vote of model `m` with error ε, 0 from 1/2 on; ε is at least 1/(2N)."""
    eps = max(eps, 0.5 / max(algorithm.seen[0, m], algorithm.seen[1, m], 1.0))
    return log((1.0 - eps) / eps) if eps < 0.5 else 0.0


@implements(vote, AdaptiveBagging)
@implements(vote, AdaptiveBoosting)
def weigh_labels_or_shares(algorithm, models, n_classes, examples, n):
    """Class index of example `n` by the weighted vote of the models, or of their class shares."""
    votes, weights = np.zeros(n_classes), vote_weights(algorithm, len(algorithm.labels))
    if not algorithm.by_shares:
        classify_each(models, examples, n, algorithm.labels)
    for m in range(len(weights)):
        if algorithm.by_shares:
            shares = shares_of(algorithm, models, m, n_classes, examples, n)
            add_shares(votes, weights[m], shares, algorithm.codes, m)
        else:
            add_vote(votes, weights[m], algorithm.labels[m], algorithm.codes, m)
    return votes.argmax()


@kernel
def shares_of(algorithm, models, m, n_classes, examples, n):
    """Class probabilities of example `n` by model `m`; with output codes, those of the two bits."""
    one = Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])
    return class_shares(models, m, n_classes if len(algorithm.codes) == 0 else 2, one)[0]


@kernel
def votes_by_shares(models, weights, codes, n_classes, n_member_classes, examples):
    """Sum of the weighted class probabilities of all models, (N, K), which classify side by side."""
    votes, shares = np.zeros((len(examples.codes), n_classes)), np.empty((len(weights), n_member_classes))
    labels = np.empty(len(weights), np.int32)
    for n in range(len(votes)):
        classify_and_share_each(models, examples, n, labels, shares)
        for m in range(len(weights)):
            add_shares(votes[n], weights[m], shares[m], codes, m)
    return votes
