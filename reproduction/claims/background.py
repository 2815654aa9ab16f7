"""Checks of the claims about single models, ensembles and experts (thesis sections 2.1 to 2.3)."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.stats

from oza.ensembles import BaggingClassifier
from oza.models import NaiveBayesClassifier

from ..printed.record import Record
from ..simulations import forecasting
from ..simulations.averages import averaged_errors
from ..simulations.bias_variance import decomposed_ensembles
from ..simulations.learners import batch_and_online
from ..theory import lines
from .criteria import above_zero, every, outside_band, overall_better, usual
from .registry import Decision, Found, claim, recorded, require

#: The learners that claim C031 names.
LOSSLESS_LEARNERS = ("decision tree", "Naive Bayes", "decision stump")

#: Models of high bias in claim C027; the ones that claim C026 calls unstable and stable.
HIGH_BIAS = ("Naive Bayes", "decision stump")
UNSTABLE, STABLE = "decision tree", "Naive Bayes"

PARTS = ["error", "bias", "variance"]


def _three_lines(record: Record) -> tuple[list[int], int, int]:
    points = lines.in_general_position(100, 1000, seed=1)
    answers = lines.sides(points, np.array([[1, 0, -550], [0, 1, -550], [-1, -1, 1200]]))
    labels = answers.sum(axis=1) >= 2
    vote_errors = int(((answers.sum(axis=1) >= 2) != labels).sum())
    return (answers != labels[:, None]).sum(axis=0).tolist(), vote_errors, lines.best_line(points, labels)[0]


@claim("C019", evidence=_three_lines)
def three_lines_beat_one(
    line_errors: Sequence[int], vote_errors: Found[int], best_line_errors: Found[int]
) -> Decision:
    """Judge three linear classifiers, their vote, and the best single line on the same points.

    The claim holds if the vote makes no error, while each of the three classifiers and the best single line
    do.
    """
    each = ", ".join(map(str, line_errors))
    evidence = f"lines err on {each} points, their vote on {vote_errors}, the best line on {best_line_errors}"
    return min(line_errors) > 0 and vote_errors == 0 and best_line_errors > 0, evidence


@claim("C020", evidence=recorded(averaged_errors), given=("errors.exact",))
def averaging_follows_the_formula(errors: pd.DataFrame) -> Decision:
    """Judge simulated errors of averages against (1 + ρ(M − 1))/M.

    Parameters
    ----------
    errors : DataFrame
        Columns models, correlation, exact, estimate, standard_error; in units of the error of one
        model. Two numbers of models and a positive and a negative correlation are needed.
    """
    enough = errors["models"].nunique() >= 2 and errors["correlation"].min() < 0 < errors["correlation"].max()
    require(enough, "needs two numbers of models, and correlations above and below 0")
    is_off, z = outside_band(errors)
    return not is_off, f"{len(errors)} simulated values, largest |z| {z:.1f}"


def _is_where(correlation: Callable, error: Callable) -> Callable[[pd.DataFrame], Decision]:
    """Whether formula and simulation have this error where errors have this correlation, each by M."""

    def check(errors: pd.DataFrame) -> Decision:
        rows = errors[(errors["correlation"] - correlation(errors["models"])).abs() < 1e-12]
        require(len(rows), "no ensemble with errors of that correlation")
        wanted = rows.assign(exact=error(rows["models"]))
        is_exact, (is_off, z) = np.allclose(rows["exact"], wanted["exact"], 0, 1e-12), outside_band(wanted)
        models = ", ".join(map(str, rows["models"]))
        return is_exact and not is_off, f"for {models} models; largest |z| {z:.1f}"

    return check


for _number, _at, _must, _check in (
    ("C021", "1", "that of one model", _is_where(lambda m: 1.0, lambda m: 1.0)),
    ("C022", "0", "1/M", _is_where(lambda m: 0.0, lambda m: 1 / m)),
    ("C023", "−1/(M − 1)", "0", _is_where(lambda m: -1 / (m - 1), lambda m: 0.0)),
):
    _rule = f"Judge the error of averages where ρ = {_at}: it must be {_must}; simulated as for C020."
    claim(_number, _rule, evidence=recorded(averaged_errors))(_check)


def _largest_ensemble(record: Record) -> tuple[pd.Series]:
    errors = averaged_errors.recorded()
    return (errors[errors["models"] == errors["models"].max()].set_index("correlation")["estimate"],)


@claim("C024", evidence=_largest_ensemble)
def variance_falls_with_correlation(variance: pd.Series) -> Decision:
    """Judge the measured variance of an ensemble's error, for rising correlations.

    It must rise with the correlation.
    """
    require(len(variance) >= 3, "needs three correlations or more")
    rises = bool((np.diff(variance) > 0).all())
    ends = f"{variance.iloc[0]:.3g} at ρ = {variance.index[0]:.3g}, {variance.iloc[-1]:.3g} at ρ = "
    return rises, f"{len(variance)} correlations: variance {ends}{variance.index[-1]:.3g}"


def _bootstrap_samples(record: Record) -> tuple[npt.NDArray[np.float64]]:
    """Evidence: examples of which each has a value of its own, counted by bagged Naive Bayes."""
    ids = np.arange(200)[:, None]
    bag = BaggingClassifier(NaiveBayesClassifier(), 100, categorical_features=[0], random_state=1)
    bag.fit(ids, ids[:, 0] % 2)
    return (np.array([member.category_count_[0].sum(axis=0) for member in bag.estimators_]),)


@claim("C025", evidence=_bootstrap_samples)
def bootstrap_leaves_out_and_repeats(copies: npt.NDArray[np.float64]) -> Decision:
    """Judge how often each example occurs in each bootstrap sample.

    The claim holds if each sample has N draws, leaves out some examples and repeats others, and if the mean
    share of absent examples is within the band that covers (1 − 1/N)ᴺ, the consequence of equal
    probabilities, with probability 0.999.
    """
    n_samples, n = copies.shape
    require(n_samples >= 10 and n >= 10, "needs ten samples of ten examples or more")
    absent = (copies == 0).mean(axis=1)
    exact = (1 - 1 / n) ** n
    band = scipy.stats.t.isf(0.0005, n_samples - 1) * absent.std(ddof=1) / math.sqrt(n_samples)
    whole = bool((copies.sum(axis=1) == n).all())
    mixed = bool((absent > 0).all() and (copies.max(axis=1) > 1).all())
    holds = whole and mixed and bool(abs(absent.mean() - exact) <= band)
    return holds, f"absent {absent.mean():.4f}, expected {exact:.4f}; 1/e = {1 / math.e:.4f}"


def _reductions(parts: pd.DataFrame, ensemble: str, model: str | None = None) -> pd.DataFrame:
    """How much an ensemble lowers error and its parts, by training set: means over problems and models."""
    rows = parts if model is None else parts[parts["model"] == model]
    means = rows.groupby(["ensemble", "set"])[PARTS].mean()
    return means.loc[["single"]].droplevel("ensemble") - means.loc[[ensemble]].droplevel("ensemble")


def _n_better(parts: pd.DataFrame, ensemble: str, model: str) -> int:
    """On how many problems the ensemble errs significantly less than the single model."""
    rows = parts[parts["model"] == model].set_index(["ensemble", "problem", "set"])["error"]
    gains = rows["single"] - rows[ensemble]
    return sum(above_zero(gain) is True for _, gain in gains.groupby("problem"))


def _shows_all(parts: pd.DataFrame) -> bool:
    wanted = {(m, e) for m in (*HIGH_BIAS, UNSTABLE) for e in ("single", "bagging", "boosting")}
    return parts["problem"].nunique() > 1 and wanted <= set(zip(parts.model, parts.ensemble, strict=True))


def _in_points(reductions: pd.DataFrame, parts: Iterable[str] = ("bias", "variance")) -> str:
    points = {part: 100 * reductions[part].to_numpy(float) for part in parts}
    return ", ".join(f"{part} {x.mean():+.1f} ± {scipy.stats.sem(x):.1f}" for part, x in points.items())


@claim("C026", evidence=recorded(decomposed_ensembles))
def bagging_helps_the_unstable(parts: pd.DataFrame) -> Decision:
    """Judge bias and variance of single and of bagged models.

    The claim holds if bagging lowers the variance of trees significantly more than their bias, on average
    over problems, and if it lowers the error significantly on more than half of the problems for trees and on
    fewer than half for Naive Bayes. It fails if one of these counts is wrong, or if the bias falls
    significantly more than the variance.

    Parameters
    ----------
    parts : DataFrame
        A row for each training set, with columns problem, model, ensemble ("single", "bagging",
        "boosting"), set, error, bias and variance. All tests are t-tests over training sets, at 0.05.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    of_trees = _reductions(parts, "bagging", UNSTABLE)
    n_problems = parts["problem"].nunique()
    trees, bayes = (_n_better(parts, "bagging", model) for model in (UNSTABLE, STABLE))
    more_variance = above_zero(of_trees["variance"] - of_trees["bias"])
    return every([more_variance, trees > n_problems / 2, bayes < n_problems / 2]), (
        f"bagging lowers, for trees, {_in_points(of_trees)} points (± standard error); significantly better "
        f"with trees on {trees}, with Naive Bayes on {bayes} of {n_problems} problems"
    )


