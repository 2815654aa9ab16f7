"""Verdicts on record: for each page of the book one file, `data/results/verdicts/<page>.json`.

A notebook that shows its claims leaves them in its outputs in a form for programs; what executes it
for the book writes the file from there. The scorecard and the front page read these files, so that
nothing has to be executed to know how things stand.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from ..experiments.store import replace_file
from ._registry import CHECKS, Verdict

#: Kind of output that holds claims for programs.
CLAIMS_TYPE = "application/vnd.oza.claims+json"

OUTCOMES = ("holds", "fails", "undecided", "untestable")


def record_verdicts(path: Path, verdicts: Iterable[Verdict], cells: dict[str, int]) -> None:
    """Write what a page found, unless the file says so already.

    Parameters
    ----------
    path : Path
        Named after the page.
    verdicts : iterable of Verdict
        On the claims that the page judges.
    cells : dict
        How many of the page's printed numbers got which verdict.
    """
    found = {"cells": cells, "claims": [asdict(verdict) for verdict in verdicts]}
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if not (path.exists() and path.read_text(encoding="utf-8") == text):
        replace_file(path, text.encode())


def recorded_verdicts(folder: Path) -> pd.DataFrame:
    """Read the verdicts on claims of all pages.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.

    Returns
    -------
    DataFrame
        Columns `page`, `claim`, `outcome`, `evidence`; a claim has a row for each page that judges it.

    Raises
    ------
    ValueError
        If a file is not a record of verdicts, or names an outcome or a claim that there is not.
    """
    rows = [(page, *row) for page, found in _pages(folder).items() for row in found["claims"]]
    return pd.DataFrame(rows, columns=["page", "claim", "outcome", "evidence"], dtype=str)


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
        outcomes = [outcome for _, outcome, _ in found["claims"]]
        counts[page] = found["cells"] | {name: outcomes.count(name) for name in OUTCOMES if name in outcomes}
    return counts


def _pages(folder: Path) -> dict[str, dict]:
    pages = {}
    for path in sorted(folder.glob("verdicts/*.json")):
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            claims = [(row["claim"], row["outcome"], row["evidence"]) for row in found["claims"]]
            pages[path.stem] = {"cells": dict(found["cells"]), "claims": claims}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: not a record of verdicts ({error!r}); restore or remove it") from error
        for claim, outcome, _ in claims:
            if claim not in CHECKS or outcome not in OUTCOMES:
                raise ValueError(
                    f"{path}: says {outcome!r} of {claim!r}, which no check can; execute the book again"
                )
    return pages
