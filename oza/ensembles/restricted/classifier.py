"""Restricted Hoeffding trees, stacked: one tree for each small subset of the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, field
from itertools import combinations
from math import comb
from typing import Annotated, Any

import numpy as np

from ...classifier.contract import BLOCK, BaseModel, Growth
from ...classifier.online import OnlineKernelClassifier
from ...classifier.parameters import parameters
from ...columns.examples import Examples, rows_of
from ...columns.schema import Schema
from ...columns.validation import check_count
from ...drift.adwin import check_delta
from ...drift.windows import new_windows
from ...kernels.undivided import undivided
from ...models import HoeffdingTreeClassifier
from ..subspaces import SubspaceEnsemble
from ..threads import check_n_jobs
from .kernels import SINCE, learn_alone, outputs_of_all, stack

MOST_TREES = 10_000


@parameters
class RestrictedTreesClassifier(OnlineKernelClassifier, SubspaceEnsemble):
    r"""Restricted Hoeffding trees: one for each subset of k columns, combined by perceptrons.

    Of m columns, all :math:`\binom{m}{k}` subsets of k get a Hoeffding tree that sees only these (Bifet,
    Frank, Holmes and Pfahringer 2010). For each class a perceptron combines what the trees say (stacking):

    .. math:: f_j = \sigma\Bigl(w_{0j} + \sum_i w_{ij} a_{ij}\Bigr), \qquad
        a_{ij} = \log \frac{p_{ij} + 0.001}{1 - p_{ij} + 0.001\,(K - 1)}

    with :math:`p_{ij}` the probability that tree i gives to class j of K. For each example, the trees
    predict; the perceptrons make one step,
    :math:`w_{ij} \leftarrow w_{ij} + \eta\, (t_j - f_j) f_j (1 - f_j)\, a_{ij}`, with the target
    :math:`t_j`; and the trees learn. The class with the largest
    :math:`f_j` is predicted. A detector, `oza.drift.ADWIN`, watches the errors of each tree; a tree whose
    error has risen is replaced, and its weights become 0.

    Parameters
    ----------
    subset_size : int, default=2
        Number k of columns that each tree sees; all where there are fewer. There may be at most 10,000 trees.
        The authors recommend 2, or 1 if there are very many columns.
    delta : float, default=0.002
        Confidence of each check of a detector, above 0 and below 1 (MOA's default).
    clock : int, default=32
        Number of examples from one check of the detectors to the next, 1 or more.
    n_jobs : int or None, default=None
        Number of threads in which trees learn, as in scikit-learn; the result is the same, bit for bit.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    features_ : list of ndarrays
        Indices of the columns that each tree sees, in the order of `itertools.combinations`.
    estimator_ : HoeffdingTreeClassifier
        The base model, unfitted.
    estimators_ : list of fitted HoeffdingTreeClassifiers
        Copies of the trees; number i predicts ``X[:, features_[i]]``.
    coef_ : ndarray of shape (n_classes, len(estimators_))
        The weights :math:`w_{ij}`, a row for each class.
    intercept_ : ndarray of shape (n_classes,)
        The weights :math:`w_{0j}`.
    n_resets_ : int
        How many trees have been replaced.
    vote_weights_ : ndarray of shape (len(estimators_),)
        Mean over the classes of the absolute values of `coef_`: how much attention a tree gets.
    n_bounded_draws_ : int
        0, since trees can be trained on any number of copies.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    Notes
    -----
    The weights :math:`w_{ij}` start at 1/T for T trees, :math:`w_{0j}` at 0. The learning rate is
    :math:`\eta = 2 / (n + T + 2)`, where n starts at 10, counts the examples, and is 10 again whenever a
    detector cuts its window, also where the error of its tree has fallen. The paper's abstract says that
    detectors set the learning rate and reset trees. The numbers, the weights 0 of a new tree and the cuts
    at which n returns are those of the authors' program, `LimAttClassifier` in MOA (2010). `predict_proba` is
    :math:`f_j` divided by the sum over the classes.

    `sample_weight` weights examples in the trees; a perceptron makes one step for each row of positive
    weight. A class that is met for the first time starts with the weights of the beginning.

    There are no random draws.

    References
    ----------
    A. Bifet, E. Frank, G. Holmes and B. Pfahringer, *Accurate Ensembles for Data Streams: Combining
    Restricted Hoeffding Trees Using Stacking*, ACML 2010.

    Examples
    --------
    Of ten columns, all pairs:

    >>> from oza import RestrictedTreesClassifier
    >>> from oza.streams import Hyperplane
    >>> stream = Hyperplane(random_state=1)
    >>> X, y = stream[:5000]
    >>> model = RestrictedTreesClassifier()
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> len(model.features_), bool(is_right[2000:].mean() > 0.8)
    (45, True)
    """

    estimator: Any = field(init=False)
    n_estimators: Any = field(init=False)
    random_state: Any = field(init=False)  # there are no random draws
    subset_size: Any = 2
    _: KW_ONLY
    delta: Any = 0.002
    clock: Any = 32
    n_jobs: Any = None
    _coefficients: Annotated[np.ndarray, "K, T", "finite"] = field(init=False)

    _read_at_every_call = ("delta", "clock", "n_jobs")
    _key = 0

    def _check_choices(self) -> None:
        check_count("subset_size", self.subset_size)
        check_delta(self.delta)
        check_count("clock", self.clock)
        check_n_jobs(self.n_jobs)

    def _new_kind(self) -> BaseModel:
        return HoeffdingTreeClassifier()

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        n_columns = schema.n_columns
        size = min(self.subset_size, n_columns)
        n_trees = comb(n_columns, size)
        if n_trees > MOST_TREES:
            raise ValueError(
                f"subset_size={self.subset_size} of {n_columns} columns makes {n_trees} trees; at most "
                f"{MOST_TREES} are possible. Choose another subset_size, or fewer columns."
            )
        features = [np.array(columns) for columns in combinations(range(n_columns), size)]
        return {
            "_kind": kind,
            "_models": [kind._begun(schema.of_columns(columns), classes, 1) for columns in features],
            "_counted": np.zeros(1, np.int64),
            "_n_models": n_trees,
            "_coefficients": start_weights(len(classes), n_trees),
            "_since": np.array([SINCE]),
            "_windows": new_windows(n_trees),
            "features_": features,
            "n_resets_": 0,
        }

    def _make_room(self, examples: Examples) -> None:
        """Do nothing: trees grow as they learn."""

    def _grow(self, growth: Growth) -> None:
        grown = []
        for t, columns in enumerate(self.features_):
            schema = growth.schema.of_columns(columns)
            positions = self._schema_of(t).positions_in(schema)
            own = growth._replace(schema=schema, value_positions=positions)
            grown.append(self._kind._grown(self._models[t], own))
        self._models = grown
        coefficients = start_weights(len(growth.classes), self._n_models)
        coefficients[growth.class_positions] = self._coefficients
        self._coefficients = coefficients
        self._set_vocabulary(growth.schema, growth.classes)

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        predicted = np.empty(len(labels), np.int64)
        for first in range(0, len(labels), BLOCK):
            block = slice(first, min(first + BLOCK, len(labels)))
            piece = rows_of(examples, block)
            with undivided():
                predicted[block] = self._learn_block(piece, labels[block], weights[block])
                self._counted[0] += len(piece.codes)
        self._has_learned()
        return predicted

    def _learn_block(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Train one tree after the other on a block, then the perceptrons, for which it is the same."""
        shares = np.empty((self._n_models, len(labels), len(self.classes_)))
        is_cut, is_reset = np.empty((2, self._n_models, len(labels)), np.bool_)
        delta, clock = check_delta(self.delta), check_count("clock", self.clock)

        def learned(t: int) -> None:
            seen = self._seen_by(t, examples)
            found = shares[t], is_cut[t], is_reset[t]
            learn_alone(self._models[t], self._windows, t, delta, clock, seen, labels, weights, *found)

        self._in_parallel(learned, self._n_models)
        self.n_resets_ += int(is_reset.sum())
        return stack(self._coefficients, self._since, shares, is_cut, is_reset, labels, weights)

    def _votes(self, examples: Examples) -> np.ndarray:
        return outputs_of_all(self._coefficients, self._all_shares(examples))

    def _staged_votes(self, examples: Examples) -> Iterator[np.ndarray]:
        shares = self._all_shares(examples)
        for n_trees in range(1, self._n_models + 1):
            coefficients = np.zeros_like(self._coefficients)
            coefficients[:, :n_trees] = self._coefficients[:, :n_trees]
            coefficients[:, -1] = self._coefficients[:, -1]
            yield outputs_of_all(coefficients, shares)

    def _all_shares(self, examples: Examples) -> np.ndarray:
        """Class probabilities by every tree, (T, N, K)."""
        return np.stack([self._shares(t, examples) for t in range(self._n_models)])

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        return np.abs(self.coef_[:, :n_models]).mean(axis=0)

    @property
    def coef_(self) -> np.ndarray:
        """The weight of each tree in the perceptron of each class, (K, T)."""
        return self._coefficients[:, :-1].copy()

    @property
    def intercept_(self) -> np.ndarray:
        """The constant weight in the perceptron of each class, (K,)."""
        return self._coefficients[:, -1].copy()


def start_weights(n_classes: int, n_trees: int) -> np.ndarray:
    """Weights of the perceptrons at the start, (K, T + 1), the constant one last.

    Examples
    --------
    >>> start_weights(2, 4).tolist()
    [[0.25, 0.25, 0.25, 0.25, 0.0], [0.25, 0.25, 0.25, 0.25, 0.0]]
    """
    weights = np.full((n_classes, n_trees + 1), 1.0 / n_trees)
    weights[:, -1] = 0.0
    return weights
