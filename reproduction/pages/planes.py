"""What classifiers have learned of one stream in the plane, in the same picture on every page."""

import re

import numpy as np
import pandas as pd
from matplotlib.patches import Circle

from ..figures import INK, Picture, bare, paneled
from ..simulations.moving_disc import (
    CENTRES,
    N_EXAMPLES,
    RADIUS,
    THROUGH,
    grid_points,
    is_inside,
    moving_disc,
    shares_in_the_plane,
)
from .lectures import shade


def plane_panels(*names: str, n_examples: int = N_EXAMPLES, n_models: int = 25, seed: int = 1) -> Picture:
    """Shade the square by the recorded shares of class 1 of learners of the moving disc; a panel for each.

    Shades have a scale for each panel, the deepest where the share is furthest from one half. The disc is
    dashed where it is when the learner has seen its last example, and the latest 150 examples are dots,
    filled for class 1. The cells hold the share of the square that is classified correctly.
    """
    X, y = moving_disc(n_examples, seed)
    known = {"n_examples": n_examples, "n_models": n_models, "seed": seed}
    rows = []
    with paneled(dict.fromkeys(names), 320, head=40) as (figure, grid):
        for axes, name, _ in grid:
            has_moved = name in THROUGH
            shares = np.array(shares_in_the_plane.recorded(name, **known))
            lead = np.abs(shares - 0.5)
            shown = 0.5 + np.where(shares > 0.5, 0.5, -0.5) * (0.3 + 0.7 * lead / lead.max())
            shade(axes, shown)
            share = ((shares.ravel() > 0.5) == is_inside(grid_points(len(shares)), has_moved)).mean()
            axes.add_patch(Circle(CENTRES[has_moved], RADIUS, fill=False, linestyle="--", edgecolor=INK))
            end = n_examples if has_moved else n_examples // 2
            latest = slice(end - 150, end)
            for value, face in ((0, "none"), (1, INK)):
                part = X[latest][y[latest] == value]
                axes.scatter(*part.T, s=7, facecolors=face, edgecolors=INK, linewidths=0.6)
            # Results are recorded under the names that the learners had first.
            shown_name = re.sub(r"\bbag\b", "bagging", name)
            bare(axes, f"{shown_name}: {share:.0%}")
            rows.append((name, share))
    cells = pd.DataFrame(rows, columns=["learner", "correct"]).set_index("learner")
    lines = [f"{name}: {share:.1%} of the square correct" for name, share in rows]
    return Picture(figure, "\n".join(lines), cells)
