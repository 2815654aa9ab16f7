"""Shards: Parquet files of results that detect every change of a byte, and name what is damaged.

Each page has a checksum, which any reader of Parquet can check. In addition the footer holds the version of
the format, a digest of the bytes of each row group, and a digest of the footer itself; both entries are
metadata of the file, which other programs ignore.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

#: Version of the format of shards and journals. Shards of version 1 have no digests.
FORMAT = 2

_ROWS = 10_000  # in a row group
_VERSION, _DIGESTS = b"oza.format", b"oza.digests"
_BLANK = b"0" * 64
_WRITTEN = re.compile(rb"sha256 ((?:[0-9]+:[0-9a-f]{64} )*)footer:([0-9a-f]{64})")


class DamagedError(ValueError):
    """A file of results is not as it was written."""

    def __init__(self, path: Path, what: str):
        self.what = what
        super().__init__(
            f"{path}: {what}. Restore it from a copy, or run its study with --repair, which keeps what is "
            "sound, keeps a copy of the file, and computes the rest again"
        )


class NewerFormatError(ValueError):
    """A file of results was written by a later version."""

    def __init__(self, path: Path, version: int):
        super().__init__(
            f"{path}: format {version} is newer than {FORMAT}, the latest that this version of the project "
            "reads; nothing was changed"
        )


class Damage(NamedTuple):
    """What is wrong with a shard, and the rows that are proven to be sound, if there are any."""

    what: str
    sound: pa.Table | None


def shard_bytes(table: pa.Table) -> bytes:
    """Content of a shard; equal tables give equal bytes."""
    table = pa.Table.from_arrays([_written(column) for column in table.columns], table.column_names)
    sink = pa.BufferOutputStream()
    ends = [0]
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", version="2.6", write_page_checksum=True
    ) as writer:
        for start in range(0, table.num_rows, _ROWS):
            writer.write_table(table.slice(start, _ROWS), row_group_size=_ROWS)
            ends.append(sink.tell())
        written = "".join(f"{end}:{_BLANK.decode()} " for end in ends[1:])
        writer.add_key_value_metadata(
            {_VERSION.decode(): str(FORMAT), _DIGESTS.decode(): f"sha256 {written}footer:{_BLANK.decode()}"}
        )
    content = bytearray(sink.getvalue().to_pybytes())
    place = content.rindex(_DIGESTS)
    for start, end in pairwise(ends):
        place = content.index(_BLANK, place)
        content[place : place + 64] = _digest(content[start:end])
    place = content.index(_BLANK, place)
    content[place : place + 64] = _digest(content[ends[-1] :])
    return bytes(content)


def _written(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array, strings by a dictionary in the order of their first appearance."""
    if column.null_count == len(column):
        return pa.nulls(len(column))
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    array = column.combine_chunks()
    return array.dictionary_encode() if pa.types.is_string(array.type) else array


def _digest(content: bytes | bytearray | memoryview) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def read_shard(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Read a shard, or some of its columns; refuse one that is damaged, newer, or lacks a column."""
    with _checked(path, columns) as file:
        table = file.read(columns).replace_schema_metadata()
    return table if columns is None else table.select(columns)


def read_row_groups(path: Path, columns: list[str]) -> Iterator[pa.Table]:
    """Read some columns of a shard, one row group after the other; raises the errors of `read_shard`."""
    with _checked(path, columns) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, columns, use_threads=False).select(columns)


@contextmanager
def _checked(path: Path, columns: list[str] | None) -> Iterator[pq.ParquetFile]:
    content = path.read_bytes()
    damage = _damage(content)
    if damage is not None:
        raise DamagedError(path, damage.what)
    with _opened(path, pa.BufferReader(content)) as file:
        _check_columns(path, file, columns or [])
        yield file


def check_columns(path: Path, columns: list[str]) -> None:
    """Check that a shard has all these columns, by its footer alone; raises the errors of `read_shard`."""
    with _opened(path, path) as file:
        _check_columns(path, file, columns)


def is_of_older_format(path: Path) -> bool:
    """Whether a shard was written by an earlier version, by its footer alone."""
    with _opened(path, path) as file:
        return _version(file) < FORMAT


@contextmanager
def _opened(path: Path, source: Any) -> Iterator[pq.ParquetFile]:
    try:
        with pq.ParquetFile(source) as file:
            if (version := _version(file)) > FORMAT:
                raise NewerFormatError(path, version)
            yield file
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise DamagedError(path, f"not a shard of results ({reason})") from error


def _check_columns(path: Path, file: pq.ParquetFile, columns: list[str]) -> None:
    missing = [name for name in columns if name not in file.schema_arrow.names]
    if missing:
        raise ValueError(f"{path}: not a shard of results of this study: no column {', '.join(missing)}")


def damage_of(path: Path) -> Damage | None:
    """Examine a shard; None if it is sound."""
    try:
        read_shard(path)
    except DamagedError as error:
        return _damage(path.read_bytes()) or Damage(error.what, None)
    return None


def _version(file: pq.ParquetFile) -> int:
    return int((file.metadata.metadata or {}).get(_VERSION, b"1"))


def _damage(content: bytes) -> Damage | None:
    """Compare the digests of a shard with its bytes; a shard of the first version has none."""
    if _VERSION not in content and _DIGESTS not in content:
        return None
    written = _WRITTEN.search(content, max(content.rfind(_DIGESTS), 0))
    if written is None:
        return Damage("its footer is damaged", None)
    groups = [group.split(b":") for group in written[1].split()]
    ends = [0, *(int(end) for end, _ in groups)]
    if _digest(_blanked(content[ends[-1] :], written.start(2) - ends[-1])) != written[2]:
        return Damage("its footer is damaged", None)
    bad = [k for k, (start, end) in enumerate(pairwise(ends)) if _digest(content[start:end]) != groups[k][1]]
    if not bad:
        return None
    with pq.ParquetFile(pa.BufferReader(content)) as file:
        sound = [k for k in range(len(groups)) if k not in bad]
        return Damage(
            f"row group {', '.join(map(str, bad))} of {len(groups)} is damaged",
            file.read_row_groups(sound).replace_schema_metadata() if sound else None,
        )


def _blanked(content: bytes, start: int) -> bytes:
    return content[:start] + _BLANK + content[start + len(_BLANK) :]
