"""What to run: a study is data, a task is one cell of its grid.

A later study is one more entry in `STUDIES`; a new base model or algorithm one more entry in
`BASE_MODELS` or `ALGORITHMS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from .._paths import DATA
from .._random import key_of
from ..datasets import DatasetInfo, dataset_info, list_datasets
from ..ensembles import (
    AdaBoostClassifier,
    BaggingClassifier,
    BlockedBoostingClassifier,
    FixedFractionBaggingClassifier,
    OnlineArcX4Classifier,
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
    "neural_network_10": lambda: NeuralNetworkClassifier(updates=10),
}


@dataclass(frozen=True)
class Algorithm:
    """How to make a classifier out of a base model, and how it learns.

    Attributes
    ----------
    make : callable
        Takes an untrained base model, the number of models and a seed.
    is_ensemble : bool
        Whether there is more than one base model.
    is_online : bool
        Whether the order of the training examples matters, so that several orders are tried.
    method : {"fit", "partial_fit"}
        How the classifier is given its training examples.
    """

    make: Callable[[Any, int, int], Any]
    is_ensemble: bool = True
    is_online: bool = False
    method: str = "fit"

    def learn(self, classifier: Any, X: np.ndarray, y: np.ndarray, n_classes: int) -> None:
        """Let a classifier learn the training examples of a task."""
        if self.method == "fit":
            classifier.fit(X, y)
        else:
            classifier.partial_fit(X, y, classes=np.arange(n_classes))


def _alone(base: Any, n_models: int, seed: int) -> Any:
    return base.set_params(random_state=seed) if "random_state" in base.get_params() else base


def _ensemble(kind: type, **parameters: Any) -> Callable[[Any, int, int], Any]:
    """How to make an ensemble; of its parameters it takes those that it has."""

    def make(base: Any, n_models: int, seed: int) -> Any:
        wanted = parameters | {"random_state": seed}
        if isinstance(base, NeuralNetworkClassifier):  # the thesis has no network that takes weights
            wanted["resample"] = True
        known = kind().get_params()
        return kind(base, n_models, **{name: value for name, value in wanted.items() if name in known})

    return make


#: Probabilities with which Fern and Givan's bagging updates a base model; the thesis's is illegible.
UPDATE_PROBABILITIES = (0.1, 0.3, 0.5, 0.7, 0.9)

#: Algorithms by name. A batch ensemble learns from `fit`, an online one too: it goes once through
#: the examples. A single network is another one after `fit` than after one pass.
ALGORITHMS: dict[str, Algorithm] = {
    "single": Algorithm(_alone, is_ensemble=False),
    "online_single": Algorithm(_alone, is_ensemble=False, is_online=True, method="partial_fit"),
    "bagging": Algorithm(_ensemble(BaggingClassifier)),
    "online_bagging": Algorithm(_ensemble(OnlineBaggingClassifier), is_online=True),
    "boosting": Algorithm(_ensemble(AdaBoostClassifier)),
    "online_boosting": Algorithm(_ensemble(OnlineBoostingClassifier), is_online=True),
    "online_boosting_tested_before": Algorithm(
        _ensemble(OnlineBoostingClassifier, tested="before"), is_online=True
    ),
    "primed_boosting": Algorithm(_ensemble(PrimedOnlineBoostingClassifier), is_online=True),
    "blocked_boosting": Algorithm(_ensemble(BlockedBoostingClassifier), is_online=True),
    "online_arc_x4": Algorithm(_ensemble(OnlineArcX4Classifier), is_online=True),
} | {
    f"fixed_fraction_bagging_{p}": Algorithm(
        _ensemble(FixedFractionBaggingClassifier, update_probability=p), is_online=True
    )
    for p in UPDATE_PROBABILITIES
}


#: Studies that keep the results of a former setting on record, and the studies that have the present
#: one. They differ in what a tree makes of numbers: formerly they were symbols or bins.
FORMER_SETTINGS = {"decision-trees-of-symbols": "decision-trees"}


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
        """Key of all random draws inside the estimator; a former setting draws as the present one."""
        return key_of(*astuple(replace(self, study=FORMER_SETTINGS.get(self.study, self.study))))

    @property
    def numeric(self) -> np.ndarray:
        """Mask of the columns that reach the base model as numbers (`oza.experiments.protocol`)."""
        if self.dataset not in list_datasets():  # the calendar's stream, which holds none
            return np.zeros(0, bool)
        info = dataset_info(self.dataset)
        tests_thresholds = self.base_model == "decision_tree" and self.study not in FORMER_SETTINGS
        return np.array([tests_thresholds and is_small(info) and a.holds_numbers for a in info.attributes])

    def declared(self, classifier: Any) -> Any:
        """Tell an untrained classifier which columns are numbers, if any are."""
        numeric = self.numeric
        return classifier.set_params(categorical_features=~numeric) if numeric.any() else classifier

    def estimator(self) -> Any:
        """Make the untrained classifier."""
        algorithm = ALGORITHMS[self.algorithm]
        return self.declared(algorithm.make(BASE_MODELS[self.base_model](), self.n_models, self.seed))

    def __str__(self) -> str:
        """Name the task in words."""
        return (
            f"{self.study}: {self.algorithm} of {self.base_model} on {self.dataset} "
            f"(models {self.n_models}, repetition {self.repetition}, fold {self.fold}, order {self.order})"
        )


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
    wants: Callable[[DatasetInfo], bool] = lambda info: True


#: The data sets on which the thesis runs decision trees: those of at most so many examples.
SMALL = 13_000


def is_small(info: DatasetInfo) -> bool:
    """Whether the thesis runs decision trees on a data set (KDD adds Soybean-Large)."""
    return info.n_train + info.n_test <= SMALL


def _is_tiny_and_generated(info: DatasetInfo) -> bool:
    return info.generated and info.n_train + info.n_test < 2_000  # primed trees on Nursery take a minute


def _can_be_had(info: DatasetInfo) -> bool:
    return info.name != "covertype"  # its head can


#: Profiles of an accuracy study. `thesis` is its section 3.5.1; `quick` is a part of it. Cells that would
#: take long have, in `thesis`, as many repetitions as `precision.repetitions_needed` asks for.
_ACCURACY = MappingProxyType(
    {
        "smoke": Grid(10, repetitions=1, folds=2, orders=2, wants=_is_tiny_and_generated),
        "quick": Grid(100, repetitions=1, folds=5, orders=1, wants=_can_be_had),
        "thesis": Grid(100, repetitions=10, folds=5, orders=5),
    }
)

#: Profiles of a timing study: one split, and an order for each time that the clock is started.
_TIMES = MappingProxyType(
    {
        "smoke": Grid(10, 1, 1, orders=1, batch_orders=1, wants=_is_tiny_and_generated),
        "quick": Grid(100, 1, 1, orders=1, batch_orders=1, wants=_can_be_had),
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
    algorithms : mapping of str to tuple of str
        For each base model the algorithms that are run over it.
    exhibits : tuple of str
        Tables and figures of the thesis that it feeds.
    timed : bool
        Whether it is run for its times: one task after the other, alone on one core.
    only_small : bool
        Whether the large data sets take no part.
    large_once : bool
        Whether large data sets are run with one repetition and one order of every algorithm.
    once : bool
        Whether all data sets are.
    """

    name: str
    title: str
    algorithms: Mapping[str, tuple[str, ...]]
    exhibits: tuple[str, ...]
    timed: bool = False
    only_small: bool = False
    large_once: bool = False
    once: bool = False

    @property
    def profiles(self) -> MappingProxyType[str, Grid]:
        """How much of the study each profile runs."""
        return _TIMES if self.timed else _ACCURACY

    def grid(self, profile: str, info: DatasetInfo) -> Grid | None:
        """How much of the study a profile runs on a data set; None for nothing."""
        grid = self.profiles[profile]
        small = is_small(info)
        if not grid.wants(info) or (self.only_small and not small):
            return None
        if self.name in FORMER_SETTINGS and not any(column.holds_numbers for column in info.attributes):
            return None  # nothing differs from the present setting
        once = self.once or (self.large_once and not small)
        return replace(grid, repetitions=1, orders=1, batch_orders=1) if once else grid


