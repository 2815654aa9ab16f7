"""Checks of the claims about boosting, batch and online (thesis chapters 2 and 4, KDD 3 and 4)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from oza.evaluation.significance import LEVEL, compared

from ..printed.record import Record
from ..simulations import online_boosting
from ..simulations.adaboost import boosting_margins, boosting_steps, boosting_with_noise, margins_of_arcing
from ..statistics import margin, mean_against_zero
from ..studies.protocol import N_FOLDS
from ..theory import boosting
from .criteria import (
    Known,
    all_parts,
    better,
    differs,
    every,
    exchanged,
    holm,
    not_better,
    nowhere,
    opposite,
    places,
)
from .registry import Decision, Found, claim, recorded, require

_ROUNDING = 1e-9  # sums of thousands of weights


# ------------------------------------------------------------------------------ AdaBoost


@claim("C028", evidence=lambda record: (boosting_steps.recorded().factors,))
def wrong_examples_gain(factors: pd.DataFrame) -> Decision:
    """Judge the factors by which each round multiplied the weights of examples.

    They must be below 1 for correctly classified and above 1 for misclassified examples.

    Parameters
    ----------
    factors : DataFrame
        A row for each round; columns `error`, and the largest factor of a right example (`right`) and
        the least of a wrong one (`wrong`). Rounds with an error of 1/2 or more do not count.
    """
    weak = factors.query("0 < error < 0.5")
    require(len(weak), "no round with an error between 0 and 1/2")
    return bool((weak["right"] < 1).all() and (weak["wrong"] > 1).all()), (
        f"{len(weak)} rounds: factors of at most {weak['right'].max():.4f} for correct, "
        f"of at least {weak['wrong'].min():.4f} for misclassified examples"
    )


def _repeated_errors(record: Record) -> tuple[list[Any]]:
    """Evidence: errors of the models of ten examples, as fractions, and of models of data sets."""
    wrong, run = boosting.ten_examples()
    exact = [sum(weights[row == 1]) for weights, row in zip(run.weights[1:], wrong, strict=True)]
    return ([*exact, *boosting_steps.recorded().repeated_errors],)


@claim("C029", evidence=_repeated_errors)
def last_model_has_error_one_half(errors: Sequence[Any]) -> Decision:
    """Judge the error of each base model under the weights that follow from its own errors.

    It must be 1/2.
    """
    require(len(errors), "no base model")
    worst = max(abs(float(error) - 0.5) for error in errors)
    return worst <= _ROUNDING, f"{len(errors)} models, error at most {worst:.1g} from 1/2"


def _noise(record: Record) -> tuple[pd.DataFrame]:
    return (boosting_with_noise.recorded().drop(columns="dataset").groupby("flipped").mean(),)


@claim("C030", evidence=_noise)
def noise_hurts_boosting(noise: pd.DataFrame) -> Decision:
    """Judge boosting on training data with some wrong labels.

    The claim holds if, at each share of wrong labels, mislabelled examples carry more weight than their
    share, and if noise raises the error of boosting more than that of bagging.

    Parameters
    ----------
    noise : DataFrame
        A row for each share of flipped labels, 0 among them, in rising order. Columns: `weight`, the
        share of the final weight that lies on flipped examples; `boosting` and `bagging`, errors on
        clean test examples.
    """
    require(0 in noise.index and len(noise) >= 2, "needs clean data and noisy data")
    noisy = noise.drop(index=0)
    collects = bool((noisy["weight"] > noisy.index.to_numpy()).all())
    rise = {name: float(noise[name].iloc[-1] - noise[name].loc[0]) for name in ("boosting", "bagging")}
    return collects and rise["boosting"] > max(rise["bagging"], 0), (
        f"{noise.index[-1]:.0%} wrong labels have {noise['weight'].iloc[-1]:.0%} of the weight; error rises "
        f"by {rise['boosting']:.3f} for boosting, {rise['bagging']:.3f} for bagging"
    )


_ATTRIBUTES = 9  # of the majority problem


def _constructions(rng: np.random.Generator) -> pd.DataFrame:
    return boosting.constructions(boosting.majority_votes(_ATTRIBUTES), rng)


@claim("C090", evidence=lambda record: (_constructions(np.random.default_rng(1)),))
def three_beat_one(constructions: pd.DataFrame) -> Decision:
    """Judge Schapire's construction on a number of problems.

    The claim holds if the error of the majority is at most 3e² − 2e³, which is below e, whenever the largest
    of the three errors, e, is below 1/2.
    """
    weak = constructions.query("0 < error < 0.5")
    require(len(weak), "no hypotheses with errors between 0 and 1/2")
    e = weak["error"].astype(float)
    room = 3 * e**2 - 2 * e**3 - weak["combined"].astype(float)
    return bool((room >= -_ROUNDING).all()), (
        f"{len(weak)} constructions, combined error below 3e² − 2e³ by {room.min():.2g} to {room.max():.2g}"
    )


def _edges(record: Record) -> tuple[pd.DataFrame, float, float, int | None]:
    """Evidence: boost-by-majority told multiples of the edge, and AdaBoost, on the majority problem."""
    wrong, known, target = boosting.majority_votes(_ATTRIBUTES), 1 / (2 * _ATTRIBUTES), 0.01
    rows = {}
    for edge in (multiple * known for multiple in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)):
        rounds = 1
        while boosting.promised_error(edge, rounds) > target:
            rounds += 2
        rows[edge] = rounds, boosting.boost_by_majority(wrong, edge, rounds)
    by_majority = pd.DataFrame.from_dict(rows, "index", columns=["rounds", "error"])
    n_inputs = wrong.shape[1]
    run = boosting.boost_over(wrong, 500, np.full(n_inputs, 1 / n_inputs))
    errors = np.array(run.errors)
    votes = np.log((1 - errors) / errors)[:, None] * (1 - 2 * wrong[run.chosen])
    reached = np.flatnonzero((np.cumsum(votes, axis=0) <= 1e-9).mean(axis=1) <= target)
    return by_majority, known, target, int(reached[0]) + 1 if len(reached) else None


@claim("C091", evidence=_edges, given=("known_edge", "target"))
def edge_must_be_known(
    by_majority: pd.DataFrame, known_edge: float, target: float, adaboost_rounds: Found[int | None]
) -> Decision:
    """Judge boost-by-majority with several edges against AdaBoost, which is not given the edge.

    The claim holds if boost-by-majority reaches the target with the known edge, needs more rounds with each
    smaller edge and misses the target with some larger one, while AdaBoost reaches it in no more rounds.

    Parameters
    ----------
    by_majority : DataFrame
        Indexed by the edge that the algorithm is told; columns `rounds` that this edge needs for the
        `target`, and `error` that was reached.
    known_edge : float
        The edge that the hypotheses are known to have.
    target : float
        Training error aimed at.
    adaboost_rounds : int or None
        Rounds after which AdaBoost was below the target; None if never.
    """
    edges = by_majority.index
    enough = known_edge in edges and edges.min() != known_edge and edges.max() != known_edge
    require(enough, "needs the known edge, a smaller and a larger one")
    known = by_majority.loc[known_edge]
    smaller, larger = by_majority[edges < known_edge], by_majority[edges > known_edge]
    keeps = known["error"] <= target
    wastes = bool((smaller["rounds"] > known["rounds"]).all())
    misses = bool((larger["error"] > target).any())
    adapts = adaboost_rounds is not None and adaboost_rounds <= known["rounds"]
    return bool(keeps and wastes and misses and adapts), (
        f"edge known: {known['rounds']:.0f} rounds; too small: up to {smaller['rounds'].max():.0f}; "
        f"too large: error up to {larger['error'].max():.3f}; AdaBoost: {adaboost_rounds} rounds"
    )


def _ten_weights(record: Record) -> tuple[Sequence[Fraction], Sequence[int]]:
    wrong, run = boosting.ten_examples()
    return run.weights[1], wrong[0]


@claim("C092", evidence=_ten_weights)
def ten_examples(weights: Sequence[Fraction], wrong: Sequence[int]) -> Decision:
    """Judge the exact weights of ten examples, three of which the first model misclassified."""
    require(len(weights) == 10 and sum(wrong) == 3, "needs ten examples, three of them wrong")
    of_right, of_wrong = (
        {w for w, x in zip(weights, wrong, strict=True) if x == is_wrong} for is_wrong in (0, 1)
    )
    evidence = f"misclassified: {', '.join(map(str, of_wrong))}; correct: {', '.join(map(str, of_right))}"
    return of_wrong == {Fraction(1, 6)} and of_right == {Fraction(1, 14)}, evidence


def _voters(record: Record) -> tuple[dict[str, int], dict[str, int]]:
    rng = np.random.default_rng(1)
    _constructions(rng)  # the first draws of the generator belong to C090
    return boosting.independent_voters(8, rng)


@claim("C093", evidence=_voters)
def vote_is_the_bayes_rule(disagreements: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge the number of vote patterns on which the weighted vote differs from the Bayes rule.

    Parameters
    ----------
    disagreements : mapping
        For sets of two-class voters that err independently of each other and of the class.
    control : mapping
        The same for voters that do not; if the vote is the Bayes rule there too, the comparison
        shows nothing.
    """
    enough = disagreements and control and all(control.values())
    require(enough, "no control shows that a disagreement would have been seen")
    return not any(disagreements.values()), (
        f"{len(disagreements)} sets of independent voters: {sum(disagreements.values())} vote patterns "
        "differ; " + "; ".join(f"{name}: {count}" for name, count in control.items())
    )


