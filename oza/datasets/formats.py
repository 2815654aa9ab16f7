"""Readers of tables in many file formats, in chunks of fields as text; types are decided later."""

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ..extras import required

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of it
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NAMES = {"utf-8-sig": "UTF-8", "utf-8": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}
_COMPRESSIONS: dict[bytes, tuple[str, Callable[[Path], Any]]] = {
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh": ("bzip2", bz2.open),
    b"\xfd7zXZ\x00": ("xz", lzma.open),
}
_ZIP = b"PK\x03\x04"
_SAMPLE = 50  # lines from which the separator is detected


class Chunk(NamedTuple):
    """Rows of a file: the position of each in words, and their fields as text, by column."""

    places: list[str]
    columns: dict[str, list[str]]


class Table(NamedTuple):
    """A reader of a file.

    `format` describes the format in words; `read(names, size)` yields chunks of at most `size` rows of
    the named columns. `nominal` and `numeric` are the columns declared as such.
    """

    format: str
    names: list[str]
    read: Callable[[Sequence[str], int], Iterator[Chunk]]
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()


def open_table(path: Path) -> Table:
    """Detect the format of a file from its content and extension; error messages name the file."""
    with path.open("rb") as file:
        start = file.read(8)
    ending = path.suffix.lower()
    if start[:4] == b"PAR1" or ending in (".parquet", ".pq"):
        table = _parquet(path)
    elif start[:6] == b"ARROW1" or start[:4] == b"FEA1" or ending == ".feather":
        table = _feather(path)
    elif ending == ".xls" or (ending.startswith(".xls") and not start.startswith(b"PK")):
        raise ValueError(f"{path.name}: not an Excel file that can be read here; save it as .xlsx or as CSV")
    elif start.startswith(_ZIP) and _is_excel(path):
        table = _excel(path)
    else:
        table = _text(path, start)
    if not table.names:
        raise ValueError(f"{path.name}: is empty; the first line must name the columns")
    twice = [name for name, n in Counter(table.names).items() if n > 1]
    if twice:
        raise ValueError(f"{path.name}: two columns have the name {twice[0]!r}")
    return table


# ------------------------------------------------------------------------------ binary formats


def _parquet(path: Path) -> Table:
    pa, pq = _arrow(path, "pyarrow"), _arrow(path, "pyarrow.parquet")
    try:
        file = pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path.name}: not a Parquet file ({error})") from error

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        return _of_batches(path, pq.ParquetFile(path).iter_batches(size, columns=list(names)), names)

    return Table("Parquet", list(file.schema_arrow.names), read)


def _feather(path: Path) -> Table:
    pa, feather = _arrow(path, "pyarrow"), _arrow(path, "pyarrow.feather")
    try:
        table = feather.read_table(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path.name}: not a Feather file ({error})") from error

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        return _of_batches(path, table.select(list(names)).to_batches(size), names)

    return Table("Feather", list(table.column_names), read)


def _arrow(path: Path, module: str) -> Any:
    return required(module, f"{path.name}: reading Parquet and Feather files")


def _of_batches(path: Path, batches: Any, names: Sequence[str]) -> Iterator[Chunk]:
    pa = _arrow(path, "pyarrow")
    first = 1
    for batch in batches:
        columns = {}
        for name in names:
            try:
                texts = batch.column(name).cast(pa.string())
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
                kind = batch.schema.field(name).type
                raise ValueError(f"{path.name}, column {name!r}: cannot learn from {kind}") from error
            columns[name] = ["" if text is None else text for text in texts.to_pylist()]
        yield Chunk([f"row {n}" for n in range(first, first + len(batch))], columns)
        first += len(batch)


def _is_excel(path: Path) -> bool:
    try:
        return "xl/workbook.xml" in zipfile.ZipFile(path).namelist()
    except zipfile.BadZipFile:
        return False


def _excel(path: Path) -> Table:
    required("openpyxl", f"{path.name}: reading Excel files")
    import pandas as pd

    frame = pd.read_excel(path, dtype=object, header=None, na_filter=False)
    rows = [[_as_text(value) for value in row] for row in frame.itertuples(index=False)]
    names = rows[0] if rows else []
    records = [(f"row {n}", dict(zip(names, row, strict=True))) for n, row in enumerate(rows[1:], start=2)]
    return Table("the first sheet of an Excel file", names, lambda *asked: _of_records(iter(records), *asked))


# ------------------------------------------------------------------------------ texts


