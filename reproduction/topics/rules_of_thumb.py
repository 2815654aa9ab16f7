"""Boosted stumps as rules: on the words of calls, and on rectangles in generated pictures."""

from collections.abc import Mapping, Sequence
from itertools import product, zip_longest
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.patches import Rectangle

from oza.ensembles import AdaBoostClassifier
from oza.kernels.draws import normals, uniforms

from ..figures import BOOSTING, GUIDE, INK, Picture, bare, drawing, label_ends, lines, paneled


class Rectangles(NamedTuple):
    """A feature of a picture: grey values in light areas minus those in dark areas, each area a rectangle.

    Attributes
    ----------
    kind : str
        "side by side" (left light, right dark), "one above the other" (upper light, lower dark) or
        "three" (a dark one between two light ones, where it counts twice).
    top, left, height, width : int
        Place and size of the first rectangle, in pixels.
    """

    kind: str
    top: int
    left: int
    height: int
    width: int

    def parts(self) -> list[tuple[int, int, int]]:
        """Top, left and weight of each rectangle; all have the same size."""
        _, top, left, height, width = self
        if self.kind == "one above the other":
            return [(top, left, 1), (top + height, left, -1)]
        if self.kind == "side by side":
            return [(top, left, 1), (top, left + width, -1)]
        return [(top, left, 1), (top, left + width, -2), (top, left + 2 * width, 1)]


def all_rectangles(size: int, largest: int = 8) -> list[Rectangles]:
    """List the features of pictures of `size` × `size` pixels.

    A rectangle is at most `largest` pixels high and wide; places and sizes are even numbers.

    >>> len(all_rectangles(4)), len(all_rectangles(16)), len(all_rectangles(16, 16))
    (6, 1066, 1476)
    """
    lengths = range(2, min(largest, size) + 1, 2)
    kinds = (("side by side", 1, 2), ("one above the other", 2, 1), ("three", 1, 3))
    return [
        Rectangles(kind, top, left, height, width)
        for (kind, down, across), height, width in product(kinds, lengths, lengths)
        for top in range(0, size - down * height + 1, 2)
        for left in range(0, size - across * width + 1, 2)
    ]


def integral_images(pictures: npt.ArrayLike) -> np.ndarray:
    """Sums of all pixels above and to the left of each corner of a pixel, (N, size + 1, size + 1).

    >>> integral_images([[[1, 2], [3, 4]]])[0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 3.0], [0.0, 4.0, 10.0]]
    """
    sums = np.asarray(pictures, float).cumsum(axis=1).cumsum(axis=2)
    return np.pad(sums, ((0, 0), (1, 0), (1, 0)))


def rectangle_values(pictures: npt.ArrayLike, rectangles: Sequence[Rectangles]) -> np.ndarray:
    """Value of each feature of each picture, (N, n_features), by the four corners of each rectangle.

    >>> left_is_light = np.array([[[9, 1], [9, 1]]])
    >>> rectangle_values(left_is_light, [Rectangles("side by side", 0, 0, 2, 1)]).tolist()
    [[16.0]]
    """
    sums = integral_images(pictures)
    values = np.zeros((len(sums), len(rectangles)))
    for f, rectangle in enumerate(rectangles):
        for top, left, weight in rectangle.parts():
            bottom, right = top + rectangle.height, left + rectangle.width
            area = sums[:, bottom, right] - sums[:, top, right] - sums[:, bottom, left] + sums[:, top, left]
            values[:, f] += weight * area
    return values


SIZE = 16  # pixels along a side of a picture
_EYES = [(4, 3, 3, 3), (4, 10, 3, 3)]  # top, left, height and width of what is dark in a face
_MOUTH = [(11, 4, 2, 8)]


def pictures(n_pictures: int, *key: object) -> tuple[np.ndarray, np.ndarray]:
    """Generate pictures of which half are like a face: two dark eyes above a dark mouth.

    The others have the same dark rectangles, each anywhere. All have a slope of light, a contrast and
    noise of their own; a face is moved by up to one pixel. Each picture is scaled to mean 0 and variance 1,
    as Viola and Jones do. The key is part of the name of the draws; the result is the pictures, and which are
    faces.

    >>> found, is_face = pictures(200, "example")
    >>> found.shape, round(float(is_face.mean()), 1)
    ((200, 16, 16), 0.5)
    """
    is_face = uniforms(n_pictures, "face", *key) < 0.5
    slope = uniforms((n_pictures, 2), "slope", *key) - 0.5
    contrast = 0.3 + 0.7 * uniforms(n_pictures, "contrast", *key)
    moves = uniforms((n_pictures, 2), "moves", *key)
    places = uniforms((n_pictures, 3, 2), "places", *key)
    at = (np.arange(SIZE) - (SIZE - 1) / 2) / SIZE
    found = slope[:, :1, None] * at[:, None] + slope[:, 1:, None] * at + 0.0
    found += 0.3 * normals((n_pictures, SIZE, SIZE), "noise", *key)
    for i in range(n_pictures):
        for part, (top, left, height, width) in enumerate(_EYES + _MOUTH):
            if is_face[i]:
                top, left = (int(c + 3 * move) - 1 for c, move in zip((top, left), moves[i], strict=True))
            else:
                room = SIZE - height + 1, SIZE - width + 1
                top, left = (int(n * place) for n, place in zip(room, places[i, part], strict=True))
            found[i, top : top + height, left : left + width] -= contrast[i]
    found -= found.mean(axis=(1, 2), keepdims=True)
    return found / found.std(axis=(1, 2), keepdims=True), is_face


