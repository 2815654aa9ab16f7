"""Four forms of online boosting: two factors of λ, each with tests after or before learning."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.datasets import dataset_info, list_datasets
from oza.ensembles import OnlineBoostingClassifier
from oza.evaluation.significance import compared
from oza.kernels.random import key_of
from oza.models import HoeffdingTreeClassifier
from oza.streams import LED, SEA, Agrawal, Chain, Hyperplane, RandomRBF

from ..record.study import cells, study
from ..statistics import equivalence
from .accuracy import declared, examples_for, is_small, numeric_columns
from .algorithms import BASE_MODELS
from .protocol import N_FOLDS

#: Values of `weight_update` and `tested` of `oza.OnlineBoostingClassifier` by form; the first is Figure 4.3.
FORMS = {
    "thesis": ("thesis", "after"),
    "thesis, tested before": ("thesis", "before"),
    "later": ("later", "after"),
    "later, tested before": ("later", "before"),
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

#: Base models of the streams.
_ON_STREAMS = {"naive_bayes": BASE_MODELS["naive_bayes"], "hoeffding_tree": HoeffdingTreeClassifier}

#: Numbers of base models. Fewer trees, since those of the thesis take minutes for a hundred.
_N_MODELS = {"naive_bayes": 100, "decision_stump": 100, "decision_tree": 20, "hoeffding_tree": 20}

_N_RUNS = 10  # streams with other seeds, or repetitions of the cross-validation


def _cells() -> list[dict[str, Any]]:
    """List the runs of the forms on all streams, and on the small data sets that the thesis gives to trees.

    Trees learn one repetition of the cross-validation, and only sets of fewer than 2,000 examples.
    """
    on_streams = {"dataset": STREAMS, "base_model": _ON_STREAMS, "form": FORMS, "n_examples": 20_000}
    listed = cells(on_streams, run=range(_N_RUNS))
    infos = map(dataset_info, list_datasets())
    small = [info for info in infos if is_small(info) and info.split != "supplied"]
    for info, base_model in product(small, ("naive_bayes", "decision_stump", "decision_tree")):
        is_tree = base_model == "decision_tree"
        if not is_tree or info.n_train + info.n_test < 2_000:
            runs = range(N_FOLDS * (1 if is_tree else _N_RUNS))
            listed += cells(dataset=info.name, base_model=base_model, form=FORMS, n_examples=0, run=runs)
    return [cell | {"n_models": _N_MODELS[cell["base_model"]]} for cell in listed]


@study(
    "boosting-forms",
    "Four forms of online boosting, on streams and on the thesis's small data sets",
    {
        "n_seen": int,
        "n_correct": int,
        "n_voting": int,  # base models with a vote, at the end
        "first_error": float,  # ε of the first base model
        "median_error": float,  # over those that have learned something
        "first_vote": float,  # the first one's share of the sum of all votes' weights
        "last_weight": float,  # total λ that reached the last base model, divided by that of the first
    },
    smoke=lambda: cells(
        dataset="synthetic2", base_model="naive_bayes", form=FORMS, n_models=5, n_examples=500, run=0
    ),
    thesis=_cells,
    quick=lambda task: task.run < (1 if task.n_examples > 0 else N_FOLDS),
)
def boosting_forms(
    dataset: str, base_model: str, form: str, n_models: int, n_examples: int, run: int
) -> tuple[Any, ...]:
    """Learn a stream (its first `n_examples`, predicted before they are learned) or a split of a data set.

    `run` is the seed of a stream, or five times the repetition plus the fold. All forms have the same draws.
    """
    weight_update, tested = FORMS[form]
    ensemble = OnlineBoostingClassifier(
        (_ON_STREAMS | BASE_MODELS)[base_model](),
        n_models,
        weight_update=weight_update,
        tested=tested,
        random_state=key_of("boosting-forms", dataset, base_model, n_models, n_examples, run),
    )
    if n_examples > 0:
        stream = STREAMS[dataset](run)
        is_nominal = stream.categorical_features
        ensemble.set_params(categorical_features=is_nominal if np.any(is_nominal) else None)
        X, y = stream[:n_examples]
        right = ensemble.prequential_predict(X, y, classes=np.arange(len(stream.class_names))) == y
    else:
        split = examples_for(base_model, dataset, *divmod(run, N_FOLDS))
        declared(ensemble, numeric_columns(base_model, dataset))
        classes = np.arange(len(dataset_info(dataset).classes))
        ensemble.partial_fit(split.X_train, split.y_train, classes=classes)
        right = ensemble.predict(split.X_test) == split.y_test
    votes, errors = ensemble.vote_weights_, ensemble.estimator_errors_
    reached = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    return (
        len(right),
        int(right.sum()),
        int(np.count_nonzero(votes)),
        float(errors[0]),
        float(np.median(errors[reached > 0])),
        float(votes[0] / votes.sum()),
        float(reached[-1] / reached[0]),
    )


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each form with that of the thesis, on the same streams and splits.

    A row for each place ("stream" or "data set"), base model, data set and form but the thesis's: `thesis`
    (its accuracy), `difference`, `half_width` of its 95 % interval (over independent streams; corrected for
    overlapping training sets on data sets) and `equivalence`, by the book's rule of equality.
    """
    place = np.where(rows["n_examples"] > 0, "stream", "data set")
    scored = rows.assign(place=place, accuracy=rows["n_correct"] / rows["n_seen"])
    differences = {}
    for (at, base_model, dataset), part in scored.groupby(["place", "base_model", "dataset"], sort=True):
        of_form = part.pivot(index="run", columns="form", values="accuracy")
        thesis, *others = (name for name in FORMS if name in of_form)
        for form in others:
            a, b = of_form[form].to_numpy(), of_form[thesis].to_numpy()
            shared = (1, 0) if at == "stream" else (dataset_info(str(dataset)).n_train, part["n_seen"].mean())
            difference, half_width, *_ = compared(a, b, *shared)
            found = equivalence(difference, half_width)
            differences[at, base_model, dataset, form] = (b.mean(), difference, half_width, found)
    index = pd.MultiIndex.from_tuples(differences, names=["place", "base_model", "dataset", "form"])
    return pd.DataFrame([*differences.values()], index, ["thesis", "difference", "half_width", "equivalence"])
