"""Common functions of the forecasters."""

from sklearn.base import clone


def restart(forecaster, *stream):
    """Refit `forecaster` on `stream` from its initial state; if the stream is refused, it stays unchanged."""
    vars(forecaster).update(clone(forecaster).partial_fit(*stream)._picklable())
    return forecaster
