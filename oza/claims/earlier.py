"""Checks of the claims about earlier online ensembles (thesis section 2.4).

A comparison is a table with one row a data set: `difference` of the mean accuracies, first minus
second algorithm, and `mark`: whether the first is significantly "better" or "worse" by Welch's
t-test at 0.05, "none" or "unknown".  "Better overall" and "comparable" are defined in `_evidence`.
"""

import pandas as pd

from ._evidence import comparable, overall_better, tally
from ._registry import Decision, claim


@claim("C038")
def blocks_are_half_hard(shares: pd.DataFrame) -> Decision:
    """Judge the share of each block that the vote of the earlier models got wrong.

    Parameters
    ----------
    shares : DataFrame
        Columns stream and share, a row for each block but the first. To hold, the mean share is
        within 0.05 of one half on every stream.
    """
    if len(shares) < 10:
        return None, "needs ten blocks or more"
    mean = shares.groupby("stream")["share"].mean()
    evidence = ", ".join(f"{stream}: {share:.3f}" for stream, share in mean.items())
    return bool(((mean - 0.5).abs() <= 0.05).all()), f"mean share of {evidence}"


@claim("C039")
def larger_blocks_learn_faster(errors: pd.DataFrame) -> Decision:
    """Judge the error after each number of blocks (rows) for rising block sizes (columns).

    To hold, the mean over the numbers of blocks, and the error after the last, fall from each
    block size to the next larger one.
    """
    if errors.shape[1] < 2 or len(errors) < 2:
        return None, "needs two block sizes and two numbers of blocks or more"
    mean, last = errors.mean(), errors.iloc[-1]
    falls = mean.is_monotonic_decreasing and last.is_monotonic_decreasing
    text = ", ".join(f"{size}: {error:.4f}" for size, error in last.items())
    return bool(falls), f"error after {errors.index[-1]} blocks of {text}"


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

    `comparison` is what `oza.exhibits.compare` gives, for each update probability: the index's outer level.
    """
    counted = tally(comparison)
    if counted is None:
        return None, "needs two data sets or more with two splits or more"
    better, worse, gain = counted
    where = comparison[comparison["mark"] == "better"].index
    names = ", ".join(f"{p} on {dataset}" for p, dataset in where) or "none"
    return better == 0, f"better on {better} ({names}), worse on {worse}; mean difference {gain:+.4f}"


@claim("C046")
def update_probability_trades_quality_for_diversity(sweep: pd.DataFrame) -> Decision:
    """Judge members of fixed-fraction bagging by their update probability.

    Parameters
    ----------
    sweep : DataFrame
        Indexed by P_u in rising order; mean `accuracy` of a member and mean pairwise
        `disagreement`. To hold, accuracy rises and disagreement falls from the lowest P_u to the
        highest, with rank correlations of at least 0.9 in size.
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

    Parameters
    ----------
    errors : DataFrame
        Indexed by the number of trees in rising order; a column for each problem. To hold, the mean
        error in the upper half of the numbers is below that in the lower half on every problem
        (a middle one belongs to neither).
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