@claim("C094", evidence=lambda record: (boosting_steps.recorded().runs,), given=("runs.bound",))
def training_error_is_bounded(runs: pd.DataFrame) -> Decision:
    """Judge the training error of ensembles against 2ᴹ ∏√(ε(1−ε)), at every number of models."""
    require(not runs.empty, "no run")
    room = runs["bound"] - runs["training_error"]
    is_below = bool((room >= -_ROUNDING).all())
    return is_below, f"{len(runs)} ensembles, bound above the error by {room.min():.2g} or more"


@claim("C095", evidence=lambda record: (boosting_steps.recorded().runs,))
def bound_falls_exponentially(runs: pd.DataFrame) -> Decision:
    """Judge the bound of Theorem 3 against exp(−2γ²m), with γ the least edge of the first m models.

    Parameters
    ----------
    runs : DataFrame
        Columns `m`, `edge` (the least of the first m, 1/2 − ε) and `bound`.
    """
    weak = runs[runs["edge"] > 0]
    require(not weak.empty, "no models with an edge")
    room = np.exp(-2 * weak["edge"] ** 2 * weak["m"]) - weak["bound"]
    evidence = f"{len(weak)} ensembles; least edges {weak['edge'].min():.3g} to {weak['edge'].max():.3g}"
    return bool((room >= -_ROUNDING).all()), evidence


