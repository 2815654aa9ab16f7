"""Print the article of this reproduction, from book/article and the record alone, by Typst.

    python -m tools.article [FILE.pdf]    default: _build/article.pdf

`article.typ` names each number as the pages of the book do: `val("scorecard::claims_all")`, with the name
of a page and that of what its notebook has glued; or with that of a mapping in `of_the_article`.
`said("page::fragment")` is a sentence of a page, and `picture("page::name")` a figure with its alternative
text. `abstract.md` is text that the book can show as well.
"""

import argparse
import html
import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import matplotlib
import nbformat
import numpy as np
import pandas as pd
import typst

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))

from oza_book import Run, formatted, look_up, read_runs
from oza_figures import figure_cell
from oza_front import _authors, _citation, strip

from oza.evaluation.significance import LEVEL
from reproduction.claims.verdicts import recorded_verdicts
from reproduction.figures import BAGGING, BAND, BOOSTING, GUIDE
from reproduction.paths import DATA
from reproduction.printed.printed import printed
from reproduction.printed.record import PrintedRecord, Record
from reproduction.record.store import results_folder
from reproduction.statistics import MARGIN, mean_against_zero
from reproduction.topics.boosting_times import TABLES_OF_TIMES, ratios_of_times
from reproduction.topics.repairs_study import DATASETS
from reproduction.topics.rule_changes import changed_rules
from reproduction.topics.scorecard import effects, scorecard
from tools.run_notebooks import NOTEBOOKS, TOP

