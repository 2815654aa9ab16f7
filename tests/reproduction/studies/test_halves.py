"""Random halves of data sets, and wrong labels in them."""

import numpy as np
import pytest

from oza.datasets import load_dataset
from reproduction.studies.halves import flipped, random_half


@pytest.mark.parametrize("n_train", [50, 312, 500])
def test_no_test_example_is_learned(n_train):
    _, y = load_dataset("balance", return_X_y=True)  # every row is different
    half = random_half("balance", 0, n_train, seed=1)
    learned, tested = ({tuple(row) for row in rows} for rows in (half.X, half.X_test))
    assert not learned & tested
    assert len(half.y) == min(n_train, len(y) // 2) and len(half.y_test) == len(y) - len(y) // 2


def test_flipped_labels_are_other_classes_drawn_evenly():
    y = np.zeros(6000, dtype=int)
    y[:2000], y[2000:4000] = 1, 3  # there is no 2
    labels, is_flipped = flipped(y, 0.3, [1])
    assert set(labels) == {0, 1, 3} and ((labels != y) == is_flipped).all()
    for label in (0, 1, 3):  # each is a third, so that 600 are flipped, half of them to each other class
        others = np.bincount(labels[is_flipped & (y == label)])
        assert others[others > 0] == pytest.approx(300, rel=0.15)
