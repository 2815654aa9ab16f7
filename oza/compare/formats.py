"""Readers of tables in many file formats, in chunks of fields as text; types are decided later."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ..extras import required
from .unpack import TableError, Text, check_unpacked, refusing, shorten, text_of

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_ZIP = b"PK\x03\x04"
_SAMPLE = 50  # lines from which the separator is detected
_RECORD = re.compile(r'\s*(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')  # the beginning of JSON, and of no CSV


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
    if path.exists() and not path.is_file():
        raise TableError(f"{path}: is not a file that can be read twice; name a file")
    with path.open("rb") as file:
        start = file.read(8)
    ending = path.suffix.lower()
    if start[:4] == b"PAR1" or ending in (".parquet", ".pq"):
        table = _parquet(path)
    elif start[:6] == b"ARROW1" or start[:4] == b"FEA1" or ending == ".feather":
        table = _feather(path)
    elif ending == ".xls" or (ending.startswith(".xls") and not start.startswith(b"PK")):
        raise TableError(f"{path.name}: not an Excel file that can be read here; save it as .xlsx or as CSV")
    elif ending.startswith(".xls") or (start.startswith(_ZIP) and _is_excel(path)):
        table = _excel(path)
    else:
        table = _text(path)
    if not table.names:
        raise TableError(f"{path.name}: is empty; the first line must name the columns")
    twice = [name for name, n in Counter(table.names).items() if n > 1]
    if twice:
        raise TableError(f"{path.name}: two columns have the name {shorten(twice[0])!r}; rename one")
    return table


# ------------------------------------------------------------------------------ binary formats


def _parquet(path: Path) -> Table:
    pq = _arrow(path, "pyarrow.parquet")

    def open_file() -> Any:
        return pq.ParquetFile(path, page_checksum_verification=True)

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        with refusing(path, "the Parquet file is damaged"), open_file() as file:
            yield from _of_batches(path, file.iter_batches(size, columns=list(names)), names)

    with refusing(path, "not a Parquet file"), open_file() as file:
        return Table("Parquet", list(file.schema_arrow.names), read)


def _feather(path: Path) -> Table:
    feather = _arrow(path, "pyarrow.feather")
    with refusing(path, "not a Feather file"):
        table = feather.read_table(path)
        table.validate(full=True)  # otherwise damage may end the process

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        with refusing(path, "the Feather file is damaged"):
            yield from _of_batches(path, table.select(list(names)).to_batches(size), names)

    return Table("Feather", list(table.column_names), read)


def _arrow(path: Path, module: str) -> Any:
    purpose = f"{path.name}: reading Parquet and Feather files"
    required("pyarrow", purpose)
    return required(module, purpose)


def _of_batches(path: Path, batches: Any, names: Sequence[str]) -> Iterator[Chunk]:
    pa = _arrow(path, "pyarrow")
    first = 1
    for batch in batches:
        batch.validate(full=True)
        columns = {}
        for name in names:
            try:
                texts = batch.column(name).cast(pa.string())
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
                kind = batch.schema.field(name).type
                raise TableError(
                    f"{path.name}, column {shorten(name)!r}: cannot learn from {kind}; name the column in "
                    "drop"
                ) from error
            columns[name] = ["" if text is None else text for text in texts.to_pylist()]
        yield Chunk([f"row {n}" for n in range(first, first + len(batch))], columns)
        first += len(batch)


def _is_excel(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except Exception:  # a damaged archive, which is reported where it is read as one
        return False


def _excel(path: Path) -> Table:
    required("openpyxl", f"{path.name}: reading Excel files")
    import pandas as pd

    with refusing(path, "the Excel file is damaged"):
        with zipfile.ZipFile(path) as archive:
            check_unpacked(path, sum(member.file_size for member in archive.infolist()))
        frame = pd.read_excel(path, dtype=object, header=None, na_filter=False)
    rows = [[_as_text(value) for value in row] for row in frame.itertuples(index=False)]
    names = rows[0] if rows else []
    records = [(f"row {n}", dict(zip(names, row, strict=True))) for n, row in enumerate(rows[1:], start=2)]
    return Table("the first sheet of an Excel file", names, lambda *asked: _of_records(iter(records), *asked))


# ------------------------------------------------------------------------------ texts


def _text(path: Path) -> Table:
    text = text_of(path)
    endings = {suffix.lower() for suffix in path.suffixes[-2:]}
    declared: tuple[tuple[str, ...], ...] = ()
    with text.open() as file:
        start = file.read(4096)
    if ".arff" in endings:
        form, names, read, declared = _arff(path, text)
    elif {".json", ".jsonl", ".ndjson"} & endings or _RECORD.match(start):
        form, names, read = _json(path, text, start)
    else:
        form, names, read = _csv(path, text)
    return Table(f"{form}, {text.format}", names, read, *declared)


def _rows(
    path: Path, lines: Iterable[str], first: int, **dialect: Any
) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield rows of fields, each with the number of its first line before it and its lines after it."""
    taken: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    reader = csv.reader(remembered(), strict=True, skipinitialspace=True, **dialect)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            remedy = "close each quote at the end of its field, and write a quote within a field twice"
            raise TableError(
                f"{path.name}, line {first}: what begins here is no row of fields ({error}); {remedy}"
            ) from error
        if row is None:
            return
        if row:  # else the line is empty
            yield first, row, taken
        first += len(taken)
        taken.clear()


