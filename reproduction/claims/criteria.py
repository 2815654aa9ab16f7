"""Questions that several checks ask of their evidence.

A comparison of two algorithms is a DataFrame with a row for each data set, or for each number of training
examples, and the columns of a `Compared`: the `difference` of the mean accuracies, first minus second, the
`half_width` of its 95 % interval, and the `p_value` and `mark` of the corrected resampled t-test at 0.05.
The thesis's own test, Welch's, is the column `welch`. It treats splits that share training examples as
independent, and decides no claim.

**Comparable** means equal in the sense of `reproduction.statistics.equivalence`, the one rule of
equality of this book. On a single row it is applied to the difference and its corrected interval. Over
several data sets it is applied to the mean difference and its t interval over the data sets, which are
independent of each other.

**Many tests.** Of forty tests at 0.05, two are expected to be significant by chance. So a claim is refuted
only by a difference that is still significant after Holm's correction over all rows that the claim
concerns. A claim that something is so nowhere holds if no row contradicts it even without the correction,
and no row is undecided. Otherwise it is undecided. A claim that something is so in some rows is the
opposite and is judged accordingly. "All rows significantly better" needs no correction: each row has to
pass its own test.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.stats

from oza.evaluation.significance import LEVEL, ROUNDING, Compared

from ..exact import log, slope
from ..statistics import Equivalence, equivalence, holm, margin, mean_against_zero
from .registry import Decision, require


def above_zero(values: Iterable[float]) -> bool | None:
    """Whether a mean is significantly above 0 (True), below it (False) or neither (None): t-test at 0.05."""
    return _SIGN.get(mean_against_zero(values).mark)


_SIGN = {"better": True, "worse": False}


def all_above_zero(differences: Sequence[pd.Series]) -> bool | None:
    """Whether each of several mean differences is significantly above 0; not, if one is below by Holm."""
    found = [mean_against_zero(values) for values in differences]
    is_below = [
        p < LEVEL and each.difference < 0
        for each, p in zip(found, holm([each.p_value for each in found]), strict=True)
    ]
    if any(is_below):
        return False
    return True if all(each.mark == "better" for each in found) else None


def above(values: Iterable[float], bound: float) -> bool | None:
    """Whether a mean over independent cases is above a bound: its 95 % interval lies on one side of it."""
    found = mean_against_zero(np.asarray(list(values), float) - bound)
    return None if not abs(found.difference) > found.half_width else found.difference > 0


def usual(cases: Iterable[bool]) -> bool | None:
    """Whether something is so in most cases (True), in few (False) or neither: sign test at 0.05."""
    found = list(cases)
    p_value = scipy.stats.binomtest(sum(found), len(found)).pvalue
    return None if p_value >= LEVEL else 2 * sum(found) > len(found)


def every(parts: Iterable[bool | None]) -> bool | None:
    """Whether all parts of a claim hold: not if one fails; undecided if one is."""
    found = list(parts)
    return False if False in found else None if None in found else True


def all_parts(parts: Iterable[tuple[bool | None, str]]) -> tuple[bool | None, str]:
    """Decide a claim of several parts, by the decision and the evidence of each."""
    decisions, evidence = zip(*parts, strict=True)
    return every(decisions), "; ".join(evidence)


def nothing_differs(differing: Mapping[str, int], learners: Sequence[str], evidence: str) -> Decision:
    """Decide whether nothing differs for some learners, all of which must have been tried, by counts."""
    if any(differing.values()):
        return False, evidence
    missing = [name for name in learners if name not in differing]
    return (None, f"{evidence}; not tried: {', '.join(missing)}") if missing else (True, evidence)


def opposite(answer: bool | None) -> bool | None:
    """The opposite of an answer; undecided if that is."""
    return None if answer is None else not answer


#: Share of the data sets on which algorithms that are comparable over them may differ.
EXCEPTIONS = 0.1

#: In what share of the cases something is "often" so.
OFTEN = 1 / 3

#: How work is counted: updates of base models, and these and their classifications together.
COUNTS = ("updates", "operations")


def agreed(answers: Iterable[bool | None]) -> bool | None:
    """Give the answer of several ways of counting, or of reading; None (undecided) if they disagree."""
    found = {None if answer is None else bool(answer) for answer in answers}
    return found.pop() if len(found) == 1 else None


def vanishes(values: pd.Series) -> bool:
    """Whether a positive sequence falls from its peak at least as fast as N to the power −1/4."""
    tail = values.loc[values.idxmax() :]
    if len(tail) < 2:
        return False
    slowest = tail.iloc[0] * (tail.index[0] / tail.index[-1]) ** 0.25
    return bool(tail.is_monotonic_decreasing and tail.iloc[-1] <= slowest)


def outside_band(values: pd.DataFrame) -> tuple[bool, float]:
    """Whether simulated values contradict exact ones, and the largest distance in standard errors.

    Parameters
    ----------
    values : DataFrame
        Columns exact, estimate and standard_error. The band is the two-sided normal one that covers
        all rows with probability 0.999; without sampling error, only rounding is allowed for.
    """
    gap = (values["estimate"] - values["exact"]).abs()
    varies = values["standard_error"] > 1e-9
    z = (gap[varies] / values["standard_error"][varies]).max() if varies.any() else 0.0
    band = scipy.stats.norm.isf(0.0005 / len(values))
    return bool(z > band or (gap[~varies] > 1e-9).any()), float(z)


def overall_better(comparison: pd.DataFrame) -> tuple[bool | None, str]:
    """Decide whether the first algorithm is better overall.

    It is if it is significantly better on more data sets than it is significantly worse on, by Holm's
    correction over the data sets, and its mean accuracy over them is significantly higher (t-test). It is not
    if both are the other way round.
    """
    rows = tested_rows(comparison)
    if len(rows) < 2:
        return None, _FEW
    n_better, n_worse = better(rows).count(True), better(exchanged(rows)).count(True)
    more, higher = np.sign(n_better - n_worse), {"better": 1, "worse": -1}.get(over_datasets(rows).mark)
    evidence = f"significantly better on {n_better}, worse on {n_worse} of {len(rows)} data sets"
    return (bool(more > 0) if more == higher else None), f"{evidence}; {mean_difference(rows)}"


_FEW = "needs two data sets or more with two splits or more"


def tested_rows(comparison: pd.DataFrame) -> pd.DataFrame:
    """Select the rows with two splits or more."""
    return comparison[comparison["mark"] != "unknown"]


#: For each row of a comparison whether something is so (True), is not so (False), or is undecided (None).
Known = list[bool | None]


def differs(comparison: pd.DataFrame) -> Known:
    """Whether two algorithms differ, by the rule of equality and Holm's correction over the rows."""
    is_sure = holm(comparison["p_value"]) < LEVEL
    rows = zip(comparison["difference"], comparison["half_width"], is_sure, strict=True)
    return [_DIFFERS[equivalence(*row)] for row in rows]


