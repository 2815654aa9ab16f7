"""Journals: files that receive an entry a line, each with a digest, so that every changed byte is noticed.

An entry is on the disk when `append` returns. A process that is killed while it writes leaves at most a last
line without its end.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from oza.files import replace_file

from .shards import FORMAT, DamagedError, NewerFormatError

_HEADER = {"format": FORMAT}


class Line(NamedTuple):
    """A line of a journal: its number, from 1, its bytes, and its entry, None if the line is damaged."""

    number: int
    content: bytes
    entry: dict[str, Any] | None


class Journal:
    """A file of entries, which need not exist."""

    def __init__(self, path: Path):
        self.path = path

    def append(self, entry: dict[str, Any]) -> None:
        """Write an entry to the disk; if that fails, for want of space say, the file is as before."""
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(file).st_size
            content = memoryview(_lines([entry] if size else [_HEADER, entry]))
            try:
                while content:
                    content = content[os.write(file, content) :]
                os.fsync(file)
            except OSError:
                os.ftruncate(file, size)
                raise
        finally:
            os.close(file)

    def lines(self) -> Iterator[Line]:
        """Read all lines but the first, which holds the version of the format, if it is sound."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as file:
            for number, content in enumerate(file, 1):
                entry = _entry(content)
                if number == 1 and entry is not None and "format" in entry:
                    if entry["format"] > FORMAT:
                        raise NewerFormatError(self.path, entry["format"])
                else:
                    yield Line(number, content, entry)

    def entries(self) -> Iterator[dict[str, Any]]:
        """Read all entries; a last line without its end, which is being written, is left out."""
        for line in self.lines():
            if line.entry is not None:
                yield line.entry
            elif line.content.endswith(b"\n"):
                raise DamagedError(self.path, f"line {line.number} is damaged")

    def replace(self, entries: Iterable[dict[str, Any]]) -> None:
        """Write the file anew, with these entries only; without entries there is no file."""
        content = _lines(entries)
        if content:
            replace_file(self.path, _lines([_HEADER]) + content)
        else:
            self.path.unlink(missing_ok=True)


def _lines(entries: Iterable[dict[str, Any]]) -> bytes:
    written = (json.dumps(entry).encode() for entry in entries)
    return b"".join(_digest(content) + b" " + content + b"\n" for content in written)


def _entry(line: bytes) -> dict[str, Any] | None:
    digest, _, content = line.partition(b" ")
    is_sound = content.endswith(b"\n") and _digest(content[:-1]) == digest
    return json.loads(content) if is_sound else None


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
