"""Evidence about sampling and convergence."""

import math

import pandas as pd

from reproduction.theory import sampling

SIZES = [2, 5, 20, 100, 500]


def by_n(values):
    return pd.Series([float(values(n)) for n in SIZES], index=SIZES)


DISTANCE = by_n(sampling.total_variation)
COUNTS = [counts for total in range(4) for counts in sampling.count_vectors(2, total)]
TRIALS = {counts: sampling.probability_by_trials(counts) for counts in COUNTS}
INDEPENDENT = {counts: sampling.probability_by_independent_counts(counts) for counts in COUNTS}
VARIANCES = pd.DataFrame(
    [(n, m, v, 1.01 * v, 0.01 * v) for n in (10, 50) for m in (1, 5) for v in (1 / (n * n * m),)],
    columns=["N", "M", "exact", "estimate", "standard_error"],
)
CONSTANT = by_n(lambda n: 0.3)
RATIO = by_n(lambda n: n * sampling.mean_inverse_size(n))
NOTHING = by_n(lambda n: math.exp(-n) / 2)
N_OF_N = by_n(lambda n: sampling.sample_size_law(n)[n])
UNCHANGED = {"Naive Bayes": 0, "decision stump": 0, "decision tree": 0, "pruned decision tree": 0}
SLOW = by_n(lambda n: n**-0.1)

EVIDENCE = {
    "C007": tuple(
        (pd.DataFrame({"batch": each, "online": each}), each)
        for each in (DISTANCE, 1 - DISTANCE, DISTANCE[:1])
    ),
    "C008": ((UNCHANGED, {"network": 7}), ({"Naive Bayes": 1}, {"network": 7}), (UNCHANGED, {"network": 0})),
    "C053": ((DISTANCE,), (1.01 * DISTANCE.iloc[[0, -1]],), (DISTANCE[:1],)),
    "C054": ((TRIALS, INDEPENDENT), (TRIALS, {**INDEPENDENT, (1, 1): TRIALS[2, 0]}), ({}, {})),
    "C055": ((VARIANCES,), (VARIANCES.assign(estimate=1.2 * VARIANCES.exact),), (VARIANCES[:2],)),
    "C056": ((RATIO, 0 * RATIO), (RATIO, NOTHING), (RATIO[:1], NOTHING[:1])),
    "C057": ((DISTANCE, DISTANCE, 1.0), (DISTANCE, CONSTANT, 1.0), (DISTANCE, DISTANCE, 0.0)),
    "C058": ((N_OF_N,), (0.9 * N_OF_N,), (N_OF_N[:1],)),
    "C059": ((1 - DISTANCE, DISTANCE), (DISTANCE, DISTANCE), (1 - DISTANCE, CONSTANT)),
    "C060": ((1 - N_OF_N, NOTHING), (CONSTANT, NOTHING), (CONSTANT[:1], NOTHING[:1])),
    "C061": ((DISTANCE, 1.5 * DISTANCE), (DISTANCE, 3 * DISTANCE), (CONSTANT, DISTANCE)),
}