def _csv(path: Path, text: Text) -> tuple[str, list[str], Any]:
    lines = [line for line in islice(text.lines(path), _SAMPLE) if line.strip()]
    separator = _separator(lines)

    def rows() -> Iterator[tuple[int, list[str]]]:
        width = 0
        for number, row, taken in _rows(path, text.lines(path), 1, delimiter=separator):
            width = width or len(row)
            if separator == " " and len(row) > width and not row[-1]:
                row.pop()  # a space at the end of a line
            if len(row) != width:
                raise TableError(
                    f"{path.name}, line {number}: {len(row)} fields, but the header names {width} "
                    "columns; correct the line, or the header"
                )
            if len(taken) > 1 and _like_rows(taken, separator, width) > 1:
                raise TableError(
                    f"{path.name}, line {number}: a quote opens a field that swallows the rows up to line "
                    f"{number + len(taken) - 1}; close it, or leave it out"
                )
            yield number, row

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        found = rows()
        place_of = {name: k for k, name in enumerate(next(found)[1])}
        places = [place_of[name] for name in names]
        while some := list(islice(found, size)):
            columns = {n: [row[k].strip() for _, row in some] for n, k in zip(names, places, strict=True)}
            yield Chunk([f"line {number}" for number, _ in some], columns)

    _, heading = next(rows(), (1, []))
    form = "CSV" if len(heading) < 2 else f"CSV with {_SEPARATORS[separator]}"
    return form, heading, read


def _like_rows(lines: list[str], separator: str, width: int) -> int:
    """How many of the lines of one row look like rows of their own."""
    return sum(
        line.count(separator) == width - 1 or len(_parted([line], separator)[0]) == width for line in lines
    )


def _parted(lines: list[str], separator: str) -> list[list[str]]:
    return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))


