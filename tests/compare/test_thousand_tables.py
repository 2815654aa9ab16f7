"""Tables that a generator makes are read as it meant them, or refused in one line; never anything else.

The generator knows what each column means: numbers, NaN where one is missing, or names. A table is read as
meant if its classes and names are those of the generator, its numbers are equal, and a column that counts the
rows is reported. It is refused if the error names the file and says what to do. Codes with leading zeros or
more than 16 digits, dates, and words for booleans are names; numbers in a file with semicolons have
decimal commas.
"""

import csv
import gzip
import io
import warnings
from collections import Counter

import numpy as np
import pytest

from oza.compare import own_data
from oza.compare.own import MISSING

MARKS = ["", "?", "NA", "NaN", "null", "None", "-", ".", "n/a", "missing", "--", "#N/A", "unknown", "#DIV/0!"]
WORDS = ["sun", "rain", "snow; sleet", "clouds, low", "fog | mist", "Föhn", "it's", 'so "fair"', "a\tb", "#1"]
SPELLINGS = [("True", "False"), ("yes", "no"), ("T", "F"), ("on", "off"), ("WAHR", "FALSCH")]


def grouped(value, group, point):
    return f"{value:,.2f}".replace(",", "\0").replace(".", point).replace("\0", group)


def column(rng, n, is_german):
    """What is meant by a column, the texts of it, and its kind."""
    whole = rng.integers(-50, 2000, n)
    real = (rng.normal(0, 1, n) * 10.0 ** rng.integers(-3, 7)).round(rng.integers(1, 5))
    point, group = (",", ".") if is_german else (".", ",")
    big = rng.integers(1, 10**7, n) / 100
    digits = rng.integers(0, 1000, n)
    with_point = [repr(x).replace(".", point) for x in real.tolist()]
    kinds = {
        "whole numbers": (whole, map(str, whole)),
        "real numbers": (real, with_point),
        "thousands set off": (big, [grouped(x, group, point) for x in big]),
        "currency": (
            big,
            [rng.choice(["$", "€", "US$", "EUR "]) + f"{x:.2f}".replace(".", point) for x in big],
        ),
        "infinite": (real, [x if k % 9 else "inf" for k, x in enumerate(with_point)]),
        "leading zeros": (None, [f"{x:05d}" for x in digits]),
        "codes with underscores": (None, [f"{x % 100}_{x // 100}" for x in digits]),
        "dates": (None, [str(np.datetime64("2021-01-01") + int(x) % 90) for x in digits]),
        "German dates": (None, [f"{x % 28 + 1:02}.{x % 12 + 1:02}.2021" for x in digits]),
        "booleans": (None, rng.choice(SPELLINGS[rng.integers(len(SPELLINGS))], n)),
        "words": (None, rng.choice(WORDS, n)),
        "numbers of rows": (np.arange(n) + rng.integers(2), None),
    }
    kind = rng.choice([*kinds])
    meant, texts = kinds[kind]
    texts = [*map(str, meant if texts is None else texts)]
    meant = texts if meant is None else meant.astype(float)
    if rng.random() < 0.3 and kind not in ("numbers of rows", "infinite"):
        mark, at = rng.choice(MARKS), rng.random(n) < rng.choice([0.05, 0.2, 0.4])
        texts = [str(mark) if is_missing else text for text, is_missing in zip(texts, at, strict=True)]
        meant = texts if isinstance(meant, list) else np.where(at, np.nan, meant)
    return meant, texts, str(kind)


def table(rng):
    """The columns and classes that a table means, and its bytes."""
    is_german, n = rng.random() < 0.3, int(rng.integers(12, 60))
    columns = [column(rng, n, is_german) for _ in range(rng.integers(1, 4))]
    if is_german:  # a column that shows it: "1.234" alone is a number with a decimal point
        columns.append((np.arange(n) / 4, [f"{k / 4}".replace(".", ",") for k in range(n)], "quarters"))
    names = [f"c{j}" for j in range(len(columns))]
    header = rng.choice(["plain"] * 8 + ["duplicate", "empty", "spaces"])
    if header == "duplicate" and len(names) > 1:
        names[0] = names[-1]
    elif header != "plain":
        names[-1] = "" if header == "empty" else "a name"
    labels = [*map(str, rng.choice(["a", "b", "c d"], n))]
    labels[:2] = ["a", "b"]
    separator = rng.choice([";", "\t"] if is_german else [",", ",", "\t", "|", " "])
    buffer = io.StringIO()
    end = rng.choice(["\n", "\r\n"])
    quoting = int(rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer = csv.writer(buffer, delimiter=separator, lineterminator=end, quoting=quoting)
    rows = [[*names, "y"], *zip(*(texts for _, texts, _ in columns), labels, strict=True)]
    extra = rng.choice(
        ["nothing"] * 6 + ["blank lines", "comment on top", "comment within", "padding", "total"]
    )
    for k, row in enumerate(rows):
        if extra == "comment on top" and k == 0:
            buffer.write(f"# made by a program, in 2021{end}")
        if extra == "comment within" and k == 5:
            buffer.write(f"# half of it{end}")
        writer.writerow([f" {field} " for field in row] if extra == "padding" and separator != " " else row)
        if extra == "blank lines" and k % 4 == 0:
            buffer.write(end)
    if extra == "total":
        buffer.write(f"Total{end}")
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
    content = buffer.getvalue().encode(encoding, errors="replace")
    is_packed = rng.random() < 0.1
    columns = [(name, *rest) for name, rest in zip(names, columns, strict=True)]
    return columns, labels, gzip.compress(content) if is_packed else content


def fault_of(data, told, columns, labels):
    """What is not as the generator meant it, or ""."""
    X, y = (np.concatenate(parts) for parts in zip(*data.chunks(), strict=True))
    if [[*data.class_counts][k] for k in y] != labels:
        return "classes"
    if data.columns != tuple(name for name, *_ in columns):
        return "names of columns"
    for j, (name, meant, _, kind) in enumerate(columns):
        if isinstance(meant, list):
            wanted = [text.strip() for text in meant]
            if data.values[j] is None:
                if not {*wanted} <= MISSING:
                    return f"{kind} as numbers"
            elif [data.values[j][int(k)] for k in X[:, j]] != wanted:
                return f"{kind} as other names"
        elif data.values[j] is not None:
            if not np.isnan(meant).all():
                return f"{kind} as names"
        elif not np.array_equal(X[:, j], meant, equal_nan=True):
            return f"{kind} as other numbers"
        if kind == "numbers of rows" and name not in data.counting:
            return "numbers of rows without a word"
    return "" if len(told) == len(data.counting) else "numbers of rows without a warning"


def outcome(path, columns, labels, content):
    path.write_bytes(content)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            data = own_data(path, "y", chunk_size=20)
        return fault_of(data, told, columns, labels) or "read"
    except ValueError as error:
        message = str(error)
        assert message.startswith("table.csv") and "\n" not in message and ";" in message, message
        return "refused"


@pytest.mark.full  # test_own_data.py has one for each kind of fault
def test_two_hundred_tables_are_read_as_meant_or_refused(tmp_path):
    rng = np.random.default_rng(0)
    outcomes = Counter(outcome(tmp_path / "table.csv", *table(rng)) for _ in range(200))
    assert set(outcomes) == {"read", "refused"} and min(outcomes.values()) >= 20, outcomes
