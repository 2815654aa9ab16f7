"""Checks of the claims about boosting's accuracy, base models and times (thesis section 4.6, KDD section 4).

`tables` maps the numbers of Tables 4.1 to 4.6 to the cells that `oza.exhibits.accuracy_cells`
gives. Rows that are reported apart do not count. "Significant" is Welch's t-test at 0.05, as in
the thesis; small training sets are the smaller half.
"""

from collections.abc import Mapping

import pandas as pd

from ._evidence import COUNTS, agreed, halves, loss, names, tested
from ._registry import Decision, claim

Tables = Mapping[str, pd.DataFrame]

#: Tables by base model; networks, whose online learning is lossy, in the last two.
_BASES = {
    "4.1": "trees",
    "4.2": "Naive Bayes",
    "4.3": "stumps",
    "4.5": "networks",
    "4.6": "networks of ten updates",
}
_LOSSY = ("networks", "networks of ten updates")


def _gaps(tables: Tables, batch: str, online: str) -> dict[str, pd.Series]:
    """Losses on each data set, by base model; base models without results are left out."""
    found = {}
    for table, base in _BASES.items():
        ten = "_10" if table == "4.6" else ""
        pair = [
            name + ten if name.endswith(("online_boosting", "primed_boosting")) else name
            for name in (batch, online)
        ]
        gaps = loss(tables[table], *pair) if table in tables else pd.Series(dtype=float)
        if len(gaps):
            found[base] = gaps
    return found


def _in_words(means: Mapping[str, float]) -> str:
    return ", ".join(f"{base} {mean:+.4f}" for base, mean in means.items())


@claim("C012")
def online_boosting_loses_on_small_sets(tables: Tables) -> Decision:
    """Judge Tables 4.1 to 4.6: batch boosting significantly better on some data set of the smaller half."""
    where, seen = set(), 0
    for table, base in _BASES.items():
        if table not in tables:
            continue
        small = halves(
            _gaps({table: tables[table]}, "boosting", "online_boosting").get(base, pd.Series(dtype=float))
        )[0]
        seen += len(small)
        found = tested(tables[table])
        is_worse = found["star"] & (found.index.get_level_values("algorithm") == "boosting")
        where |= {f"{base} on {name}" for name in small.index if (name, "boosting") in found[is_worse].index}
    if not seen:
        return None, "no results on small training sets"
    return bool(where), f"significantly worse in {len(where)} of {seen} cases: {names(where)}"


