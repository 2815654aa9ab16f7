"""Checks of the claims about earlier online ensembles (thesis section 2.4).

A comparison is a table with one row a data set: `difference` of the mean accuracies, first minus
second algorithm, and `mark`: whether the first is significantly "better" or "worse" by Welch's
t-test at 0.05, "none" or "unknown".  "Better overall" and "comparable" are defined in `_evidence`.
"""

import numpy as np
import pandas as pd
import scipy.stats

from ..experiments.statistics import LEVEL
from ._evidence import above_zero, comparable, overall_better
from ._registry import Decision, claim


@claim("C038")
def blocks_are_half_hard(blocks: pd.DataFrame) -> Decision:
    """Judge how many examples of each block the vote of the earlier models got wrong.

    The claim holds if on no stream the number of hard examples is so far from half that one of that
    many streams would come out like it with probability below 0.001 (exact binomial tests).

    Parameters
    ----------
    blocks : DataFrame
        Columns stream, hard and size, a row for each block that was filled by the acceptance rule
        with the exact error of the vote.
    """
    if len(blocks) < 10:
        return None, "needs ten blocks or more"
    totals = blocks.groupby("stream", sort=False)[["hard", "size"]].sum()
    p_values = [scipy.stats.binomtest(row.hard, row.size).pvalue for row in totals.itertuples()]
    shares = ", ".join(f"{row.Index} {row.hard} of {row.size}" for row in totals.itertuples())
    evidence = f"hard, with the exact error: {shares}; smallest p-value {min(p_values):.2g}"
    return min(p_values) >= 0.001 / len(p_values), evidence


@claim("C039")
def larger_blocks_learn_faster(errors: pd.DataFrame) -> Decision:
    """Judge errors by repetition and number of blocks (rows) for rising block sizes (columns).

    How fast the error falls is measured by its mean over the numbers of blocks. In each repetition
    a line is fitted to that mean against the logarithm of the block size. The claim holds if the
    slopes are significantly below 0, fails if they are above it (t-test at 0.05), and is open
    otherwise.
    """
    if errors.shape[1] < 2 or errors.index.nlevels < 2:
        return None, "needs two block sizes or more, and repetitions"
    doublings = np.log2(errors.columns.to_numpy(float))
    slopes = np.polyfit(doublings, errors.groupby(level=0).mean().T, 1)[0]
    mean, last = errors.mean(), errors.groupby(level=0).last().mean()
    text = ", ".join(f"{size}: {a:.4f} ({b:.4f})" for size, a, b in zip(errors, mean, last, strict=True))
    standard_error = scipy.stats.sem(slopes)
    return above_zero(-slopes), (
        f"{slopes.mean():+.4f} ± {standard_error:.4f} for each doubling of the block, {len(slopes)} streams; "
        f"mean error (after the last block) with blocks of {text}"
    )


@claim("C040")
def boosting_beats_blocks(comparison: pd.DataFrame) -> Decision:
    """Judge AdaBoost against blocked boosting: to be better overall."""
    return overall_better(comparison)


@claim("C041")
def online_boosting_beats_blocks(comparison: pd.DataFrame) -> Decision:
    """Judge online boosting against blocked boosting: to be better overall."""
    return overall_better(comparison)


@claim("C042")
def primed_boosting_beats_blocks(comparison: pd.DataFrame) -> Decision:
    """Judge primed online boosting against blocked boosting: to be better overall."""
    return overall_better(comparison)


