import math
from itertools import product

import numpy as np
import pytest

from oza import BaggingClassifier, DecisionStumpClassifier, OnlineBaggingClassifier
from oza.datasets import load_dataset
from oza.extend import log
from reproduction.studies.nan_settings import EMPTY, NanStumpClassifier

PROGRAMS = list(product(EMPTY, (True, False)))


def entropy_left(column, y, weights, values, classes, empty):
    """What is left by a test of a column, from plain lists."""
    left, total = 0.0, sum(weights)
    for value in values:
        counts = [
            sum(w for x, label, w in zip(column, y, weights, strict=True) if (x, label) == (value, c))
            for c in classes
        ]
        n = sum(counts)
        if n == 0:
            left += math.nan if empty == "class or branch" else 0.0
            continue
        for count in counts:
            share = count / n
            term = share * log(share) if count else 0.0 if empty == "nothing" else math.nan
            left -= n / total * term
    return left


def reference(X, y, weights, sizes, classes, empty, keeps_first):
    """The tested attribute, and the class in each branch."""
    columns = np.transpose(X).tolist()
    lefts = [
        entropy_left(column, y, weights, range(size), classes, empty)
        for column, size in zip(columns, sizes, strict=True)
    ]
    best, least = 0, lefts[0] if keeps_first else math.inf
    for attribute, left in enumerate(lefts):
        if left < least:
            best, least = attribute, left

    def majority(value):
        counts = [
            sum(
                w
                for x, label, w in zip(columns[best], y, weights, strict=True)
                if value in (x, None) and label == c
            )
            for c in classes
        ]
        return counts.index(max(counts)) if any(counts) else majority(None)

    return best, [majority(value) for value in range(sizes[best])]


@pytest.mark.parametrize(("empty", "keeps_first"), PROGRAMS)
def test_the_kernel_is_the_reference_in_any_chunks(empty, keeps_first):
    chosen = set()
    for seed in range(150):
        rng = np.random.default_rng(seed)
        sizes, n = rng.integers(2, 5, size=4).tolist(), int(rng.integers(1, 40))
        X = np.column_stack([rng.integers(0, size, n) for size in sizes])
        y, weights = rng.integers(0, 3, n), rng.integers(1, 4, n)
        declared = [np.arange(size) for size in sizes]
        model = NanStumpClassifier(empty, keeps_first, categories=declared)
        cut = int(rng.integers(0, n))
        for part in (slice(0, cut), slice(cut, n)):
            if y[part].size:
                model.partial_fit(X[part], y[part], classes=[0, 1, 2], sample_weight=weights[part])
        stream = (each.tolist() for each in (X, y, weights))
        best, leaves = reference(*stream, sizes, range(3), empty, keeps_first)
        assert model.feature_ == best
        every = np.array(list(product(*map(range, sizes))))
        assert model.predict(every).tolist() == [leaves[row[best]] for row in every]
        chosen.add(best)
    assert len(chosen) == 4


#: Eight examples of two classes, the last column. Counts of the classes by value: 3|1 and 1|3 in column 0,
#: 4|0 and 0|4 in column 1, 3|0 and 1|4 in column 2.
ROWS = [*[("a", "p", "x", 0)] * 3, ("b", "p", "y", 0), ("a", "q", "y", 1), *[("b", "q", "y", 1)] * 3]


@pytest.mark.parametrize("name", ["balance", "car-evaluation", "nursery"])
def test_without_a_nan_it_is_the_stump_of_the_library(name):
    X, y = load_dataset(name, return_X_y=True)
    nominal = np.ones(X.shape[1], bool)
    for ensemble in (BaggingClassifier, OnlineBaggingClassifier):
        ours, theirs = (
            ensemble(base, 10, categorical_features=nominal, random_state=1).fit(X, y).predict(X)
            for base in (NanStumpClassifier("nothing"), DecisionStumpClassifier())
        )
        assert (ours == theirs).all()
