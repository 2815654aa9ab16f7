import math
from itertools import product

import numpy as np
import pytest

from oza import BaggingClassifier, DecisionStumpClassifier, OnlineBaggingClassifier
from oza.datasets import load_dataset
from oza.extend import log
from reproduction.studies.nan_counts import attributes_chosen, counts_by_value
from reproduction.studies.nan_stump import EMPTY, NanStumpClassifier

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


def chosen(columns, empty="class", keeps_first=True):
    """The number of the attribute that is tested among these columns of `ROWS`."""
    X = [[row[column] for column in columns] for row in ROWS]
    return columns[NanStumpClassifier(empty, keeps_first).fit(X, [row[-1] for row in ROWS]).feature_]


def test_a_later_attribute_with_an_empty_cell_is_never_chosen():
    """Column 1 tells the classes apart and column 2 has one empty cell; only column 0 has none."""
    assert chosen([0, 2, 1]) == 0
    assert chosen([0, 2, 1], "nothing") == 1


def test_a_first_attribute_with_an_empty_cell_stays():
    assert chosen([2, 0, 1]) == 2
    assert chosen([2, 0, 1], keeps_first=False) == 0
    assert chosen([2, 1], keeps_first=False) == 2, "no gain is higher than minus infinity"
    assert chosen([2, 0, 1], "nothing") == 1


def test_an_empty_branch_counts_in_one_program_only():
    X = np.array([[row[0] == "a", row[1] == "p"] for row in ROWS], int)
    X[:, 1] = X[:, 0]  # as good as the first, and then better
    y = [row[-1] for row in ROWS]
    X[1, 0] = 1 - X[1, 0]
    found = {
        (empty, size): NanStumpClassifier(empty, categories=[[0, 1], range(size)]).fit(X, y).feature_
        for empty, size in product(EMPTY, (2, 3))
    }
    assert found.pop(("class or branch", 3)) == 0
    assert set(found.values()) == {1}


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


def test_a_program_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match='empty must be "nothing" or "class" or "class or branch"; got'):
        NanStumpClassifier("cell").fit([["a"]], [0])


def test_numbers_are_refused():
    with pytest.raises(ValueError, match=r"columns \[1\] of X are numeric; .* nominal columns only"):
        NanStumpClassifier(categorical_features=[0]).fit([[0, 1.5]], [0])


def test_gains_are_nan_where_a_value_that_occurs_lacks_a_class():
    counts = counts_by_value("car-evaluation")
    has_empty_cell = (counts == 0).any(axis=1) & (counts.sum(axis=1) > 0)
    found = attributes_chosen(["car-evaluation"]).loc["car-evaluation"]
    assert found["is NaN"] == has_empty_cell.groupby("attribute").any().sum() == 5
    assert found[["with the NaN", "without", "is lost"]].tolist() == ["buying", "safety", True]
