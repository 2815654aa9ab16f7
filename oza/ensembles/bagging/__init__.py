"""Bagging and online bagging."""
