"""Our classifiers as those of River and CapyMOA, so that their evaluators and pipelines run them.

`oza.bridges.river` needs River, the extra `river`; `oza.bridges.capymoa` needs CapyMOA, the extra `capymoa`.
"""

from typing import Any

from sklearn.base import clone


def new_learner(classifier: Any) -> Any:
    """A copy of an online classifier that has not been trained."""
    if not hasattr(classifier, "learn_one"):
        raise TypeError(
            f"classifier must be an online classifier of oza, with `learn_one`; got {classifier!r}."
        )
    return clone(classifier)
