"""A comparison on a reader's own data: as table and figures, and as a report of one file."""

import base64
import io
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pandas as pd

from .. import __version__
from ..extras import explained
from .own import OwnData
from .work import LARGEST_FOR_TREES, Comparison, Settings, comparison_cells

try:
    import jinja2
    import matplotlib
    from matplotlib.figure import Figure
except ModuleNotFoundError as error:
    raise explained(error, "a report") from None

_SIGNS = {"better": "▲", "worse": "▽"}

#: A colour for each family of algorithms and a line for each algorithm: batch dashed, online solid.
_SINGLE, _BAGGING, _BOOSTING, _PRIMED, _STREAM = "#5f6b76", "#1b6ca8", "#b34a00", "#00795a", "#8d4f80"
LINES: dict[str, tuple[str, Any]] = {
    "single": (_SINGLE, "--"),
    "online_single": (_SINGLE, "-"),
    "bagging": (_BAGGING, "--"),
    "online_bagging": (_BAGGING, "-"),
    "boosting": (_BOOSTING, "--"),
    "online_boosting": (_BOOSTING, "-"),
    "primed_boosting": (_PRIMED, ":"),
    "primed_200": (_PRIMED, (0, (1, 3))),
    "hoeffding_tree": (_SINGLE, "-"),
    "leveraging_bagging": (_STREAM, "-"),
    "adaptive_random_forest": (_STREAM, "-."),
}


def _words(name: str) -> str:
    return name.replace("_", " ").replace("bayes", "Bayes").replace("hoeffding", "Hoeffding")


def _listed(names: Iterable[Any], most: int = 10) -> str:
    """The first of some names, and how many more there are."""
    shown = list(map(str, names))
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more


def report_path(file: Path, out: Path | None, force: bool) -> Path:
    """Where a report goes: never over the file that is compared, and over no other unless forced.

    Parameters
    ----------
    file : Path
        The file that is compared.
    out : Path or None
        The report that was asked for; None means the file with the ending `.html`.
    force : bool
        Whether an older report may be replaced.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        If the report would replace a file or cannot be written in its folder, or `file` is a folder.
    """
    if file.is_dir():
        raise ValueError(f"{file}: is a folder; name a file in it to compare")
    out, asked = out or file.with_suffix(".html"), "--out" if out else "the report"
    try:
        NamedTemporaryFile(dir=out.parent).close()  # which deletes it
    except OSError as error:
        fault = f"there is no folder {out.parent} in which files can be written ({error.strerror})"
        raise ValueError(f"{asked} {out}: {fault}; create it, or name another one with --out") from None
    if out.is_dir():
        raise ValueError(f"{asked} {out}: is a folder; name a file in it with --out")
    if out.exists() and out.samefile(file):
        raise ValueError(f"{asked} {out}: is the file being compared; name another one with --out")
    if out.exists() and not force:
        raise ValueError(
            f"{asked} {out}: this file exists already; name another one with --out, or replace it with "
            "--force"
        )
    return out


def comparison_table(comparison: Comparison) -> pd.DataFrame:
    """Lay out accuracies (mean over the splits ± its standard error), significance and median running times.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    DataFrame of str
        A row for each base model and algorithm. ▲ and ▽: significantly better or worse than the single
        model at 0.05, by Welch's t-test as in the thesis, and by the corrected resampled test.
    """
    cells = comparison_cells(comparison)
    errors = cells["standard_error"].map(" ± {:.4f}".format).where(cells["standard_error"].notna(), "")
    return pd.DataFrame(
        {
            "correct": (cells["mean"].map("{:.4f}".format) + errors).to_list(),
            "Welch": [_SIGNS.get(sign, "") for sign in cells["welch"]],
            "corrected": [_SIGNS.get(sign, "") for sign in cells["corrected"]],
            "s to train": cells["train_seconds"].map("{:.2g}".format).to_list(),
            "s to test": cells["test_seconds"].map("{:.2g}".format).to_list(),
        },
        pd.MultiIndex.from_tuples(
            [(_words(b), _words(a)) for b, a in cells.index], names=["base model", "algorithm"]
        ),
    )


