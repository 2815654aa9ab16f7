"""Read the text of a data file into codes and numbers, strictly as the catalogue declares it.

Values are decoded once for each distinct value of a column.  Lines are examined one by one only to
locate an error.
"""

from typing import NamedTuple

import numpy as np

from .catalogue import Column, DatasetInfo


class Table(NamedTuple):
    """Examples: for each attribute an array of codes (int16) or numbers (float64), and the class codes."""

    columns: tuple[np.ndarray, ...]
    target: np.ndarray


def read_rows(text: bytes, info: DatasetInfo, source: object) -> Table:
    """Read all rows of a text; blank lines are allowed only at its end.

    Raises
    ------
    ValueError
        If a row has a wrong number of fields, or a field has an undeclared value or is not a finite
        number; the message names `source` and the line (from 1).
    """
    import pyarrow as pa
    from pyarrow import csv

    if info.spelled:
        text = _spell_out(text, info.separator)
    text = text.rstrip(b"\r\n").split(b"\n", info.first_line - 1)[-1]
    names = [str(j) for j in range(len(info.columns))]
    columns = [name for name, column in zip(names, info.columns, strict=True) if column.kind != "dropped"]
    values = pa.dictionary(pa.int32(), pa.string())
    try:
        table = csv.read_csv(
            pa.py_buffer(text),
            csv.ReadOptions(column_names=names, block_size=2**22, use_threads=False),
            csv.ParseOptions(delimiter=info.separator, quote_char=False, ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict.fromkeys(names, values), include_columns=columns),
        )
    except pa.ArrowInvalid as error:
        raise ValueError(_misfit(text, info, source) or f"{source}: {error}") from None

    read, faults = {}, []
    for name in columns:
        column = info.columns[int(name)]
        field = table.column(name).unify_dictionaries().combine_chunks()
        distinct, places = field.dictionary.to_pylist(), field.indices.to_numpy()
        decoded, valid = _decode(distinct, column)
        read[column.name] = decoded[places]
        if not valid.all():
            row = int(np.argmin(valid[places]))
            faults.append((row + info.first_line, column, distinct[places[row]].strip()))
    if faults:
        line, column, found = min(faults, key=lambda fault: fault[0])
        expected = "a number" if column.kind == "numeric" else f"one of {', '.join(column.values)}"
        raise ValueError(f"{source}, line {line}: {column.name} is {found!r}, expected {expected}")
    target = next(column.name for column in info.columns if column.kind == "class")
    return Table(tuple(read[attribute.name] for attribute in info.attributes), read[target])


def _spell_out(text: bytes, separator: str) -> bytes:
    """Split the last field of each row, a word, into one field for each character."""
    lines = [line.rpartition(separator) for line in text.decode(errors="replace").split("\n")]
    return "\n".join(head + mark + separator.join(word.strip()) for head, mark, word in lines).encode()


def _decode(distinct: list[str], column: Column) -> tuple[np.ndarray, np.ndarray]:
    """Codes or numbers of the distinct texts, and a mask of the valid ones."""
    texts = [text.strip() for text in distinct]
    if column.kind == "numeric":
        numbers = np.array([_number(text) for text in texts], np.float64)
        return numbers, np.isfinite(numbers)
    code = {value: k for k, value in enumerate(column.values)}
    codes = np.array([code.get(text, -1) for text in texts], np.int16)
    return codes, codes >= 0


def _number(text: str) -> float:
    try:
        return np.nan if "_" in text else float(text)  # Python accepts 1_000 as a number
    except ValueError:
        return np.nan


def _misfit(text: bytes, info: DatasetInfo, source: object) -> str | None:
    """Describe the first line with a wrong number of fields."""
    expected = len(info.columns)
    for number, line in enumerate(text.split(b"\n"), start=info.first_line):
        found = line.count(info.separator.encode()) + 1
        if found != expected:
            wanted = f"{expected} separated by {info.separator!r}"
            return f"{source}, line {number}: found {found} fields, expected {wanted}"
    return None
