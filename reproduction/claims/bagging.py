"""Checks of the claims about bagging's accuracy and times (thesis section 3.5, KDD sections 4.2 and 4.5).

Most take the cells of accuracies or of times that `reproduction.printed` gives. Rows that are reported
separately do not count. "Significant" and "comparable" are defined in `criteria`. "Much worse" is a loss of
more than 0.04 (the reference table's reading of C074), and a "small" loss on the larger data sets a mean of
at most that; "often" is in a third of the cases or more. Times are "comparable" within a factor of 3, and
"much faster" beyond it, with one exception in ten. The larger data sets are the upper half by training
examples.
"""

import math
from collections.abc import Callable, Mapping
from itertools import product

import pandas as pd
import scipy.stats

from oza.datasets import dataset_info, list_datasets
from oza.evaluation.significance import LEVEL

from ..printed.accuracy import joined_cells
from ..printed.printed import printed, where_kdd_ran_trees
from ..printed.record import Record
from ..simulations.convergence import bagging_disagreement
from ..simulations.learners import network_passes
from ..statistics import PRINTED_SPLITS, mean_against_zero
from ..studies.algorithms import BASE_MODELS
from .criteria import (
    OFTEN,
    above,
    beside,
    better,
    comparable,
    counted,
    differs,
    every,
    halves,
    interval_in_words,
    loss,
    mean_difference,
    missed,
    names,
    not_better,
    nowhere,
    opposite,
    places,
    rate,
    usual,
)
from .registry import Decision, claim, recorded, require

MUCH_WORSE = 0.04
COMPARABLE_TIMES = 3
TOO_EXPENSIVE = 10
_BAGS = ("bagging", "online_bagging")
_NOTHING = "needs two splits or more of each algorithm"


def _tables(*numbers: str) -> Callable[[Record], tuple[pd.DataFrame, ...]]:
    """Evidence: the cells of tables of accuracies."""
    return lambda record: tuple(record.accuracies(*numbers).values())


def _joined(*numbers: str) -> Callable[[Record], tuple[pd.DataFrame]]:
    """Evidence: the cells of tables of accuracies, joined."""
    return lambda record: (joined_cells(record.accuracies(*numbers)),)


@claim("C066", evidence=_tables("3.3"))
def bagged_trees_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: batch and online bagging are comparable over its data sets.

    The claim holds if their mean difference over the data sets is equal to 0 by the rule of equality, and
    they differ on at most one data set in ten. It fails if the mean is different from 0, or they differ on
    significantly more than one data set in ten: two tests, with Holm's correction.
    """
    return comparable(beside(cells, "other", "bagging"))


@claim("C073", evidence=lambda record: (record.by_the_program("3.5"),))
def bagged_stumps_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: batch and online bagging are comparable over its data sets.

    The stumps are those of C072, of a program that matches the table.

    The claim holds if their mean difference over the data sets is equal to 0 by the rule of equality, and
    they differ on at most one data set in ten. It fails if the mean is different from 0, or they differ on
    significantly more than one data set in ten: two tests, with Holm's correction.
    """
    return comparable(beside(cells, "other", "bagging"))


@claim("C009", evidence=_joined("3.3", "3.4", "3.5"))
def bagging_mostly_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 to 3.5 together, all of which are needed.

    Batch and online bagging must be comparable over the data sets, as for C066, where a case is a data set of
    a table. Their differences are averaged over the tables, then over the data sets.
    """
    return comparable_in_three(cells, "bagging")


def comparable_in_three(cells: pd.DataFrame, family: str) -> Decision:
    """Decide whether batch and online are comparable over the data sets of three tables, all needed."""
    pairs = beside(cells, "other", family)
    require(pairs.index.unique("table").size == 3, "needs results of trees, Naive Bayes and stumps")
    return comparable(pairs)


def _of_kdd(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: the cells of trees and of Naive Bayes on the data sets of the KDD paper."""
    cells = record.accuracies("3.3", "3.4")
    return (joined_cells(cells | {"3.3": where_kdd_ran_trees(cells["3.3"])}),)


