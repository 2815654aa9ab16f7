"""A neural network of one hidden layer (thesis section 2.1.3), as kernels."""

import math
from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import (
    class_shares,
    classify,
    classify_each,
    learn,
    learn_batch,
    learn_batch_each,
    learn_each,
    learn_scaled,
    prepare,
    reset,
)
from ...kernels.arithmetic import sigmoid
from ...kernels.compile import copy_into, implements, kernel
from ...kernels.random import draw_in_row, row_key, uniform
from ...kernels.simd import SIMD_WIDTH, add_to_rows, sum_rows

MOST_COPIES = 100.0  # of one example: the cost of an update grows with its weight
OUTPUTS = 8  # outputs that are computed together, as a vector


class NeuralNetwork(NamedTuple):
    """Weights of M networks, with H hidden units, K classes and I inputs, the first of them always 1.

    The inputs are the bias, the values of nominal attributes (for two-valued attributes only the
    second) and the numeric attributes, in this order. A row of weights has H + 1 numbers, padded with
    zeros to the width W; number H is the weight of the bias of the outputs, a unit that is always 1.
    """

    first: Annotated[np.ndarray, "M, I, W", "any"]  # from each input to the hidden units
    second: Annotated[np.ndarray, "M, K, W", "any"]  # to each output from the hidden units
    n_updates: Annotated[np.ndarray, "M"]  # int64
    n_bounded: Annotated[np.ndarray, "M"]  # int64: how often a weight was above MOST_COPIES
    inputs: Annotated[np.ndarray, "V"]  # int64: the input that a nominal value sets to 1, −1 for none
    n_hidden: int
    learning_rate: float
    epochs: int
    updates: int
    initial_range: float
    key: int  # key of the random draws of all weights
    input_keys: Annotated[np.ndarray, "I"]  # uint64: key of the draws of the weights from each input,
    input_places: Annotated[np.ndarray, "I", "any"]  # int64: and index of the first of these draws
    output_keys: Annotated[np.ndarray, "K"]  # uint64: the same for the weights to each output
    output_places: Annotated[np.ndarray, "K", "any"]
    on: Annotated[np.ndarray, "A + 1"]  # int64; buffers for one example: the inputs that are 1,
    sums: Annotated[np.ndarray, "W"]  # the weighted sums of the hidden units,
    hidden: Annotated[np.ndarray, "W"]  # their activations,
    slopes: Annotated[np.ndarray, "W"]  # the error propagated back to each of them,
    moves: Annotated[np.ndarray, "W"]  # the accumulated update of the weights from an input of 1,
    outputs: Annotated[np.ndarray, "K rounded up"]  # and the outputs, up to a multiple of OUTPUTS


@implements(reset, NeuralNetwork)
def _reset(models, m):
    for i in range(models.first.shape[1]):
        draw_weights_from(models, m, i)
    for k in range(models.second.shape[1]):
        draw_weights_to(models, m, k)
    models.n_updates[m] = 0
    models.n_bounded[m] = 0


@kernel
def draw_weights_from(models, m, i):
    """Draw the weights of model `m` from input `i`, uniform within ± `initial_range`."""
    row = row_key(models.input_keys[i], m)
    for j in range(models.n_hidden):
        u = uniform(draw_in_row(row, models.input_places[i] + j))
        models.first[m, i, j] = models.initial_range * (2.0 * u - 1.0)


@kernel
def draw_weights_to(models, m, k):
    """Draw the weights of model `m` to output `k`."""
    row = row_key(models.output_keys[k], m)
    for j in range(models.n_hidden + 1):
        u = uniform(draw_in_row(row, models.output_places[k] + j))
        models.second[m, k, j] = models.initial_range * (2.0 * u - 1.0)


@kernel
def draw_new_weights(models, is_new_input, is_new_output):
    """Draw the weights of all models from new inputs, a mask (I,), and to new outputs, a mask (K,)."""
    for m in range(len(models.first)):
        for i in range(len(is_new_input)):
            if is_new_input[i]:
                draw_weights_from(models, m, i)
        for k in range(len(is_new_output)):
            if is_new_output[k]:
                draw_weights_to(models, m, k)


