"""Experts, the universal linear predictor, and ensembles beside the best of their members (section 2.3)."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

import oza
from oza.datasets import load_dataset
from oza.kernels.draws import normals, uniforms

from ..claims.criteria import every, usual
from ..claims.registry import Decision, Found, claim, recorded, require
from ..columns import nominal_columns
from ..printed.record import Record
from ..record.bits import close
from ..record.simulation import simulation
from ..theory.lattice import afresh, lattice, operations

#: Advice of experts, a row for each round, and the outcomes.
Advice = tuple[np.ndarray, np.ndarray]
_ROUNDS = 5000  # outcomes for the experts, and samples of each signal
_ORDER = 8  # highest order of the universal predictor
_PROBLEMS = ("balance", "car-evaluation", "nursery", "synthetic1", "synthetic2", "synthetic3")


def expert_rates(n_experts: int, best_error: float) -> np.ndarray:
    """Give how often each expert errs: the best one as said, the worst one half of the time."""
    return np.linspace(best_error, 0.5, n_experts)


def random_advice(n_experts: int, n_rounds: int, best_error: float, seed: int) -> Advice:
    """Draw outcomes, and experts that make independent errors, each at its own rate."""
    outcomes = (uniforms(n_rounds, "outcomes", seed) < 0.5).astype(int)
    rates = expert_rates(n_experts, best_error)
    errs = uniforms((n_rounds, n_experts), "experts", seed, n_experts) < rates
    return outcomes[:, None] ^ errs, outcomes


def adversarial_advice(n_experts: int, n_rounds: int) -> Advice:
    """In each round let the heaviest experts be wrong, as many as it takes to half of the weight."""
    weights, advice = np.ones(n_experts), []
    for _ in range(n_rounds):
        heaviest_first = np.argsort(-weights, kind="stable")
        behind = np.cumsum(weights[heaviest_first])
        n_wrong = np.searchsorted(behind, weights.sum() / 2 * (1 - 1e-12)) + 1
        advice.append(np.isin(np.arange(n_experts), heaviest_first[:n_wrong]))
        weights[advice[-1]] /= 2
        weights /= weights.max()
    return np.array(advice), np.zeros(n_rounds, int)  # they say 1, and the outcome is 0


@simulation(small={"experts": (2, 8), "n_rounds": 200})
def forecaster_mistakes(
    experts: Sequence[int] = (2, 8, 64, 512), n_rounds: int = 5000, best_error: float = 0.1, seed: int = 1
) -> pd.DataFrame:
    """Count the mistakes of Weighted Majority on random and on adversarial advice by several experts.

    The best expert errs in a share `best_error` of the random rounds. The frame has a row for each sequence,
    with columns sequence, models, best (mistakes of the best expert), mistakes and bound.
    """
    cases = []
    for m in experts:
        sequences = {
            "random": random_advice(m, n_rounds, best_error, seed),
            "adversarial": adversarial_advice(m, n_rounds),
        }
        for kind, (advice, outcomes) in sequences.items():
            forecaster = oza.WeightedMajority().partial_fit(advice, outcomes)
            best = int(forecaster.expert_mistakes_.min())
            cases.append((kind, m, best, forecaster.mistakes_, forecaster.mistake_bound()))
    return pd.DataFrame(cases, columns=["sequence", "models", "best", "mistakes", "bound"])


class Influence(NamedTuple):
    """The influence of bad experts on Weighted Majority.

    Attributes
    ----------
    weights : array of shape (n_rounds + 1, n_experts)
        Weights before the first round and after each.
    is_bad : bool array
        Which experts err more often than the best one by a tenth of the rounds or more.
    share_of_bad : Series
        Share of the weight that the bad experts have, by the number of outcomes seen.
    changed, later : int
        How many of the `later` predictions, those of the second half, change without the bad experts.
    """

    weights: np.ndarray
    is_bad: np.ndarray
    share_of_bad: pd.Series
    changed: int
    later: int


def influence_of_bad(n_experts: int, n_rounds: int, best_error: float, seed: int) -> Influence:
    """Follow the weights of Weighted Majority on random advice; parameters as for `forecaster_mistakes`."""
    advice, outcomes = random_advice(n_experts, n_rounds, best_error, seed)
    forecaster = oza.WeightedMajority()
    trace = [np.full(n_experts, 1 / n_experts)]
    for row, outcome in zip(advice, outcomes, strict=True):
        trace.append(forecaster.partial_fit([row], [outcome]).weights_)
    weights = np.array(trace)
    is_bad = expert_rates(n_experts, best_error) >= best_error + 0.1
    half = n_rounds // 2
    all_of_them, others = (
        oza.WeightedMajority().partial_fit(some, outcomes).predictions_[half:]
        for some in (advice, advice[:, ~is_bad])
    )
    changed = int((all_of_them != others).sum())
    share = pd.Series(weights[:, is_bad].sum(axis=1))
    return Influence(weights, is_bad, share, changed, n_rounds - half)


def signals(length: int, seed: int) -> dict[str, np.ndarray]:
    """Make signals of a given length and of amplitude 1 at most, by name."""
    t = np.arange(length)
    noise = normals(length, "noise", seed)

    def autoregression(*coefficients: float) -> np.ndarray:
        x = np.zeros(length)
        for i in range(length):
            x[i] = noise[i] + sum(a * x[i - k - 1] for k, a in enumerate(coefficients) if i > k)
        return x / np.abs(x).max()

    return {
        "sine": np.sin(0.7 * t),
        "two sines": (np.sin(0.7 * t) + np.sin(1.3 * t)) / 2,
        "autoregression of order 2": autoregression(1.2, -0.8),
        "autoregression of order 4": autoregression(0.5, 0.0, 0.3, -0.5),
        "coin tosses": np.where(uniforms(length, "coins", seed) < 0.5, -1.0, 1.0),
        "changes half way": np.where(t < length / 2, np.sin(0.7 * t), np.sin(2.2 * t)),
    }


def predictors_of(sequences: Mapping[str, np.ndarray], order: int) -> dict[str, oza.UniversalLinearPredictor]:
    """Let a universal predictor of a highest order predict each signal."""
    return {
        name: oza.UniversalLinearPredictor(order=order, amplitude=1.0).partial_fit(x)
        for name, x in sequences.items()
    }


def against_adversary(length: int, order: int) -> oza.UniversalLinearPredictor:
    """Let a universal predictor predict a signal that is always 1 in size and on the other side."""
    adversary = oza.UniversalLinearPredictor(order=order, amplitude=1.0).partial_fit([0.0])
    for _ in range(length - 1):
        adversary.partial_fit([-1.0 if adversary.predict_next() >= 0 else 1.0])
    return adversary


@simulation(small={"orders": (2,), "lengths": (25, 50)})
def prediction_costs(
    orders: Sequence[int] = (2, 4, 8), lengths: Sequence[int] = (25, 50, 100)
) -> pd.DataFrame:
    """Count the operations of predicting the first samples of "two sines", by recursion and by refitting.

    The frame is indexed by order and length, with columns `recursive` and `afresh`.
    """
    x = signals(max(lengths), 1)["two sines"].tolist()
    counted = {
        (p, n): [operations(predict, x[:n], p) for predict in (lattice, afresh)]
        for p, n in product(orders, lengths)
    }
    index = pd.MultiIndex.from_tuples(counted, names=["order", "length"])
    return pd.DataFrame(list(counted.values()), index, ["recursive", "afresh"])


def _beside_the_best(members: np.ndarray, together: np.ndarray, truth: np.ndarray) -> tuple:
    """Accuracies on the second half: of the best member on the first half, of the mean one, of all."""
    half = len(truth) // 2
    hits = members == truth[:, None]
    alone = hits[half:].mean(axis=0)
    return alone[hits[:half].mean(axis=0).argmax()], alone.mean(), (together == truth)[half:].mean()


@simulation(small={"problems": ["balance"], "n_models": 3, "n_repeats": 1, "length": 200}, bits=close(1e-9))
def combination_gains(
    problems: Sequence[str] = _PROBLEMS,
    n_models: int = 25,
    n_repeats: int = 6,
    seed: int = 1,
    length: int = 5000,
    order: int = 8,
) -> pd.DataFrame:
    """Compare forecasters and ensembles with the best of what they combine.

    The two classes of a data set are the commonest one and all others; pools and ensembles are made of it
    `n_repeats` times, from at most 6,000 of its examples. Universal prediction combines the orders, on
    `signals` of a given length.

    The frame has columns kind ("forecaster" or "ensemble"), problem, method, the accuracies best, mean and
    together (of the best member, of the mean one, of the combination), and gain: together minus best. Of a
    signal the accuracy is 1 minus the loss divided by the sum of its squares.
    """
    rows = []
    for repeat, problem in product(range(seed, seed + n_repeats), problems):
        X, labels = load_dataset(problem, return_X_y=True)
        y = (labels == np.bincount(labels).argmax()).astype(int)
        shuffled = uniforms(len(y), "stream", problem, repeat).argsort(kind="stable")[:6000]
        train, stream = np.split(shuffled, [len(shuffled) // 3])
        truth = y[stream]

        tree = oza.DecisionTreeClassifier(prune=True)
        bases = [tree, oza.NaiveBayesClassifier(), oza.DecisionStumpClassifier()]
        declared = {"categorical_features": nominal_columns(X)}
        alone = [clone(base).set_params(**declared).fit(X[train], y[train]) for base in bases]
        pool = np.array([model.predict(X[stream]) for model in alone]).T
        halving = oza.WeightedMajority().partial_fit(pool, truth)
        winnowing = oza.Winnow(threshold=len(bases) / 2).partial_fit(np.hstack([pool, 1 - pool]), truth)
        for name, forecaster in {"weighted majority": halving, "Winnow": winnowing}.items():
            found = _beside_the_best(pool, forecaster.predictions_, truth)
            rows.append(("forecaster", problem, name, *found))

        makers = {"bagged": oza.BaggingClassifier, "boosted": oza.AdaBoostClassifier}
        names = zip(("trees", "Naive Bayes"), bases, strict=False)
        for (kind, make), (name, base) in product(makers.items(), names):
            ensemble = make(base, n_models, **declared, random_state=repeat).fit(X[train], y[train])
            found = _beside_the_best(ensemble.predict_each(X[stream]), ensemble.predict(X[stream]), truth)
            rows.append(("ensemble", problem, f"{kind} {name}", *found))
    sequences = signals(length, seed)
    for name, p in predictors_of(sequences, order).items():
        losses = np.array([p.losses_.min(), p.losses_.mean(), p.loss_])
        predicted = 1 - losses / (sequences[name] ** 2).sum()
        rows.append(("forecaster", name, "universal prediction", *predicted))
    table = pd.DataFrame(rows, columns=["kind", "problem", "method", "best", "mean", "together"])
    return table.assign(gain=table["together"] - table["best"])


@claim("C033", evidence=recorded(forecaster_mistakes))
def mistakes_stay_below_the_bound(runs: pd.DataFrame) -> Decision:
    """Judge the mistakes of Weighted Majority against (m + log₂ M)/log₂(4/3)."""
    require(len(runs) >= 2, "needs two sequences or more")
    bound = (runs["best"] + np.log2(runs["models"])) / math.log2(4 / 3)
    share = (runs["mistakes"] / bound).max()
    return bool(share <= 1), f"{len(runs)} sequences; mistakes at most {share:.2f} of the bound"


def _bad_experts(record: Record) -> tuple[pd.Series, int, int]:
    found = influence_of_bad(512, _ROUNDS, best_error=0.1, seed=1)
    return found.share_of_bad, found.changed, found.later


@claim("C034", evidence=_bad_experts)
def bad_predictors_lose_their_say(
    share_of_bad: pd.Series, changed: Found[int], later: Found[int]
) -> Decision:
    """Judge the share of the weight that bad predictors have over time.

    The claim holds if it ends below 0.01, and if fewer than one in a hundred of the later predictions changes
    when the bad predictors are left out.
    """
    enough = share_of_bad.iloc[0] >= 0.1 and later >= 100
    require(enough, "needs bad predictors that begin with a tenth of the weight, and 100 outcomes")
    return bool(share_of_bad.iloc[-1] < 0.01 and changed < later / 100), (
        f"share {share_of_bad.iloc[0]:.2f} at first, {share_of_bad.iloc[-1]:.2g} at last; "
        f"{changed} of {later} later predictions change without them"
    )


def _regrets(record: Record) -> tuple[pd.DataFrame]:
    predictors = predictors_of(signals(_ROUNDS, seed=1), _ORDER).values()
    found = [each.regret() for each in (*predictors, against_adversary(_ROUNDS, _ORDER))]
    return (pd.DataFrame({"amplitude": 1.0, "order": _ORDER, "regret": found}),)


@claim("C035", evidence=_regrets, given=("signals.amplitude", "signals.order"))
def universal_prediction_is_never_much_worse(signals: pd.DataFrame) -> Decision:
    """Judge the regret of the universal predictor to the best order against 8 A² ln p."""
    enough = len(signals) >= 3 and signals["order"].min() >= 2
    require(enough, "needs three signals or more, and orders of 2 or more")
    share = (signals["regret"] / (8 * signals["amplitude"] ** 2 * np.log(signals["order"]))).max()
    return bool(share <= 1), f"{len(signals)} signals; regret at most {share:.2f} of the bound"


@claim("C036", evidence=recorded(prediction_costs))
def recursion_costs_order_times_length(operations: pd.DataFrame) -> Decision:
    """Judge counted operations of the universal predictor.

    The claim holds if the count of the recursive form, divided by p·n, varies by less than a factor of 1.5,
    and if the count of fitting each order anew, divided by p·n, grows with both p and n.
    """
    enough = min(operations.index.unique(level).size for level in (0, 1)) >= 2
    require(enough, "needs two orders and two lengths or more")
    each = operations.div([p * n for p, n in operations.index], axis=0)
    spread = each["recursive"].max() / each["recursive"].min()
    afresh = each["afresh"].unstack()
    grows = (np.diff(afresh, axis=0) > 0).all() and (np.diff(afresh, axis=1) > 0).all()
    return bool(spread < 1.5 and grows), (
        f"{each['recursive'].min():.3g} to {each['recursive'].max():.3g} operations for each order and "
        f"sample; fitted anew {afresh.min().min():.3g} to {afresh.max().max():.3g}"
    )


def _gains(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: gains of combinations, without the pools whose best member makes no error."""
    gains = combination_gains.recorded()
    return (gains[gains["best"] < 1],)


