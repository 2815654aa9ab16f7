"""What a page says in words about the outcome of a claim is what stands on record."""

import json
import re

import pytest

from reproduction.claims import OUTCOMES, recorded_verdicts
from reproduction.paths import DATA

TOP = DATA.parent
ON_RECORD = recorded_verdicts(DATA / "results").set_index("claim")["outcome"].to_dict()

#: A claim and an outcome in one clause; "holds if" states a rule.
_SAID = re.compile(
    r"\b(C\d{3})\b(?:[^.;:\n|]|\n(?!\n)){0,40}?"
    r"\b(holds?|fails?|failed|not reproduced|undecided|untestable)\b"
    r"(?!\s+(?:if|where|when|or)\b)"
)
_OUTCOME = {"hold": "holds", "fail": "fails", "failed": "fails"}
#: Pages that tell history: what the outcomes once were.
HISTORY = {"referee.md", "rule-changes.ipynb"}


def pages():
    """The prose of the book, by page."""
    for path in sorted((TOP / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path.name, "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    for path in sorted((TOP / "book").rglob("*.md")):
        if "executed" not in path.parts:
            yield path.name, path.read_text(encoding="utf-8")


PAGES = dict(pages())


def contradictions(text):
    """Claims of which a text says another outcome than the record, each with what it says."""
    found = []
    for match in _SAID.finditer(text):
        said = _OUTCOME.get(match[2], match[2])
        hypothesis = re.search(r"\b(would|could|may|might|can|had)\b", match[0])
        if not hypothesis and ON_RECORD.get(match[1]) != said:
            found.append(" ".join(match[0].split()))
    return found


@pytest.mark.parametrize("page", sorted(set(PAGES) - HISTORY))
def test_no_page_contradicts_the_record(page):
    assert contradictions(PAGES[page]) == []


@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_verdict_that_is_looked_up_is_one_of_a_claim(page):
    assert set(re.findall(r"\{verdict\}`([^`]*)`", PAGES[page])) <= set(ON_RECORD)


def test_a_planted_contradiction_is_found():
    claim = next(claim for claim, outcome in ON_RECORD.items() if outcome == "fails")
    assert contradictions(f"As seen above, {claim} holds on all data sets.") == [f"{claim} holds"]
    assert contradictions(f"So ({claim} is\nundecided there).") == [f"{claim} is undecided"]
    assert contradictions(f"{claim} holds if online boosting begins below. {claim} fails. It holds.") == []
    assert contradictions(f"By the former rule {claim} would hold; {{verdict}}`{claim}`.") == []
    assert set(ON_RECORD.values()) <= set(OUTCOMES)
