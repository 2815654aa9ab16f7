"""Hypothesis strategies: small streams of every shape that a learner may meet."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

_NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, -2.5]),  # repeated values, constant columns
    st.floats(-1e6, 1e6, allow_nan=False, width=32),
)
_WEIGHTS = st.one_of(st.sampled_from([0.0, 1.0, 2.0, 37.0]), st.floats(1e-3, 1e4))


class Stream(NamedTuple):
    """Rows of values, labels and weights, and the same as the library takes them."""

    rows: list
    labels: list
    weights: list
    n_values: list  # values declared for each nominal column, None for numeric ones
    n_classes: int

    @property
    def frame(self):
        columns = {}
        for a, n_values in enumerate(self.n_values):
            column = [row[a] for row in self.rows]
            if n_values is None:
                columns[f"x{a}"] = np.array(column, dtype=np.float64)
            else:
                columns[f"x{a}"] = pd.Categorical(column, categories=[f"v{v}" for v in range(n_values)])
        return pd.DataFrame(columns)

    @property
    def classes(self):
        return list(range(self.n_classes))


@st.composite
def streams(draw, *, kinds=("nominal", "numeric", "mixed"), max_rows=40, weighted=False):
    kind = draw(st.sampled_from(kinds))
    n_columns = draw(st.integers(1, 5))
    n_values = []
    for a in range(n_columns):
        nominal = kind == "nominal" or (kind == "mixed" and (a == 0 or draw(st.booleans())))
        n_values.append(draw(st.integers(1, 4)) if nominal else None)
    n_classes = draw(st.integers(2, 4))
    value = [_NUMBERS if n is None else st.sampled_from([f"v{v}" for v in range(n)]) for n in n_values]
    rows = draw(st.lists(st.tuples(*value).map(list), min_size=1, max_size=max_rows))
    n = len(rows)
    labels = draw(st.lists(st.integers(0, draw(st.integers(0, n_classes - 1))), min_size=n, max_size=n))
    weights = draw(st.lists(_WEIGHTS, min_size=n, max_size=n)) if weighted else [1.0] * n
    return Stream(rows, labels, weights, n_values, n_classes)
