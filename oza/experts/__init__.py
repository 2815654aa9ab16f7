"""Online prediction with experts: forecasters that come close to the best of many (thesis section 2.3)."""

from .universal import UniversalLinearPredictor
from .weighted_majority import WeightedMajority
from .winnow import Winnow

__all__ = ["UniversalLinearPredictor", "WeightedMajority", "Winnow"]
