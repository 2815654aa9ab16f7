"""Probe implementations and record what they do; `--here` probes one in this process for the others."""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from benchmarks.conformance import experiments
from benchmarks.conformance.cells import COLUMNS, here, probed, record
from benchmarks.conformance.rows import ROWS


def main() -> None:
    by_name = {row.name: row for row in ROWS}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance", description=__doc__)
    parser.add_argument("--implementation", nargs="*", choices=COLUMNS, default=COLUMNS)
    parser.add_argument("--row", nargs="*", choices=by_name, default=by_name)
    parser.add_argument("--here", metavar="MODULE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(here(options.here, by_name[options.row[0]]), flush=True)
        os._exit(0)  # without waiting for threads of an implementation that never end
    for name in options.implementation:
        start, cells = time.perf_counter(), []
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for cell in pool.map(partial(probed, name), map(by_name.get, options.row)):
                print(f"{name:13s} {cell.row:22s} {cell.verdict:19s} {cell.note or cell.found}", flush=True)
                cells.append(cell)
        version = max(cell.version for cell in cells)  # a process that hangs or crashes names none
        record([replace(cell, version=version) for cell in cells])
        experiments.WORDS.write_text(experiments.in_words(), encoding="utf-8")
        print(f"{name}: {len(cells)} cells in {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
