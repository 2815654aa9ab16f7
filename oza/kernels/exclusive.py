"""Estimators that threads may share: calls of one estimator exclude each other.

Kernels release Python's lock while they run, and change the arrays of a state in place. Two threads that
worked on one state at the same time would corrupt memory.

A child that is forked meanwhile may use every estimator, which has learned what was learned at the end of the
kernel that ran. Only what another thread taught a classifier of another library may be divided in it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from copy import deepcopy
from functools import wraps
from threading import RLock
from types import FunctionType
from typing import Any

import numpy as np

from .undivided import locks

#: Checks the state of an estimator before it is restored. `oza.load` sets it; a pickle is not checked, since
#: unpickling runs any code that the pickle names.
check_of_states: ContextVar[Callable[[Any, Any], dict[str, Any]] | None] = ContextVar("check", default=None)


class Exclusive:
    """Base of estimators: while a public method or property of one works, other threads wait for their turn.

    Several threads that call one estimator leave it as these calls would in some order, one after the
    other. Private methods, and generators between two of their items, do not wait; the functions here see to
    the public methods and properties that a subclass defines.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, FunctionType):
                setattr(cls, name, _in_turn(member))
            elif isinstance(member, property) and member.fget is not None:
                setattr(cls, name, member.getter(_in_turn(member.fget)))
            elif hasattr(member, "fn"):  # what scikit-learn's `available_if` makes of a method
                member.fn = _in_turn(member.fn)

    def set_params(self, **params: Any) -> Any:
        """Set parameters, as in scikit-learn, between two calls of other threads."""
        with lock_of(self):
            return super().set_params(**params)  # type: ignore[misc]

    def __getstate__(self) -> dict[str, Any]:
        """A copy of the state, which stays as it is while it is pickled."""
        with lock_of(self):
            return deepcopy(self._picklable())

    def __setstate__(self, state: Any) -> None:
        """Restore a state; one that a model file holds is checked before.

        Arrays that can only be read are copied: joblib hands large ones to its workers as maps of a file, and
        kernels are compiled for arrays that they may change.
        """
        check = check_of_states.get()
        super().__setstate__(_writable(state if check is None else check(self, state)))  # type: ignore[misc]

    def _picklable(self) -> dict[str, Any]:
        """All attributes but the lock."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}


def lock_of(estimator: Any) -> Any:
    """The lock of an estimator, which the thread that has it may take again."""
    lock = vars(estimator).get("_lock")
    if lock is None:
        lock = vars(estimator).setdefault("_lock", RLock())
        locks.add(lock)
    return lock


def _in_turn(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method, which waits until no other thread works on the same estimator."""

    @wraps(function)
    def call(self, *arguments, **named):
        with self.__dict__.get("_lock") or lock_of(self):
            return function(self, *arguments, **named)

    return call


def _writable(value: Any) -> Any:
    """The value, with copies of those arrays within that can only be read."""
    if isinstance(value, np.ndarray):
        return value if value.flags.writeable else np.array(value)
    if isinstance(value, dict):
        return {key: _writable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_writable(each) for each in value]
    if isinstance(value, tuple):
        parts = map(_writable, value)
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value
