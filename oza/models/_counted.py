"""Base models that count what an online ensemble asks of them.

They learn and answer as the models inside do, to the bit. What a batch ensemble asks is not counted:
it follows from the number of models.
"""

from typing import Any, NamedTuple

import numpy as np

from .._compile import verb_for
from .._kinds import keep_room, make_room
from ._verbs import classify, examine, learn, learn_and_test, learn_batch


class Counted(NamedTuple):
    """M base models of any kind, and the work that they did."""

    models: Any
    work: np.ndarray  # (3,): examples learned with a weight above 0, copies of them, and classifications


def counted(models):
    """Base models that have done nothing yet, and count what they do from now on."""
    return Counted(models, np.zeros(3))


@make_room.register
def _make_room(models: Counted, examples) -> Counted:
    return models._replace(models=make_room(models.models, examples))


@keep_room.register
def _keep_room(models: Counted, former) -> Counted:
    return models._replace(models=keep_room(models.models, former.models))


@verb_for(learn, Counted)
def _learn(models, m, examples, n, label, weight):
    models.work[0] += weight > 0.0
    models.work[1] += weight
    learn(models.models, m, examples, n, label, weight)


@verb_for(classify, Counted)
def _classify(models, m, examples, n):
    models.work[2] += 1.0
    return classify(models.models, m, examples, n)


@verb_for(learn_and_test, Counted)
def _learn_and_test(models, m, examples, labels, weights, is_right):
    for n in range(len(labels)):
        models.work[0] += weights[n] > 0.0
        models.work[1] += weights[n]
    models.work[2] += len(labels)
    learn_and_test(models.models, m, examples, labels, weights, is_right)


@verb_for(learn_batch, Counted)
def _learn_batch(models, m, examples, labels, weights, sample):
    learn_batch(models.models, m, examples, labels, weights, sample)


@verb_for(examine, Counted)
def _examine(models, m, examples, labels, is_right):
    examine(models.models, m, examples, labels, is_right)
