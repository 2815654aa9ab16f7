"""Hoeffding trees: the classifier."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY
from itertools import chain
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...classifier.contract import Growth
from ...classifier.parameters import parameters
from ...columns.schema import Schema
from ...columns.validation import EXACT_BELOW, check_choice, check_max_features, check_number
from ...kernels.arithmetic import log
from ..importances import impurity_importances
from ..naive_bayes.numbers import LARGEST_NUMBER
from ..readable import Branch, Nodes, Question, ReadableTree
from ..single import SingleModel, keys_of_attributes
from . import learn  # noqa: F401, registers how Hoeffding trees learn
from .grow import add_values
from .predict import keep_all_constants
from .state import (
    ADAPTIVE,
    FROZEN,
    LEAF,
    MAJORITY,
    NAIVE_BAYES,
    OPTION,
    HoeffdingTree,
    Settings,
    Tree,
    depths,
    grown,
    new_trees,
    trimmed,
    with_new_branches,
)

_LEAF_PREDICTIONS = {"majority": MAJORITY, "naive_bayes": NAIVE_BAYES, "adaptive": ADAPTIVE}


def log_inverse(delta: Any) -> float:
    """ln(1/δ)."""
    return -float(log(float(delta)))


class PackedTrees(NamedTuple):
    """Hoeffding trees as arrays that can be pickled."""

    settings: Settings
    sizes: tuple[int, int, int]  # values of all nominal attributes, numeric attributes, classes
    trees: tuple[Tree, ...]  # without the capacity that they do not use


class HoeffdingTreeStructure(NamedTuple):
    """Nodes of a Hoeffding tree: the root first, a child after its parent, branches of a test in a row."""

    feature: np.ndarray  # (nodes,) column that is tested; −1 in a leaf
    threshold: np.ndarray  # (nodes,) of a numeric test; NaN for nominal tests and leaves
    category: np.ndarray  # (nodes,) passes if value = categories_[feature][category]; else −1
    parent: np.ndarray  # (nodes,) number of the test above; −1 for the root
    answer: np.ndarray  # (nodes,) str: result of the test above that leads here, "≤ 3" or "= red"
    depth: np.ndarray  # (nodes,) 0 for the root
    class_weight: np.ndarray  # (nodes, n_classes) learned and inherited; of a test, when it was chosen
    is_frozen: np.ndarray  # (nodes,) leaves that `max_leaves` has frozen


class HoeffdingTrees(ReadableTree, SingleModel):
    """What the classifiers by one kind of Hoeffding tree or another have in common."""

    _largest_number = LARGEST_NUMBER
    _unknown_value = "a Hoeffding tree treats it as missing"

    def _settings(self, schema: Schema) -> Settings:
        """The parameters, validated."""
        check_number("grace_period", self.grace_period, 0)
        check_number("delta", self.delta, 0, 1)
        check_number("tie_threshold", self.tie_threshold, 0, ends="[)")
        check_choice("leaf_prediction", self.leaf_prediction, *_LEAF_PREDICTIONS)
        alpha = min(check_number("alpha", self.alpha, 0, ends="[)"), EXACT_BELOW)
        return Settings(
            order=schema.attributes,
            n_drawn=len(schema.attributes),
            starts=np.append(schema.starts, schema.sizes.sum()).astype(np.int32),
            smoothing=alpha * schema.sizes,
            grace_period=float(self.grace_period),
            log_inverse_delta=log_inverse(self.delta),
            tie_threshold=float(self.tie_threshold),
            alpha=alpha,
            leaf_prediction=_LEAF_PREDICTIONS[self.leaf_prediction],
            max_leaves=0,
            max_options=1,
            log_inverse_option_delta=0.0,
            most_new_nodes=max([2, *schema.sizes.tolist()]),
        )

    def _state(self, settings: Settings, sizes: tuple[int, int, int], trees: Any) -> Any:
        """The state of the trees of a tuple, or of empty ones with the keys in an array."""
        return new_trees(settings, *sizes, trees)

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> HoeffdingTree:
        """Initial state of `n_models` trees."""
        settings = self._settings(schema)
        n_numeric = int((~schema.is_categorical).sum())
        sizes = int(schema.sizes.sum()), n_numeric, len(classes)
        return self._state(settings, sizes, self._keys(settings, n_models))

    def _keys(self, settings: Settings, n_models: int) -> np.ndarray:
        """Keys of the draws of `n_models` trees, uint64; 0 where nothing is drawn."""
        return np.zeros(n_models, np.uint64)

    def _pack(self, models: HoeffdingTree) -> PackedTrees:
        n_classes, n_numeric = models.trees[0].moments.shape[1:3]
        sizes = models.values.shape[1], n_numeric, n_classes
        return PackedTrees(models.settings, sizes, tuple(trimmed(tree, sizes[0]) for tree in models.trees))

    def _unpack(self, packed: PackedTrees) -> HoeffdingTree:
        return self._state(*packed)

    def _prefers_model_by_model(self, is_tested: bool) -> bool:
        return True

    def _with_own_buffers(self, models: HoeffdingTree) -> HoeffdingTree:
        buffers = {name: getattr(models, name).copy() for name in models._fields[2:]}
        return models._replace(**buffers)

    def _take(self, models: HoeffdingTree, members: np.ndarray) -> HoeffdingTree:
        packed = self._pack(models)
        return self._unpack(packed._replace(trees=tuple(packed.trees[m] for m in members)))

    def _put(self, models: HoeffdingTree, members: np.ndarray, taken: HoeffdingTree) -> None:
        for m, tree in zip(members.tolist(), taken.trees, strict=True):
            models.trees[m] = tree

    def _grown(self, models: HoeffdingTree, growth: Growth) -> HoeffdingTree:
        settings, former = self._settings(growth.schema), models.settings
        n_values, n_classes = int(growth.schema.sizes.sum()), len(growth.classes)
        if n_classes > models.trees[0].counts.shape[1]:
            packed = self._pack(models)
            trees = tuple(grown(tree, former, settings, growth) for tree in packed.trees)
            larger = self._unpack(PackedTrees(settings, (n_values, packed.sizes[1], n_classes), trees))
            for m in range(len(trees)):
                keep_all_constants(larger, m)
        else:
            buffers = {"terms": np.empty(n_values * n_classes), "values": np.empty((2, n_values))}
            larger = models._replace(settings=settings, **buffers)
            keeps_nodes = add_values(larger, former.starts, growth.value_positions)
            for m in np.flatnonzero(~keeps_nodes).tolist():
                larger.trees[m] = with_new_branches(larger.trees[m], former, settings, growth.value_positions)
        return larger

    @property
    def _tree(self) -> Tree:
        """The tree without spare capacity."""
        check_is_fitted(self)
        return trimmed(self._models.trees[0], self._models.values.shape[1])

    @property
    def n_leaves_(self) -> int:
        """Number of leaves."""
        return int(self._tree.header["n_leaves"][0])

    @property
    def n_nodes_(self) -> int:
        """Number of leaves and tests."""
        return len(self._tree.nodes)

    @property
    def depth_(self) -> int:
        """Number of tests on the longest way from the root to a leaf."""
        return int(depths(self._tree).max())

    @property
    def memory_bytes_(self) -> int:
        """Size of the arrays of the tree, in bytes, with the capacity for its next nodes."""
        check_is_fitted(self)
        return sum(part.nbytes for part in self._models.trees[0])

    def _structure(self) -> dict[str, np.ndarray]:
        """The fields of `HoeffdingTreeStructure` that every kind of tree has."""
        tree, n_nominal = self._tree, len(self._schema.sizes)
        nodes, attribute = tree.nodes, tree.nodes["attribute"]
        columns = self._schema.columns
        is_nominal = (attribute != LEAF) & (attribute < n_nominal)
        category = np.full(len(nodes), -1)
        one_value = is_nominal & (nodes["value"] >= 0)
        category[one_value] = nodes["value"][one_value] - self._schema.starts[attribute[one_value]]
        answer = [""] * len(nodes)
        for test in chain.from_iterable(self._nodes().tests):
            for branch in test.branches:
                answer[branch.child] = self._answer(test, branch)
        return {
            "feature": np.where(attribute != LEAF, columns[attribute], -1),
            "threshold": np.where((attribute != LEAF) & ~is_nominal, nodes["threshold"], np.nan),
            "category": category,
            "parent": nodes["parent"].astype(np.int64),
            "answer": np.array(answer),
            "depth": depths(tree),
            "class_weight": tree.counts,
        }

    def _nodes(self) -> Nodes:
        nodes, n_nominal = self._tree.nodes, len(self._schema.sizes)
        tests: list[list[Question]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            attribute, child = int(node["attribute"]), int(node["child"])
            if attribute == LEAF:
                continue
            if attribute >= n_nominal:
                answers = [(sign, float(node["threshold"])) for sign in ("≤", ">")]
            elif node["value"] >= 0:
                answers = [(sign, int(node["value"])) for sign in "=≠"]
            else:
                first = int(self._schema.starts[attribute])
                answers = [("=", first + k) for k in range(self._schema.sizes[attribute])]
            branches = [Branch(*answer, child + k) for k, answer in enumerate(answers)]
            of = node["parent"] if node["row"] == OPTION else i
            tests[of].append(Question(attribute, branches, int(node["widest"])))
        return Nodes(tests, self._tree.counts, nodes["row"] == FROZEN)


@parameters
class HoeffdingTreeClassifier(HoeffdingTrees):
    r"""Hoeffding tree: a decision tree that grows with a stream and keeps counts instead of examples.

    A leaf becomes a test when the information gain of the best one exceeds that of the second best
    by more than :math:`\varepsilon = \sqrt{R^2 \ln(1/\delta) / 2n}` (Domingos and Hulten 2000), for
    which n is the weight that the leaf has learned, with what it inherited from its parent, as in MOA; R is
    the base-2 logarithm of the number of classes.

    Parameters
    ----------
    grace_period : float, default=200
        Weight that a leaf learns between two tries to split.
    delta : float, default=1e-7
        Accepted probability of an error in each comparison, above 0 and below 1.
    tie_threshold : float, default=0.05
        The best test is taken without further evidence once ε is smaller than this.
    leaf_prediction : {"adaptive", "naive_bayes", "majority"}, default="adaptive"
        Whether leaves predict their majority class, by Naive Bayes from their statistics, or by
        whichever of the two has been right more often in the leaf (Gama, Rocha and Medas 2003).
    alpha : float, default=1.0
        Added to each count of a value within a class by Naive Bayes in a leaf.
    max_leaves : int, default=None
        Largest number of leaves that learn. When a split leaves more, those with the largest weight of
        misclassified examples continue, the older of equals, and the others are frozen: they count
        classes, but have no statistics to split by. A frozen leaf with more errors than one that learns
        takes its place, and starts afresh. Once a split would leave more than ten times as many leaves,
        frozen ones included, the tree does not grow any more, and neither does its memory. None stands
        for no limit.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    max_features : None, "sqrt" or float, default=None
        How many columns a leaf may test, drawn without replacement when the leaf comes to be, as in an
        adaptive random forest (Gomes et al. 2017): None means all; "sqrt" the square root of their number,
        rounded, and one more, at most all, as in MOA; a float above 0 and at most 1 this share of them,
        rounded, at least one.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of the draws for `max_features`; without these there are none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_leaves_, n_nodes_, depth_ : int
        Number of leaves, of leaves and tests, and of tests on the longest way to a leaf.
    n_frozen_ : int
        Number of leaves that `max_leaves` has frozen.
    memory_bytes_ : int
        Size of the tree in memory, in bytes.
    tree_ : HoeffdingTreeStructure
        The nodes.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each column in the decrease of the entropy of the class by the tests, weighed by the class
        weights of the leaves below; zeros if there is no test.
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
        For infinite numbers, numbers above 1e145 in magnitude, labels outside `classes`, negative
        weights and the like; the classifier stays unchanged.

    Notes
    -----
    *Tests* are those of MOA. A nominal column is tested with a branch for each value, to
    which values met later are added, or for one value against the rest; a numeric column at ten
    thresholds at equal distances between the smallest and the largest number in the leaf, where a
    Gaussian for each class estimates what lies on either side. Two branches need more than 1% of the
    weight. Not splitting does not compete with the best test, so with a single column that can be tested
    the first try splits. Ties go to the lowest column, to a branch for each value before one value
    against the rest, and to the lowest value or threshold.

    *Constant columns* are never tested. In MOA they are: where all columns are constant in a leaf, no test
    has a gain and neither has the choice not to split, so that they count as tied, and as soon as the bound
    is below the tie threshold the last column is tested once more, with a branch that no example will take.
    On two binary columns, where more than four leaves are of no use, MOA's tree has 8 after 20,000 examples
    and 89 after 300,000, with the same predictions; with a tie threshold of 0 it has four.

    *Missing values* are not counted in the statistics of their column. Where a column is tested, an
    example without a value follows the branch that had the most weight when the test was chosen.

    *Drawn columns* are keyed by (tree, number of the leaf), so that chunks change nothing. They limit the
    tests only: statistics are kept of all columns, and Naive Bayes in a leaf uses all of them. In MOA's
    `ARFHoeffdingTree` it uses the drawn ones alone.

    *A leaf* that no example has reached predicts the majority class of its nearest ancestor.

    *A weight* of k counts as k examples at once, in ensembles too, and this is not k updates: whether the
    leaf answers by Naive Bayes, and whether it is time to try a split, is decided once and not k times.

    References
    ----------
    P. Domingos and G. Hulten, *Mining High-Speed Data Streams*, KDD 2000.

    H. M. Gomes, A. Bifet, J. Read, J. P. Barddal, F. Enembreck, B. Pfahringer, G. Holmes and
    T. Abdessalem, *Adaptive Random Forests for Evolving Data Stream Classification*, Machine Learning 106,
    2017: drawn columns.

    J. Gama, R. Rocha and P. Medas, *Accurate Decision Trees for Mining High-Speed Data Streams*,
    KDD 2003.

    A. Bifet, G. Holmes, R. Kirkby and B. Pfahringer, *MOA: Massive Online Analysis*, Journal of
    Machine Learning Research 11, 2010: the defaults.

    Examples
    --------
    >>> from oza import HoeffdingTreeClassifier
    >>> from oza.streams import SEA
    >>> X, y = SEA()[:10_000]
    >>> tree = HoeffdingTreeClassifier()
    >>> predicted = tree.prequential_predict(X, y, classes=[0, 1])
    >>> tree.n_leaves_, round(float((predicted == y).mean()), 2)
    (5, 0.87)
    """

    grace_period: Any = 200
    delta: Any = 1e-7
    tie_threshold: Any = 0.05
    leaf_prediction: Any = "adaptive"
    alpha: Any = 1.0
    max_leaves: Any = None
    _: KW_ONLY
    max_features: Any = None
    random_state: Any = None

    def _settings(self, schema: Schema) -> Settings:
        settings = super()._settings(schema)
        n_columns = len(schema.attributes)
        root = min(round(math.sqrt(n_columns)) + 1, n_columns)
        settings = settings._replace(n_drawn=check_max_features(self.max_features, n_columns, root))
        if self.max_leaves is None:
            return settings
        if not (isinstance(self.max_leaves, Integral) and int(self.max_leaves) > 0):
            raise ValueError(f"max_leaves must be None or an integer of at least 1; got {self.max_leaves!r}.")
        return settings._replace(max_leaves=int(self.max_leaves))

    def _keys(self, settings: Settings, n_models: int) -> np.ndarray:
        return keys_of_attributes(self.random_state, n_models, settings.n_drawn < len(settings.order))

    def _set_key(self, key: int) -> None:
        if self.max_features is not None:
            self.set_params(random_state=key)

    @property
    def n_frozen_(self) -> int:
        """Number of leaves that `max_leaves` has frozen."""
        return int((self._tree.nodes["row"] == FROZEN).sum())

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each column in the decrease of the entropy of the class by the tests."""
        tree = self.tree_
        return impurity_importances(tree.feature, tree.parent, tree.class_weight, self.n_features_in_)

    @property
    def tree_(self) -> HoeffdingTreeStructure:
        """The nodes of the tree."""
        return HoeffdingTreeStructure(**self._structure(), is_frozen=self._tree.nodes["row"] == FROZEN)
