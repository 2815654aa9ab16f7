"""Training in blocks: each base model is trained on a block of examples before the next model is.

This is faster than `learn_in_turn` where the data of one model then stay in the processor's cache, and
threads can divide the models among them. The bits are the same. An algorithm takes part by implementing
`open_block`, `learn_block` and `close_block`; its block is a NamedTuple of buffers of its own.
"""

from contextlib import nullcontext
from functools import partial

from ..classifier.contract import BLOCK
from ..columns.examples import Examples
from ..kernels.compile import Operation, RunsInPython, kernel
from ..kernels.undivided import undivided
from .algorithm import empty_predictions
from .threads import threads


@Operation
def end_of_block(algorithm, weights, first):
    """End of the block that begins at example `first`; `weights` are those of all examples."""
    return min(first + BLOCK, len(weights))


@Operation
def open_block(algorithm, n_classes, weights, key, n_seen):
    """A block of examples with these weights, (N,), of which `n_seen` came before.

    With `n_classes` 0 no votes are asked for, here and in `close_block`.
    """
    raise NotImplementedError


@Operation
def learn_block(algorithm, models, first, end, examples, labels, weights, block):
    """Train the models from `first` to `end` on a block, one after the other."""
    raise NotImplementedError


@Operation
def close_block(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    """Do what concerns all models after training on a block, and write their votes into `predicted`."""
    raise NotImplementedError


@kernel
def learn_in_blocks(algorithm, models, n_classes, examples, labels, weights, key, seen):
    """Do as `learn_in_turn`, block by block."""
    predicted = empty_predictions(len(labels), n_classes)
    first = 0
    while first < len(labels):
        end = end_of_block(algorithm, weights, first)
        part = Examples(examples.codes[first:end], examples.numbers[first:end])
        y, w = labels[first:end], weights[first:end]
        block = open_block(algorithm, n_classes, w, key, seen[0])
        learn_block(algorithm, models, 0, len(algorithm.labels), part, y, w, block)
        close_block(algorithm, models, n_classes, part, y, w, block, seen[0], predicted[first:end])
        seen[0] += end - first
        first = end
    return predicted


def learn_in_threads(states, members, algorithm, n_classes, examples, labels, weights, key, seen):
    """Do as `learn_in_blocks` with the base models `members`, in threads.

    `states` holds all base models once for each thread.
    """
    predicted = empty_predictions(len(labels), n_classes)
    whole = nullcontext if isinstance(states[0], RunsInPython) else undivided
    with threads(states, members) as run:
        first = 0
        while first < len(labels):
            end = end_of_block(algorithm, weights, first)
            part = Examples(examples.codes[first:end], examples.numbers[first:end])
            rows = part, labels[first:end], weights[first:end]
            with whole():
                block = open_block(algorithm, n_classes, rows[2], key, int(seen[0]))
                run(partial(learn_block, algorithm), *rows, block)
                votes = predicted[first:end]
                close_block(algorithm, states[0], n_classes, *rows, block, int(seen[0]), votes)
                seen[0] += end - first
            first = end
    return predicted
