"""Checks of the claims about the accuracy and the times of bagging (thesis section 3.5, KDD 4.2)."""

import pandas as pd

from ._registry import Decision, claim


@claim("C070")
def bagging_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: online like batch, and both mostly like the single model.

    Rows that are reported apart do not count.

    Parameters
    ----------
    cells : DataFrame
        What `oza.exhibits.accuracy_cells` gives. The claim holds if at most one data set in ten
        has a significant difference between batch and online, and fewer than half of the
        ensembles differ significantly from the single model (Welch's t-test, as the thesis).
    """
    ensembles, _ = _judged_ensembles(cells)
    if ensembles.empty:
        return None, "needs two splits or more of each algorithm"
    n_datasets = ensembles.index.unique("dataset").size
    starred = int(ensembles["star"].sum())
    differ = int((ensembles["welch"] != "none").sum())
    evidence = (
        f"batch and online differ on {starred} of {n_datasets} data sets; "
        f"{differ} of {len(ensembles)} ensembles differ from the single model"
    )
    return starred <= n_datasets / 10 and differ < len(ensembles) / 2, evidence


@claim("C108")
def bagging_gains_nothing(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: no ensemble significantly better than the single model.

    Rows that are reported apart do not count; the evidence names those that would speak against
    the claim.
    """
    ensembles, apart = _judged_ensembles(cells)
    if ensembles.empty:
        return None, "needs two splits or more of each algorithm"
    better, also = (
        ", ".join(sorted(set(part.query("welch == 'better'").index.get_level_values("dataset"))))
        for part in (ensembles, apart)
    )
    evidence = f"{len(ensembles)} ensembles, better on {better or 'none'}" + (
        f"; apart: {also}" if also else ""
    )
    return not better, evidence


def _judged_ensembles(cells: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ensembles of a table of accuracies that were tested: those that count, those apart."""
    tested = cells.drop("single", level="algorithm").query("welch != 'unknown'")
    return tested.query("verdict != 'apart'"), tested.query("verdict == 'apart'")


@claim("C071")
def batch_wins_on_chess(cells: pd.DataFrame) -> Decision:
    """Judge a table of accuracies: on Chess, batch bagging significantly better than online."""
    chess = cells.query("dataset == 'chess' and welch != 'unknown'").droplevel("dataset")
    if "bagging" not in chess.index:
        return None, "no results on chess"
    mean = chess["mean"]
    return bool(chess["star"]["bagging"]), f"batch {mean['bagging']:.4f}, online {mean['online_bagging']:.4f}"


@claim("C080")
def times_are_comparable(cells: pd.DataFrame) -> Decision:
    """Judge a table of times: online within a factor of 3 of batch, as printed for Naive Bayes.

    Parameters
    ----------
    cells : DataFrame
        What `oza.exhibits.time_cells` gives.
    """
    seconds = cells["seconds"].unstack("algorithm")
    ratio = (seconds["online_bagging"] / seconds["bagging"]).dropna()
    if ratio.empty:
        return None, "no running times"
    evidence = f"online takes {ratio.min():.2g} to {ratio.max():.2g} times as long, on {len(ratio)} data sets"
    return bool(ratio.between(1 / 3, 3).all()), evidence
