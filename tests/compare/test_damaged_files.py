"""A damaged file gives one line that names it and what to do, or all of its rows: never anything else."""

import bz2
import gzip
import importlib.util
import io
import itertools
import json
import lzma
import re
import zipfile
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from oza.compare import own_data
from oza.compare.formats import _SEPARATORS

pytestmark = pytest.mark.full  # hundreds of damaged files; test_own_data.py has one of each kind

N_ROWS = 40
PACK = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
UNPACK = {"gz": gzip.decompress, "bz2": bz2.decompress, "xz": lzma.decompress}


def frame():
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "sky": rng.choice(["sun", "rain", "clouds, low"], N_ROWS),
            "degrees": rng.normal(15, 8, N_ROWS).round(2),
            "wind": rng.integers(1, 12, N_ROWS).astype(object),
            "play": rng.choice(["yes", "no"], N_ROWS),
        }
    )


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def originals():
    """Names and contents of the same table in every format."""
    table = frame()
    plain = table.assign(sky=table["sky"].str.replace(", ", "-"))
    records = table.to_dict("records")
    csv = table.to_csv(index=False)
    found = {
        f"{name}.csv": table.to_csv(index=False, sep=sign).encode() for sign, name in _SEPARATORS.items()
    }
    found["plain.csv"] = plain.to_csv(index=False).encode()
    found["decimal.csv"] = plain.to_csv(index=False, sep=";", decimal=",").encode()
    found["dos.csv"] = plain.to_csv(index=False, lineterminator="\r\n").encode()
    for encoding in ("utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-le"):
        found[f"{encoding}.csv"] = csv.encode(encoding)
    found |= {f"a.csv.{ending}": pack(csv.encode()) for ending, pack in PACK.items()}
    middle = csv.index("\n", len(csv) // 2)
    found |= {  # of two streams, as parallel programs write them
        f"b.csv.{ending}": pack(csv[:middle].encode()) + pack(csv[middle:].encode())
        for ending, pack in PACK.items()
    }
    found["a.zip"] = zipped({"a.csv": csv})
    found["a.json"] = json.dumps(records, indent=1).encode()
    found["a.jsonl"] = "\n".join(map(json.dumps, records)).encode()
    heading = "@relation w\n@attribute sky {sun,rain,clouds-low}\n@attribute degrees numeric\n"
    heading += "@attribute wind numeric\n@attribute play {yes,no}\n@data\n"
    found["a.arff"] = (heading + plain.to_csv(index=False, header=False)).encode()
    writers = {"parquet": pd.DataFrame.to_parquet, "feather": pd.DataFrame.to_feather}
    if importlib.util.find_spec("openpyxl"):
        writers["xlsx"] = lambda rows, file: rows.to_excel(file, index=False)
    for ending, write in writers.items():
        buffer = io.BytesIO()
        write(table.assign(wind=table["wind"].astype(int)), buffer)
        found[f"a.{ending}"] = buffer.getvalue()
    return found


TOKENS = [b'"', b"'", b",", b";", b"\t", b"\n", b"\r", b"\0", b"{", b"[", b"}", b"]", b"%", b"\\", b"\xff"]
TOKENS += [b"\n\n", b'""', b"?", b"nan", b"1e999", b"\xef\xbb\xbf", b"\x1f\x8b", b"," * 50, b"[" * 5000]
TOKENS += [b"x" * 200_000, b"9" * 5000]


def damaged(content, rng):
    """The content with a few bytes changed, cut, inserted, removed, or lines repeated."""
    for _ in range(rng.integers(1, 4)):
        n = int(rng.integers(len(content) + 1))
        match rng.integers(7):
            case 0 | 1 if n < len(content):
                content = content[:n] + bytes([content[n] ^ 1 << rng.integers(8)]) + content[n + 1 :]
            case 2:
                content = content[:n]
            case 3:
                content = content[:n] + TOKENS[rng.integers(len(TOKENS))] + content[n:]
            case 4:
                content = content[:n] + content[n + int(rng.integers(1, 40)) :]
            case 5:
                lines = content.splitlines(keepends=True) or [b""]
                k = rng.integers(len(lines))
                content = b"".join([*lines[:k], lines[k], *lines[k:]])
            case 6:  # a quote that begins or ends a field
                places = [m.start() for m in re.finditer(rb"[,;\t|\n]", content)] or [0]
                n = places[rng.integers(len(places))] + int(rng.integers(2))
                content = content[:n] + b'"' + content[n:]
    return content


def fewest_rows(name, content, data):
    """How many rows a file certainly has."""
    ending = name.rpartition(".")[2]
    if ending in ("parquet", "feather"):
        return N_ROWS
    if ending == "xlsx":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read("xl/worksheets/sheet1.xml").count(b"</row>") - 1
    if ending == "zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = archive.read(archive.namelist()[0])
    content = UNPACK.get(ending, bytes)(content)
    encoding = name.removesuffix(".csv") if name.startswith("utf") else "utf-8"
    text = content.decode(encoding, errors="replace")
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
    match ending:
        case "json":
            return len(json.loads(text))
        case "jsonl":
            return len(lines)
        case "arff":
            start = next(n for n, line in enumerate(lines) if line.strip().lower() == "@data")
            return sum(not line.lstrip().startswith("%") for line in lines[start + 1 :])
    form = data.table.format
    separator = next(sign for sign, words in _SEPARATORS.items() if f"with {words}" in form)
    width = len(data.table.names)
    return sum(line.count(separator) == width - 1 for line in lines[1:])


def outcome(path, content):
    """ "read", or the error message without what differs from file to file."""
    path.write_bytes(content)
    try:
        data = own_data(path, "play")
        n_rows = sum(len(y) for _, y in data.chunks())
    except ValueError as error:
        message = str(error)
        assert message.startswith(path.name) and "\n" not in message and len(message) < 1000, message
        assert ";" in message.split(": ", 1)[1], f"does not say what to do: {message}"
        return "refused"
    assert n_rows >= fewest_rows(path.name, content, data), f"{path.name} lost rows"
    return "read"


def damaged_file(name, content, rng):
    """The file damaged, or, of those that are packed, what they hold, packed again."""
    ending = name.rpartition(".")[2]
    if rng.random() < 0.5:
        if ending in PACK:
            return PACK[ending](damaged(UNPACK[ending](content), rng))
        if ending in ("zip", "xlsx"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                members = {name: archive.read(name) for name in archive.namelist()}
            name = list(members)[rng.integers(len(members))]
            if rng.random() < 0.1:
                del members[name]
            else:
                members[name] = damaged(members[name], rng)
            return zipped(members)
    return damaged(content, rng)


@pytest.mark.parametrize("name", originals())
def test_undamaged_files_have_all_rows(name, tmp_path):
    (tmp_path / name).write_bytes(originals()[name])
    data = own_data(tmp_path / name, "play")
    assert data.n_rows == N_ROWS == fewest_rows(name, originals()[name], data) or "clouds" in str(data.values)
    assert [v is None for v in data.values] == [False, True, True]


def test_a_few_hundred_damaged_files_are_read_whole_or_refused(tmp_path):
    found, rng = Counter(), np.random.default_rng(0)
    for name, content in itertools.islice(itertools.cycle(originals().items()), 400):
        found[outcome(tmp_path / name, damaged_file(name, content, rng))] += 1
    assert found["read"] > 40 and found["refused"] > 200
