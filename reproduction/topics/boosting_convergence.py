"""How online boosting of Naive Bayes comes near batch boosting as the number of training examples grows.

The distributions are drawn, of a class and of up to ten two-valued attributes.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from oza.ensembles import AdaBoostClassifier, OnlineBoostingClassifier

from ..claims.criteria import all_above_zero, rate, vanishes
from ..claims.registry import Decision, claim, require
from ..printed.record import Record
from ..record.bits import close
from ..record.simulation import simulation
from ..record.study import cells, study
from ..studies.laws import law_stream, random_law
from ..theory import boosting
from ..theory.boosting import naive_bayes_distance, naive_bayes_limit


def boosting_pair(
    X: np.ndarray, y: np.ndarray, n_models: int, random_state: int
) -> tuple[AdaBoostClassifier, OnlineBoostingClassifier]:
    """Train batch and online boosting of Naive Bayes on two-valued attributes."""
    options: dict[str, Any] = {"n_estimators": n_models, "categories": [np.arange(2)] * X.shape[1]}
    batch = AdaBoostClassifier(**options).fit(X, y)
    return batch, OnlineBoostingClassifier(**options, random_state=random_state).fit(X, y)


def nearness(law: np.ndarray, batch: Any, online: Any) -> tuple[float, float, float]:
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
    means over the streams on which both have an m-th model at every N, a row for each N, columns
    (`parameters`, `errors` or `runs`, m): the differences of the parameters of the two m-th models, and of
    their errors, and the number of these streams. The second has `disagreement`, the probability of
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
            between = [naive_bayes_distance(*pair) for pair in pairs]
            of_batch, of_online = (model.estimator_errors_[: len(pairs)] for model in (batch, online))
            gaps = abs(of_batch - of_online)
            rows += [(number, size, m, *both) for m, both in enumerate(zip(between, gaps, strict=True), 1)]
            differ, *accuracy = nearness(law, batch, online)
            ensembles.append((size, differ, abs(accuracy[0] - accuracy[1]), len(pairs)))
    distances = pd.DataFrame(rows, columns=["stream", "N", "model", "parameters", "errors"])
    of_all = distances[distances.groupby(["stream", "model"])["N"].transform("count") == len(sizes)]
    by_size = of_all.assign(runs=1).groupby(["N", "model"])
    models = pd.DataFrame(by_size.agg({"parameters": "mean", "errors": "mean", "runs": "sum"}).unstack())
    columns = ["N", "disagreement", "accuracy gap", "models in batch"]
    return models, pd.DataFrame(ensembles, columns=columns).groupby("N").mean()


class OverLaws(NamedTuple):
    """Distances of batch and online boosting on several laws.

    Attributes
    ----------
    parameters, errors, runs : DataFrame
        Differences of the m-th models, and the number of streams that have these models at every N: a row for
        each N, columns (model, law).
    disagreement, gap : DataFrame
        Share of inputs on which the ensembles differ, and absolute difference of their accuracies: a row
        for each N, a column for each law.
    """

    parameters: pd.DataFrame
    errors: pd.DataFrame
    runs: pd.DataFrame
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
    given = (n_attributes, n_models, sizes, n_repeats, seed)
    found = {number: boosting_distances(number, *given) for number in law_seeds}
    models, ensembles = (
        pd.concat({law: pair[i] for law, pair in found.items()}, names=["law"]).unstack(0) for i in (0, 1)
    )
    parts = [models[name] for name in ("parameters", "errors", "runs")]
    return OverLaws(*map(pd.DataFrame, (*parts, ensembles["disagreement"], ensembles["accuracy gap"])))


#: Numbers of two-valued attributes by name.
ATTRIBUTES = {"three-attributes": 3, "six-attributes": 6, "ten-attributes": 10}


#: Numbers of examples.
SIZES = (1000, 8000, 64_000, 512_000)


#: A larger number, for six attributes and one stream of each distribution. It is shown, and not judged: it
#: was added when the accuracies at 512,000 examples were seen to be further apart than at 64,000.
_LARGER = {"dataset": "six-attributes", "stream": 0, "n_examples": 4_096_000}


_ALL = {"dataset": ATTRIBUTES, "law": range(1, 11), "stream": range(3), "n_models": 5, "n_examples": SIZES}


@study(
    "boosting-laws",
    "Batch and online boosting of Naive Bayes on drawn laws of three, six and ten attributes",
    {
        "disagreement": float,  # probability of the inputs on which the two ensembles differ
        "batch": float,  # accuracies, summed over all inputs
        "online": float,
        "best": float,  # accuracy of the best classifier
    },
    smoke=lambda: cells(dataset="three-attributes", law=1, stream=0, n_models=3, n_examples=200),
    thesis=lambda: cells(_ALL, _ALL | _LARGER),
    quick=lambda task: task.stream == 0 and task.n_examples < 10_000,
    cost=lambda task: 0.1 + 1e-6 * task.n_examples,
    bits=lambda task: close(1e-9),  # the distributions come from NumPy's gamma variables
)
def boosting_laws(dataset: str, law: int, stream: int, n_models: int, n_examples: int) -> tuple[float, ...]:
    """Compare both algorithms on the first examples of a stream that is drawn from a distribution.

    There are `n_models` base models, or as many as the limit of boosting on this distribution has.
    """
    drawn = random_law(law, ATTRIBUTES[dataset])
    n_boosted = len(naive_bayes_limit(drawn, n_models).errors)
    X, y = law_stream(drawn, n_examples, [law, stream])
    return *nearness(drawn, *boosting_pair(X, y, n_boosted, stream)), float(drawn.max(axis=0).sum())


def over_laws(rows: pd.DataFrame) -> pd.DataFrame:
    """Average over the streams of each distribution.

    A row for each number of examples N, in rising order; columns (kind, dataset, law), where kind is
    `disagreement`, or `gap`: the absolute difference of the two mean accuracies.
    """
    columns = ["disagreement", "batch", "online"]
    mean = rows.groupby(["dataset", "law", "n_examples"], sort=False)[columns].mean()
    found = mean[["disagreement"]].assign(gap=(mean["batch"] - mean["online"]).abs()).reset_index()
    table = found.pivot(index="n_examples", columns=["dataset", "law"], values=["disagreement", "gap"])
    return table.rename_axis("N")


#: Numbers of examples for which the first models are compared where two classes tie.
_TIE_SIZES = (1000, 10_000, 100_000)


def _with_ties(holds: bool, at_tie: pd.Series, evidence: str) -> Decision:
    """Decide a claim about all laws: it stays undecided if it is right without ties and wrong with one."""
    evidence += (
        f"; where two classes tie, accuracies of the first models differ by {at_tie.iloc[0]:.3f} at N = "
        f"{at_tie.index[0]:,} and {at_tie.iloc[-1]:.3f} at N = {at_tie.index[-1]:,}"
    )
    return (None if holds and not vanishes(at_tie) else holds), evidence


def _distances(record: Record) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    found = boosting_over_laws.recorded()
    return found.parameters, found.errors, boosting.first_models_at_a_tie(_TIE_SIZES)


@claim("C104", evidence=_distances)
def convergence_passes_on(parameters: pd.DataFrame, errors: pd.DataFrame, at_tie: pd.Series) -> Decision:
    """Judge the distances of the m-th base models, batch and online, as N grows.

    The book proves the claim where no two classes tie in a limit model and the limits of the errors lie
    strictly between 0 and one half. Neither the claim nor the proof says how fast the distances fall, so the
    exponents of N are an illustration. The claim fails if the experiment contradicts this proof: if, for
    some m, a distance is significantly larger at the largest N than at the smallest (t-tests over the laws,
    with Holm's correction over all of them). Our copy states no conditions and ends before the proof. So if
    the claim is right without ties, but the accuracies of the first models stay apart at a tie, it is
    undecided.

    Parameters
    ----------
    parameters, errors : DataFrame
        Distance of the parameters, and of the errors ε, on laws without ties; a row for each N, in rising
        order, columns (model, law).
    at_tie : Series
        Difference of the accuracies of the two first models under a law with a tie, for each N.
    """
    require(len(parameters) >= 3, "needs three numbers of examples or more")
    falls, evidence = [], []
    for name, by_law in (("parameters", parameters.T.dropna()), ("errors", errors.T.dropna())):
        of_models = (by_law.iloc[:, 0] - by_law.iloc[:, -1]).groupby(level="model")
        falls += [each for _, each in of_models]
        rates = by_law.groupby(level="model").mean().T.apply(rate)
        evidence.append(f"{name}: N to the power {', '.join(map('{:.2f}'.format, rates))}")
    counts = of_models.size()  # of laws, the same in both frames
    evidence[-1] += f", for m = 1 to {len(counts)}, over {', '.join(map(str, counts))} laws"
    return _with_ties(all_above_zero(falls) is not False, at_tie, "; ".join(evidence))


def _ensembles_over_laws(record: Record) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    judged = [task for task in boosting_laws.tasks("thesis") if task.n_examples in SIZES]
    found = over_laws(record.recorded(boosting_laws, judged))
    tie = boosting.first_models_at_a_tie(_TIE_SIZES)
    return pd.DataFrame(found["disagreement"]), pd.DataFrame(found["gap"]), tie


@claim("C018", evidence=_ensembles_over_laws)
def online_boosting_becomes_comparable(
    disagreement: pd.DataFrame, gap: pd.DataFrame, at_tie: pd.Series
) -> Decision:
    """Judge how the difference of batch and online boosting of Naive Bayes falls as N grows, on random laws.

    The book proves the claim under the conditions of C104; neither says how large N must be. The claim fails
    if the experiment contradicts the proof: if, for some number of attributes, the share of inputs on which
    the two differ, or the difference of their accuracies, is significantly larger at the largest N than at
    the smallest (t-tests over the laws, with Holm's correction over all of them). Our copy states no
    conditions. So if the claim is right without ties, but ensembles of one model stay apart at a tie, it
    is undecided.

    Parameters
    ----------
    disagreement : DataFrame
        Share of inputs on which the two ensembles differ; a row for each N in rising order, columns
        (dataset, law), where the data set stands for a number of attributes.
    gap : DataFrame
        Absolute difference of their accuracies, likewise.
    at_tie : Series
        Difference of the accuracies of two ensembles of one model under a law with a tie, for each N.
    """
    require(len(disagreement) >= 3, "needs three numbers of examples or more")
    falls, evidence = [], []
    for name in disagreement.columns.unique(level=0):
        shares, gaps = (pd.DataFrame(frame[name]).iloc[[0, -1]] for frame in (disagreement, gap))
        falls += [ends.iloc[0] - ends.iloc[1] for ends in (shares, gaps)]
        said = " to ".join(f"{mean:.2%} at N = {n:,}" for n, mean in shares.mean(axis=1).items())
        accuracies = " to ".join(f"{mean:.4f}" for mean in gaps.mean(axis=1))
        evidence.append(
            f"{name.replace('-', ' ')}, {shares.shape[1]} laws: answers differ on {said}, accuracies by "
            f"{accuracies}, at most {gaps.iloc[-1].max():.4f}"
        )
    return _with_ties(all_above_zero(falls) is not False, at_tie, "; ".join(evidence))


def _sequences(record: Record) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Evidence: two means of binary draws, and what is made of them; all outcomes are listed."""

    def combined(x: Any, y: Any) -> dict[str, Any]:
        quotient = np.divide(x, y, out=np.full(np.shape(x), np.inf), where=np.greater(y, 0))
        return {"X": x, "Y": y, "X + Y": x + y, "X Y": x * y, "X / Y": quotient, "[X > Y]": 1.0 * (x > y)}

    chances = {}
    for n in (25, 50, 100, 200, 400):
        k = np.arange(n + 1)
        joint = np.outer(*(scipy.stats.binom.pmf(k, n, share) for share in (0.3, 0.6)))
        made, limits = combined(*np.meshgrid(k / n, k / n, indexing="ij")), combined(0.3, 0.6)
        chances[n] = {name: joint[abs(made[name] - to) > 0.1 + 1e-12].sum() for name, to in limits.items()}
    found = pd.DataFrame(chances).T
    return found[["X", "Y"]], found.drop(columns=["X", "Y"])


@claim("C105", evidence=_sequences)
def convergence_passes_through(premises: pd.DataFrame, conclusions: pd.DataFrame) -> Decision:
    """Judge the exact probabilities of a given deviation, for sequences and for combinations of them.

    The claim holds if the probability vanishes, at least as fast as N to the power −1/4, for every
    combination of sequences for which it vanishes.

    Parameters
    ----------
    premises, conclusions : DataFrame
        A row for each N in rising order, a column for each sequence: the probability to be off the limit by
        more than a fixed distance.
    """
    premise = all(vanishes(premises[name]) for name in premises)
    require(premise, "the premise is missing: sequences that converge")
    failing = [str(name) for name in conclusions if not vanishes(conclusions[name])]
    largest = conclusions.iloc[-1].max()
    evidence = f"{', '.join(map(str, conclusions))}: at most {largest:.2g} at N = {conclusions.index[-1]}"
    return not failing, evidence + (f"; not {', '.join(failing)}" if failing else "")
