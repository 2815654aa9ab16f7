"""Common functions of the forecasters."""

from sklearn.base import clone


def restart(forecaster, *stream):
    """Refit `forecaster` on `stream` from its initial state; if the stream is refused, it stays unchanged."""
    learned = clone(forecaster).partial_fit(*stream)._picklable()
    forecaster.__dict__ = learned | {"_lock": vars(forecaster)["_lock"]}
    return forecaster