_THREE = ("single", "bagging", "online_bagging")
_SIX = (*_THREE, "boosting", "online_boosting", "primed_boosting")
_ONE_PASS = ("online_single", "online_bagging", "online_boosting", "primed_boosting")
_GRIDS: dict[str, dict[str, tuple[str, ...]]] = {
    "naive-bayes": {"naive_bayes": _SIX},
    "decision-stumps": {"decision_stump": _SIX},
    "neural-networks": {
        "neural_network": ("single", "bagging", "boosting", *_ONE_PASS),
        "neural_network_10": _ONE_PASS,
    },
    "decision-trees": {"decision_tree": _SIX},
}
_FEEDS = {
    "naive-bayes": (
        ("Tables 3.4, 4.2", "Figures 3.5, 4.7, 4.13, 4.14", "KDD Figures 3, 4, 7"),
        ("Tables 3.9, 4.8", "KDD Figures 11, 12"),
    ),
    "decision-stumps": (("Tables 3.5, 4.3", "Figures 3.6, 4.8, 4.15, 4.16"), ("Tables 3.10, 4.9",)),
    "neural-networks": (
        ("Tables 3.6, 3.7, 4.4-4.6", "Figures 3.7-3.10, 4.9, 4.10, 4.17-4.20"),
        ("Tables 3.11, 4.10-4.12",),
    ),
    "decision-trees": (
        ("Tables 3.3, 4.1", "Figures 3.4, 4.6, 4.11, 4.12", "KDD Figures 3, 4, 7"),
        ("Tables 3.8, 4.7",),
    ),
}

