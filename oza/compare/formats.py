"""Readers of tables in many file formats, in rows of fields as text; types are decided later."""

import csv
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..extras import required
from .unpack import LONGEST_LINE, TableError, Text, check_unpacked, refusing, shorten, text_of

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_SAMPLE = 50  # lines from which the separator is detected
_RECORD = re.compile(r'\s*(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')  # the beginning of JSON, and of no CSV


Row = tuple[int, Sequence[str]]  # its number, and its fields


class Table(NamedTuple):
    """A reader of a file.

    `format` describes the format in words; `rows(names)` yields the number of each `unit`, a line, row or
    record, and its fields in the named columns. A heading may declare `nominal` columns, with their values,
    and `numeric` ones; `pandas_index` are those that are the index of a pandas frame.
    """

    format: str
    unit: str
    names: list[str]
    rows: Callable[[Sequence[str]], Iterator[Row]]
    nominal: Mapping[str, Collection[str]] = MappingProxyType({})
    numeric: Collection[str] = ()
    pandas_index: Collection[str] = ()


def open_table(path: Path) -> Table:
    """Detect the format of a file from its content and extension; error messages name the file."""
    if path.exists() and not path.is_file():
        raise TableError(f"{path}: is not a file that can be read twice; name a file")
    with path.open("rb") as file:
        start = file.read(6)
    ending = path.suffix.lower()
    if start.startswith(b"PAR1") or ending in (".parquet", ".pq"):
        table = _arrow(path, "Parquet")
    elif start == b"ARROW1" or ending == ".feather":
        table = _arrow(path, "Feather")
    elif ending == ".xls":
        raise TableError(f"{path.name}: not an Excel file that can be read here; save it as .xlsx or as CSV")
    else:
        table = _excel(path) if ending.startswith(".xls") else _text(path)
    if not table.names:
        raise TableError(f"{path.name}: is empty; the first line must name the columns")
    name, n = Counter(table.names).most_common(1)[0]
    if n > 1:
        remedy = "rename one" if name else "name them, or delete a title above the names"
        raise TableError(f"{path.name}: two columns have the name {shorten(name)!r}; {remedy}")
    return table


def _arrow(path: Path, form: str) -> Table:
    purpose = f"{path.name}: reading Parquet and Feather files"
    pa, dataset = required("pyarrow", purpose), required("pyarrow.dataset", purpose)
    options: Any = "feather"
    if form == "Parquet":
        checked = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
        options = dataset.ParquetFileFormat(default_fragment_scan_options=checked)
    with refusing(path, f"not a {form} file"):
        file = dataset.dataset(path, format=options)
        names = list(file.schema.names)
        index = [
            each for each in (file.schema.pandas_metadata or {}).get("index_columns", ()) if each in names
        ]

    def rows(asked: Sequence[str]) -> Iterator[Row]:
        n = 0
        with refusing(path, f"the {form} file is damaged"):
            for batch in file.to_batches(columns=list(asked), batch_size=1000):
                batch.validate(full=True)  # otherwise damage may end the process
                columns = []
                for name, column in zip(asked, batch.columns, strict=True):
                    try:
                        columns.append(column.cast(pa.string()).fill_null("").to_pylist())
                    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
                        kind = f"column {shorten(name)!r}: cannot learn from {column.type}"
                        raise TableError(f"{path.name}, {kind}; name the column in drop") from error
                yield from enumerate(zip(*columns, strict=True), start=n + 1)
                n += len(batch)

    return Table(form, "row", names, rows, pandas_index=index)


def _excel(path: Path) -> Table:
    required("openpyxl", f"{path.name}: reading Excel files")
    import pandas as pd

    with refusing(path, "the Excel file is damaged"):
        with zipfile.ZipFile(path) as archive:
            check_unpacked(path, sum(member.file_size for member in archive.infolist()))
        options: Any = {"dtype": object, "header": None, "na_filter": False}
        sheet = pd.read_excel(path, **options)
        formulas = pd.read_excel(path, **options, engine_kwargs={"data_only": False})
    has_no_value = (sheet == "") & (formulas != "")
    faults = {"an error, such as #REF!": sheet.isna(), "a formula without its value": has_no_value}
    for what, is_wrong in faults.items():
        if len(places := np.argwhere(is_wrong.to_numpy())):
            place = f"row {places[0, 0] + 1}, column {places[0, 1] + 1}"
            raise TableError(f"{path.name}, {place}: {what}; correct it in Excel, and save the file there")
    names, *texts = sheet.map(_as_text).to_numpy().tolist() or [[]]
    rows = _picked(names, lambda: ((n, row) for n, row in enumerate(texts, start=2) if any(row)))
    return Table("the first sheet of an Excel file", "row", names, rows)


