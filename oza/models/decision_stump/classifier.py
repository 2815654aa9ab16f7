"""Decision stump: the classifier."""

from __future__ import annotations

import numpy as np

from ...classifier.contract import Growth, transferred
from ...columns.examples import Examples
from ...columns.schema import Schema
from ..readable import Branch, Nodes, Question, ReadableTree
from ..single import SingleModel
from .kernels import best_test
from .state import DecisionStump, with_rows_for


class DecisionStumpClassifier(ReadableTree, SingleModel):
    """Decision tree with exactly one test, trained in batch mode or one example at a time.

    The test is the one with the highest information gain: on a nominal column a branch for each of its
    values, on a numeric column `x ≤ threshold`. Each leaf carries the majority class of its examples
    (thesis section 2.1.1). The learner is lossless: it keeps counts, and chooses its test when it is
    asked for one, so that `fit` on a set of examples and `partial_fit` on the same examples in any order
    and any chunks give the same stump, bit for bit for whole weights.

    Parameters
    ----------
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Weight of the examples of each class.
    feature_ : int
        Column that is tested.
    threshold_ : float or None
        Largest number that goes to the left, None where the column is nominal.
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
    Thresholds lie midway between neighbouring numbers. Equal gains go to the first column and the
    lowest threshold, equal counts to the first class; where no test has any gain there is still
    one, on the first column that loses nothing to rounding. A leaf without examples predicts the
    majority of all. Values of a nominal column that are missing or not among its declared categories
    share a branch of their own, and so do missing numbers.
    Memory is constant in the length of the stream for nominal columns, and proportional to the
    number of distinct numbers for numeric ones.

    The accuracies printed in the thesis cannot all come from this stump: for Mushroom, Nursery
    and Breast Cancer they are far below it.

    References
    ----------
    N. C. Oza, *Online Ensemble Learning*, dissertation, UC Berkeley, 2001, section 2.1.1.

    Examples
    --------
    >>> from oza import DecisionStumpClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("nursery", return_X_y=True, as_frame=True)
    >>> model = DecisionStumpClassifier().fit(X, y)
    >>> model.feature_names_in_[model.feature_], round(model.score(X, y), 4)
    ('health', 0.7097)
    """

    _models: DecisionStump
    _uses_unseen_values = _uses_unseen_classes = False
    _unknown_value = "a decision stump has a branch of its own for all such values"

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> DecisionStump:
        """`n_models` models that have not been trained."""
        n_classes, is_nominal = len(classes), schema.is_categorical
        branches = np.append(0, np.cumsum(schema.sizes + 1))
        n_numeric = int((~is_nominal).sum())
        return DecisionStump(
            class_counts=np.zeros((1, n_classes, n_models)),
            branch_counts=np.zeros((int(branches[-1]), n_classes, n_models)),
            number_counts=np.zeros((1, n_classes, n_models)),
            block_counts=np.zeros((n_numeric, n_classes, n_models)),
            missing_counts=np.zeros((n_numeric, n_classes, n_models)),
            has_fractions=np.zeros(n_models, bool),
            branch_starts=branches,
            number_starts=np.zeros(n_numeric + 1, np.int64),
            numbers=np.zeros(0),
            rows=np.zeros(1, np.int64),
            blocks=np.zeros(1, np.int64),
            block_starts=np.zeros(n_numeric + 1, np.int64),
            block_rows=np.arange(n_numeric),
            first_blocks=np.arange(n_numeric + 1),
            attributes=schema.attributes.astype(np.int64),
            chosen=np.zeros(n_models, np.int64),
            threshold=np.zeros(n_models),
            floors=np.zeros((len(is_nominal), n_models)),
            sought=np.full((1, n_numeric), np.nan),
            places=np.zeros((1, n_numeric), np.int64),
        )

    def _prefers_model_by_model(self, is_tested: bool) -> bool:
        return is_tested  # to learn is fastest beside the others, with all counts of an example in vectors

    def _grown(self, models: DecisionStump, growth: Growth) -> DecisionStump:
        n_models = models.class_counts.shape[2]
        fresh = self._new_models(growth.schema, growth.classes, n_models)
        of_values = "class_counts", "branch_counts", "missing_counts", "branch_starts"
        fresh = models._replace(
            number_counts=np.zeros((len(models.number_counts), len(growth.classes), n_models)),
            block_counts=np.zeros((len(models.block_counts), len(growth.classes), n_models)),
            **{name: getattr(fresh, name) for name in of_values},
        )
        sizes = np.diff(models.branch_starts)
        attribute = np.repeat(np.arange(len(sizes)), sizes)
        branches = np.empty(len(attribute), np.int64)
        is_last = np.zeros(len(attribute), bool)  # the branch of values that are missing or unknown
        is_last[models.branch_starts[1:] - 1] = True
        branches[~is_last] = growth.value_positions + attribute[~is_last]
        branches[is_last] = fresh.branch_starts[1:] - 1
        return transferred(models, fresh, growth, B=branches)

    def _reserve(self, models: DecisionStump, examples: Examples) -> DecisionStump:
        return with_rows_for(models, examples.numbers)

    @property
    def class_count_(self) -> np.ndarray:
        """Weight of the examples of each class."""
        return self._models.class_counts[0, :, 0].copy()

    @property
    def feature_(self) -> int:
        """Column that is tested."""
        return int(self._schema.columns[best_test(self._models, 0)[0]])

    @property
    def threshold_(self) -> float | None:
        """Largest number that goes to the left; None where the column is nominal."""
        return None if self.is_categorical_[self.feature_] else best_test(self._models, 0)[1]

    def _nodes(self) -> Nodes:
        attribute, threshold, groups = best_test(self._models, 0)
        weights = np.concatenate([self._models.class_counts[:, :, 0], groups[:, :, 0]])
        answers = [("≤", threshold), (">", threshold)]
        if attribute < len(self._schema.sizes):
            first = int(self._schema.starts[attribute])
            answers = [("=", first + k) for k in range(len(groups) - 1)]
        branches = [Branch(*answer, k) for k, answer in enumerate([*answers, ("missing", 0.0)], 1)]
        tests = [[Question(int(attribute), branches, len(branches) - 1)], *[[] for _ in groups]]
        return Nodes(tests, weights, np.zeros(len(weights), bool))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # a threshold alone cannot tell three classes apart
        return tags
