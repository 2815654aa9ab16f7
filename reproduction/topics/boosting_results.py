"""Boosting's accuracy, batch, online and primed (thesis section 4.6, KDD section 4): the claims.

`tables` maps the numbers of Tables 4.1 to 4.6 to the cells that `accuracy_cells` of `printed.accuracy`
gives. Small training sets are the smaller half. The rule of C149 was written when the outcome of C101 was
known, which reads the same tables.
"""

from collections.abc import Mapping

import pandas as pd

from oza.evaluation.significance import LEVEL

from ..claims.criteria import (
    all_above_zero,
    beside,
    better,
    comparable_in_three,
    differs,
    every,
    exchanged,
    halves,
    holm,
    mean_difference,
    names,
    not_better,
    nowhere,
    opposite,
    places,
    smallest_first,
    somewhere,
)
from ..claims.registry import Decision, claim, require
from ..printed.accuracy import joined_cells
from ..printed.comparing import compare
from ..printed.layout import TEN, is_online
from ..printed.printed import of_the_thesis, where_kdd_ran_trees
from ..printed.record import Record
from ..printed.table import MARKS, Table, side_by_side
from ..statistics import margin, mean_against_zero, split_accuracies

#: Tables by base model; networks, whose online learning is lossy, in the last two.
_BASES = {
    "4.1": "trees",
    "4.2": "Naive Bayes",
    "4.3": "stumps",
    "4.5": "networks",
    "4.6": "networks of ten updates",
}
_LOSSY = ("networks", "networks of ten updates")


def _losses(tables: Mapping[str, pd.DataFrame], algorithm: str) -> dict[str, pd.Series]:
    """Losses on each data set, by base model; base models without results are left out."""
    found = {}
    for table, base in _BASES.items():
        if table in tables:
            cells = tables[table].rename(index=lambda name: name.removesuffix(TEN))
            found[base] = -smallest_first(cells, "other", algorithm)["difference"]
    return {base: losses for base, losses in found.items() if len(losses)}


def _in_words(means: Mapping[str, float]) -> str:
    return ", ".join(f"{base} {mean:+.4f}" for base, mean in means.items())


