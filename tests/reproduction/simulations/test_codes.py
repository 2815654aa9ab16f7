"""Output codes without a restriction."""

import numpy as np

from oza.streams import RandomRBF
from reproduction.simulations.codes import UnrestrictedCodesClassifier, unrestricted_codes


def test_unrestricted_codes_are_uniform_over_all_that_are_not_constant():
    found, counts = np.unique(unrestricted_codes(5, 8000, 4), axis=0, return_counts=True)
    assert len(found) == 14 and not set(found.sum(axis=1)) & {0, 4}
    assert ((counts - 8000 / 14) ** 2 / (8000 / 14)).sum() < 40


def test_a_classifier_learns_with_them():
    stream = RandomRBF(n_classes=6)
    X, y = stream[:500]
    model = UnrestrictedCodesClassifier(n_estimators=40, output_codes=True, random_state=1)
    model.partial_fit(X, y, classes=stream.classes)
    assert set(model.output_codes_.sum(axis=1)) > {3}
