"""Files of a cache on disk: each is complete or not there, and nobody but this user has written it.

Compiled kernels are pickles and machine code, so that whoever writes them runs code in every process that
reads them.  And a damaged one may end the process.  So files carry a digest, folders and files that others
can write are refused, and without a usable folder nothing is kept.
"""

import hashlib
import os
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

MARK = "made-by-oza.txt"  # is in the folders that are cleaned; its time is that of the last cleaning
_MARK_SAYS = "oza keeps compiled kernels in this folder, and removes those that are unused for a month.\n"
# what is removed, if it is in a folder with that mark
_OURS = ("*.entry", "*.callee", "*.json", "*.part", "*.lock")
_DAY = 24 * 3600
_CHOOSE = "set OZA_CACHE to a folder that only you can write"


class DiskCache:
    """Files in a folder that is made, and cleaned once a day, if that is possible and safe.

    Parameters
    ----------
    top : Path or str
        Folder of all caches; "" means the one of this user.
    name : str
        Name of the folder that is made in the folder `kernels` in it.

    Attributes
    ----------
    folder : Path
        Where the files are.
    problem : str
        Why files cannot be kept there, and what to do; empty if they can.
    """

    def __init__(self, top: Path | str, name: str):
        self.folder = Path(top, "kernels", name)
        self.problem = ""
        self._is_usable = False
        self._has_warned = False
        try:
            top = Path(top or platformdirs.user_cache_dir("oza")).expanduser().absolute()
            self.folder = top / "kernels" / name
            top.parent.mkdir(parents=True, exist_ok=True)
            is_new = not self.folder.exists()
            for folder in (top, top / "kernels", self.folder):
                folder.mkdir(mode=0o700, exist_ok=True)
                if reason := _reason_to_distrust(folder.stat(), folder):
                    self.problem = reason
                    return
            self._is_usable = True
            if is_new:
                self._write(MARK, _MARK_SAYS.encode())
            self._clean()
        except (OSError, RuntimeError) as error:  # the latter for a user without a home, as in a container
            self.problem = self._problem_of(error)

    def has(self, beginning: str) -> bool:
        """Whether there is a file whose name begins like this."""
        with suppress(OSError):  # the folder has been removed
            return self._is_usable and any(name.startswith(beginning) for name in os.listdir(self.folder))
        return False

    def read(self, name: str) -> bytes | None:
        """Content of a file; None if it is missing, damaged, or others could have written it."""
        if not self._is_usable:
            return None
        path = self.folder / name
        try:
            with path.open("rb") as file:
                if _reason_to_distrust(os.fstat(file.fileno()), path):
                    return None
                digest, content = file.read(hashlib.sha256().digest_size), file.read()
        except OSError:
            return None
        if digest != _digest(name, content):
            return None
        with suppress(OSError):  # it can only be read
            os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file completely; if that is impossible, not at all, and say why in `problem`."""
        if not self._is_usable:
            return
        try:
            self._write(name, _digest(name, content) + content)
        except OSError as error:
            if self.read(name) is None:  # else another process has written it, and may have it open
                self.problem = self._problem_of(error)

    def warn(self) -> None:
        """Warn, once in a process, if files cannot be kept."""
        if self.problem and not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"compiled kernels cannot be kept for other processes, and each compiles them again, for up "
                f"to a minute: {self.problem}.",
                RuntimeWarning,
                stacklevel=2,
            )

    def size(self) -> tuple[int, int]:
        """Number of the files, and of their bytes."""
        found = [path.stat().st_size for path in self.folder.iterdir() if path.is_file()]
        return len(found), sum(found)

    def _problem_of(self, error: Exception) -> str:
        place = Path(getattr(error, "filename", None) or self.folder)
        place = self.folder if place.suffix == ".part" else place
        return f"{place}: {getattr(error, 'strerror', error)}; {_CHOOSE}, on a disk with space"

    def _write(self, name: str, content: bytes) -> None:
        handle, partial = tempfile.mkstemp(suffix=".part", dir=self.folder)  # which only this user can read
        try:
            with open(handle, "wb") as file:
                file.write(content)
            path = self.folder / name
            if path.is_dir():
                path.rmdir()
            os.replace(partial, path)
        finally:
            with suppress(OSError):  # it has been renamed
                os.unlink(partial)

    def _clean(self) -> None:
        """Remove our files that have been unused for a month, and folders that are empty then."""
        with suppress(OSError):  # it has no mark, or can only be read
            if not _is_unused(self.folder / MARK, days=1):
                return
            os.utime(self.folder / MARK)
            for mark in self.folder.parent.glob(f"*/{MARK}"):
                for path in _ours_in(mark.parent):
                    with suppress(OSError):  # another process has removed it
                        if _is_unused(path, days=30):
                            path.unlink()
                if _is_unused(mark, days=30) and [*mark.parent.iterdir()] == [mark]:
                    mark.unlink()
                    mark.parent.rmdir()


def _reason_to_distrust(status: os.stat_result, path: Path) -> str:
    """Why others may have written a file, or replaced what is in a folder, and what to do; or nothing."""
    if not hasattr(os, "geteuid"):  # on Windows, where a user's folders are closed to others
        return ""
    user = os.geteuid()
    if status.st_uid not in (user, 0):
        return f"{path} belongs to user {status.st_uid}, and you are user {user}; {_CHOOSE}"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not status.st_mode & stat.S_ISVTX:
        mode = stat.S_IMODE(status.st_mode)
        return (
            f"{path} can be written by other users (its mode is {mode:03o}), who could run their code as "
            f"yours; run `chmod go-w {path}`, or {_CHOOSE}"
        )
    return ""


def _digest(name: str, content: bytes) -> bytes:
    """Digest of a file, which another name makes invalid."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _ours_in(folder: Path) -> Iterator[Path]:
    for pattern in _OURS:
        yield from folder.glob(pattern)


def _is_unused(path: Path, days: int) -> bool:
    return time.time() - path.stat().st_mtime > days * _DAY
