"""Which columns of a data set are nominal."""

from typing import Any


def nominal_columns(X: Any) -> range | None:
    """Indices of the nominal columns of a data set, for `categorical_features`.

    `oza.datasets.load_dataset` and `reproduction.studies.protocol.prepare` give nominal values as codes,
    which are integers: to a classifier they are numbers unless they are declared. Floating-point numbers are
    numeric.

    >>> import numpy as np
    >>> nominal_columns(np.zeros((2, 3), int)), nominal_columns(np.zeros((2, 3)))
    (range(0, 3), None)
    """
    return range(X.shape[1]) if X.dtype.kind == "i" else None
