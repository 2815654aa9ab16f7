"""Encoded examples, as kernels take them."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from scipy import sparse

from ..kernels.compile import typed_once


@typed_once
class Examples(NamedTuple):
    """Encoded attribute values of N examples.

    `codes[n, a]` is the code of the value of nominal attribute a, a number among the values of all
    nominal attributes, or −1 if the value is missing or not in the schema; `numbers[n, d]` is the value
    of numeric attribute d.
    """

    codes: Annotated[np.ndarray, "N, A", "codes"]  # int32
    numbers: Annotated[np.ndarray, "N, D"]  # float64


Examples.is_never_changed = True  # type: ignore[attr-defined]  # so that nothing need be saved of it


class LabelledExamples(NamedTuple):
    """Encoded examples with their labels and weights, kept to be learned later."""

    examples: Examples
    labels: Annotated[np.ndarray, "N", "labels"]
    weights: Annotated[np.ndarray, "N"]


def rows_of(examples: Examples, rows: Any) -> Examples:
    """The examples with the indices `rows`, a slice or an array."""
    return Examples(*(part[rows] for part in examples))


def join(pieces: Sequence[Examples]) -> Examples:
    """Concatenate the examples of all pieces."""
    codes, numbers = zip(*pieces, strict=True)
    stack = sparse.vstack if sparse.issparse(numbers[0]) else np.concatenate
    return Examples(np.concatenate(codes), stack(numbers))


def joined(pieces: Sequence[LabelledExamples]) -> LabelledExamples:
    """Concatenate labelled examples."""
    examples, labels, weights = zip(*pieces, strict=True)
    return LabelledExamples(join(examples), np.concatenate(labels), np.concatenate(weights))
