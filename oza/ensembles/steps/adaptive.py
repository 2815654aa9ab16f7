"""Ensembles that replace a member when its error rises, as kernels: bagging and boosting with ADWIN.

Each base model has a detector, which is fed with its errors. Models touch each other only where one is
replaced, and a detector can find a change only where it is checked: at every `clock`-th example of positive
weight, and there all detectors at once, since a model that is replaced at a check starts counting there.

Bagging whose blocks all end at the next check would do without the repeated learning of `close_block`, so
that this could be plain online bagging of watched models. Measured on 10,000 rows in chunks of 1,000,
with Hoeffding trees, the same bits took 1.1 to 2.6 times as long in one thread, and, with 10 models, 3 to
4 times as long in two threads, which then wait for each other every 32 examples. So the long blocks stay.
"""

from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import (
    BLOCK,
    class_shares,
    classify,
    classify_and_share_each,
    classify_each,
    learn,
    learn_each,
    learn_run,
    reset,
)
from ...columns.examples import Examples
from ...columns.validation import EXACT_BELOW
from ...drift.windows import Windows, insert, mean_of, observe, reset_window, shrink
from ...kernels.arithmetic import log
from ...kernels.compile import Operation, copy_into, implements, kernel, record_type
from ...kernels.random import draw_in_row, poisson, poisson_each, poisson_of_rows, row_key, uniform
from ..algorithm import step, vote, vote_weights
from ..blocks import close_block, end_of_block, learn_block, open_block
from ..votes import add_shares, add_vote, set_equal_if_all_zero
from .boosting import OnlineBoosting, boost_block, copies_to_learn, error, new_block, next_lambda

DRIFT = record_type(
    [
        ("example", np.int64),
        ("member", np.int64),
        ("before", np.float64),
        ("after", np.float64),
        ("replaced", np.int64),
    ],
)


class Detectors(NamedTuple):
    """The detectors of M models, and what they found."""

    windows: Windows
    delta: float
    clock: int
    replaces_worst: bool  # whether the worst model is replaced, or each whose detector found a change
    tests_after: bool  # whether a model is tested after it has learned the example, or before
    has_risen: np.ndarray  # (M,) bool: whether the detector has just found that the error has risen
    estimates: np.ndarray  # (M, 2) errors of the model by its detector, before and after that example
    is_replaced: Annotated[np.ndarray, "M", "buffer"]  # bool
    drifts: Annotated[np.ndarray, "room", "buffer"]  # of DRIFT: what was found in this call
    counts: np.ndarray  # (3,) int64: examples so far, drifts in this call, models replaced so far


class AdaptiveBagging(NamedTuple):
    """State of ADWIN bagging or leveraging bagging of M models, with buffers for one example."""

    detectors: Detectors
    lam: float
    by_mistakes: bool  # whether models learn their mistakes, and few other examples
    # (M, K) int64: the bit that stands for each class, for each model; (0, 0) without codes
    codes: np.ndarray
    by_shares: bool  # whether class probabilities are added up, or votes counted
    by_model: bool  # whether each model learns a block alone, or all learn side by side up to a check
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
    """Let each model learn the example k ~ Poisson(λ) times; if an error has risen, replace a model.

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
    """Let each model learn the example k ~ Poisson(λ) times, λ as in online boosting; replace as above.

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


# The same algorithms in blocks. Between two replacements, bagged models have nothing to do with each other,
# so that each can learn a block before the next one does. Then the checks of their detectors are gone through
# in their order; a model that must go is replaced, and only the new one learns the rest of the block again.
# Boosted models pass λ on, so that their block ends at the next check; that is also the block of base models
# that are faster side by side.


class WatchedBlock(NamedTuple):
    """Buffers for N examples with S checks of the detectors among them."""

    rows: np.ndarray  # (N,) uint64: keys of the draws
    checks: np.ndarray  # (S,) int64: example after which each check is
    answers: np.ndarray  # (M, N) int32: class indices by each model before it learned each example
    shares: np.ndarray  # (M, N, K) class probabilities by each model before it learned each; or empty
    vote_weights: np.ndarray  # (M, N) of each model before each example
    has_risen: np.ndarray  # (M, S) bool: whether the check found that the error of the model has risen
    estimates: np.ndarray  # (M, S, 2) error by its detector, before and after the example of the check


@kernel
def n_since_check(detectors):
    """Number of examples of positive weight since the last check; it is 0 for models that learn elsewhere."""
    return detectors.windows.n_seen.max() % detectors.clock


