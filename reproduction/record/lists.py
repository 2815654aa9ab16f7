"""Which tasks of a study count: those on its list, of runs that began before its end.

`data/reference/studies.csv` has a line for each study: the number and the digest of the tasks of its profile
"thesis", when this list was committed (`listed`), and the end. Both are committed before a study runs; the
lists of studies that had run by 28 November 2026 were registered afterwards. To change a line is to change a
rule: the former outcome stays on record, in `rule_changes.csv`. `late` says what becomes of results of runs
that began after the end, if there are any. Results without a date, of two studies that ran before dates were
kept, count as results in time.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache

import pandas as pd

from ..paths import DATA
from .study import Study


@cache
def registered() -> pd.DataFrame:
    """Read the lines, indexed by study."""
    return pd.read_csv(
        DATA / "reference" / "studies.csv", index_col="study", dtype=str, keep_default_na=False
    )


def line_of(study: Study) -> tuple[str, str]:
    """Number and digest of the tasks on the list of a study."""
    tasks = sorted(repr(asdict(task)) for task in study.tasks("thesis"))
    return str(len(tasks)), hashlib.sha256("\n".join(tasks).encode()).hexdigest()[:16]


def in_time(study: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Select the results of runs that began before the end of the study."""
    return rows[rows["date"].le(registered().at[study, "ends"]) | rows["date"].eq("unknown")]


def unlisted(study: Study) -> list[str]:
    """Say what to do if the tasks of a study are not those on the list that was committed."""
    now = ",".join(line_of(study))
    if study.name not in registered().index:
        return [
            f"{study.name} has no line in data/reference/studies.csv: before it runs, commit one that begins "
            f"{study.name},{now}"
        ]
    line = registered().loc[study.name]
    committed = f"{line['tasks']},{line['digest']}"
    if now == committed:
        return []
    return [
        f"the list of {study.name} has {now} (tasks, digest) and not the {committed} that were committed: a "
        "changed list is a change of rule, so restore it, or commit its new line before it runs"
    ]


def breaches(study: Study) -> list[str]:
    """Say what of the record of a study does not count, and what to do about it."""
    found = unlisted(study)
    if study.name not in registered().index:
        return found
    line = registered().loc[study.name]
    rows = study.recorded()
    listed = {*study.tasks("thesis"), *study.tasks("smoke")}  # small ones count nowhere
    if n := sum(task not in listed and not study.computed_by(task) for task in study.tasks_in(rows)):
        found.append(f"{n} recorded results of {study.name} are of tasks that its list does not name")
    if not line["late"] and (n := len(rows) - len(in_time(study.name, rows))):
        found.append(f"{n} results of {study.name} are of runs after its end, {line['ends']}")
    return found


def all_breaches(studies: Iterable[Study]) -> list[str]:
    return [each for study in studies for each in breaches(study)]
