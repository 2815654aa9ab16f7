"""Classes of states that look alike keep their own machine code."""

from typing import NamedTuple

import numpy as np

import oza
from oza.ensembles.bagging.kernels import OutOfBag
from oza.extend import OnlineEnsemble, Operation, implements, kernel, step

CELL = """
from typing import NamedTuple
import numpy as np
from oza.extend import implements
class State(NamedTuple):
    values: np.ndarray
@implements(answer, State)
def _answer(state):
    return {answer}
"""


@Operation
def answer(state):
    raise NotImplementedError


@kernel
def ask(state):
    return answer(state)


def asked(kind):
    return ask(kind(np.zeros(1)))


def test_a_cell_can_be_edited_and_run_again():
    cells, found = {"__name__": "__main__", "answer": answer}, []
    for number in (3, 4):
        exec(CELL.format(answer=number), cells)
        found.append(asked(cells["State"]))
    assert found == [3, 4]


class OnlineBagging(NamedTuple):
    """Has the name and the fields of the library's."""

    out_of_bag: OutOfBag | None
    copies: np.ndarray
    labels: np.ndarray


@implements(step, OnlineBagging)
def _learn_nothing(algorithm, models, examples, n, label, weight, row):
    pass


class LazyClassifier(OnlineEnsemble):
    def _algorithm(self):
        return OnlineBagging(None, np.empty(self._n_models), np.empty(self._n_models, np.int32))


def test_a_class_may_be_called_like_one_of_the_library():
    X, y = np.tile([[0.0], [1.0]], (20, 1)), np.tile([0, 1], 20)
    for kind, accuracy in [(LazyClassifier, 0.5), (oza.OnlineBaggingClassifier, 1.0), (LazyClassifier, 0.5)]:
        model = kind(n_estimators=3, random_state=0, categorical_features=[0])
        for n in range(len(y)):  # one at a time, since only the library's learns in blocks
            model.partial_fit(X[n : n + 1], y[n : n + 1], classes=[0, 1])
        assert model.score(X, y) == accuracy, kind