@kernel
def end_at_check(detectors, weights, first):
    """End of a block that begins at example `first` and ends at the next check."""
    n_seen = n_since_check(detectors)
    end = min(first + BLOCK, len(weights))
    for n in range(first, end):
        n_seen += weights[n] > 0.0
        if n_seen == detectors.clock:
            return n + 1
    return end


@implements(end_of_block, AdaptiveBoosting)
def _end_of_boosted_block(algorithm, weights, first):
    return end_at_check(algorithm.detectors, weights, first)


@implements(end_of_block, AdaptiveBagging)
def _end_of_block(algorithm, weights, first):
    if algorithm.by_model:
        return min(first + BLOCK, len(weights))
    return end_at_check(algorithm.detectors, weights, first)


@implements(open_block, AdaptiveBagging)
@implements(open_block, AdaptiveBoosting)
def open_watched(algorithm, n_classes, weights, key, n_seen):
    """A block with the checks in it."""
    n_models, n_examples = len(algorithm.labels), len(weights)
    rows = np.empty(n_examples, np.uint64)
    for n in range(n_examples):
        rows[n] = row_key(key, n_seen + n)
    checks = checks_among(algorithm.detectors, weights)
    with_shares = n_examples if algorithm.by_shares and n_classes > 0 else 0
    return WatchedBlock(
        rows,
        checks,
        np.empty((n_models, n_examples), np.int32),
        np.empty((n_models, with_shares, n_classes if len(algorithm.codes) == 0 else 2)),
        np.ones((n_models, n_examples)),
        np.zeros((n_models, len(checks)), np.bool_),
        np.empty((n_models, len(checks), 2)),
    )


@kernel
def checks_among(detectors, weights):
    """The examples of a block after which the detectors are checked, (S,)."""
    checks = np.empty(len(weights), np.int64)
    n_checks = 0
    n_seen = n_since_check(detectors)
    for n in range(len(weights)):
        if weights[n] > 0.0:
            n_seen += 1
            if n_seen == detectors.clock:
                n_seen = 0
                checks[n_checks] = n
                n_checks += 1
    return checks[:n_checks]


