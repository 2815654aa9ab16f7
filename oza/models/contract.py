"""The contract of a base model: what it must do, what it may do faster, and what ensembles ask of it.

M base models of one kind are one value, their state: a NamedTuple of arrays. A kind has a state, a
classifier of one model (`BaseModel`), and two operations, which kernels call:

    learn(models, m, examples, n, label, weight)    model m learns example n, that many copies of it
    classify(models, m, examples, n)                the class index that model m gives to example n

Everything else in this file has a default that follows from these two. A kind that can do better
says so with `implements(operation, State)`. An ensemble calls operations alone, so it works over
every kind, and numba compiles it for each as if it had been written for that kind.

In all operations,

    models    state of M base models; their arrays change in place
    m         int: which of them
    examples  `Examples`: codes (N, A) int32, −1 for a value that is unknown; numbers (N, D) float64
    n         int: which example
    label     int: its class index
    weight    float ≥ 0; 0 teaches nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from .._compile import kernel, operation
from .._schema import Examples, Schema, check_X
from .._validation import EXACT_BELOW

LONG_ENOUGH = 8  # examples: from here on it pays a kind to learn them on a copy of one model

# What a base model must do


@operation
def learn(models, m, examples, n, label, weight):
    """Let base model `m` learn example `n` with a weight: that many copies of it."""
    raise NotImplementedError


@operation
def classify(models, m, examples, n):
    """Class index that base model `m` gives to example `n`; −1 if the model has learned nothing."""
    raise NotImplementedError


# All models at once


@operation
def learn_each(models, examples, n, label, weights):
    """Let every base model m learn example `n` with weight `weights[m]`, of shape (M,)."""
    for m in range(len(weights)):
        learn(models, m, examples, n, label, weights[m])


@operation
def classify_each(models, examples, n, labels):
    """Write into `labels[m]`, int32 of shape (M,), what `classify` says, for every base model m."""
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)


# A batch of predictions


@operation
def prepare(models):
    """Work out once what classifying many examples needs: a value for `classify_block` to work on."""
    return models


@operation
def classify_block(prepared, examples, first, labels):
    """Write into `labels[i, m]`, (N, M) int32, what `classify` says of example `first` + i, for all m."""
    for i in range(len(labels)):
        classify_each(prepared, examples, first + i, labels[i])


# A training set


@operation
def learn_scaled(models, m, examples, n, label, weight):
    """Let base model `m` learn example `n` once, as one of that weight.

    Differs from `learn` where a weighted example is not the same as copies of it: in a network.
    """
    learn(models, m, examples, n, label, weight)


@operation
def learn_batch(models, m, examples, labels, weights, sample):
    """Let base model `m` learn a training set: the examples that `sample`, int32, lists in order.

    The batch learner L_b of the pseudo-code; differs from `learn` for each example where batch
    mode goes through the training set several times.
    """
    copies = np.zeros(len(labels))
    for n in sample:
        copies[n] += 1.0
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n] * copies[n])


@operation
def learn_batch_each(models, examples, labels, weights, samples):
    """Let every base model m learn a training set of its own, `samples[m]`, int32 of shape (M, N)."""
    copies = np.zeros((len(labels), len(samples)), np.int32)  # in the order of memory, all models at once
    for m in range(len(samples)):
        for n in samples[m]:
            copies[n, m] += 1
    for n in range(len(labels)):
        learn_each(models, examples, n, labels[n], weights[n] * copies[n])


# Learning and testing one model on many examples: lets a kind keep that model at hand


@operation
def learn_and_test(models, m, examples, labels, weights, before, after):
    """Let model `m` learn each example in turn.

    Notes in `after[n]`, a bool array, whether it then gets the example right; and in `before[n]`,
    int32, unless that is None, the class index that it gave before it learned it.
    """
    for n in range(len(labels)):
        if before is not None:
            before[n] = classify(models, m, examples, n)
        learn(models, m, examples, n, labels[n], weights[n])
        after[n] = classify(models, m, examples, n) == labels[n]


learn_and_test_one_by_one = kernel(learn_and_test.__wrapped__)  # for a kind that is not always faster


@kernel
def test_and_learn(models, m, examples, labels, weights, before):
    """Note in `before` the class index that model `m` gives to each example before it learns that one."""
    for n in range(len(labels)):
        before[n] = classify(models, m, examples, n)
        learn(models, m, examples, n, labels[n], weights[n])


@operation
def examine(models, m, examples, labels, is_right):
    """Note in `is_right`, a bool array, which examples base model `m` gets right."""
    for n in range(len(labels)):
        is_right[n] = classify(models, m, examples, n) == labels[n]


# Starting anew


@operation
def reset(models, m):
    """Put a model that has learned nothing in the place of model `m`: its entries become 0."""
    clear(models, m)


def axes_of(kind: Any) -> dict[str, tuple[str, ...]]:
    """Names of the axes of each array of a state, as annotated: ``Annotated[np.ndarray, "K, M"]``.

    M is the axis of the models, K that of the classes, V that of the values of all nominal attributes.
    An array without annotation has the models on its last axis.
    """
    found = {}
    for name, annotation in kind.__annotations__.items():
        if getattr(annotation, "__origin__", annotation) is np.ndarray:
            axes = getattr(annotation, "__metadata__", ("..., M",))[0]
            found[name] = tuple(axis.strip() for axis in axes.split(","))
    return found


def _index_of(axes: tuple[str, ...], m: Any) -> tuple[Any, ...]:
    """Index of the entries of model `m` in an array with these axes."""
    return tuple(m if axis == "M" else ... if axis == "..." else slice(None) for axis in axes)


def clear(models, m):
    """Set every entry of model `m` to 0."""
    for name, axes in axes_of(type(models)).items():
        if "M" in axes:
            getattr(models, name)[_index_of(axes, m)] = 0


@overload(clear, strict=False)
def _clear(models, m):
    lines = ["def clear(models, m):", "    pass"]
    for name, axes in axes_of(models.instance_class).items():
        if "M" in axes:
            index = ", ".join("m" if axis == "M" else "..." if axis == "..." else ":" for axis in axes)
            lines.append(f"    models.{name}[{index}] = 0")
    made: dict[str, Any] = {}
    exec("\n".join(lines), made)  # numba cannot loop over arrays of several types
    return made["clear"]


@kernel
def reset_all(models, n_models):
    """Let every model begin anew."""
    for m in range(n_models):
        reset(models, m)


# Outside of kernels


class Growth(NamedTuple):
    """A larger vocabulary, and where the values and classes that were known stand in it."""

    schema: Schema
    classes: np.ndarray
    value_positions: np.ndarray  # (V before,) int64: new code of each value
    class_positions: np.ndarray  # (K before,) int64: new index of each class

    def recode(self, examples: Examples, labels: np.ndarray) -> tuple[Examples, np.ndarray]:
        """Examples and labels of before, encoded by the larger vocabulary."""
        codes = np.append(self.value_positions, -1).astype(np.int32)[examples.codes]  # −1 stays −1
        if len(self.class_positions) == 0:  # no example has been labelled yet
            return Examples(codes, examples.numbers), labels
        return Examples(codes, examples.numbers), self.class_positions.astype(labels.dtype)[labels]


def transferred(models: Any, fresh: Any, positions: dict[str, np.ndarray]) -> Any:
    """The state `fresh`, with what `models` have learned in it.

    `positions` says, for each axis that has grown, where its former entries stand now. Arrays without an
    axis of models depend on the vocabulary alone, and stay those of `fresh`.
    """
    for name, axes in axes_of(type(models)).items():
        source, target = getattr(models, name), getattr(fresh, name)
        if "M" not in axes:
            continue
        if axes == ("...", "M"):
            if source.shape != target.shape:
                raise TypeError(
                    f"{type(models).__name__}.{name} would grow from shape {source.shape} to {target.shape} "
                    'with a new value or class, and no annotation, such as Annotated[np.ndarray, "V, K, M"], '
                    "says how; annotate it, or declare all categories and classes."
                )
            target[...] = source
        else:
            former = [positions.get(axis, np.arange(n)) for axis, n in zip(axes, source.shape, strict=True)]
            target[np.ix_(*former)] = source
    return fresh


class BaseModel:
    """What an ensemble asks of the classifier whose models it holds.

    A kind of this library inherits it with its classifier; `ThirdParty` is one for all classifiers
    of other libraries.
    """

    #: Weights up to here count as zero.
    _negligible = 0.0
    #: Largest magnitude of a number that can be learned.
    _largest_number = np.inf
    #: Whether learning depends on values and classes that are known but that no example had yet.
    _depends_on_unmet = True
    #: Whether all classes must be declared before anything is learned.
    _needs_classes = False
    #: What is made of a nominal value that was never learned, as the end of a sentence.
    _unknown_value = "no model has learned anything about it"

    def _check_X(self, X: Any) -> Any:
        """`X` in a form that the schema can encode; refuses what it cannot."""
        return check_X(X)

    def _infer_schema(self, checked: Any, declared: Any, with_values: bool = True) -> Schema:
        """Schema of the columns, for a classifier whose parameters declare what they are."""
        return Schema.infer(checked, declared.categorical_features, declared.categories, with_values)

    def _set_key(self, key: int) -> None:
        """Take the key of the draws that the models make themselves, if they make any."""

    def _encode_missing(self, examples: Examples) -> Examples:
        """The examples in the form in which the models take what is missing: code −1, and NaN."""
        return examples

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> Any:
        """State of `n_models` models that have learned nothing; refuses bad parameters."""
        raise NotImplementedError

    @property
    def _most_copies(self) -> float:
        """Copies of one example that a model may be given to learn."""
        return EXACT_BELOW

    def _n_bounded(self, models: Any) -> int:
        """How often an example weighed more than that in a model itself."""
        return 0

    def _reserve(self, models: Any, examples: Examples) -> Any:
        """Models with room for what `examples` hold, to be learned next."""
        return models

    def _grown(self, models: Any, growth: Growth) -> Any:
        """The models with room for more values or classes, of which they have learned nothing yet."""
        axes = axes_of(type(models))
        name, own = next((name, own) for name, own in axes.items() if "M" in own)
        n_models = getattr(models, name).shape[own.index("M") - len(own)]
        fresh = self._new_models(growth.schema, growth.classes, n_models)
        return transferred(models, fresh, {"V": growth.value_positions, "K": growth.class_positions})

    def _take(self, models: Any, members: np.ndarray) -> Any:
        """Copies of the models with these numbers, an int array."""
        axes = axes_of(type(models))
        return models._replace(
            **{
                name: np.array(getattr(models, name)[_index_of(axes[name], members)])
                for name in axes
                if "M" in axes[name]
            }
        )

    def _pack(self, models: Any) -> Any:
        """What has to be kept of the models in a file, as arrays and numbers."""
        return models

    def _unpack(self, packed: Any) -> Any:
        """The models that were packed."""
        return packed


# For classifiers


@kernel
def learn_all(models, examples, labels, weights):
    """Let one model learn all examples, one after the other, each with its weight."""
    for n in range(len(labels)):
        learn_scaled(models, 0, examples, n, labels[n], weights[n])


@kernel
def prepared_models(models):
    """What `prepare` makes of the models."""
    return prepare(models)


@kernel
def classify_rows(prepared, examples, first, labels):
    """`classify_block`, for callers that are not compiled."""
    classify_block(prepared, examples, first, labels)


_BLOCK = 1024  # examples that are classified together: their labels stay in the second-level cache


def label_blocks(models: Any, n_models: int, examples: Examples) -> Iterator[tuple[slice, np.ndarray]]:
    """Class index that each model gives to each example; −1 where it has learned nothing.

    Yields
    ------
    rows : slice
    labels : ndarray of shape (rows, n_models), int32
    """
    n_examples = len(examples.codes)
    prepared = prepared_models(models)
    for first in range(0, n_examples, _BLOCK):
        rows = slice(first, min(first + _BLOCK, n_examples))
        labels = np.empty((rows.stop - rows.start, n_models), np.int32)
        classify_rows(prepared, examples, first, labels)
        yield rows, labels