@claim("C037", evidence=_gains)
def experts_only_match_the_best(gains: pd.DataFrame) -> Decision:
    """Judge how much more accurate a combination is than the best of its predictors.

    The claim holds if significantly more than half of the forecasters gain at most 0.01, and significantly
    more than half of the ensembles gain more than nothing (sign tests at 0.05). It fails if one of the two is
    significant in the opposite direction, and is undecided otherwise.

    Parameters
    ----------
    gains : DataFrame
        Columns kind ("forecaster" or "ensemble"), problem, method and gain: accuracy minus that of
        the best single predictor in the pool. Rows of one kind, problem and method are repetitions:
        their mean gain is one case.
    """
    cases = gains.groupby(["kind", "problem", "method"])["gain"].mean()
    require(set(gains["kind"]) == {"forecaster", "ensemble"}, "needs forecasters and ensembles")
    forecasters, ensembles = cases["forecaster"], cases["ensemble"]
    matching, beating = forecasters <= 0.01, ensembles > 0
    return every([usual(matching), usual(beating)]), (
        f"forecasters gain {forecasters.mean():+.3f}, at most 0.01 in {matching.sum()} of {len(matching)} "
        f"cases; ensembles {ensembles.mean():+.3f}, more than 0 in {beating.sum()} of {len(beating)}"
    )
