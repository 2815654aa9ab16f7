"""Checks of the claims about bagging's accuracy and times (thesis section 3.5, KDD sections 4.2 and 4.5).

Most take the cells of accuracies or of times that `oza.exhibits` gives. Rows that are reported
apart do not count. "Significant" is Welch's t-test at 0.05, as in the thesis; "comparable" allows
a significant difference on one data set in ten; "much worse" is a loss of more than 0.04 (the
reference table's reading of C074); times are "comparable" within a factor of 3, and "much faster"
beyond it. The larger data sets are the upper half by training examples.
"""

from collections.abc import Collection, Mapping

import pandas as pd

from ._evidence import counted, halves, loss, marked, names, tested
from ._registry import Decision, claim

MUCH_WORSE = 0.04
COMPARABLE_TIMES = 3
_BAGS = ("bagging", "online_bagging")
_SUBSTITUTE = "the calendar data cannot be had; the stream that stands in for them cannot decide it"
_NOTHING = "needs two splits or more of each algorithm"


def _comparable(cells: pd.DataFrame) -> Decision:
    """Batch and online differ significantly on one data set in ten at most."""
    found = tested(cells)
    if found.empty:
        return None, _NOTHING
    keys = [name for name in ("table", "dataset") if name in found.index.names]
    is_starred = found["star"].groupby(level=keys).any()
    which = names(is_starred[is_starred].index.get_level_values("dataset"))
    evidence = f"batch and online differ on {is_starred.sum()} of {len(is_starred)} data sets: {which}"
    return bool(is_starred.mean() <= 0.1), evidence


def _of_tables(cells: pd.DataFrame, *tables: str) -> pd.DataFrame:
    """Select the tables that a claim speaks of."""
    return cells[cells.index.isin(tables, level="table")]


def _has_all(cells: pd.DataFrame, *tables: str) -> bool:
    return set(tables) <= set(cells.index.get_level_values("table"))


@claim("C066")
def bagged_trees_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: a significant difference of batch and online on one data set in ten at most."""
    return _comparable(cells)


@claim("C073")
def bagged_stumps_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: a significant difference of batch and online on one data set in ten at most."""
    return _comparable(cells)


@claim("C009")
def bagging_mostly_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 to 3.5 together, all of which must be there (what `joined_cells` gives)."""
    cells = _of_tables(cells, "3.3", "3.4", "3.5")
    if not _has_all(tested(cells), "3.3", "3.4", "3.5"):
        return None, "needs results of trees, Naive Bayes and stumps"
    return _comparable(cells)


@claim("C106")
def bagging_always_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 and 3.4 together: no significant difference of batch and online at all."""
    found = tested(_of_tables(cells, "3.3", "3.4"))
    if not _has_all(found, "3.3", "3.4"):
        return None, "needs results of trees and Naive Bayes"
    starred = found[found["star"]].index.get_level_values("dataset")
    return starred.empty, f"{len(found)} ensembles; batch and online differ on {names(starred)}"


@claim("C070")
def bagging_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: online like batch, and both mostly like the single model.

    The claim holds if at most one data set in ten has a significant difference between batch and
    online, and fewer than half of the ensembles differ significantly from the single model.
    """
    found = tested(cells)
    holds, evidence = _comparable(cells)
    differ = int((found["welch"] != "none").sum())
    return (
        None if holds is None else holds and differ < len(found) / 2,
        f"{evidence}; {differ} of {len(found)} ensembles differ from the single model",
    )


@claim("C108")
def bagging_gains_nothing(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: no ensemble significantly better than the single model.

    Rows that are reported apart do not count; the evidence names those that would speak against
    the claim.
    """
    found = tested(cells)
    if found.empty:
        return None, _NOTHING
    better = names(found[found["welch"] == "better"].index.get_level_values("dataset"))
    apart = cells[(cells["verdict"] == "apart") & (cells["welch"] == "better")]
    also = f"; apart: {names(apart.index.get_level_values('dataset'))}" if len(apart) else ""
    return better == "none", f"{len(found)} ensembles, better on {better}{also}"


