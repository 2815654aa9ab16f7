"""DECORATE."""
