"""The questions that the KDD paper leaves open: tests, variants of online boosting, lossy learners.

A test before learning says this about the base models of online boosting, in finite samples. The examples are
drawn independently from one law, and every base model is tested on an example before it learns that. Then the
weight λ with which an example reaches model m, and whether the model is right about it, depend on this
example and on what was learned before alone. So λˢʷ of the model, minus the sum over all examples of the
weighted risk that it had before each of them, is a martingale. Its step lies in an interval as wide as the
largest λ that any example could have had, which is known before the example comes. Robbins's mixture of
exponential martingales bounds it at all times at once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import curve_fit

import oza
from oza.datasets import dataset_info, list_datasets
from oza.evaluation.significance import compared
from oza.kernels.random import key_of

from ..printed.printed import label
from ..printed.table import Table
from ..record.bits import close
from ..record.simulation import simulation
from ..record.study import cells, study
from ..statistics import equivalence, outcomes
from ..studies.accuracy import declared, examples_for, is_small, numeric_columns
from ..studies.algorithms import BASE_MODELS
from ..studies.laws import law_stream, random_law
from ..studies.protocol import CORRECT, N_FOLDS, prepare
from ..studies.streams import STEADY

#: Examples that are learned before the sums begin, so that each model has learned something.
FIRST = 50

_BASES = {"Naive Bayes": oza.NaiveBayesClassifier(), "decision tree": oza.DecisionTreeClassifier()}
_MODELS = {"before": 3, "after": 1}  # by when they are tested


def largest_deviation(variance: Any, delta: float, rho: float) -> Any:
    """Bound a martingale at all times at once, with probability 1 − δ (Robbins 1970).

    The bound is √((V + ρ)(2 log(1/δ) + log((V + ρ)/ρ))), where V is a quarter of the sum of the squared
    widths of the intervals in which its steps lie; it is tightest where V is about ρ.

    Examples
    --------
    >>> from reproduction.topics.open_questions import largest_deviation
    >>> round(float(largest_deviation(1000 / 4, 0.05, 250)) / 1000, 3)
    0.058
    """
    spread = variance + rho
    return np.sqrt(spread * (2 * math.log(1 / delta) + np.log(spread / rho)))


def weights_of_all(ensemble: oza.OnlineBoostingClassifier, predicted: np.ndarray) -> np.ndarray:
    """Give the λ with which each possible example would reach each base model, by the thesis's rule.

    The ensemble tests before it learns; `predicted` has the answers of its base models, by input and model.
    The result has axes for models, classes and inputs.
    """
    n_inputs, n_models = predicted.shape
    classes = np.arange(len(ensemble.classes_))
    lam = np.ones((n_models, len(classes), n_inputs))
    for m in range(n_models - 1):
        is_right = predicted[:, m] == classes[:, None]
        right = ensemble.lambda_correct_[m] + lam[m] * is_right
        wrong = ensemble.lambda_wrong_[m] + lam[m] * ~is_right
        lam[m + 1] = lam[m] * (right + wrong) / (2 * np.where(is_right, right, wrong))
    return lam


def counted_and_due(
    base_model: Any, law: np.ndarray, n_examples: int, n_models: int, tested: str, seed: int
) -> pd.DataFrame:
    """Compare the weight on which models err, as online boosting counts it, with what they are due to err on.

    The `law` has the probability of each class together with each input of two-valued attributes. The first
    `FIRST` examples are not counted, and the next `n_examples` are. There can be one model only if it is
    tested after learning, where later weights depend on more than the past.

    The frame has a row for each model: `weight` that reached it, `counted` λˢʷ, `due` (the sum of its
    weighted risks over all possible examples, each before an example is learned) and `variance` (see
    `largest_deviation`).
    """
    X, y = law_stream(law, FIRST + n_examples, [seed])
    inputs = np.indices(law.shape[1:]).reshape(law.ndim - 1, -1).T
    p = law.reshape(len(law), -1)
    known = {"categories": [np.arange(2)] * X.shape[1], "categorical_features": range(X.shape[1])}
    ensemble = oza.OnlineBoostingClassifier(base_model, n_models, tested=tested, random_state=seed, **known)
    ensemble.partial_fit(X[:FIRST], y[:FIRST], classes=np.arange(len(law)))
    began = ensemble.lambda_wrong_, ensemble.lambda_correct_
    due, variance = np.zeros(n_models), np.zeros(n_models)
    for row, target in zip(X[FIRST:], y[FIRST:], strict=True):
        predicted = ensemble.predict_each(inputs)
        lam = weights_of_all(ensemble, predicted)
        is_wrong = predicted.T[:, None, :] != np.arange(len(law))[:, None]
        due += (lam * is_wrong * p).sum(axis=(1, 2))
        variance += lam[:, p > 0].max(axis=1) ** 2 / 4
        ensemble.partial_fit(row[None], target[None])
    counted, right = ensemble.lambda_wrong_ - began[0], ensemble.lambda_correct_ - began[1]
    return pd.DataFrame(
        {"weight": counted + right, "counted": counted, "due": due, "variance": variance},
        index=pd.RangeIndex(1, n_models + 1, name="model"),
    )


@simulation(small={"laws": (1,), "n_examples": 50, "n_streams": 2}, bits=close(1e-9))
def counted_errors(laws: Sequence[int] = (1, 2), n_examples: int = 1000, n_streams: int = 20) -> pd.DataFrame:
    """Compare what is counted with what is due for several learners, on streams from several laws.

    The rows are those of `counted_and_due`, indexed by base model, when it is tested, law, stream and model.
    """
    runs = {
        (name, tested, law, stream): counted_and_due(
            _BASES[name], random_law(law, 6), n_examples, _MODELS[tested], tested, stream
        )
        for name, tested, law, stream in product(_BASES, _MODELS, laws, range(n_streams))
    }
    return pd.concat(runs, names=["base model", "tested", "law", "stream"])


#: Values of `weight_update` and `tested` of `oza.OnlineBoostingClassifier` by form; the first is Figure 4.3.
FORMS = {
    "thesis": ("thesis", "after"),
    "thesis, tested before": ("thesis", "before"),
    "later": ("later", "after"),
    "later, tested before": ("later", "before"),
}


#: Base models of the streams.
_ON_STREAMS = {"naive_bayes": BASE_MODELS["naive_bayes"], "hoeffding_tree": oza.HoeffdingTreeClassifier}

#: Numbers of base models. Fewer trees, since those of the thesis take minutes for a hundred.
_N_MODELS = {"naive_bayes": 100, "decision_stump": 100, "decision_tree": 20, "hoeffding_tree": 20}

_N_RUNS = 10  # streams with other seeds, or repetitions of the cross-validation


def _cells() -> list[dict[str, Any]]:
    """List the runs of the forms on all streams, and on the small data sets that the thesis gives to trees.

    Trees are trained on one repetition of the cross-validation, and only sets of fewer than 2,000 examples.
    """
    on_streams = {"dataset": STEADY, "base_model": _ON_STREAMS, "form": FORMS, "n_examples": 20_000}
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
    """Train on a stream (its first `n_examples`, each predicted before) or on a split of a data set.

    `run` is the seed of a stream, or five times the repetition plus the fold. All forms have the same draws.
    """
    key = key_of("boosting-forms", dataset, base_model, n_models, n_examples, run)
    ensemble = oza.OnlineBoostingClassifier((_ON_STREAMS | BASE_MODELS)[base_model](), n_models)
    ensemble.set_params(**dict(zip(("weight_update", "tested"), FORMS[form], strict=True)), random_state=key)
    if n_examples > 0:
        stream = STEADY[dataset](run)
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


_DATASETS = ("car-evaluation", "nursery", "synthetic1", "synthetic2")
_SIZES = (250, 500, 1000, 2000, 4000, 8000)  # numbers of training examples, where there are enough
_RUNS = range(2 * N_FOLDS)  # splits of two cross-validations

#: Updates for each example, where 0 stands for batch training with as many passes as in the thesis; networks
#: alone, and bagged ensembles of ten.
_NETWORKS = {"updates": (0, 1, 2, 4, 8, 16, 32), "n_models": (1, 10)}


@study(
    "lossy-learners",
    "Networks by the number of updates for each example, and of examples (KDD, section 5)",
    CORRECT,
    smoke=lambda: cells(dataset="car-evaluation", **_NETWORKS, n_train=250, run=0),
    thesis=lambda: [
        cell
        for cell in cells(dataset=_DATASETS, **_NETWORKS, n_train=_SIZES, run=_RUNS)
        if cell["n_train"] <= dataset_info(cell["dataset"]).n_train
    ],
    quick=lambda task: task.run < N_FOLDS,
)
def lossy_learners(dataset: str, updates: int, n_models: int, n_train: int, run: int) -> tuple[int, int]:
    """Networks that make `updates` for each of the first `n_train` training examples of split `run`."""
    split, info = prepare(dataset, *divmod(run, N_FOLDS)), dataset_info(dataset)
    model: Any = oza.NeuralNetworkClassifier(updates=updates or 1)
    if n_models > 1:
        model = (oza.OnlineBaggingClassifier if updates else oza.BaggingClassifier)(model, n_models)
    seed = key_of("lossy-learners", dataset, n_models, run)
    model.set_params(categorical_features=range(len(info.attributes)), random_state=seed)
    X, y = split.X_train[:n_train], split.y_train[:n_train]
    if updates:
        model.partial_fit(X, y, classes=np.arange(len(info.classes)))
    else:
        model.fit(X, y)
    return len(split.y_test), int((model.predict(split.X_test) == split.y_test).sum())


def mean_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean errors by dataset, n_models and n_train, a column for each number of updates."""
    with_errors = rows.assign(error=1.0 - rows["n_correct"] / rows["n_test"])
    return with_errors.pivot_table("error", ["dataset", "n_models", "n_train"], "updates")


