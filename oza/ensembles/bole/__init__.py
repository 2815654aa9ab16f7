"""BOLE, a boosting-like online learning ensemble."""
