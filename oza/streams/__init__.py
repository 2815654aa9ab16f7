"""Streams of examples: endless ones that are drawn, drifts between them, and files read in pieces."""

from .agrawal import Agrawal
from .base import Attribute, Stream
from .chain import Chain
from .drift import DriftingStream, drift
from .files import FileStream, open_stream
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
    "FileStream",
    "Hyperplane",
    "RandomRBF",
    "Stream",
    "drift",
    "open_stream",
]