@claim("C096", evidence=recorded(boosting_margins))
def test_error_keeps_falling(falls: pd.DataFrame) -> Decision:
    """Judge the test error when the training error is first zero, and at the end.

    The claim holds if the error falls on most data sets and rises on none, each by the corrected resampled
    t-test at 0.05. It fails if it rises on half of them or more, and is undecided otherwise. Data sets with
    fewer than ten splits do not count.

    Parameters
    ----------
    falls : DataFrame
        A row for each split; columns `dataset`, `test_at_zero` and `test_at_end`; a fifth of the examples
        is tested.
    """
    found = {
        name: compared(rows["test_at_zero"].to_numpy(), rows["test_at_end"].to_numpy(), N_FOLDS - 1, 1)
        for name, rows in falls.groupby("dataset")
        if len(rows) >= 10
    }
    require(found, "needs ten splits or more that reach zero training error")
    marks = [each.mark for each in found.values()]
    falls_mostly = marks.count("better") > len(marks) / 2 and "worse" not in marks
    rises = marks.count("worse") >= len(marks) / 2
    return (True if falls_mostly else False if rises else None), (
        "change of the test error (95 % interval) on "
        + "; ".join(
            f"{name!s} {-each.difference:+.4f} ± {each.half_width:.4f}" for name, each in found.items()
        )
    )


def _margins_and_arcing(record: Record) -> tuple[pd.DataFrame, pd.DataFrame]:
    runs = margins_of_arcing.recorded().set_index(["algorithm", "law", "draw"])
    return boosting_margins.recorded(), pd.DataFrame(runs.loc["arc-gv"] - runs.loc["AdaBoost"])


