"""Learning curves: accuracy against the number of training examples (thesis Figure 4.5; KDD Figures 5, 6, 8).

A point of a curve trains on the first so many examples of a training set, in its order number 0, and
is tested on the whole test set. The seed of a point does not depend on how many examples there are,
so that the curve of an online algorithm is one stream, looked at now and then.
"""

import csv
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, fields, replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd

from .._random import key_of
from ..datasets import dataset_info
from ..ensembles import PrimedOnlineBoostingClassifier
from .protocol import N_FOLDS, prepare
from .statistics import Contrast, contrast
from .store import Provenance, provenance, results_folder
from .study import ALGORITHMS, BASE_MODELS, Algorithm, Task

#: The algorithms of a study, and priming with 200 examples whatever their number (KDD Figure 8).
CURVE_ALGORITHMS: dict[str, Algorithm] = ALGORITHMS | {
    "primed_200": Algorithm(
        lambda base, n_models, seed: PrimedOnlineBoostingClassifier(
            base, n_models, n_prime=200, random_state=seed
        ),
        is_online=True,
    )
}


@dataclass(frozen=True, order=True)
class Point:
    """One accuracy of a learning curve: everything that it depends on.

    Attributes
    ----------
    dataset, base_model, algorithm : str
        Names, as in `oza.datasets.list_datasets()`, `BASE_MODELS` and `CURVE_ALGORITHMS`.
    n_models : int
        Base models in the ensemble; 1 for a single model.
    n_train : int
        Number of training examples.
    repetition, fold : int
        As for a `Task`; with a supplied split, the repetition is one of order and draws.
    """

    dataset: str
    base_model: str
    algorithm: str
    n_models: int
    n_train: int
    repetition: int
    fold: int

    @property
    def seed(self) -> int:
        """Key of all random draws inside the estimator."""
        return key_of("curve", *astuple(replace(self, n_train=0)))


@dataclass(frozen=True)
class Measure:
    """What is measured at a point.

    Attributes
    ----------
    n_test, n_correct : int
        Test examples, and how many of them were classified correctly.
    n_voting : int
        Base models whose vote weighs anything.
    """

    n_test: int
    n_correct: int
    n_voting: int


@dataclass(frozen=True)
class Curve:
    """Learning curves of several algorithms over one base model, on one data set.

    Attributes
    ----------
    dataset, base_model : str
        Names.
    algorithms : tuple of str
        Names in `CURVE_ALGORITHMS`.
    sizes : tuple of int
        Numbers of training examples.
    repetitions : int
        Repetitions of the cross-validation, or of a supplied split.
    n_models : int, default=100
        Base models in an ensemble.
    folds : int, default=5
        How many of the five folds to use; a supplied split has one in any case.
    """

    dataset: str
    base_model: str
    algorithms: tuple[str, ...]
    sizes: tuple[int, ...]
    repetitions: int
    n_models: int = 100
    folds: int = N_FOLDS

    def points(self) -> list[Point]:
        """All points, one split after the other.

        Examples
        --------
        >>> len(CURVES["car-evaluation-decision-tree"].points())  # algorithms, sizes, splits
        3150
        """
        folds = self.folds if dataset_info(self.dataset).split == "five-fold" else 1
        return [
            Point(
                self.dataset,
                self.base_model,
                algorithm,
                self.n_models if CURVE_ALGORITHMS[algorithm].is_ensemble else 1,
                n_train,
                repetition,
                fold,
            )
            for repetition in range(self.repetitions)
            for fold in range(folds)
            for n_train in self.sizes
            for algorithm in self.algorithms
        ]


#: The learning curves that are recorded.
CURVES: dict[str, Curve] = {
    "car-evaluation-decision-tree": Curve(
        "car-evaluation",
        "decision_tree",
        (
            "single",
            "bagging",
            "online_bagging",
            "boosting",
            "online_boosting",
            "primed_boosting",
            "primed_200",
        ),
        (100, 200, 300, 400, 600, 800, 1000, 1200, 1382),
        repetitions=10,
    ),
    "census-income-naive-bayes": Curve(
        "census-income",
        "naive_bayes",
        ("single", "bagging", "online_bagging", "boosting", "online_boosting"),
        (1000, 5000, 20000, 50000, 100000, 199523),
        repetitions=10,
    ),
    **{
        f"{dataset}-naive-bayes": Curve(
            dataset,
            "naive_bayes",
            ("boosting", "online_boosting"),
            (100, 300, 1000, 3000, 10000, 30000, 80000),
            repetitions=10,
        )
        for dataset in ("synthetic1", "synthetic2", "synthetic3")
    },
}


