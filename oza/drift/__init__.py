"""Detectors that tell when a stream has changed."""

from .adwin import ADWIN

__all__ = ["ADWIN"]