@claim("C097", evidence=_margins_and_arcing)
def margins_grow(falls: pd.DataFrame, arcing: pd.DataFrame) -> Decision:
    """Judge margins when the training error first reaches zero and at the end, and Breiman's arc-gv.

    The first half of the claim needs margins that grow on every split. The second half, that they do not
    explain everything, needs a law on which arc-gv has significantly larger margins than AdaBoost, the least
    as well as the tenth percentile, and yet a significantly larger test error: t-tests over the draws, for
    the error with Holm's correction over the laws. It is refuted if margins are larger and errors
    significantly smaller on every law.

    Parameters
    ----------
    falls : DataFrame
        A row for each split; columns `margin_at_zero` and `margin_at_end`, a low quantile of the margins
        of the training examples.
    arcing : DataFrame
        Arc-gv minus AdaBoost, a row for each law and draw; columns `least` and `low`, the least margin and
        the tenth percentile of the margins of the training examples, and `test_error`.
    """
    enough = not falls.empty and len(arcing) >= 2
    require(enough, "needs splits that reach zero training error, and two draws or more")
    grows = falls["margin_at_end"] > falls["margin_at_zero"]
    laws = {
        str(name): {column: mean_against_zero(of_law[column]) for column in arcing}
        for name, of_law in arcing.groupby(level="law", sort=False)
    }
    larger = [x["least"].mark == x["low"].mark == "better" for x in laws.values()]
    sure = holm([x["test_error"].p_value for x in laws.values()]) < LEVEL
    errs = [
        x["test_error"].mark if is_sure else "none" for x, is_sure in zip(laws.values(), sure, strict=True)
    ]
    found = list(zip(larger, errs, strict=True))
    incomplete = (True, "better") in found or (False if set(found) == {(True, "worse")} else None)
    evidence = (
        f"margins grow on {grows.sum()} of {len(falls)} splits; arc-gv minus AdaBoost (95 % intervals): "
    )
    return every([bool(grows.all()), incomplete]), evidence + "; ".join(
        f"{name} least margin {x['least'].difference:+.3f} ± {x['least'].half_width:.3f}, tenth percentile "
        f"{x['low'].difference:+.3f} ± {x['low'].half_width:.3f}, test error "
        f"{x['test_error'].difference:+.4f} ± {x['test_error'].half_width:.4f}"
        for name, x in laws.items()
    )


_STREAM = 600  # examples of Car Evaluation that are watched online


def _first_members(record: Record) -> tuple[dict, dict]:
    return tuple(online_boosting.beside_bagging.recorded()[["first", "later"]].to_dict().values())


@claim("C099", evidence=_first_members)
def first_member_is_bagged(first: Mapping[str, int], later: Mapping[str, int]) -> Decision:
    """Judge the number of inputs on which base models of online boosting and of online bagging differ.

    Both use the same draws. The first base models must not differ; later ones must differ somewhere.

    Parameters
    ----------
    first, later : mapping
        For each base model tried, the number of inputs on which the first base models, and later ones,
        differ. Later ones have to differ somewhere.
    """
    require(first and any(later.values()), "the later base models do not differ either")
    evidence = f"first base models: {sum(first.values())} answers differ; later ones: {sum(later.values())}"
    return not any(first.values()), evidence


def _weight_ratio(record: Record) -> tuple[pd.Series]:
    stream = online_boosting.shuffled("car-evaluation", 1)
    return (online_boosting.compare_weights(stream, _STREAM, n_models=8, seed=1).ratio,)


@claim("C100", evidence=_weight_ratio)
def early_weights_differ(ratio: pd.Series) -> Decision:
    """Judge how much online weights differ from AdaBoost's.

    They must differ more over the first tenth of the examples than over the last.

    Parameters
    ----------
    ratio : Series
        Mean |log₂(λ/weight)| over base models from the second on, of each example in the order of arrival.
        Early weights are off if it is larger over the first tenth of the examples than over the last
        tenth: what late examples have as well does not come from there being few.
    """
    require(len(ratio) >= 100, "needs a hundred examples or more")
    tenth = len(ratio) // 10
    early, late = ratio.iloc[:tenth].mean(), ratio.iloc[-tenth:].mean()
    return bool(early > late), (
        f"off by a factor of {2 ** ratio.iloc[:10].mean():.2f} for the first ten examples, "
        f"{2**early:.2f} for the first {tenth}, {2**late:.2f} for the last {tenth}"
    )


def _against(cells: pd.DataFrame, algorithm: str, reference: str) -> pd.DataFrame:
    """Comparison of two algorithms where it was tested, by number of examples; empty if there is none."""
    chosen = cells.query("algorithm == @algorithm and reference == @reference and mark != 'unknown'")
    return chosen.droplevel(["algorithm", "reference"]).sort_index()


