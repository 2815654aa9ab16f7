"""Accuracies of decision trees on columns of numbers, by criterion and pruning, beside scikit-learn's.

    python benchmarks/criteria.py

Five times twofold cross-validation; all learn the same halves. Large tables give 6,000 rows, drawn at
random. The table is printed in Markdown.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier as Cart

from oza import DecisionTreeClassifier
from oza.datasets import load_dataset

BUNDLED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
MADE = {  # rows, columns, informative ones, classes, share of random labels
    "made, 2 classes": (2000, 20, 10, 2, 0.01),
    "made, 3 classes": (2000, 20, 5, 3, 0.1),
    "made, clean": (1000, 10, 4, 2, 0.0),
    "made, 5 classes": (4000, 30, 15, 5, 0.05),
}
LOADED = ("covertype-head", "german-credit")
MOST_ROWS = 6000
MODELS = {
    f"{criterion.replace('_', ' ')}{', pruned' * prune}": DecisionTreeClassifier(
        criterion, prune, categorical_features=None
    )
    for criterion in ("gain_ratio", "information_gain")
    for prune in (False, True)
} | {
    f"scikit-learn, {criterion}": Cart(criterion=criterion, random_state=0)
    for criterion in ("gini", "entropy")
}


def tables():
    """Name, columns of numbers and labels of each table."""
    for name, load in BUNDLED.items():
        yield name, *load(return_X_y=True)
    for name, (n, columns, informative, classes, noise) in MADE.items():
        yield (
            name,
            *make_classification(
                n,
                columns,
                n_informative=informative,
                n_redundant=2,
                n_classes=classes,
                flip_y=noise,
                random_state=0,
            ),
        )
    for name in LOADED:
        X, y = load_dataset(name, return_X_y=True, as_frame=True)
        rows = np.random.default_rng(0).permutation(len(X))[:MOST_ROWS]
        yield name, X.select_dtypes("number").to_numpy(float)[rows], np.asarray(y)[rows]


def main():
    print("|", " | ".join(["", "rows", "columns", *MODELS]), "|")
    print("|---" * (3 + len(MODELS)) + "|")
    found = []
    for name, X, y in tables():
        halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
        found.append([100.0 * cross_val_score(model, X, y, cv=halves).mean() for model in MODELS.values()])
        print("|", " | ".join([name, *map(str, X.shape), *(f"{a:.1f}" for a in found[-1])]), "|", flush=True)
    print("|", " | ".join(["mean", "", "", *(f"{a:.1f}" for a in np.mean(found, axis=0))]), "|")


if __name__ == "__main__":
    main()
