"""What a check of a claim is, and the register of all of them."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import pandas as pd

from ..paths import DATA
from ..tables import Record, Source

#: What a check returns instead of a decision where the data that the claim speaks of cannot be had.
UNTESTABLE: Final = "untestable"

Decision = tuple[bool | Literal["untestable"] | None, str]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim.

    Attributes
    ----------
    claim : str
        Number of the claim, "C053" for instance.
    outcome : {"holds", "fails", "undecided", "untestable"}
        "undecided": the evidence at hand does not decide the claim; more of it might. "untestable":
        the data that the claim speaks of cannot be had.
    evidence : str
        The findings, in one line.
    sources : tuple of Source
        The recorded results that were read, if any.
    """

    claim: str
    outcome: str
    evidence: str
    sources: tuple[Source, ...] = ()

    @property
    def statement(self) -> str:
        """The claim itself, from the reference table."""
        return str(_claims().loc[self.claim, "claim"])

    @property
    def origin(self) -> str:
        """Where the claim is made, from the reference table."""
        return str(_claims().loc[self.claim, "source"])

    @property
    def rule(self) -> str:
        """What was looked at and what it takes to hold, in the words of the check."""
        text = inspect.getdoc(CHECKS[self.claim]) or ""
        words = " ".join(text.partition("\n\nParameters\n")[0].replace("`", "").split())
        words = words.removeprefix("Judge ")
        return words[:1].upper() + words[1:]

    @property
    def kind(self) -> str:
        """What sort of claim: "theorem", "true by construction" or "empirical"."""
        row = _claims().loc[self.claim]
        in_table = str(row["check_against_sources"]).startswith("true by construction")
        if in_table or self.claim in _BY_CONSTRUCTION:
            return "true by construction"
        return "theorem" if row["kind"] == "theorem" else "empirical"


_OUTCOMES = {True: "holds", False: "fails", None: "undecided", UNTESTABLE: UNTESTABLE}

#: The check of each claim that has one.
CHECKS: dict[str, Callable[..., Verdict]] = {}

#: The evidence provider of each claim: it gives the arguments of the check, which it reads from a record
#: or computes.
EVIDENCE: dict[str, Callable[[Record], tuple]] = {}

#: For each claim the arguments of its check that belong to the rule and are not evidence.
GIVEN: dict[str, Sequence[str]] = {}

_BY_CONSTRUCTION: set[str] = set()


@functools.cache
def _claims() -> pd.DataFrame:
    return pd.read_csv(DATA / "reference" / "claims.csv", index_col="id")


def claim(
    identifier: str,
    *,
    evidence: Callable[[Record], tuple],
    by_construction: bool = False,
    given: Sequence[str] = (),
) -> Callable[[Callable[..., Decision]], Callable[..., Verdict]]:
    """Register a check for the claim `identifier`.

    Its `evidence` gives the arguments of the check, read from a `Record` or computed.

    A claim is true `by_construction` if it says how an algorithm or the protocol is made: then its
    check shows that ours is made so, and no experiment could have shown anything else.

    What is `given` belongs to the rule and is not evidence: an argument such as a printed number or a
    bound, or a column of one ("votes.formula").

    The decorated function returns whether the claim holds (None: the evidence does not decide it;
    `UNTESTABLE`: its data cannot be had) and the evidence as text; the caller gets a `Verdict`.

    Raises
    ------
    ValueError
        If the reference table has no such claim, the claim has a check already, or something is given
        that the check does not take.
    """

    def register(check: Callable[..., Decision]) -> Callable[..., Verdict]:
        if identifier not in _claims().index:
            raise ValueError(f"no claim {identifier!r} in data/reference/claims.csv")
        if identifier in CHECKS:
            raise ValueError(f"claim {identifier!r} has a check already: {CHECKS[identifier].__name__}")
        if unknown := {name.partition(".")[0] for name in given} - set(inspect.signature(check).parameters):
            raise ValueError(f"{check.__name__} takes no argument {unknown}")

        @functools.wraps(check)
        def judge(*args: Any, **kwargs: Any) -> Verdict:
            holds, found = check(*args, **kwargs)
            return Verdict(identifier, _OUTCOMES[holds], found)

        CHECKS[identifier] = judge
        GIVEN[identifier] = tuple(given)
        EVIDENCE[identifier] = evidence
        if by_construction:
            _BY_CONSTRUCTION.add(identifier)
        return judge

    return register


def judge(record: Record, *claims: str) -> list[Verdict]:
    """Judge claims by what is recorded or what their evidence providers compute.

    Parameters
    ----------
    record : Record
        Where recorded evidence is read.
    *claims : str
        Numbers of claims, "C066" for instance.

    Returns
    -------
    list of Verdict

    Raises
    ------
    ValueError
        If there is no such claim.

    Examples
    --------
    >>> from reproduction.tables import Record
    >>> from reproduction.claims import judge
    >>> (verdict,) = judge(Record(), "C068")
    >>> verdict.outcome, [source.name for source in verdict.sources]
    ('fails', ['decision-trees (3.3)'])
    """
    verdicts = []
    for name in claims:
        if name not in CHECKS:
            raise ValueError(f"unknown claim {name!r}: expected C001 to {max(CHECKS)}")
        with record.noting() as read:
            arguments = EVIDENCE[name](record)
        verdicts.append(replace(CHECKS[name](*arguments), sources=tuple(read)))
    return verdicts


def verdict_table(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """One row for each verdict: number, kind, statement, rule, outcome, evidence."""
    return pd.DataFrame(
        [(v.claim, v.kind, v.statement, v.rule, v.outcome, v.evidence) for v in verdicts],
        columns=["claim", "kind", "statement", "what was judged", "verdict", "evidence"],
    )