_DIFFERS: dict[Equivalence, bool | None] = {"different": True, "equal": False, "undecided": None}


def is_equal(found: Compared) -> bool | None:
    """Whether a difference that is tested alone is none, by the rule of equality."""
    return opposite(_DIFFERS[equivalence(found.difference, found.half_width)])


def better(comparison: pd.DataFrame) -> Known:
    """Whether the first algorithm is significantly better, by Holm's correction over the rows.

    It is not if neither this test nor Welch's, the thesis's own, says so of the row alone, and the interval
    leaves no room for a gain larger than the margin of equality.
    """
    is_marked = comparison["mark"] == "better"
    is_sure = is_marked & (holm(comparison["p_value"]) < LEVEL)
    reach = comparison["difference"] + comparison["half_width"]
    is_called = is_marked | (comparison["welch"] == "better")
    is_small = ((reach <= margin() + ROUNDING) & ~is_called) | (comparison["mark"] == "worse")
    return [True if sure else False if small else None for sure, small in zip(is_sure, is_small, strict=True)]


def not_better(comparison: pd.DataFrame) -> Known:
    """Whether the first algorithm fails to be significantly better, each row tested for itself."""
    is_marked = comparison["mark"] == "better"
    return [
        False if marked else True if is_it is False else None
        for marked, is_it in zip(is_marked, better(comparison), strict=True)
    ]