@kernel
def _switch_on(models, examples, n):
    """List in `on` the inputs that are 1 in example `n`, and return their number."""
    models.on[0] = 0
    n_on = 1
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0 and models.inputs[v] >= 0:
            models.on[n_on] = models.inputs[v]
            n_on += 1
    return n_on


@kernel
def _add_inputs(models, m, numbers, n_on):
    """Compute the weighted sum of each hidden unit: first the inputs that are 1, then `numbers`, (D,)."""
    sums = models.sums
    first = models.first[m]
    for start in range(0, len(sums), SIMD_WIDTH):
        sum_rows(sums, start, first, models.on, n_on)
    n_others = len(first) - len(numbers)
    for d in range(len(numbers)):
        weights = first[n_others + d]
        for j in range(len(sums)):
            sums[j] += weights[j] * numbers[d]


@kernel
def _respond(models, m):
    """Compute the activations of the hidden units from their sums, then the outputs."""
    sums, hidden, outputs = models.sums, models.hidden, models.outputs
    for j in range(len(hidden)):
        hidden[j] = sigmoid(sums[j])
    n_hidden = models.n_hidden
    for j in range(n_hidden, len(hidden)):
        hidden[j] = 0.0
    hidden[n_hidden] = 1.0
    for k in range(models.second.shape[1]):
        weights = models.second[m, k]
        total = 0.0
        for j in range(n_hidden + 1):
            total += weights[j] * hidden[j]
        outputs[k] = total
    for k in range(len(outputs)):
        outputs[k] = sigmoid(outputs[k])


@kernel
def _step(models, m, label, step, square):
    """Make one step of gradient descent on half the squared error, and update the sums accordingly.

    The weights from the inputs are not changed; `moves` accumulates the update of those of an input of
    1. `square` is the sum of the squared inputs.
    """
    sums, hidden, slopes, moves = models.sums, models.hidden, models.slopes, models.moves
    width = len(hidden)
    for j in range(width):
        slopes[j] = 0.0
    for k in range(models.second.shape[1]):
        output = models.outputs[k]
        slope = ((1.0 if k == label else 0.0) - output) * output * (1.0 - output)
        weights = models.second[m, k]
        for j in range(width):
            slopes[j] += weights[j] * slope
        slope = step * slope
        for j in range(width):
            weights[j] += slope * hidden[j]
    for j in range(width):
        move = step * (hidden[j] * (1.0 - hidden[j]) * slopes[j])
        moves[j] += move
        sums[j] += move * square


@kernel
def _update(models, m, numbers, n_on, label, n_steps, step, n_more, shorter):
    """Make `n_steps` steps of length `step` for one example, then `n_more` of length `shorter`.

    The inputs do not change, so their weighted sums are computed once, and their weights are updated
    once, at the end.
    """
    square = float(n_on)  # the sum of the squared inputs
    for d in range(len(numbers)):
        square += numbers[d] * numbers[d]
    _add_inputs(models, m, numbers, n_on)
    moves = models.moves
    for j in range(len(moves)):
        moves[j] = 0.0
    for s in range(n_steps + n_more):
        _respond(models, m)
        _step(models, m, label, step if s < n_steps else shorter, square)
    first = models.first[m]
    for start in range(0, len(moves), SIMD_WIDTH):
        add_to_rows(first, models.on, n_on, moves, start)
    n_others = len(first) - len(numbers)
    for d in range(len(numbers)):
        weights = first[n_others + d]
        for j in range(len(moves)):
            weights[j] += moves[j] * numbers[d]
    models.n_updates[m] += n_steps + n_more


@kernel
def _bounded(models, m, weight):
    """`weight`, bounded by MOST_COPIES; counts how often it is bounded."""
    models.n_bounded[m] += weight > MOST_COPIES
    return min(weight, MOST_COPIES)


