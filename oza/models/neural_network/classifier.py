"""A neural network of one hidden layer: the classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY
from numbers import Real
from typing import Any

import numpy as np

from ...classifier.contract import Growth, learn_batch, reset_all
from ...classifier.parameters import parameters
from ...columns.examples import Examples
from ...columns.schema import Schema
from ...columns.validation import check_count, check_key, check_number
from ...kernels.compile import kernel
from ...kernels.random import key_of
from ...kernels.simd import SIMD_WIDTH
from ..single import SingleModel
from .kernels import MOST_COPIES, OUTPUTS, NeuralNetwork, draw_new_weights


@parameters
class NeuralNetworkClassifier(SingleModel):
    r"""A network with one hidden layer, trained in `epochs` passes or one example at a time.

    Sigmoids :math:`s(u) = 1/(1 + e^{-u})` in both layers, one output for each class, squared
    error, gradient descent after every example, no momentum (thesis section 2.1.3):

    .. math:: z_j = s\Bigl(\sum_i w_{ij} x_i\Bigr), \quad o_k = s\Bigl(\sum_j v_{jk} z_j\Bigr)

    Each value of a nominal column is an input, 0 or 1; a column of two values is one input.
    **Numeric columns are used as given: scale them to [0, 1] beforehand**, with scikit-learn's
    ``MinMaxScaler`` for instance. `fit` makes `epochs` passes through the examples in the given
    order, with one update for each; `partial_fit` makes one pass, with `updates` updates in a row for
    each. The learner is not lossless: the two give different networks.

    The thesis specifies only the epochs and the updates; the other defaults come near its accuracies
    on three data sets, and are not tuned further.

    Parameters
    ----------
    hidden_units : int, default=10
        Number of hidden units.
    learning_rate : float, default=0.5
        Step length of gradient descent, multiplied by `sample_weight`.
    epochs : int, default=10
        Passes of `fit`, and of batch ensembles, through the examples (thesis: 10).
    updates : int, default=1
        Updates in a row on each example of `partial_fit` and of online ensembles (thesis: 1 or 10).
    initial_range : float, default=0.05
        Initial weights are uniform between −`initial_range` and `initial_range`.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the initial weights; ensembles set it for their base models.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    coefs_ : list of two ndarrays, of shapes (n_inputs, hidden_units) and (hidden_units, n_classes)
        Weights of the two layers. Inputs are the values of the nominal columns (of a column of
        two values, the second), then the numeric columns, each in the order of `X`.
    intercepts_ : list of two ndarrays, of shapes (hidden_units,) and (n_classes,)
        Biases of the two layers.
    n_updates_ : int
        Number of updates so far.
    n_bounded_ : int
        How often the weight of an example (its `sample_weight`, or its number of copies in an ensemble)
        was above 100 and was bounded by that.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    Raises
    ------
    ValueError
        For infinite numbers, labels outside `classes`, negative weights and the like; the
        classifier stays unchanged.

    Notes
    -----
    In an ensemble, k copies of an example are k times the `updates`, one after the other; the
    fractional part of a weight gives updates with a shorter step. An unknown value sets no input.
    Ties go to the first class.

    References
    ----------
    N. C. Oza, *Online Ensemble Learning*, dissertation, UC Berkeley, 2001, section 2.1.3.

    Examples
    --------
    >>> from oza import NeuralNetworkClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = NeuralNetworkClassifier(random_state=7).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.89
    """

    hidden_units: Any = 10
    learning_rate: Any = 0.5
    epochs: Any = 10
    updates: Any = 1
    initial_range: Any = 0.05
    _: KW_ONLY
    random_state: Any = None

    _most_copies = MOST_COPIES  # an ensemble bounds larger numbers, and counts and reports that
    _unknown_value = "a neural network leaves it out"
    _uses_unseen_values = False
    _has_batch_mode = True

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> NeuralNetwork:
        """`n_models` networks with their initial weights."""
        for name in ("learning_rate", "initial_range"):
            check_number(name, getattr(self, name), 0, ends="[)")
        starts_empty = len(classes) == 0 or bool((schema.sizes == 0).any())
        shares_input = (schema.sizes == 2) & (not starts_empty)
        key = check_key(self.random_state)
        models = self._untrained(schema, len(classes), n_models, shares_input, key)
        if starts_empty:  # inputs and outputs may be added in any order: their draws are keyed by their names
            _set_input_keys(models, schema, np.ones(len(models.input_keys), bool))
            models.output_keys[:] = _output_keys(key, classes)
        else:
            n_hidden, n_inputs = models.n_hidden, len(models.input_keys)
            models.input_keys[:] = models.output_keys[:] = key
            models.input_places[:] = n_hidden * np.arange(n_inputs)
            models.output_places[:] = n_hidden * n_inputs + (n_hidden + 1) * np.arange(len(classes))
        reset_all(models, n_models)
        return models

    def _untrained(
        self, schema: Schema, n_classes: int, n_models: int, shares_input: np.ndarray, key: int
    ) -> NeuralNetwork:
        """Networks with weights 0; `shares_input` masks the attributes whose two values share an input."""
        n_hidden = check_count("hidden_units", self.hidden_units)
        width = -(-(n_hidden + 1) // SIMD_WIDTH) * SIMD_WIDTH
        has_input = np.ones(int(schema.sizes.sum()), dtype=bool)
        has_input[schema.starts[shares_input]] = False
        n_inputs = 1 + int(has_input.sum()) + int((~schema.is_categorical).sum())
        return NeuralNetwork(
            first=np.zeros((n_models, n_inputs, width)),
            second=np.zeros((n_models, n_classes, width)),
            n_updates=np.zeros(n_models, np.int64),
            n_bounded=np.zeros(n_models, np.int64),
            inputs=np.where(has_input, np.cumsum(has_input), -1),
            n_hidden=n_hidden,
            learning_rate=float(self.learning_rate),
            epochs=check_count("epochs", self.epochs),
            updates=check_count("updates", self.updates),
            initial_range=float(self.initial_range),
            key=key,
            input_keys=np.zeros(n_inputs, np.uint64),
            input_places=np.zeros(n_inputs, np.int64),
            output_keys=np.zeros(n_classes, np.uint64),
            output_places=np.zeros(n_classes, np.int64),
            on=np.zeros(len(schema.sizes) + 1, np.int64),
            sums=np.zeros(width),
            hidden=np.zeros(width),
            slopes=np.zeros(width),
            moves=np.zeros(width),
            outputs=np.zeros(-(-n_classes // OUTPUTS) * OUTPUTS),
        )

    def _grown(self, models: NeuralNetwork, growth: Growth) -> NeuralNetwork:
        schema, key = growth.schema, models.key
        n_models, n_classes = len(models.first), len(growth.classes)
        has_input = np.ones(int(schema.sizes.sum()), dtype=bool)
        has_input[growth.value_positions] = models.inputs >= 0
        is_full = np.array([part.all() for part in np.split(has_input, schema.starts[1:])], dtype=bool)
        larger = self._untrained(schema, n_classes, n_models, ~is_full & (schema.sizes == 2), key)
        had_input = models.inputs >= 0
        n_numeric = int((~schema.is_categorical).sum())
        before = [0], models.inputs[had_input], len(models.input_keys) - n_numeric + np.arange(n_numeric)
        values = larger.inputs[growth.value_positions[had_input]]
        now = [0], values, len(larger.input_keys) - n_numeric + np.arange(n_numeric)
        old, new = (np.concatenate(parts).astype(np.int64) for parts in (before, now))
        larger.output_keys[:] = _output_keys(key, growth.classes)
        for name in ("input_keys", "input_places"):
            getattr(larger, name)[new] = getattr(models, name)[old]
        for name in ("output_keys", "output_places"):
            getattr(larger, name)[growth.class_positions] = getattr(models, name)
        larger.first[:, new] = models.first[:, old]
        larger.second[:, growth.class_positions] = models.second
        larger.n_updates[:], larger.n_bounded[:] = models.n_updates, models.n_bounded
        is_new_input, is_new_output = np.ones(len(larger.input_keys), bool), np.ones(n_classes, bool)
        is_new_input[new] = is_new_output[growth.class_positions] = False
        _set_input_keys(larger, schema, is_new_input)
        draw_new_weights(larger, is_new_input, is_new_output)
        return larger

    def _encode_missing(self, examples: Examples) -> Examples:
        """Encode a missing number as an input of 0, like a missing nominal value."""
        return examples._replace(numbers=np.where(np.isnan(examples.numbers), 0.0, examples.numbers))

    def _set_key(self, key: int) -> None:
        self.set_params(random_state=key)

    def _learn_batch(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        learn_epochs(self._models, examples, labels, weights)

    @property
    def coefs_(self) -> list[np.ndarray]:
        """Weights from inputs to hidden units, and from hidden units to outputs."""
        h = self._models.n_hidden
        return [self._models.first[0, 1:, :h].copy(), self._models.second[0, :, :h].T.copy()]

    @property
    def intercepts_(self) -> list[np.ndarray]:
        """Biases of the hidden units, and of the outputs."""
        h = self._models.n_hidden
        return [self._models.first[0, 0, :h].copy(), self._models.second[0, :, h].copy()]

    @property
    def n_updates_(self) -> int:
        """Number of updates so far."""
        return int(self._models.n_updates[0])

    @property
    def n_bounded_(self) -> int:
        """How often the weight of an example was bounded."""
        return int(self._models.n_bounded[0])


def _set_input_keys(models: NeuralNetwork, schema: Schema, is_new: np.ndarray) -> None:
    """Set the keys of the draws for new inputs, a mask (I,), which follow from their names.

    An input is the bias, a value of a column, or a number.
    """
    codes, nominal = np.flatnonzero(models.inputs >= 0), np.flatnonzero(schema.is_categorical).tolist()
    numeric = schema.columns[len(schema.sizes) :].tolist()
    for i in np.flatnonzero(is_new).tolist():
        name: tuple = ("bias",)
        if i > len(codes):
            name = "number", numeric[i - len(codes) - 1]
        elif i > 0:
            a = int(np.searchsorted(schema.starts, codes[i - 1], side="right")) - 1
            values, place = schema.categories[nominal[a]], codes[i - 1] - schema.starts[a]
            name = "value", nominal[a], *_named(values[place : place + 1].tolist()[0])  # type: ignore[index]
        models.input_keys[i] = key_of(models.key, *name)


def _output_keys(key: int, classes: np.ndarray) -> list[int]:
    """Key of the draws for the output of each class."""
    return [key_of(key, "class", *_named(label)) for label in classes.tolist()]


def _named(value: Any) -> tuple:
    """A name that is the same for equal numbers of any type, and different for the number as text."""
    if isinstance(value, Real):
        number = float(value)
        return "number", int(value) if number.is_integer() else number  # type: ignore[call-overload]
    return type(value).__name__, value


@kernel
def learn_epochs(models, examples, labels, weights):
    """Train one model on all examples in batch mode."""
    learn_batch(models, 0, examples, labels, weights, np.arange(len(labels), dtype=np.int32))
