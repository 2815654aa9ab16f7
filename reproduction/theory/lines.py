"""Separation of points by straight lines, and by a vote of three of them (thesis Figure 2.5)."""

import numpy as np
import numpy.typing as npt

from oza.kernels.draws import uniforms


def sides(points: npt.ArrayLike, lines: npt.ArrayLike) -> np.ndarray:
    """Whether each point (x, y) is on the positive side of each line a x + b y + c = 0, a row each.

    >>> sides([[0, 0], [2, 2]], [[1, 0, -1]]).ravel().tolist()
    [False, True]
    """
    lines = np.asarray(lines)
    return np.asarray(points) @ lines[:, :2].T + lines[:, 2] > 0


def in_general_position(n_points: int, size: int, seed: int) -> np.ndarray:
    """Draw points with integer coordinates in 0..size−1, no three of them on a line.

    >>> in_general_position(3, 10, seed=1).shape
    (3, 2)
    """
    points = np.empty((0, 2), np.int64)
    for i in range(100 * n_points):
        longer = np.vstack([points, (uniforms(2, "point", seed, i) * size).astype(np.int64)])
        if _turns(longer)[-1, :-1, :-1][~np.eye(len(points), dtype=bool)].all():
            points = longer
        if len(points) == n_points:
            return points
    raise ValueError(f"a square of {size} × {size} points is too small for {n_points}")


def best_line(points: npt.ArrayLike, labels: npt.ArrayLike) -> tuple[int, tuple[int, int]]:
    """Smallest number of errors of a straight line on labelled points, by exhaustive search.

    Every partition of the points by a line is obtained from a line through two of them by a small
    movement, which puts these two on any sides and leaves the others where they are. With integer
    coordinates the result is exact.

    Returns this number, and the numbers of the two points next to which the line runs.

    The corners of a square with a class for each diagonal: no line classifies more than three correctly.

    >>> best_line([[0, 0], [1, 1], [0, 1], [1, 0]], [True, True, False, False])[0]
    1
    """
    labels = np.asarray(labels, bool)
    turn = _turns(np.asarray(points, np.int64))
    i, j = np.triu_indices(len(turn), 1)
    side = turn[:, i, j]  # (n, pairs): +1, −1, and 0 for the two points of the pair
    if (side == 0).sum() > 2 * len(i):
        raise ValueError("three of the points lie on one line")
    truth = np.where(labels, 1, -1)[:, None]
    wrong, right = (side == -truth).sum(axis=0), (side == truth).sum(axis=0)
    fewest = np.minimum(wrong, right)
    best = int(fewest.argmin())
    return int(fewest[best]), (int(i[best]), int(j[best]))


def _turns(points: np.ndarray) -> np.ndarray:
    """Side of the line from i to j on which k lies, at [k, i, j]: +1, −1, or 0 if on it."""
    x, y = points.T
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]  # [i, j]: from i to j
    return np.sign(dx[None] * dy.T[:, :, None] - dy[None] * dx.T[:, :, None])