def batch_and_online(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare batch with online boosting, on each data set over each base model."""
    pairs = {
        base: beside(tables[number], "other", "boosting").droplevel("algorithm")
        for number, base in _BASES.items()
        if number in tables
    }
    return pd.concat(pairs, names=["base"]) if pairs else pd.DataFrame(columns=["mark"])


@claim("C012", evidence=lambda record: (record.accuracies(*_BASES),))
def online_boosting_loses_on_small_sets(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge Tables 4.1 to 4.6: batch boosting is significantly better on a data set of the smaller half.

    Significance is by the corrected test, with Holm's correction over all base models and data sets of that
    half.
    """
    losses = _losses(tables, "online_boosting")
    pairs = batch_and_online(tables)
    pairs = pairs[[base in losses and name in halves(losses[base])[0] for base, name in pairs.index]]
    require(not pairs.empty, "no results on small training sets")
    worse = better(pairs)
    pairs.index = pd.Index([f"{base} on {name}" for base, name in pairs.index])
    return somewhere(worse), f"online boosting significantly {places(pairs, worse, 'worse')}"


#: Data sets with learning curves of boosted Naive Bayes.
_LARGE = ("census-income", "synthetic1", "synthetic2", "synthetic3")


def _curves(record: Record) -> tuple[dict[str, pd.DataFrame]]:
    cells = pd.concat({name: record.curve_cells(f"{name}-naive-bayes") for name in _LARGE}, names=["dataset"])
    pairs = cells.query("algorithm == 'online_boosting' and reference == 'boosting'")
    by_size = pairs.droplevel(["algorithm", "reference"])
    return ({str(name): part.droplevel("dataset") for name, part in by_size.groupby("dataset")},)


@claim("C013", evidence=_curves)
def online_boosting_catches_up(curves: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge learning curves on large data sets: some start below batch boosting and end equal to it.

    "Below" is significantly less accurate, by Holm's correction over the data sets, and by more than 0.01;
    "equal" is by the rule of equality. The claim says "may": one such data set is enough for it to hold. If
    there is none among those tried, the claim is undecided and not refuted.
    """
    known = {name: curve for name, curve in curves.items() if len(curve) > 1}
    require(known, "needs a curve of two points or more")
    first, last = (pd.concat([curve.iloc[[at]] for curve in known.values()], keys=known) for at in (0, -1))
    is_below = first["difference"] < -margin()
    each = zip(known, better(exchanged(first)), is_below, differs(last), strict=True)
    caught_up = [name for name, poor, below, far in each if poor and below and far is False]
    first, last = first.droplevel(-1), last.droplevel(-1)
    evidence = ", ".join(
        f"{name} {-first['difference'][name]:+.4f} to {-last['difference'][name]:+.4f} ± "
        f"{last['half_width'][name]:.4f}"
        for name in known
    )
    return True if caught_up else None, (
        f"batch minus online, first to last (95 % interval): {evidence}; equal at the end: {names(caught_up)}"
    )


def _of_the_thesis(record: Record) -> tuple[Mapping[str, pd.DataFrame]]:
    return ({table: of_the_thesis(cells) for table, cells in record.accuracies(*_BASES).items()},)


@claim("C014", evidence=_of_the_thesis)
def lossy_models_lose_most(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge Tables 4.1 to 4.6: the loss of online boosting is, on average, greatest for networks.

    The claim holds if each kind of network loses significantly more than each other base model, by a t-test
    on the differences of the losses on the same data sets. It fails if one of them loses significantly less,
    by Holm's correction over all pairs. Soybean-Large, which only the conference paper has, does not count.
    """
    return _greatest_for_networks(_losses(tables, "online_boosting"))


def _greatest_for_networks(gaps: Mapping[str, pd.Series], and_positive: bool = False) -> Decision:
    means = {base: values.mean() for base, values in gaps.items()}
    others = [base for base in gaps if base not in _LOSSY]
    enough = len(gaps) - len(others) >= 2 and len(others) >= 3
    require(enough, f"needs all base models; so far: {_in_words(means) or 'none'}")
    pairs = {
        f"{lossy} minus {other}": (gaps[lossy] - gaps[other]).dropna() for lossy in _LOSSY for other in others
    }
    compared = pairs | (dict(gaps) if and_positive else {})
    shown = {name: mean_against_zero(values) for name, values in compared.items()}
    evidence = ", ".join(f"{name} {x.difference:+.4f} ± {x.half_width:.4f}" for name, x in shown.items())
    return all_above_zero([*compared.values()]), (
        f"means over data sets: {_in_words(means)}; with 95 % intervals over data sets: {evidence}"
    )


@claim("C015", evidence=_of_the_thesis)
def priming_helps_lossy_models_most(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge Tables 4.1 to 4.6: priming helps each base model on average, and networks most.

    The claim holds if the mean gain over the data sets is significantly above 0 for each base model, and
    significantly larger for each kind of network than for each other base model (t-tests over the data sets).
    It fails if one of these is significantly false, by Holm's correction over all of them. Data sets count as
    for C014.
    """
    online, primed = (_losses(tables, name) for name in ("online_boosting", "primed_boosting"))
    gains = {base: (online[base] - primed[base]).dropna() for base in online if base in primed}
    return _greatest_for_networks(gains, and_positive=True)


@claim("C149", evidence=lambda record: (joined_cells(record.accuracies("4.1", "4.2", "4.3")),))
def online_boosting_is_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 4.1 to 4.3 together: online boosting is comparable to boosting, by the rule of C148.

    The two are comparable if their mean difference over the data sets is equal to 0 by the rule of equality,
    and they differ on at most one case in ten; they are not if the mean is different from 0, or they differ
    on significantly more than one case in ten: two tests, with Holm's correction.
    """
    return comparable_in_three(cells, "boosting")


def _of_kdd(record: Record) -> tuple[Mapping[str, pd.DataFrame]]:
    """Evidence: Tables 4.1 and 4.2 on the data sets of the KDD paper."""
    cells = record.accuracies("4.1", "4.2")
    return (cells | {"4.1": where_kdd_ran_trees(cells["4.1"])},)


@claim("C107", evidence=_of_kdd)
def boosting_differs_only_on_promoters(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge Tables 4.1 and 4.2: batch and online boosting are equal on all data sets except Promoters.

    Trees count on the four data sets on which the paper ran them, as for C106. Equal and different are by the
    rule of equality. On Promoters they must differ, with trees or with Naive Bayes. On the other data sets a
    difference that is significant by Holm's correction over both tables refutes the claim.
    """
    pairs = batch_and_online(tables)
    on_promoters = pairs.index.get_level_values(-1) == "promoters"
    enough = on_promoters.any() and pairs.index.unique("base").size >= 2
    require(enough, "needs results of trees and Naive Bayes, Promoters among them")
    there, elsewhere = pairs[on_promoters], pairs[~on_promoters]
    known, others = differs(there), differs(elsewhere)
    evidence = f"on Promoters {places(there, known)}; elsewhere {places(elsewhere, others)}"
    return every([somewhere(known), nowhere(others)]), f"{evidence}; {mean_difference(pairs)}"


def _primed(record: Record) -> tuple[pd.DataFrame, ...]:
    """Evidence: primed against unprimed online boosting, over trees and over Naive Bayes, as for C107."""
    pair = ("primed_boosting", "online_boosting")
    trees, naive_bayes = (record.compare(table, *pair).query("not excluded") for table in ("4.1", "4.2"))
    return where_kdd_ran_trees(trees), naive_bayes


@claim("C111", evidence=_primed)
def priming_matters_only_on_promoters(trees: pd.DataFrame, naive_bayes: pd.DataFrame) -> Decision:
    """Judge primed against unprimed: significantly better with Naive Bayes on Promoters, and only there.

    Trees count on the four data sets on which the paper ran them, as for C106.
    Significance is by the corrected test. On the other data sets a gain that is significant by Holm's
    correction refutes the claim.
    """
    enough = "promoters" in naive_bayes.index and not trees.empty
    require(enough, "needs results of trees and Naive Bayes, Promoters among them")
    there = naive_bayes.loc[["promoters"]]
    elsewhere = pd.concat({"trees": trees, "Naive Bayes": naive_bayes.drop("promoters")})
    elsewhere.index = pd.Index([f"{name} ({base})" for base, name in elsewhere.index])
    (missed,), found = not_better(there), better(elsewhere)
    gain, half_width = there[["difference", "half_width"]].iloc[0]
    return every([opposite(missed), nowhere(found)]), (
        f"gain with Naive Bayes on Promoters {gain:+.4f} ± {half_width:.4f} (95 % interval); elsewhere "
        f"{places(elsewhere, found, 'better')}"
    )


#: Where KDD 4.3 saw no gain from priming.
_NO_GAIN = {
    "trees": {"promoters", "breast-cancer"},
    "Naive Bayes": {"soybean-large", "car-evaluation"},  # and Forest Covertype, which can't be had
}


@claim("C112", evidence=_primed)
def priming_gains_but_on_some(trees: pd.DataFrame, naive_bayes: pd.DataFrame) -> Decision:
    """Judge primed against unprimed: the sign of the difference on each data set is the one reported.

    Trees count on the four data sets on which the paper ran them, as for C106.
    Where the difference is small, its sign is random. So the claim fails only if a sign contrary to the
    report is significant, by the corrected test and Holm's correction over all signs; contrary signs that are
    not significant leave it undecided.
    """
    require(not trees.empty and not naive_bayes.empty, "needs results of trees and Naive Bayes")
    signs = pd.concat(dict(zip(_NO_GAIN, (trees, naive_bayes), strict=True)))
    reported = [name not in _NO_GAIN[base] for base, name in signs.index]
    signs.index = pd.Index([f"{name} ({base})" for base, name in signs.index])
    is_otherwise = (signs["difference"] > 0) != reported
    is_sure = holm(signs["p_value"]) < LEVEL
    otherwise = [other and (sure or None) for other, sure in zip(is_otherwise, is_sure.tolist(), strict=True)]
    evidence = places(signs, otherwise, "significantly contrary to the report")
    return nowhere(otherwise), f"{is_otherwise.sum()} signs contrary to the report; {evidence}"


def against_batch_table(record: Record, table: str) -> Table:
    """Give the further marks of Tables 4.5 and 4.6: against networks that learned in batch.

    Whether each online algorithm is better (▲) or worse (▽) than a single network in batch, and than batch
    boosting (both of Table 4.4), by Welch's t-test at 0.05. The thesis marks that they differ.
    """
    batch = record.rows("4.4").query("algorithm in ('single', 'boosting')")
    runs = pd.concat([batch, record.rows(table).query("algorithm != 'boosting'")])
    splits = split_accuracies(runs).droplevel("base_model")
    beside = {"single": "single batch network", "boosting": "batch boosting"}
    found = {}
    for name in sorted(filter(is_online, runs["algorithm"].unique()), key=lambda name: "single" not in name):
        marks = {other: compare(splits, name, other)["welch"] for other in beside}
        found[name] = pd.DataFrame(marks).fillna("unknown")
    cells = pd.concat(found, names=["algorithm"]).swaplevel()
    texts = {text: lambda cell, other=other: MARKS.get(cell[other], "") for other, text in beside.items()}
    title = f"Table {table}: compared with batch mode (Table 4.4), at 0.05; ▲ better, ▽ worse, – not known"
    return side_by_side(title, cells, texts)