@kernel
def _learn_copies(models, m, numbers, n_on, label, weight):
    """Make the updates of an example for each whole copy, and shorter ones for the fractional rest."""
    weight = _bounded(models, m, weight)
    whole = math.floor(weight)
    rate, updates = models.learning_rate, models.updates
    n_more = updates if weight > whole else 0
    if weight > 0.0:
        _update(models, m, numbers, n_on, label, whole * updates, rate, n_more, rate * (weight - whole))


@implements(learn, NeuralNetwork)
def _learn(models, m, examples, n, label, weight):
    _learn_copies(models, m, examples.numbers[n], _switch_on(models, examples, n), label, weight)


@implements(learn_each, NeuralNetwork)
def _learn_each(models, examples, n, label, weights):
    n_on = _switch_on(models, examples, n)
    for m in range(len(weights)):
        _learn_copies(models, m, examples.numbers[n], n_on, label, weights[m])


@kernel
def _learn_weighted(models, m, numbers, n_on, label, weight, n_steps):
    """Make `n_steps` steps whose length is multiplied by `weight`."""
    weight = _bounded(models, m, weight)
    if weight > 0.0:
        _update(models, m, numbers, n_on, label, n_steps, models.learning_rate * weight, 0, 0.0)


@implements(learn_scaled, NeuralNetwork)
def _learn_scaled(models, m, examples, n, label, weight):
    n_on = _switch_on(models, examples, n)
    _learn_weighted(models, m, examples.numbers[n], n_on, label, weight, models.updates)


@implements(learn_batch, NeuralNetwork)
def _learn_batch(models, m, examples, labels, weights, sample):
    for _ in range(models.epochs):
        for n in sample:
            n_on = _switch_on(models, examples, n)
            _learn_weighted(models, m, examples.numbers[n], n_on, labels[n], weights[n], 1)


@implements(learn_batch_each, NeuralNetwork)
def _learn_batch_each(models, examples, labels, weights, samples):
    for m in range(len(samples)):
        learn_batch(models, m, examples, labels, weights, samples[m])


@kernel
def _largest_output(models, m, examples, n, n_on):
    """Class of the largest output, the first in a tie; −1 before the first update."""
    if models.n_updates[m] == 0:
        return -1
    _add_inputs(models, m, examples.numbers[n], n_on)
    _respond(models, m)
    best = 0
    for k in range(1, models.second.shape[1]):
        if models.outputs[k] > models.outputs[best]:
            best = k
    return best


@implements(classify, NeuralNetwork)
def _classify(models, m, examples, n):
    return _largest_output(models, m, examples, n, _switch_on(models, examples, n))


@implements(prepare, NeuralNetwork)
def _prepare(models):
    """The same weights with separate buffers, so that predictions can run concurrently."""
    on, sums, hidden, slopes, moves, outputs = models[-6:]
    inner = np.empty_like(sums), np.empty_like(hidden), np.empty_like(slopes), np.empty_like(moves)
    buffers = np.empty_like(on), *inner, np.zeros_like(outputs)
    return NeuralNetwork(*(models[:-6] + buffers))


@implements(classify_each, NeuralNetwork)
def _classify_each(prepared, examples, n, labels):
    n_on = _switch_on(prepared, examples, n)
    for m in range(len(labels)):
        labels[m] = _largest_output(prepared, m, examples, n, n_on)


@implements(class_shares, NeuralNetwork)
def _class_shares(models, m, n_classes, examples):
    """Outputs of model `m` divided by their sum, (N, K); equal before the first update."""
    shares = np.ones((len(examples.codes), n_classes))
    prepared = prepare(models)
    for n in range(len(shares)):
        if models.n_updates[m] > 0:
            _add_inputs(prepared, m, examples.numbers[n], _switch_on(prepared, examples, n))
            _respond(prepared, m)
            copy_into(shares[n], prepared.outputs[:n_classes])
        total = 0.0
        for k in range(n_classes):
            total += shares[n, k]
        for k in range(n_classes):
            shares[n, k] /= total
    return shares
