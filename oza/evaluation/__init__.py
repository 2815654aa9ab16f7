"""How well a classifier does on a stream: predict each example, then learn it."""

from .prequential import Evaluation, prequential

__all__ = ["Evaluation", "prequential"]
