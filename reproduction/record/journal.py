"""Journals: files that receive an entry a line, each with a digest, so that every changed byte is noticed.

An entry is on the disk when `append` returns. A process that is killed while it writes leaves at most a last
line without its end.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from oza.files import replace_file

from .shards import DamagedError, sha256


class Journal:
    """A file of entries, which need not exist."""

    def __init__(self, path: Path):
        self.path = path

    def append(self, entry: dict[str, Any]) -> None:
        """Write an entry to the disk; if that fails, for want of space say, the file is as before."""
        with open(self.path, "ab", buffering=0) as file:
            number, size = file.fileno(), file.tell()
            content = memoryview(_line(entry))
            try:
                while content:
                    content = content[os.write(number, content) :]
                os.fsync(number)
            except OSError:
                file.truncate(size)
                raise

    def entries(self) -> Iterator[dict[str, Any]]:
        """Read all entries; a last line without its end, which is being written, is left out."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                digest, _, content = line[:-1].partition(b" ")
                if sha256(content) != digest:
                    raise DamagedError(
                        f"{self.path}: line {number} is damaged. Restore the file from a copy or remove the "
                        "line, and its task is computed again"
                    )
                yield json.loads(content)

    def remove_unfinished_line(self) -> int:
        """Remove a last line without its end, so that entries can follow; its number, 0 if there is none."""
        content = self.path.read_bytes() if self.path.exists() else b""
        end = content.rfind(b"\n") + 1
        if end == len(content):
            return 0
        os.truncate(self.path, end)
        return content.count(b"\n") + 1

    def replace(self, entries: Iterable[dict[str, Any]]) -> None:
        """Write the file anew, with these entries only; without entries there is no file."""
        content = b"".join(map(_line, entries))
        if content:
            replace_file(self.path, content)
        else:
            self.path.unlink(missing_ok=True)


def _line(entry: dict[str, Any]) -> bytes:
    content = json.dumps(entry).encode()
    return sha256(content) + b" " + content + b"\n"