def _arff(path: Path, text: Text) -> tuple[str, list[str], Any, tuple[tuple[str, ...], ...]]:
    """Read an ARFF file: the heading by SciPy, the rows as CSV."""
    from scipy.io import arff

    heading: list[str] = []
    for line in text.lines(path):
        heading.append(line)
        if line.strip().lower() == "@data":
            break
    else:
        raise TableError(
            f"{path.name}: has no line @data, after which the rows of an ARFF file stand; add it, or rename "
            "the file if it is none"
        )
    with refusing(path, "the heading cannot be read", "attributes must be numeric or nominal"):
        _, meta = arff.loadarff(io.StringIO("".join(heading)))
        names, types = meta.names(), meta.types()
    quote = "'" if any("'" in line for line in heading) else '"'

    def records() -> Iterator[tuple[str, dict[str, str]]]:
        lines = islice(text.lines(path), len(heading), None)
        kept = ("" if line.lstrip().startswith("%") else line for line in lines)
        for number, row, taken in _rows(path, kept, len(heading) + 1, quotechar=quote, escapechar="\\"):
            place = f"line {number}"
            if row[0].startswith("{"):
                raise TableError(f"{path.name}, {place}: sparse rows cannot be read; write all values")
            if len(row) == len(names) + 1 and not row[-1]:
                row.pop()  # a comma at the end of a line, as MOA writes it
            if len(taken) > 1:
                raise TableError(
                    f"{path.name}, {place}: a quote opens a field that goes on to the next line; close it"
                )
            if len(row) != len(names):
                raise TableError(
                    f"{path.name}, {place}: {len(row)} fields, and the heading names {len(names)} "
                    "attributes; correct one of them"
                )
            yield place, {name: text.strip() for name, text in zip(names, row, strict=True)}

    kinds = [*zip(names, types, strict=True)]
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
        try:
            counts = {len(row) for row in _parted(lines[:-1] or lines, separator) if row}
        except csv.Error:
            counts = set()
        numbers[separator] = counts.pop() if len(counts) == 1 else 0
    if any(numbers.values()):
        return max(numbers, key=lambda separator: numbers[separator])
    return max(candidates, key=heading.count)


def _json(path: Path, text: Text, start: str) -> tuple[str, list[str], Any]:
    """Read a list of records, or a record on each line."""
    is_list = start.lstrip().startswith("[")

    def values() -> Iterator[tuple[str, Any]]:
        if is_list:
            with text.open() as file:
                content = file.read()
            for n, value in enumerate(_elements(content), start=1):
                yield f"record {n}", value
            return
        for n, line in enumerate(text.lines(path), start=1):
            if line.strip():
                yield f"line {n}", json.loads(line)

    def records() -> Iterator[tuple[str, dict[str, Any]]]:
        fault = "neither JSON lines, a record on each, nor a list of records"
        place = "the beginning"
        try:
            for place, record in values():
                if not isinstance(record, dict):
                    raise TableError(
                        f"{path.name}, {place}: not a record of names and values; write one on each line, or "
                        "a list of them"
                    )
                yield place, record
        except TableError:
            raise
        except (ValueError, RecursionError) as error:
            raise TableError(f"{path.name}, after {place}: {fault} ({error}); correct it there") from error

    names: dict[str, None] = {}
    for _, record in records():
        names |= dict.fromkeys(record)

    def read(names: Sequence[str], size: int) -> Iterator[Chunk]:
        found = (
            (place, {name: _field(path, place, name, record.get(name)) for name in names})
            for place, record in records()
        )
        return _of_records(found, names, size)

    return "a list of JSON records" if is_list else "JSON lines", list(names), read


def _elements(content: str) -> Iterator[Any]:
    """The elements of a JSON list, one by one: all at once would need many times the memory."""
    decoder, space = json.JSONDecoder(), re.compile(r"[ \t\n\r]*")

    def token(n: int) -> tuple[str, int]:
        """The next character that is not white space, and where it stands."""
        n = space.match(content, n).end()  # type: ignore[union-attr]
        return content[n : n + 1], n

    sign, n = token(token(0)[1] + 1)
    while sign != "]":
        value, n = decoder.raw_decode(content, n)
        yield value
        sign, n = token(n)
        if sign == ",":
            _, n = token(n + 1)
        elif sign != "]":
            raise json.JSONDecodeError("expected a comma or the end of the list", content, n)
    if token(n + 1)[0]:
        raise json.JSONDecodeError("expected nothing after the list", content, n + 1)


def _field(path: Path, place: str, name: str, value: Any) -> str:
    if isinstance(value, dict | list):
        kind = "a record" if isinstance(value, dict) else "a list"
        raise TableError(
            f"{path.name}, {place}, column {shorten(name)!r}: cannot learn from {kind}; name the column in "
            "drop, or divide it"
        )
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