def rectangle_rules(
    model: AdaBoostClassifier, rectangles: Sequence[Rectangles], n_rules: int
) -> list[tuple[str, Rectangles]]:
    """Read the first stumps: what each says in words, and the feature that it looks at.

    The model is fitted to the values of the features, one for each column, with classes False and True.
    """
    rules = []
    for t, stump in enumerate(model.estimators_[:n_rules], 1):
        both = np.zeros((2, len(rectangles)))
        both[:, stump.feature_] = stump.threshold_, stump.threshold_ + 1
        below, above = stump.predict(both)
        says = f"face if {'>' if above else '≤'} {stump.threshold_:g}"
        if below == above:
            says = "always a face" if above else "never a face"
        rules.append((f"{t}: {says}", rectangles[stump.feature_]))
    return rules


def votes_by_round(model: AdaBoostClassifier, X: Any, n_rounds: int) -> np.ndarray:
    """Weighted vote for True against False after each round, (n_rounds, N).

    Where the ensemble has fewer models than rounds, its last vote stays.
    """
    signs = np.where(model.predict_each(X), 1.0, -1.0)
    votes = np.cumsum(signs * model.vote_weights_, axis=1).T
    return votes[np.minimum(np.arange(n_rounds), len(votes) - 1)]


def word_rules(models: dict[str, AdaBoostClassifier], n_rules: int) -> pd.DataFrame:
    """Read the first stumps of each intent: which word is looked for, and what its presence says.

    An ensemble of an intent is fitted to whether a call has it. The frame has by intent and round: word;
    occurs and missing, whether the stump then says that the call has this intent; error, its weighted error;
    vote, the weight of its vote.
    """
    rows = []
    for intent, model in models.items():
        words = model.feature_names_in_
        for t, stump in enumerate(model.estimators_[:n_rules]):
            word = words[stump.feature_]
            both = pd.DataFrame(False, index=[0, 1], columns=words)
            both.loc[1, word] = True
            missing, occurs = stump.predict(both)
            weighted = model.estimator_errors_[t], model.vote_weights_[t]
            rows.append((intent, t + 1, word, bool(occurs), bool(missing), *weighted))
    names = ["intent", "round", "word", "occurs", "missing", "error", "vote"]
    return pd.DataFrame(rows, columns=names).set_index(names[:2])


def routed_by_round(models: dict[str, AdaBoostClassifier], X: Any, n_rounds: int) -> np.ndarray:
    """Intent with the largest vote after each round, (n_rounds, N)."""
    votes = np.stack([votes_by_round(model, X, n_rounds) for model in models.values()])
    return np.array(list(models))[votes.argmax(axis=0)]


def round_curves(errors: Mapping[str, np.ndarray]) -> Picture:
    """Draw errors by round of boosting, by name: "training" or "test"."""
    cells = pd.DataFrame(errors)
    cells.index = pd.RangeIndex(1, len(cells) + 1, name="round")
    looks = {name: (color, "-") for name, color in zip(cells, (GUIDE, BOOSTING, INK), strict=False)}
    with drawing(340) as figure:
        axes: Any = figure.subplots()
        lines(axes, cells, looks)
        axes.set(xlabel="round", ylabel="error", ylim=(0, None))
        label_ends(axes)
    shown = cells.loc[sorted({1, min(5, len(cells)), len(cells)})]
    texts = [f"{name}: {' to '.join(f'{error:.3f}' for error in shown[name])}" for name in cells]
    return Picture(figure, "\n".join(["Error after the first round, five and all rounds.", *texts]), cells)


def picture_panels(
    pictures: Sequence[np.ndarray], titles: Sequence[str], features: Sequence[Rectangles] = ()
) -> Picture:
    """Draw pictures of grey values, each with the rectangles of a feature upon it if there are any."""
    rows = []
    look: Any = {"edgecolor": BOOSTING, "linewidth": 1.2, "alpha": 0.6}
    with paneled(zip(titles, pictures, strict=True), 250, wide=False) as (figure, grid):
        for (axes, title, picture), feature in zip_longest(grid, features):
            axes.imshow(picture, cmap="gray", interpolation="nearest")
            for top, left, weight in feature.parts() if feature else ():
                corner, size = (left - 0.5, top - 0.5), (feature.width, feature.height)
                axes.add_patch(Rectangle(corner, *size, facecolor="0.98" if weight > 0 else "0.02", **look))
            bare(axes, title)
            f = feature
            rows.append((title, f"{f.kind}, {f.height} × {f.width} at ({f.top}, {f.left})" if f else ""))
    cells = pd.DataFrame(rows, columns=["picture", "rectangles"]).set_index("picture")
    return Picture(figure, "\n".join(f"{title}: {p}" if p else title for title, p in rows), cells)
