"""Adaptive random forests."""
