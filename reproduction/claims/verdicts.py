"""Recorded verdicts: one file for each page of the book, `data/results/verdicts/<page>.json`.

`python -m reproduction judge --record` writes them, and nothing else does. The pages, the scorecard and the
front page read them, so that nothing has to be judged to show them.

Each verdict is recorded with the rule by which it was reached. When a rule has changed since, the
former rule is added to `rule_changes.csv` beside these files, with its outcome and evidence. The kind of
change ("meaning", or "words" alone) and the reason are then filled in by hand. When an outcome has turned
under the same rule, because results were added, the kind is "data".
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from oza.files import replace_file

from ..paths import DATA
from ..record.store import commit_of_checkout, results_folder
from .registry import Verdict, claims_by_page, exists

#: What has rules in the table of changed rules and is no claim: printed numbers, and a class of the library.
NO_CLAIMS = ("cells", "BOLE")

OUTCOMES = ("holds", "fails", "not reproduced", "undecided", "untestable")

_CHANGES = [
    *("claim", "date", "commit", "former_rule", "former_outcome", "former_evidence"),
    *("rule", "outcome", "change", "reason"),
]
_ROW = ("claim", "outcome", "evidence", "rule")


def record_verdicts(
    folder: Path,
    verdicts: Iterable[Verdict],
    cells: Mapping[str, Mapping[str, int]],
    pages: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write the verdicts of all pages; recorded verdicts on other claims than the given ones stay.

    Former verdicts that were reached by another rule are added to the table of changed rules.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.
    verdicts : iterable of Verdict
    cells : mapping
        For each page that compares printed numbers, how many of them got which verdict.
    pages : mapping of str to sequence of str or None, default=None
        For each page the claims that it shows; None means `claims_by_page()`.
    """
    pages = claims_by_page() if pages is None else pages
    former = {row[0]: row for found in _pages(folder).values() for row in found["claims"]}
    new = {v.claim: (v.claim, v.outcome, v.evidence, v.rule) for v in verdicts}
    _keep_former_rules(folder, former, new)
    rows = former | new
    for page, claims in pages.items():
        listed = [dict(zip(_ROW, rows[claim], strict=True)) for claim in claims if claim in rows]
        found = {"cells": dict(cells.get(page, {})), "claims": listed}
        text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        replace_file(folder / "verdicts" / f"{page}.json", text.encode())
    for path in folder.glob("verdicts/*.json"):
        if path.stem not in pages:
            path.unlink()


def recorded_folder() -> Path:
    """Folder of recorded results: the usual one, or the library's own where that one has no verdicts."""
    usual = results_folder()
    return usual if (usual / "verdicts").is_dir() else DATA / "results"


def on_record(page: str) -> list[Verdict]:
    """Read the recorded verdicts on the claims of a page, in its order.

    Raises
    ------
    ValueError
        If no claim has its place on the page, or one of them has no verdict on record.

    Examples
    --------
    >>> from reproduction.claims.verdicts import on_record
    >>> [(verdict.claim, verdict.outcome) for verdict in on_record("datasets")]
    [('C065', 'holds')]
    """
    if page not in claims_by_page():
        raise ValueError(f"page={page!r} shows no claims: expected one of {', '.join(claims_by_page())}")
    claims = claims_by_page()[page]
    found = recorded_verdicts(recorded_folder(), page).set_index("claim")
    if unknown := set(claims) - set(found.index):
        raise ValueError(
            f"{', '.join(sorted(unknown))}: no verdict on record; `python -m reproduction judge --record` "
            "records all"
        )
    return [Verdict(claim, *found.loc[claim, ["outcome", "evidence", "rule"]]) for claim in claims]


def _keep_former_rules(folder: Path, former: Mapping[str, tuple], new: Mapping[str, tuple]) -> None:
    """Add to the table of changes the former verdicts on claims whose rule or outcome has changed."""
    changes = rule_changes(folder)
    last = changes.drop_duplicates("claim", keep="last")[["claim", "former_rule", "rule"]]
    recorded_changes = set(last.itertuples(index=False, name=None))
    date, commit = datetime.now(UTC).date().isoformat(), commit_of_checkout()[:7]
    rows = []
    for claim, outcome, _, rule in new.values():
        _, old_outcome, old_evidence, old_rule = former.get(claim, (None, outcome, None, rule))
        is_new_rule = old_rule != rule and (claim, old_rule, rule) not in recorded_changes
        has_turned = old_rule == rule and old_outcome != outcome
        if is_new_rule or has_turned:
            change = "data" if has_turned else ""
            rows.append((claim, date, commit, old_rule, old_outcome, old_evidence, rule, outcome, change, ""))
    if rows:
        table = pd.concat([changes, pd.DataFrame(rows, columns=_CHANGES)])
        replace_file(_changes_of(folder), table.to_csv(index=False, lineterminator="\n").encode())


def _changes_of(folder: Path) -> Path:
    return folder / "verdicts" / "rule_changes.csv"


def rule_changes(folder: Path) -> pd.DataFrame:
    """Read which rules have changed after their first result.

    Returns
    -------
    DataFrame
        In the order in which they changed, all text: `claim`, or one of `NO_CLAIMS`, `date` and `commit` of
        the change, `former_rule` with the outcome and evidence that were last recorded by it, `rule` and the
        `outcome` that was first recorded by it, `change` ("meaning", "words" or "data") and `reason`.
    """
    with suppress(FileNotFoundError):
        return pd.read_csv(_changes_of(folder), dtype=str, keep_default_na=False)
    return pd.DataFrame(columns=_CHANGES, dtype=str)


def recorded_verdicts(folder: Path, page: str = "*") -> pd.DataFrame:
    """Read the verdicts on claims of all pages, or of one.

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
    rows = [(name, *row) for name, found in _pages(folder, page).items() for row in found["claims"]]
    return pd.DataFrame(rows, columns=["page", *_ROW], dtype=str)


def recorded_counts(folder: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Count the verdicts of each page: "cells" (printed numbers) and "claims", each from verdict to count."""
    counts = {}
    for page, found in _pages(folder).items():
        outcomes = [outcome for _, outcome, _, _ in found["claims"]]
        claims = {name: outcomes.count(name) for name in OUTCOMES if name in outcomes}
        counts[page] = {"cells": found["cells"], "claims": claims}
    return counts


def _pages(folder: Path, page: str = "*") -> dict[str, dict]:
    pages = {}
    for path in sorted(folder.glob(f"verdicts/{page}.json")):
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            claims = [tuple(row[name] for name in _ROW) for row in found["claims"]]
            pages[path.stem] = {"cells": dict(found["cells"]), "claims": claims}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: not a record of verdicts ({error!r}); restore or remove it") from error
        for claim, outcome, *_ in claims:
            if not exists(claim) or outcome not in OUTCOMES:
                raise ValueError(
                    f"{path}: the outcome {outcome!r} of claim {claim!r} is unknown; restore the file"
                )
    return pages
