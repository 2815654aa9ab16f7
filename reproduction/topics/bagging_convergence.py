"""How batch and online bagging come together as the number of training examples grows (thesis section 3.4).

Numbers of examples are those of `copies_of_an_example`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import load_dataset
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier

from ..claims.criteria import names, nothing_differs, vanishes
from ..claims.registry import Decision, claim, require
from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory import sampling
from .copies_of_an_example import by_size


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


def _counts(online: bool, n: int, n_models: int, generator: np.random.Generator) -> np.ndarray:
    """Copies of n examples in the samples of n_models models; an empty sample is drawn again."""
    if not online:
        return generator.multinomial(n, np.full(n, 1 / n), size=n_models)
    counts = generator.poisson(1.0, size=(n_models, n))
    while (empty := counts.sum(axis=1) == 0).any():
        counts[empty] = generator.poisson(1.0, size=(int(empty.sum()), n))
    return counts


@simulation(small={"sizes": (20, 50), "n_models": 9, "n_repeats": 20})
def averaging_gap(
    sizes: Sequence[int] = (20, 100, 500, 2000),
    n_models: int = 25,
    n_repeats: int = 200,
    radius: float = 0.5,
    seed: int = 1,
) -> pd.DataFrame:
    """Simulate a proportional learner that is constant near the uniform vector, and bagging with it.

    The learner sees the proportions of its sample only. If their distance from the uniform vector is below
    the radius, its model says "positive". Else it says "positive" if every proportion is a multiple of 1/N,
    which every bootstrap sample has, and "negative" if not. There are `n_repeats` pairs of ensembles.

    The frame is indexed by scheme and N: mean distance of a sample's proportions and of the mean proportions
    from the uniform vector (`one sample`, `mean`), the share of ensembles whose `mean is near` it and of
    samples that are (`sample is near`), and the share of ensembles that vote `positive`.
    """
    rows = {}
    for (is_online, scheme), n in product(enumerate(("batch", "online")), sizes):
        generator = np.random.default_rng([seed, n, is_online])
        found = []
        for _ in range(n_repeats):
            counts = _counts(bool(is_online), n, n_models, generator)
            sizes_drawn = counts.sum(axis=1, keepdims=True)
            proportions = counts / sizes_drawn
            of_sample = np.abs(proportions - 1 / n).sum(axis=1)
            of_mean = float(np.abs(proportions.mean(axis=0) - 1 / n).sum())
            is_near, is_multiple = of_sample < radius, (counts * n % sizes_drawn == 0).all(axis=1)
            votes = 2 * (is_near | is_multiple).sum() > n_models
            found.append((of_sample.mean(), of_mean, of_mean < radius, is_near.mean(), votes))
        rows[scheme, n] = np.mean(found, axis=0)
    columns = ["one sample", "mean", "mean is near", "sample is near", "positive"]
    return pd.DataFrame(rows, columns).T.rename_axis(["scheme", "N"])


def changed_by_copies(times: Sequence[int], stride: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Count the predictions that change when every training example is repeated.

    The data are those of Car Evaluation, whose examples are all inputs that there are.

    Parameters
    ----------
    times : sequence of int
        How often each example is repeated.
    stride : int
        The learners train on every `stride`-th example.
    seed : int
        Seed of the network.

    Returns
    -------
    changed, control : DataFrame
        A row for each learner, a column for each number of copies: learners that the thesis calls
        proportional, and learners that are not.
    """
    X, y = load_dataset("car-evaluation", return_X_y=True)
    learners: dict[str, Any] = {
        "Naive Bayes": NaiveBayesClassifier(),
        "decision stump": DecisionStumpClassifier(),
        "decision tree": DecisionTreeClassifier(),
        "pruned decision tree": DecisionTreeClassifier(prune=True),
        "smoothed Naive Bayes": NaiveBayesClassifier(alpha=1.0),
        "network": NeuralNetworkClassifier(random_state=seed),
    }
    changes = {}
    for name, learner in learners.items():
        learner.set_params(categorical_features=nominal_columns(X))
        once, *often = (np.repeat(np.arange(0, len(X), stride), n) for n in (1, *times))
        expected = learner.fit(X[once], y[once]).predict(X)
        changes[name] = [(learner.fit(X[rows], y[rows]).predict(X) != expected).sum() for rows in often]
    found = pd.DataFrame.from_dict(changes, "index", columns=list(times))
    return found.iloc[:4], found.iloc[4:]


