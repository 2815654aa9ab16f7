"""Importance of the columns for a tree: how much its tests on each tell about the class."""

import numpy as np

from ..kernels.arithmetic import x_log_x
from ..kernels.compile import kernel


def impurity_importances(
    feature: np.ndarray, parent: np.ndarray, class_weight: np.ndarray, n_features: int
) -> np.ndarray:
    """Decrease of the entropy of the class by the tests on each column, as shares of the whole.

    Parameters
    ----------
    feature : int array of shape (nodes,)
        Column that a node tests; −1 in a leaf.
    parent : int array of shape (nodes,)
        Number of the node above, which comes before; −1 for the root.
    class_weight : float array of shape (nodes, K)
        Weight of each class in a leaf; a test is weighed by the leaves below it.
    n_features : int
        Number of columns.

    Returns
    -------
    float array of shape (n_features,)
        Sums to 1, or holds zeros if there is no test.

    Examples
    --------
    >>> impurity_importances(
    ...     np.array([1, -1, -1]), np.array([-1, 0, 0]), np.array([[0, 0], [3, 0], [0, 3]]), 2
    ... ).tolist()
    [0.0, 1.0]
    """
    weights = np.where(feature[:, None] < 0, class_weight, 0.0)
    for node in range(len(feature) - 1, 0, -1):
        weights[parent[node]] += weights[node]
    entropies = _total_entropies(weights)
    found = np.zeros(n_features)
    is_test = feature >= 0
    np.add.at(found, feature[is_test], entropies[is_test])
    below = np.arange(len(feature)) > 0
    np.subtract.at(found, feature[parent[below]], entropies[below])
    found = np.maximum(found, 0.0)
    return found / found.sum() if found.any() else found


@kernel
def _total_entropies(weights):
    """Entropy of each row of class weights times its total, (nodes,), with the same bits everywhere."""
    found = np.zeros(len(weights))
    for node in range(len(weights)):
        total = 0.0
        for weight in weights[node]:
            total += weight
            found[node] -= x_log_x(weight)
        found[node] += x_log_x(total)
    return found
