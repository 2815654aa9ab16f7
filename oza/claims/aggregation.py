"""Checks of the claims about aggregation (thesis section 3.2)."""

from collections.abc import Mapping

from ..theory.aggregation import Aggregation
from ._registry import Decision, claim


@claim("C052")
def gain_needs_instability(learners: Mapping[str, Aggregation]) -> Decision:
    """Judge equation 3.1 for learners that learned from every training set.

    The claim holds if the gain by the equation is the difference between the accuracy of the vote and
    the mean accuracy of one model, and is never larger than the instability of the learner, so that it
    vanishes where Q is 0 or 1. There have to be learners with and without instability.

    Parameters
    ----------
    learners : mapping of str to Aggregation
        In exact fractions.
    """
    instabilities = [result.instability for result in learners.values()]
    if not any(instabilities) or all(instabilities):
        return None, "needs a learner that always says the same, and one that does not"
    holds = all(
        result.gain == result.aggregated - result.single and abs(result.gain) <= result.instability
        for result in learners.values()
    )
    evidence = "; ".join(
        f"{name}: gain {float(result.gain):+.4f}, instability {float(result.instability):.4f}"
        for name, result in learners.items()
    )
    return holds, evidence