def missed(comparison: pd.DataFrame) -> Known:
    """Whether a significance that a source reports is not found again, each row tested for itself.

    It is found if the corrected test finds it, and missed if not even Welch's test does, which is the
    source's own and finds more.
    """
    return [
        False if mark == "better" else None if welch == "better" else True
        for mark, welch in zip(comparison["mark"], comparison["welch"], strict=True)
    ]


def exchanged(comparison: pd.DataFrame) -> pd.DataFrame:
    """Compare the second algorithm with the first."""
    found = comparison.replace({"better": "worse", "worse": "better"})  # by each test
    return found.assign(difference=-comparison["difference"])


def nowhere(known: Sequence[bool | None], exceptions: int = 0) -> bool | None:
    """Whether something is so nowhere, or in no more rows than these."""
    if known.count(True) > exceptions:
        return False
    return True if known.count(True) + known.count(None) <= exceptions else None


def somewhere(known: Sequence[bool | None]) -> bool | None:
    """Whether something is so in at least one row."""
    return opposite(nowhere(known))


def against(cells: pd.DataFrame, algorithm: str, reference: str) -> pd.DataFrame:
    """Compare two algorithms of learning curves where they were tested, by number of examples.

    A claim is undecided unless there are two such numbers or more.
    """
    chosen = cells.query("algorithm == @algorithm and reference == @reference and mark != 'unknown'")
    require(len(chosen) >= 2, "needs two splits or more, and two numbers of examples")
    return chosen.droplevel(["algorithm", "reference"]).sort_index()


def nowhere_along(
    cells: pd.DataFrame, algorithm: str, reference: str, known: Callable[[pd.DataFrame], Known], text: str
) -> tuple[bool | None, str]:
    """Whether something is so of two algorithms at no number of examples."""
    rows = against(cells, algorithm, reference)
    found = known(rows)
    return nowhere(found), places(rows, found, text)


def comparable(comparison: pd.DataFrame) -> tuple[bool | None, str]:
    """Decide whether two algorithms perform comparably over the data sets.

    They do if their mean difference over the data sets is equal to 0 by the rule of equality, and they
    differ on no more than one row in ten. They do not if the mean is different from 0, or they differ on
    significantly more rows than one in ten (binomial test). These are two tests, with Holm's correction.
    """
    rows = tested_rows(comparison)
    if len(rows) < 2:
        return None, _FEW
    overall, found = over_datasets(rows), differs(rows)
    evidence = f"{places(rows, found)}; {mean_difference(rows)}"
    n_different = found.count(True)
    of_count = scipy.stats.binomtest(n_different, len(rows), EXCEPTIONS, "greater").pvalue
    is_significant = holm([overall.p_value, of_count]) < LEVEL
    on_average = equivalence(overall.difference, overall.half_width, bool(is_significant[0]))
    if on_average == "different" or is_significant[1]:
        return False, evidence
    return (on_average == "equal" and n_different <= EXCEPTIONS * len(rows)) or None, evidence


def comparable_in_three(cells: pd.DataFrame, family: str) -> Decision:
    """Decide whether batch and online are comparable over the data sets of three tables, all needed."""
    pairs = beside(cells, "other", family)
    require(pairs.index.unique("table").size == 3, "needs results of trees, Naive Bayes and stumps")
    return comparable(pairs)


def over_datasets(rows: pd.DataFrame) -> Compared:
    """Compare over data sets: their mean difference (over the base models, if there are several), with 0."""
    by = "dataset" if "dataset" in rows.index.names else rows.index
    return mean_against_zero(rows["difference"].groupby(by).mean())


