"""The theory of boosting, computed: Schapire's construction, boost-by-majority, AdaBoost's weights.

Several functions use a learner that returns, of a fixed list of hypotheses, the one with the least
weighted error. The list is given by `wrong`, an array with a row for each hypothesis and a column for
each example: 1 where the hypothesis errs. With exact fractions as weights, all results are exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats


def majority_votes(n_attributes: int) -> np.ndarray:
    """List the errors of single attributes that vote on their own majority: shape (n_attributes, all inputs).

    The class of a 0/1 vector of odd length is its majority; hypothesis a predicts the value of attribute a.
    The unweighted vote of all is never wrong, with a smallest margin of 1/`n_attributes`, and by symmetry no
    weights give a larger one. So under any weights of the examples some attribute has an edge (1/2 minus its
    error) of at least 1/(2·`n_attributes`), and under some weights none has more.

    >>> majority_votes(3).mean(axis=1)
    array([0.25, 0.25, 0.25])
    """
    inputs = np.array(list(product([0, 1], repeat=n_attributes))).T
    return (inputs != (inputs.sum(axis=0) > n_attributes / 2)).astype(np.int64)


def schapire_error(error: Any) -> Any:
    """Error 3e² − 2e³ of Schapire's construction if each of its three hypotheses has the error e.

    >>> schapire_error(Fraction(2, 5))
    Fraction(44, 125)
    """
    return error**2 * (3 - 2 * error)


def three_hypotheses(wrong: np.ndarray, weights: Any) -> tuple[list[Any], Any]:
    """Schapire's construction (1990): errors of its three hypotheses, and of their majority.

    The second hypothesis is chosen for weights under which the first has error 1/2, the third for the
    examples on which the first two differ.

    The errors are those under the weights, of sum 1, for which each was chosen, that of the majority under
    `weights`.

    >>> errors, combined = three_hypotheses(majority_votes(5), np.full(32, Fraction(1, 32)))
    >>> [str(error) for error in errors], str(combined)
    (['5/16', '31/110', '1/4'], '3/16')
    """
    first, first_error = _best(wrong, weights)
    second, second_error = _best(wrong, _half_on(wrong[first], weights))
    differ = np.where(wrong[first] != wrong[second], weights, 0)
    if not differ.any():
        return [first_error, second_error, 0], first_error
    third, third_error = _best(wrong, differ / differ.sum())
    outvoted = wrong[[first, second, third]].sum(axis=0) >= 2
    return [first_error, second_error, third_error], np.where(outvoted, weights, 0).sum()


def constructions(wrong: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """Make Schapire's construction from twenty random weightings of the examples.

    A row for each: `error`, the largest of the three errors, and `combined`, that of their majority.
    """
    rows = []
    for concentration in (0.1, 0.3, 1, 3, 10) * 4:
        weights = np.asarray(rng.gamma(concentration, size=wrong.shape[1])) + 1e-300
        errors, combined = three_hypotheses(wrong, weights / weights.sum())
        rows.append((max(errors), combined))
    return pd.DataFrame(rows, columns=["error", "combined"])


class Boosted(NamedTuple):
    chosen: list[int]  # hypothesis of each round
    errors: list[Any]  # weighted error of each when it was chosen
    weights: np.ndarray  # of the examples before each round, and after the last


def boost_over(wrong: np.ndarray, n_rounds: int, weights: Any) -> Boosted:
    """AdaBoost over a list of hypotheses; it stops before an error of 1/2 and after one of 0.

    >>> run = boost_over(majority_votes(3), 2, np.full(8, Fraction(1, 8)))
    >>> run.chosen, [str(error) for error in run.errors]
    ([0, 1], ['1/4', '1/6'])
    """
    chosen: list[int] = []
    errors: list[Any] = []
    trace = [weights]
    while len(chosen) < n_rounds:
        best, error = _best(wrong, trace[-1])
        if 2 * error >= 1:
            break
        chosen.append(best)
        errors.append(error)
        if error == 0:
            break
        trace.append(_half_on(wrong[best], trace[-1]))
    return Boosted(chosen, errors, np.array(trace))


def ten_examples() -> tuple[np.ndarray, Boosted]:
    """Run AdaBoost on ten examples (thesis Figure 4.2) of which three models each get three others wrong.

    Returns where the models err, and the run in exact fractions.

    >>> wrong, run = ten_examples()
    >>> [str(error) for error in run.errors]
    ['3/10', '3/14', '3/22']
    """
    wrong = np.zeros((3, 10), np.int64)
    for model in range(3):
        wrong[model, 3 * model : 3 * model + 3] = 1
    return wrong, boost_over(wrong, 3, np.full(10, Fraction(1, 10)))


def boost_by_majority(wrong: np.ndarray, edge: float, n_rounds: int) -> float:
    """Training error of boost-by-majority (Freund 1995), which knows the `edge` and the number of rounds.

    The weight of an example is the probability that this round decides its majority, if every later
    hypothesis is right on it with probability 1/2 + `edge`.

    An example counts as an error if at most half of the chosen hypotheses classify it correctly.

    >>> boost_by_majority(majority_votes(5), edge=0.1, n_rounds=5)
    0.0
    """
    n_right = np.zeros(wrong.shape[1], np.int64)
    for t in range(n_rounds):
        needed = n_rounds // 2 - n_right  # number of correct later hypotheses with which this round decides
        left = n_rounds - t - 1
        decisive = scipy.stats.binom.logpmf(needed, left, 0.5 + edge)
        if np.isneginf(decisive).all():
            break  # no majority can change any more
        weights = np.exp(decisive - decisive.max())
        best, _ = _best(wrong, weights / weights.sum())
        n_right += 1 - wrong[best]
    return float((n_right <= n_rounds // 2).mean())


def promised_error(edge: float, n_rounds: int) -> float:
    """Upper bound of the training error of boost-by-majority if every hypothesis has this edge.

    >>> round(promised_error(0.1, 101), 4)
    0.0209
    """
    return float(scipy.stats.binom.cdf(n_rounds // 2, n_rounds, 0.5 + edge))


def bayes_disagreements(right: Sequence[Fraction], prior: Fraction, copies: Sequence[int]) -> int:
    """Count the patterns of votes for which the weighted vote differs from the Bayes rule; two classes.

    The errors of voters are independent of each other and of the class, but each may cast several ballots.
    Each ballot has the weight log((1−ε)/ε), and the prior is one more model, which always votes for class 1.
    Weights are compared as products of the odds (1−ε)/ε, in exact fractions.

    `right` is the probability that each voter is right, whichever the class; `prior` that of class 1;
    `copies` the number of ballots of each voter.

    >>> right = [Fraction(3, 5), Fraction(2, 3), Fraction(3, 4)]
    >>> [bayes_disagreements(right, Fraction(1, 2), copies) for copies in ([1, 1, 1], [5, 1, 1])]
    [0, 4]
    """
    count = 0
    for votes in product([0, 1], repeat=len(right)):
        posterior_odds = vote_odds = prior / (1 - prior)
        for vote, p, n_ballots in zip(votes, right, copies, strict=True):
            odds = p / (1 - p) if vote else (1 - p) / p
            posterior_odds *= odds
            vote_odds *= odds**n_ballots
        count += (vote_odds > 1, vote_odds < 1) != (posterior_odds > 1, posterior_odds < 1)
    return count


def independent_voters(n_voters: int, rng: np.random.Generator) -> tuple[dict[str, int], dict[str, int]]:
    """Compare the weighted vote with the Bayes rule for twelve random sets of voters.

    Counts the patterns of votes on which the two differ: for each set of independent voters, and, as a
    control, for all sets together if one voter has four ballots.
    """
    disagreements, n_stuffed, ones = {}, 0, [1] * n_voters
    for number in range(12):
        right = [Fraction(int(k), 100) for k in rng.integers(40, 95, n_voters)]
        prior = Fraction(int(rng.integers(20, 80)), 100)
        disagreements[f"set {number}"] = bayes_disagreements(right, prior, ones)
        n_stuffed += bayes_disagreements(right, prior, [4, *ones[1:]])
    return disagreements, {"one voter with four ballots": n_stuffed}


def _best(wrong: np.ndarray, weights: Any) -> tuple[int, Any]:
    """The hypothesis with the least error, the first in a tie, and its error."""
    errors = [(row * weights).sum() for row in wrong]
    best = min(range(len(errors)), key=errors.__getitem__)
    return best, errors[best]


def _half_on(wrong: np.ndarray, weights: Any) -> Any:
    """AdaBoost's update: wrong and right examples have one half of the total weight each."""
    error = (wrong * weights).sum()
    return np.where(wrong == 1, weights / (2 * error), weights / (2 * (1 - error)))