@claim("C027", evidence=recorded(decomposed_ensembles))
def boosting_helps_high_bias(parts: pd.DataFrame) -> Decision:
    """Judge bias and variance of single and of boosted models, measured as for C026.

    The claim holds if, on average over problems, boosting lowers the bias of Naive Bayes and of stumps more
    than their variance, and the error of each of them more than that of trees: all four significantly, by
    t-tests over training sets at 0.05. It fails if one of the four is significant in the opposite direction,
    and is undecided otherwise.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    lowers = {model: _reductions(parts, "boosting", model) for model in (*HIGH_BIAS, UNSTABLE)}
    evidence = "; ".join(f"{model}: {_in_points(rows, PARTS)}" for model, rows in lowers.items())
    of_trees = lowers.pop(UNSTABLE)
    decided = [above_zero(rows["bias"] - rows["variance"]) for rows in lowers.values()]
    decided += [above_zero(rows["error"] - of_trees["error"]) for rows in lowers.values()]
    return every(decided), f"boosting lowers, in points (± standard error), for {evidence}"


@claim("C098", evidence=recorded(decomposed_ensembles))
def boosting_reduces_both(parts: pd.DataFrame) -> Decision:
    """Judge what bagging and boosting lower, on average over problems and models, measured as for C026.

    The claim holds if bagging lowers variance, and lowers it more than bias, and if boosting lowers both: all
    four significantly, by t-tests over training sets at 0.05. It fails if one of the four is significant in
    the opposite direction, and is undecided otherwise.
    """
    require(_shows_all(parts), "needs two problems, and trees, stumps and Naive Bayes")
    bagging, boosting = (_reductions(parts, ensemble) for ensemble in ("bagging", "boosting"))
    lowered = [bagging["variance"], bagging["variance"] - bagging["bias"]]
    lowered += [boosting["bias"], boosting["variance"]]
    return every(map(above_zero, lowered)), (
        f"bagging lowers {_in_points(bagging)}, boosting {_in_points(boosting)} points (± standard error)"
    )


def _numbers_that_differ(record: Record) -> tuple[dict, dict]:
    differing = batch_and_online.recorded()["differing"].to_dict()
    return differing, {"network": differing.pop("network")}


@claim("C031", evidence=_numbers_that_differ)
def online_learners_are_lossless(differing: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge the number of differences between hypotheses learned online and in batch.

    One difference refutes the claim; it holds only if trees, Naive Bayes and stumps were all tried.

    Parameters
    ----------
    differing : mapping
        Number of predictions and parts of the model that differ, for each learner called lossless.
    control : mapping
        The same for learners that are not lossless. If nothing differs for one of them, the
        comparison could not have seen a difference.
    """
    require(control and all(control.values()), "no control shows that a difference would have been seen")
    evidence = "; ".join(f"{name}: {count}" for name, count in {**differing, **control}.items()) + " differ"
    if any(differing.values()):
        return False, evidence
    missing = [name for name in LOSSLESS_LEARNERS if name not in differing]
    return (None, f"{evidence}; not tried: {', '.join(missing)}") if missing else (True, evidence)