def places(rows: pd.DataFrame, known: Known, what: str = "differ") -> str:
    """Say in which rows something is so, and in which it is undecided."""
    labels = rows.index.get_level_values("dataset") if "dataset" in rows.index.names else rows.index

    def listed(answer: bool | None) -> str:
        found = dict.fromkeys(str(label) for label, k in zip(labels, known, strict=True) if k is answer)
        return f": {', '.join(found)}" if found else ""

    return (
        f"{what} on {known.count(True)} of {len(known)}{listed(True)}; "
        f"undecided on {known.count(None)}{listed(None)}"
    )


def mean_difference(rows: pd.DataFrame) -> str:
    """Say how much more accurate the first algorithm is, on average over the data sets."""
    found = over_datasets(rows)
    return f"mean difference {found.difference:+.4f} {interval_in_words(found)}"


def interval_in_words(found: Compared) -> str:
    """Say how wide the interval over the data sets is; one data set has none."""
    if math.isnan(found.half_width):
        return "(one data set, so no interval)"
    return f"± {found.half_width:.4f} (95 % interval over data sets)"


def rate(values: pd.Series) -> float:
    """Exponent a of the power law Nᵃ that fits a series best, on logarithmic scales.

    Zero has no logarithm. A series that is zero throughout has the exponent −∞; a zero at the end counts
    as half of the smallest value before it; other zeros are left out.

    Examples
    --------
    >>> round(rate(pd.Series([1.0, 0.5, 0.25], index=[100, 400, 1600])), 3)
    -0.5
    >>> round(rate(pd.Series([1.0, 0.5, 0.0], index=[100, 400, 1600])), 3)
    -0.5
    """
    positive = values[values > 0]
    if positive.empty:
        return -math.inf
    if values.iloc[-1] == 0:
        positive = pd.concat([positive, pd.Series([positive.min() / 2], values.index[-1:])])
    if len(positive) < 2:
        return 0.0
    sizes = positive.index.to_numpy(float)
    found = float(slope(log(sizes), log(positive.to_numpy(float))))
    return round(found, 12)  # rates that differ by rounding alone are tied


def counted(cells: pd.DataFrame) -> pd.DataFrame:
    """Select the cells of accuracies that have a result and are not reported separately."""
    return cells[cells["mean"].notna() & (cells["verdict"] != "excluded")]


def beside(cells: pd.DataFrame, reference: str, *algorithms: str) -> pd.DataFrame:
    """Compare algorithms of a table with their `reference`: "single", or "other", batch against online."""
    rows = counted(cells)
    rows = rows[rows.index.isin(algorithms, level="algorithm")]
    found = rows[[f"{reference}_{field}" for field in Compared._fields]].set_axis([*Compared._fields], axis=1)
    return tested_rows(found)


def smallest_first(cells: pd.DataFrame, reference: str, algorithm: str) -> pd.DataFrame:
    """Compare an algorithm as `beside` does, on each data set; those with least training data come first."""
    rows = beside(cells, reference, algorithm).droplevel("algorithm")
    rows["n_train"] = cells["n_train"].groupby(level="dataset").max()
    return rows.sort_values("n_train", kind="stable")


def halves(gaps: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Losses on the smaller and on the larger data sets."""
    middle = len(gaps) // 2
    return gaps.iloc[:middle], gaps.iloc[middle:]


def names(datasets: Iterable[str]) -> str:
    """List data sets in a sentence."""
    return ", ".join(sorted(set(datasets))) or "none"


#: Times are comparable within this factor, and much faster beyond it.
COMPARABLE_TIMES = 3


def time_ratio(cells: pd.DataFrame, a: str, b: str) -> pd.Series:
    """Divide the time of one algorithm by that of another on each data set."""
    seconds = cells["seconds"].unstack("algorithm")
    return (seconds[a] / seconds[b]).dropna() if {a, b} <= set(seconds) else pd.Series(dtype=float)