def measure(point: Point) -> Measure:
    """Train and test at one point.

    Raises
    ------
    DatasetUnavailableError
        If the data cannot be had.

    Examples
    --------
    >>> measure(Point("balance", "naive_bayes", "single", 1, 100, 0, 0))
    Measure(n_test=125, n_correct=92, n_voting=1)
    """
    task = Task("curves", point.dataset, point.base_model, "single", 1, point.repetition, point.fold, 0)
    split = prepare(task)
    if not 0 < point.n_train <= len(split.y_train):
        raise ValueError(f"n_train={point.n_train}: {point.dataset} has {len(split.y_train)} to train on")
    algorithm = CURVE_ALGORITHMS[point.algorithm]
    model = task.declared(algorithm.make(BASE_MODELS[point.base_model](), point.n_models, point.seed))
    model.fit(split.X_train[: point.n_train], split.y_train[: point.n_train])
    n_correct = int((model.predict(split.X_test) == split.y_test).sum())
    votes = getattr(model, "vote_weights_", np.ones(point.n_models))
    return Measure(len(split.y_test), n_correct, int(np.count_nonzero(votes)))


def measure_all(points: Iterable[Point]) -> pd.DataFrame:
    """Measure points now; one row a point, with an `accuracy` beside the fields of `Measure`."""
    rows = [asdict(point) | asdict(measure(point)) for point in points]
    return _with_accuracy(pd.DataFrame(rows))


def compare(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare every algorithm with every other at each number of training examples.

    Returns
    -------
    DataFrame
        Columns `mean`, `reference_mean` and those of a `Contrast`, over the splits that both have;
        indexed by algorithm, reference and n_train.
    """
    splits = rows.set_index(["algorithm", "n_train", "repetition", "fold"])["accuracy"].sort_index()
    cells = {}
    for n_train in rows["n_train"].unique():
        by_algorithm = splits.xs(n_train, level="n_train").unstack("algorithm")
        for a, b in permutations(by_algorithm, 2):
            both = by_algorithm[[a, b]].dropna().to_numpy().T
            cells[a, b, n_train] = (*both.mean(axis=1), *contrast(*both))
    index = ["algorithm", "reference", "n_train"]
    frame = pd.DataFrame.from_dict(cells, "index", columns=["mean", "reference_mean", *Contrast._fields])
    return frame.set_axis(pd.MultiIndex.from_tuples(frame.index, names=index)).sort_index()


def record(name: str, folder: Path | None = None) -> int:
    """Compute the points of a curve that are not recorded yet, and record each as it is done.

    Parameters
    ----------
    name : str
        A name in `CURVES`.
    folder : Path or None, default=None
        Where `<name>.csv` and `runs.csv` lie; None means `curves` in the folder of results.

    Returns
    -------
    int
        How many points were computed.
    """
    folder = _curves_folder() if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.csv"
    known = set(recorded_points(_read(path))) if path.exists() else set()
    missing = [point for point in CURVES[name].points() if point not in known]
    if not missing:
        return 0
    run = _new_run(folder / "runs.csv")
    for point in missing:
        _append(path, [*_POINT, *_MEASURE, "run"], [*astuple(point), *astuple(measure(point)), run])
    return len(missing)


def load_curve(name: str, folder: Path | None = None) -> pd.DataFrame:
    """Recorded points of a curve, as `measure_all` gives them, sorted, with what each was made with.

    Raises
    ------
    FileNotFoundError
        If nothing is recorded.
    """
    folder = _curves_folder() if folder is None else folder
    rows = _read(folder / f"{name}.csv").sort_values(_POINT, ignore_index=True)
    return _with_accuracy(rows).merge(_read(folder / "runs.csv"), on="run", validate="many_to_one")


def recorded_points(rows: pd.DataFrame) -> list[Point]:
    """List the points of the rows of a frame."""
    return [Point(*row) for row in rows[_POINT].itertuples(index=False, name=None)]


_POINT, _MEASURE, _MADE_WITH = (
    [field.name for field in fields(kind)] for kind in (Point, Measure, Provenance)
)


def _curves_folder() -> Path:
    return results_folder() / "curves"


def _with_accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(accuracy=rows["n_correct"] / rows["n_test"])


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path)


def _append(path: Path, header: list[str], row: list) -> None:
    """Add a line to a CSV file, which begins with its header."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, row] if is_new else [row])


def _new_run(path: Path) -> int:
    """Note what is run now; its number."""
    run = len(_read(path)) if path.exists() else 0
    _append(path, ["run", *_MADE_WITH], [run, *astuple(provenance())])
    return run