@claim("C106", evidence=_of_kdd)
def bagging_always_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 and 3.4 together: batch and online bagging are comparable in every case.

    Trees count on the four data sets on which the paper ran them (its section 4.2): Promoters, Balance,
    Breast Cancer and Car Evaluation. The claim holds if batch and online are equal in every case by the rule
    of equality, with the corrected interval. It fails if they differ in one case, significantly by Holm's
    correction over all cases.
    """
    pairs = beside(cells, "other", "bagging")
    require(pairs.index.unique("table").size == 2, "needs results of trees and Naive Bayes")
    found = differs(pairs)
    return nowhere(found), f"batch and online {places(pairs, found)}; {mean_difference(pairs)}"


@claim("C070", evidence=_tables("3.4"))
def bagging_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: online bagging is like batch bagging, and both are mostly like the single model.

    The claim holds if batch and online bagging are comparable over the data sets, as for C066, and more than
    half of the ensembles are equal to the single model, each by the rule of equality. It fails if batch and
    online are not comparable, or if half of the ensembles differ from the single model, significantly by
    Holm's correction.
    """
    alike, evidence = comparable(beside(cells, "other", "bagging"))
    gains = beside(cells, "single", *_BAGS)
    require(not gains.empty, _NOTHING)
    found = differs(gains)
    mostly = nowhere(found, (len(gains) - 1) // 2)
    evidence = f"batch and online {evidence}; ensembles and one model {places(gains, found)}"
    return every([alike, mostly]), evidence


@claim("C108", evidence=_tables("3.4"))
def bagging_gains_nothing(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: no ensemble is significantly better than the single model.

    The claim fails if one is better by the corrected test and Holm's correction over all ensembles. It holds
    if none is better even without Holm's correction, and no corrected interval leaves room for a gain of more
    than 0.01. Rows that are excluded do not count; the evidence names those that would contradict the claim.
    """
    gains = beside(cells, "single", *_BAGS)
    require(not gains.empty, _NOTHING)
    found = better(gains)
    excluded = cells[(cells["verdict"] == "excluded") & (cells["welch"] == "better")]
    also = f"; excluded: {names(excluded.index.get_level_values('dataset'))}" if len(excluded) else ""
    return nowhere(found), f"ensembles {places(gains, found, 'better')}{also}"


@claim("C071", evidence=_tables("3.4"))
def batch_wins_on_chess(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: batch bagging is significantly better than online bagging on Chess.

    The claim holds if it is better by the corrected test. It is contradicted if it is not better even by
    Welch's test, to which the printed star refers. The margin of equality does not matter: the printed
    difference, too, may be smaller.
    """
    found = beside(cells, "other", "bagging").query("dataset == 'chess'")
    require(not found.empty, "no results on chess")
    row, (is_missed,) = found.iloc[0], missed(found)
    return opposite(is_missed), (
        f"batch minus online {row['difference']:+.4f} ± {row['half_width']:.4f} (95 % interval)"
    )


@claim("C067", evidence=_tables("3.3"), given=("cells.printed",))
def bagging_improves_trees(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: both algorithms are significantly better on its eight data sets except Mushroom.

    Significance is by the corrected test. On Mushroom both must be equal to one tree by the rule of equality.
    The claim is contradicted if they differ there, or if one of them is not better on another data set even
    by Welch's test, which is the thesis's. The margin of equality does not matter where a gain is claimed:
    the gains that are printed for Chess are smaller.
    """
    gains = beside(cells[cells["printed"].notna()], "single", *_BAGS)
    on_mushroom = gains.index.isin(["mushroom"], level="dataset")
    claimed, there = gains[~on_mushroom], gains[on_mushroom]
    not_found, differing = missed(claimed), differs(there)
    evidence = f"{places(claimed, not_found, 'not better')}; on Mushroom {places(there, differing)}"
    n_wanted = len(_BAGS) * cells["printed"].notna().groupby(level="dataset").any().sum()
    is_run = True if len(gains) == n_wanted else None
    return every([nowhere(not_found), nowhere(differing), is_run]), evidence


@claim("C072", evidence=lambda record: (record.by_the_program("3.5"),), given=("cells.printed",))
def bagging_improves_few_stumps(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: both algorithms are significantly better on Promoters and Balance, and only there.

    The claim is about the stumps of this table. If no printed cell differs with the stumps of a program,
    these are judged, otherwise ours. Significance is by the corrected test. On the other data sets both must
    be equal to one stump by the rule of equality, with Holm's correction over these data sets.
    """
    found, wanted = counted(cells), {"promoters", "balance"}
    judged = wanted | set(found[found["printed"].notna()].index.get_level_values("dataset"))
    gains = beside(cells, "single", *_BAGS)
    gains = gains[gains.index.isin(judged, level="dataset")]
    is_wanted = gains.index.isin(wanted, level="dataset")
    claimed, others = gains[is_wanted], gains[~is_wanted]
    not_found, differing = not_better(claimed), differs(others)
    where_claimed = f"where claimed, {places(claimed, not_found, 'not better')}"
    missing = judged - set(gains.index.get_level_values("dataset"))
    not_run = f"; not run: {names(missing)}" if missing else ""
    return every([nowhere(not_found), nowhere(differing), None if missing else True]), (
        f"{where_claimed}; elsewhere, {places(others, differing)}{not_run}"
    )


@claim("C068", evidence=lambda record: (record.rows("3.3"),))
def one_tree_is_perfect_on_mushroom(results: pd.DataFrame) -> Decision:
    """Judge Table 3.3: single trees make no error on Mushroom.

    One error on any split contradicts the claim. It holds without an error on all fifty splits of the
    protocol; on fewer splits without an error it is undecided.
    """
    runs = results.query("dataset == 'mushroom' and algorithm == 'single'")
    require(not runs.empty, "no results on mushroom")
    wrong = runs["n_test"] - runs["n_correct"]
    return False if wrong.any() else True if len(runs) >= PRINTED_SPLITS else None, (
        f"{wrong.sum()} errors on {runs['n_test'].sum():,} test examples, none on {(wrong == 0).sum()} of "
        f"{len(runs)} splits"
    )


def _asked_after_each(record: Record) -> tuple[pd.DataFrame, dict[str, int]]:
    return record.benchmarks(), {name: dataset_info(name).n_train for name in list_datasets()}


@claim("C069", evidence=_asked_after_each, given=("sizes",))
def online_trees_are_expensive(benchmarks: pd.DataFrame, sizes: Mapping[str, int]) -> Decision:
    """Judge benchmarks of a tree that predicts after each example, beside one learned in batch.

    "Too expensive on large data sets" means that, on the largest set timed, it takes at least ten times the
    time of the batch tree for the same examples, and that this factor is larger there than on the smallest.
    If the factor does not grow, the claim fails; if it grows and is still below ten, larger sets would have
    to be timed. (That such a tree must store the examples follows from its algorithm.)
    """
    asked = benchmarks[benchmarks["task"] == "prequential"].set_index("dataset")
    trees = asked[(asked["work"] == "one lossless online tree") & (asked["peer"] == "oza, batch")]
    require(trees.index.nunique() >= 2, "needs benchmarks of an online tree on two data sets or more")
    trees = trees.loc[sorted(trees.index, key=sizes.__getitem__)]
    factor = trees["peer_rate"] / trees["rate"]
    evidence = "with a prediction after each example, a tree takes " + ", ".join(
        f"{times:.1f} times as long as in batch on {name} ({sizes[name]:,} examples)"
        for name, times in zip(trees.index, factor, strict=True)
    )
    for dataset, each in asked.loc[asked["work"] == "one Naive Bayes", "rate"].items():
        times = each / trees["rate"].iloc[-1]
        evidence += f"; an example takes {times:.0f} times as long as with Naive Bayes on {dataset}"
    grows = factor.iloc[-1] > factor.iloc[0]
    may_grow = f"{evidence}; the factor grows, and is below {TOO_EXPENSIVE} on the largest set timed"
    require(not grows or factor.iloc[-1] >= TOO_EXPENSIVE, may_grow)
    return bool(grows), evidence


def _joined_times(*numbers: str) -> Callable[[Record], tuple[pd.DataFrame]]:
    """Evidence: the cells of tables of times, joined on a level `table`."""
    return lambda record: (pd.concat(record.all_times(*numbers), names=["table"]),)


@claim("C080", evidence=_joined_times("3.8", "3.9", "3.10"))
def times_are_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.8 to 3.10 together: online is within a factor of 3 of batch in nine of ten cases."""
    ratio = time_ratio(cells, "online_bagging", "bagging")
    require(ratio.index.unique("table").size == 3, "needs running times of trees, Naive Bayes and stumps")
    is_comparable = ratio.between(1 / COMPARABLE_TIMES, COMPARABLE_TIMES)
    which = ", ".join(f"{dataset} of Table {table}" for table, dataset in ratio[~is_comparable].index)
    return bool(is_comparable.mean() >= 0.9), (
        f"online takes {ratio.min():.3f} to {ratio.max():.3f} times as long, in {len(ratio)} comparisons; "
        f"not comparable: {which or 'none'}"
    )


def time_ratio(cells: pd.DataFrame, a: str, b: str) -> pd.Series:
    """Divide the time of one algorithm by that of another on each data set."""
    seconds = cells["seconds"].unstack("algorithm")
    return (seconds[a] / seconds[b]).dropna() if {a, b} <= set(seconds) else pd.Series(dtype=float)


# ------------------------------------------------------------------------------ networks


def _losses(cells: pd.DataFrame, algorithm: str) -> pd.DataFrame:
    """Compare a batch algorithm with its online version; the data sets with least training data first."""
    rows = beside(cells, "other", algorithm).droplevel("algorithm")
    sizes = cells["n_train"].groupby(level="dataset").max()
    return rows.loc[sizes[rows.index].sort_values(kind="stable").index]


def _larger_when_small(losses: pd.Series) -> tuple[bool | None, str]:
    """Whether losses fall with the size of the data set: Spearman's rank correlation, tested at 0.05."""
    small, large = (half.mean() for half in halves(losses))
    found = scipy.stats.spearmanr(range(len(losses)), losses)
    return bool(found.statistic < 0) if found.pvalue < LEVEL else None, (
        f"mean loss {small:.4f} on the smaller data sets, {large:.4f} on the larger; rank correlation with "
        f"the size {found.statistic:+.2f} (p = {found.pvalue:.2g})"
    )


def _small_when_large(losses: pd.Series) -> tuple[bool | None, str]:
    """Whether the mean loss on the larger data sets is at most 0.04, by its interval over the data sets."""
    found = mean_against_zero(halves(losses)[1])
    is_small = opposite(above(halves(losses)[1], MUCH_WORSE))
    return is_small, f"{found.difference:.4f} {interval_in_words(found)}"


@claim("C010", evidence=_tables("3.6"))
def online_networks_suffer_most_when_small(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: online bagging loses on most data sets, more on the smaller, little on the larger.

    The claim holds if it loses on significantly more than half of the data sets (sign test), if the loss
    falls with the number of training examples (Spearman's rank correlation), and if the mean loss on the
    larger half is at most 0.04, with its whole interval over the data sets. It fails if one of the three is
    significantly false.
    """
    losses = _losses(cells, "bagging")["difference"]
    require(len(losses) >= 4, _FEW_SETS)
    (shrinks, sizes), (is_small, on_larger) = _larger_when_small(losses), _small_when_large(losses)
    evidence = f"online bagging loses on {(losses > 0).sum()} of {len(losses)}; {sizes}"
    return every([usual(losses > 0), shrinks, is_small]), f"{evidence}; on the larger {on_larger}"


_FEW_SETS = "needs four data sets or more"


def _often_much_worse(rows: pd.DataFrame) -> tuple[bool | None, str]:
    """Whether the loss is more than 0.04 on a third of the data sets or more, by the corrected intervals."""
    is_much = (rows["difference"] - rows["half_width"] > MUCH_WORSE).sum()
    may_be = (rows["difference"] + rows["half_width"] > MUCH_WORSE).sum()
    evidence = f"worse by more than {MUCH_WORSE} on {is_much} of {len(rows)} data sets, perhaps on {may_be}"
    needed = OFTEN * len(rows)
    return (True if is_much >= needed else None if may_be >= needed else False), evidence


@claim("C074", evidence=_tables("3.6"))
def online_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge single networks of Table 3.6: online learning loses more than 0.04 on a third of the data sets.

    A data set counts if the whole corrected interval of the loss lies above 0.04. The claim fails if there
    are too few even with those whose interval extends above 0.04.
    """
    rows = _losses(cells, "single")
    return _often_much_worse(rows) if len(rows) else (None, "no results of both")


@claim("C075", evidence=_tables("3.6"))
def online_bags_of_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge bagged networks of Table 3.6: as for C074, and more on the smaller data sets, as for C010."""
    rows = _losses(cells, "bagging")
    require(len(rows) >= 4, _FEW_SETS)
    often, evidence = _often_much_worse(rows)
    shrinks, sizes = _larger_when_small(rows["difference"])
    return every([often, shrinks]), f"{evidence}; {sizes}"


@claim("C076", evidence=_tables("3.6"))
def online_bagging_gains_less(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: on most data sets bagging gains less online than in batch.

    The claim holds if it gains less on significantly more than half of the data sets (sign test at 0.05), and
    fails if it does on significantly fewer than half. Data sets with equal gains do not count.
    """
    batch, online = (
        -loss(cells, a, b) for a, b in (("single", "bagging"), ("online_single", "online_bagging"))
    )
    gain = (batch - online).dropna()
    gain = gain[gain != 0]
    require(not gain.empty, "no results of all four")
    less = gain > 0
    return usual(less), f"less on {less.sum()} of {len(less)}; exceptions: {names(less[~less].index)}"


def _mostly_better(rows: pd.DataFrame) -> tuple[bool | None, str]:
    """Whether an algorithm is significantly better on more than half of the data sets, each tested alone."""
    known = not_better(rows)
    n_better, n_open = known.count(False), known.count(None)
    evidence = f"better on {n_better} of {len(rows)} data sets, undecided on {n_open}"
    half = len(rows) / 2
    return (True if n_better > half else None if n_better + n_open > half else False), evidence


@claim("C077", evidence=_tables("3.7"))
def bagging_helps_networks_of_ten_updates(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.7: online bagging is significantly better than its single network on most data sets.

    It fails if, on at least half of them, it is not better and the corrected interval leaves no room for a
    gain of more than 0.01.
    """
    rows = beside(cells, "single", "online_bagging_10")
    return _mostly_better(rows) if len(rows) else (None, _NOTHING)


@claim("C078", evidence=_tables("3.6", "3.7"))
def ten_updates_narrow_the_gap(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: batch is mostly significantly better than ten updates, but by less than one.

    The first part is judged as for C077, the second by a sign test over the data sets at 0.05. Both must hold
    for single networks and for bags; one that is significantly false refutes the claim.
    """
    parts, evidence = [], []
    for batch in ("single", "bagging"):
        of_one, of_ten = _losses(one, batch)["difference"], _losses(ten, batch)
        narrower = (of_one - of_ten["difference"]).dropna() > 0
        require(not narrower.empty, "needs networks of one and of ten updates")
        remains, text = _mostly_better(of_ten)
        parts += [remains, usual(narrower)]
        evidence.append(f"{batch}: {text}; by less on {narrower.sum()} of {len(narrower)}")
    return every(parts), "; ".join(evidence)


@claim("C079", evidence=_tables("3.6", "3.7"))
def online_networks_lose_little_when_large(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: on the larger half of the data sets the mean loss is at most 0.04.

    This must hold for single networks and for bags, with one update and with ten; each of these four is
    judged as for C010.
    """
    losses = {
        f"{batch}, {updates}": _losses(cells, batch)["difference"]
        for cells, updates in ((one, "one update"), (ten, "ten"))
        for batch in ("single", "bagging")
    }
    require(not any(of_one.empty for of_one in losses.values()), "needs networks of one and of ten updates")
    found = {name: _small_when_large(of_one) for name, of_one in losses.items()}
    means = "; ".join(f"{name} {text}" for name, (_, text) in found.items())
    return every(is_small for is_small, _ in found.values()), f"mean loss on the larger data sets: {means}"


def _faster(ratio: pd.Series, factor: float) -> Decision:
    """Whether the time ratio is below 1/factor on nine data sets in ten."""
    require(not ratio.empty, "no running times")
    is_faster = ratio < 1 / factor
    slow = names(ratio[~is_faster].index)
    evidence = f"takes {ratio.min():.2g} to {ratio.max():.2g} times as long; exceptions: {slow}"
    return bool(is_faster.mean() >= 0.9), evidence


@claim("C081", evidence=lambda record: (record.times("3.11"),))
def ten_updates_are_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of ten updates takes less time than batch on nine of ten data sets."""
    return _faster(time_ratio(cells, "online_bagging_10", "bagging"), 1)


@claim("C082", evidence=lambda record: (record.times("3.11"),))
def one_update_is_much_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of one update takes a third of the time on nine of ten data sets."""
    return _faster(time_ratio(cells, "online_bagging", "bagging"), COMPARABLE_TIMES)


@claim("C083", evidence=recorded(network_passes))
def batch_networks_pass_a_thousand_times(passes: Mapping[str, float]) -> Decision:
    """Judge how often networks learn each training example: 1000 times in batch, once online.

    Parameters
    ----------
    passes : mapping
        For "bagging" the updates of all networks, for "online_bagging" the examples handed over,
        both divided by the number of training examples.
    """
    evidence = f"batch {passes['bagging']:g}, online {passes['online_bagging']:g}"
    return passes["bagging"] == 1000 and passes["online_bagging"] == 1, evidence


#: Tables of times that have batch and online ensembles.
_TIMES = ("4.7", "4.8", "4.9", "4.11", "4.12", "3.8", "3.9", "3.10", "3.11")


@claim("C084", evidence=lambda record: (record.all_times(*_TIMES), 10), given=("blocks",))
def batch_is_often_faster_on_fixed_data(times: Mapping[str, pd.DataFrame], blocks: int) -> Decision:
    """Judge times of bagging: batch is faster in at least a third of the comparisons.

    The sentence is in the chapter on bagging (section 3.5.3), about Tables 3.8 to 3.11. The times of boosting
    are reported but not judged. That a batch learner must relearn everything when new data arrive needs no
    measurement: after B equal blocks it has learned (B + 1)/2 times the data. The evidence says in how many
    comparisons this takes longer than online learning, if the time is proportional to the number of examples.
    """
    bagging, boosting = (
        pd.concat([time_ratio(c, batch, f"online_{batch}{s}") for c in times.values() for s in ("", "_10")])
        for batch in ("bagging", "boosting")
    )
    require(not bagging.empty, "needs running times of bagging")
    relearned = (blocks + 1) / 2
    return bool((bagging < 1).mean() >= OFTEN), (
        f"batch bagging faster in {(bagging < 1).sum()} of {len(bagging)} comparisons (boosting: "
        f"{(boosting < 1).sum()} of {len(boosting)}); by arithmetic, relearning after each of {blocks} "
        f"blocks learns {relearned:g} times the data, which would take longer than updating in "
        f"{(bagging * relearned > 1).sum()}"
    )


# ------------------------------------------------------------------------------ set-up, convergence, windows


@claim("C062", evidence=recorded(bagging_disagreement))
def unstable_models_converge_slower(shares: pd.DataFrame) -> Decision:
    """Judge how fast the disagreement of batch and online bagging falls, for unstable and stable base models.

    The speed is the exponent of the power of N that fits the share of different predictions best. A series
    of zeros has none, and is left out. For each stable model: on each data set the share of the comparisons,
    over seeds and unstable models, in which the unstable one is slower. The claim describes a tendency: it
    holds if this share is above one half for each of the stable models, and fails if it is below for one of
    them, by the t interval over data sets.

    Parameters
    ----------
    shares : DataFrame
        Shares of predictions that differ: indexed by data set, number of examples N and seed, with a
        column (kind, base model) for each base model, whose kind is "stable" or "unstable".
    """
    rows = []
    for (dataset, _), of_one in shares.groupby(level=["dataset", "seed"]):
        rates: dict = of_one.droplevel(["dataset", "seed"]).apply(rate).to_dict()
        known = [key for key, exponent in rates.items() if math.isfinite(exponent)]
        unstable, stable = ([key for key in known if key[0] == kind] for kind in ("unstable", "stable"))
        rows += [(b[1], dataset, float(rates[a] > rates[b])) for a, b in product(unstable, stable)]
    slower = pd.DataFrame(rows, columns=["stable", "dataset", "slower"])
    by_dataset = slower.groupby(["stable", "dataset"])["slower"].mean()
    parts, texts = [], []
    for name, of_sets in by_dataset.groupby(level="stable"):
        found = mean_against_zero(of_sets) if len(of_sets) > 1 else None
        parts.append(above(of_sets, 0.5) if found else None)
        each = ", ".join(f"{share:.0%} on {of}" for of, share in of_sets.droplevel("stable").items())
        mean = f"{found.difference:.0%} ± {found.half_width:.0%}" if found else "one data set"
        texts.append(f"slower than {name} in {mean} of the comparisons ({each})")
    stable_models = shares.columns[shares.columns.get_level_values(0) == "stable"]
    enough = len(parts) >= max(len(stable_models), 1)
    require(enough, "needs both kinds of base models, and series that are not zero throughout")
    return every(parts), f"unstable models are {'; '.join(texts)}; 95 % intervals over data sets"


#: Tables of accuracies of bagging.
_ACCURACIES = ("3.3", "3.4", "3.5", "3.6", "3.7")


def _bags(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: the runs of bags behind cells that are printed; a column of two tables counts once."""
    runs = pd.concat([record.rows(table).assign(table=table) for table in _ACCURACIES])
    bags = printed("accuracy").query("algorithm.str.contains('bagging')")[["table", "dataset", "algorithm"]]
    return (runs.merge(bags).drop(columns="table").drop_duplicates(),)


@claim("C063", evidence=_bags)
def protocol_is_as_described(runs: pd.DataFrame) -> Decision:
    """Judge the bags of Tables 3.3 to 3.7: 100 models, 50 results in batch, 250 online; Census split once.

    The claim fails if a bag has another number of models, or Census Income another split. It holds if in
    addition all cells that are printed have all these results; if some have fewer, it is undecided. Sets that
    come split, Census Income and Soybean-Large, have 10 and 50.

    Parameters
    ----------
    runs : DataFrame
        Rows of the studies of accuracies.
    """
    models, census = set(runs["n_models"]), set(runs.loc[runs["dataset"] == "census-income", "fold"])
    results = runs.groupby(["study", "dataset", "algorithm"]).size()
    wanted = [
        (10 if dataset_info(name).split == "supplied" else 50) * (5 if "online" in algorithm else 1)
        for _, name, algorithm in results.index
    ]
    fewer = results[results < wanted].groupby(level="study").size()
    sizes = " or ".join(map(str, sorted(models)))
    evidence = (
        f"{sizes} models; splits of Census Income: {len(census)}; all results in "
        f"{len(results) - fewer.sum()} of {len(results)} cells"
        + "".join(f"; fewer in {n} of {study}" for study, n in fewer.items())
    )
    if models != {100} or census != {0}:
        return False, evidence
    return fewer.empty or None, evidence


def _settings(record: Record) -> tuple[dict[str, dict[str, int]]]:
    return ({name: BASE_MODELS[name]().get_params() for name in ("neural_network", "neural_network_10")},)


@claim("C064", evidence=_settings)
def networks_are_trained_as_described(settings: Mapping[str, Mapping[str, int]]) -> Decision:
    """Judge the settings of the base models: ten epochs in batch, one pass of one or ten updates online."""
    found = [(own["epochs"], own["updates"]) for own in settings.values()]
    return sorted(found) == [(10, 1), (10, 10)], "; ".join(
        f"{epochs} epochs, {updates} update{'s' * (updates > 1)}" for epochs, updates in found
    )


# ------------------------------------------------------------------------------ calendar