@claim("C013")
def online_boosting_catches_up(curves: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge learning curves on large data sets: some start below batch boosting and end beside it.

    Parameters
    ----------
    curves : mapping
        For each data set the mean accuracies of "boosting" and "online_boosting" over the splits, by
        rising numbers of training examples. The claim says "may": one data set on which online
        boosting is more than 0.01 below at the first number and not more than 0.01 below at the
        last is enough.
    """
    if not any(len(curve) > 1 for curve in curves.values()):
        return None, "needs a curve of two points or more"
    gaps = {name: curve["boosting"] - curve["online_boosting"] for name, curve in curves.items()}
    caught_up = [name for name, gap in gaps.items() if gap.iloc[0] > 0.01 >= gap.iloc[-1]]
    evidence = ", ".join(f"{name} {gap.iloc[0]:+.4f} to {gap.iloc[-1]:+.4f}" for name, gap in gaps.items())
    return bool(caught_up), f"batch minus online, first to last: {evidence}; caught up on {names(caught_up)}"


@claim("C014")
def lossy_models_lose_most(tables: Tables) -> Decision:
    """Judge Tables 4.1 to 4.6: batch minus online boosting, on average greatest for networks.

    Each kind of network must lose more than each other base model.
    """
    return _greatest_for_networks(_gaps(tables, "boosting", "online_boosting"))


def _greatest_for_networks(gaps: Mapping[str, pd.Series], and_positive: bool = False) -> Decision:
    means = {base: values.mean() for base, values in gaps.items()}
    lossy = [mean for base, mean in means.items() if base in _LOSSY]
    others = [mean for base, mean in means.items() if base not in _LOSSY]
    if len(lossy) < 2 or len(others) < 3:
        return None, f"needs all base models; so far: {_in_words(means) or 'none'}"
    evidence = [f"means over data sets: {_in_words(means)}"]
    if not_above := [base for base in _LOSSY if base in means and means[base] <= max(others)]:
        evidence.append(f"not above all others: {' and '.join(not_above)}")
    if not_positive := [base for base, mean in means.items() if and_positive and mean <= 0]:
        evidence.append(f"no gain: {' and '.join(not_positive)}")
    return len(evidence) == 1, "; ".join(evidence)


@claim("C015")
def priming_helps_lossy_models_most(tables: Tables) -> Decision:
    """Judge Tables 4.1 to 4.6: primed above unprimed on average for each base model, most for networks."""
    return _greatest_for_networks(_gaps(tables, "primed_boosting", "online_boosting"), and_positive=True)


def _three(tables: Tables, cost: str) -> pd.DataFrame:
    """What the three boosting algorithms cost, in all tables, where it is known of all three."""
    known = []
    for cells in tables.values():
        if cost in cells:
            costs = cells[cost].unstack("algorithm")
            online = [name for name in costs if str(name).startswith(("online_boosting", "primed_boosting"))]
            wanted = costs[["boosting", *online]].set_axis(["boosting", "online", "primed"], axis="columns")
            known.append(wanted.dropna())
    return pd.concat(known) if known else pd.DataFrame(columns=["boosting", "online", "primed"])


_COSTS = {"updates": "updates", "operations": "updates and classifications", "seconds": "seconds"}


def _counted_in(cases: Mapping[str, pd.Series]) -> str:
    return ", ".join(
        f"{_COSTS[cost]} in {found.sum()} of {len(found)} cases" for cost, found in cases.items()
    )


@claim("C016")
def online_boosting_is_mostly_faster(tables: Tables) -> Decision:
    """Judge the work of Tables 4.7 to 4.12: online boosting less than batch in most cases, more in some.

    A case is a base model on a data set. The work of training is counted in updates of base models,
    and in updates and classifications together. The claim holds if both counts say so, fails if
    neither does, and is undecided otherwise; our times stand in the evidence.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        For each table what `oza.exhibits.time_cells` gives, with counts of work.
    """
    less = {
        cost: found["online"] < found["boosting"] for cost in _COSTS if len(found := _three(tables, cost))
    }
    if not set(COUNTS) <= set(less):
        return None, "no work counted"
    return agreed(
        0.5 < less[cost].mean() < 1 for cost in COUNTS
    ), f"online boosting takes fewer {_counted_in(less)}"


@claim("C017")
def primed_boosting_is_fastest(tables: Tables) -> Decision:
    """Judge the work of Tables 4.7 to 4.12: primed boosting the least of the three in nine cases of ten.

    Cases, counts and parameters are those of the check of C016. The claim holds if both counts say so,
    fails if neither does, and is undecided otherwise; our times stand in the evidence.
    """
    least = {
        cost: found["primed"] < found[["boosting", "online"]].min(axis="columns")
        for cost in _COSTS
        if len(found := _three(tables, cost))
    }
    if not set(COUNTS) <= set(least):
        return None, "no work counted"
    return agreed(
        least[cost].mean() >= 0.9 for cost in COUNTS
    ), f"primed boosting takes the fewest {_counted_in(least)}"


@claim("C107")
def boosting_differs_only_on_promoters(tables: Tables) -> Decision:
    """Judge Tables 4.1 and 4.2: batch and online boosting differ significantly on Promoters alone.

    They must differ there with trees or with Naive Bayes, and nowhere else with either.
    """
    where: set[str] = set()
    for table in ("4.1", "4.2"):
        found = tested(tables[table]) if table in tables else pd.DataFrame()
        if "promoters" not in found.index.get_level_values(0):
            return None, "needs results of trees and Naive Bayes, Promoters among them"
        pair = found[found.index.get_level_values("algorithm").isin(["boosting", "online_boosting"])]
        where |= set(pair[pair["star"]].index.get_level_values("dataset"))
    return where == {"promoters"}, f"differ on {names(where)}"


@claim("C111")
def priming_matters_only_on_promoters(trees: pd.DataFrame, naive_bayes: pd.DataFrame) -> Decision:
    """Judge primed against unprimed: significantly better with Naive Bayes on Promoters, nowhere else.

    Parameters
    ----------
    trees, naive_bayes : DataFrame
        What `oza.exhibits.compared` gives, primed against online boosting.
    """
    if "promoters" not in naive_bayes.index or trees.empty:
        return None, "needs results of trees and Naive Bayes, Promoters among them"
    better = [set(marks[marks["welch"] == "better"].index) for marks in (trees, naive_bayes)]
    evidence = f"better with trees on {names(better[0])}, with Naive Bayes on {names(better[1])}"
    return better == [set(), {"promoters"}], evidence


#: Where KDD 4.3 saw no gain from priming.
_NO_GAIN = {
    "trees": {"promoters", "breast-cancer"},
    "Naive Bayes": {"soybean-large", "car-evaluation"},  # and Forest Covertype, which can't be had
}


@claim("C112")
def priming_gains_but_on_some(trees: pd.DataFrame, naive_bayes: pd.DataFrame) -> Decision:
    """Judge primed against unprimed: the sign of the difference on each data set is the one reported.

    Where the difference is small, its sign is a matter of chance. So the claim fails only if a sign
    otherwise than reported is significant, by the t-test on the differences of the same splits
    (paired); signs otherwise that are not leave it open.

    Parameters
    ----------
    trees, naive_bayes : DataFrame
        What `oza.exhibits.compared` gives, primed against online boosting.
    """
    if trees.empty or naive_bayes.empty:
        return None, "needs results of trees and Naive Bayes"
    otherwise, surely, n_signs = set(), set(), 0
    for base, marks in zip(_NO_GAIN, (trees, naive_bayes), strict=True):
        for name, row in marks.iterrows():
            n_signs += 1
            no_gain = name in _NO_GAIN[base]
            if (row["difference"] > 0) == no_gain:
                otherwise.add(f"{name} ({base})")
                if row["paired"] == ("better" if no_gain else "worse"):
                    surely.add(f"{name} ({base})")
    evidence = f"{n_signs} signs, {len(otherwise)} otherwise than reported; significantly: {names(surely)}"
    return (False if surely else None if otherwise else True), evidence


@claim("C114")
def base_model_errors_run_alike(errors: pd.DataFrame) -> Decision:
    """Judge whether errors of successive base models rise and fall alike in batch and online boosting.

    Measured by Spearman's rank correlation over the models that both algorithms made, on each split
    where these are ten or more. The claim holds if its mean over the splits is above 0.5 in most
    cases, a case being a base model on a data set with two such splits or more.

    Parameters
    ----------
    errors : DataFrame
        Rows of `oza.experiments.base_model_errors`. The stand-in for Forest Covertype does not count.
    """
    index = ["base_model", "dataset", "repetition", "model"]
    mine = errors[errors["dataset"] != "covertype-head"]
    both = mine.pivot(index=index, columns="algorithm", values="error").dropna()
    alike = {
        key: group["boosting"].corr(group["online_boosting"], method="spearman")
        for key, group in both.groupby(level=index[:-1])
        if len(group) >= 10
    }
    if not alike:
        return None, "needs ten base models or more of both algorithms"
    by_case = pd.Series(alike).groupby(level=[0, 1]).agg(["mean", "size"]).query("size >= 2")
    if by_case.empty:
        return None, "needs two splits or more"
    cases = ", ".join(
        f"{base} on {dataset} {mean:+.2f} ({size} splits)"
        for (base, dataset), mean, size in by_case.itertuples(name=None)
    )
    n_alike = int((by_case["mean"] > 0.5).sum())
    return n_alike > len(by_case) / 2, f"above 0.5 in {n_alike} of {len(by_case)} cases: {cases}"


@claim("C115")
def later_models_do_worse_on_synthetic2(errors: pd.DataFrame) -> Decision:
    """Judge Naive Bayes on Synthetic2: the first model errs less than every later one, in both algorithms.

    On every split.
    """
    mine = errors.query("dataset == 'synthetic2' and base_model == 'naive_bayes'")
    evidence, holds = [], True
    for algorithm, group in mine.groupby("algorithm"):
        sequences = group.pivot(index="repetition", columns="model", values="error")
        first, later = sequences[1], sequences.drop(columns=1)
        if later.isna().all(axis="columns").any():
            return None, "needs two base models or more"
        holds = holds and bool((first < later.min(axis="columns")).all())
        evidence.append(
            f"{algorithm}: first {first.min():.4f} to {first.max():.4f}, "
            f"later {later.min().min():.4f} to {later.max().max():.4f}"
        )
    return (bool(holds), "; ".join(evidence)) if len(evidence) == 2 else (None, "needs both algorithms")


@claim("C118", by_construction=True)
def passes_are_as_counted(passes: Mapping[str, float], n_models: int) -> Decision:
    """Judge how often each example is used: bagging M times, boosting 2M, online algorithms once.

    Parameters
    ----------
    passes : mapping
        For "bagging", "boosting", "online_bagging" and "online_boosting" how often the training
        set was gone through.
    n_models : int
        Base models that batch ensembles made.
    """
    wanted = {"bagging": n_models, "boosting": 2 * n_models, "online_bagging": 1, "online_boosting": 1}
    evidence = ", ".join(f"{name.replace('_', ' ')} {count:g}" for name, count in passes.items())
    return dict(passes) == wanted, f"{n_models} base models; {evidence}"
