"""Computations behind claims and pages that record nothing."""