@implements(close_block, AdaptiveBoosting)
def _replace_at_end(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    for s in range(len(block.checks)):  # none or one
        if find_replaced_at(algorithm, block, s, n_seen):
            restart_replaced(algorithm, models)
    vote_in_block(algorithm, n_classes, block, n_seen, predicted)


@implements(close_block, AdaptiveBagging)
def _replace_at_checks(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    """Replace models where a check demands it, and let the new ones learn the rest of the block."""
    for s in range(len(block.checks)):
        if find_replaced_at(algorithm, block, s, n_seen):
            n = block.checks[s] + 1
            for m in range(len(algorithm.labels)):
                if algorithm.detectors.is_replaced[m]:
                    restart(algorithm, models, m)
                    learn_alone(algorithm, models, m, examples, labels, weights, block, n, s + 1)
    vote_in_block(algorithm, n_classes, block, n_seen, predicted)


@kernel
def find_replaced_at(algorithm, block, s, n_seen):
    """`find_replaced` at check `s` of a block; `n_seen` examples came before the block."""
    detectors = algorithm.detectors
    for m in range(len(algorithm.labels)):
        detectors.has_risen[m] = block.has_risen[m, s]
        detectors.estimates[m, 0] = block.estimates[m, s, 0]
        detectors.estimates[m, 1] = block.estimates[m, s, 1]
    detectors.counts[0] = n_seen + block.checks[s]
    return find_replaced(detectors)


@kernel
def vote_in_block(algorithm, n_classes, block, n_seen, predicted):
    """Write the class index voted for before each example into `predicted`; count the examples."""
    algorithm.detectors.counts[0] = n_seen + len(block.rows)
    for n in range(len(predicted)):
        votes = np.zeros(n_classes)
        set_equal_if_all_zero(block.vote_weights[:, n])
        for m in range(len(block.vote_weights)):
            if algorithm.by_shares:
                add_shares(votes, block.vote_weights[m, n], block.shares[m, n], algorithm.codes, m)
            else:
                add_vote(votes, block.vote_weights[m, n], block.answers[m, n], algorithm.codes, m)
        predicted[n] = votes.argmax()


@implements(learn_block, AdaptiveBagging)
def _learn_block(algorithm, models, first, end, examples, labels, weights, block):
    if algorithm.by_model:
        for m in range(first, end):
            learn_alone(algorithm, models, m, examples, labels, weights, block, 0, 0)
    else:
        learn_side_by_side(algorithm, models, examples, labels, weights, block)


@kernel
def learn_alone(algorithm, models, m, examples, labels, weights, block, first, check):
    """Let model `m` learn the examples of a block from `first` on, with its detector, next at `check`."""
    detectors, n_examples = algorithm.detectors, len(labels) - first
    part = Examples(examples.codes[first:], examples.numbers[first:])
    targets = np.empty(n_examples, np.int64)
    for n in range(n_examples):
        targets[n] = target(algorithm, m, labels[first + n])
    answers = block.answers[m, first:]
    is_wrong = np.empty(n_examples, np.bool_)
    if algorithm.by_mistakes:
        learn_by_mistakes(algorithm, models, m, examples, targets, weights, block, first, check)
        return
    copies = np.empty(n_examples)
    poisson_of_rows(algorithm.lam * weights[first:], block.rows[first:], m, copies)
    shares = block.shares[m, first:]
    is_right = np.empty(n_examples if detectors.tests_after else 0, np.bool_)
    learn_run(models, m, part, targets, copies, answers, shares, is_right)
    for n in range(n_examples):
        is_wrong[n] = not is_right[n] if detectors.tests_after else answers[n] != targets[n]
    watch_each(detectors, m, is_wrong, weights[first:], block, check)


@kernel
def learn_by_mistakes(algorithm, models, m, examples, targets, weights, block, first, check):
    """Do the same where the weight of an example depends on the detector."""
    detectors = algorithm.detectors
    for n in range(first, len(weights)):
        before = classify(models, m, examples, n)
        block.answers[m, n] = before
        if block.shares.shape[1] > 0:
            shares = shares_of(algorithm, models, m, block.shares.shape[2], examples, n)
            copy_into(block.shares[m, n], shares)
        wanted = targets[n - first]
        k = weight_of_mistake(detectors, m, before != wanted, weights[n], block.rows[n])
        learn(models, m, examples, n, wanted, k)
        answer = classify(models, m, examples, n) if detectors.tests_after else before
        check = watch_one(detectors, m, answer != wanted, weights[n], block, check)


@kernel
def learn_side_by_side(algorithm, models, examples, labels, weights, block):
    """Let all models learn one example after the other; the last one may be a check."""
    n_models, n_examples = len(algorithm.labels), len(labels)
    is_wrong = np.empty((n_models, n_examples), np.bool_)
    for n in range(n_examples):
        if block.shares.shape[1] > 0:
            classify_and_share_each(models, examples, n, algorithm.labels, block.shares[:, n])
        else:
            classify_each(models, examples, n, algorithm.labels)
        for m in range(n_models):
            block.answers[m, n] = algorithm.labels[m]
        poisson_each(algorithm.lam * weights[n], block.rows[n], algorithm.copies)
        learn_each(models, examples, n, labels[n], algorithm.copies)
        if algorithm.detectors.tests_after:
            classify_each(models, examples, n, algorithm.labels)
        for m in range(n_models):
            is_wrong[m, n] = algorithm.labels[m] != labels[n]
    for m in range(n_models):
        watch_each(algorithm.detectors, m, is_wrong[m], weights, block, 0)


@implements(learn_block, AdaptiveBoosting)
def _learn_boosted_block(algorithm, models, first, end, examples, labels, weights, block):
    n_examples = len(labels)
    passing = new_block(weights, block.rows, 1, n_examples)
    errors = passing.errors[0]
    for m in range(first, end):
        boost_block(algorithm.online, models, m, examples, labels, passing, errors, block.shares[m])
        for n in range(n_examples):
            block.answers[m, n] = passing.before[n]
            block.vote_weights[m, n] = vote_weight(algorithm, m, errors[n])
            count_since_start(algorithm, m, weights[n])
            passing.is_right[n] = not passing.is_right[n]
        watch_each(algorithm.detectors, m, passing.is_right, weights, block, 0)


@kernel
def watch_each(detectors, m, is_wrong, weights, block, check):
    """Tell the detector of model `m` about examples in turn; `check` is the first check among them."""
    for n in range(len(weights)):
        check = watch_one(detectors, m, is_wrong[n], weights[n], block, check)


@kernel(counts=False, inline=True)
def watch_one(detectors, m, is_wrong, weight, block, check):
    """Tell the detector of model `m` about one example; returns the number of the next check."""
    windows = detectors.windows
    if weight == 0.0:
        return check
    before, width = windows.totals[m], windows.widths[m]
    insert(windows, m, 1.0 if is_wrong else 0.0)
    if windows.n_seen[m] % detectors.clock != 0:
        return check
    is_cut = shrink(windows, m, detectors.delta)
    block.estimates[m, check, 0] = before / max(width, 1)
    block.estimates[m, check, 1] = windows.totals[m] / max(windows.widths[m], 1)
    block.has_risen[m, check] = is_cut and block.estimates[m, check, 1] > block.estimates[m, check, 0]
    return check + 1
