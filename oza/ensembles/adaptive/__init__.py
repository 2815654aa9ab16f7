"""Bagging and boosting that replace a base model when its error rises."""
