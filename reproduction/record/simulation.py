"""Simulations on record: functions whose results for the published parameters are recorded as a study.

`reproduction.topics` finds them all, and makes the study of them.
"""

import functools
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

import pandas as pd

from .bits import EXACT, OF_PROCESSOR, Bits
from .study import Study

P = ParamSpec("P")
R = TypeVar("R")

#: Said where a page asks for what is not recorded.
COMPUTED = "not on record with these parameters, computed now"


@dataclass(frozen=True, order=True)
class Call:
    """A call of the simulation named `dataset`, with all its arguments in JSON."""

    dataset: str
    arguments: str

    study: ClassVar = "simulations"


@dataclass(frozen=True)
class SimulationResult:
    """What a simulation returned, in JSON, which keeps every bit of a number."""

    value: str


class Simulation(Generic[P, R]):
    """A function that draws random numbers; what it returned for some arguments is on record.

    Calling it computes. It returns a data frame, array, number or text, or a list, tuple or dict of those.
    What is read from the record is the same, but for lists in place of arrays and of tuples without names.
    Arguments are numbers, texts and lists of them.
    """

    def __init__(
        self,
        function: Callable[P, R],
        small: Mapping[str, Any],
        calls: Sequence[Mapping[str, Any]],
        bits: Bits,
    ) -> None:
        functools.update_wrapper(self, function)
        self._function, self._small, self._calls, self.bits = function, small, calls, bits
        self.name = function.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute."""
        return self._function(*args, **kwargs)

    def recorded(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Read what is recorded for these arguments; if nothing is, say so and compute it."""
        call = self._call(*args, **kwargs)
        rows = Study(call.study, self.name, Call, SimulationResult, self.calls, self.result).recorded([call])
        if rows.empty:
            print(f"{self.name}: {COMPUTED}")
        value = _read(rows["value"].item() if len(rows) else _written(self(*args, **kwargs)))
        kind = inspect.signature(self._function, eval_str=True).return_annotation
        return kind._make(value) if hasattr(kind, "_make") else value

    def confirm(self, here: Any, recorded: Any) -> None:
        """Compare what was computed here with its part of the record, as the kind of the bits allows."""
        if self.bits is OF_PROCESSOR:
            raise ValueError(f"{self.name} is {self.bits.kind}: nothing computed here can confirm it.")
        if not self.bits.agree(_written(recorded), _written(here)):
            raise AssertionError(f"{self.name}, {self.bits.kind}: computed {here}, on record {recorded}")

    def calls(self, profile: str) -> list[Call]:
        """List the calls of a profile."""
        return [self._call(**given) for given in ([self._small] if profile == "smoke" else self._calls)]

    def result(self, call: Call) -> SimulationResult:
        """Compute what it returns for a call."""
        compute: Callable[..., R] = self
        return SimulationResult(_written(compute(**json.loads(call.arguments))))

    def _call(self, *args: Any, **kwargs: Any) -> Call:
        bound = inspect.signature(self._function).bind(*args, **kwargs)
        bound.apply_defaults()
        return Call(self.name, _written(bound.arguments))


def simulation(
    small: Mapping[str, Any], calls: Sequence[Mapping[str, Any]] = ({},), bits: Bits = EXACT
) -> Callable[[Callable[P, R]], Simulation[P, R]]:
    """Record what a function returns for its default arguments, or for each of several `calls`.

    With the arguments `small` it takes a second; this result is on record as well, in the profile "smoke", so
    that `verify --profile smoke` confirms all simulations on another processor within a minute.
    """

    return lambda function: Simulation(function, small, calls, bits)


def _written(value: Any) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, range):
        return list(value)
    if isinstance(value, pd.DataFrame):
        return {"frame": value.to_dict("tight")}
    return value.tolist()  # of an array, or a number of NumPy


def _read(text: str) -> Any:
    return json.loads(text, object_hook=lambda found: _frame(**found) if set(found) == {"frame"} else found)


def _frame(frame: dict[str, Any]) -> pd.DataFrame:
    for axis in ("index", "columns"):  # JSON has no tuples
        frame[axis] = [tuple(label) if isinstance(label, list) else label for label in frame[axis]]
    return pd.DataFrame.from_dict(frame, orient="tight")
