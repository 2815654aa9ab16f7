"""Decision trees with binary tests, in batch mode or lossless online."""

from .classifier import DecisionTreeClassifier, TreeStructure

__all__ = ["DecisionTreeClassifier", "TreeStructure"]
