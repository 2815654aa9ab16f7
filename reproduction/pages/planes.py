"""What classifiers have learned of one stream in the plane, in the same picture on every page."""

import numpy as np
import pandas as pd
from matplotlib.patches import Circle

from oza.compare.style import INK, drawing

from ..simulations.moving_disc import CENTRES, DRIFT_AT, RADIUS, THROUGH, is_inside, learned, moving_disc
from .lectures import shade
from .style import Picture, panels

_N_STEPS = 100
_POINTS = (np.indices((_N_STEPS, _N_STEPS)).reshape(2, -1)[::-1].T + 0.5) / _N_STEPS  # row by row


def plane_panels(*names: str) -> Picture:
    """Let learners of the stream of the moving disc learn it, and shade the side of each; a panel for each.

    The disc is dashed where it is when the learner has seen its last example, and the latest 150 examples
    are dots, filled for class 1. The cells hold the share of the square on which the learner is right.
    """
    X, y = moving_disc()
    rows = []
    with drawing(40 + 320 * -(-len(names) // 3), wide=len(names) > 2) as figure:
        for axes, name in zip(panels(figure, len(names)), names, strict=True):
            has_moved = name in THROUGH
            model = learned(name)
            values = shade(axes, lambda at, model=model: model.predict_proba(at)[:, 1], 0, 1, _N_STEPS)
            share = ((values.ravel() > 0.5) == is_inside(_POINTS, has_moved)).mean()
            axes.add_patch(Circle(CENTRES[has_moved], RADIUS, fill=False, linestyle="--", edgecolor=INK))
            end = len(y) if has_moved else DRIFT_AT
            latest = slice(end - 150, end)
            for value, face in ((0, "none"), (1, INK)):
                part = X[latest][y[latest] == value]
                axes.scatter(*part.T, s=7, facecolors=face, edgecolors=INK, linewidths=0.6)
            axes.set(title=f"{name}: {share:.0%}", xticks=[], yticks=[])
            rows.append((name, share))
    cells = pd.DataFrame(rows, columns=["learner", "share right"]).set_index("learner")
    lines = [f"{name}: right about {share:.1%} of the square" for name, share in rows]
    return Picture(figure, "\n".join(lines), cells)
