"""The interface of a base model: required operations, optional faster ones, and methods for ensembles.

The state of M base models of one type is one value, a NamedTuple of arrays. A base-model type consists of
this state, a classifier of one model (`BaseModel`), and two operations, which kernels call:

    learn(models, m, examples, n, label, weight)    train model m on example n, which counts `weight` times
    classify(models, m, examples, n)                the class index that model m gives to example n

Every other operation in this file has a default in terms of these two. A base-model type that can do better
registers its own with `implements(operation, State)`. An ensemble calls only operations, so it works
with every type, and numba compiles it for each as if it had been written for it.

In all operations,

    models    state of M base models; their arrays change in place, and are annotated as `kernels.states` says
    m         int: index of a model
    examples  `Examples`: codes (N, A) int32, −1 for a value that is unknown; numbers (N, D) float64
    n         int: index of an example
    label     int: its class index
    weight    float ≥ 0; with 0 nothing is learned
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.table import check_X
from ..columns.validation import EXACT_BELOW
from ..kernels.compile import Operation, RunsInPython, copy_into, kernel
from ..kernels.states import NUMBERED, arrays_of, check_axes, name_of

# Fewest examples that are learned in a block, model by model, and for which copying a model out of the state
# pays off. Chunks of 4 then take .3 to 1.4 times as long as one example after the other, by ensemble and base
# model; in blocks of one, online boosting would take 1.3 to 2.8 times as long.
LONG_ENOUGH = 4
BLOCK = 1024  # examples learned or classified together: their data for one model fit into the L2 cache

# Required of every base model


@Operation
def learn(models, m, examples, n, label, weight):
    """Train base model `m` on example `n`, which counts `weight` times; with weight 0 nothing changes."""
    raise NotImplementedError


@Operation
def classify(models, m, examples, n):
    """Class index that base model `m` gives to example `n`; −1 if the model has not been trained."""
    raise NotImplementedError


# All models at once


@Operation
def learn_each(models, examples, n, label, weights):
    """Train every base model m on example `n` with weight `weights[m]`, of shape (M,)."""
    for m in range(len(weights)):
        learn(models, m, examples, n, label, weights[m])


@Operation
def classify_each(models, examples, n, labels):
    """Write into `labels[m]`, int32 of shape (M,), the class index by each base model m."""
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)


# A batch of predictions


@Operation
def prepare(models):
    """Precompute what classifying many examples needs; the result is the input of `classify_block`."""
    return models


@Operation
def classify_block(prepared, examples, first, labels):
    """Write into `labels[i, m]`, int32 of shape (N, M), the class of example `first` + i by each model m."""
    for i in range(len(labels)):
        classify_each(prepared, examples, first + i, labels[i])


# Probabilities


@Operation
def class_shares(models, m, n_classes, examples):
    """Class probabilities of each example by model `m`, (N, K); equal if the model has not been trained.

    By default, 1 for the class that it gives.
    """
    shares = np.zeros((len(examples.codes), n_classes))
    for n in range(len(shares)):
        label = classify(models, m, examples, n)
        if label < 0:
            shares[n] = 1.0 / n_classes
        else:
            shares[n, label] = 1.0
    return shares


@Operation
def classify_and_share_each(models, examples, n, labels, shares):
    """Write class index and class probabilities of example `n` by each model into `labels` and `shares`.

    `labels` is int32 of shape (M,), `shares` of shape (M, K).
    """
    one = Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)
        copy_into(shares[m], class_shares(models, m, shares.shape[1], one)[0])


# A training set


@Operation
def learn_scaled(models, m, examples, n, label, weight):
    """Train base model `m` on example `n` once, with a weight.

    Differs from `learn` if a weighted example is not equivalent to copies of it, as in a network.
    """
    learn(models, m, examples, n, label, weight)


@Operation
def learn_batch(models, m, examples, labels, weights, sample):
    """Train base model `m` on a training set: the examples with the indices `sample`, int32, in order.

    This is the batch learner L_b of the pseudo-code. It differs from `learn` for each example if
    batch mode makes several passes through the training set.
    """
    copies = np.zeros(len(labels))
    for n in sample:
        copies[n] += 1.0
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n] * copies[n])


@Operation
def learn_batch_each(models, examples, labels, weights, samples):
    """Train every base model m on its own training set, `samples[m]`; `samples` is int32 of shape (M, N)."""
    # Models come last, as in the states: contiguous in memory.
    copies = np.zeros((len(labels), len(samples)), np.int32)
    for m in range(len(samples)):
        for n in samples[m]:
            copies[n, m] += 1
    for n in range(len(labels)):
        learn_each(models, examples, n, labels[n], weights[n] * copies[n])


# Learning and testing one model on many examples, which lets a base-model type work on a copy of it


@Operation
def learn_run(models, m, examples, labels, weights, before, shares, after):
    """Train model `m` on each example in turn, and write down what it answers.

    before    int32 (N,): its class index for each example before it is trained on it
    shares    (N, K): its class probabilities before that; asked for only together with `before`
    after     bool (N,): whether it is right about the example after training on it

    What is not wanted is an empty array, or for `shares` and `after` None, which compiles nothing for it.
    """
    for n in range(len(labels)):
        if shares is not None and len(shares) > 0:
            one = Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])
            copy_into(shares[n], class_shares(models, m, shares.shape[1], one)[0])
        if len(before) > 0:
            before[n] = classify(models, m, examples, n)
        learn(models, m, examples, n, labels[n], weights[n])
        if after is not None and len(after) > 0:
            after[n] = classify(models, m, examples, n) == labels[n]


learn_one_by_one = learn_run.default  # for types with an implementation for some cases only


@Operation
def test_and_learn_alone(models, examples, labels, weights, before):
    """Train the only model on each example in turn, once, with its weight.

    Writes into `before`, int32, unless it is empty, its class index for each example before training on it.
    """
    label = np.empty(1, np.int32)
    for n in range(len(labels)):
        if len(before) > 0:
            classify_each(models, examples, n, label)
            before[n] = label[0]
        learn_scaled(models, 0, examples, n, labels[n], weights[n])


@Operation
def mark_correct(models, m, examples, labels, is_right):
    """Write into `is_right`, a bool array, which examples base model `m` classifies correctly."""
    for n in range(len(labels)):
        is_right[n] = classify(models, m, examples, n) == labels[n]


# Resetting models


@Operation
def reset(models, m):
    """Reset model `m` to its initial state: by default its entries become 0, and codes and labels −1."""
    clear(models, m)


def _index_of(axes: tuple[str, ...], m: Any) -> tuple[Any, ...]:
    """Index expression of the entries of model `m` in an array with these axes."""
    return tuple(m if axis == "M" else ... if axis == "..." else slice(None) for axis in axes)


def clear(models, m):
    """Set every entry of model `m` to 0; a code or a label to −1, which stands for none."""
    for name, (axes, contents) in arrays_of(type(models)).items():
        if "M" in axes:
            getattr(models, name)[_index_of(axes, m)] = -1 if contents in NUMBERED else 0


@overload(clear, strict=False)
def _clear(models, m):
    lines = ["def clear(models, m):", "    pass"]
    for name, (axes, contents) in arrays_of(models.instance_class).items():
        if "M" in axes:
            index = ", ".join("m" if axis == "M" else "..." if axis == "..." else ":" for axis in axes)
            lines.append(f"    models.{name}[{index}] = {-1 if contents in NUMBERED else 0}")
    made: dict[str, Any] = {}
    exec("\n".join(lines), made)  # numba cannot loop over arrays of several types
    return made["clear"]


@kernel
def reset_all(models, n_models):
    """Reset every model."""
    for m in range(n_models):
        reset(models, m)


# Outside kernels


class Growth(NamedTuple):
    """A larger vocabulary, and the positions in it of the values and classes known before."""

    schema: Schema
    classes: np.ndarray
    value_positions: np.ndarray  # (V before,) int64: new code of each value
    class_positions: np.ndarray  # (K before,) int64: new index of each class

    def renumbered(self, state: Any) -> Any:
        """A state in which codes and labels have their new numbers, also in the NamedTuples inside it.

        These are the entries of the arrays whose annotation says so. An entry that is not the number of a
        value or class known before stays as it is: −1, which stands for none, or an entry never written.
        """
        changed = {
            name: self.renumbered(part)
            for name, part in state._asdict().items()
            if isinstance(part, tuple) and hasattr(part, "_fields")
        }
        positions = {"codes": self.value_positions, "labels": self.class_positions}
        for name, (_, contents) in arrays_of(type(state)).items():
            if contents in NUMBERED:
                entries = np.array(getattr(state, name))
                is_known = (entries >= 0) & (entries < len(positions[contents]))
                entries[is_known] = positions[contents][entries[is_known]]
                changed[name] = entries
        return state._replace(**changed)


class _Memory(np.ndarray):
    """Memory with room for more rows; an array of a state is a view of the rows that are in use."""


def spread(rows: np.ndarray, positions: np.ndarray, larger: np.ndarray) -> np.ndarray:
    """Rows at increasing new positions, and those of `larger`, which is as long, between them.

    Only rows that change their positions are copied, and twice as much memory is taken when it runs out: so
    one row more is cheap. `rows` must not be used afterwards.
    """
    memory, n, first = rows.base, len(larger), 0
    if not (isinstance(memory, _Memory) and len(memory) >= n and memory.shape[1:] == larger.shape[1:]):
        memory = _Memory((2 * n, *larger.shape[1:]), rows.dtype)
    else:
        first = int(np.count_nonzero(positions == np.arange(len(rows))))
    found = np.ndarray(larger.shape, rows.dtype, memory)
    found[positions[first:]] = rows[first:].copy()
    is_new = np.ones(n, bool)
    is_new[positions] = False
    found[is_new] = larger[is_new]
    return found


def transferred(models: Any, fresh: Any, growth: Growth, **positions: np.ndarray) -> Any:
    """The larger state `fresh` with what `models` have learned, which must not be used afterwards.

    Entries move along the axes V and K as values and classes do, and codes and labels among them are
    renumbered. `positions` holds, for each further axis that grows, the new positions of its earlier
    entries. Arrays without an axis M are buffers, or depend on the vocabulary alone: they are left as in
    `fresh`, and must not be declared to hold codes or labels.
    """
    positions = {"V": growth.value_positions, "K": growth.class_positions} | positions
    models, changed = growth.renumbered(models), {}
    for name, part in models._asdict().items():
        if hasattr(part, "_fields"):
            raise TypeError(
                f"{name_of(type(models))}.{name} is a NamedTuple, whose arrays would lose what they hold "
                "when a value or class is new; make them fields of the state itself."
            )
    for name, (axes, contents) in arrays_of(type(models)).items():
        source, target = getattr(models, name), getattr(fresh, name)
        if "M" not in axes:
            if contents in NUMBERED:
                raise TypeError(
                    f"{name_of(type(models))}.{name} holds {contents} and has no axis M: models cannot share "
                    "what they learn. Give each its own, or leave the word out if the array is a buffer."
                )
            continue
        if source.shape == target.shape:
            changed[name] = source
        elif axes == ("...", "M"):
            raise TypeError(
                f"{name_of(type(models))}.{name} would grow from shape {source.shape} to {target.shape} "
                'with a new value or class, and no annotation, such as Annotated[np.ndarray, "V, K, M"], '
                "says how; annotate it, or declare all categories and classes."
            )
        elif source.shape[1:] == target.shape[1:] and axes[0] in positions:
            changed[name] = spread(source, positions[axes[0]], target)
        else:
            for axis, size, larger in zip(axes, source.shape, target.shape, strict=True):
                if size != larger and axis not in positions:
                    raise TypeError(
                        f"{name_of(type(models))}.{name} would grow along its axis {axis}; only V, values, "
                        "and K, classes, grow: correct its annotation."
                    )
            former = [positions.get(axis, np.arange(n)) for axis, n in zip(axes, source.shape, strict=True)]
            target[np.ix_(*former)] = source
    return fresh._replace(**changed)


def n_models_of(models: Any) -> int:
    """How many models a state of arrays holds."""
    found = {name: axes for name, (axes, _) in arrays_of(type(models)).items() if "M" in axes}
    name, axes = next(iter(found.items()))
    return getattr(models, name).shape[axes.index("M") - len(axes)]


class BaseModel:
    """Methods that an ensemble calls on the type of its base models.

    The classifiers of this library's base models inherit it; `ThirdParty` implements it for
    classifiers of other libraries.
    """

    #: Weights up to this one count as zero.
    _negligible = 0.0
    #: Largest magnitude of a number that can be learned.
    _largest_number = np.inf
    #: Largest number of copies of one example that a model learns. A model that bounds weights itself counts
    #: that in a field `n_bounded` of its state, (M,).
    _most_copies = EXACT_BELOW
    #: Whether the class that a model gives depends on known values that no example has had yet.
    _uses_unseen_values = True
    #: Whether what a model learns depends on these values too, as where learning classifies the example.
    _classifies_to_learn = True
    #: Whether what a model learns, or the class that it gives, depends on known classes without an example.
    _uses_unseen_classes = True
    #: Whether a training set is learned differently by `learn_batch` than by `learn` for each example.
    _has_batch_mode = False
    #: Whether all models learn from one memory of examples, which several machines cannot share.
    _shares_examples = False
    #: Whether all classes must be declared before anything is learned.
    _needs_classes = False
    #: How an unknown nominal value is treated: the end of a sentence in a warning.
    _unknown_value = "no model has learned anything about it"

    #: Validate `X` and return it in a form that the schema can encode.
    _check_X: Callable[..., Any] = staticmethod(check_X)

    def _infer_schema(self, checked: Any, declared: Any, with_values: bool = True) -> Schema:
        """Schema of the columns, with the declarations in the parameters of the classifier `declared`."""
        return Schema.infer(checked, declared.categorical_features, declared.categories, with_values)

    def _set_key(self, key: int) -> None:
        """Set the key of the random draws that the models make themselves, if any."""

    def _encode_missing(self, examples: Examples) -> Examples:
        """Encode missing numbers, NaN, as the models expect them; called if there are numeric attributes."""
        return examples

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> Any:
        """Initial state of `n_models` models; validates the parameters."""
        raise NotImplementedError

    def _begun(self, schema: Schema, classes: np.ndarray, n_models: int) -> Any:
        """What `_new_models` returns, refused if it is not the state of so many models."""
        models = self._new_models(schema, classes, n_models)
        if hasattr(models, "_fields"):
            check_axes(models, n_models)
        elif not isinstance(models, RunsInPython):
            raise TypeError(
                f"{type(self).__name__}._new_models must return the state of the models, a NamedTuple; got "
                f"{models!r:.100}."
            )
        return models

    def _reserve(self, models: Any, examples: Examples) -> Any:
        """Models with capacity for `examples`, learned next; called if there are numeric attributes."""
        return models

    def _grown(self, models: Any, growth: Growth) -> Any:
        """The models, extended to a larger vocabulary."""
        fresh = self._new_models(growth.schema, growth.classes, n_models_of(models))
        return transferred(models, fresh, growth)

    def _take(self, models: Any, members: np.ndarray) -> Any:
        """Copies of the models with the indices `members`, an int array."""
        return models._replace(
            **{
                name: np.array(getattr(models, name)[_index_of(axes, members)], order="C")  # as they were
                for name, (axes, _) in arrays_of(type(models)).items()
                if "M" in axes
            }
        )

    def _with_own_buffers(self, models: Any) -> Any:
        """The same models with buffers for another thread; None if models share what they learn."""
        return models._replace(
            **{
                name: getattr(models, name).copy()
                for name, (axes, _) in arrays_of(type(models)).items()
                if "M" not in axes
            }
        )

    def _put(self, models: Any, members: np.ndarray, taken: Any) -> None:
        """Write the models that `_take` copied back to their places."""
        for name, (axes, _) in arrays_of(type(models)).items():
            if "M" in axes:
                getattr(models, name)[_index_of(axes, members)] = getattr(taken, name)

    def _prefers_model_by_model(self, is_tested: bool) -> bool:
        """Whether models are faster if each is trained on a block of examples before the next model is.

        `is_tested`: whether they also classify each example before they are trained on it.
        """
        return False

    def _pack(self, models: Any) -> Any:
        """The models in a form that can be pickled: arrays and numbers."""
        return models

    def _unpack(self, packed: Any) -> Any:
        """The models, from what `_pack` returned."""
        return packed


# For classifiers


def can_be_divided(models: Any) -> bool:
    """Whether a state consists of arrays and numbers, so that models can be taken out and put back."""
    parts = models if isinstance(models, tuple) else (models,)
    return all(isinstance(part, np.ndarray | int | float) for part in parts)


def label_blocks(models: Any, n_models: int, examples: Examples) -> Iterator[tuple[slice, np.ndarray]]:
    """Class index that each model gives to each example; −1 where it has not been trained.

    Yields
    ------
    rows : slice
    labels : ndarray of shape (rows, n_models), int32
    """
    n_examples = len(examples.codes)
    prepared = prepare(models) if prepare.is_implemented_for(type(models)) else models
    for first in range(0, n_examples, BLOCK):
        rows = slice(first, min(first + BLOCK, n_examples))
        labels = np.empty((rows.stop - rows.start, n_models), np.int32)
        classify_block(prepared, examples, first, labels)
        yield rows, labels
