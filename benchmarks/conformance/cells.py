"""The cells of the table: how one is judged, run in a process of its own, recorded and read.

A column is a module with `version()`, a string, and `make(algorithm, *, seed=1, **options)`, which returns
an untrained learner: `n_models`; `n_classes`, two unless said; `over`, what the members are, "stub" unless
said; `n_columns` of numbers; `jobs`. It raises `NotThere` or `Hidden` where it cannot. A learner has as
many of these methods as probes ask of it:

`learn(x, y, weight)`, `fit(rows, labels)` in batch, `predict(x)`, `predict_each(x)` by member,
`members()`, stubs in their order, with the `weight` that each has learned, the latest `label`, and `mark`,
the sum of weights times x[0]; `vote_weights()`, `n_kept()`, `n_nodes()`, `n_replaced()`, and
`background_weights()`, None where a tree has no background tree. An ADWIN has `update(value)`, whether it
finds a change, and `width`.
"""

import csv
import json
import subprocess
import sys
from dataclasses import asdict, dataclass, fields
from datetime import date
from importlib import import_module
from pathlib import Path
from traceback import walk_tb

from benchmarks.conformance.rows import ROWS, Make, Row

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "data" / "results" / "conformance.csv"
PEERS = ROOT / "_build" / "peers" / "bin" / "python"
CLASSES = ROOT / "_build" / "peers" / "java"  # our stubs for MOA and Weka, compiled
#: Columns: the module of each, and the Python that has it.
COLUMNS = {
    "oza": ("ours", sys.executable),
    "River": ("river", PEERS),
    "MOA": ("moa", PEERS),
    "CapyMOA": ("capymoa", PEERS),
    "scikit-learn": ("scikit_learn", PEERS),
    "Weka": ("weka", PEERS),
    "VW": ("vw", PEERS),
}
SECONDS = 60


class NotThere(Exception):
    """The implementation has no such algorithm."""


class Hidden(Exception):
    """What the row asks for cannot be observed; the message says why."""


@dataclass(frozen=True)
class Cell:
    """What one implementation does about one row."""

    row: str
    implementation: str
    version: str
    date: str
    verdict: str  # conforms, deviates, not there, cannot be observed, crashes or hangs
    found: dict[str, float]
    note: str = ""


def judged(row: Row, make: Make) -> tuple[str, dict[str, float], str]:
    """Verdict, what was found, and a note."""
    try:
        found = {what: float(value) for what, value in row.probe(make).items() if what in row.bounds}
    except NotThere as why:
        return "not there", {}, str(why)
    except Hidden as why:
        return "cannot be observed", {}, str(why)
    except Exception as error:
        if is_ours(error):
            raise
        return "crashes", {}, f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    return "conforms" if row.conforms(found) else "deviates", found, ""


def is_ours(error: Exception) -> bool:
    """Whether an exception was raised by the table's own code, and not by an implementation or in Java."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    is_here = Path(frame.f_code.co_filename).is_relative_to(Path(__file__).parent)
    return is_here and not hasattr(error, "stacktrace")


def probed(name: str, row: Row) -> Cell:
    """The cell of an implementation, found in a process of its own."""
    module, python = COLUMNS[name]
    command = [str(python), "-m", "benchmarks.conformance", "--here", module, "--row", row.name]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
        version, *outcome = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        version, outcome = "", ["hangs", {}, f"no end after {SECONDS} seconds"]
    except (IndexError, ValueError):
        if done.returncode == 1:
            raise RuntimeError(f"the probe {row.name} of {name} failed:\n{done.stderr}") from None
        version, outcome = "", ["crashes", {}, f"exit code {done.returncode}"]
    return Cell(row.name, name, version, str(date.today()), *outcome)


def here(module: str, row: Row) -> str:
    """What `probed` reads: the version of a column and what it does, in this process."""
    column = import_module(f"benchmarks.conformance.{module}")
    return json.dumps([column.version(), *judged(row, column.make)])


def scripts() -> dict[tuple[str, str], Path]:
    """For cells, row and implementation, the script that shows a deviation with the peer alone."""
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(Path(__file__).with_name("scripts").glob("*.py")):
        names, rows, _ = path.read_text(encoding="utf-8").strip('"').replace(". ", ": ", 1).split(": ", 2)
        found |= {(row, name): path for row in rows.split(", ") for name in names.split(", ")}
    return found


def recorded(path: Path = RECORD) -> list[Cell]:
    """The cells on record, in the order of rows and columns."""
    with path.open(newline="", encoding="utf-8") as file:
        lines: list[dict] = list(csv.DictReader(file))
    return [Cell(**line | {"found": json.loads(line["found"])}) for line in lines]


def record(cells: list[Cell], path: Path = RECORD) -> None:
    """Write cells, and those on record that they do not replace."""
    kept = {(cell.row, cell.implementation): cell for cell in (recorded(path) if path.exists() else [])}
    kept |= {(cell.row, cell.implementation): cell for cell in cells}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Cell)], lineterminator="\n")
        writer.writeheader()
        for row in ROWS:
            for name in COLUMNS:
                if cell := kept.get((row.name, name)):
                    writer.writerow(asdict(cell) | {"found": json.dumps(cell.found)})