def example_weights(model: Any, X: Any, y: Any) -> np.ndarray:
    """Weights of the training examples before each base model of AdaBoost, and after the last.

    The model was fitted without `sample_weight`. The mean of each row is 1; the last row is missing if the
    last model makes no error.

    >>> from oza import AdaBoostClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("balance", return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=3, categorical_features=range(4)).fit(X, y)
    >>> example_weights(model, X, y).mean(axis=1).round(9)
    array([1., 1., 1., 1.])
    """
    weights = np.ones(len(y))
    trace = [weights]
    is_right = model.predict_each(X) == np.asarray(y)[:, None]
    for m, error in enumerate(model.estimator_errors_):
        if error > 0:
            weights = weights / np.where(is_right[:, m], 2 * (1 - error), 2 * error)
            trace.append(weights)
    return np.array(trace)


class Limit(NamedTuple):
    """The limit of boosting of Naive Bayes for examples from a known distribution.

    The distance from a tie is the least share by which the largest product exceeds the second largest, over
    all inputs of positive probability.
    """

    errors: np.ndarray  # error ε of each base model
    gaps: np.ndarray
    votes: np.ndarray  # sums of the vote weights, shape (n_classes, n_inputs)


def naive_bayes_limit(law: np.ndarray, n_models: int) -> Limit:
    """AdaBoost of Naive Bayes on a distribution over classes and inputs, which stops before an error of 1/2.

    `law` has an axis for the class, then one for each attribute; all probabilities are positive.

    >>> law = np.array([[0.3, 0.1], [0.2, 0.4]])
    >>> naive_bayes_limit(law, 2).errors.round(3)
    array([0.3  , 0.381])
    """
    n_classes, *sizes = law.shape
    column = (n_classes, *[1] * len(sizes))
    weights, votes = law / law.sum(), np.zeros(law.shape)
    rows: list[tuple[Any, Any]] = []
    while len(rows) < n_models:
        prior = weights.reshape(n_classes, -1).sum(axis=1).reshape(column)
        score = prior
        for a in range(1, law.ndim):
            others = tuple(b for b in range(1, law.ndim) if b != a)
            score = score * (weights.sum(axis=others, keepdims=True) / prior)
        ordered = np.sort(score, axis=0)
        is_right = score.argmax(axis=0) == np.arange(n_classes).reshape(column)
        error = weights[~is_right].sum()
        if error >= 0.5 - 1e-12:
            break
        rows.append((error, (1 - ordered[-2] / ordered[-1]).min()))
        votes += is_right * np.log((1 - error) / error)
        weights = weights / (2 * np.where(is_right, 1 - error, error))
    errors, gaps = np.reshape(rows, (-1, 2)).T
    return Limit(errors, gaps, votes.reshape(n_classes, -1))


