"""Hoeffding trees: decision trees that grow with a stream, and keep counts instead of examples."""

from .classifier import HoeffdingTreeClassifier, HoeffdingTreeStructure

__all__ = ["HoeffdingTreeClassifier", "HoeffdingTreeStructure"]
