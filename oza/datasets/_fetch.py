"""Have a data file at hand: from the mirror, the cache or the archive, and checked each time.

The environment variables that say where to look are described at `load_dataset`.
"""

import gzip
import hashlib
import os
import subprocess
import sys
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

import platformdirs

from ._catalogue import DataFile, DatasetInfo, dataset_info
from ._generate import generated_text

_CONNECT, _READ = 10, 30  # seconds


class DatasetUnavailableError(OSError):
    """A data set cannot be had: it is nowhere on this machine and cannot be downloaded."""


@dataclass(frozen=True)
class FileState:
    """How a part of a data set stands on this machine.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    part : {"all", "train", "test"}
        Part of it.
    state : {"generated", "mirror", "cached", "missing", "damaged"}
        Made by the library, found in the mirror or in the cache and intact, not found, or
        found and not as the catalogue says.
    path : Path or None
        The file that was found, or where a download would put it.
    fault : str
        What is wrong with a damaged file.
    """

    dataset: str
    part: str
    state: Literal["generated", "mirror", "cached", "missing", "damaged"]
    path: Path | None = None
    fault: str = ""


def fetch_dataset(name: str, progress: bool = True) -> list[Path]:
    """Make sure that the files of a data set are on this machine, downloading what is missing.

    Parameters
    ----------
    name : str
        One of `list_datasets()`.
    progress : bool, default=True
        Show a progress bar if the standard error stream is a terminal.

    Returns
    -------
    list of Path
        The files, each checked; empty if the library generates the data set.

    Raises
    ------
    DatasetUnavailableError
        If a file cannot be had.
    """
    info = dataset_info(name)
    if info.generated:
        return []
    return [_obtain(info, part, progress)[1] for part in info.parts]


def verify_dataset(name: str) -> list[FileState]:
    """Check the files of a data set on this machine; nothing is downloaded.

    Parameters
    ----------
    name : str
        One of `list_datasets()`.

    Returns
    -------
    list of FileState
        One for each part.

    Examples
    --------
    >>> from oza.datasets import verify_dataset
    >>> [part.state for part in verify_dataset("nursery")]
    ['generated']
    """
    info = dataset_info(name)
    return [_state(info, part) for part in info.parts]


def part_text(info: DatasetInfo, part: str) -> tuple[bytes, str]:
    """Text of a part, and a name for where it came from."""
    if info.generated:
        return generated_text(info), f"generated {info.name}"
    file, path, content = _obtain(info, part, progress=True)
    text = _decompressed(file, content)
    if file.excerpt:
        text = b"".join(islice(text.splitlines(keepends=True), file.rows))
    return text, str(path)


def _cache() -> Path:
    return Path(os.environ.get("OZA_CACHE") or platformdirs.user_cache_dir("oza")) / "data"


def _places(info: DatasetInfo, part: str) -> Iterator[tuple[Literal["mirror", "cached"], DataFile, Path]]:
    """Existing files that may hold the part, best first."""
    mirror = os.environ.get("OZA_DATA_MIRROR")
    roots: list[tuple[Literal["mirror", "cached"], Path]] = [("mirror", Path(mirror))] if mirror else []
    for state, root in [*roots, ("cached", _cache())]:
        for file in _files(info, part):
            if (root / file.path).is_file():
                yield state, file, root / file.path


def _files(info: DatasetInfo, part: str) -> list[DataFile]:
    return [file for file in info.files if file.part == part]


def _state(info: DatasetInfo, part: str) -> FileState:
    if info.generated:
        file = info.files[0]
        fault = _fault(generated_text(info), file) if file.path else ""
        return FileState(info.name, part, "damaged" if fault else "generated", fault=fault)
    for state, file, path in _places(info, part):
        fault = _fault(path.read_bytes(), file)
        return FileState(info.name, part, "damaged" if fault else state, path, fault)
    return FileState(info.name, part, "missing", _cache() / _files(info, part)[-1].path)


