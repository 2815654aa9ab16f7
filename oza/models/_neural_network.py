"""A neural network of one hidden layer (thesis section 2.1.3), as kernels."""

import math
from typing import NamedTuple

import numpy as np

from .._arithmetic import sigmoid
from .._compile import kernel, verb_for
from .._kinds import take
from .._lanes import LANES, add_to_rows, sum_rows
from .._random import draw_in_row, row_key, uniform
from ._verbs import (
    classify,
    classify_each,
    learn,
    learn_batch,
    learn_batch_each,
    learn_each,
    learn_scaled,
    prepare,
)

MOST_COPIES = 100.0  # of one example: the cost of an update grows with its weight


class NeuralNetwork(NamedTuple):
    """Weights of M networks, with H hidden units, K classes and I inputs, the first of them always 1.

    An input is the bias, a value of a nominal attribute (the second one of two-valued attributes)
    or a numeric attribute, in this order. Rows hold H + 1 numbers and zeros up to the width W;
    number H belongs to the hidden unit that is always 1, the bias of the outputs.
    """

    first: np.ndarray  # (M, I, W): from each input to the hidden units
    second: np.ndarray  # (M, K, W): to each output from the hidden units
    n_updates: np.ndarray  # (M,) int64
    n_bounded: np.ndarray  # (M,) int64: how often a weight was above MOST_COPIES
    inputs: np.ndarray  # (V,) int64: the input that a nominal value switches on, −1 for none
    n_hidden: int
    learning_rate: float
    epochs: int
    updates: int
    on: np.ndarray  # (A + 1,) int64, room for one example: the inputs that are 1,
    hidden: np.ndarray  # (W,) the hidden units,
    slopes: np.ndarray  # (W,) what each of them contributed to the error,
    outputs: np.ndarray  # (K,) and the outputs


@take.register
def _take(models: NeuralNetwork, members) -> NeuralNetwork:
    counted = {name: getattr(models, name)[members] for name in ("first", "second", "n_updates", "n_bounded")}
    return models._replace(**counted)