def _text(path: Path, start: bytes) -> Table:
    compression = ""
    open_file: Any = Path.open
    for magic, (name, opener) in _COMPRESSIONS.items():
        if start.startswith(magic):
            compression, open_file = name, opener
    if start.startswith(_ZIP):
        compression, open_file = "zip", _open_member

    def open_bytes() -> Any:
        return open_file(path, "rb")

    try:
        encoding = _encoding(open_bytes)
    except (OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile) as error:
        if not compression:
            raise
        raise ValueError(f"{path.name}: the {compression} file is damaged ({error})") from error

    def open_text() -> io.TextIOWrapper:
        return io.TextIOWrapper(open_bytes(), encoding=encoding, newline="")

    endings = [suffix.lower() for suffix in path.suffixes[-2:]]
    declared: tuple[tuple[str, ...], ...] = ()
    with open_text() as file:
        first = file.read(1)
    if ".arff" in endings:
        form, names, read, declared = _arff(path, open_text)
    elif {".json", ".jsonl", ".ndjson"} & set(endings) or first in ("{", "["):
        form, names, read = _json(path, open_text)
    else:
        form, names, read = _csv(path, open_text)
    how = [form, _NAMES.get(encoding, encoding.upper())] + ([compression] if compression else [])
    return Table(", ".join(how), names, read, *declared)


def _open_member(path: Path, mode: str) -> Any:
    """Open the single file in an archive."""
    archive = zipfile.ZipFile(path)
    members = [m for m in archive.namelist() if not m.endswith("/") and not m.startswith("__MACOSX")]
    if len(members) != 1:
        raise ValueError(
            f"{path.name}: contains {len(members)} files; expected one. Unpack it and choose one"
        )
    return archive.open(members[0])


def _encoding(open_bytes: Callable[[], Any]) -> str:
    """UTF-16 or UTF-32 by byte order mark or zero bytes; UTF-8 if all bytes are valid; else Windows-1252."""
    with open_bytes() as file:
        start = file.read(4096)
        for mark, encoding in _BYTE_ORDER_MARKS.items():
            if start.startswith(mark):
                return encoding
        if start[1::2].count(0) > len(start) / 4:
            return "utf-16-le"
        if start[::2].count(0) > len(start) / 4:
            return "utf-16-be"
    for encoding in ("utf-8", "cp1252"):
        decoder = codecs.getincrementaldecoder(encoding)()
        try:
            with open_bytes() as file:
                while piece := file.read(1 << 20):
                    decoder.decode(piece)
                decoder.decode(b"", final=True)
            return encoding
        except UnicodeDecodeError:
            continue
    return "latin-1"  # in which every byte is valid


def _csv(path: Path, open_text: Callable[[], io.TextIOWrapper]) -> tuple[str, list[str], Any]:
    with open_text() as file:
        lines = [line for line in islice(file, _SAMPLE) if line.strip()]
    separator = _separator(lines)

    def rows(file: io.TextIOWrapper) -> Any:
        return csv.reader(file, delimiter=separator, skipinitialspace=True)

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        with open_text() as file:
            reader = rows(file)
            heading = next(filter(None, reader))
            places = [heading.index(name) for name in names]
            while True:
                fields, lines = [], []
                try:
                    for row in islice(filter(None, reader), size):  # without empty lines
                        if separator == " " and len(row) > len(heading) and not row[-1]:
                            row.pop()  # a space at the end of a line
                        if len(row) != len(heading):
                            raise ValueError(
                                f"{path.name}, line {reader.line_num}: {len(row)} fields, but the header "
                                f"names {len(heading)} columns"
                            )
                        fields.append(row)
                        lines.append(f"line {reader.line_num}")
                except csv.Error as error:
                    raise ValueError(f"{path.name}, after line {reader.line_num}: {error}") from error
                if not fields:
                    return
                columns = {n: [row[k].strip() for row in fields] for n, k in zip(names, places, strict=True)}
                yield Chunk(lines, columns)

    with open_text() as file:
        heading: list[str] = next(filter(None, rows(file)), [])
    form = "CSV" if len(heading) < 2 else f"CSV with {_SEPARATORS[separator]}"
    return form, heading, read


