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
    chosen: Annotated[np.ndarray, "M", "index W"]
    as_text: "Annotated[np.ndarray, 'M, W', 'labels']"
    trees: Any
    size: int


def test_the_axes_and_the_contents_of_each_array_are_read():
    assert arrays_of(Written) == {
        "plain": Array(("...", "M"), ""),
        "counts": Array(("V", "K", "M"), ""),
        "codes": Array(("M", "W", "A"), "codes"),
        "chosen": Array(("M",), "index W"),
        "as_text": Array(("M", "W"), "labels"),
    }


def state(annotation):
    return NamedTuple("Misspelt", [("codes", annotation)])


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[np.ndarray, "M, W", "code"],
        Annotated[np.ndarray, "M, W", "codes", "labels"],
        Annotated[np.ndarray, "M, W", 3],
        Annotated[np.ndarray, "codes"],
        Annotated[np.ndarray, "M, W", "index"],
        Annotated[np.ndarray, 2],
    ],
)
def test_a_word_that_means_nothing_is_refused_when_an_operation_is_implemented(annotation):
    @Operation
    def measure(models):
        pass

    with pytest.raises(TypeError, match=r'Misspelt\.codes is annotated .*then "codes" or "labels" if'):
        implements(measure, state(annotation))