def width_of(n_hidden: int) -> int:
    """Numbers in a row of weights for `n_hidden` hidden units."""
    return -(-(n_hidden + 1) // LANES) * LANES


@kernel
def draw_weights(models, initial_range, key):
    """Weights of every model, uniform within ± `initial_range`, keyed by model and weight."""
    for m in range(len(models.first)):
        row = row_key(key, m)
        place = 0
        for i in range(models.first.shape[1]):
            for j in range(models.n_hidden):
                models.first[m, i, j] = initial_range * (2.0 * uniform(draw_in_row(row, place)) - 1.0)
                place += 1
        for k in range(models.second.shape[1]):
            for j in range(models.n_hidden + 1):
                models.second[m, k, j] = initial_range * (2.0 * uniform(draw_in_row(row, place)) - 1.0)
                place += 1


@kernel(inline=True)
def _switch_on(models, examples, n):
    """List in `on` the inputs that example `n` makes 1, and return how many these are."""
    models.on[0] = 0
    n_on = 1
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0 and models.inputs[v] >= 0:
            models.on[n_on] = models.inputs[v]
            n_on += 1
    return n_on


@kernel(inline=True)
def feed_forward(models, m, numbers, n_on):
    """Work out the hidden units and the outputs, each sum in one order: of inputs, of hidden units."""
    hidden = models.hidden
    first = models.first[m]
    width = len(hidden)
    for j in range(0, width, LANES):
        sum_rows(hidden, j, first, models.on, n_on)
    n_others = len(first) - len(numbers)
    for d in range(len(numbers)):
        weights = first[n_others + d]
        for j in range(width):
            hidden[j] += weights[j] * numbers[d]
    for j in range(width):
        hidden[j] = sigmoid(hidden[j])
    n_hidden = models.n_hidden
    for j in range(n_hidden, width):
        hidden[j] = 0.0
    hidden[n_hidden] = 1.0
    outputs = models.outputs
    for k in range(len(outputs)):
        weights = models.second[m, k]
        total = 0.0
        for j in range(n_hidden + 1):
            total += weights[j] * hidden[j]
        outputs[k] = total
    for k in range(len(outputs)):
        outputs[k] = sigmoid(outputs[k])


@kernel(inline=True)
def _update(models, m, numbers, n_on, label, step):
    """One step of length `step` down the gradient of half the squared error of one example."""
    feed_forward(models, m, numbers, n_on)
    hidden = models.hidden
    slopes = models.slopes
    first = models.first[m]
    width = len(hidden)
    for j in range(width):
        slopes[j] = 0.0
    for k in range(len(models.outputs)):
        output = models.outputs[k]
        slope = ((1.0 if k == label else 0.0) - output) * output * (1.0 - output)
        weights = models.second[m, k]
        for j in range(width):
            slopes[j] += weights[j] * slope
        slope = step * slope
        for j in range(width):
            weights[j] += slope * hidden[j]
    for j in range(width):
        slopes[j] = step * (hidden[j] * (1.0 - hidden[j]) * slopes[j])
    for j in range(0, width, LANES):
        add_to_rows(first, models.on, n_on, slopes, j)
    n_others = len(first) - len(numbers)
    for d in range(len(numbers)):
        weights = first[n_others + d]
        for j in range(width):
            weights[j] += slopes[j] * numbers[d]
    models.n_updates[m] += 1


@kernel(inline=True)
def _bounded(models, m, weight):
    """`weight`, but no more than MOST_COPIES; counts where it was more."""
    models.n_bounded[m] += weight > MOST_COPIES
    return min(weight, MOST_COPIES)


@kernel(inline=True)
def _learn_copies(models, m, numbers, n_on, label, weight):
    """Do the updates of an example for each whole copy, then, with a shorter step, for the rest."""
    weight = _bounded(models, m, weight)
    whole = math.floor(weight)
    for _ in range(whole * models.updates):
        _update(models, m, numbers, n_on, label, models.learning_rate)
    if weight > whole:
        for _ in range(models.updates):
            _update(models, m, numbers, n_on, label, models.learning_rate * (weight - whole))


@verb_for(learn, NeuralNetwork)
def _learn(models, m, examples, n, label, weight):
    _learn_copies(models, m, examples.numbers[n], _switch_on(models, examples, n), label, weight)


@verb_for(learn_each, NeuralNetwork)
def _learn_each(models, examples, n, label, weights):
    n_on = _switch_on(models, examples, n)
    for m in range(len(weights)):
        _learn_copies(models, m, examples.numbers[n], n_on, label, weights[m])


@verb_for(learn_scaled, NeuralNetwork)
def _learn_scaled(models, m, examples, n, label, weight):
    step = models.learning_rate * _bounded(models, m, weight)
    if step > 0.0:
        n_on = _switch_on(models, examples, n)
        for _ in range(models.updates):
            _update(models, m, examples.numbers[n], n_on, label, step)


@verb_for(learn_batch, NeuralNetwork)
def _learn_batch(models, m, examples, labels, weights, sample):
    for _ in range(models.epochs):
        for n in sample:
            step = models.learning_rate * _bounded(models, m, weights[n])
            if step > 0.0:
                n_on = _switch_on(models, examples, n)
                _update(models, m, examples.numbers[n], n_on, labels[n], step)


@verb_for(learn_batch_each, NeuralNetwork)
def _learn_batch_each(models, examples, labels, weights, samples):
    for m in range(len(samples)):
        learn_batch(models, m, examples, labels, weights, samples[m])


@kernel(inline=True)
def _largest_output(models, m, examples, n, n_on):
    """Class of the largest output, the first of equals; −1 before the first update."""
    if models.n_updates[m] == 0:
        return -1
    feed_forward(models, m, examples.numbers[n], n_on)
    best = 0
    for k in range(1, len(models.outputs)):
        if models.outputs[k] > models.outputs[best]:
            best = k
    return best


@verb_for(classify, NeuralNetwork)
def _classify(models, m, examples, n):
    return _largest_output(models, m, examples, n, _switch_on(models, examples, n))


@verb_for(prepare, NeuralNetwork)
def _prepare(models):
    """The same weights with room of their own, so that predictions may run side by side."""
    return NeuralNetwork(
        models.first,
        models.second,
        models.n_updates,
        models.n_bounded,
        models.inputs,
        models.n_hidden,
        models.learning_rate,
        models.epochs,
        models.updates,
        np.empty_like(models.on),
        np.empty_like(models.hidden),
        np.empty_like(models.slopes),
        np.empty_like(models.outputs),
    )


@verb_for(classify_each, NeuralNetwork)
def _classify_each(prepared, examples, n, labels):
    n_on = _switch_on(prepared, examples, n)
    for m in range(len(labels)):
        labels[m] = _largest_output(prepared, m, examples, n, n_on)


@kernel
def output_shares(models, examples):
    """Outputs of one model, divided by their sum, (N, K); equal shares before the first update."""
    n_classes = models.second.shape[1]
    shares = np.ones((len(examples.codes), n_classes))
    prepared = prepare(models)
    for n in range(len(shares)):
        if models.n_updates[0] > 0:
            feed_forward(prepared, 0, examples.numbers[n], _switch_on(prepared, examples, n))
            shares[n] = prepared.outputs
        total = 0.0
        for k in range(n_classes):
            total += shares[n, k]
        for k in range(n_classes):
            shares[n, k] /= total
    return shares
