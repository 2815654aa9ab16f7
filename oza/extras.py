"""Packages that only some features need; an extra, `oza[NAME]`, lists those of a feature."""

import sys
from importlib import import_module
from typing import Any

#: The extra of `pyproject.toml` that installs a package.
EXTRA_OF = {
    "capymoa": "capymoa",
    "dask": "cluster",
    "distributed": "cluster",
    "jinja2": "report",
    "matplotlib": "report",
    "openpyxl": "excel",
    "pyarrow": "parquet",
    "river": "river",
    "skops": "files",
    "tqdm": "progress",
}


def required(module: str, purpose: str) -> Any:
    """Import a module of an extra.

    Parameters
    ----------
    module : str
        Dotted name of the module.
    purpose : str
        What it is needed for: the subject of the error message.

    Raises
    ------
    ModuleNotFoundError
        If its package is not installed; the message says how to install it.

    Examples
    --------
    >>> from oza.extras import required
    >>> required("matplotlib.figure", "a report").__name__
    'matplotlib.figure'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise explained(error, purpose) from None


def explained(error: ModuleNotFoundError, purpose: str) -> ModuleNotFoundError:
    """The same error, saying how to install it, if it is about a package of an extra; else the error."""
    package = (error.name or "").partition(".")[0]
    extra = EXTRA_OF.get(package)
    if extra is None:
        return error
    message = f"{purpose} needs {package}, which is not installed: pip install {package} (of oza[{extra}])"
    return ModuleNotFoundError(message, name=error.name)


def progress_bar(total: float | None, progress: bool | None, **options: Any) -> Any:
    """Make a progress bar of tqdm on the standard error stream, or a silent stand-in.

    Parameters
    ----------
    total : number or None
        Amount of work; None if it is not known.
    progress : bool or None
        True for a bar, which needs the extra `progress`; False for none; None for a bar if the standard
        error stream is a terminal and the extra is installed.
    **options
        Further options of tqdm.
    """
    if progress is None:
        try:
            progress = sys.stderr.isatty() and bool(import_module("tqdm"))
        except ModuleNotFoundError:
            progress = False
    if not progress:
        return _NoBar()
    return required("tqdm", "a progress bar").tqdm(total=total, file=sys.stderr, **options)


class _NoBar:
    """Has the methods of a bar that are called, and shows nothing."""

    total: float | None = None

    def __enter__(self) -> "_NoBar":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def update(self, n: float = 1) -> None:
        pass

    def reset(self) -> None:
        pass

    def close(self) -> None:
        pass
