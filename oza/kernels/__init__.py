"""Compilation, arithmetic and random draws: what all numerical code is built from."""
