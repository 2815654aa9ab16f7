"""Ratings of films, blended from several predictors, and the leaderboard of a contest.

Beside `averages`, for the same page.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from oza.kernels.draws import normals, uniforms

from ..claims.criteria import names
from ..claims.registry import Decision, claim, require
from ..printed.printed import printed

Predictor = Callable[["Ratings"], np.ndarray]


class Ratings(NamedTuple):
    """Generated ratings, most of them missing.

    Attributes
    ----------
    users, films : int64 arrays of shape (n,)
        Who rated what.
    stars : ndarray of shape (n,)
        Whole numbers from 1 to 5.
    part : int64 array of shape (n,)
        0 for training, 1 for fitting the blend, 2 for the test.
    n_users, n_films : int
    """

    users: np.ndarray
    films: np.ndarray
    stars: np.ndarray
    part: np.ndarray
    n_users: int
    n_films: int


def generate(n_users: int = 400, n_films: int = 150, share: float = 0.2, seed: int = 1) -> Ratings:
    """Generate ratings: a level for each user and film, three tastes, an effect of kinds of films, and noise.

    Of the pairs of a user and a film, the given share is rated (in the Netflix prize 1 %).

    >>> ratings = generate(50, 20)
    >>> sorted(set(ratings.stars.tolist()))
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    tastes, kinds = normals((n_users, 3), "tastes", seed), normals((n_films, 3), "kinds", seed)
    levels = 0.4 * normals(n_users, "users", seed)[:, None] + 0.5 * normals(n_films, "films", seed)
    group = (uniforms(n_films, "group", seed) * 6).astype(int)
    liking = 0.4 * normals((n_users, 6), "liking", seed)[:, group]
    noise = 0.7 * normals((n_users, n_films), "noise", seed)
    exact = 3.6 + levels + 0.35 * (tastes[:, None] * kinds).sum(axis=2) + liking + noise
    stars = np.clip(np.rint(exact), 1, 5)
    users, films = np.nonzero(uniforms((n_users, n_films), "rated", seed) < share)
    draw = uniforms(len(users), "part", seed)
    return Ratings(users, films, stars[users, films], (draw > 0.8) * 1 + (draw > 0.9) * 1, n_users, n_films)


def _means(values: np.ndarray, of: np.ndarray, n: int) -> np.ndarray:
    """Means by user or film, drawn towards 0 by two zeros."""
    return np.bincount(of, values, n) / (np.bincount(of, minlength=n) + 2.0)


def _levels(ratings: Ratings, with_users: bool = True, with_films: bool = True) -> np.ndarray:
    known = ratings.part == 0
    users, films, stars = ratings.users[known], ratings.films[known], ratings.stars[known]
    mean = stars.mean()
    of_film, of_user = np.zeros(ratings.n_films), np.zeros(ratings.n_users)
    for _ in range(5 if with_users and with_films else 1):
        if with_films:
            of_film = _means(stars - mean - of_user[users], films, ratings.n_films)
        if with_users:
            of_user = _means(stars - mean - of_film[films], users, ratings.n_users)
    return mean + of_user[ratings.users] + of_film[ratings.films]


def _factors(ratings: Ratings, rank: int) -> np.ndarray:
    """Factorise what the levels leave, by fifteen rounds of alternating least squares with a ridge of 4."""
    base = _levels(ratings)
    known = ratings.part == 0
    users, films, rest = ratings.users[known], ratings.films[known], (ratings.stars - base)[known]
    sides = [0.1 * normals((n, rank), "start", rank, n) for n in (ratings.n_users, ratings.n_films)]
    for _ in range(15):
        for fitted, fixed, own, other in ((*sides, users, films), (*sides[::-1], films, users)):
            for i in range(len(fitted)):
                rows = np.flatnonzero(own == i)
                x = fixed[other[rows]]
                fitted[i] = np.linalg.solve(x.T @ x + 4.0 * np.eye(rank), x.T @ rest[rows])
    return base + (sides[0][ratings.users] * sides[1][ratings.films]).sum(axis=1)


