"""What a weak learner's edge is worth: Schapire's construction, and boosting told the edge (section 4.2)."""

import numpy as np
import pandas as pd

from ..claims.registry import Decision, Found, claim, require
from ..printed.record import Record
from ..theory import boosting

ROUNDING = 1e-9  # sums of thousands of weights
_ATTRIBUTES = 9  # of the majority problem


def constructions(rng: np.random.Generator) -> pd.DataFrame:
    """Measure Schapire's construction on the problem of the majority."""
    return boosting.constructions(boosting.majority_votes(_ATTRIBUTES), rng)


@claim("C090", evidence=lambda record: (constructions(np.random.default_rng(1)),))
def three_beat_one(constructions: pd.DataFrame) -> Decision:
    """Judge Schapire's construction on a number of problems.

    The claim holds if the error of the majority is at most 3e² − 2e³, which is below e, whenever the largest
    of the three errors, e, is below 1/2.
    """
    weak = constructions.query("0 < error < 0.5")
    require(len(weak), "no hypotheses with errors between 0 and 1/2")
    e = weak["error"].astype(float)
    room = 3 * e**2 - 2 * e**3 - weak["combined"].astype(float)
    return bool((room >= -ROUNDING).all()), (
        f"{len(weak)} constructions, combined error below 3e² − 2e³ by {room.min():.2g} to {room.max():.2g}"
    )


def _edges(record: Record) -> tuple[pd.DataFrame, float, float, int | None]:
    """Evidence: boost-by-majority told multiples of the edge, and AdaBoost, on the majority problem."""
    wrong, known, target = boosting.majority_votes(_ATTRIBUTES), 1 / (2 * _ATTRIBUTES), 0.01
    rows = {}
    for edge in (multiple * known for multiple in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)):
        rounds = 1
        while boosting.promised_error(edge, rounds) > target:
            rounds += 2
        rows[edge] = rounds, boosting.boost_by_majority(wrong, edge, rounds)
    by_majority = pd.DataFrame.from_dict(rows, "index", columns=["rounds", "error"])
    n_inputs = wrong.shape[1]
    run = boosting.boost_over(wrong, 500, np.full(n_inputs, 1 / n_inputs))
    errors = np.array(run.errors)
    votes = np.log((1 - errors) / errors)[:, None] * (1 - 2 * wrong[run.chosen])
    reached = np.flatnonzero((np.cumsum(votes, axis=0) <= 1e-9).mean(axis=1) <= target)
    return by_majority, known, target, int(reached[0]) + 1 if len(reached) else None


@claim("C091", evidence=_edges, given=("known_edge", "target"))
def edge_must_be_known(
    by_majority: pd.DataFrame, known_edge: float, target: float, adaboost_rounds: Found[int | None]
) -> Decision:
    """Judge boost-by-majority with several edges against AdaBoost, which is not given the edge.

    The claim holds if boost-by-majority reaches the target with the known edge, needs more rounds with each
    smaller edge and misses the target with some larger one, while AdaBoost reaches it in no more rounds.

    Parameters
    ----------
    by_majority : DataFrame
        Indexed by the edge that the algorithm is told; columns `rounds` that this edge needs for the
        `target`, and `error` that was reached.
    known_edge : float
        The edge that the hypotheses are known to have.
    target : float
        Training error aimed at.
    adaboost_rounds : int or None
        Rounds after which AdaBoost was below the target; None if never.
    """
    edges = by_majority.index
    enough = known_edge in edges and edges.min() != known_edge and edges.max() != known_edge
    require(enough, "needs the known edge, a smaller and a larger one")
    known = by_majority.loc[known_edge]
    smaller, larger = by_majority[edges < known_edge], by_majority[edges > known_edge]
    keeps = known["error"] <= target
    wastes = bool((smaller["rounds"] > known["rounds"]).all())
    misses = bool((larger["error"] > target).any())
    adapts = adaboost_rounds is not None and adaboost_rounds <= known["rounds"]
    return bool(keeps and wastes and misses and adapts), (
        f"edge known: {known['rounds']:.0f} rounds; too small: up to {smaller['rounds'].max():.0f}; "
        f"too large, smallest first: error {', '.join(f'{x:.3f}' for x in larger.sort_index()['error'])}; "
        f"AdaBoost: {adaboost_rounds} rounds"
    )