def _obtain(info: DatasetInfo, part: str, progress: bool) -> tuple[DataFile, Path, bytes]:
    """Find or download a file that holds the part: its entry, where it lies, its bytes."""
    tried = []
    for _, file, path in _places(info, part):
        content = path.read_bytes()
        fault = _fault(content, file)
        if not fault:
            return file, path, content
        tried.append(f"{path}: {fault}")
    for file in _files(info, part):
        server = os.environ.get("OZA_DATA_URL")
        url = f"{server.rstrip('/')}/{file.path}" if server else file.url
        if url:
            try:
                return file, *_download(url, file, progress)
            except OSError as error:
                tried.append(f"{url}: {_reason(error)}")
    paths = " or ".join(file.path for file in _files(info, part))
    raise DatasetUnavailableError(
        f"The data set {info.name!r} ({info.title}) cannot be had.\n"
        + "".join(f"  tried {attempt}\n" for attempt in tried)
        + f"What to do: set OZA_DATA_MIRROR to a folder that holds {paths}; or put that file under "
        f"{_cache()}; or try again with `oza data fetch {info.name}` when the network is there."
    )


def _download(url: str, file: DataFile, progress: bool) -> tuple[Path, bytes]:
    """Download a file into the cache; it gets its name only once it is complete and checked."""
    import pooch
    from tqdm import tqdm

    cache = _cache()
    cache.mkdir(parents=True, exist_ok=True)
    partial = cache / f"{uuid.uuid4().hex}.part"
    try:
        quiet = not (progress and sys.stderr.isatty())
        with (
            partial.open("xb") as stream,
            # pooch sets the total, but asks a bar first whether it is true: one without a total refuses.
            tqdm(desc=Path(file.path).name, total=1, unit="B", unit_scale=True, disable=quiet) as bar,
        ):
            # No content coding: the check is on the bytes of the file itself.
            pooch.HTTPDownloader(
                bar, chunk_size=2**14, timeout=(_CONNECT, _READ), headers={"Accept-Encoding": "identity"}
            )(url, stream, None)
        content = partial.read_bytes()
        if fault := _fault(content, file):
            raise DatasetUnavailableError(fault)
        path = cache / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path, content


def _reason(error: OSError) -> str:
    """Why a download failed, in a few words."""
    import requests

    match error:
        case requests.HTTPError(response=requests.Response() as response):
            return f"the server answered {response.status_code} {response.reason}"
        case requests.Timeout():
            return f"no answer (waited {_CONNECT} s to connect, {_READ} s for data)"
        case requests.exceptions.ChunkedEncodingError():
            return f"the transfer broke off ({error})"
        case requests.ConnectionError():
            return f"no connection ({getattr(error.args[0], 'reason', error)})"
    return str(error)


def _fault(content: bytes, file: DataFile) -> str:
    """Say what is wrong with a file's bytes; nothing if they are as the catalogue has them."""
    if file.bytes is not None and len(content) != file.bytes:
        return f"has {len(content)} bytes, expected {file.bytes}"
    if file.sha256:
        kind, expected, found = "SHA-256", file.sha256, hashlib.sha256(content).hexdigest()
    elif file.git_blob:
        blob = b"blob %d\0" % len(content) + content
        found = hashlib.sha1(blob, usedforsecurity=False).hexdigest()
        kind, expected = "git object id", file.git_blob
    else:
        try:
            text = _decompressed(file, content)
        except (OSError, EOFError, zlib.error) as error:
            return f"cannot be decompressed: {error}"
        kind, expected, found = "SHA-256 of the text", file.sha256_of_text, hashlib.sha256(text).hexdigest()
    return "" if found == expected else f"{kind} is {found}, expected {expected}"


def _decompressed(file: DataFile, content: bytes) -> bytes:
    if file.path.endswith(".gz"):
        return gzip.decompress(content)
    if file.path.endswith(".Z"):
        return _uncompressed(content)
    return content


def _uncompressed(content: bytes) -> bytes:
    """Undo the old program `compress`, which Python cannot read and gzip can."""
    try:
        return subprocess.run(["gzip", "-dc"], input=content, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise OSError("reading a .Z file takes the program `gzip`; install it") from None
    except subprocess.CalledProcessError as error:
        raise OSError(error.stderr.decode(errors="replace").strip()) from None
