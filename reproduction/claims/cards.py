"""The verdicts on the claims of a chapter."""

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from ..printed.table import signed, verdict_class
from .registry import Verdict
from .verdicts import OUTCOMES, on_record

_ON_RECORD = "<small>Recorded verdicts, for the parameters of this page as published.</small>"


@dataclass(frozen=True, eq=False)
class _Claims:
    verdicts: Sequence[Verdict]

    def counts(self) -> dict[str, int]:
        return dict(Counter(verdict.outcome for verdict in self.verdicts))

    def __repr__(self) -> str:
        return "\n".join(f"{v.claim}  {v.outcome:14}  {v.evidence}" for v in self.verdicts)


class ClaimCards(_Claims):
    """Claims as cards: what is claimed, the verdict, the evidence, and how it was judged, folded."""

    def _repr_html_(self) -> str:
        cards = "".join(map(_card, self.verdicts))
        return f'<div class="claims">\n{scoreline(self.counts())}\n<p>{_ON_RECORD}</p>\n{cards}</div>'


def claim_cards(page: str) -> ClaimCards:
    """Claims of a page, each with its recorded verdict, the evidence, and the rule.

    >>> claim_cards("datasets").counts()
    {'holds': 1}
    """
    return ClaimCards(on_record(page))


class ClaimLine(_Claims):
    """Claims in one line, each with its verdict, and a link to its row of the scorecard."""

    def _repr_html_(self) -> str:
        links = " ".join(
            f'<a href="scorecard.html#{v.claim}" id="{v.claim}" title="{escape(v.statement)}">{v.claim} '
            f"{badge(v.outcome)}</a>"
            for v in self.verdicts
        )
        return f'<p class="claim-line">Claims of this page: {links} {_ON_RECORD}</p>'


def claim_line(page: str) -> ClaimLine:
    """Claims of a page that teaches in one line, with their recorded verdicts; the scorecard says the rest.

    >>> claim_line("adwin").counts()
    {'holds': 2}
    """
    return ClaimLine(on_record(page))


def badge(outcome: str) -> str:
    """Write an outcome in HTML: its sign and its name, with the class of its colour."""
    return f'<span class="{verdict_class(outcome)}">{signed(outcome, outcome)}</span>'


def scoreline(counts: Mapping[str, int]) -> str:
    """Write in HTML how many claims have each outcome.

    >>> scoreline({"holds": 3, "fails": 1})[:64]
    '<p class="scoreline"><span class="verdict-holds">3 ✓ holds</span'
    """
    parts = " ".join(
        f'<span class="{verdict_class(name)}">{counts[name]} {signed(name, name)}</span>'
        for name in sorted(counts, key=[*OUTCOMES, "not judged yet"].index)
    )
    return f'<p class="scoreline">{parts} of {sum(counts.values())}</p>'


def first_clauses(text: str, most: int = 150) -> str:
    """Shorten a text to whole clauses: it is cut after a semicolon or a sentence, and never within brackets.

    >>> first_clauses("one tree errs (2 of 3; always); a bag does not", most=20)
    'one tree errs (2 of 3; always) …'
    """
    ends = [m.start() for m in re.finditer(r"[;.](?= )", text) if _is_outside(text[: m.start()])]
    fitting = [end for end in ends if end <= most] or ends[:1]
    return text if len(text) <= most or not fitting else f"{text[: fitting[-1]]} …"


def _is_outside(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]"))


def _card(verdict: Verdict) -> str:
    line = first_clauses(verdict.evidence)
    folded = {"Rule": verdict.rule, "Evidence": verdict.evidence if line != verdict.evidence else ""}
    paragraphs = [f"<p><b>{name}:</b> {escape(text)}</p>" for name, text in folded.items() if text]
    return (
        f'<article class="claim" id="{verdict.claim}">\n'
        f"<p><b>{verdict.claim}</b> {badge(verdict.outcome)} "
        f"<small>{escape(f'{verdict.kind}; {verdict.origin}')}</small></p>\n"
        f'<p class="statement">{escape(verdict.statement)}</p>\n'
        f'<p class="evidence">{escape(line)}</p>\n'
        f"<details><summary>How {verdict.claim} was judged</summary>{''.join(paragraphs)}</details>\n"
        "</article>\n"
    )


def verdict_text(verdict: Verdict, *pages: str) -> str:
    """Write a verdict in plain text: the claim, by what rule it was judged, and what was found in what.

    `pages` are those of the book that judge the claim.

    >>> print(verdict_text(Verdict("C085", "untestable", "nothing at hand", "The shape."), "calendar"))
    C085  untestable  (empirical; thesis 3.5.4 p.58-60)  [calendar]
          ...
          Judged: The shape.
          Evidence: nothing at hand
    """
    lines = [f"{verdict.claim}  {verdict.outcome}  ({verdict.kind}; {verdict.origin})"]
    lines[0] += f"  [{', '.join(pages)}]" if pages else ""
    evidence = verdict.evidence and f"Evidence: {verdict.evidence}"
    read = [f"Read: {source}" for source in verdict.sources]
    for text in (verdict.statement, f"Judged: {verdict.rule}", evidence, *read):
        lines += textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines)