def learning_curves(comparison: Comparison) -> Figure:
    """Plot accuracy on the test part of the first split against the number of training examples.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    Figure
        A panel for each base model.
    """
    return _panels(comparison.curves, "n_train", "training examples", comparison.curves["n_train"].unique())


def stream_curves(comparison: Comparison) -> Figure:
    """Plot the share of the file's rows so far that was predicted correctly before it was learned.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    Figure
        A panel for each base model.
    """
    return _panels(comparison.stream, "n_seen", "rows of the file")


def _panels(rows: pd.DataFrame, x: str, label: str, ticks: Any = ()) -> Figure:
    base_models = rows["base_model"].unique()
    figure = Figure(figsize=(7.2, 3 * len(base_models)), layout="constrained")
    panels = figure.subplots(len(base_models), 1, sharey=True, squeeze=False).ravel()
    for axes, base_model in zip(panels, base_models, strict=True):
        part = rows[rows["base_model"] == base_model]
        for algorithm, curve in part.groupby("algorithm", sort=False):
            colour, dashes = LINES[str(algorithm)]
            axes.plot(
                curve[x], curve["accuracy"], color=colour, linestyle=dashes, label=_words(str(algorithm))
            )
        if len(ticks) > 0:
            axes.set_xscale("log")
            axes.set_xticks(ticks, ticks)
            axes.minorticks_off()
        axes.set(title=_words(base_model), xlabel=label, ylabel="correct")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, handlelength=2.8)
    return figure


def svg(figure: Figure) -> str:
    """Draw a figure as SVG text; equal figures give equal text.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    str
    """
    drawn = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "oza"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return drawn.getvalue()


def data_notes(data: OwnData, settings: Settings) -> list[str]:
    """Say what is compared and how, and what to beware of: all that is known before the comparison.

    Parameters
    ----------
    data : OwnData
    settings : Settings

    Returns
    -------
    list of str
        A sentence or two for each point.
    """
    n_sampled = min(data.n_rows, settings.limit)
    numeric = [name for name, is_numeric in zip(data.columns, data.is_numeric, strict=True) if is_numeric]
    left_out = f"; left out: {_listed(map(repr, data.dropped))}" if data.dropped else ""
    notes = [
        f"{data.path.name}: read as {data.table.format}; {data.n_rows:,} examples, {len(data.columns)} "
        f"inputs ({len(numeric)} numeric, {len(data.columns) - len(numeric)} nominal{left_out}), "
        f"{len(data.class_counts)} classes of {data.target!r}; always naming the most common one would be "
        f"correct for {_chance(data):.4f} of the examples.",
        f"Cross-validation: {settings.repetitions} × {settings.folds} folds on {n_sampled:,} "
        f"examples, {settings.n_models} base models in each ensemble, seed {settings.seed}.",
    ]
    if data.with_commas:
        names = [repr(name) for name in data.columns if name in data.with_commas]
        notes.append(f"Read as numbers with decimal commas: {_listed(names)}.")
    identifiers = [
        repr(name)
        for name, values in zip(data.columns, data.values, strict=True)
        if values is not None and len(values) > data.n_rows / 2
    ]
    if identifiers:
        notes.append(
            f"Many rows have a value of their own in {_listed(identifiers)}: it says nothing about other "
            "rows. If it is a number, date or name of the row, leave it out with --drop."
        )
    if data.counting:
        notes.append(
            f"The rows are counted by {_listed(map(repr, data.counting))}: if the file is sorted, that tells "
            "the class. If it means nothing else, leave it out with --drop."
        )
    if n_sampled < data.n_rows:
        notes.append(
            f"The file is larger than the limit of {settings.limit:,}, so the cross-validation, and with it "
            "every batch algorithm, saw a random sample of it. The stream has every row."
        )
    if numeric:
        notes.append(
            "Numeric inputs became ten bins of equal frequency, as in this project's experiments: fitted on "
            "the training part of each split, and for the stream on its first chunk."
        )
    missing = {name: n for name, n in zip(data.columns, data.n_missing, strict=True) if n}
    if missing:
        notes.append(
            f"Values are missing in {_listed(f'{name!r} ({n:,})' for name, n in missing.items())}. A "
            "missing value counts as a value of its own in a nominal input, as it is written, and as a bin "
            "of its own in a numeric one, the same for every algorithm."
        )
    notes.append(
        "The stream is the file from its first row to its last: each online algorithm predicts a row, then "
        "learns from it, once. Until enough examples have arrived, primed boosting names the first class."
    )
    if "decision_tree" in settings.base_models and data.n_rows > LARGEST_FOR_TREES:
        notes.append(
            "Decision trees take no part in the stream, since the file has more than "
            f"{LARGEST_FOR_TREES:,} rows: a lossless online tree looks again at all that it has seen."
        )
    return notes