#: Studies by name, those that cost least first.
STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *(
            Study(
                name,
                f"Accuracy of ensembles of {name.replace('-', ' ')}",
                grid,
                _FEEDS[name][0],
                large_once=name == "decision-trees",
            )
            for name, grid in _GRIDS.items()
        ),
        Study(
            "decision-trees-of-symbols",
            "Former setting: decision trees to which all numbers are symbols or bins",
            {"decision_tree": _SIX},
            ("Tables 3.3, 4.1",),
            only_small=True,
        ),
        Study(
            "earlier-ensembles",
            "Accuracy of earlier online ensembles of decision trees",
            {
                "decision_tree": (
                    "blocked_boosting",
                    "online_arc_x4",
                    *(f"fixed_fraction_bagging_{p}" for p in UPDATE_PROBABILITIES),
                )
            },
            ("Figures 2.10-2.12, 2.14, 2.15, 2.17-2.19",),
            only_small=True,
        ),
        Study(
            "boosting-tested-before",
            "Accuracy of online boosting whose models are tested before they learn",
            {base_model: ("online_boosting_tested_before",) for base_model in BASE_MODELS},
            (),
            once=True,
        ),
        *(
            Study(
                f"times-{name}",
                f"Running times of ensembles of {name.replace('-', ' ')}",
                grid,
                _FEEDS[name][1],
                timed=True,
                only_small=name == "decision-trees",
                large_once=name == "neural-networks",  # one run of each takes eight minutes in all
            )
            for name, grid in _GRIDS.items()
        ),
    )
}


@cache
def fewer_repetitions() -> dict[tuple[str, str, str, str], int]:
    """Repetitions of the cells that `thesis` does not run in full, from `data/catalogue/repetitions.csv`.

    The keys are study, data set, base model and algorithm. These are the cells of which the missing
    runs would have taken more than a minute of a core when the table was made; they have one order.
    """
    table = pd.read_csv(DATA / "catalogue" / "repetitions.csv")
    return {tuple(cell): repetitions for *cell, repetitions in table.itertuples(index=False)}


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
    >>> len(tasks("naive-bayes", "smoke"))
    36
    >>> set(tasks("naive-bayes", "quick")) < set(tasks("naive-bayes", "thesis"))
    True
    """
    if study not in STUDIES:
        raise ValueError(f"study={study!r}: expected one of {', '.join(STUDIES)}")
    if profile not in PROFILES:
        raise ValueError(f"profile={profile!r}: expected one of {', '.join(PROFILES)}")
    return list(_cells(STUDIES[study], profile, fewer_repetitions() if profile == "thesis" else {}))


def size_of_protocol(study: str) -> int:
    """Count the runs of the thesis's protocol, those included that `fewer_repetitions` leaves out.

    Examples
    --------
    >>> from oza.experiments.study import size_of_protocol, tasks
    >>> size_of_protocol("neural-networks") > len(tasks("neural-networks", "thesis"))
    True
    """
    return sum(1 for _ in _cells(STUDIES[study], "thesis", {}))


def _cells(study: Study, profile: str, fewer: Mapping[tuple[str, str, str, str], int]) -> Iterator[Task]:
    for info in map(dataset_info, list_datasets()):
        grid = study.grid(profile, info)
        if grid is None:
            continue
        folds = grid.folds if info.split == "five-fold" else 1
        for base_model, names in study.algorithms.items():
            for name in names:
                algorithm = ALGORITHMS[name]
                n_models = grid.n_models if algorithm.is_ensemble else 1
                repetitions = grid.repetitions
                orders = grid.orders if algorithm.is_online else grid.batch_orders
                if (study.name, info.name, base_model, name) in fewer:
                    repetitions, orders = fewer[study.name, info.name, base_model, name], 1
                for repetition, fold, order in product(range(repetitions), range(folds), range(orders)):
                    yield Task(study.name, info.name, base_model, name, n_models, repetition, fold, order)


def n_values(dataset: str) -> int:
    """Size of a data set: examples times attributes."""
    info = dataset_info(dataset)
    return (info.n_train + info.n_test) * len(info.attributes)


#: Nanoseconds in which one base model of an online bag handles a value.
_PACE = {
    "naive_bayes": 0.1,
    "decision_stump": 0.1,
    "neural_network": 2.0,
    "neural_network_10": 13.0,
    "decision_tree": 20.0,
}

#: How many times as long other algorithms take.
_EFFORT = {
    "online_boosting": 5.0,
    "online_boosting_tested_before": 5.0,
    "primed_boosting": 5.0,
    "blocked_boosting": 5.0,
    "online_arc_x4": 10.0,
}


def cost(task: Task) -> float:
    """Estimated seconds of a task, good enough to weigh a progress bar."""
    pace = 1e-9 * _PACE[task.base_model] * _EFFORT.get(task.algorithm, 3.0)
    return 0.005 + n_values(task.dataset) * (1e-8 + pace * task.n_models)
