"""Evidence about aggregation."""

from fractions import Fraction

import numpy as np

from reproduction.theory.aggregation import aggregate

LAW = np.array([[Fraction(1, 3)], [Fraction(2, 3)]])
MAJORITY = aggregate(lambda counts: counts.argmax(axis=0), LAW, 3)
FIXED = aggregate(lambda counts: np.array([1]), LAW, 3)

EVIDENCE = {
    "C052": (
        ({"majority": MAJORITY, "fixed": FIXED},),
        ({"majority": MAJORITY._replace(gain=MAJORITY.gain / 2), "fixed": FIXED},),
        ({"fixed": FIXED},),
    )
}

TOO_LARGE = FIXED._replace(gain=Fraction(1, 9), aggregated=FIXED.single + Fraction(1, 9))
