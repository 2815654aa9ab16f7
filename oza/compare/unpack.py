"""The text of a file, whatever its compression and its encoding; damage is an error that names the file."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

MOST_UNPACKED = 100  # times its own size that a compressed file may hold
SURELY_UNPACKED = 64 << 20  # bytes that it may hold in any case
LONGEST_LINE = 10_000_000  # characters

_MOST_MEMORY = 256 << 20  # of the dictionary of an xz file; `xz -9` needs 65 MB
_PIECE = 1 << 20  # bytes that are unpacked at a time


class TableError(ValueError):
    """A file that cannot be read as a table; the message names the file, and what to do."""


@contextmanager
def refusing(path: Path, fault: str, remedy: str = "get it, or save it, again") -> Iterator[None]:
    """Turn whatever another library raises on a damaged file into one line that names it, and the fault."""
    try:
        yield
    except (TableError, ModuleNotFoundError):
        raise
    except Exception as error:
        why = shorten(" ".join(str(error).split()) or type(error).__name__, 200)
        raise TableError(f"{path.name}: {fault} ({why}); {remedy}") from error


def shorten(text: str, most: int = 60) -> str:
    """Leave out the middle of a long text."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-(most // 2) :]}"


def check_unpacked(path: Path, size: int) -> None:
    """Refuse a file that holds very much more than its own size, so that it cannot exhaust the memory."""
    if size > max(SURELY_UNPACKED, MOST_UNPACKED * path.stat().st_size):
        raise TableError(
            f"{path.name}: unpacks to more than {MOST_UNPACKED} times its size, and more than "
            f"{SURELY_UNPACKED >> 20} MB; if you trust it, unpack it yourself"
        )


class Text(NamedTuple):
    """The text of a file: how it is encoded and compressed, in words, and a function that opens it."""

    format: str
    open: Callable[[], io.TextIOWrapper]

    def lines(self, path: Path) -> Iterator[str]:
        """The lines, with their ends."""
        with self.open() as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), start=1):
                if len(line) == LONGEST_LINE:
                    fault = (
                        f"has {LONGEST_LINE:,} characters or more; a table has a row on each line, so save"
                    )
                    raise TableError(f"{path.name}, line {number}: {fault} it as text with shorter ones")
                yield line


def text_of(path: Path) -> Text:
    """Detect compression and encoding of a text, and read all of it once to check both."""
    with path.open("rb") as file:
        start = file.read(6)
    packed = (found for magic, found in _COMPRESSIONS.items() if start.startswith(magic))
    compression, open_bytes, new = next(packed, ("", lambda path: path.open("rb"), None))
    with refusing(path, f"the {compression} file is damaged"):
        encoding = _encoding(path, open_bytes, new)
    words = _name(encoding) + (f", {compression}" if compression else "")
    return Text(words, lambda: io.TextIOWrapper(open_bytes(path), encoding=encoding, newline=""))


def _encoding(path: Path, open_bytes: Callable[[Path], Any], new: Callable[[], Any] | None) -> str:
    """By byte order mark or zero bytes; otherwise UTF-8 if all bytes are valid, else Windows-1252."""
    with open_bytes(path) as file:
        found = json.detect_encoding(file.read(4))
    for encoding in ("utf-8", "cp1252") if found == "utf-8" else (found,):
        size, decoder = 0, codecs.getincrementaldecoder(encoding)()
        try:
            with open_bytes(path) if new is None else path.open("rb") as file:
                pieces = iter(lambda: file.read(_PIECE), b"")
                for piece in pieces if new is None else _unpacked(pieces, new):
                    size += len(piece)
                    check_unpacked(path, size)
                    decoder.decode(piece)
            decoder.decode(b"", final=True)
            return encoding
        except UnicodeDecodeError as error:
            fault = f"begins as {_name(found)}, and has bytes that are not ({error.reason})"
    raise TableError(f"{path.name}: {fault}; save it again, preferably as UTF-8")


def _name(encoding: str) -> str:
    return {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())


def _unpacked(pieces: Iterator[bytes], new: Callable[[], Any]) -> Iterator[bytes]:
    """Unpack one stream after the other, with a decompressor for each.

    The file objects of `bz2` and `lzma` take a damaged second stream for the end of the file.
    """
    stream = new()
    for piece in pieces:
        while piece:
            stream = new() if stream.eof else stream
            yield stream.decompress(piece, _PIECE)
            while not (stream.eof or stream.needs_input):
                yield stream.decompress(b"", _PIECE)
            piece = stream.unused_data.lstrip(b"\0") if stream.eof else b""
    if not stream.eof:
        raise EOFError("it ends too early")


def _open_zip(path: Path) -> Any:
    archive = zipfile.ZipFile(path)
    members = [m for m in archive.namelist() if not m.endswith("/") and not m.startswith("__MACOSX")]
    if len(members) != 1:
        fault = f"contains {len(members)} files; expected one. Unpack it and choose one"
        raise TableError(f"{path.name}: {fault}")
    return archive.open(members[0])


_COMPRESSIONS: dict[bytes, tuple[str, Callable[[Path], Any], Callable[[], Any] | None]] = {
    b"\x1f\x8b": ("gzip", gzip.open, None),
    b"BZh": ("bzip2", bz2.open, bz2.BZ2Decompressor),
    b"\xfd7zXZ\x00": ("xz", lzma.open, lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY)),
    b"PK\x03\x04": ("zip", _open_zip, None),
}
