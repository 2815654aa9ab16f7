"""What a check of a claim is, and the register of all of them."""

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, TypeVar

import pandas as pd

from oza.datasets import list_datasets

from ..paths import DATA
from ..printed.printed import label
from ..printed.record import NotPrinted, NotRecorded, PrintedRecord, Record, Source
from ..record.simulation import Simulation

#: What a check returns instead of a decision where the data that the claim speaks of cannot be had.
UNTESTABLE: Final = "untestable"

_T = TypeVar("_T")
#: A single number, truth value or word that is evidence. All other such arguments belong to the rule.
Found = Annotated[_T, "evidence"]

Decision = tuple[bool | Literal["untestable"] | None, str]


class _Open(Exception):
    """Raised with the decision on a claim that the evidence cannot decide."""


def require(condition: object, otherwise: str, decision: Literal["untestable"] | None = None) -> None:
    """Leave the claim undecided, with this evidence, unless a condition of its rule is met."""
    if not condition:
        raise _Open(decision, otherwise)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim.

    Attributes
    ----------
    claim : str
        Number of the claim, "C053" for instance.
    outcome : {"holds", "fails", "not reproduced", "undecided", "untestable"}
        "fails": the source's own claim fails on its own terms. "not reproduced": the source reports what
        it, or others, found with data, programs or machines that cannot be had, and we find otherwise with
        ours. "undecided": the evidence at hand does not decide the claim; more of it might. "untestable":
        the data that the claim speaks of cannot be had.
    evidence : str
        The findings, in one line.
    rule : str
        What was looked at and what it takes to hold, in the words of the check.
    sources : tuple of Source
        The recorded results that were read, if any.
    """

    claim: str
    outcome: str
    evidence: str
    rule: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def statement(self) -> str:
        """The claim itself, from the reference table."""
        return str(_claims().at[self.claim, "claim"])

    @property
    def origin(self) -> str:
        """Where the claim is made, from the reference table."""
        return str(_claims().at[self.claim, "source"])

    @property
    def kind(self) -> str:
        """What sort of claim: "theorem", "true by construction", "trivial" or "empirical".

        One that is trivial adds nothing to the others, for the reason that the reference table gives; it is
        judged, and left out of headline figures.
        """
        row = _claims().loc[self.claim]
        if row["trivial"]:
            return "trivial"
        if row["by_construction"]:
            return "true by construction"
        return "theorem" if row["kind"] == "theorem" else "empirical"


_OUTCOMES = {True: "holds", False: "fails", None: "undecided", UNTESTABLE: UNTESTABLE}

_OF_REPORTS = " The claim is a report: if our results contradict it, it is not refuted but not reproduced."

_FLAGS = ("by_construction", "reports", "on_print", "by_margin")


@functools.cache
def _claims() -> pd.DataFrame:
    return pd.read_csv(
        DATA / "reference" / "claims.csv",
        index_col="id",
        keep_default_na=False,
        converters=dict.fromkeys(_FLAGS, "yes".__eq__),
    )


def claims_where(flag: str) -> list[str]:
    """List the claims that have a flag in the reference table.

    Parameters
    ----------
    flag : {"by_construction", "reports", "on_print", "by_margin"}
        "by_construction": the claim says how an algorithm or the protocol is made; its check shows that
        ours is made so, and no experiment could have shown anything else. "reports": it says what its
        source found with data, programs or machines that cannot be had, so that results of ours cannot
        refute it; where they speak against it, it is "not reproduced". "on_print": its rule is about Tables
        3.3 to 3.11 and needs no more than the numbers that are printed there. "by_margin": what decides it
        reads the margin of equality.

    Examples
    --------
    >>> from reproduction.claims.registry import claims_where
    >>> len(claims_where("on_print"))
    23
    """
    claims = _claims()
    return list(claims.index[claims[flag]])


def exists(claim: str) -> bool:
    """Whether the reference table has a claim of this number."""
    return claim in _claims().index


@functools.cache
def claims_by_page() -> dict[str, list[str]]:
    """List for each page of the book the claims that it shows, in its order; each claim has one page."""
    shown = _claims().sort_values(["page", "place"]).groupby("page")
    return {str(page): list(claims) for page, claims in shown.groups.items()}


class Check:
    """The rule by which a claim is judged. Called with the evidence, it gives the verdict.

    `evidence` gives the arguments, which it reads from a record or computes; `given` are those of them that
    belong to the rule and are no evidence.
    """

    __name__: str

    def __init__(
        self, claim: str, decide: Callable, rule: str, evidence: Callable, given: Sequence[str]
    ) -> None:
        functools.update_wrapper(self, decide)
        self.__doc__ = rule or decide.__doc__
        self.claim, self.evidence, self.given = claim, evidence, tuple(given)
        self._decide: Callable[..., Decision] = decide

    @property
    def rule(self) -> str:
        """What was looked at and what it takes to hold, in the words of the docstring."""
        text = inspect.getdoc(self) or ""
        words = " ".join(text.partition("\n\nParameters\n")[0].replace("`", "").split())
        words = words.removeprefix("Judge ")
        words += _OF_REPORTS if _claims().at[self.claim, "reports"] else ""
        return words[:1].upper() + words[1:]

    def __call__(self, *args: Any, **kwargs: Any) -> Verdict:
        """Judge the claim by evidence."""
        try:
            holds, found = self._decide(*args, **kwargs)
        except _Open as decision:
            holds, found = decision.args
        outcome = _OUTCOMES[holds]
        if outcome == "fails" and _claims().at[self.claim, "reports"]:
            outcome = "not reproduced"
        return Verdict(self.claim, outcome, with_names(found), self.rule)

    def judge(self, record: Record) -> Verdict:
        """Judge the claim by what is recorded, or computed for it.

        A rule that needs no more than the numbers that are printed is tried on them as well. If the source's
        own numbers do not pass, the rule cannot show that something failed to reproduce, and an outcome
        against the claim becomes "undecided". Without its results a claim is undecided, whatever its rule.
        """
        try:
            with record.noting() as read:
                arguments = self.evidence(record)
        except NotRecorded as source:
            return Verdict(self.claim, "undecided", f"not recorded: {source}", self.rule)
        printed = self.on_print() if _claims().at[self.claim, "on_print"] else None
        return replace(_beside_print(self(*arguments), printed), sources=tuple(read))

    def on_print(self) -> Verdict | None:
        """Try the rule on the printed numbers; None if it needs more than is printed.

        Printed means are taken as exact, and printed marks of significance as the outcome of the tests.
        """
        with suppress(NotPrinted):
            return self(*self.evidence(PrintedRecord()))
        return None


#: The checks of the modules that have been imported; `reproduction.topics.checks` imports all.
REGISTERED: dict[str, Check] = {}


def claim(
    identifier: str, rule: str = "", *, evidence: Callable[..., tuple], given: Sequence[str] = ()
) -> Callable[[Callable[..., Decision]], Check]:
    """Register a check for the claim `identifier`.

    Its `evidence` gives the arguments of the check, read from a `Record` or computed. What is `given` belongs
    to the rule and is not evidence: an argument such as a printed number or a bound, or a column of one
    ("votes.formula"). The text of the `rule` is the docstring of the check, unless several claims share it.

    The decorated function returns whether the claim holds (None: the evidence does not decide it;
    `UNTESTABLE`: its data cannot be had) and the evidence as text; the caller gets a `Verdict`.

    Raises
    ------
    ValueError
        If the reference table has no such claim, the claim has a check already, or something is given
        that the check does not take.
    """

    def register(check: Callable[..., Decision]) -> Check:
        if identifier not in _claims().index:
            raise ValueError(f"no claim {identifier!r} in data/reference/claims.csv")
        if identifier in REGISTERED:
            raise ValueError(f"claim {identifier!r} has a check already: {REGISTERED[identifier].__name__}")
        if unknown := {name.partition(".")[0] for name in given} - set(inspect.signature(check).parameters):
            raise ValueError(f"{check.__name__} takes no argument {unknown}")
        REGISTERED[identifier] = Check(identifier, check, rule, evidence, given)
        return REGISTERED[identifier]

    return register


def recorded(simulation: Simulation) -> Callable[[Record], tuple]:
    """Give as evidence what is recorded of a simulation."""
    return lambda record: (simulation.recorded(),)


def with_names(evidence: str) -> str:
    """Name data sets in a text as the thesis does, in place of our keys.

    Examples
    --------
    >>> from reproduction.claims.registry import with_names
    >>> with_names("trees on car-evaluation 0.97, covertype-head 0.71")
    'trees on Car Evaluation 0.97, Forest Covertype (first 20,000 rows) 0.71'
    """
    keys = sorted(list_datasets(), key=len, reverse=True)  # one key begins with another
    return re.sub(rf"\b({'|'.join(keys)})\b", lambda key: _name(key[1]), evidence)


def _name(dataset: str) -> str:
    name, _, part = label(dataset).partition(", ")
    return f"{name} ({part})" if part else name


def _beside_print(verdict: Verdict, printed: Verdict | None) -> Verdict:
    if printed is None or printed.outcome == "undecided":
        return verdict
    evidence = f"{verdict.evidence}; on the printed numbers this rule gives: {printed.outcome}"
    against = ("fails", "not reproduced")
    is_void = verdict.outcome in against and printed.outcome in against
    return replace(verdict, outcome="undecided" if is_void else verdict.outcome, evidence=evidence)