#: The learners that claim C008 names.
PROPORTIONAL_LEARNERS = ("Naive Bayes", "decision stump", "decision tree")


def _duplicated(_: object) -> tuple[dict, dict]:
    changed, control = changed_by_copies((2, 3, 10), stride=7, seed=1)
    return changed.max(axis=1).to_dict(), control.min(axis=1).to_dict()


@claim("C008", evidence=_duplicated)
def duplicates_change_nothing(changed: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge how many predictions change when every training example is duplicated.

    None may change for Naive Bayes, stumps and unpruned trees: the thesis prunes trees for boosting and
    Arc-x4 only. A change for one of these learners refutes the claim; it holds only if all three were tried.
    The evidence also reports pruned trees.

    Parameters
    ----------
    changed : mapping
        Number of changed predictions of each learner tried that the thesis calls proportional, and of
        pruned trees.
    control : mapping
        The same for learners that are not proportional. If nothing changes for one of them either,
        the comparison could not have seen a change.
    """
    require(control and all(control.values()), "no control shows that a change would have been seen")
    evidence = "; ".join(f"{name}: {count} changed" for name, count in {**changed, **control}.items())
    judged = {name: changed[name] for name in PROPORTIONAL_LEARNERS if name in changed}
    if any(judged.values()):
        refuting = {name for name, count in judged.items() if count}
        evidence += f"; so it holds for {names(judged.keys() - refuting)} and not for {names(refuting)}"
    return nothing_differs(judged, PROPORTIONAL_LEARNERS, evidence)


_VOTERS = 100
_POSITIVE_SHARE = 0.6  # of the majority class


def _majority_class(_: object) -> tuple[pd.Series, pd.Series]:
    """Evidence: errors of the base models together, and how often the ensembles disagree."""

    error = partial(sampling.majority_class_error, positive_share=_POSITIVE_SHARE)
    batch, online = (by_size(partial(error, scheme)) for scheme in ("batch", "online"))
    return batch + online, by_size(lambda n: sampling.vote_disagreement(batch[n], online[n], _VOTERS))


def _null_and_majority(_: object) -> tuple[pd.Series, pd.Series]:
    null = by_size(lambda n: sampling.vote_disagreement(0.0, 1 - sampling.sample_size_law(n)[n], _VOTERS))
    return null, _majority_class(None)[1]


@claim("C059", evidence=_null_and_majority)
def null_hypotheses_break_convergence(null: pd.Series, proportional: pd.Series) -> Decision:
    """Judge the disagreement of the two ensembles, for the null learner and for a proportional one.

    The claim holds if that of the null learner rises above one half while the other vanishes. The thesis
    requires proportional learners for its proof. Convergence itself does not need them, as the stronger
    version of Theorem 2 shows, and the claim does not say so.
    """
    premise = len(null) >= 2 and vanishes(proportional)
    require(premise, "the ensembles of the proportional learner do not agree either")
    return bool(null.iloc[-1] > 0.5 and null.is_monotonic_increasing), (
        f"null learner {null.iloc[-1]:.4f}, proportional learner {proportional.iloc[-1]:.2g} "
        f"at N = {null.index[-1]:g}"
    )


@claim("C061", evidence=_majority_class)
def base_convergence_carries_over(base: pd.Series, ensemble: pd.Series) -> Decision:
    """Judge the bound that the proof gives, where it can be computed exactly.

    The claim is proved on the page on the convergence of bagging, with less than it assumes and with a bound
    on the disagreement of the ensembles: twice the probability that a base model differs from its limit. It
    fails if the disagreement of ensembles of a learner that converges exceeds this bound, or does not vanish
    at least as fast as N to the power −1/4.

    Parameters
    ----------
    base : Series
        P(batch base model ≠ limit) + P(online base model ≠ limit).
    ensemble : Series
        Probability that the two ensembles disagree.
    """
    require(vanishes(base), "the premise is missing: base models that converge to one classifier")
    holds = vanishes(ensemble) and bool((ensemble <= 2 * base).all())
    evidence = f"base models {base.iloc[-1]:.2g}, ensembles {ensemble.iloc[-1]:.2g} at N = {base.index[-1]:g}"
    return holds, evidence
