"""Shards: Parquet files of results in which every changed byte is noticed.

The metadata of the file hold a digest of the pages and one of the footer; other programs ignore them.
Parquet's own checksums leave out the headers of pages and the footer.
"""

import hashlib
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

_BLANK = b"0" * 64
_DIGESTS = re.compile(rb"sha256 (\d+):([0-9a-f]{64}) footer:([0-9a-f]{64})")


class DamagedError(ValueError):
    """A file of results is not as it was written."""


def shard_bytes(table: pa.Table) -> bytes:
    """Content of a shard; equal tables give equal bytes."""
    table = pa.Table.from_arrays([_compact(column) for column in table.columns], table.column_names)
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink, table.schema, compression="zstd", version="2.6", write_page_checksum=True
    ) as writer:
        writer.write_table(table, row_group_size=len(table))
        end = sink.tell()
        blank = _BLANK.decode()
        writer.add_key_value_metadata(
            {"oza.format": "2", "oza.digests": f"sha256 {end}:{blank} footer:{blank}"}
        )
    content = sink.getvalue().to_pybytes()
    pages, footer = content[:end], content[end:]
    before, middle, after = footer.rsplit(_BLANK, 2)
    before += sha256(pages) + middle
    return pages + before + sha256(before + _BLANK + after) + after


def _compact(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array, strings by a dictionary in the order of their first appearance."""
    if column.null_count == len(column):
        return pa.nulls(len(column))
    array = without_dictionary(column).combine_chunks()
    return array.dictionary_encode() if pa.types.is_string(array.type) else array


def without_dictionary(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def read_shard(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Read a shard, or some of its columns; refuse one that is damaged or lacks a column."""
    content = path.read_bytes()
    if not _is_sound(content):
        raise DamagedError(
            f"{path}: not a shard of results, or damaged. Restore it from a copy (`git checkout`, if it is "
            "committed) or remove it, and its tasks are computed again"
        )
    with pq.ParquetFile(pa.BufferReader(content)) as file:
        missing = [name for name in columns or [] if name not in file.schema_arrow.names]
        if missing:
            raise ValueError(f"{path}: not a shard of results of this study: no column {', '.join(missing)}")
        table = file.read(columns).replace_schema_metadata()
    return table if columns is None else table.select(columns)


def _is_sound(content: bytes) -> bool:
    """Compare the digests of a shard with its bytes; the digest of the footer is blank in its own bytes."""
    written = _DIGESTS.search(content)
    if written is None:
        return False
    end = int(written[1])
    footer = content[end : written.start(3)] + _BLANK + content[written.end(3) :]
    return (sha256(content[:end]), sha256(footer)) == (written[2], written[3])


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
