"""Whether bagged stumps and trees make the tests of the population, and how often ensembles disagree."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza import BaggingClassifier, DecisionStumpClassifier, DecisionTreeClassifier, OnlineBaggingClassifier
from oza.datasets import load_dataset

from ..exact import normal_cdf
from ..record.bits import close
from ..record.simulation import simulation
from ..theory.id3 import classify
from ..theory.margins import Population, margins, two_voices


def disagreement_rates(
    population: Population,
    example: Sequence[int],
    depth: int,
    sizes: Sequence[int],
    n_models: int,
    n_repeats: int,
    seed: int,
) -> pd.DataFrame:
    """Simulate how often base models and ensembles depart from the population's tree, and from each other.

    For each number N in `sizes`, `n_repeats` training sets are drawn from the population; a batch and an
    online ensemble learn from each. The frame is indexed by N: the share of `batch` and of `online` base
    models that give the example another class than the tree of the population, and the share of training sets
    on which the `ensembles` disagree.
    """

    def answer(law: np.ndarray) -> int:
        return classify(population._replace(probabilities=law).tree(depth), example)

    limit, rows = answer(population.probabilities), {}
    for n in sizes:
        generator = np.random.default_rng([seed, n])
        departed, disagree = np.zeros(2), 0
        for _ in range(n_repeats):
            training = generator.multinomial(n, population.probabilities)
            batch = generator.multinomial(n, training / n, size=n_models)
            online = generator.poisson(training, size=(n_models, len(training)))
            predicted = np.array([[*map(answer, each.astype(float))] for each in (batch, online)])
            departed += (predicted != limit).mean(axis=1)
            disagree += int(np.bincount(predicted[0]).argmax() != np.bincount(predicted[1]).argmax())
        rows[n] = [*(departed / n_repeats), disagree / n_repeats]
    return pd.DataFrame(rows, index=["batch", "online", "ensembles"]).T.rename_axis("N")


def branching() -> Population:
    """Three binary attributes: the first has the largest gain, and says which of the others decides."""
    cells = np.array(list(product((0, 1), repeat=4)))  # the attributes and the class
    deciding = np.where(cells[:, 0] == 0, cells[:, 1], cells[:, 2])
    of_class_1 = np.array([[0.05, 0.6], [0.4, 0.95]])[cells[:, 0], deciding]
    law = np.where(cells[:, 3] == 1, of_class_1, 1 - of_class_1) / 8
    return Population(cells[:, :3], cells[:, 3], law, (2, 2, 2))


_SIZES = (50, 200, 800, 3200, 12800)


_SMALL = {"sizes": (50, 200), "n_models": 5, "n_repeats": 10}


@simulation(small=_SMALL)
def contested_tests(
    advantages: Sequence[float] = (0.0, 0.02, 0.05, 0.1),
    accuracy: float = 0.7,
    sizes: Sequence[int] = _SIZES,
    n_models: int = 11,
    n_repeats: int = 200,
    seed: int = 1,
) -> pd.DataFrame:
    """Give `disagreement_rates` of stumps on an input for which two attributes differ, by advantage and N."""
    rates = {
        each: disagreement_rates(two_voices(each, accuracy), [1, 0], 1, sizes, n_models, n_repeats, seed)
        for each in advantages
    }
    return pd.concat(rates, names=["advantage"])


@simulation(small=_SMALL)
def branching_tests(
    sizes: Sequence[int] = _SIZES, n_models: int = 11, n_repeats: int = 200, seed: int = 1
) -> pd.DataFrame:
    """Give `disagreement_rates` of trees of depth two of `branching`, by example and N."""
    rates = {
        example: disagreement_rates(branching(), [*map(int, example)], 2, sizes, n_models, n_repeats, seed)
        for example in ("000", "010", "100")
    }
    return pd.concat(rates, names=["example"])


@simulation(
    small={"datasets": ["balance"], "sizes": (50, 200), "n_models": 5, "n_repeats": 2}, bits=close(1e-9)
)
def stump_choices(
    datasets: Sequence[str] = ("car-evaluation", "nursery", "balance"),
    sizes: Sequence[int] = _SIZES,
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


@simulation(small={"sizes": (50,), "ensembles": (3,)})
def disagreement_of_bags(
    sizes: Sequence[int] = (50, 200, 800), ensembles: Sequence[int] = (3, 12, 48), seed: int = 1
) -> pd.DataFrame:
    """Measure how often bags of stumps and of trees disagree about the inputs of Car Evaluation.

    The frame is indexed by base model, number N of examples and number M of models, with the shares of inputs
    on which a "batch and online" bag differ, and a "batch and batch" one.
    """
    X, y = load_dataset("car-evaluation", return_X_y=True)
    bases, rows = {"stump": DecisionStumpClassifier(), "tree": DecisionTreeClassifier()}, {}
    for (name, base), size, n_models in product(bases.items(), sizes, ensembles):
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

    def answers(kind: Any, key: int) -> np.ndarray:
        return _answers_of_bag(DecisionStumpClassifier(), kind, n_models, X, y, drawn, key)

    found = {"batch and online": 0, "batch and batch": 0}
    for key in range(100, 100 + n_pairs):
        bagged = answers(BaggingClassifier, key)
        found["batch and online"] += bool((bagged != answers(OnlineBaggingClassifier, key)).any())
        found["batch and batch"] += bool((bagged != answers(BaggingClassifier, key + n_pairs)).any())
    return found


def _answers_of_bag(
    base: Any, kind: Any, n_models: int, X: np.ndarray, y: np.ndarray, drawn: np.ndarray, key: int
) -> np.ndarray:
    categories = [np.unique(column) for column in X.T]
    bag = kind(base, n_models, categories=categories, random_state=key)
    return np.asarray(bag.fit(X[drawn], y[drawn]).predict(X))