@dataclass(frozen=True)
class Law:
    """The law error = floor + scale · N^−by_examples · u^−by_updates for N examples of u updates each."""

    floor: float  # the parameters are fitted to all numbers of examples but the largest
    scale: float
    by_examples: float
    by_updates: float
    explained: float  # share of the variance of the errors explained by the fit
    missed: float  # mean absolute difference of predicted and measured errors at the largest number


def fitted_law(errors: pd.DataFrame) -> Law:
    """Fit the law of `Law` by least squares, with the largest number of examples left out to test it.

    A row for each number of examples, a column for each number of updates (of online learning).

    >>> sizes, updates = [100, 200, 400, 800], [1, 2, 4, 8]
    >>> exact = {u: [0.1 + 5 * n**-0.5 * u**-0.25 for n in sizes] for u in updates}
    >>> law = fitted_law(pd.DataFrame(exact, sizes))
    >>> round(law.floor, 3), round(law.by_examples, 3), round(law.by_updates, 3), law.missed < 1e-6
    (0.1, 0.5, 0.25, True)
    """

    def predicted(both: Any, floor: float, scale: float, by_examples: float, by_updates: float) -> Any:
        return floor + scale * both[0] ** -by_examples * both[1] ** -by_updates

    known, last = errors.iloc[:-1].stack(), errors.iloc[-1]
    both = np.array(known.index.to_list(), dtype=float).T
    bounds = ([0.0, 0.0, 0.0, -1.0], [1.0, np.inf, 3.0, 3.0])
    parameters, _ = curve_fit(
        predicted, both, known.to_numpy(), p0=(0.05, 2.0, 0.5, 0.3), bounds=bounds, max_nfev=20_000
    )
    low, high = map(np.array, bounds)  # the fit stays inside; how far inside depends on the processor
    parameters = np.where(parameters - low < 1e-9, low, np.where(high - parameters < 1e-9, high, parameters))
    rest = known.to_numpy() - predicted(both, *parameters)
    explained = 1.0 - float((rest**2).sum() / ((known - known.mean()) ** 2).sum())
    ahead = predicted((float(errors.index[-1]), last.index.to_numpy(dtype=float)), *parameters)
    missed = float(np.abs(ahead - last.to_numpy()).mean())
    return Law(*map(float, (*parameters, explained, missed)))


