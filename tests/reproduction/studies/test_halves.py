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
    classes = np.array([0, 1, 3])  # there is no 2
    y = classes[np.arange(6000) % 3]
    labels, is_flipped = flipped(y, 0.3, [1])
    assert ((labels != y) == is_flipped).all() and abs(is_flipped.mean() - 0.3) < 0.02
    for label in range(3):
        others = np.bincount(labels[is_flipped & (y == classes[label])], minlength=4)
        assert others[2] == 0
        others = others[classes]
        assert others[label] == 0 and np.delete(others, label) == pytest.approx(others.sum() / 2, rel=0.15)