def naive_bayes_distance(a: Any, b: Any) -> float:
    """Largest difference between the parameters of two Naive Bayes models.

    The parameters are the shares of the classes and, for each class, the shares of the values of each
    nominal attribute.

    >>> from oza import NaiveBayesClassifier
    >>> X = [[0, 1], [1, 1], [0, 0]]
    >>> a, b = (NaiveBayesClassifier(categorical_features=[0, 1]) for _ in range(2))
    >>> a, b = a.fit(X, [0, 1, 1]), b.fit(X * 2, [0, 1, 1, 0, 1, 0])
    >>> round(naive_bayes_distance(a, b), 3)
    0.333
    """
    counts = ([each.class_count_, *each.category_count_] for each in (a, b))
    shares = ([x / x.sum(axis=-1, keepdims=True) for x in of_one] for of_one in counts)
    return float(max(np.abs(x - y).max() for x, y in zip(*shares, strict=True)))


def first_models_at_a_tie(sizes: Sequence[int]) -> pd.Series:
    """Mean difference between the accuracies of the first model in batch and online, where classes tie.

    Two binary attributes are distributed so that Naive Bayes ties where they differ, although one class is
    2.5 times as probable there. Online, the first model is trained on each example Poisson(1) times.

    >>> bool(first_models_at_a_tie([100_000]).item() > 0.02)
    True
    """
    # By class, first and second attribute.
    law = np.array([[[0.05, 0.25], [0.25, 0.45]], [[0.6, 0.1], [0.1, 0.2]]]) / 2
    rng = np.random.default_rng(1)

    def accuracies(counts: np.ndarray) -> np.ndarray:
        of_class = counts.sum(axis=(2, 3), keepdims=True)
        products = counts.sum(axis=3, keepdims=True) * counts.sum(axis=2, keepdims=True) / of_class
        return np.where(products[:, 0] >= products[:, 1], law[0], law[1]).sum(axis=(1, 2))

    found = {}
    for size in sizes:
        batch = rng.multinomial(size, law.ravel(), 2000).reshape(-1, 2, 2, 2)
        found[size] = np.abs(accuracies(batch) - accuracies(rng.poisson(batch))).mean()
    return pd.Series(found)