FOLDER = TOP / "book" / "article"
HEADLINE = ("C148", "C149", "C150", "C101", "C107")  # the abstract, page 75, and the paper of 2001
ABSTRACT = re.compile(r"\{val\}`([^`]+)`")
VALUE, SAID, FIGURE = (re.compile(rf'\b{name}\("([^"]+)"') for name in ("val", "said", "picture"))
FONTS = [str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")]  # DejaVu Sans, for the text of figures
STRIP = f"""<style>text {{ font: 13px 'DejaVu Sans' }} .family {{ font-weight: 600 }} .band {{ fill: {BAND} }}
.axis {{ stroke: {GUIDE} }} .bagging {{ fill: {BAGGING} }} .boosting {{ fill: {BOOSTING} }}
circle {{ stroke: white; stroke-width: 0.8 }}</style>"""


def of_the_article() -> Iterator[Run]:
    """What the article reads beside the values that notebooks have glued."""
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    minutes = re.findall(r"`make book` takes about (\d+) minutes, and `make test` another (\d+)", readme)
    sizes = printed("datasets").set_index("dataset")["train_size"].reindex(DATASETS)
    confirmed = pd.read_csv(DATA / "results" / "confirmed.csv").query(
        "kind == 'exact' and `recorded on` != `confirmed on` and `recorded on` != 'unknown'"
    )
    programs = pd.read_csv(DATA / "results" / "conformance.csv")
    claims, changes = scorecard().claims, changed_rules().sort_values("date", kind="stable")
    failed = changes.drop_duplicates("claim").query("former_outcome == 'fails'")["claim"]
    now = claims["outcome"][claims["kind"] == "empirical"].reindex(failed).value_counts()
    mappings: dict[str, dict[Any, Any]] = {
        "claims": claims["outcome"].to_dict(),
        "citation": {**_citation(), "authors-named": _authors(_citation()), "day": _day()},
        "failed-first": now.to_dict(),
        "network": {table: _of_one_network(table) for table in ("3.6", "3.7")},
        "versions": dict(zip(programs["implementation"], programs["version"], strict=True)),
        "confirmed": {name: confirmed[name].sum() for name in ("computed again", "differ")}
        | {"recorded on": " and ".join(confirmed["recorded on"].unique())},
        "sizes": sizes.agg(["min", "max"]).to_dict(),
        "minutes": dict(zip(("book", "test"), *minutes, strict=True)),
        "rule": {"margin": MARGIN, "level": LEVEL, "percent": round(100 * (1 - LEVEL))},
    }
    for name, values in mappings.items():
        yield Run(name, values, {}, None, None)


def _day() -> date:
    """The day of the release, or that of the last change of a rule if this is later."""
    return max(_citation()["date-released"], date.fromisoformat(changed_rules()["date"].max()))


def _of_one_network(table: str) -> str:
    """The accuracy of one network online minus in batch, in points: the mean over data sets."""
    cells = Record("thesis").accuracy(table)
    cells = cells[cells.index.isin(DATASETS, level=0)]
    name = next(it for it in cells.index.unique("algorithm") if it.startswith("online_single"))
    found = mean_against_zero(100 * cells.xs(name, level="algorithm")["other_difference"])
    return f"{found.difference:+.1f} ± {found.half_width:.1f}".replace("-", "−")


def online_by_batch(record: Record | PrintedRecord) -> list[str]:
    """The ratio of times by table: its geometric mean over data sets, and on how many it is below one."""
    logs = np.log(ratios_of_times(record.all_times(*dict.fromkeys(TABLES_OF_TIMES.values()))))
    parts = logs[logs.index.isin(DATASETS, level=-1)].groupby(level=[0, 1], sort=False)
    return [f"{np.exp(part.mean()):.2f} ({(part < 0).sum()} of {len(part)})" for _, part in parts]


def said(page: str, fragment: str) -> str:
    """The sentence with this fragment that a page's code has written."""
    cells = nbformat.read(NOTEBOOKS / f"{page}.ipynb", as_version=4).cells
    outputs = (
        it for cell in cells for it in cell.get("outputs", ()) if "text/markdown" in it.get("data", {})
    )
    texts = (re.sub(r"\*+|`", "", it.data["text/markdown"]) for it in outputs)
    texts = (re.sub(r"(?<![\w-])-(?=\d)", "−", text).replace("'", "’") for text in texts)
    sentences = (it for text in texts for it in re.split(r"(?<=\.)\s+|\s*^- ", text, flags=re.MULTILINE))
    found = {" ".join(it.split()) for it in sentences if fragment in it}
    if len(found) != 1:
        raise LookupError(f"{page} has {len(found)} sentences with {fragment!r}; book/article names one")
    return found.pop()


def tables(runs: list[Run]) -> dict[str, list[list[str]]]:
    """The rows of the article's tables."""
    lost = effects(pd.DataFrame(look_up(runs, "scorecard::gaps")))
    numbers = [f"{row.difference:+.2f} ± {row.half_width:.2f}".replace("-", "−") for row in lost.itertuples()]
    counts = lost[["pairs", "equal", "worse", "better", "undecided"]].astype(str)
    learners, ours = lost.loc["bagging"].index[1:], online_by_batch(Record("thesis"))
    columns = learners, online_by_batch(PrintedRecord()), ours[: len(learners)], ours[len(learners) :]
    verdicts = recorded_verdicts(results_folder()).set_index("claim")
    stated = printed("claims").set_index("id")["claim"]
    told = verdicts["evidence"].str.replace(r"(?<=\d): [^;]+(?=;)", "", regex=True)  # names of data sets
    told = told.str.replace(r"(?<= )-(?=\d)", "−", regex=True)
    return {
        "effects": [
            [*key, *row, cell] for key, row, cell in zip(lost.index, counts.values, numbers, strict=True)
        ],
        "times": [[*row] for row in zip(*columns, strict=True)],
        "claims": [[id_, stated[id_], verdicts["outcome"][id_], told[id_]] for id_ in HEADLINE],
    }


def figure(runs: list[Run], name: str) -> dict[str, str]:
    """A figure of a page, or the dots of the first page, as a file that stands alone, and its words."""
    page, _, figure_name = name.partition("::")
    if page == "intro":
        gaps = [gap for gap in look_up(runs, "scorecard::gaps") if not gap["updates"]]
        svg = strip(gaps, 688).replace(">", f' xmlns="http://www.w3.org/2000/svg">{STRIP}', 1)
        return {"svg": svg, "alt": html.unescape(re.findall('aria-label="([^"]+)"', svg)[0])}
    cell = figure_cell(NOTEBOOKS / f"{page}.ipynb", figure_name)
    (svg,) = (it.data["image/svg+xml"] for it in cell.outputs if "image/svg+xml" in it.get("data", {}))
    return {
        "svg": re.sub(r"var\(--[\w-]+, (#\w+)\)", r"\1", svg),
        "alt": cell.metadata.mystnb["image"]["alt"],
    }


def content() -> dict[str, Any]:
    """What the record says for each name in the article's text."""
    source = (FOLDER / "article.typ").read_text(encoding="utf-8")
    abstract = (FOLDER / "abstract.md").read_text(encoding="utf-8")
    runs = [*read_runs(NOTEBOOKS), *of_the_article()]
    return {
        "values": {key: formatted(runs, key) for key in VALUE.findall(source)}
        | {key: said(*key.split("::")) for key in SAID.findall(source)},
        "abstract": ABSTRACT.sub(lambda it: formatted(runs, it[1]), abstract),
        "tables": tables(runs),
        "figures": {name: figure(runs, name) for name in FIGURE.findall(source)},
    }


def typeset(record: dict[str, Any]) -> bytes:
    """The article as a PDF file, with the same bytes for the same record."""
    day = datetime.combine(_day(), time(), UTC)
    inputs = {"record": json.dumps(record)}
    options: Any = {
        "pdf_standards": "ua-1",
        "ignore_system_fonts": True,
        "font_paths": FONTS,
        "timestamp": day,
    }
    pdf: bytes = typst.compile(FOLDER / "article.typ", root=FOLDER.parent, sys_inputs=inputs, **options)
    return pdf


def write(file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(typeset(content()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=TOP / "_build" / "article.pdf")
    file = parser.parse_args().file
    write(file)
    print(f"The article is ready: {file.name}")


if __name__ == "__main__":
    main()