@claim(
    "C032", evidence=lambda record: (record.compare("3.6", "single", "online_single").query("not excluded"),)
)
def one_pass_loses_accuracy(comparison: pd.DataFrame) -> Decision:
    """Judge batch networks (ten epochs) against online networks (one pass).

    The claim holds if batch is better overall: significantly better on more data sets than it is
    significantly worse on, by Holm's correction, and significantly more accurate on average over the data
    sets (t-test). It fails if both are reversed.
    """
    return overall_better(comparison)


_ROUNDS = 5000  # outcomes for the experts, and samples of each signal
_ORDER = 8  # highest order of the universal predictor


@claim("C033", evidence=recorded(forecasting.forecaster_mistakes))
def mistakes_stay_below_the_bound(runs: pd.DataFrame) -> Decision:
    """Judge the mistakes of Weighted Majority against (m + log₂ M)/log₂(4/3)."""
    require(len(runs) >= 2, "needs two sequences or more")
    bound = (runs["best"] + np.log2(runs["models"])) / math.log2(4 / 3)
    share = (runs["mistakes"] / bound).max()
    return bool(share <= 1), f"{len(runs)} sequences; mistakes at most {share:.2f} of the bound"


def _bad_experts(record: Record) -> tuple[pd.Series, int, int]:
    found = forecasting.influence_of_bad(512, _ROUNDS, best_error=0.1, seed=1)
    return found.share_of_bad, found.changed, found.later


