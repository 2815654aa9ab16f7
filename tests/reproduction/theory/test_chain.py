"""Exact limits of the Synthetic sets equal another sum, and agree with data."""

from itertools import product
from math import comb, prod

import numpy as np
import pytest

from oza.streams.chain import joint as joint_law
from reproduction.printed.printed import printed
from reproduction.theory.chain_limits import _product, chain_limits

SETS = ["synthetic1", "synthetic2", "synthetic3"]
FIRST, STEP = np.array([0.1, 0.8]), np.array([[0.8, 0.2], [0.9, 0.1]])


@pytest.mark.parametrize("name", SETS)
def test_the_ceiling_is_the_sum_of_forty_terms(name):
    """Given the class, only attribute 20 and the number of changes matter."""
    given = printed("synthetic").query(f"dataset == '{name}'").set_index("parameter")["value"]
    first = [float(value) for value in given[["P(A_20=0|C)"]]]
    terms = [
        max(
            comb(19, k) * end(first[c]) * same ** (19 - k) * (1 - same) ** k
            for c, same in enumerate((0.8, 0.9))
        )
        for k in range(20)
        for end in (lambda p: p, lambda p: 1 - p)
    ]
    limits = chain_limits(name)
    assert limits.bayes == pytest.approx(sum(terms) / 2, abs=1e-12)
    assert limits.bayes == pytest.approx(float(given["bayes_accuracy"]), abs=1e-4)


def test_laws_of_three_attributes_are_those_written_out():
    joint, blind = joint_law(FIRST, STEP, 3), _product(FIRST, STEP, 3)
    for c in (0, 1):
        value = lambda zero, v: zero if v == 0 else 1 - zero  # noqa: E731
        examples = list(product((0, 1), repeat=3))  # attributes 20, 19, 18
        expected = [value(FIRST[c], a) * value(STEP[c, a], b) * value(STEP[c, b], d) for a, b, d in examples]
        assert joint[c] == pytest.approx(expected)
        shares = [
            sum(p for p, example in zip(expected, examples, strict=True) if example[i] == 0) for i in range(3)
        ]
        marginals = [prod(map(value, shares, example)) for example in examples]
        assert blind[c] == pytest.approx(marginals)
