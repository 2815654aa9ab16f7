"""The annotations of a state are read as they are meant, and what means nothing is refused."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from oza.kernels.compile import Operation, implements
from oza.kernels.states import Array, arrays_of


class Written(NamedTuple):
    plain: np.ndarray
    counts: Annotated[np.ndarray, "V, K, M"]
    codes: Annotated[np.ndarray, "M, W, A", "codes"]
    chosen: "Annotated[np.ndarray, 'M', 'index W']"
    trees: Any


def test_the_axes_and_the_contents_of_each_array_are_read():
    assert arrays_of(Written) == {
        "plain": Array(("...", "M"), ""),
        "counts": Array(("V", "K", "M"), ""),
        "codes": Array(("M", "W", "A"), "codes"),
        "chosen": Array(("M",), "index W"),
    }


def misspelt(annotation):
    return NamedTuple("Misspelt", [("codes", annotation)])


@pytest.mark.parametrize("words", [("M, W", "code"), ("M, W", "codes", "labels"), ("M, W", "index"), (2,)])
def test_a_word_that_means_nothing_is_refused_when_an_operation_is_implemented(words):
    with pytest.raises(TypeError, match=r'Misspelt\.codes is annotated .*then "codes" or "labels" if'):
        implements(Operation(lambda models: None), misspelt(Annotated[np.ndarray, *words]))