_UNTESTED = "needs two splits or more, and two numbers of examples"


@claim("C102", evidence=lambda record: (record.curve_cells("4.5"),))
def online_catches_up(cells: pd.DataFrame) -> Decision:
    """Judge learning curves: online boosting is poor at the smallest size, and equal to batch at the largest.

    "Poor" is significantly less accurate, and by more than 0.01; "equal" is by the rule of equality, with the
    corrected test and interval.
    """
    online = _against(cells, "online_boosting", "boosting")
    require(len(online) >= 2, _UNTESTED)
    return _struggles_first(online), _ends(online)


def _ends(online: pd.DataFrame) -> str:
    return "batch minus online " + ", ".join(
        f"{-row['difference']:+.4f} ± {row['half_width']:.4f} (95 % interval) at {n}"
        for n, row in online.iloc[[0, -1]].iterrows()
    )


def _struggles_first(online: pd.DataFrame) -> bool | None:
    """Whether an algorithm is poor at first, and comparable in the end."""
    (poor,), (far,) = better(exchanged(online.iloc[:1])), differs(online.iloc[-1:])
    poor = poor and bool(online["difference"].iloc[0] < -margin())
    return every([poor, opposite(far)])


@claim("C103", evidence=lambda record: (record.curve_cells("4.5"),))
def priming_stays_close(cells: pd.DataFrame) -> Decision:
    """Judge learning curves: primed is equal to batch boosting at every size, and finally above unprimed.

    Neither Figure 4.5 nor its section says how many examples prime, so that the size is a choice. Two are
    judged: a fifth of the examples, as in section 2.4, and the 200 that the conference paper gives for the
    same curve. Where they disagree, the claim is undecided. "Equal" is by the rule of equality. A difference
    that is significant by the corrected test and Holm's correction over all sizes refutes the claim, and so
    does a final accuracy significantly below that of online boosting.
    """
    parts, texts = [], []
    for name, examples in (("primed_boosting", "a fifth"), ("primed_200", "200")):
        primed = _against(cells, name, "boosting")
        unprimed = _against(cells, name, "online_boosting")
        require(len(primed) >= 2, _UNTESTED)
        found, ends = differs(primed), unprimed.iloc[-1:]
        (above,), (below,) = not_better(ends), better(exchanged(ends))
        ends_above = False if below else True if above is False else None
        parts.append(every([nowhere(found), ends_above]))
        texts.append(
            f"primed with {examples}: {_HOLDS[parts[-1]]}; primed and batch {places(primed, found)}; "
            f"at the end primed {ends['first'].iloc[0]:.4f}, unprimed {ends['second'].iloc[0]:.4f}"
        )
    return (parts[0] if parts[0] == parts[1] else None), "; ".join(texts)


_HOLDS = {True: "holds", False: "does not hold", None: "undecided"}


@claim("C113", evidence=lambda record: (record.curve_cells("KDD 8"),))
def priming_with_200_is_comparable(cells: pd.DataFrame) -> Decision:
    """Judge learning curves: primed with 200 examples is equal to batch boosting at each larger size.

    "Equal" is by the rule of equality. A difference that is significant by Holm's correction over these sizes
    refutes the claim. With 200 examples or fewer the two are the same algorithm.
    """
    primed = _against(cells, "primed_200", "boosting").query("n_train > 200")
    require(len(primed) >= 2, _UNTESTED)
    found = differs(primed)
    gap = (-primed["difference"]).agg(["min", "max"])
    evidence = f"batch minus primed {gap['min']:+.4f} to {gap['max']:+.4f}"
    return nowhere(found), f"{evidence}; {places(primed, found)}"


@claim("C109", evidence=lambda record: (record.curve_cells("KDD 5"),))
def bagged_and_boosted_trees(cells: pd.DataFrame) -> Decision:
    """Judge learning curves of bagged and boosted trees, each part of the claim at every size.

    Batch and online bagging must be equal by the rule of equality. They and batch boosting must be
    significantly better than the single tree. Online boosting must be poor at the smallest size and equal to
    batch boosting at the largest.
    """
    online = _against(cells, "online_boosting", "boosting")
    require(len(online) >= 2, _UNTESTED)
    parts = [
        _nowhere(cells, "online_bagging", "bagging", differs, "batch and online bagging differ"),
        _nowhere(cells, "bagging", "single", not_better, "bagging not better than a tree"),
        _nowhere(cells, "online_bagging", "single", not_better, "online bagging not better than a tree"),
        _nowhere(cells, "boosting", "single", not_better, "boosting not better than a tree"),
    ]
    return all_parts([*parts, (_struggles_first(online), _ends(online))])


