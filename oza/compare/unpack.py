"""The text of a file, whatever its compression and its encoding; damage is an error that names the file."""

import bz2
import codecs
import gzip
import io
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
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of it
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ZEROS = {  # which of four bytes are zero in ASCII text
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}
_NAMES = {"utf-8-sig": "UTF-8", "utf-8": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}


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
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE:
                    raise TableError(
                        f"{path.name}, line {number}: has {LONGEST_LINE:,} characters or more; a table has a "
                        "row on each line, so save it as text with shorter ones"
                    )
                yield line


def text_of(path: Path) -> Text:
    """Detect compression and encoding of a text."""
    with path.open("rb") as file:
        start = file.read(8)
    compression = next((name for magic, name in _COMPRESSIONS.items() if start.startswith(magic)), "")

    def open_bytes() -> Any:
        return io.BufferedReader(_Unpacked(path, compression)) if compression else path.open("rb")

    encoding = _encoding(path, open_bytes)
    words = [_NAMES.get(encoding, encoding.upper())] + ([compression] if compression else [])
    return Text(", ".join(words), lambda: io.TextIOWrapper(open_bytes(), encoding=encoding, newline=""))


def _encoding(path: Path, open_bytes: Callable[[], Any]) -> str:
    """By byte order mark or zero bytes; otherwise UTF-8 if all bytes are valid, else Windows-1252."""
    with open_bytes() as file:
        start = file.read(4096)
    encoding = next((code for mark, code in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)
    zeros = tuple(start[k::4].count(0) > len(start) / 8 for k in range(4))
    encoding = encoding or _ZEROS.get(zeros)
    for candidate in (encoding,) if encoding else ("utf-8", "cp1252"):
        decoder = codecs.getincrementaldecoder(candidate)()
        try:
            with open_bytes() as file:
                while piece := file.read(_PIECE):
                    decoder.decode(piece)
                decoder.decode(b"", final=True)
            return candidate
        except UnicodeDecodeError as error:
            if encoding:
                raise TableError(
                    f"{path.name}: begins as {_NAMES.get(encoding, encoding.upper())}, and has bytes that "
                    f"are not ({error.reason}); save it again, best as UTF-8"
                ) from error
    return "latin-1"  # in which every byte is valid


# ------------------------------------------------------------------------------ compression


class _Unpacked(io.RawIOBase):
    """What a compressed file holds, as a stream of bytes that has an end."""

    def __init__(self, path: Path, compression: str):
        self._path, self._fault = path, f"the {compression} file is damaged"
        self._pieces = _PIECES[compression](path)
        self._piece = memoryview(b"")
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with refusing(self._path, self._fault):
            while not self._piece:
                found = next(self._pieces, None)
                if found is None:
                    return 0
                self._piece = memoryview(found)
                self._size += len(found)
                check_unpacked(self._path, self._size)
        n = min(len(buffer), len(self._piece))
        buffer[:n] = self._piece[:n]
        self._piece = self._piece[n:]
        return n

    def close(self) -> None:
        self._pieces.close()
        super().close()


def _of_gzip(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as file:
        while piece := file.read(_PIECE):
            yield piece


def _of_zip(path: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as archive:
        members = [m for m in archive.namelist() if not m.endswith("/") and not m.startswith("__MACOSX")]
        if len(members) != 1:
            raise TableError(
                f"{path.name}: contains {len(members)} files; expected one. Unpack it and choose one"
            )
        with archive.open(members[0]) as file:
            while piece := file.read(_PIECE):
                yield piece


def _of_streams(path: Path, new: Callable[[], Any]) -> Iterator[bytes]:
    """One stream after the other, by a decompressor of `bz2` or `lzma` for each.

    The file objects of these modules take a damaged second stream for the end of the file.
    """
    with path.open("rb") as file:
        stream = new()
        while packed := file.read(_PIECE):
            while packed:
                if stream.eof:
                    stream = new()
                yield stream.decompress(packed, _PIECE)
                while not (stream.eof or stream.needs_input):
                    yield stream.decompress(b"", _PIECE)
                packed = stream.unused_data.lstrip(b"\0") if stream.eof else b""
    if not stream.eof:
        raise EOFError("it ends too early")


_PIECES: dict[str, Callable[[Path], Any]] = {
    "gzip": _of_gzip,
    "bzip2": lambda path: _of_streams(path, bz2.BZ2Decompressor),
    "xz": lambda path: _of_streams(path, lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY)),
    "zip": _of_zip,
}
_COMPRESSIONS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip"}
