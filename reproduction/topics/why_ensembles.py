"""Votes, identical and disjoint models, and passes over the data (thesis chapter 1)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import scipy.stats

from oza import DecisionTreeClassifier, FixedFractionBaggingClassifier, NeuralNetworkClassifier
from oza.datasets import load_dataset

from ..claims.registry import Decision, Found, claim, recorded, require
from ..columns import nominal_columns
from ..printed.record import Record
from ..record.simulation import simulation
from ..theory import voting
from ..theory.passes import ONLINE, CountedData, bagging_from, boosting_from, stream_passes


@simulation(small={"n_examples": 10, "epochs": [1]})
def counted_passes(
    n_examples: int = 30, epochs: Sequence[int] = (1, 2, 5), n_models: Sequence[int] = (2, 3), seed: int = 1
) -> pd.DataFrame:
    """Count the passes of batch and online ensembles over examples of Balance Scale.

    There are `n_models` networks, each of which needs so many `epochs`. Columns algorithm, T, M and passes,
    where M is the number of networks that were trained.
    """
    X, y = load_dataset("balance", return_X_y=True)
    rows = np.arange(n_examples) * (len(y) // n_examples)
    X, y = X[rows] / X.max(), y[rows]

    def network(updates: int = 1) -> NeuralNetworkClassifier:
        return NeuralNetworkClassifier(hidden_units=2, updates=updates, random_state=seed)

    counted = []
    for t, m in product(epochs, n_models):
        once, again = CountedData(X, y), CountedData(X, y)
        counted.append(("bagging", t, len(bagging_from(once, network, m, t, seed)), once.n_passes))
        counted.append(("boosting", t, len(boosting_from(again, network, m, t)), again.n_passes))
        for name, ensemble in ONLINE.items():
            online = ensemble(network(updates=t), m, random_state=seed)
            counted.append((name.replace("_", " "), t, m, stream_passes(online, X, y)))
    return pd.DataFrame(counted, columns=["algorithm", "T", "M", "passes"])


def _votes(record: Record) -> tuple[pd.DataFrame]:
    n = 20_000
    cases = []
    for models, error in product((3, 4, 11, 101), (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)):
        wrong = voting.simulate_wrong_votes(error, models, n, seed=1)
        formula = voting.vote_error(error, models, tie=0)
        cases.append((models, error, formula, n, int((wrong > models / 2).sum())))
    return (pd.DataFrame(cases, columns=["models", "error", "formula", "n_examples", "n_wrong"]),)


@claim("C001", evidence=_votes, given=("votes.formula",))
def vote_follows_the_binomial(votes: pd.DataFrame) -> Decision:
    """Judge simulated majority votes of independent models against P(Binomial(M, e) > M/2).

    The claim holds if no exact binomial test rejects the formula at the level 0.001 divided by the number of
    cases.

    Parameters
    ----------
    votes : DataFrame
        Columns models, error, formula, n_examples, n_wrong; ties are not counted as wrong.
    """
    enough = votes["models"].nunique() >= 2 and votes["error"].nunique() >= 2
    require(enough, "needs two numbers of models and two errors or more")
    p_values = [
        scipy.stats.binomtest(n_wrong, n, min(formula, 1.0)).pvalue
        for n_wrong, n, formula in votes[["n_wrong", "n_examples", "formula"]].itertuples(index=False)
    ]
    least = min(p_values)
    return least >= 0.001 / len(p_values), f"{len(votes)} cases, smallest p-value {least:.2g}"


def _three_models(record: Record) -> tuple[Fraction, str]:
    e = Fraction(3, 10)
    return 3 * e**2 * (1 - e) + e**3, "0.21"


@claim("C002", evidence=_three_models, given=("printed",))
def printed_error_is_exact(exact: Found[Fraction], printed: str) -> Decision:
    """Judge a printed error: it must be the exact error, rounded to the printed number of digits."""
    digits = len(printed.partition(".")[2])
    rounded = f"{float(exact):.{digits}f}"
    return rounded == printed, f"exactly {exact} = {float(exact):g}, rounds to {rounded}; printed {printed}"


def _identical_trees(record: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y = load_dataset("balance", return_X_y=True)
    nominal = {"categorical_features": nominal_columns(X)}
    ensemble = FixedFractionBaggingClassifier(DecisionTreeClassifier(), 11, update_probability=1.0, **nominal)
    ensemble.fit(X[::2], y[::2])
    single = DecisionTreeClassifier(**nominal).fit(X[::2], y[::2])
    return single.predict(X[1::2]), ensemble.predict_each(X[1::2]).T, ensemble.predict(X[1::2])


@claim("C003", evidence=_identical_trees)
def copies_err_like_the_model(single: np.ndarray, members: np.ndarray, ensemble: np.ndarray) -> Decision:
    """Judge the predictions of an ensemble of identical models against those of one model.

    Parameters
    ----------
    single, ensemble : arrays of shape (n,)
        Predictions of one model, and of the ensemble.
    members : array of shape (M, n)
        Predictions of the members; they have to be identical, or the premise is missing.
    """
    premise = len(members) >= 2 and not (members != members[0]).any()
    require(premise, "the base models are not identical, or there is only one")
    changed = int((ensemble != single).sum())
    evidence = f"{len(members)} identical base models, {changed} of {len(single)} predictions differ"
    return changed == 0, evidence


def _disjoint_errors(record: Record) -> tuple[np.ndarray, np.ndarray]:
    truth = load_dataset("balance").target[1::2]
    wrong = np.arange(len(truth)) % 3 == np.arange(3)[:, None]
    answers = np.where(wrong, (truth + 1) % 3, truth)
    votes = (answers[:, :, None] == np.arange(3)).sum(axis=0)
    return wrong, votes.argmax(axis=1) != truth


@claim("C004", evidence=_disjoint_errors)
def disjoint_errors_cancel(wrong: np.ndarray, vote_is_wrong: np.ndarray) -> Decision:
    """Judge the vote of three models or more, no two of which err on the same example."""
    premise = len(wrong) >= 3 and wrong.any() and not (wrong.sum(axis=0) > 1).any()
    require(premise, "the premise is missing: three or more models that make errors, never two at once")
    members = ", ".join(f"{n}" for n in wrong.sum(axis=1))
    return not vote_is_wrong.any(), f"base models make {members} errors, the vote {int(vote_is_wrong.sum())}"


@claim("C006", evidence=recorded(counted_passes))
def passes_are_as_counted(passes: pd.DataFrame) -> Decision:
    """Judge counted passes over the data.

    The claim holds if every count is T·M (bagging), M(T + 1) (boosting) or 1 (both online algorithms). All
    four algorithms are needed, with T > 1.
    """
    rules = {
        "bagging": lambda t, m: t * m,
        "boosting": lambda t, m: m * (t + 1),
        "online bagging": lambda t, m: 1,
        "online boosting": lambda t, m: 1,
    }
    enough = set(passes["algorithm"]) == set(rules) and passes["T"].max() >= 2
    require(enough, "needs all four algorithms, and T of 2 or more")
    counted = passes[["algorithm", "T", "M", "passes"]].itertuples(index=False)
    wrong = [name for name, t, m, count in counted if count != rules[str(name)](t, m)]
    return not wrong, f"{len(passes)} counts, {len(wrong)} of them differ from the claim"
