"""How batch and online ensembles come together as the number of training examples grows."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import load_dataset
from oza.ensembles import (
    AdaBoostClassifier,
    BaggingClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
)
from oza.models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

from ..exact import normal_cdf
from ..record.bits import close
from ..record.simulation import simulation
from ..theory.boosting import naive_bayes_distance, naive_bayes_limit
from ..theory.margins import Population, margins

_LEARNERS: dict[tuple[str, str], Any] = {
    ("stable", "Naive Bayes"): NaiveBayesClassifier(),
    ("stable", "stumps"): DecisionStumpClassifier(),
    ("unstable", "trees"): DecisionTreeClassifier(),
    ("unstable", "networks"): NeuralNetworkClassifier(),
}


@simulation(small={"problems": ["nursery"], "sizes": (100, 1000), "n_models": 5, "seeds": (1, 2)})
def bagging_disagreement(
    problems: Sequence[str] = ("synthetic2", "nursery", "car-evaluation"),
    sizes: Sequence[int] = (100, 1000, 5000),
    n_models: int = 25,
    seeds: Sequence[int] = range(11, 51),
    bases: Sequence[str] = ("Naive Bayes", "stumps", "trees", "networks"),
) -> pd.DataFrame:
    """Measure how often batch and online bagging disagree about examples that neither has seen.

    The frame has shares of predictions that differ: indexed by data set, number of examples N and seed, with
    a column (kind, base model) for each base model, whose kind is "stable" or "unstable".
    """
    shares: dict[tuple[str, int, int], list[float]] = {}
    learners = {(kind, base): learner for (kind, base), learner in _LEARNERS.items() if base in bases}
    for problem, seed in product(problems, seeds):
        data = load_dataset(problem, random_state=seed)
        order = np.random.default_rng(seed).permutation(len(data.target))
        X, y = data.data[order], data.target[order]
        values = [range(len(v)) for v in data.categories]
        n_fresh = min(2000, len(y) // 3)
        for n in [n for n in sizes if n <= len(y) - n_fresh]:
            shares[problem, n, seed] = []
            for base in learners.values():
                batch, online = (
                    ensemble(base, n_models, categories=values, random_state=seed)
                    .fit(X[:n], y[:n])
                    .predict(X[-n_fresh:])
                    for ensemble in (BaggingClassifier, OnlineBaggingClassifier)
                )
                shares[problem, n, seed].append(float(np.mean(batch != online)))
    index = pd.MultiIndex.from_tuples(shares, names=["dataset", "N", "seed"])
    return pd.DataFrame(list(shares.values()), index, pd.MultiIndex.from_tuples(learners))


def random_law(number: int, n_attributes: int) -> npt.NDArray[np.float64]:
    """Draw the probabilities of two classes together with all inputs of two-valued attributes.

    Parameters
    ----------
    number : int
        Seed of the law.
    n_attributes : int
        Attributes, each with an axis of the result.
    """
    law = np.random.default_rng(number).gamma(0.7, size=(2, *[2] * n_attributes)) + 0.02
    return law / law.sum()


def law_stream(
    law: npt.NDArray[np.float64], n_examples: int, seed: Sequence[int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Draw examples (X, y) from a law; fewer of them are the first of more."""
    cells = np.array(list(product(range(2), repeat=law.ndim)))
    z = cells[np.random.default_rng(seed).choice(len(cells), n_examples, p=law.ravel())]
    return z[:, 1:], z[:, 0]


def boosting_pair(
    X: npt.NDArray[np.int64], y: npt.NDArray[np.int64], n_models: int, random_state: int
) -> tuple[AdaBoostClassifier, OnlineBoostingClassifier]:
    """Train batch and online boosting of Naive Bayes on two-valued attributes."""
    options: dict[str, Any] = {"n_estimators": n_models, "categories": [np.arange(2)] * X.shape[1]}
    batch = AdaBoostClassifier(**options).fit(X, y)
    return batch, OnlineBoostingClassifier(**options, random_state=random_state).fit(X, y)


def nearness(law: npt.NDArray[np.float64], batch: Any, online: Any) -> tuple[float, float, float]:
    """Compare two classifiers on all inputs of a law.

    Returns
    -------
    disagreement, accuracy of the first, accuracy of the second : float
        The probability of the inputs on which they differ; the probabilities that they are right.
    """
    inputs = np.array(list(product(range(2), repeat=law.ndim - 1)))
    p_right = law.reshape(2, -1)  # of each class, together with each input
    answers = [model.predict(inputs) for model in (batch, online)]
    right, others = (float(p_right[given, np.arange(len(inputs))].sum()) for given in answers)
    return float(p_right.sum(axis=0)[answers[0] != answers[1]].sum()), right, others