def _picked(names: list[str], read: Callable[[], Iterator[Row]]) -> Callable[[Sequence[str]], Iterator[Row]]:
    """Of the rows that `read` reads, the fields in two or more columns that are asked for."""
    place_of = {name: k for k, name in enumerate(names)}

    def rows(asked: Sequence[str]) -> Iterator[Row]:
        fields = itemgetter(*[place_of[name] for name in asked])
        return ((n, fields(row)) for n, row in read())

    return rows


def _text(path: Path) -> Table:
    text = text_of(path)
    endings = {suffix.lower() for suffix in path.suffixes[-2:]}
    with text.open() as file:
        start = file.read(4096)
    if ".arff" in endings:
        return _arff(path, text)
    is_json = {".json", ".jsonl", ".ndjson"} & endings or _RECORD.match(start)
    return _json(path, text, start.lstrip().startswith("[")) if is_json else _csv(path, text)


def _csv(path: Path, text: Text) -> Table:
    lines = [line for line in islice(text.lines(path), _SAMPLE) if line.strip()]
    separator = _separator(lines)
    start, second, *_ = *lines, "", ""
    is_comment = start.startswith("#") and start.count(separator) != second.count(separator)
    by_spaces = csv.reader([start, second], delimiter=" ", skipinitialspace=True)
    is_title = separator == " " and {*second} & {*",;\t|"} and len({len(row) for row in by_spaces}) > 1
    if second and (is_comment or is_title or start.startswith("sep=")):
        fault = f"{shorten(start.strip())!r} does not name the columns; delete what stands above their names"
        raise TableError(f"{path.name}, line 1: {fault}")
    names = [name.strip() for name in next(_rows(path, text, separator), (1, []))[1]]
    form = f"CSV with {_SEPARATORS[separator]}" if len(names) > 1 else "CSV"
    rows = _picked(names, lambda: islice(_rows(path, text, separator), 1, None))
    return Table(f"{form}, {text.format}", "line", names, rows)


def _separator(lines: list[str]) -> str:
    """Choose the separator by which the first lines have equal numbers of fields, and the most fields.

    If there is none, choose the one that occurs most often in the header; spaces only if no other
    separator occurs there.
    """
    heading = lines[0] if lines else ""

    def fit(separator: str) -> tuple[int, int]:
        rows = csv.reader(lines[:-1] or lines, delimiter=separator, skipinitialspace=True)
        try:
            widths = {len(row) for row in rows if row}
        except csv.Error:
            widths = set()
        return widths.pop() if len(widths) == 1 else 0, heading.count(separator)

    return max([separator for separator in ",;\t|" if separator in heading] or [" "], key=fit)


_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(\{.*\}|\w+)""", re.IGNORECASE
)
_FIELD = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|((?:[^,\t'"\\]|\\.|(?<=[^\s,])['"])*))\s*(,|\t|$)"""
)


def _arff(path: Path, text: Text) -> Table:
    """Read an ARFF file."""
    names, types = [], {}
    for heading, line in enumerate(map(str.strip, text.lines(path)), start=1):
        word = "".join(line.lower().split()[:1])
        if word == "@data":
            break
        if found := _ATTRIBUTE.match(line):
            names += _arff_fields(found[1])
            types[names[-1]] = found[2] if found[2].startswith("{") else found[2].lower()
        if word == "@attribute" and (not found or types[names[-1]] in ("date", "relational")):
            fault = f"{shorten(line)!r} cannot be read; attributes must be numeric, nominal or strings"
            raise TableError(f"{path.name}, line {heading}: {fault}")
    else:
        fault = "has no line @data, after which the rows of an ARFF file stand"
        raise TableError(f"{path.name}: {fault}; add it, or rename the file if it is not one")

    def rows() -> Iterator[Row]:
        for n, line in enumerate(map(str.strip, islice(text.lines(path), heading, None)), start=heading + 1):
            if not line or line.startswith("%"):
                continue
            row, fault = _arff_fields(line), ""
            if len(row) == len(names) + 1 and not row[-1]:
                row.pop()  # after a comma as MOA writes it at the end of a line
            if line.startswith("{"):
                fault = "sparse rows cannot be read; write all values"
            elif not row:
                fault = (
                    "a quote is not closed, or text follows it; close it, and write \\ before a quote within"
                )
            elif len(row) == len(names) + 1 and row[-1].startswith("{"):
                fault = f"the weight {row[-1]} of a row cannot be read; delete it, or repeat the row"
            elif len(row) != len(names):
                fault = f"{len(row)} fields, but the header names {len(names)} columns; correct one"
            if fault:
                raise TableError(f"{path.name}, line {n}: {fault}")
            yield n, row

    nominal = {name: {*_arff_fields(kind[1:-1])} for name, kind in types.items() if kind.startswith("{")}
    numeric = {name for name, kind in types.items() if kind in ("numeric", "real", "integer")}
    return Table(f"ARFF, {text.format}", "line", names, _picked(names, rows), nominal, numeric)


