"""Many small boosted trees against few large ones, with equal memory (thesis section 2.4)."""

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier


def arcing_votes(train: Any, X_test: np.ndarray, n_models: int, n_leaves: int) -> np.ndarray:
    """Votes (n_test, n_classes) of batch Arc-x4 of trees with at most `n_leaves` leaves; `train` is X, y.

    Each tree is trained on every example with weight 1 + e⁴, where e of the trees before it are wrong. The
    trees are scikit-learn's, whose size can be limited; they split by the Gini index.
    """
    X, y = train
    classes = np.unique(y)
    n_wrong = np.zeros(len(y))
    votes = np.zeros((len(X_test), len(classes)))
    for _ in range(n_models):
        tree = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0)
        tree.fit(X, y, sample_weight=1 + n_wrong**4)
        n_wrong += tree.predict(X) != y
        votes += tree.predict(X_test)[:, None] == classes
    return votes


def arcing_error(train: Any, test: Any, n_models: int, n_leaves: int) -> float:
    """Test error of batch Arc-x4; a tie of the unweighted vote goes to the first class.

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> arcing_error((X, y), (X, y), n_models=1, n_leaves=4)
    0.0
    """
    votes = arcing_votes(train, test[0], n_models, n_leaves)
    return float((np.unique(train[1])[votes.argmax(axis=1)] != test[1]).mean())
