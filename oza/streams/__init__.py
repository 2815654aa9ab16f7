"""Streams of examples: endless ones that are drawn, and drifts between them."""

from .agrawal import Agrawal
from .base import Attribute, Stream
from .chain import Chain
from .drift import DriftingStream, drift
from .hyperplane import Hyperplane
from .led import LED
from .rbf import RandomRBF
from .sea import SEA
from .stagger import STAGGER

__all__ = [
    "LED",
    "SEA",
    "STAGGER",
    "Agrawal",
    "Attribute",
    "Chain",
    "DriftingStream",
    "Hyperplane",
    "RandomRBF",
    "Stream",
    "drift",
]
