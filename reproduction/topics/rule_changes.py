"""Rules of judgement that changed after their first result: what they were, and whom the change favoured."""

import numpy as np
import pandas as pd
import scipy.stats

from oza.evaluation.significance import LEVEL, ROUNDING

from ..claims.verdicts import NO_CLAIMS, OUTCOMES, recorded_folder, recorded_verdicts, rule_changes
from ..paths import DATA
from ..printed.table import Table
from ..statistics import JUDGED, MARGIN, PRINTED_ROUNDING, PRINTED_SPLITS

DIRECTIONS = ("towards the thesis", "away from it", "neither")
_STRENGTH = {"fails": 0, "not reproduced": 1, "undecided": 1, "untestable": 1, "holds": 2}


def changed_rules(change: str = "meaning") -> pd.DataFrame:
    """Rules by which claims are judged and which changed after their first result, or outcomes that turned.

    The rule came to mean something else ("meaning"), is only worded differently ("words"), or is the same and
    the outcome turned because results were added ("data"). `direction`, one of `DIRECTIONS`, says where the
    outcome went.

    >>> changed_rules().query("claim == 'C068'")["direction"].iloc[0]
    'towards the thesis'
    """
    changes = rule_changes(recorded_folder())
    changes = changes[(changes["change"] == change) & ~changes["claim"].isin(NO_CLAIMS)]
    step = changes["outcome"].map(_STRENGTH) - changes["former_outcome"].map(_STRENGTH)
    towards, away, neither = DIRECTIONS
    return changes.assign(direction=np.select([step > 0, step < 0], [towards, away], neither))


def direction_counts(changes: pd.DataFrame) -> pd.DataFrame:
    """Count where outcomes went: a row for each commit that changed rules, and one for all."""
    went = pd.DataFrame({name: (changes["direction"] == name).astype(int) for name in DIRECTIONS})
    counts = went.groupby([changes["date"], changes["commit"]], sort=False).sum()
    counts.loc[("all", ""), :] = counts.sum()
    return counts.astype(int)


def outcome_course(claims: pd.DataFrame) -> pd.DataFrame:
    """Count the outcomes of claims of a `Scorecard`: the first ones, and those at the end of each day.

    A claim that was judged later counts with its first outcome from the beginning. There is a row for each
    day on which a rule or the results changed; the last one is the present.

    >>> from reproduction.topics.scorecard import scorecard
    >>> bool(outcome_course(scorecard().claims).sum(axis="columns").eq(len(scorecard().claims)).all())
    True
    """
    changes = rule_changes(recorded_folder()).sort_values("date", kind="stable")
    changes = changes[changes["change"].isin(["meaning", "data"]) & changes["claim"].isin(claims.index)]
    rows = {}
    for day in ("", *changes["date"].unique()):
        later = changes[changes["date"] > day].drop_duplicates("claim").set_index("claim")["former_outcome"]
        rows[day or "first"] = later.reindex(claims.index).fillna(claims["outcome"]).value_counts()
    return pd.DataFrame.from_dict(rows, "index").reindex(columns=list(OUTCOMES)).fillna(0).astype(int)


def changes_table(changes: pd.DataFrame) -> Table:
    """List rules that changed, by claim: old rule, new rule, the outcome by each, and why."""
    names = {
        "former_rule": "rule before",
        "former_outcome": "before",
        "rule": "rule after",
        "outcome": "after",
        "reason": "why",
        "direction": "moved",
    }
    listed = changes.sort_values("claim", kind="stable")
    shown = listed.set_index(listed["claim"] + ", " + listed["commit"])[list(names)].rename(columns=names)
    shown = shown.rename_axis("claim, commit")
    marks = pd.DataFrame("", shown.index, shown.columns).assign(before=shown["before"], after=shown["after"])
    return Table("Rules that changed", changes, shown, marks, css="dataframe prose")


def second_audit(part: str) -> pd.DataFrame:
    """List the points of the second audit, and what became of the verdicts that it objected to.

    `part` is "verdict", "method", "contradiction" or "cells". `outcomes` has for each claim "C015 fails →
    undecided", or "C116 holds" where the audit turned nothing.
    """
    points = pd.read_csv(DATA / "reference" / "audit.csv", dtype=str, keep_default_na=False)
    points = points[points["part"] == part].drop(columns="part")
    changes = rule_changes(recorded_folder())
    audited = changes[changes["reason"].str.startswith("Second audit")].drop_duplicates("claim")
    before = audited.set_index("claim")["former_outcome"].to_dict()
    now = recorded_verdicts(recorded_folder()).set_index("claim")["outcome"].to_dict()

    def became(claim: str) -> str:
        turned = before.get(claim, now[claim]) != now[claim]
        return f"{claim} {before[claim]} → {now[claim]}" if turned else f"{claim} {now[claim]}"

    outcomes = [
        "; ".join(became(claim) for claim in point.split() if claim in now) for point in points["point"]
    ]
    return points.assign(outcomes=outcomes)


def verdicts_by_former_rules(cells: pd.DataFrame) -> pd.DataFrame:
    """Judge cells of a `Scorecard` by the two former rules and by the present one.

    The first rule let a cell agree within 0.01 or two standard errors of ours, whichever was larger; the
    second within 0.01 or what chance allows two means over splits, whichever was larger. Both called a
    difference of any size an agreement where the splits vary much. The present rule calls it undecided. The
    cells that have a result and a printed value, and count, come with the verdicts `first`, `second` and
    `verdict`, all by rules of equality: a cell that differs and is explained differs.
    """
    judged = cells[cells["verdict"].isin(JUDGED)]
    error, n = judged["standard_error"], judged["n_splits"]
    quantile = pd.Series(scipy.stats.t.isf(LEVEL / 2, np.maximum(n - 1, 1)), judged.index)
    chance = quantile * error * np.sqrt(1 + n / PRINTED_SPLITS)
    tolerances = {"first": np.fmax(MARGIN, 2 * error), "second": np.fmax(MARGIN, chance) + PRINTED_ROUNDING}
    apart = judged["difference"].abs()
    former = {name: np.where(apart <= most + ROUNDING, *JUDGED[:2]) for name, most in tolerances.items()}
    return judged.assign(**former, verdict=judged["verdict"].replace("explained", "differs"))
