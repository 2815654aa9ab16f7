"""What to run: a study is data, a task is one cell of its grid.

A later study is one more entry in `STUDIES`; a new base model or algorithm one more entry in
`BASE_MODELS` or `ALGORITHMS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from types import MappingProxyType
from typing import Any

from .._random import key_of
from ..datasets import DatasetInfo, dataset_info, list_datasets
from ..ensembles import (
    AdaBoostClassifier,
    BaggingClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    PrimedOnlineBoostingClassifier,
)
from ..models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

#: Base models by name: how to make an untrained one.
BASE_MODELS: dict[str, Callable[[], Any]] = {
    "decision_tree": lambda: DecisionTreeClassifier(prune=True),
    "decision_stump": DecisionStumpClassifier,
    "naive_bayes": NaiveBayesClassifier,
    "neural_network": NeuralNetworkClassifier,
}


@dataclass(frozen=True)
class Algorithm:
    """How to make a classifier out of a base model.

    Attributes
    ----------
    make : callable
        Takes an untrained base model, the number of models and a seed.
    is_ensemble : bool
        Whether there is more than one base model.
    is_online : bool
        Whether the order of the training examples matters, so that several orders are tried.
    """

    make: Callable[[Any, int, int], Any]
    is_ensemble: bool = True
    is_online: bool = False


def _seeded(base: Any, seed: int) -> Any:
    return base.set_params(random_state=seed) if "random_state" in base.get_params() else base


ALGORITHMS: dict[str, Algorithm] = {
    "single": Algorithm(lambda base, n_models, seed: _seeded(base, seed), is_ensemble=False),
    "bagging": Algorithm(lambda base, n_models, seed: BaggingClassifier(base, n_models, random_state=seed)),
    "online_bagging": Algorithm(
        lambda base, n_models, seed: OnlineBaggingClassifier(base, n_models, random_state=seed),
        is_online=True,
    ),
    "boosting": Algorithm(lambda base, n_models, seed: AdaBoostClassifier(base, n_models, random_state=seed)),
    "online_boosting": Algorithm(
        lambda base, n_models, seed: OnlineBoostingClassifier(base, n_models, random_state=seed),
        is_online=True,
    ),
    "primed_boosting": Algorithm(
        lambda base, n_models, seed: PrimedOnlineBoostingClassifier(base, n_models, random_state=seed),
        is_online=True,
    ),
}


@dataclass(frozen=True, order=True)
class Task:
    """One cell of a study's grid: everything that the result depends on, and nothing else.

    Attributes
    ----------
    study, dataset, base_model, algorithm : str
        Names, as in `STUDIES`, `oza.datasets.list_datasets()`, `BASE_MODELS` and `ALGORITHMS`.
    n_models : int
        Base models in the ensemble; 1 for a single model.
    repetition : int
        Number of the cross-validation; with a supplied split, of the run.
    fold : int
        Which part is the test set; 0 with a supplied split.
    order : int
        Which order the training examples come in.
    """

    study: str
    dataset: str
    base_model: str
    algorithm: str
    n_models: int
    repetition: int
    fold: int
    order: int

    @property
    def seed(self) -> int:
        """Key of all random draws inside the estimator."""
        return key_of(*astuple(self))

    def estimator(self) -> Any:
        """Make the untrained classifier."""
        base = BASE_MODELS[self.base_model]()
        return ALGORITHMS[self.algorithm].make(base, self.n_models, self.seed)

    def __str__(self) -> str:
        """Name the task in words."""
        return (
            f"{self.study}: {self.algorithm} of {self.base_model} on {self.dataset} "
            f"(models {self.n_models}, repetition {self.repetition}, fold {self.fold}, order {self.order})"
        )


def _every_dataset(info: DatasetInfo) -> bool:
    return True


@dataclass(frozen=True)
class Grid:
    """How much of a study a profile runs.

    Attributes
    ----------
    n_models, repetitions, folds : int
        Base models in an ensemble; repetitions of the cross-validation; folds of each.
    orders, batch_orders : int
        Orders of each training set, for online algorithms and for the others.
    wants : callable
        Whether a data set, given by its `DatasetInfo`, takes part.
    """

    n_models: int
    repetitions: int
    folds: int
    orders: int
    batch_orders: int = 1
    wants: Callable[[DatasetInfo], bool] = _every_dataset


#: Profiles of an accuracy study. `thesis` is its section 3.5.1; `quick` is a part of it.
_ACCURACY = MappingProxyType(
    {
        "smoke": Grid(10, repetitions=1, folds=2, orders=2, wants=lambda info: info.generated),
        "quick": Grid(100, repetitions=1, folds=5, orders=1, wants=lambda info: info.name != "covertype"),
        "thesis": Grid(100, repetitions=10, folds=5, orders=5),
    }
)

#: Profiles of a timing study: one split, and an order for each time that the clock is started.
_TIMES = MappingProxyType(
    {
        "smoke": Grid(10, 1, 1, orders=1, batch_orders=1, wants=lambda info: info.generated),
        "quick": Grid(100, 1, 1, orders=1, batch_orders=1, wants=lambda info: info.name != "covertype"),
        "thesis": Grid(100, 1, 1, orders=5, batch_orders=5),
    }
)

PROFILES = tuple(_ACCURACY)


@dataclass(frozen=True)
class Study:
    """A question put to a grid of tasks.

    Attributes
    ----------
    name, title : str
        Name on the command line, and what the study is about.
    base_models, algorithms : tuple of str
        Rows and columns of the grid; every data set of the catalogue takes part.
    exhibits : tuple of str
        Tables and figures of the thesis that it feeds.
    timed : bool
        Whether it is run for its times: one task after the other, alone on one core.
    profiles : mapping of str to Grid
        How much to run.
    """

    name: str
    title: str
    base_models: tuple[str, ...]
    algorithms: tuple[str, ...]
    exhibits: tuple[str, ...]
    timed: bool = False

    @property
    def profiles(self) -> MappingProxyType[str, Grid]:
        """How much of the study each profile runs."""
        return _TIMES if self.timed else _ACCURACY


_BAGGING = ("single", "bagging", "online_bagging")

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        Study(
            "bagging-naive-bayes",
            "Accuracy of batch and online bagging of Naive Bayes",
            ("naive_bayes",),
            _BAGGING,
            ("Table 3.4", "Figure 3.5"),
        ),
        Study(
            "times-naive-bayes",
            "Running times of batch and online bagging of Naive Bayes",
            ("naive_bayes",),
            _BAGGING,
            ("Table 3.9",),
            timed=True,
        ),
    )
}


def tasks(study: str, profile: str) -> list[Task]:
    """All tasks of a study in a profile, in no particular order.

    Parameters
    ----------
    study : str
        A name in `STUDIES`.
    profile : {"smoke", "quick", "thesis"}
        How much to run.

    Returns
    -------
    list of Task
        The tasks of `quick` are among those of `thesis`.

    Raises
    ------
    ValueError
        If there is no such study or profile.

    Examples
    --------
    >>> from oza.experiments import tasks
    >>> len(tasks("bagging-naive-bayes", "smoke"))
    48
    >>> set(tasks("bagging-naive-bayes", "quick")) < set(tasks("bagging-naive-bayes", "thesis"))
    True
    """
    if study not in STUDIES:
        raise ValueError(f"study={study!r}: expected one of {', '.join(STUDIES)}")
    if profile not in PROFILES:
        raise ValueError(f"profile={profile!r}: expected one of {', '.join(PROFILES)}")
    return list(_cells(STUDIES[study], STUDIES[study].profiles[profile]))


def _cells(study: Study, grid: Grid) -> Iterator[Task]:
    for info in map(dataset_info, list_datasets()):
        if not grid.wants(info):
            continue
        folds = grid.folds if info.split == "five-fold" else 1
        for base_model in study.base_models:
            for name in study.algorithms:
                algorithm = ALGORITHMS[name]
                n_models = grid.n_models if algorithm.is_ensemble else 1
                orders = grid.orders if algorithm.is_online else grid.batch_orders
                for repetition in range(grid.repetitions):
                    for fold in range(folds):
                        for order in range(orders):
                            yield Task(
                                study.name, info.name, base_model, name, n_models, repetition, fold, order
                            )


def n_values(dataset: str) -> int:
    """Size of a data set: examples times attributes."""
    info = dataset_info(dataset)
    return (info.n_train + info.n_test) * len(info.attributes)


def cost(task: Task) -> float:
    """Estimated seconds of a task, good enough to weigh a progress bar.

    One base model handles a value in about 0.5 ns; a task takes some milliseconds in any case.
    """
    return 0.005 + n_values(task.dataset) * (1e-8 + 0.5e-9 * task.n_models)
