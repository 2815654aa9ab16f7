"""Hoeffding option trees: Hoeffding trees in which a node may have several tests at once."""

from .classifier import HoeffdingOptionTreeClassifier, HoeffdingOptionTreeStructure

__all__ = ["HoeffdingOptionTreeClassifier", "HoeffdingOptionTreeStructure"]