@claim("C043", by_construction=True)
def priming_takes_a_fifth(sizes: pd.DataFrame) -> Decision:
    """Judge how many examples are learned in batch: the lesser of a fifth and 10,000.

    Parameters
    ----------
    sizes : DataFrame
        Columns n_train and n_prime; one training set below 50,000 examples and one above is needed.
    """
    if not sizes["n_train"].min() < 50_000 < sizes["n_train"].max():
        return None, "needs training sets below and above 50,000 examples"
    wrong = sizes[sizes["n_prime"] != (sizes["n_train"] // 5).clip(upper=10_000)]
    pairs = ", ".join(f"{row.n_prime} of {row.n_train}" for row in sizes.itertuples())
    return wrong.empty, f"primes with {pairs}"


@claim("C044", by_construction=True)
def blocks_hold_a_hundred(blocks: pd.DataFrame) -> Decision:
    """Judge how many examples a block holds: 100, and for Promoters all 84 (or 85) there are.

    Parameters
    ----------
    blocks : DataFrame
        Indexed by data set, with columns n_train and block.
    """
    if "promoters" not in blocks.index or blocks.index.nunique() < 2:
        return None, "needs Promoters and another data set"
    wanted = blocks["n_train"].where(blocks.index == "promoters", 100)
    wrong = blocks[(blocks["block"] != wanted) | (wanted > 100)]
    promoters = blocks.loc[["promoters"], "block"]
    evidence = (
        f"Promoters {promoters.min()} to {promoters.max()}; {len(wrong)} of {len(blocks)} other than said"
    )
    return wrong.empty, evidence


@claim("C045")
def fixed_fraction_never_beats_a_tree(comparison: pd.DataFrame) -> Decision:
    """Judge fixed-fraction bagging against a single tree: to be significantly better nowhere.

    Of forty tests at 0.05 two come out significant by chance, one of them as better. So a claim of
    "never" fails only if a comparison is still better by Holm's correction, which keeps the chance
    of one false alarm among all of them below 0.05. It holds if none is better even without the
    correction, and is open otherwise.

    `comparison` is what `oza.exhibits.compare` gives, for each update probability: the index's outer level.
    """
    tested = comparison[comparison["mark"] != "unknown"].sort_values("p_value")
    if len(tested) < 2:
        return None, "needs two data sets or more with two splits or more"
    holm = (tested["p_value"] * np.arange(len(tested), 0, -1)).cummax().clip(upper=1)
    better = tested.assign(holm=holm)[tested["mark"] == "better"]
    still = int((better["holm"] < LEVEL).sum())
    evidence = (
        f"better on {len(better)} of {len(tested)}, on {still} by Holm's correction; "
        f"at least {tested['n_splits'].min()} splits each; trees without a limit of depth"
    )
    for (p, dataset), p_value, corrected in zip(better.index, better["p_value"], better["holm"], strict=True):
        evidence += f"; P_u {p} on {dataset}: p = {p_value:.2g}, by Holm {corrected:.2g}"
    return False if still else None if len(better) else True, evidence


@claim("C046")
def update_probability_trades_quality_for_diversity(sweep: pd.DataFrame) -> Decision:
    """Judge members of fixed-fraction bagging by their update probability.

    To hold, accuracy rises and disagreement falls from the lowest P_u to the highest, with rank
    correlations of at least 0.9 in size.

    Parameters
    ----------
    sweep : DataFrame
        Indexed by P_u in rising order; mean `accuracy` of a member and mean pairwise
        `disagreement`.
    """
    if len(sweep) < 4:
        return None, "needs four update probabilities or more"
    ranks = sweep.reset_index(names="p").rank().corr()["p"]
    first, last = sweep.iloc[0], sweep.iloc[-1]
    evidence = (
        f"members' accuracy {first['accuracy']:.3f} to {last['accuracy']:.3f}, disagreement "
        f"{first['disagreement']:.3f} to {last['disagreement']:.3f}"
    )
    return bool(ranks["accuracy"] >= 0.9 and ranks["disagreement"] <= -0.9), evidence


@claim("C047")
def both_baggings_match_fixed_fraction(batch: pd.DataFrame, online: pd.DataFrame) -> Decision:
    """Judge batch and online bagging against fixed-fraction bagging: both to be comparable."""
    verdicts = [comparable(batch), comparable(online)]
    evidence = "; ".join(
        f"{name}: {text}" for name, (_, text) in zip(("batch", "online"), verdicts, strict=True)
    )
    if any(holds is None for holds, _ in verdicts):
        return None, evidence
    return all(holds for holds, _ in verdicts), evidence


@claim("C048")
def many_small_trees_beat_few_large(errors: pd.DataFrame) -> Decision:
    """Judge errors of boosted trees that share one budget of leaves.

    To hold, the mean error in the upper half of the numbers is below that in the lower half on every
    problem (a middle one belongs to neither).

    Parameters
    ----------
    errors : DataFrame
        Indexed by the number of trees in rising order; a column for each problem.
    """
    half = len(errors) // 2
    if half < 2:
        return None, "needs four numbers of trees or more"
    few, many = errors.iloc[:half].mean(), errors.iloc[-half:].mean()
    text = ", ".join(f"{name}: {a:.3f} to {b:.3f}" for name, a, b in zip(errors, few, many, strict=True))
    return bool((many < few).all()), f"mean error with few large and with many small trees, {text}"


@claim("C049")
def boosting_beats_arcing(comparison: pd.DataFrame) -> Decision:
    """Judge AdaBoost against online Arc-x4: to be better overall."""
    return overall_better(comparison)


@claim("C050")
def online_boosting_matches_arcing(comparison: pd.DataFrame) -> Decision:
    """Judge online boosting against online Arc-x4: to be comparable."""
    return comparable(comparison)


@claim("C051")
def primed_boosting_beats_arcing(comparison: pd.DataFrame) -> Decision:
    """Judge primed online boosting against online Arc-x4: to be better overall, by however little."""
    return overall_better(comparison)