@simulation(
    small={"sizes": (1000, 2000), "n_repeats": 2},
    calls=[{"law_number": 507}, {"law_number": 613}],
    bits=close(1e-9),
)
def boosting_distances(
    law_number: int = 507,
    n_attributes: int = 3,
    n_models: int = 5,
    sizes: Sequence[int] = (1000, 8000, 64_000, 512_000, 4_000_000),
    n_repeats: int = 5,
    seed: int = 1,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compare batch with online boosting of Naive Bayes on the same streams from a drawn law.

    There are `n_models` base models, or as many as the limit of boosting on the law has. The first frame has
    means over the streams, a row for each N, columns (`parameters` or `errors`, m): the differences of the
    parameters of the two m-th models, and of their errors. The second has `disagreement`, the probability of
    the inputs on which the ensembles differ; `accuracy gap`, the absolute difference of their accuracies;
    `models in batch`, the number that both have.
    """
    law = random_law(law_number, n_attributes)
    n_made = len(naive_bayes_limit(law, n_models).errors)
    rows, ensembles = [], []
    for number in range(n_repeats):
        X, y = law_stream(law, max(sizes), [seed, number])
        for size in sizes:
            batch, online = boosting_pair(X[:size], y[:size], n_made, number)
            pairs = list(zip(batch.estimators_, online.estimators_, strict=False))
            for m, (a, b) in enumerate(pairs):
                gap = abs(batch.estimator_errors_[m] - online.estimator_errors_[m])
                rows.append((size, m + 1, naive_bayes_distance(a, b), gap))
            differ, *accuracy = nearness(law, batch, online)
            ensembles.append((size, differ, abs(accuracy[0] - accuracy[1]), len(pairs)))
    distances = pd.DataFrame(rows, columns=["N", "model", "parameters", "errors"])
    models = distances.pivot_table(["parameters", "errors"], "N", "model")
    columns = ["N", "disagreement", "accuracy gap", "models in batch"]
    return models, pd.DataFrame(ensembles, columns=columns).groupby("N").mean()


class OverLaws(NamedTuple):
    """Distances of batch and online boosting on several laws.

    Attributes
    ----------
    parameters, errors : DataFrame
        Differences of the m-th models, as means over laws: a row for each N, a column for each m.
    disagreement, gap : DataFrame
        Share of inputs on which the ensembles differ, and absolute difference of their accuracies: a row
        for each N, a column for each law.
    """

    parameters: pd.DataFrame
    errors: pd.DataFrame
    disagreement: pd.DataFrame
    gap: pd.DataFrame


@simulation(small={"law_seeds": (1, 2), "sizes": (500, 1000), "n_repeats": 2}, bits=close(1e-9))
def boosting_over_laws(
    law_seeds: Sequence[int] = range(1, 11),
    n_attributes: int = 3,
    n_models: int = 5,
    sizes: Sequence[int] = (1000, 8000, 64_000, 512_000),
    n_repeats: int = 5,
    seed: int = 1,
) -> OverLaws:
    """Compare batch with online boosting of Naive Bayes on several random laws."""
    models, ensembles = [], {}
    for number in law_seeds:
        of_models, ensembles[number] = boosting_distances(
            number, n_attributes, n_models, sizes, n_repeats, seed
        )
        models.append(of_models)
    mean = pd.concat(models).groupby("N").mean()
    between = pd.concat(ensembles, axis="columns")
    by_name = between.swaplevel(axis="columns")
    parts = (mean["parameters"], mean["errors"], by_name["disagreement"], by_name["accuracy gap"])
    return OverLaws(*map(pd.DataFrame, parts))


@simulation(
    small={"datasets": ["balance"], "sizes": (50, 200), "n_models": 5, "n_repeats": 2}, bits=close(1e-9)
)
def stump_choices(
    datasets: Sequence[str] = ("car-evaluation", "nursery", "balance"),
    sizes: Sequence[int] = (50, 200, 800, 3200, 12800),
    n_models: int = 11,
    n_repeats: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Share of bagged stumps that test the attribute which is best on the whole data set.

    The data set is the population: for each number N in `sizes`, `n_repeats` training sets are drawn from it
    with replacement. The frame is indexed by data set and N: `gap` between the gains of the best and the
    second best attribute, in nats, its `deviation` for one example, the `estimate` of the share by the normal
    law, and the shares found in `batch` and `online`.
    """
    rows = {}
    for dataset in datasets:
        X, y = load_dataset(dataset, return_X_y=True)
        values = [np.unique(column, return_inverse=True) for column in X.T]
        codes = np.column_stack([code for _, code in values])
        n_values = tuple(len(value) for value, _ in values)
        population = Population(codes, y.astype(int), np.full(len(y), 1 / len(y)), n_values)
        test = margins(population, codes[0], depth=1).tests.iloc[0]
        for n in sizes:
            found = np.zeros(2)
            for repeat in range(n_repeats):
                drawn = np.random.default_rng([seed, n, repeat]).integers(len(y), size=n)
                for k, kind in enumerate((BaggingClassifier, OnlineBaggingClassifier)):
                    options = {"categories": [value for value, _ in values], "random_state": repeat}
                    ensemble = kind(DecisionStumpClassifier(), n_models, **options).fit(X[drawn], y[drawn])
                    tested = [stump.feature_ for stump in ensemble.estimators_]
                    found[k] += np.mean(np.array(tested) == test["attribute"])
            estimate = normal_cdf(test["gap"] * np.sqrt(n / 2) / test["deviation"])
            rows[dataset, n] = [test["gap"], test["deviation"], estimate, *(found / n_repeats)]
    index = pd.MultiIndex.from_tuples(rows, names=["data set", "N"])
    return pd.DataFrame(list(rows.values()), index, ["gap", "deviation", "estimate", "batch", "online"])


@simulation(small={"training_sizes": (100, 1000), "n_models": 5})
def naive_bayes_disagreement(
    dataset: str = "synthetic3",
    training_sizes: Sequence[int] = (100, 1000, 10_000, 80_000),
    n_models: int = 100,
    n_fresh: int = 20_000,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure how often bagged Naive Bayes disagrees about examples that no model has seen.

    The frame has shares of them, by number N of training examples: `batch and online`, and, for comparison,
    `batch and batch`, two batch ensembles with different draws.
    """
    X, y = load_dataset(dataset, return_X_y=True, random_state=seed)
    kinds: tuple[Any, ...] = (BaggingClassifier, BaggingClassifier, OnlineBaggingClassifier)
    rows = {}
    for size in training_sizes:
        bagged, again, streamed = (
            kind(n_estimators=n_models, categorical_features=range(X.shape[1]), random_state=3 * seed + k)
            .fit(X[:size], y[:size])
            .predict(X[-n_fresh:])
            for k, kind in enumerate(kinds)
        )
        rows[size] = [(bagged != streamed).mean(), (bagged != again).mean()]
    columns = ["batch and online", "batch and batch"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("N")


@simulation(small={"sizes": (50,), "ensembles": (3,)})
def disagreement_of_bags(
    sizes: Sequence[int] = (50, 200, 800), ensembles: Sequence[int] = (3, 12, 48), seed: int = 1
) -> pd.DataFrame:
    """Measure how often bags of stumps and of trees disagree about the inputs of Car Evaluation.

    The frame is indexed by base model, number N of examples and number M of models, with the shares of inputs
    on which a "batch and online" bag differ, and a "batch and batch" one.
    """
    X, y = load_dataset("car-evaluation", return_X_y=True)
    rows = {}
    for (name, base), size, n_models in product(
        (("stump", DecisionStumpClassifier()), ("tree", DecisionTreeClassifier())), sizes, ensembles
    ):
        drawn = np.random.default_rng([seed, size]).integers(len(y), size=size)
        bagged, again, streamed = (
            _answers_of_bag(base, kind, n_models, X, y, drawn, key)
            for key, kind in enumerate((BaggingClassifier, BaggingClassifier, OnlineBaggingClassifier))
        )
        rows[name, size, n_models] = [(bagged != streamed).mean(), (bagged != again).mean()]
    index = pd.MultiIndex.from_tuples(rows, names=["base", "N", "M"])
    return pd.DataFrame(list(rows.values()), index, ["batch and online", "batch and batch"])


@simulation(small={"n_pairs": 5})
def differing_bags_of_stumps(
    n_examples: int = 50, n_models: int = 3, n_pairs: int = 50, seed: int = 1
) -> dict[str, int]:
    """Count pairs of bags of stumps, each with its own draws, that differ on an input of Car Evaluation."""
    X, y = load_dataset("car-evaluation", return_X_y=True)
    drawn = np.random.default_rng([seed, n_examples]).integers(len(y), size=n_examples)

    def answers(kind: Any, key: int) -> npt.NDArray[np.int64]:
        return _answers_of_bag(DecisionStumpClassifier(), kind, n_models, X, y, drawn, key)

    found = {"batch and online": 0, "batch and batch": 0}
    for key in range(100, 100 + n_pairs):
        bagged = answers(BaggingClassifier, key)
        found["batch and online"] += bool((bagged != answers(OnlineBaggingClassifier, key)).any())
        found["batch and batch"] += bool((bagged != answers(BaggingClassifier, key + n_pairs)).any())
    return found


def _answers_of_bag(
    base: Any, kind: Any, n_models: int, X: npt.NDArray, y: npt.NDArray, drawn: npt.NDArray, key: int
) -> npt.NDArray[np.int64]:
    categories = [np.unique(column) for column in X.T]
    bag = kind(base, n_models, categories=categories, random_state=key)
    return np.asarray(bag.fit(X[drawn], y[drawn]).predict(X))
