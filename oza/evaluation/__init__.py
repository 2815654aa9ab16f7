"""How well a classifier does on a stream: predict each example, then train on it."""

from .evaluation import Evaluation
from .prequential import prequential

__all__ = ["Evaluation", "prequential"]