def _nowhere(
    cells: pd.DataFrame, algorithm: str, reference: str, known: Callable[[pd.DataFrame], Known], text: str
) -> tuple[bool | None, str]:
    """Whether something is so of two algorithms at no size."""
    rows = _against(cells, algorithm, reference)
    found = known(rows)
    return nowhere(found), places(rows, found, text)


@claim("C110", evidence=lambda record: (record.curve_cells("KDD 6"),))
def boosted_naive_bayes(cells: pd.DataFrame) -> Decision:
    """Judge learning curves of Naive Bayes, each part of the claim at every size.

    Batch and online boosting must be equal by the rule of equality, and significantly better than the single
    model; neither kind of bagging may be better than it. A difference refutes the first part, and a gain the
    last, if it is significant by Holm's correction over the sizes.
    """
    require(len(_against(cells, "online_boosting", "boosting")) >= 2, _UNTESTED)
    parts = [
        _nowhere(cells, "online_boosting", "boosting", differs, "batch and online boosting differ"),
        _nowhere(cells, "boosting", "single", not_better, "boosting not better than one model"),
        _nowhere(cells, "online_boosting", "single", not_better, "online boosting not better"),
        _nowhere(cells, "bagging", "single", better, "bagging better"),
        _nowhere(cells, "online_bagging", "single", better, "online bagging better"),
    ]
    return all_parts(parts)


def _models_made(record: Record) -> tuple[pd.Series]:
    """Evidence: models of each run of batch boosting on the whole training set of Census Income."""
    return (record.curve("KDD 6").query("algorithm == 'boosting' and n_train == n_train.max()")["n_voting"],)


@claim("C116", evidence=_models_made)
def boosting_stops_early(n_models: pd.Series) -> Decision:
    """Judge how many base models batch boosting makes on the whole training set: at most 22.

    The split is supplied, so the runs differ only in the order of the examples, which has no influence on
    batch boosting of Naive Bayes.
    """
    require(not n_models.empty, "no run on the whole training set")
    made = n_models.unique()
    allowed = "the claim allows any number up to 22"
    runs = f"{made.min()} to {made.max()} models in {len(n_models)} runs"
    if len(made) == 1:
        runs = f"{made[0]} models, the same in all {len(n_models)} orders of the examples"
    return bool(made.max() <= 22), f"{runs}; {allowed}"


@claim("C117", evidence=lambda record: tuple(online_boosting.voting_models.recorded()))
def first_models_vote(
    batch: Iterable[tuple[Sequence[float], int]],
    online: Iterable[tuple[Sequence[float], Sequence[float], int]],
) -> Decision:
    """Judge which models vote.

    The claim holds if no batch ensemble keeps a model with an error above 1/2, unless it is the only one; and
    if of the M models of an online ensemble those before the first with an error above 1/2 vote, with a
    weight above 0 unless the error is 1/2, and no later ones do. There must be an ensemble in which the rule
    excludes a model.

    Parameters
    ----------
    batch : iterable of (errors, M)
        Errors of the base models that were kept.
    online : iterable of (errors, vote weights, M)
        Of all base models.
    """
    batch, online = list(batch), list(online)
    stopped = [len(errors) for errors, most in batch if len(errors) < most]
    cut = []
    holds = True
    for errors, _ in batch:
        holds &= len(errors) == 1 or max(errors) <= 0.5
    for errors, votes, most in online:
        bad = np.flatnonzero(np.asarray(errors) > 0.5)
        first = int(bad[0]) if len(bad) else most
        cut += [first] if first < most else []
        should = (np.arange(len(errors)) < first) & (np.asarray(errors) < 0.5)
        holds &= len(errors) == most and (first == 0 or np.array_equal(np.asarray(votes) > 0, should))
    require(stopped and any(cut), "no run in which the rule would have cut anything off")
    return holds, (
        f"batch stopped after {', '.join(map(str, stopped))} models; online, the first "
        f"{' and '.join(map(str, cut))} of {online[0][2]} vote"
    )


# ------------------------------------------------------------------------------ convergence
