"""The topics of the book: a file has what its page, or a pair of pages, rests on, and is named as the page.

`studies`, `simulations` and `checks` find what these files declare, and what the rooms below do. Each imports
all files first, so that nothing depends on what else a process has imported.
"""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from .. import studies as shared
from ..claims.registry import REGISTERED, Check, Verdict
from ..printed.record import Record
from ..record.simulation import Call, Simulation, SimulationResult
from ..record.study import PROFILES, Study
from ..studies.accuracy import GRIDS

__all__ = ["checks", "judge", "simulations", "studies", "tasks"]

T = TypeVar("T", Study, Simulation)


@cache
def _modules() -> list[ModuleType]:
    packages = [shared, import_module(__name__)]
    names = [f"{one.__name__}.{each.name}" for one in packages for each in pkgutil.iter_modules(one.__path__)]
    return [import_module(name) for name in names]


def _declared(kind: type[T]) -> dict[str, T]:
    """Everything of a kind that is an attribute of a module, in the order of the names."""
    found: dict[str, T] = {}
    for module in _modules():
        for each in vars(module).values():
            if isinstance(each, kind) and found.setdefault(each.name, each) is not each:
                raise ValueError(f"there are two with the name {each.name}")
    return dict(sorted(found.items()))


@cache
def studies() -> dict[str, Study]:
    """List all studies by name: first the grids, last the study of all simulations."""
    return {**GRIDS, **_declared(Study), SIMULATIONS.name: SIMULATIONS}


@cache
def simulations() -> dict[str, Simulation]:
    """List all simulations by name."""
    return _declared(Simulation)


@cache
def checks() -> dict[str, Check]:
    """List the checks of all claims by number."""
    _modules()
    return dict(sorted(REGISTERED.items()))


def tasks(study: str, profile: str) -> list[Any]:
    """All tasks of a study in a profile, in no particular order.

    >>> len(tasks("naive-bayes", "smoke"))
    36
    >>> set(tasks("naive-bayes", "quick")) < set(tasks("naive-bayes", "thesis"))
    True
    """
    if study not in studies():
        raise ValueError(f"study={study!r}: expected one of {', '.join(studies())}")
    if profile not in PROFILES:
        raise ValueError(f"profile={profile!r}: expected one of {', '.join(PROFILES)}")
    return list(studies()[study].tasks(profile))


def judge(record: Record, *claims: str) -> list[Verdict]:
    """Judge claims by what is recorded or what their evidence providers compute.

    Parameters
    ----------
    record : Record
        Where recorded evidence is read.
    *claims : str
        Numbers of claims.

    Raises
    ------
    ValueError
        If there is no such claim.

    Examples
    --------
    >>> from reproduction.printed.record import Record
    >>> from reproduction.topics import judge
    >>> (verdict,) = judge(Record(), "C068")
    >>> verdict.outcome, [source.name for source in verdict.sources]
    ('not reproduced', ['decision-trees (3.3)'])
    """
    if unknown := set(claims) - set(checks()):
        raise ValueError(f"unknown claim {min(unknown)!r}: expected C001 to {max(checks())}")
    return [checks()[name].judge(record) for name in claims]


def _result_of(call: Call) -> SimulationResult:
    return simulations()[call.dataset].result(call)


SIMULATIONS = Study(
    Call.study,
    "Simulations of single pages and claims",
    Call,
    SimulationResult,
    lambda profile: [call for each in simulations().values() for call in each.calls(profile)],
    _result_of,
    bits=lambda call: simulations()[call.dataset].bits,
)