def _neighbours(ratings: Ratings, n_neighbours: int = 20) -> np.ndarray:
    """Add to the levels what the user said of the most similar films."""
    base = _levels(ratings)
    known = ratings.part == 0
    table = np.zeros((ratings.n_users, ratings.n_films))
    rated = np.zeros_like(table)
    table[ratings.users[known], ratings.films[known]] = (ratings.stars - base)[known]
    rated[ratings.users[known], ratings.films[known]] = 1.0
    common = rated.T @ rated
    norms = np.sqrt((table.T**2 @ rated) * (rated.T @ table**2))
    alike = (table.T @ table) / np.maximum(norms, 1e-9) * common / (common + 20.0)
    np.fill_diagonal(alike, 0.0)
    strongest = np.sort(np.abs(alike), axis=1)[:, -n_neighbours][:, None]
    alike = np.where(np.abs(alike) >= strongest, alike, 0.0)
    return base + ((table @ alike.T) / (rated @ np.abs(alike).T + 1.0))[ratings.users, ratings.films]


#: Predictors, the simple ones first; each predicts all ratings from those for training.
PREDICTORS: dict[str, Predictor] = {
    "mean of all": lambda ratings: np.full(len(ratings.stars), ratings.stars[ratings.part == 0].mean()),
    "level of the film": lambda ratings: _levels(ratings, with_users=False),
    "level of the user": lambda ratings: _levels(ratings, with_films=False),
    "both levels": _levels,
    "similar films": _neighbours,
    "one factor": lambda ratings: _factors(ratings, 1),
    "two factors": lambda ratings: _factors(ratings, 2),
    "six factors": lambda ratings: _factors(ratings, 6),
}


def blend(ratings: Ratings) -> tuple[pd.DataFrame, np.ndarray]:
    """Measure each predictor, and the blends of the first, the first two, and so on.

    The weights of a blend are fitted by least squares, with a small ridge, to ratings that no predictor has
    seen, and tested on others. The frame has by predictor: rmse, its root mean square error on the test
    ratings; blend, that of the blend of it and all before it; weight, its weight in the blend of all. The
    array has the correlations of their errors on the test ratings.
    """
    says = np.column_stack([predict(ratings) for predict in PREDICTORS.values()])
    fitting, testing = ratings.part == 1, ratings.part == 2
    stars = ratings.stars[testing]
    errors = says[testing] - stars[:, None]
    scores = pd.DataFrame({"rmse": map(_rmse, errors.T)}, pd.Index(PREDICTORS, name="predictor"))
    for k, name in enumerate(PREDICTORS, 1):
        x = says[fitting, :k]
        weights = np.linalg.solve(x.T @ x + np.eye(k), x.T @ ratings.stars[fitting])
        scores.loc[name, "blend"] = _rmse(says[testing, :k] @ weights - stars)
    return scores.assign(weight=weights), np.corrcoef(errors.T)


def _rmse(errors: np.ndarray) -> float:
    return float(np.sqrt((errors**2).mean()))


def improvements() -> pd.DataFrame:
    """Compute the improvements of the leaderboard from its scores, beside the printed ones."""
    toy = printed("schapire_toy")
    cinematch = float(toy.loc[toy["quantity"] == "rmse_cinematch_quiz", "value"].iloc[0])
    board = printed("netflix")
    return board.assign(computed=100 * (cinematch - board["rmse"]) / cinematch)


@claim("C144", evidence=lambda record: (improvements(),), given=("board.improvement_percent",))
def improvements_follow_from_scores(board: pd.DataFrame) -> Decision:
    """Judge the improvement over Cinematch that follows from each score of the leaderboard.

    The claim holds if it rounds to the printed one, in percent with two decimals, in all twenty rows.
    """
    require(len(board) >= 20, "needs all twenty rows")
    differ = board[(board["computed"] - board["improvement_percent"]).abs() > 0.005 + 1e-9]
    agreeing = f"{len(board) - len(differ)} of {len(board)} agree"
    return differ.empty, f"{agreeing}; exceptions: {names(differ['team'])}"
