"""How often tests over cross-validation splits err, and what depends on the margin of equality.

Rules that need no more than printed numbers are tried on them.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from oza.evaluation.significance import LEVEL, corrected_resampled, paired, welch
from oza.models import NaiveBayesClassifier

from ..claims.registry import claims_where
from ..printed.record import Record
from ..printed.table import Table
from ..record.bits import close
from ..record.simulation import simulation
from ..statistics import BY_EQUALITY, JUDGED, cell_verdict, equality_margin
from . import checks, judge

N_FOLDS = 5  # as in the thesis
_VALUES = 3  # of each attribute
_COLUMNS = 5  # that each learner knows


@simulation(
    small={"n_problems": 10, "n_examples": 60, "repetitions": 3},
    calls=[{}, {"n_train": 20}],
    bits=close(1e-9),
)
def p_values_of_equals(
    n_problems: int = 100,
    n_examples: int = 100,
    repetitions: int = 10,
    seed: int = 1,
    n_train: int | None = None,
) -> pd.DataFrame:
    """Compare two equally good learners on random labels, by three tests over five-fold cross-validations.

    Both learners are Naive Bayes, and each knows its own five of ten attributes. The classes of each of
    `n_problems` data sets are drawn by tosses of a coin, so that no attribute says anything about them. A
    split uses `n_train` of its training examples, as in a learning curve; None means all.

    The frame has p-values: a row for each data set, a column for each test ("Welch", "paired", "corrected").
    """
    rng = np.random.default_rng(seed)
    n_test = n_examples // N_FOLDS
    found = []
    for _ in range(n_problems):
        X = rng.integers(_VALUES, size=(n_examples, 2 * _COLUMNS))
        a, b = _accuracies(X, rng.integers(2, size=n_examples), repetitions, n_train, rng)
        found.append((welch(a, b), paired(a, b), corrected_resampled(a, b, n_examples - n_test, n_test)))
    return pd.DataFrame(found, columns=pd.Index(["Welch", "paired", "corrected"], name="test"))


def false_alarms(p_values: pd.DataFrame) -> pd.DataFrame:
    """Give the share of data sets on which each test finds a difference at 0.05, and its standard error.

    Examples
    --------
    >>> from reproduction.topics.statistics import false_alarms, p_values_of_equals
    >>> shares = false_alarms(p_values_of_equals(20, 60, repetitions=4))["false_alarms"]
    >>> bool(shares["Welch"] > shares["corrected"])
    True
    """
    alarms = p_values < LEVEL
    return pd.DataFrame({"false_alarms": alarms.mean(), "standard_error": alarms.sem()})


def _accuracies(
    X: np.ndarray, y: np.ndarray, repetitions: int, n_train: int | None, rng: np.random.Generator
) -> np.ndarray:
    """Accuracies of the two learners on all splits."""
    accuracies = []
    for _ in range(repetitions):
        for test in np.array_split(rng.permutation(len(y)), N_FOLDS):
            train = rng.permutation(np.setdiff1d(np.arange(len(y)), test))[:n_train]
            of_split = []
            for columns in (slice(_COLUMNS), slice(_COLUMNS, None)):
                model = NaiveBayesClassifier(categories=[range(_VALUES)] * _COLUMNS)
                model.fit(X[train, columns], y[train])
                of_split.append((model.predict(X[test, columns]) == y[test]).mean())
            accuracies.append(of_split)
    return np.array(accuracies).T


def verdicts_by_margin(cells: pd.DataFrame, margins: Sequence[float]) -> pd.DataFrame:
    """Count the verdicts on the cells of a `Scorecard` with several margins of equality, a row each.

    They are those of the rule of equality, so that cells that differ and are explained count as differing.
    """
    judged = cells[cells["verdict"].isin(JUDGED)]
    rows = {}
    for margin in margins:
        with equality_margin(margin):
            cells_at = judged[["mean", "half_width", "printed"]].itertuples(index=False)
            found: list[str] = [cell_verdict(*cell) for cell in cells_at]
        rows[margin] = [found.count(name) for name in BY_EQUALITY]
    return pd.DataFrame.from_dict(rows, "index", columns=[*BY_EQUALITY]).rename_axis("margin")


def outcomes_by_margin(record: Record, claims: Sequence[str], margins: Sequence[float]) -> pd.DataFrame:
    """Judge claims with several margins of equality, a column each."""
    outcomes = {}
    for margin in margins:
        with equality_margin(margin):
            outcomes[margin] = [verdict.outcome for verdict in judge(record, *claims)]
    return pd.DataFrame(outcomes, pd.Index(claims, name="claim"))


def tried_on_print(record: Record) -> Table:
    """Set what rules that need no more say of the printed numbers beside what they say of ours."""
    rows = {}
    for verdict in judge(record, *claims_where("on_print")):
        printed = checks()[verdict.claim].on_print()
        of_print = "" if printed is None else printed.outcome
        rows[verdict.claim] = (verdict.statement, of_print, verdict.outcome)
    columns = ["statement", "printed", "ours"]
    cells = pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("claim")
    title = "Rules that need only printed numbers, and their outcomes on the printed numbers and on ours"
    return Table(title, cells, cells, cells.assign(statement=""), css="dataframe prose")