def _arff_fields(line: str) -> list[str]:
    """The fields of a line, in quotes of either kind or in none; nothing if a quote is not closed."""
    if not {*line} & {*"'\"\\\t"}:
        return [*map(str.strip, line.split(","))]
    fields, place, separator = [], 0, ","
    while separator:
        found = _FIELD.match(line, place)
        if found is None:
            return []
        *texts, separator = found.groups("")
        fields.append(re.sub(r"\\(.)", r"\1", "".join(texts)).strip())
        place = found.end()
    return fields


def _rows(path: Path, text: Text, separator: str) -> Iterator[Row]:
    """Rows of a CSV file, each with the number of its first line; the first one has the names of columns."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in text.lines(path):
            taken.append(line)
            yield line

    first, width = 1, 0
    csv.field_size_limit(max(LONGEST_LINE, csv.field_size_limit()))
    try:
        for row in csv.reader(lines(), strict=True, delimiter=separator, skipinitialspace=True):
            if row:  # else the line is empty
                if width and taken[0].startswith("# "):
                    raise csv.Error("begins with '# ', as a comment does; delete it")
                width = width or len(row)
                if len(row) == width + 1 and not row[-1] and separator == " ":
                    row.pop()  # a space at the end of a line
                if len(row) != width:
                    raise csv.Error(f"{len(row)} fields, but the header names {width} columns; correct one")
                if len(taken) > 1 and sum(_is_row(each, separator, width) for each in taken) > 1:
                    last = first + len(taken) - 1
                    raise csv.Error(
                        f"a quote opens a field that swallows the rows up to line {last}; close it"
                    )
                yield first, row
            first += len(taken)
            taken.clear()
    except csv.Error as error:
        remedy = "" if ";" in str(error) else "; close each quote, and write a quote within a field twice"
        raise TableError(f"{path.name}, line {first}: {error}{remedy}") from error


def _is_row(line: str, delimiter: str, width: int) -> bool:
    """Whether a line looks like a row of its own."""
    parted = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    return width in (line.count(delimiter) + 1, len(parted))


def _json(path: Path, text: Text, is_list: bool) -> Table:
    """Read a list of records, or a record on each line."""
    unit = "record" if is_list else "line"

    def records() -> Iterator[tuple[int, dict[str, Any]]]:
        n = 0
        try:
            with text.open() as file:
                items = json.load(file, object_pairs_hook=_record) if is_list else text.lines(path)
            for n, item in enumerate(items, start=1):
                if is_list or item.strip():
                    record = item if is_list else json.loads(item, object_pairs_hook=_record)
                    if not isinstance(record, dict):
                        raise TypeError("not a record of names and values")
                    yield n, record
        except TableError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            where = f"{path.name}, {unit} {n}" if n else path.name
            fault = f"neither JSON lines, a record on each, nor a list of records ({error})"
            raise TableError(f"{where}: {fault}; correct it there") from error

    def rows(asked: Sequence[str]) -> Iterator[Row]:
        for n, record in records():
            for name in asked:
                if isinstance(value := record.get(name), dict | list):
                    kind = "a record" if isinstance(value, dict) else "a list"
                    where = f"{path.name}, {unit} {n}, column {shorten(name)!r}"
                    raise TableError(f"{where}: cannot learn from {kind}; name the column in drop")
            yield n, [_as_text(record.get(name)) for name in asked]

    names = list(dict.fromkeys(name for _, record in records() for name in record))
    form = "a list of JSON records" if is_list else "JSON lines"
    return Table(f"{form}, {text.format}", unit, names, rows)


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a record has a name twice")
    return record


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value).strip()
