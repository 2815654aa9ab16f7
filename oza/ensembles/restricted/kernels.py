"""Perceptrons that combine the probabilities of restricted trees, as kernels."""

import numpy as np

from ...classifier.contract import class_shares, learn, reset
from ...columns.examples import Examples
from ...drift.windows import mean_of, observe, reset_window
from ...kernels.arithmetic import log, sigmoid
from ...kernels.compile import kernel

OFFSET = 0.001  # added to each class probability, so that their odds are finite
SINCE = 10  # examples that the learning rate counts at the start and after a cut


@kernel
def learn_alone(models, windows, t, delta, clock, examples, labels, weights, shares, is_cut, is_reset):
    """Let tree `t`, the only one in `models`, predict each example and learn from it.

    Writes its class probabilities before it learned into `shares`, (N, K), and into bool arrays, (N,), where
    its detector, a row of `windows`, cut its window (`is_cut`), and where the tree was replaced, since its
    error had risen (`is_reset`).
    """
    for n in range(len(labels)):
        one = Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])
        shares[n] = class_shares(models, 0, shares.shape[1], one)[0]
        is_cut[n] = is_reset[n] = False
        if weights[n] > 0.0:
            error = mean_of(windows, t)
            is_wrong = 1.0 if shares[n].argmax() != labels[n] else 0.0
            is_cut[n] = observe(windows, t, is_wrong, delta, clock)
            is_reset[n] = is_cut[n] and mean_of(windows, t) > error
            if is_reset[n]:
                reset(models, 0)
                reset_window(windows, t)
            learn(models, 0, examples, n, labels[n], weights[n])


@kernel
def write_log_odds(shares, n, odds):
    """Write the log-odds of each class by each tree for example `n` into `odds`, (T, K); they are bounded."""
    for t in range(len(odds)):
        for c in range(odds.shape[1]):
            share = shares[t, n, c]
            odds[t, c] = log((share + OFFSET) / (1.0 - share + (odds.shape[1] - 1) * OFFSET))


@kernel
def outputs(coefficients, odds):
    """Output of each perceptron, (K,), given log-odds (T, K) of an example; the last weight is constant."""
    n_trees, n_classes = odds.shape
    found = np.empty(n_classes)
    for c in range(n_classes):
        total = coefficients[c, n_trees]
        for t in range(n_trees):
            total += coefficients[c, t] * odds[t, c]
        found[c] = sigmoid(total)
    return found


@kernel
def outputs_of_all(coefficients, shares):
    """Outputs, (N, K), for the class probabilities of T trees, (T, N, K)."""
    n_trees, n_examples, n_classes = shares.shape
    found = np.empty((n_examples, n_classes))
    odds = np.empty((n_trees, n_classes))
    for n in range(n_examples):
        write_log_odds(shares, n, odds)
        found[n] = outputs(coefficients, odds)
    return found


@kernel
def stack(coefficients, since, shares, is_cut, is_reset, labels, weights):
    """Let the perceptrons predict each example and learn from it; returns the class indices, (N,).

    `shares` is (T, N, K), `is_cut` and `is_reset` are (T, N), as by `learn_alone`; `since`, int64 of shape
    (1,), counts the examples since the latest cut.
    """
    n_trees, n_examples, n_classes = shares.shape
    predicted = np.empty(n_examples, np.int64)
    odds = np.empty((n_trees, n_classes))
    for n in range(n_examples):
        write_log_odds(shares, n, odds)
        found = outputs(coefficients, odds)
        predicted[n] = found.argmax()
        if not weights[n] > 0.0:
            continue
        if is_cut[:, n].any():
            for t in range(n_trees):
                if is_reset[t, n]:
                    coefficients[:, t] = 0.0
            since[0] = SINCE
            found = outputs(coefficients, odds)
        rate = 2.0 / (since[0] + n_trees + 2.0)
        for c in range(n_classes):
            target = 1.0 if c == labels[n] else 0.0
            step = rate * (target - found[c]) * found[c] * (1.0 - found[c])
            for t in range(n_trees):
                coefficients[c, t] += step * odds[t, c]
            coefficients[c, n_trees] += step
        since[0] += 1
    return predicted
