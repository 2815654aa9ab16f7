"""Schapire's toy example: ten points, three rounds, and the printed numbers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from ..claims.registry import Decision, claim
from ..figures import INK, SHADES, TEXT, Picture, bare, paneled
from ..printed.printed import printed
from ..printed.record import Record
from ..theory import schapire
from ..theory.schapire import Toy


def toy_printed(quantity: str) -> dict[int, float]:
    """Read the printed numbers of Schapire's toy example, by round."""
    rows = printed("schapire_toy").query("topic == 'adaboost_toy' and status == 'printed'")
    chosen = rows[rows["quantity"] == quantity]
    return dict(zip(chosen["index"].astype(int), chosen["value"].astype(float), strict=True))


def _toy(record: Record) -> tuple[list[Fraction], list[float], dict[int, float], dict[int, float]]:
    toy = schapire.run_on()
    return toy.run.errors, toy.alphas, toy_printed("epsilon"), toy_printed("alpha")


@claim("C143", evidence=_toy, given=("printed_errors", "printed_votes"))
def the_toy_example_has_the_printed_numbers(
    errors: Sequence[Fraction],
    votes: Sequence[float],
    printed_errors: Mapping[int, float],
    printed_votes: Mapping[int, float],
) -> Decision:
    """Judge errors and votes of three rounds on ten points, as AdaBoost computes them.

    The claim holds if the errors are exactly 3/10, 3/14 and 3/22, and every printed error and vote is the
    computed one, rounded to two decimals.
    """
    exact = list(errors) == [Fraction(3, 10), Fraction(3, 14), Fraction(3, 22)]
    found = [(float(errors[t - 1]), value) for t, value in printed_errors.items()]
    found += [(votes[t - 1], value) for t, value in printed_votes.items()]
    n_right = sum(f"{value:.2f}" == f"{shown:.2f}" for value, shown in found)
    return exact and n_right == len(found), (
        f"errors {', '.join(map(str, errors))}; {n_right} of {len(found)} printed numbers agree"
    )


def toy_panels(toy: Toy, points: np.ndarray, classes: np.ndarray) -> Picture:
    """Draw the rounds of a toy example: weights as sizes, the chosen half-plane, and the final vote.

    Rings mark the points that a panel's half-plane or vote misclassifies.
    """
    at = np.asarray(points, float)
    low, high = at.min(axis=0) - 1, at.max(axis=0) + 1
    sides = [np.linspace(a, b, 111) for a, b in zip(low, high, strict=True)]
    mesh = np.stack(np.meshgrid(*sides), axis=-1)
    rows, stages = [], []
    for t, (error, vote, says) in enumerate(zip(toy.run.errors, toy.alphas, toy.says, strict=True)):
        axis, threshold, sign = toy.borders[t]
        values = sign * np.where(mesh[..., axis] > threshold, 1, -1)
        stages.append((f"round {t + 1}: ε = {error}, α = {vote:.2f}", (values, toy.run.weights[t], says)))
        rows.append((t + 1, str(error), float(error), vote))
    says = np.sign(toy.vote(at))
    stages.append(("final vote", (np.sign(toy.vote(mesh)), toy.run.weights[0], says)))
    with paneled(stages, 320, per_row=2, wide=False) as (figure, grid):
        for axes, title, (values, weights, answers) in grid:
            extent = (low[0], high[0], low[1], high[1])
            look = {"cmap": SHADES, "vmin": -1.6, "vmax": 1.6, "aspect": "auto"}
            axes.imshow(values, origin="lower", extent=extent, **look)
            for point, kind, weight in zip(at, classes, weights.astype(float) * len(at), strict=True):
                size = TEXT + 9 * float(weight)
                axes.text(*point, "+" if kind > 0 else "−", fontsize=size, ha="center", va="center")
            wrong = at[answers != np.asarray(classes)]
            axes.scatter(*wrong.T, s=380, facecolors="none", edgecolors=INK, linewidths=1.4)
            bare(axes, title, xlim=extent[:2], ylim=extent[2:])
    cells = pd.DataFrame(rows, columns=["round", "error", "decimal", "vote"]).set_index("round")
    texts = [f"Round {t}: error {e}, vote {a:.4f}" for t, e, _, a in rows]
    n_wrong = int((says != np.asarray(classes)).sum())
    return Picture(figure, "\n".join([*texts, f"The final vote is wrong on {n_wrong} points."]), cells)
