"""Small streams of all shapes: random ones, and Hypothesis strategies."""

from itertools import accumulate, pairwise
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
    """Rows of values, labels and weights, also in the format of the library."""

    rows: list
    labels: list
    weights: list
    n_values: list  # values declared for each nominal column, None for numeric ones
    n_classes: int

    @property
    def frame(self):
        columns = {}
        for a, values in enumerate(self.values):
            column = [row[a] for row in self.rows]
            numeric = values is None
            columns[f"x{a}"] = np.array(column, np.float64) if numeric else pd.Categorical(column, values)
        return pd.DataFrame(columns)

    @property
    def values(self):
        """Declared values of each nominal column; None for numeric ones."""
        return [None if n is None else [f"v{v}" for v in range(n)] for n in self.n_values]

    @property
    def nominal(self):
        """Indices of the nominal columns, told from the others also where all their values are missing."""
        return [a for a, n in enumerate(self.n_values) if n is not None]

    @property
    def classes(self):
        return list(range(self.n_classes))


def pieces(cuts, n):
    """Slices of `n` rows, of the lengths `cuts` as far as they go, and then of all that are left."""
    edges = [*(edge for edge in [0, *accumulate(cuts)] if edge < n), n]
    return [slice(*both) for both in pairwise(edges)]


def learn_in_any_order(online, stream, random, cuts):
    """Train on a stream in a random order, which is returned, in chunks as in `pieces`; ask after each."""
    frame, labels, order = stream.frame, np.array(stream.labels), [*range(len(stream.labels))]
    random.shuffle(order)
    for piece in pieces(cuts, len(order)):
        rows = order[piece]
        online.partial_fit(frame.iloc[rows], labels[rows], classes=stream.classes).predict(frame[:1])
    return order


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


def random_stream(rng, n_rows, n_numeric=0, n_nominal=None, missing=0.0):
    """Rows without a lasting rule, so that the best tests change often; some values are missing."""
    n_columns = int(rng.integers(1, 6))
    n_values = int(rng.integers(2, 5))
    n_classes = int(rng.integers(2, 4))
    codes = rng.integers(0, n_values, (n_rows, n_columns))
    labels = (codes @ rng.integers(0, 3, n_columns) + (rng.random(n_rows) < 0.2)) % n_classes
    columns = [[f"v{v}" for v in column] for column in codes.T[:n_nominal].tolist()]
    sizes = [n_values for _ in columns]
    for _ in range(n_numeric):
        place = int(rng.integers(0, len(columns) + 1))
        columns.insert(place, np.round(rng.normal(labels), int(rng.integers(0, 3))).tolist())
        sizes.insert(place, None)
    for column, size in zip(columns, sizes, strict=True) if missing else ():
        for n in np.flatnonzero(rng.random(n_rows) < missing).tolist():
            column[n] = None if size else float("nan")
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Stream(rows, labels.tolist(), [1.0] * n_rows, sizes, n_classes)
