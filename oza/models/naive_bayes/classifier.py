"""Naive Bayes by counting: the classifier."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from ...classifier.parameters import parameters
from ...columns.schema import Schema
from ..single import SingleModel
from . import one  # noqa: F401, registers how runs of examples are learned
from .kernels import NaiveBayes, smoothing_of
from .numbers import LARGEST_NUMBER, MEAN

LARGEST_ALPHA = 1e200  # counts are below 2⁵³, so a larger value makes no difference


@parameters
class NaiveBayesClassifier(SingleModel):
    r"""Naive Bayes by counting, trained in batch mode or one example at a time.

    Predicts :math:`\arg\max_c \frac{n_c}{n} \prod_a \frac{n_{c,a,v_a}}{n_c}` (thesis Figure 2.3) without
    smoothing, as in the thesis: a value never seen with a class rules that class out. Numeric columns
    contribute Gaussian densities. The learner is lossless: `fit` on a set of examples and `partial_fit`
    on the same examples in any chunks give the same model, bit for bit. In another order the counts of
    nominal columns stay the same, bit for bit for whole weights; means and variances of numeric columns
    follow the order of arrival, and stay within 1e-9 of the standard deviation and variance.

    Parameters
    ----------
    alpha : float, default=0.0
        Added to each count of a value within a class (Laplace smoothing with 1). The thesis
        uses 0. Above 0 batch and online learner are no longer a proportional pair (thesis Definition
        3): the size of the sample matters.
    var_smoothing : float, default=1e-9
        Share of the largest variance of a numeric column that is added to all variances, as in
        scikit-learn's ``GaussianNB``.
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
        Total weight of the examples of each class.
    category_count_ : list of (ndarray of shape (n_classes, n_values) or None)
        For each nominal column the total weight of each value within each class; None for numeric ones.
    theta_, var_ : ndarrays of shape (n_classes, n_numeric)
        Mean and (smoothed) variance of each numeric column within each class.
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
        For infinite numbers, numbers above 1e145 in magnitude, whose squares could not be summed,
        labels outside `classes`, negative weights and the like; the classifier stays unchanged.

    Notes
    -----
    The attribute of a value that the model has never seen is left out of the product. If every
    product is 0, the prediction is the most frequent class and the probabilities are the class
    shares. Ties go to the first class.

    References
    ----------
    N. C. Oza, *Online Ensemble Learning*, dissertation, UC Berkeley, 2001, section 2.1.2.

    Examples
    --------
    >>> from oza import NaiveBayesClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> round(model.score(X, y), 4)
    0.8738
    """

    alpha: Any = 0.0
    var_smoothing: Any = 1e-9

    _largest_number = LARGEST_NUMBER
    _unknown_value = "Naive Bayes leaves it out"

    @property
    def _uses_unseen_values(self) -> bool:  # type: ignore[override]
        return self.alpha > 0  # smoothing depends on the number of values of an attribute

    _uses_unseen_classes = False
    _classifies_to_learn = False

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> NaiveBayes:
        """Initial state of `n_models` models."""
        for name in ("alpha", "var_smoothing"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
                raise ValueError(f"{name} must be a finite number of at least 0; got {value!r}.")
        sizes = schema.sizes
        n_numeric = int((~schema.is_categorical).sum())
        return NaiveBayes(
            class_counts=np.zeros((len(classes), n_models)),
            value_counts=np.zeros((int(sizes.sum()), len(classes), n_models)),
            moments=np.zeros((4, n_numeric, len(classes), n_models)),
            column_moments=np.zeros((4, n_numeric, 1, n_models)),
            attribute_sizes=np.repeat(sizes, sizes),
            alpha=min(float(self.alpha), LARGEST_ALPHA),
            var_smoothing=float(self.var_smoothing),
        )

    @property
    def class_count_(self) -> np.ndarray:
        """Weight of the examples of each class."""
        return self._models.class_counts[:, 0].copy()

    @property
    def category_count_(self) -> list[np.ndarray | None]:
        """Weight of each value within each class, for each nominal column."""
        counts = np.split(self._models.value_counts[:, :, 0].T, self._schema.starts[1:], axis=1)
        nominal = iter(counts)
        is_nominal = self._schema.is_categorical[: self.n_features_in_]
        return [next(nominal).copy() if found else None for found in is_nominal]

    @property
    def _of_numeric_columns(self) -> np.ndarray:
        """Mask of the numeric attributes whose columns have not turned out to be nominal, (D,)."""
        return ~self.is_categorical_[self._schema.columns[len(self._schema.sizes) :]]

    @property
    def theta_(self) -> np.ndarray:
        """Mean of each numeric column within each class."""
        return self._models.moments[MEAN, ..., 0][self._of_numeric_columns].T

    @property
    def var_(self) -> np.ndarray:
        """Smoothed variance of each numeric column within each class; NaN if the class had no number."""
        weights, *_, variances = self._models.moments[..., 0]
        smoothed = np.where(weights > 0.0, variances + smoothing_of(self._models, 0), np.nan)
        return smoothed[self._of_numeric_columns].T
