"""Four forms of online boosting: two factors of λ, each with tests after or before learning."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from oza.datasets import dataset_info, list_datasets
from oza.ensembles import OnlineBoostingClassifier
from oza.evaluation.significance import compared
from oza.kernels.random import key_of
from oza.models import HoeffdingTreeClassifier
from oza.streams import LED, SEA, Agrawal, Chain, Hyperplane, RandomRBF

from ..record.study import Study
from .accuracy import examples_for, is_small, numeric_columns
from .algorithms import BASE_MODELS
from .protocol import N_FOLDS
from .statistics import equivalence


class Form(NamedTuple):
    """Values of `weight_update` and `tested` of `oza.OnlineBoostingClassifier`."""

    weight_update: str
    tested: str


#: Forms by name; the first one is Figure 4.3.
FORMS = {
    "thesis": Form("thesis", "after"),
    "thesis, tested before": Form("thesis", "before"),
    "later": Form("later", "after"),
    "later, tested before": Form("later", "before"),
}

#: Streams without drift by name, as functions of a seed; other parameters have their defaults.
STREAMS: dict[str, Callable[[int], Any]] = {
    **{name: partial(Chain, name) for name in ("synthetic1", "synthetic2", "synthetic3")},
    "led": lambda seed: LED(random_state=seed),
    "rbf": lambda seed: RandomRBF(random_state=seed),
    "hyperplane": lambda seed: Hyperplane(random_state=seed),
    "sea": lambda seed: SEA(random_state=seed),
    "agrawal": lambda seed: Agrawal(random_state=seed),
}

#: Base models of the streams and of the data sets.
ON_STREAMS = {"naive_bayes": BASE_MODELS["naive_bayes"], "hoeffding_tree": HoeffdingTreeClassifier}
ON_DATASETS = ("naive_bayes", "decision_stump", "decision_tree")

#: Numbers of base models. Fewer trees, since those of the thesis take minutes for a hundred.
N_MODELS = {"naive_bayes": 100, "decision_stump": 100, "decision_tree": 20, "hoeffding_tree": 20}

N_RUNS = 10  # streams with other seeds, or repetitions of the cross-validation
_LENGTH = 20_000


@dataclass(frozen=True, order=True)
class FormTask:
    """A form on a stream (`n_examples` of them, predicted before they are learned) or a split of a data set.

    `run` is the seed of a stream, or five times the repetition plus the fold.
    """

    study: ClassVar = "boosting-forms"
    dataset: str
    base_model: str
    form: str
    n_models: int
    n_examples: int
    run: int

    @property
    def is_stream(self) -> bool:
        """Whether accuracy is that of predictions before learning."""
        return self.n_examples > 0

    def estimator(self, categorical_features: Any) -> OnlineBoostingClassifier:
        """Make the untrained ensemble; all forms have the same draws."""
        names = ON_STREAMS | BASE_MODELS
        seed = key_of(self.study, *astuple(self)[:2], *astuple(self)[3:])
        return OnlineBoostingClassifier(
            names[self.base_model](),
            self.n_models,
            **FORMS[self.form]._asdict(),
            categorical_features=categorical_features,
            random_state=seed,
        )


@dataclass(frozen=True)
class FormResult:
    """What an ensemble has made of a stream or split."""

    n_seen: int
    n_correct: int
    n_voting: int  # base models with a vote, at the end
    first_error: float  # ε of the first base model
    median_error: float  # over those that have learned something
    first_vote: float  # the first one's share of the sum of all votes' weights
    last_weight: float  # total λ that reached the last base model, divided by that which reached the first


def follow_form(task: FormTask) -> FormResult:
    """Learn a stream or split with the form of a task.

    >>> found = follow_form(FormTask("synthetic2", "naive_bayes", "later, tested before", 5, 500, 0))
    >>> found.n_seen, found.n_correct > 250, found.n_voting <= 5
    (500, True, True)
    """
    if task.is_stream:
        stream = STREAMS[task.dataset](task.run)
        is_nominal = stream.categorical_features
        ensemble = task.estimator(is_nominal if np.any(is_nominal) else None)
        X, y = stream[: task.n_examples]
        predicted = ensemble.prequential_predict(X, y, classes=np.arange(len(stream.class_names)))
        right = predicted == y
    else:
        numeric = numeric_columns(task.base_model, task.dataset)
        split = examples_for(task.base_model, task.dataset, *divmod(task.run, N_FOLDS))
        ensemble = task.estimator(~numeric)
        classes = np.arange(len(dataset_info(task.dataset).classes))
        ensemble.partial_fit(split.X_train, split.y_train, classes=classes)
        right = ensemble.predict(split.X_test) == split.y_test
    votes, errors = ensemble.vote_weights_, ensemble.estimator_errors_
    reached = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    return FormResult(
        n_seen=len(right),
        n_correct=int(right.sum()),
        n_voting=int(np.count_nonzero(votes)),
        first_error=float(errors[0]),
        median_error=float(np.median(errors[reached > 0])),
        first_vote=float(votes[0] / votes.sum()),
        last_weight=float(reached[-1] / reached[0]),
    )


def form_tasks(
    n_runs: int = N_RUNS, length: int = _LENGTH, forms: tuple[str, ...] = tuple(FORMS)
) -> list[FormTask]:
    """List the runs of the forms on all streams, and on the small data sets that the thesis gives to trees.

    Trees learn one repetition of the cross-validation, and only sets of fewer than 2,000 examples.
    """
    streams = [
        FormTask(stream, base_model, form, N_MODELS[base_model], length, run)
        for stream, base_model, form, run in product(STREAMS, ON_STREAMS, forms, range(n_runs))
    ]
    small = [info for info in map(dataset_info, list_datasets()) if is_small(info)]
    datasets = [
        FormTask(info.name, base_model, form, N_MODELS[base_model], 0, N_FOLDS * repetition + fold)
        for info, base_model, form in product(small, ON_DATASETS, forms)
        if info.split != "supplied" and (base_model != "decision_tree" or info.n_train + info.n_test < 2_000)
        for repetition, fold in product(range(1 if base_model == "decision_tree" else n_runs), range(N_FOLDS))
    ]
    return streams + datasets


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each form with that of the thesis, on the same streams and splits.

    A row for each place ("stream" or "data set"), base model, data set and form but the thesis's: `thesis`
    (its accuracy), `difference`, `half_width` of its 95 % interval (over independent streams; corrected for
    overlapping training sets on data sets) and `equivalence`, by the book's rule of equality.
    """
    place = np.where(rows["n_examples"] > 0, "stream", "data set")
    scored = rows.assign(place=place, accuracy=rows["n_correct"] / rows["n_seen"])
    cells = {}
    for (at, base_model, dataset), part in scored.groupby(["place", "base_model", "dataset"], sort=True):
        of_form = part.pivot(index="run", columns="form", values="accuracy")
        thesis, *others = (name for name in FORMS if name in of_form)
        for form in others:
            a, b = of_form[form].to_numpy(), of_form[thesis].to_numpy()
            shared = (1, 0) if at == "stream" else (dataset_info(str(dataset)).n_train, part["n_seen"].mean())
            difference, half_width, *_ = compared(a, b, *shared)
            found = equivalence(difference, half_width)
            cells[at, base_model, dataset, form] = (b.mean(), difference, half_width, found)
    index = pd.MultiIndex.from_tuples(cells, names=["place", "base_model", "dataset", "form"])
    return pd.DataFrame([*cells.values()], index, ["thesis", "difference", "half_width", "equivalence"])


STUDY = Study.of(
    follow_form,
    "Four forms of online boosting, on streams and on the thesis's small data sets",
    smoke=lambda: [FormTask("synthetic2", "naive_bayes", form, 5, 500, 0) for form in FORMS],
    thesis=form_tasks,
    quick=lambda task: task.run < (1 if task.is_stream else N_FOLDS),
)