def _chance(data: OwnData) -> float:
    """Share of the most common class."""
    return max(data.class_counts.values()) / data.n_rows


def result_notes(comparison: Comparison) -> list[str]:
    """Say which algorithms have learned nothing, and why networks may.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    list of str
        A sentence or two for each base model with such algorithms.
    """
    chance, notes = _chance(comparison.data), []
    n_train = int(comparison.splits["n_train"].max())
    for base_model, cells in comparison_cells(comparison).groupby(level="base_model", sort=False):
        no_better = cells["mean"] <= chance + cells["standard_error"].fillna(0.0)
        if not no_better.any():
            continue
        names = _listed(_words(name) for _, name in cells.index[no_better])
        note = (
            f"At the level of chance ({chance:.4f}, by always naming the most common class), with the "
            f"base model {_words(str(base_model))}: {names}."
        )
        if base_model == "neural_network":
            note += (
                f" A network takes a small step for each example that it sees. One pass through {n_train:,} "
                "examples, which is all that the online algorithms have, may be too few steps to leave its "
                "random start; the batch algorithms make ten passes. More examples help."
            )
        notes.append(note)
    return notes


def comparison_notes(comparison: Comparison) -> list[str]:
    """Say how the comparison was made, what it left out, and what has learned nothing.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    list of str
        A sentence or two for each point.
    """
    return data_notes(comparison.data, comparison.settings) + result_notes(comparison)


_TEXT = Path(__file__).with_name("report.html").read_text(encoding="utf-8")
_REPORT = jinja2.Template(_TEXT, autoescape=True)


def comparison_report(comparison: Comparison, command: str) -> str:
    """Write a comparison as HTML that needs no other file.

    Parameters
    ----------
    comparison : Comparison
    command : str
        What was asked, for the report's foot.

    Returns
    -------
    str
    """
    text = (
        "Share of the first split's test part that is classified correctly, against the number of "
        "training examples."
    )
    figures = [("Learning curves", text, learning_curves(comparison))]
    curves = comparison.curves.pivot(index="n_train", columns=["base_model", "algorithm"], values="accuracy")
    numbers = [curves]
    if len(comparison.stream):
        text = "Share of all rows so far that was predicted correctly before it was learned."
        figures.append(("The file as a stream", text, stream_curves(comparison)))
        numbers.append(stream_totals(comparison))
    return _REPORT.render(
        name=comparison.data.path.name,
        notes=comparison_notes(comparison),
        table=comparison_table(comparison).to_html(border=0, index_names=False),
        figures=[(h, text, base64.b64encode(svg(figure).encode()).decode()) for h, text, figure in figures],
        tables=[
            frame.rename(_words, axis="columns").to_html(float_format="{:.4f}".format) for frame in numbers
        ],
        version=__version__,
        command=command,
    )


def stream_totals(comparison: Comparison) -> pd.DataFrame:
    """Sum up the stream: what share of the whole file was predicted correctly, and in how many seconds.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    DataFrame
        Indexed by base model and algorithm.
    """
    of_each = comparison.stream.groupby(["base_model", "algorithm"], sort=False)
    return of_each[["accuracy", "seconds"]].last()