@claim("C071")
def batch_wins_on_chess(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: on Chess, batch bagging significantly better than online."""
    chess = cells.query("dataset == 'chess' and welch != 'unknown'").droplevel("dataset")
    if "bagging" not in chess.index:
        return None, "no results on chess"
    mean = chess["mean"]
    return bool(chess["star"]["bagging"]), f"batch {mean['bagging']:.4f}, online {mean['online_bagging']:.4f}"


def _better_exactly_on(cells: pd.DataFrame, wanted: Collection[str], all_of: Collection[str]) -> Decision:
    """Both bagging algorithms significantly better on some data sets, and comparable on the others."""
    found = tested(cells)
    found = found[found.index.isin(all_of, level="dataset")]
    better, worse = ({a: marked(found, a, mark) for a in _BAGS} for mark in ("better", "worse"))
    evidence = "; ".join(
        f"{a.replace('_', ' ')} better on {names(better[a])}, worse on {names(worse[a])}" for a in _BAGS
    )
    contrary = [
        dataset
        for dataset, algorithm in found.index
        if dataset in worse[algorithm] or (dataset in wanted) != (dataset in better[algorithm])
    ]
    missing = set(all_of) - set(found.index.get_level_values("dataset"))
    if contrary:
        return False, f"{evidence}; otherwise than claimed on {names(contrary)}"
    return (None, f"{evidence}; not run: {names(missing)}") if missing else (True, evidence)


@claim("C067")
def bagging_improves_trees(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: both algorithms significantly better on its eight data sets but Mushroom."""
    eight = set(cells[cells["printed"].notna()].index.get_level_values("dataset"))
    return _better_exactly_on(cells, eight - {"mushroom"}, eight)


@claim("C072")
def bagging_improves_few_stumps(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: both algorithms significantly better on Promoters and Balance, and only there."""
    found = counted(cells)
    judged = set(found[found["printed"].notna()].index.get_level_values("dataset"))
    return _better_exactly_on(cells, {"promoters", "balance"}, judged | {"promoters", "balance"})


@claim("C068")
def one_tree_is_perfect_on_mushroom(results: pd.DataFrame) -> Decision:
    """Judge the runs of Table 3.3: single trees make no error on Mushroom, to the table's four digits."""
    runs = results.query("dataset == 'mushroom' and algorithm == 'single'")
    if runs.empty:
        return None, "no results on mushroom"
    wrong, n_tested = runs["n_test"] - runs["n_correct"], runs["n_test"].sum()
    of_splits = f"none on {(wrong == 0).sum()} of {len(runs)} splits"
    share = 1 - wrong.sum() / n_tested
    evidence = (
        f"fraction correct {share:.4f}: {wrong.sum()} errors on {n_tested:,} test examples, {of_splits}"
    )
    return round(share, 4) == 1, evidence


@claim("C069")
def online_trees_are_expensive(
    trees: pd.DataFrame, naive_bayes: pd.DataFrame, sizes: Mapping[str, int]
) -> Decision:
    """Judge times of online bagging, trees beside Naive Bayes.

    Parameters
    ----------
    trees, naive_bayes : DataFrame
        What `oza.exhibits.time_cells` gives.
    sizes : mapping
        Examples of each data set. The claim holds if a tree costs ten times as much as Naive
        Bayes everywhere, and an example costs more the more there are (rank correlation above 0).
    """
    pair = pd.DataFrame(
        {
            "trees": trees["seconds"].xs("online_bagging", level="algorithm"),
            "naive_bayes": naive_bayes["seconds"].xs("online_bagging", level="algorithm"),
        }
    ).dropna()
    if len(pair) < 3:
        return None, "needs running times on three data sets or more"
    ratio = pair["trees"] / pair["naive_bayes"]
    n_examples = pd.Series(sizes)[pair.index]
    trend = (pair["trees"] / n_examples).corr(n_examples, method="spearman")
    evidence = (
        f"{ratio.min():.0f} to {ratio.max():.0f} times as long as Naive Bayes, on {len(pair)} data sets; "
        f"rank correlation of the time for an example with the number of examples {trend:.2f}"
    )
    return bool(ratio.min() > 10 and trend > 0), evidence


@claim("C080")
def times_are_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.8 to 3.10 together: online within a factor of 3 of batch, everywhere.

    Parameters
    ----------
    cells : DataFrame
        What `oza.exhibits.time_cells` gives, of these tables, joined on a level `table`.
    """
    ratio = _ratio(_of_tables(cells, "3.8", "3.9", "3.10"), "online_bagging", "bagging")
    if not _has_all(ratio.to_frame(), "3.8", "3.9", "3.10"):
        return None, "needs running times of trees, Naive Bayes and stumps"
    is_comparable = ratio.between(1 / COMPARABLE_TIMES, COMPARABLE_TIMES)
    which = ", ".join(f"{dataset} of Table {table}" for table, dataset in ratio[~is_comparable].index)
    evidence = (
        f"online takes {ratio.min():.3f} to {ratio.max():.3f} times as long, in {len(ratio)} comparisons"
    )
    return bool(is_comparable.all()), f"{evidence}; not comparable: {which or 'none'}"


def _ratio(cells: pd.DataFrame, a: str, b: str) -> pd.Series:
    seconds = cells["seconds"].unstack("algorithm")
    return (seconds[a] / seconds[b]).dropna() if {a, b} <= set(seconds) else pd.Series(dtype=float)


# ------------------------------------------------------------------------------ networks


def _size_matters(gaps: pd.Series) -> tuple[bool, str]:
    """Whether the loss is greater on the smaller data sets; and the medians in words."""
    small, large = (half.median() for half in halves(gaps))
    return bool(small > large), f"median loss {small:.4f} on the smaller data sets, {large:.4f} on the larger"


@claim("C010")
def online_networks_suffer_most_when_small(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: online bagging loses on most data sets, more on the smaller, little on the larger.

    "Little" is a median of at most 0.04 on the larger half.
    """
    gaps = loss(cells, "bagging", "online_bagging")
    if len(gaps) < 4:
        return None, "needs four data sets or more"
    shrinks, evidence = _size_matters(gaps)
    holds = shrinks and (gaps > 0).mean() > 0.5 and halves(gaps)[1].median() <= MUCH_WORSE
    return bool(holds), f"online bagging loses on {(gaps > 0).sum()} of {len(gaps)}; {evidence}"


def _often_much_worse(gaps: pd.Series) -> tuple[bool, str]:
    """Whether the loss is more than 0.04 on a third of the data sets or more."""
    much = gaps > MUCH_WORSE
    evidence = f"worse by more than {MUCH_WORSE} on {much.sum()} of {len(gaps)} data sets"
    return bool(much.mean() >= 1 / 3), evidence


@claim("C074")
def online_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge the single networks of Table 3.6: a loss of more than 0.04 on a third of the data sets."""
    gaps = loss(cells, "single", "online_single")
    return _often_much_worse(gaps) if len(gaps) else (None, "no results of both")


@claim("C075")
def online_bags_of_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge the bags of Table 3.6: as for C074, and more so on the smaller data sets."""
    gaps = loss(cells, "bagging", "online_bagging")
    if len(gaps) < 4:
        return None, "needs four data sets or more"
    often, evidence = _often_much_worse(gaps)
    shrinks, medians = _size_matters(gaps)
    return often and shrinks, f"{evidence}; {medians}"


@claim("C076")
def online_bagging_gains_less(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: on most data sets bagging gains less online than in batch."""
    batch, online = (
        -loss(cells, a, b) for a, b in (("single", "bagging"), ("online_single", "online_bagging"))
    )
    less = (batch - online).dropna() > 0
    if less.empty:
        return None, "no results of all four"
    return bool(less.mean() > 0.5), f"less on {less.sum()} of {len(less)}; not on {names(less[~less].index)}"


@claim("C077")
def bagging_helps_networks_of_ten_updates(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.7: online bagging significantly better than its single network on most data sets."""
    found = tested(cells)
    ten = found[found.index.get_level_values("algorithm") == "online_bagging_10"]
    if ten.empty:
        return None, _NOTHING
    better = ten["welch"] == "better"
    return bool(better.mean() > 0.5), f"better on {better.sum()} of {len(better)} data sets"


@claim("C078")
def ten_updates_narrow_the_gap(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: batch significantly better than ten updates on most data sets, by less.

    Parameters
    ----------
    one, ten : DataFrame
        Cells of Table 3.6 and of Table 3.7. Both parts must hold on most data sets, for single
        networks and for bags alike.
    """
    holds, evidence = True, []
    for batch, online in (("single", "online_single"), ("bagging", "online_bagging")):
        gaps = pd.DataFrame(
            {"one": loss(one, batch, online), "ten": loss(ten, batch, f"{online}_10")}
        ).dropna()
        if gaps.empty:
            return None, "needs networks of one and of ten updates"
        better = ten["star"].xs(batch, level="algorithm")[gaps.index]
        narrower = gaps["ten"] < gaps["one"]
        holds = holds and better.mean() > 0.5 and narrower.mean() > 0.5
        evidence.append(f"{batch}: better on {better.sum()}, by less on {narrower.sum()} of {len(gaps)}")
    return bool(holds), "; ".join(evidence)


@claim("C079")
def online_networks_lose_little_when_large(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: on each larger data set a loss of at most 0.04, with one update or ten."""
    gaps = [
        halves(loss(cells, batch, f"online_{batch}{suffix}"))[1]
        for cells, suffix in ((one, ""), (ten, "_10"))
        for batch in ("single", "bagging")
    ]
    if any(gap.empty for gap in gaps):
        return None, "needs networks of one and of ten updates"
    worst = pd.concat(gaps, axis=1).max(axis=1)
    much = names(worst[worst > MUCH_WORSE].index)
    return much == "none", f"at most {worst.max():.4f} on {len(worst)} larger data sets; above 0.04 on {much}"


def _faster(ratio: pd.Series, factor: float) -> Decision:
    """Whether the time ratio is below 1/factor on nine data sets in ten."""
    if ratio.empty:
        return None, "no running times"
    is_faster = ratio < 1 / factor
    slow = names(ratio[~is_faster].index)
    evidence = f"takes {ratio.min():.2g} to {ratio.max():.2g} times as long; not so much faster on {slow}"
    return bool(is_faster.mean() >= 0.9), evidence


@claim("C081")
def ten_updates_are_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of ten updates takes less time on nine data sets in ten."""
    return _faster(_ratio(cells, "online_bagging_10", "bagging"), 1)


@claim("C082")
def one_update_is_much_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of one update takes a third of the time on nine data sets in ten."""
    return _faster(_ratio(cells, "online_bagging", "bagging"), COMPARABLE_TIMES)


@claim("C083", by_construction=True)
def batch_networks_pass_a_thousand_times(passes: Mapping[str, float]) -> Decision:
    """Judge the examples that were learned, a number for each example of the training set.

    Parameters
    ----------
    passes : mapping
        For "bagging" the updates of all networks, for "online_bagging" the examples handed over,
        both divided by the number of training examples.
    """
    evidence = f"batch {passes['bagging']:g}, online {passes['online_bagging']:g}"
    return passes["bagging"] == 1000 and passes["online_bagging"] == 1, evidence


@claim("C084")
def relearning_costs_more(cells: pd.DataFrame, blocks: int) -> Decision:
    """Judge times: batch often faster on a fixed training set, dearer when data arrive in blocks.

    Parameters
    ----------
    cells : DataFrame
        What `oza.exhibits.time_cells` gives, of several tables joined. "Often" is on a third of
        the data sets or more.
    blocks : int
        Number of equal blocks in which the data arrive. Batch learners begin anew after each, and
        so learn (blocks + 1)/2 times as many examples; that must cost more everywhere.
    """
    ratio = _ratio(cells, "bagging", "online_bagging")
    if ratio.empty:
        return None, "no running times"
    faster, dearer = ratio < 1, ratio * (blocks + 1) / 2 > 1
    evidence = (
        f"batch faster on {faster.sum()} of {len(ratio)}; "
        f"relearning after each of {blocks} blocks dearer than updating on {dearer.sum()}"
    )
    return bool(faster.mean() >= 1 / 3 and dearer.all()), evidence


# ------------------------------------------------------------------------------ set-up, convergence, windows


@claim("C062")
def unstable_models_converge_slower(stable: pd.DataFrame, unstable: pd.DataFrame) -> Decision:
    """Judge how often batch and online bagging disagree, for rising numbers of examples.

    Parameters
    ----------
    stable, unstable : DataFrame
        Shares of predictions, a row for each number of examples, a column for each base model. At
        the largest number each unstable model must disagree more than each stable one.
    """
    if len(stable) < 2 or not len(stable.columns) or not len(unstable.columns):
        return None, "needs two numbers of examples and both kinds of base models"
    last = pd.concat([stable.iloc[-1], unstable.iloc[-1]])
    evidence = f"at N = {stable.index[-1]}: " + ", ".join(
        f"{name} {share:.4f}" for name, share in last.items()
    )
    return bool(unstable.iloc[-1].min() > stable.iloc[-1].max()), evidence


@claim("C063", by_construction=True)
def protocol_is_as_described(planned: pd.DataFrame) -> Decision:
    """Judge the tasks of a study: 100 models, 50 splits in batch, 250 online; Census Income one split.

    Parameters
    ----------
    planned : DataFrame
        The study's tasks, a column for each field.
    """
    tasks = planned.assign(ensemble=planned["algorithm"] != "single")
    bags = tasks[tasks["algorithm"].isin(_BAGS)]
    runs = bags.groupby(["dataset", "algorithm"]).size().unstack()
    models = set(tasks.loc[tasks["ensemble"], "n_models"])
    census = set(bags.loc[bags["dataset"] == "census-income", "fold"])
    others = runs.drop(["census-income", "soybean-large"], errors="ignore")  # both come split
    holds = models == {100} and (others == [50, 250]).all(axis=None) and census == {0}
    evidence = (
        f"models {sorted(models)}, batch results {sorted(set(others['bagging']))}, "
        f"online {sorted(set(others['online_bagging']))}, splits of Census Income {len(census)}"
    )
    return bool(holds), evidence


@claim("C064", by_construction=True)
def networks_are_trained_as_described(settings: Mapping[str, Mapping[str, int]]) -> Decision:
    """Judge the settings of the base models: ten epochs in batch, one pass of one or ten updates online."""
    found = [(own["epochs"], own["updates"]) for own in settings.values()]
    evidence = "; ".join(f"{epochs} epochs, {updates} updates" for epochs, updates in found)
    return sorted(found) == [(10, 1), (10, 10)], evidence


@claim("C089")
def windows_need_tuning(windows: pd.Series, online: float, is_real: bool) -> Decision:
    """Judge accuracies of batch learning on a sliding window beside online bagging, on one stream.

    Parameters
    ----------
    windows : Series
        Accuracy for each size of the window. That the size must be tuned shows in a range of more
        than 0.01 between the best and the worst.
    online : float
        Accuracy of online bagging, which has no window; at most 0.01 below the best.
    is_real : bool
        Whether the stream is that of the thesis: no other can decide this.
    """
    if not is_real:
        return None, _SUBSTITUTE
    if len(windows) < 2:
        return None, "needs two windows or more"
    span = f"{windows.min():.4f} to {windows.max():.4f}"
    evidence = f"windows {span}, best {windows.idxmax()}; online bagging {online:.4f}"
    return bool(windows.max() - windows.min() > 0.01 and online >= windows.max() - 0.01), evidence


# ------------------------------------------------------------------------------ calendar


@claim("C011")
def bagged_trees_are_best_on_the_calendar(accuracy: pd.DataFrame, is_real: bool) -> Decision:
    """Judge Table 3.12: online bagging of trees best for each target, and better than one tree.

    Parameters
    ----------
    accuracy : DataFrame
        A row for each base model, columns (target, algorithm).
    is_real : bool
        Whether it comes from the calendar data.
    """
    if not is_real:
        return None, _SUBSTITUTE
    tree = accuracy.loc["decision_tree"]
    bagged, alone = (tree.xs(name, level="algorithm") for name in ("online_bagging", "single"))
    best = accuracy.T.groupby(level="target").max().T.max()
    return bool((bagged == best).all() and (bagged > alone).all()), f"bagged trees {bagged.to_dict()}"


@claim("C085")
def calendar_has_its_counts(counts: Mapping[str, int] | None) -> Decision:
    """Judge the shape of the calendar data: appointments, inputs, values of both targets."""
    if counts is None:
        return None, "the calendar data cannot be had"
    wanted = {"appointments": 1790, "inputs": 32, "day": 6, "duration": 13}
    return dict(counts) == wanted, ", ".join(f"{name} {count}" for name, count in counts.items())


@claim("C086", by_construction=True)
def accuracy_is_prequential(differing: Mapping[str, int], n_examples: int) -> Decision:
    """Judge how many predictions differ from those of the loop that tests, counts and only then learns."""
    if not differing or not n_examples:
        return None, "nothing was compared"
    evidence = "; ".join(f"{name}: {count} of {n_examples} differ" for name, count in differing.items())
    return not any(differing.values()), evidence


@claim("C087")
def trees_compete_on_the_calendar(
    accuracy: pd.DataFrame, reference: Mapping[str, float], is_real: bool
) -> Decision:
    """Judge Table 3.12: single trees at most 0.01 below the reference, bagged ones above them."""
    if not is_real:
        return None, _SUBSTITUTE
    tree = accuracy.loc["decision_tree"]
    targets = list(reference)
    single, bagged = ([tree[target, name] for target in targets] for name in ("single", "online_bagging"))
    holds = all(
        s >= reference[target] - 0.01 and b > s for target, s, b in zip(targets, single, bagged, strict=True)
    )
    return holds, f"single {single}, bagged {bagged}, reference {list(reference.values())}"


@claim("C088")
def others_do_not_compete_on_the_calendar(
    accuracy: pd.DataFrame, reference: Mapping[str, float], is_real: bool
) -> Decision:
    """Judge Table 3.12: every other base model, alone or bagged, more than 0.01 below the reference."""
    if not is_real:
        return None, _SUBSTITUTE
    best = accuracy.drop("decision_tree").T.groupby(level="target").max().max(axis=1)
    return all(best[target] < value - 0.01 for target, value in reference.items()), f"best {best.to_dict()}"
