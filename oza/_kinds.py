"""What can be done with base models of any kind outside the kernels.

M base models of one kind are one value: a NamedTuple of arrays. A kind that is not like most of
them registers its own way.
"""

import math
from functools import singledispatch

import numpy as np


@singledispatch
def make_room(models, examples):
    """Models with room for what `examples` hold, to be learned next; most kinds need no more."""
    return models


@singledispatch
def largest_number(models) -> float:
    """Largest magnitude of a numeric value that the models can learn; most kinds take every finite one."""
    return math.inf


@singledispatch
def keep_room(models, former):
    """Models that have learned nothing, with the room that the models in whose place they come had."""
    return models


@singledispatch
def take(models, members):
    """Copies of the base models with these numbers, an int array, as a value of their own.

    In most kinds the last axis of an array counts models; it has length 1 where they share it.
    """
    n_models = models[0].shape[-1]
    return models._make(
        part.take(members, axis=-1) if np.shape(part)[-1:] == (n_models,) else part for part in models
    )


@singledispatch
def pack(models):
    """What has to be kept of the base models in a file, as arrays and numbers; most kinds are just that."""
    return models


@singledispatch
def unpack(packed):
    """The base models that were packed."""
    return packed
