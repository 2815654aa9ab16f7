"""The command `oza compare`."""

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

from ..extras import progress_bar
from ..files import replace_file
from .algorithms import ALGORITHMS, ALGORITHMS_OF, base_models_for
from .own import own_data
from .work import Settings, Work


def positive(text: str) -> int:
    """Read an argument that must be an integer of 1 or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not 1 or greater")
    return number


def add_compare(commands: Any) -> None:
    """Add the command to those of a parser."""
    usual = Settings()
    compare = commands.add_parser(
        "compare",
        help="compare single models with batch, online and primed ensembles on a file of your own",
        description="Compare single models with batch, online and primed bagging and boosting on a table "
        "of your own, as the thesis does, and write a report as one HTML file. A row of the file is an "
        "example; columns of numbers, with decimal points or commas, are divided into ten bins, all others "
        "are nominal. Missing numbers have their own bin; a row without a class is an error.",
    )
    compare.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="text with a header (separator and encoding are detected), JSON lines or a list of JSON "
        "records, compressed or not; Parquet, Feather, or Excel (.xlsx)",
    )
    compare.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    which = compare.add_mutually_exclusive_group()
    which.add_argument("--columns", nargs="+", metavar="COLUMN", help="learn from these columns only")
    which.add_argument("--drop", nargs="+", default=[], metavar="COLUMN", help="leave these columns out")
    compare.add_argument(
        "--nominal", nargs="+", default=[], metavar="COLUMN", help="columns whose numbers are names"
    )
    compare.add_argument(
        "--base-model",
        nargs="+",
        choices=ALGORITHMS_OF,
        metavar="MODEL",
        help=f"which base models, of {', '.join(ALGORITHMS_OF)} (default: all but the last)",
    )
    compare.add_argument(
        "--algorithm",
        nargs="+",
        choices=ALGORITHMS,
        default=[],
        metavar="NAME",
        help=f"which algorithms, of {', '.join(ALGORITHMS)} (default: all but the last three, which are made "
        "for streams and run over Hoeffding trees)",
    )
    numbers = {
        "n-models": (positive, usual.n_models, "base models in an ensemble"),
        "repetitions": (positive, usual.repetitions, "cross-validations"),
        "folds": (positive, usual.folds, "folds of a cross-validation"),
        "limit": (positive, usual.limit, "most examples to cross-validate; a larger file is sampled"),
        "seed": (int, usual.seed, "seed of splits and draws"),
        "chunk-size": (positive, 10_000, "rows read at a time"),
    }
    for name, (kind, default, text) in numbers.items():
        text = f"{text} (default: %(default)s)"
        compare.add_argument(f"--{name}", type=kind, default=default, metavar="N", help=text)
    compare.add_argument("--out", type=Path, metavar="REPORT", help="the report (default: FILE with .html)")
    compare.add_argument("--force", action="store_true", help="replace an older report")
    compare.set_defaults(command=_compare, interrupted="interrupted; no report was written.")


def _compare(options: argparse.Namespace) -> int:
    from .report import comparison_report, comparison_table, data_notes, report_path, result_notes

    out = report_path(options.file, options.out, options.force)
    settings = Settings(
        tuple(options.base_model or base_models_for(options.algorithm)),
        options.n_models,
        options.repetitions,
        options.folds,
        options.seed,
        options.limit,
        tuple(options.algorithm),
    )
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # of which `data_notes` tells
        data = own_data(
            options.file, options.target, options.columns, options.drop, options.nominal, options.chunk_size
        )
    work = Work(data, settings)
    print(*data_notes(data, settings), sep="\n", file=sys.stderr)
    steps = work.steps()
    bar = progress_bar(
        sum(map(work.size, steps)),
        progress=True,
        mininterval=0.5 if sys.stderr.isatty() else 30,
        bar_format="{percentage:3.0f}%|{bar:20}| {elapsed}{postfix}",
    )
    with bar:
        for step in steps:
            bar.set_postfix_str(f"{step.algorithm} of {step.base_model}, {step.kind}", refresh=False)
            work.do(step, bar.update)
    found = work.found()
    try:
        report = comparison_report(found, f"oza {' '.join(options.words)}")
        replace_file(out, report.encode("utf-8", "backslashreplace"))
    finally:  # a full disk does not lose the table, nor a closed pipe the report
        title = "Accuracy: mean over the splits ± its standard error, and median running times"
        print(title, comparison_table(found).to_string(), "", *result_notes(found), sep="\n")
    print(f"\nThe report is in {out}")
    return 0
