"""Aggregation: what would refute the claim."""

from fractions import Fraction

import numpy as np

from reproduction.theory.aggregation import aggregate

LAW = np.array([[Fraction(1, 3)], [Fraction(2, 3)]])
MAJORITY = aggregate(lambda counts: counts.argmax(axis=0), LAW, 3)
FIXED = {"fixed": aggregate(lambda counts: np.array([1]), LAW, 3)}
OFF = MAJORITY._replace(gain=MAJORITY.gain / 2)

#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C052": (({"majority": MAJORITY} | FIXED,), ({"majority": OFF} | FIXED,))}
