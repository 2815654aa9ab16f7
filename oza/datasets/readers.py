"""Read the text of a data file into codes and numbers, strictly as the catalogue declares it.

Values are decoded once for each distinct value of a column.  Lines are examined one by one only to
locate an error.
"""

import csv
import io
from collections.abc import Iterable
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
    import pandas as pd

    if info.spelled:
        text = _spell_out(text, info.separator)
    text = text.rstrip(b"\r\n").split(b"\n", info.first_line - 1)[-1]
    names = [str(j) for j in range(len(info.columns))]
    columns = [name for name, column in zip(names, info.columns, strict=True) if column.kind != "dropped"]
    _check_widths(text, info, source)
    try:
        table = pd.read_csv(
            io.BytesIO(text),
            sep=info.separator,
            header=None,
            names=names,
            usecols=columns,
            dtype=object,
            quoting=csv.QUOTE_NONE,
            na_filter=False,
            skip_blank_lines=False,
        )
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None

    read, faults = {}, []
    for name in columns:
        column = info.columns[int(name)]
        places, distinct = pd.factorize(table[name])
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


def _decode(distinct: Iterable[str], column: Column) -> tuple[np.ndarray, np.ndarray]:
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


def _check_widths(text: bytes, info: DatasetInfo, source: object) -> None:
    """Refuse a text that has a line with a wrong number of fields."""
    expected = len(info.columns)
    characters = np.frombuffer(text + b"\n", np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    separators = np.flatnonzero(characters == ord(info.separator))
    widths = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    if (widths == expected).all():
        return
    n = int(np.argmax(widths != expected))
    wanted = f"{expected} separated by {info.separator!r}"
    raise ValueError(f"{source}, line {info.first_line + n}: found {widths[n]} fields, expected {wanted}")