_SIGNS = {"equal": " =", "undecided": " ?"}
_BASE_NAMES = {
    "naive_bayes": "Naive Bayes",
    "hoeffding_tree": "Hoeffding trees",
    "decision_stump": "Stumps",
    "decision_tree": "Trees",
}
_STREAM_NAMES = {"led": "LED", "rbf": "RBF", "sea": "SEA"}


def gains_table(gains: pd.DataFrame, place: str) -> Table:
    """Lay out what each form of online boosting gains over the thesis's, in percentage points.

    Accuracy of the thesis's form, and differences: ▲ and ▽ where the form is more or less accurate, = where
    they are equal, ? where it is undecided, by the rule of equality. `place` is "stream" or "data set".
    """
    cells = gains[gains.index.get_level_values("place") == place].droplevel("place")
    pairs = zip(cells["difference"], cells["equivalence"], strict=True)
    texts = pd.Series([_points(*pair) for pair in pairs], cells.index)
    shown = pd.DataFrame({form: texts.xs(form, level="form") for form in list(FORMS)[1:]})
    shown.insert(0, "thesis", cells["thesis"].groupby(level=[0, 1]).first().map("{:.3f}".format))
    order = [*_BASE_NAMES]
    shown = shown.loc[sorted(shown.index, key=lambda row: (order.index(row[0]), row[1]))]
    names = [
        (_BASE_NAMES[base], _STREAM_NAMES.get(name, name.capitalize()) if name in STEADY else label(name))
        for base, name in shown.index
    ]
    shown.index = pd.MultiIndex.from_tuples(names, names=["base model", place])
    title = f"Variants of online boosting, minus the thesis's, by {place}: percentage points of accuracy"
    return Table(title, cells, shown, pd.DataFrame("", shown.index, shown.columns))


def _points(difference: float, equivalence: str) -> str:
    sign = _SIGNS.get(equivalence) or (" ▲" if difference > 0 else " ▽")
    return f"{100 * difference + 0.0:+.1f}{sign}"


def counted_gains(gains: pd.DataFrame) -> pd.DataFrame:
    """Count on how many streams and data sets each form is better than the thesis's, worse, equal or neither.

    A row for each place, base model and form, with the mean difference.
    """
    levels = ["place", "base_model", "form"]
    counts = pd.get_dummies(outcomes(gains)).groupby(level=levels).sum()
    counts = counts.reindex(columns=["better", "worse", "equal", "undecided"], fill_value=0)
    return counts.assign(mean=gains["difference"].groupby(level=levels).mean())