def _arff(
    path: Path, open_text: Callable[[], io.TextIOWrapper]
) -> tuple[str, list[str], Any, tuple[tuple[str, ...], ...]]:
    """Read an ARFF file: the heading by SciPy, the rows as CSV."""
    from scipy.io import arff

    heading: list[str] = []
    with open_text() as file:
        for line in file:
            heading.append(line)
            if line.strip().lower() == "@data":
                break
        else:
            raise ValueError(f"{path.name}: has no line @data, after which the rows of an ARFF file stand")
    try:
        _, meta = arff.loadarff(io.StringIO("".join(heading)))
    except (arff.ArffError, NotImplementedError, StopIteration, ValueError) as error:
        raise ValueError(
            f"{path.name}: the heading cannot be read ({str(error).strip()}); attributes must be numeric or "
            "nominal"
        ) from error
    names = meta.names()

    def records() -> Iterator[tuple[str, dict[str, str]]]:
        with open_text() as file:
            lines = list(islice(file, len(heading)))
            kept = ("" if line.lstrip().startswith("%") else line for line in file)
            quote = "'" if any("'" in line for line in lines) else '"'
            reader = csv.reader(kept, quotechar=quote, skipinitialspace=True)
            for row in filter(None, reader):
                place = f"line {len(heading) + reader.line_num}"
                if row[0].startswith("{"):
                    raise ValueError(f"{path.name}, {place}: sparse rows cannot be read; write all values")
                if len(row) == len(names) + 1 and not row[-1]:
                    row.pop()  # a comma at the end of a line, as MOA writes it
                if len(row) != len(names):
                    raise ValueError(
                        f"{path.name}, {place}: {len(row)} fields, and the heading names {len(names)} "
                        "attributes"
                    )
                yield place, {name: text.strip() for name, text in zip(names, row, strict=True)}

    kinds = [*zip(names, meta.types(), strict=True)]
    declared = tuple(tuple(n for n, kind in kinds if kind == wanted) for wanted in ("nominal", "numeric"))
    return "ARFF", names, lambda *asked: _of_records(records(), *asked), declared


def _separator(lines: list[str]) -> str:
    """Choose the separator by which the first lines have equal numbers of fields, and the most fields.

    If there is none, choose the one that occurs most often in the header; spaces only if no other
    separator occurs there.
    """
    heading = lines[0] if lines else ""
    candidates = [separator for separator in ",;\t|" if separator in heading] or [" "]
    numbers = {}
    for separator in candidates:
        reader = csv.reader(lines[:-1] or lines, delimiter=separator, skipinitialspace=True)
        counts = {len(row) for row in reader if row}
        numbers[separator] = counts.pop() if len(counts) == 1 else 0
    if any(numbers.values()):
        return max(numbers, key=lambda separator: numbers[separator])
    return max(",;\t|", key=heading.count)


def _json(path: Path, open_text: Callable[[], io.TextIOWrapper]) -> tuple[str, list[str], Any]:
    """Read a list of records, or a record on each line."""
    with open_text() as file:
        is_list = file.read(4096).lstrip().startswith("[")

    def records() -> Iterator[tuple[str, dict[str, str]]]:
        with open_text() as file:
            try:
                if is_list:
                    found = [(f"record {n}", record) for n, record in enumerate(json.load(file), start=1)]
                else:
                    lines = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
                    found = ((f"line {n}", json.loads(line)) for n, line in lines)  # type: ignore[assignment]
                for place, record in found:
                    if not isinstance(record, dict):
                        raise ValueError(f"{path.name}, {place}: not a record of names and values")
                    yield place, {name: _field(path, place, name, v) for name, v in record.items()}
            except json.JSONDecodeError as error:
                raise ValueError(
                    f"{path.name}: neither JSON lines, a record on each, nor a list of records ({error})"
                ) from error

    names: dict[str, None] = {}
    for _, record in records():
        names |= dict.fromkeys(record)
    form = "a list of JSON records" if is_list else "JSON lines"
    return form, list(names), lambda *asked: _of_records(records(), *asked)


def _field(path: Path, place: str, name: str, value: Any) -> str:
    if isinstance(value, dict | list):
        kind = "a record" if isinstance(value, dict) else "a list"
        raise ValueError(f"{path.name}, {place}, column {name!r}: cannot learn from {kind}")
    return _as_text(value)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value).strip()


def _of_records(
    records: Iterator[tuple[str, dict[str, str]]], names: Sequence[str], size: int
) -> Iterator[Chunk]:
    """Chunks of records; a name that a record lacks is a missing value."""
    while some := list(islice(records, size)):
        columns = {name: [record.get(name, "") for _, record in some] for name in names}
        yield Chunk([place for place, _ in some], columns)
