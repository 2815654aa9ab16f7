"""Results that a study cannot hold, each in a file of its own: computed once, then read."""

import io
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from .store import provenance, replace_file, results_folder


def kept(name: str, compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Read `extra/<name>.parquet` in the folder of results; compute and write it if there is none.

    Each row also says what it was made with.
    """
    path = _path(name)
    if not path.exists():
        content = io.BytesIO()
        compute().assign(**asdict(provenance())).to_parquet(content, index=False, compression="zstd")
        replace_file(path, content.getvalue())
    return pd.read_parquet(path)


def recorded_extra(name: str) -> pd.DataFrame | None:
    """Read what `kept` wrote; None if there is nothing."""
    path = _path(name)
    return pd.read_parquet(path) if path.exists() else None


def _path(name: str) -> Path:
    return results_folder() / "extra" / f"{name}.parquet"
