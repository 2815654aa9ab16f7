"""Model files that are safe to open, whoever wrote them: `save` and `load`.

A file is one of `skops.io`, a zip archive of arrays and of the names of classes, with one more member that
says which version of the library wrote it, and the digest of all others. To load it runs no code that the
file brings: only classes of a fixed list are made, and the state of each estimator is checked (`estimators`)
before a kernel gets it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from sklearn.base import BaseEstimator

from ..discovery import all_estimators
from ..extras import required
from ..files import replace_file
from ..kernels.exclusive import check_of_states

FORMAT = 1  # grows when an older version could not read what this one writes
_ABOUT = "oza.json"  # the member that only these files have


def save(model: Any, path: Any) -> None:
    """Write a model to a file that `load` reads, safely whoever wrote it.

    Parameters
    ----------
    model : estimator
        A classifier, forecaster or detector of this library, fitted or not, or a pipeline or another
        estimator of scikit-learn with one inside.
    path : str, Path or binary file object
        The file; one that exists is replaced at once, so that a crash leaves the old or the new one.

    Raises
    ------
    TypeError
        If `model` is no estimator, or holds something that cannot be saved, or that `load` would refuse; or
        `path` is neither a path nor a file.
    OSError
        If the file cannot be written.
    ModuleNotFoundError
        If skops is not installed, which the extra `files` installs.

    See Also
    --------
    load : reads the file.

    Notes
    -----
    The file records the version of the library and the number of the format. It holds the model between two
    calls, also while other threads learn.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import oza
    >>> path = Path(tempfile.mkdtemp()) / "model.skops"
    >>> oza.save(oza.NaiveBayesClassifier().fit([[1.0], [2.0]], ["low", "high"]), path)
    >>> oza.load(path).predict_one([1.2])
    'low'
    """
    from .. import __version__

    skops = required("skops.io", "a model file")
    if not isinstance(model, BaseEstimator):
        raise TypeError(f"model must be an estimator; got {model!r:.100}. Call save(model, path).")
    file, path = path, _path_of(path)
    try:
        content = BytesIO(skops.dumps(model))
    except Exception as error:  # any error, since any object may be in the parameters
        raise TypeError(
            f"{path.name}: {type(model).__name__} holds something that a model file cannot ({error}); leave "
            "it out, or convert it to numbers, strings, lists or arrays."
        ) from error
    others = skops.get_untrusted_types(data=content.getvalue())
    try:
        _read(skops, content.getvalue(), others)
    except Exception as error:  # of many types, as above
        raise TypeError(
            f"{path.name}: load would refuse this {type(model).__name__}: {error}. The attributes of a class "
            "of your own must keep the types that they have when learning begins, and dates in parameters "
            f"must be strings. Types not of oza: {', '.join(sorted({*others} - {*_own_types()})) or 'none'}."
        ) from error
    with ZipFile(content, "a", ZIP_STORED) as archive:
        about = {"format": FORMAT, "oza": __version__, "sha256": _digest(archive)}
        archive.writestr(_ABOUT, json.dumps(about))
    file.write(content.getvalue()) if hasattr(file, "write") else replace_file(path, content.getvalue())


def load(path: Any, trusted: Any = ()) -> Any:
    """Read a model from a file that `save` wrote; it goes on learning to the same bits.

    No code of the file is run, as a pickle's is. Only classes of this library and of scikit-learn are made,
    and all that has been learned is checked, so that a file that was altered is refused, or gives a model
    that is wrong but does no harm.

    Parameters
    ----------
    path : str, Path or binary file object
        The file.
    trusted : type, name of a type, or iterable of them, default=()
        Further types that the file may hold, such as base models of your own. What they do when they are
        made from the file is not checked: name only those whose code you know.

    Returns
    -------
    estimator
        As it was when it was saved.

    Raises
    ------
    ValueError
        If the file is no model file, was written in a newer format, is damaged or was altered, or holds a
        type that is not trusted.
    OSError
        If the file cannot be read.
    ModuleNotFoundError
        If skops is not installed, which the extra `files` installs.

    See Also
    --------
    save : writes the file.

    Notes
    -----
    The digest in the file finds damage by accident. Whoever alters a file can compute it anew: what protects
    are the checks of what the file holds. They do not say whether a model is right; that depends on who
    trained it. What a model of scikit-learn holds is checked by skops alone, which trusts few of its types
    that have arrays of indices.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import oza
    >>> path = Path(tempfile.mkdtemp()) / "model.skops"
    >>> _ = path.write_bytes(b"something else")
    >>> oza.load(path)
    Traceback (most recent call last):
    ...
    ValueError: model.skops is damaged or was altered: File is not a zip file; take another copy, ...
    """
    from .. import __version__

    skops = required("skops.io", "a model file")
    file, path = path, _path_of(path)
    content = file.read() if hasattr(file, "read") else path.read_bytes()
    trusted = [trusted] if isinstance(trusted, str | type) else trusted
    named = [name if isinstance(name, str) else f"{name.__module__}.{name.__qualname__}" for name in trusted]
    with _errors_of(path):
        about = _about(content)
    if about["format"] > FORMAT:
        raise ValueError(
            f"{path.name} was written by oza {about['oza']} in format {about['format']}; oza {__version__} "
            f"reads formats up to {FORMAT}. Install a newer oza, or save the model again with this one."
        )
    with _errors_of(path):
        strange = sorted({*skops.get_untrusted_types(data=content)} - {*_own_types(), *named})
    if strange:
        raise ValueError(
            f"{path.name} holds types that are not trusted: {', '.join(strange)}. If you know their code and "
            f"who wrote the file, pass trusted={sorted({*strange, *named})!r}."
        )
    with _errors_of(path):
        model = _read(skops, content, named)
        if not isinstance(model, BaseEstimator):
            raise ValueError(f"it holds no estimator but {type(model).__name__}")
    return model


def _read(skops: Any, content: bytes, trusted: Iterable[str]) -> Any:
    """What is in a file that `skops` wrote; the state of each estimator of this library is checked."""
    token = check_of_states.set(_checked)
    try:
        return skops.loads(content, trusted=[*_own_types(), *trusted])
    finally:
        check_of_states.reset(token)


def _checked(estimator: Any, state: Any) -> dict[str, Any]:
    from .estimators import checked_state  # at the call, since `oza` imports this package

    return checked_state(estimator, state)


@contextmanager
def _errors_of(path: Path) -> Any:
    """Any error inside means that the file is not as it was written; the message names it."""
    try:
        yield
    except Exception as error:  # what reads a file of skops raises errors of many types
        what = str(error).rstrip(".") or type(error).__name__
        raise ValueError(
            f"{path.name} is damaged or was altered: {what}; take another copy, or save the model again."
        ) from error


def _about(content: bytes) -> dict[str, Any]:
    """What the file says about itself, once its digest has been compared."""
    with ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        names = [member.filename for member in members]
        if _ABOUT not in names:
            raise ValueError(f"it has no {_ABOUT}, which oza.save writes")
        if len({*names}) < len(names) or any(member.compress_type != ZIP_STORED for member in members):
            raise ValueError("it has members that oza.save does not write")  # what is packed may be huge
        about = json.loads(archive.read(_ABOUT))
        if type(about.get("format")) is not int or about["format"] < 1:
            raise ValueError(f"its format is {about.get('format')!r}")
        if about["format"] <= FORMAT and about.get("sha256") != _digest(archive):
            raise ValueError("its contents do not have the digest that was written with them")
    return {"oza": "unknown"} | about


def _digest(archive: ZipFile) -> str:
    """SHA-256 of the names and contents of all entries but the one that holds it."""
    digest = hashlib.sha256()
    for name in sorted({*archive.namelist()} - {_ABOUT}):
        content = archive.read(name)
        digest.update(f"{len(name)} {name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


@cache
def _own_types() -> tuple[str, ...]:
    """The types of this library that a file may hold: to make one from any arguments only keeps these.

    They are the public estimators, the NamedTuples, which have no code of their own, what else is inside a
    fitted estimator, and `range`, which may list categories.
    """
    from ..classifier.third_party import AsGiven, ThirdParty, ThirdPartyModels
    from ..columns.schema import Schema
    from ..drift import ADWIN

    records = [
        kind
        for kind in tuple.__subclasses__()
        if hasattr(kind, "_fields") and kind.__module__.partition(".")[0] == "oza"
    ]
    others = [ADWIN, Schema, AsGiven, ThirdParty, ThirdPartyModels, range]
    kinds: list[Any] = [*all_estimators().values(), *records, *others]
    return tuple(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds)


def _path_of(file: Any) -> Path:
    """The path of a file, or the name of an object."""
    if hasattr(file, "seek"):
        return Path(str(getattr(file, "name", type(file).__name__)))
    if not isinstance(file, str | os.PathLike):
        raise TypeError(f"path must be a string, a Path or a binary file; got {file!r:.100}.")
    if os.path.isdir(file):
        raise IsADirectoryError(f"path is the folder {str(file)!r}; name a file in it.")
    return Path(file)
