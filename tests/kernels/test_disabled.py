"""With OZA_COMPILE=never kernels are plain Python, for a debugger."""

import pytest

from tests.processes import run

pytestmark = pytest.mark.full  # everything once more without compilation

DRAWS = """
import sys
from collections import defaultdict
import numpy as np
import oza
from oza.kernels import random
from tests.estimators import ensembles

def noted(row, j):
    by = sys._getframe(3).f_code.co_name  # behind the two methods of `Kernel` that call it
    places[int(row), int(j)].add("poisson" if by.startswith("poisson") else by)
    return draw_in_row(row, j)

draw_in_row, random.draw_in_row.py_func = random.draw_in_row.py_func, noted
rng, n_noted = np.random.default_rng(0), 0
X, y = rng.integers(0, 3, (60, 3)).astype(str), rng.integers(0, 2, 60)
for name, ensemble in ensembles(n_estimators=4).items():
    if not hasattr(ensemble, "partial_fit"):
        continue
    places = defaultdict(set)
    ensemble.partial_fit(X, y, classes=[0, 1])  # in blocks, where the ensemble can
    for n in range(20):  # one at a time
        ensemble.partial_fit(X[n : n + 1], y[n : n + 1])
    assert max(map(len, places.values()), default=1) == 1, (name, places)
    n_noted += len(places) > 0
print(n_noted)
"""


def test_unit_tests_pass_uncompiled():
    """Of vector instructions, of an ensemble, and of every ensemble with models of two operations."""
    files = ["tests/kernels/test_simd.py", "tests/ensembles/test_voting.py", "tests/models/test_contract.py"]
    chosen = "simd or OnlineBaggingClassifier or learned_nothing or known_classes or two_operations"
    options = ["-q", "-p", "no:cacheprovider", "-m", "", "-k", chosen, *files]
    shown, _ = run(f"import pytest, sys; sys.exit(pytest.main({options}))", OZA_COMPILE="never")
    assert " passed" in shown and "failed" not in shown


def test_no_ensemble_takes_two_numbers_from_one_draw():
    assert int(run(DRAWS, OZA_COMPILE="never")[0]) >= 8
