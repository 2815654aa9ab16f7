"""Checks of the claims about boosting's accuracy, base models and times (thesis section 4.6, KDD section 4).

`tables` maps the numbers of Tables 4.1 to 4.6 to the cells that `oza.exhibits.accuracy_cells`
gives. Rows that are reported apart do not count. "Significant" is Welch's t-test at 0.05, as in
the thesis; small training sets are the smaller half.
"""

from collections.abc import Mapping

import pandas as pd

from ._evidence import halves, loss, names, tested
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
        For each data set the accuracies of "boosting" and "online_boosting", by rising numbers of
        training examples. The claim says "may": one curve that is more than 0.01 below at the
        first number and not more than 0.01 below at the last is enough.
    """
    if not any(len(curve) > 1 for curve in curves.values()):
        return None, "needs a curve of two points or more"
    gaps = {name: curve["boosting"] - curve["online_boosting"] for name, curve in curves.items()}
    caught_up = [name for name, gap in gaps.items() if gap.iloc[0] > 0.01 >= gap.iloc[-1]]
    evidence = ", ".join(f"{name} {gap.iloc[0]:+.4f} to {gap.iloc[-1]:+.4f}" for name, gap in gaps.items())
    return bool(caught_up), f"batch minus online, first to last: {evidence}"


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
    holds = min(lossy) > max(others) and (not and_positive or min(means.values()) > 0)
    return bool(holds), f"means over data sets: {_in_words(means)}"


@claim("C015")
def priming_helps_lossy_models_most(tables: Tables) -> Decision:
    """Judge Tables 4.1 to 4.6: primed above unprimed on average for each base model, most for networks."""
    return _greatest_for_networks(_gaps(tables, "primed_boosting", "online_boosting"), and_positive=True)


def _seconds(times: pd.DataFrame) -> pd.DataFrame:
    """Times of the three boosting algorithms of a table, where all three are known."""
    seconds = times["seconds"].unstack("algorithm")
    online = [name for name in seconds if str(name).startswith(("online_boosting", "primed_boosting"))]
    wanted = seconds[["boosting", *online]].set_axis(["boosting", "online", "primed"], axis="columns")
    return wanted.dropna()


def _all_seconds(times: Tables) -> pd.DataFrame:
    known = [_seconds(cells) for cells in times.values() if len(cells)]
    return pd.concat(known) if known else pd.DataFrame()


@claim("C016")
def online_boosting_is_mostly_faster(times: Tables) -> Decision:
    """Judge Tables 4.7 to 4.12: online faster than batch in most cases, slower in some.

    Parameters
    ----------
    times : mapping of str to DataFrame
        For each table what `oza.exhibits.time_cells` gives.
    """
    seconds = _all_seconds(times)
    if seconds.empty:
        return None, "no running times"
    faster = seconds["online"] < seconds["boosting"]
    return bool(0.5 < faster.mean() < 1), f"online boosting faster in {faster.sum()} of {len(faster)} cases"


@claim("C017")
def primed_boosting_is_fastest(times: Tables) -> Decision:
    """Judge Tables 4.7 to 4.12: primed the fastest of the three in nine cases of ten."""
    seconds = _all_seconds(times)
    if seconds.empty:
        return None, "no running times"
    fastest = seconds.idxmin(axis="columns") == "primed"
    return bool(fastest.mean() >= 0.9), f"primed boosting fastest in {fastest.sum()} of {len(fastest)} cases"


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
    "Naive Bayes": {"soybean-large", "car-evaluation", "covertype"},
}


@claim("C112")
def priming_gains_but_on_some(trees: pd.DataFrame, naive_bayes: pd.DataFrame) -> Decision:
    """Judge primed against unprimed: the sign of the difference on each data set is the one reported.

    Parameters
    ----------
    trees, naive_bayes : DataFrame
        What `oza.exhibits.compared` gives, primed against online boosting. Data sets without
        results, and the stand-in for Forest Covertype, are passed over.
    """
    if trees.empty or naive_bayes.empty:
        return None, "needs results of trees and Naive Bayes"
    otherwise, n_signs = set(), 0
    for base, marks in zip(_NO_GAIN, (trees, naive_bayes), strict=True):
        difference = marks["difference"].drop("covertype-head", errors="ignore")
        n_signs += len(difference)
        otherwise |= {
            f"{name} ({base})" for name, gain in difference.items() if (gain > 0) == (name in _NO_GAIN[base])
        }
    return not otherwise, f"{n_signs} signs; {len(otherwise)} otherwise than reported: {names(otherwise)}"


@claim("C114")
def base_model_errors_run_alike(errors: pd.DataFrame) -> Decision:
    """Judge errors of successive base models: rank correlation of batch and online above 0.5 in most cases.

    Parameters
    ----------
    errors : DataFrame
        Rows of `oza.experiments.base_model_errors`. Compared are the models that batch boosting
        made, where there are three or more.
    """
    both = errors.pivot(
        index=["base_model", "dataset", "model"], columns="algorithm", values="error"
    ).dropna()
    cases = {
        key: group["boosting"].corr(group["online_boosting"], method="spearman")
        for key, group in both.groupby(level=["base_model", "dataset"])
        if len(group) > 2
    }
    if not cases:
        return None, "needs three base models or more of both algorithms"
    alike = sum(value > 0.5 for value in cases.values())
    evidence = ", ".join(f"{base} on {dataset} {value:.2f}" for (base, dataset), value in cases.items())
    return alike > len(cases) / 2, f"above 0.5 in {alike} of {len(cases)} cases: {evidence}"


@claim("C115")
def later_models_do_worse_on_synthetic2(errors: pd.DataFrame) -> Decision:
    """Judge Naive Bayes on Synthetic2: the first model errs less than every later one, in both algorithms."""
    mine = errors.query("dataset == 'synthetic2' and base_model == 'naive_bayes'")
    evidence, holds = [], True
    for algorithm, group in mine.groupby("algorithm"):
        sequence = group.set_index("model")["error"]
        if len(sequence) < 2:
            return None, "needs two base models or more"
        later = sequence.drop(1)
        holds = holds and sequence[1] < later.min()
        evidence.append(f"{algorithm}: first {sequence[1]:.4f}, later {later.min():.4f} to {later.max():.4f}")
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
