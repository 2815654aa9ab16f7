"""Recorded verdicts: one file for each page of the book, `data/results/verdicts/<page>.json`.

A notebook that shows its claims also stores them in its outputs in a machine-readable form, from which the
tool that executes it for the book writes the file. The command `judge --record` renews the verdicts without
executing a notebook. The scorecard and the front page read these files, so that nothing has to be executed
to show the verdicts.

Each verdict is recorded with the rule by which it was reached. When a rule has changed since, the
former rule is added to `rule_changes.csv` beside these files, with its outcome and evidence. The kind of
change ("meaning", or "words" alone) and the reason are then filled in by hand.
"""

import json
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from oza.files import replace_file

from ..record.store import commit_of_checkout
from .registry import CHECKS, Verdict

#: Kind of output that holds claims for programs.
CLAIMS_TYPE = "application/vnd.oza.claims+json"

OUTCOMES = ("holds", "fails", "undecided", "untestable")

_CHANGES = [
    *("claim", "date", "commit", "former_rule", "former_outcome", "former_evidence"),
    *("rule", "outcome", "change", "reason"),
]
_ROW = ("claim", "outcome", "evidence", "rule")
_ONE_AT_A_TIME = threading.Lock()  # pages are recorded in parallel, and share the file of changes


def record_verdicts(path: Path, verdicts: Iterable[Verdict], cells: dict[str, int]) -> None:
    """Write what a page found, unless the file says so already.

    Former verdicts that were reached by another rule are added to the table of changed rules.

    Parameters
    ----------
    path : Path
        Named after the page.
    verdicts : iterable of Verdict
        On the claims that the page judges.
    cells : dict
        How many of the page's printed numbers got which verdict.
    """
    _write(path, [_row(verdict) for verdict in verdicts], cells)


def renew_verdicts(folder: Path, verdicts: Iterable[Verdict]) -> None:
    """Record verdicts in place of those that pages have recorded on the same claims.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.
    verdicts : iterable of Verdict

    Raises
    ------
    ValueError
        If no page has recorded a verdict on one of the claims.
    """
    new = {verdict.claim: _row(verdict) for verdict in verdicts}
    pages = _pages(folder)
    if unknown := set(new) - {claim for found in pages.values() for claim, *_ in found["claims"]}:
        raise ValueError(
            f"{', '.join(sorted(unknown))}: no verdict on record in {folder / 'verdicts'}; execute the page "
            "of the book that shows it"
        )
    for page, found in pages.items():
        rows = [new.get(row[0], dict(zip(_ROW, row, strict=True))) for row in found["claims"]]
        _write(folder / "verdicts" / f"{page}.json", rows, found["cells"])


def _row(verdict: Verdict) -> dict[str, str]:
    return dict(zip(_ROW, (verdict.claim, verdict.outcome, verdict.evidence, verdict.rule), strict=True))


def _write(path: Path, claims: list[dict[str, str]], cells: dict[str, int]) -> None:
    text = _json({"cells": cells, "claims": claims})
    with _ONE_AT_A_TIME:
        if not (path.exists() and path.read_text(encoding="utf-8") == text):
            _keep_former_rules(path, claims)
            replace_file(path, text.encode())


def _json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _keep_former_rules(path: Path, claims: list[dict[str, str]]) -> None:
    """Add the former verdicts to the table of changes whose rules have changed, on this page or another."""
    folder = path.parent.parent
    pages = _pages(folder)
    on_record = {
        former[0]: former for page in sorted(pages, key=path.stem.__eq__) for former in pages[page]["claims"]
    }
    changes = rule_changes(folder)
    last = changes.drop_duplicates("claim", keep="last")[["claim", "former_rule", "rule"]]
    told = set(last.itertuples(index=False, name=None))
    rows = []
    for now in claims:
        _, outcome, evidence, rule = on_record.get(now["claim"], (None, None, None, now["rule"]))
        if rule != now["rule"] and (now["claim"], rule, now["rule"]) not in told:
            date, commit = datetime.now(UTC).date().isoformat(), commit_of_checkout()[:7]
            rows.append(
                (now["claim"], date, commit, rule, outcome, evidence, now["rule"], now["outcome"], "", "")
            )
    if rows:
        table = pd.concat([changes, pd.DataFrame(rows, columns=_CHANGES)])
        replace_file(_changes_of(folder), table.to_csv(index=False, lineterminator="\n").encode())


def _changes_of(folder: Path) -> Path:
    return folder / "verdicts" / "rule_changes.csv"


def rule_changes(folder: Path) -> pd.DataFrame:
    """Read which rules have changed after their first result.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.

    Returns
    -------
    DataFrame
        In the order in which they changed, all text: `claim` ("cells" for the rule by which printed
        numbers are judged), `date` and `commit` of the change, `former_rule` with the outcome and
        evidence that were last recorded by it, `rule` and the `outcome` that was first recorded by it,
        `change` ("meaning" or "words") and `reason`.
    """
    path = _changes_of(folder)
    if not path.exists():
        return pd.DataFrame(columns=_CHANGES, dtype=str)
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def recorded_verdicts(folder: Path) -> pd.DataFrame:
    """Read the verdicts on claims of all pages.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.

    Returns
    -------
    DataFrame
        Columns `page`, `claim`, `outcome`, `evidence`, `rule`; a claim has a row for each page that
        judges it.

    Raises
    ------
    ValueError
        If a file is not a record of verdicts, or names an unknown outcome or claim.
    """
    rows = [(page, *row) for page, found in _pages(folder).items() for row in found["claims"]]
    return pd.DataFrame(rows, columns=["page", *_ROW], dtype=str)


def recorded_counts(folder: Path) -> dict[str, dict[str, int]]:
    """Count the verdicts of each page, on printed numbers and on claims.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.

    Returns
    -------
    dict
        For each page, verdict to count.
    """
    counts = {}
    for page, found in _pages(folder).items():
        outcomes = [outcome for _, outcome, _, _ in found["claims"]]
        counts[page] = found["cells"] | {name: outcomes.count(name) for name in OUTCOMES if name in outcomes}
    return counts


def _pages(folder: Path) -> dict[str, dict]:
    pages = {}
    for path in sorted(folder.glob("verdicts/*.json")):
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            claims = [tuple(row[name] for name in _ROW) for row in found["claims"]]
            pages[path.stem] = {"cells": dict(found["cells"]), "claims": claims}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: not a record of verdicts ({error!r}); restore or remove it") from error
        for claim, outcome, *_ in claims:
            if claim not in CHECKS or outcome not in OUTCOMES:
                raise ValueError(
                    f"{path}: the outcome {outcome!r} of claim {claim!r} is unknown; execute the book again"
                )
    return pages