@claim("C034", evidence=_bad_experts)
def bad_predictors_lose_their_say(
    share_of_bad: pd.Series, changed: Found[int], later: Found[int]
) -> Decision:
    """Judge the share of the weight that bad predictors have over time.

    The claim holds if it ends below 0.01, and if fewer than one in a hundred of the later predictions changes
    when the bad predictors are left out.
    """
    enough = share_of_bad.iloc[0] >= 0.1 and later >= 100
    require(enough, "needs bad predictors that begin with a tenth of the weight, and 100 outcomes")
    return bool(share_of_bad.iloc[-1] < 0.01 and changed < later / 100), (
        f"share {share_of_bad.iloc[0]:.2f} at first, {share_of_bad.iloc[-1]:.2g} at last; "
        f"{changed} of {later} later predictions change without them"
    )


def _regrets(record: Record) -> tuple[pd.DataFrame]:
    predictors = forecasting.predictors_of(forecasting.signals(_ROUNDS, seed=1), _ORDER)
    return (forecasting.regrets(predictors, forecasting.against_adversary(_ROUNDS, _ORDER), _ORDER),)


@claim("C035", evidence=_regrets, given=("signals.amplitude", "signals.order"))
def universal_prediction_is_never_much_worse(signals: pd.DataFrame) -> Decision:
    """Judge the regret of the universal predictor to the best order against 8 A² ln p."""
    enough = len(signals) >= 3 and signals["order"].min() >= 2
    require(enough, "needs three signals or more, and orders of 2 or more")
    share = (signals["regret"] / (8 * signals["amplitude"] ** 2 * np.log(signals["order"]))).max()
    return bool(share <= 1), f"{len(signals)} signals; regret at most {share:.2f} of the bound"


@claim("C036", evidence=recorded(forecasting.prediction_costs))
def recursion_costs_order_times_length(operations: pd.DataFrame) -> Decision:
    """Judge counted operations of the universal predictor.

    The claim holds if the count of the recursive form, divided by p·n, varies by less than a factor of 1.5,
    and if the count of fitting each order anew, divided by p·n, grows with both p and n.
    """
    enough = min(operations.index.unique(level).size for level in (0, 1)) >= 2
    require(enough, "needs two orders and two lengths or more")
    each = operations.div([p * n for p, n in operations.index], axis=0)
    spread = each["recursive"].max() / each["recursive"].min()
    afresh = each["afresh"].unstack()
    grows = (np.diff(afresh, axis=0) > 0).all() and (np.diff(afresh, axis=1) > 0).all()
    return bool(spread < 1.5 and grows), (
        f"{each['recursive'].min():.3g} to {each['recursive'].max():.3g} operations for each order and "
        f"sample; fitted anew {afresh.min().min():.3g} to {afresh.max().max():.3g}"
    )


def _gains(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: gains of combinations, without the pools whose best member makes no error."""
    gains = forecasting.combination_gains.recorded()
    return (gains[gains["best"] < 1],)


@claim("C037", evidence=_gains)
def experts_only_match_the_best(gains: pd.DataFrame) -> Decision:
    """Judge how much more accurate a combination is than the best of its predictors.

    The claim holds if significantly more than half of the forecasters gain at most 0.01, and significantly
    more than half of the ensembles gain more than nothing (sign tests at 0.05). It fails if one of the two is
    significant in the opposite direction, and is undecided otherwise.

    Parameters
    ----------
    gains : DataFrame
        Columns kind ("forecaster" or "ensemble"), problem, method and gain: accuracy minus that of
        the best single predictor in the pool. Rows of one kind, problem and method are repetitions:
        their mean gain is one case.
    """
    cases = gains.groupby(["kind", "problem", "method"])["gain"].mean()
    require(set(gains["kind"]) == {"forecaster", "ensemble"}, "needs forecasters and ensembles")
    forecasters, ensembles = cases["forecaster"], cases["ensemble"]
    matching, beating = forecasters <= 0.01, ensembles > 0
    return every([usual(matching), usual(beating)]), (
        f"forecasters gain {forecasters.mean():+.3f}, at most 0.01 in {matching.sum()} of {len(matching)} "
        f"cases; ensembles {ensembles.mean():+.3f}, more than 0 in {beating.sum()} of {len(beating)}"
    )
