"""Decision trees with binary tests, in batch mode or lossless online: the classifier."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from ...classifier.contract import Growth
from ...classifier.parameters import parameters
from ...columns.examples import Examples
from ...columns.schema import Schema
from ...columns.validation import check_choice, check_max_features
from ..importances import impurity_importances
from ..readable import Branch, Nodes, Question, ReadableTree
from ..single import SingleModel, keys_of_attributes
from .learn import QUANTUM, pack, unpack
from .predict import is_up_to_date, structure
from .prune import build_all
from .state import DecisionTree, LearnedExamples, new_trees

_MANY_NUMBERS = 20_000  # from which on a prediction after each example takes milliseconds


class TreeStructure(NamedTuple):
    """Nodes of a tree in preorder: a node, what lies below its yes branch, then below its no branch."""

    feature: np.ndarray  # (nodes,) column that is tested; −1 in a leaf
    threshold: np.ndarray  # (nodes,) passes if value ≤ threshold; NaN for nominal tests and leaves
    category: np.ndarray  # (nodes,) passes if value = categories_[feature][category]; else −1
    yes: np.ndarray  # (nodes,) number of the child of the examples that pass; −1 in a leaf
    no: np.ndarray  # (nodes,) number of the other child
    depth: np.ndarray  # (nodes,) 0 for the root
    class_weight: np.ndarray  # (nodes, n_classes) weight of the examples of each class


@parameters
class DecisionTreeClassifier(ReadableTree, SingleModel):
    r"""Decision tree with binary tests, trained in batch mode or one example at a time.

    A test asks whether a nominal column has one value, or whether a numeric one is at most a
    threshold, which is one of the values found. The tree is grown until the examples of every leaf
    are of one class or cannot be told apart. Depth and leaf size have no limit, as in the thesis
    (section 2.1.1), whose trees are those of ITI (Utgoff, Berkman and Clouse 1997).

    The online learner is lossless: after any stream, in any chunks, with predictions asked at any
    time, the tree is the one that `fit` grows from the same examples, node for node.

    Parameters
    ----------
    criterion : {"gain_ratio", "information_gain"}, default="gain_ratio"
        What the best test has most of: information about the class, as such or for each unit of
        information in the answer (Quinlan 1986), the measure of ITI.
    prune : bool, default=False
        Whether a subtree becomes a leaf where that does not lengthen the description of tree and
        classes; see Notes. The thesis prunes the trees of boosting and Arc-x4 (section 2.4).
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    max_features : None, "sqrt" or float, default=None
        How many columns a node chooses its test from, drawn at random for each node, as in a random
        forest (Breiman 2001): None means all; "sqrt" the square root of their number, rounded down; a
        float above 0 and at most 1 this share of them, rounded, at least one. If no test of the drawn
        columns separates the examples, further ones are drawn until one does.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of the draws for `max_features`; without these there are none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    tree_ : TreeStructure
        The nodes, as they are after pruning.
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
        For infinite numbers, labels outside `classes`, negative weights and the like; the
        classifier stays as it was.

    Notes
    -----
    *Ties* go to the lowest column, then to the lowest value or threshold; in a leaf to the first
    class. A gain below 10⁻¹² nats counts as none. Where no test has a gain, the first one that
    separates examples is taken: otherwise a tree could not learn "exactly one of the two".

    *Values of a nominal column that are missing* or not among its declared categories pass no test
    when they are learned; when they are predicted they follow the branch with more weight, the yes
    branch of two equal ones. *A missing number* passes no test, as if it were above all others.

    *Drawn columns* depend on the set of examples in a node, each by its place in the order of first
    arrival: chunks and predictions change nothing, another order does. Of equal tests the one of the column
    that was drawn first wins.

    *Pruning* is by description length (Rissanen 1989; Quinlan and Rivest 1989), in the form that ITI
    uses, reconstructed. A leaf costs one bit to say that it is one, log₂ k bits for its class, and
    log₂(w + 1) + log₂(k − 1) bits for each unit of weight of another class, where the examples in it weigh w
    and belong to k classes. A test costs one bit, log₂ t bits where t tests separate its examples, and the
    cost of both branches. A test that costs no less than a leaf becomes a leaf. The examples below it are
    kept, so that it can return. Each value of a nominal column counts as a test; but where a node holds
    two values of a column, their tests split its examples in the same way and are one, so a test costs up
    to one bit too much there. The book shows what that does to accuracies.

    *Time*: a prediction after learning chooses the tests on its way again, for which each of these nodes goes
    through all its examples in every numeric column. So N examples in D such columns, one by one, take time
    in proportion to N² D times the depth of the tree; `fit` takes N D log N for a balanced tree and
    N² D at most, for any number of classes. With gain ratio, whose trees are deep, 4,000 examples in eight
    noisy columns take half a minute one by one. Where calls that learn and calls that predict alternate, a
    warning says so once, when the examples hold 20,000 numbers: predict in larger blocks, or use a
    `HoeffdingTreeClassifier`. Nominal columns cost no such time.

    *On columns of numbers* prefer `criterion="information_gain"`: a gain ratio tends to split off a few
    examples from the rest. On ten numeric tables the mean accuracy of unpruned trees is 76.4% with
    information gain, 71.8% with its ratio and 76.9% with scikit-learn's entropy; of pruned ones 77.7% and
    73.5% (`benchmarks/criteria.py`).

    *Weights* count as copies, and fractional ones to the nearest 2⁻³⁰ (about 10⁻⁹), so that their sums
    are exact; `fit` refuses weights that all count as 0. All this is exact, bit for bit, for whole
    weights up to 2⁵³ in all, and for fractional ones up to 2²³. Beyond, the tree is grown from the
    distinct examples in the order of their first arrival, again for each prediction after learning:
    chunks and predictions still change nothing; another order may, through rounding.

    References
    ----------
    P. E. Utgoff, N. C. Berkman and J. A. Clouse, *Decision Tree Induction Based on Efficient Tree
    Restructuring*, Machine Learning 29, 1997.

    Examples
    --------
    >>> from oza import DecisionTreeClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = DecisionTreeClassifier(prune=True).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 4)
    (57, 0.9884)
    """

    criterion: Any = "gain_ratio"
    prune: Any = False
    _: KW_ONLY
    max_features: Any = None
    random_state: Any = None

    _negligible = QUANTUM / 2
    _uses_unseen_values = _uses_unseen_classes = False
    _unknown_value = "in a decision tree it passes no test"

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> DecisionTree:
        """`n_models` trees that have not been trained."""
        check_choice("criterion", self.criterion, "gain_ratio", "information_gain")
        check_choice("prune", self.prune, True, False)
        n_columns = len(schema.attributes)
        n_tested = check_max_features(self.max_features, n_columns, isqrt(n_columns))
        keys = keys_of_attributes(self.random_state, n_models, n_tested < n_columns)
        return new_trees(
            schema.attributes,
            _starts(schema),
            len(classes),
            self.criterion == "gain_ratio",
            bool(self.prune),
            n_tested,
            keys,
        )

    def _set_key(self, key: int) -> None:
        if self.max_features is not None:
            self.set_params(random_state=key)

    def _grown(self, models: DecisionTree, growth: Growth) -> DecisionTree:
        learned, schema = pack(models), growth.schema
        order, _, _, *choices = learned.parameters
        parameters = order, _starts(schema), len(growth.classes), *choices
        return unpack(growth.renumbered(learned)._replace(parameters=parameters))

    def _prefers_model_by_model(self, is_tested: bool) -> bool:
        return True

    _shares_examples = True

    def _with_own_buffers(self, models: DecisionTree) -> None:
        return None  # all trees learn from one memory of examples

    def _reserve(self, models: DecisionTree, examples: Examples) -> DecisionTree:
        """The same models; warns once where the many predictions of a stream are slow."""
        n_new, n_columns = examples.numbers.shape
        n = int(models.n_examples[0])
        if (
            n * n_columns < _MANY_NUMBERS <= (n + n_new) * n_columns
            and is_up_to_date(models)
            and 64 * n_new <= n
        ):
            warnings.warn(
                f"a DecisionTreeClassifier has learned {n} examples in {n_columns} numeric columns, and "
                "predicts between them: each such prediction goes through all of them again. Predict in "
                "larger blocks, or use a HoeffdingTreeClassifier.",
                UserWarning,
                stacklevel=6,
            )
        return models

    def _take(self, models: DecisionTree, members: np.ndarray) -> DecisionTree:
        learned = pack(models)
        return unpack(learned._replace(weights=learned.weights[:, members], keys=learned.keys[members]))

    def _pack(self, models: DecisionTree) -> LearnedExamples:
        return pack(models)

    def _unpack(self, packed: LearnedExamples) -> DecisionTree:
        return unpack(packed)

    def _learn_batch(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        super()._learn_batch(examples, labels, weights)
        build_all(self._models)

    @property
    def tree_(self) -> TreeStructure:
        """The nodes of the tree, as they are after pruning."""
        nodes, counts, depths = structure(self._models, 0, False)
        columns = self._schema.columns
        n_nominal = len(self._schema.sizes)
        attribute = nodes["attribute"]
        nominal = (attribute >= 0) & (attribute < n_nominal)
        category = np.full(len(nodes), -1)
        category[nominal] = nodes["value"][nominal] - self._schema.starts[attribute[nominal]]
        return TreeStructure(
            feature=np.where(attribute >= 0, columns[attribute], -1),
            threshold=np.where(attribute >= n_nominal, nodes["threshold"], np.nan),
            category=category,
            yes=nodes["yes"],
            no=nodes["no"],
            depth=depths,
            class_weight=counts,
        )

    def _nodes(self) -> Nodes:
        nodes, counts, _ = structure(self._models, 0, False)
        tests: list[list[Question]] = [[] for _ in nodes]
        for i in np.flatnonzero(nodes["attribute"] >= 0).tolist():
            attribute, yes, no = (int(nodes[name][i]) for name in ("attribute", "yes", "no"))
            signs, operand = "=≠", float(nodes["value"][i])
            otherwise = int(counts[yes].sum() < counts[no].sum())
            if attribute >= len(self._schema.sizes):
                signs, operand, otherwise = "≤>", float(nodes["threshold"][i]), 1
            branches = [Branch(sign, operand, child) for sign, child in zip(signs, (yes, no), strict=True)]
            tests[i].append(Question(attribute, branches, otherwise))
        return Nodes(tests, counts, np.zeros(len(nodes), bool))

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each column in the decrease of the entropy of the class by the tests."""
        tree = self.tree_
        parent = np.full(len(tree.feature), -1)
        tests = np.flatnonzero(tree.feature >= 0)
        parent[tree.yes[tests]] = parent[tree.no[tests]] = tests
        return impurity_importances(tree.feature, parent, tree.class_weight, self.n_features_in_)

    def get_depth(self) -> int:
        """Number of tests on the longest way from the root to a leaf."""
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.tree_.feature < 0).sum())


def _starts(schema: Schema) -> np.ndarray:
    """Code of the first value of each nominal attribute, and the number of values, (A + 1,)."""
    return np.append(schema.starts, schema.sizes.sum())
