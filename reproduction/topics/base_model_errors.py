"""Errors of successive base models in batch and online boosting (thesis section 4.6.3): the claims."""

import pandas as pd

from ..claims.criteria import above_zero
from ..claims.registry import Decision, claim, require
from ..printed.layout import BASES, heading


@claim("C114", evidence=lambda record: (record.errors(),))
def base_model_errors_run_alike(errors: pd.DataFrame) -> Decision:
    """Judge whether errors of successive base models rise and fall alike in batch and online boosting.

    The measure is Spearman's rank correlation over the models that both algorithms made, on each split with
    ten of them or more. A case is a base model on a data set with two such splits or more. Its errors run
    alike if the mean correlation over the splits is significantly above 0.5 (t-test at 0.05), and do not if
    it is significantly below. The claim holds if they run alike in more than half of the cases, fails if they
    do not in at least half, and is undecided otherwise.

    Parameters
    ----------
    errors : DataFrame
        Rows of the study `errors`. The stand-in for Forest Covertype does not count.
    """
    index = ["base_model", "dataset", "repetition", "model"]
    mine = errors[errors["dataset"] != "covertype-head"]
    both = mine.pivot(index=index, columns="algorithm", values="error").dropna()
    correlations = {
        key: group["boosting"].corr(group["online_boosting"], method="spearman")
        for key, group in both.groupby(level=index[:-1])
        if len(group) >= 10
    }
    require(correlations, "needs ten base models or more of both algorithms")
    by_split = pd.Series(correlations).unstack()
    cases = by_split[by_split.count(axis="columns") >= 2]
    require(not cases.empty, "needs two splits or more")
    alike = [above_zero(values.dropna() - 0.5) for _, values in cases.iterrows()]
    shown = zip(cases.index, cases.mean(axis="columns"), cases.sem(axis="columns"), strict=True)
    text = ", ".join(f"{BASES[base]} on {name} {mean:+.2f} ± {sem:.2f}" for (base, name), mean, sem in shown)
    n_alike, n_not, half = alike.count(True), alike.count(False), len(alike) / 2
    return (True if n_alike > half else False if n_not >= half else None), (
        f"alike in {n_alike} of {len(alike)} cases, not in {n_not}: {text}"
    )


@claim("C115", evidence=lambda record: (record.errors("4.22"),))
def later_models_do_worse_on_synthetic2(errors: pd.DataFrame) -> Decision:
    """Judge Naive Bayes on Synthetic2: in both algorithms the first model errs less than every later one.

    This must hold on every split.
    """
    mine = errors.query("dataset == 'synthetic2' and base_model == 'naive_bayes'")
    sequences = mine.pivot(index=["algorithm", "repetition"], columns="model", values="error")
    require(sequences.index.unique("algorithm").size == 2, "needs both algorithms")
    later = sequences.drop(columns=1).agg(["min", "max"], axis="columns").assign(first=sequences[1])
    require(later["min"].notna().all(), "needs two base models or more")
    ranges = later.groupby(level="algorithm").agg(["min", "max"])
    return bool((later["first"] < later["min"]).all()), "; ".join(
        f"{heading(str(algorithm)).lower()}: first {of['first', 'min']:.4f} to {of['first', 'max']:.4f}, "
        f"later {of['min', 'min']:.4f} to {of['max', 'max']:.4f}"
        for algorithm, of in ranges.iterrows()
    )
