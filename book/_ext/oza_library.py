"""Sphinx extension for the "Library" part of the book, which is generated from the library.

Directives
    {family} oza.models         the documentation of all public names that this module or package defines;
                                library/pieces/NAME.md, if it exists, has its title, and below the
                                documentation its algorithm; with the option `folded`, each name is one
                                line that opens
    {beside} NAME ...           the source of these functions or methods, or of these classes' `algorithm`,
                                next to the content, which is the pseudo-code
    {benchmarks}                the recorded benchmark (`make bench`): a plot, a table, and the machine
    {first-calls}               what `benchmarks/first_calls.py` recorded: a plot and a table
"""

import html
import importlib
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from oza_failures import guarded
from oza_figures import inlined
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)


def public_names(module: str) -> list[str]:
    """Dotted names of the public classes and functions that `module` defines, as users import them."""
    top = importlib.import_module("oza")
    found = {name: f"oza.{name}" for name in top.__all__}
    try:
        inner = importlib.import_module(module)
    except ModuleNotFoundError:  # a family without members
        return []
    for name in getattr(inner, "__all__", [name for name in vars(inner) if name[0] != "_"]):
        found.setdefault(name, f"{module}.{name}")
    things = {dotted: find(dotted) for dotted in found.values()}
    own = {
        dotted: (thing.__module__, inspect.getsourcelines(thing)[1])
        for dotted, thing in things.items()
        if callable(thing) and thing.__module__.startswith(module)
    }
    return sorted(own, key=own.__getitem__)


def find(dotted: str) -> Any:
    """The object that `dotted` names: an attribute of a module, or of a class in it."""
    owner, _, name = dotted.rpartition(".")
    try:
        return getattr(importlib.import_module(owner), name)
    except ModuleNotFoundError:
        return getattr(find(owner), name)


def source_of(dotted: str) -> str:
    """Source of a function, method or kernel, or of the kernel that is the `algorithm` of a class."""
    thing = find(dotted)
    thing = getattr(thing, "algorithm", thing)
    return textwrap.dedent(inspect.getsource(getattr(thing, "py_func", thing))).rstrip()


class Family(SphinxDirective):
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"folded": directives.flag}

    def run(self) -> list[nodes.Node]:
        parts: list[nodes.Node] = []
        for dotted in public_names(self.arguments[0]):
            name = dotted.rpartition(".")[2]
            piece = Path(self.env.srcdir) / "library" / "pieces" / f"{name}.md"
            self.env.note_dependency(str(piece))
            kind = "class" if inspect.isclass(find(dotted)) else "function"
            docstring = f"```{{eval-rst}}\n.. auto{kind}:: {dotted}\n```"
            written = piece.read_text(encoding="utf-8") if piece.exists() else ""
            title, _, algorithm = written.partition("\n")
            below = f"```{{rubric}} The algorithm and its code\n```\n{algorithm}" if algorithm else ""
            part = self.parse_text_to_nodes(f"{title}\n\n{docstring}\n\n{below}", allow_section_headings=True)
            first_line = (inspect.getdoc(find(dotted)) or "").partition("\n")[0]
            parts += folded(f"`{name}`: {first_line}", part) if "folded" in self.options else part
        return parts


def folded(summary: str, content: list[nodes.Node]) -> list[nodes.Node]:
    """The content as a fold of the page; words in backticks of its one visible line are code."""
    line = re.sub("`+([^`]+)`+", r"<code>\1</code>", html.escape(summary))
    opening = f'<details class="folded"><summary>{line}</summary>'
    return [
        nodes.raw("", opening, format="html"),
        *content,
        nodes.raw("", "</details>", format="html"),
    ]


class Beside(SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        try:
            source = "\n\n\n".join(map(source_of, self.arguments[0].split()))
        except (AttributeError, ImportError) as error:
            log.warning("no kernel to show: %s", error, location=self.get_location())
            source = ""
        code = nodes.literal_block(source, source, language="python")
        left = nodes.container("", *self.parse_content_to_nodes(), classes=["pseudo-code"])
        return [nodes.container("", left, nodes.container("", code), classes=["beside"])]


def _rates_by_task(cells: Any) -> list[str]:
    """A section with the rates that stand alone, a column for each task."""
    if cells.empty:
        return []
    rates = cells.pivot_table("rate", ["work", "dataset"], "task", sort=False)
    lines = [
        "## Without a peer",
        "",
        "Examples per second. In the columns *row by row* each call gets one row.",
        "",
        f"| Work | {' | '.join(rates)} |",
        f"| --- |{' --: |' * len(rates.columns)}",
    ]
    for (work, dataset), row in rates.iterrows():
        shown = " | ".join("–" if rate != rate else f"{rate:,.0f}" for rate in row)
        lines.append(f"| {work}, {dataset} | {shown} |")
    return lines


class Benchmarks(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        from reproduction.figures import svg
        from reproduction.topics.speed import benchmark_cells, benchmark_plot, ratio_text, read_benchmarks

        self.env.note_reread()
        record = read_benchmarks()
        if record is None:
            return self.parse_text_to_nodes(
                "Nothing is recorded yet. `make bench` measures and prints; "
                "`python benchmarks/bench.py --save data/results/benchmarks.json` records for this page."
            )
        cells = benchmark_cells(record)
        is_alone = (cells["peer"] == "") & cells["target"].isna()
        compared, alone = cells[~is_alone], cells[is_alone]
        plot = benchmark_plot(compared)
        image = nodes.raw("", inlined(svg(plot.figure), "benchmarks", plot.text), format="html")
        machine = record["machine"]
        versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
        lines = [
            f"Measured on {record['date']}: {machine['processor']}, {machine['cores']} cores, "
            f"{machine['system']} on {machine['architecture']}, with {versions}. One core was used; each "
            f"rate is the median of {record['repeats']} runs.",
            "",
            "| Work | Peer | Peer, examples/s | Ours, examples/s | Ratio | Target | |",
            "| --- | --- | --: | --: | --: | --: | --- |",
        ]
        for cell in compared.to_dict("records"):
            theirs, ratio, target, verdict = "–", "–", "–", ""
            if cell["peer"]:
                theirs, ratio = f"{cell['peer_rate']:,.0f}", ratio_text(cell["ratio"])
            if cell["target"] > 0:
                aim = cell["target"] / cell["peer_rate"] if cell["peer"] else cell["target"]
                target = ratio_text(aim) if cell["peer"] else f"{aim:,.0f}/s"
                is_reached = cell["rate"] >= cell["target"]
                verdict = "[reached]{.verdict-holds}" if is_reached else "[not reached]{.verdict-fails}"
            lines.append(
                f"| {cell['work']}, {cell['task']}, {cell['dataset']} | {cell['peer'] or '–'} | {theirs} "
                f"| {cell['rate']:,.0f} | {ratio} | {target} | {verdict} |"
            )
        lines += [
            "",
            *(f"- Left out: {note}" for note in record["left_out"]),
            "",
            *_rates_by_task(alone),
            "",
            "## Memory and start-up",
            "",
        ]
        lines += ["| Ensemble | Examples | Bytes | Examples | Bytes |", "| --- | --: | --: | --: | --: |"]
        for size in record["memory"]:
            pairs = zip(size["n_examples"], size["bytes"], strict=True)
            shown = " | ".join(f"{n:,} | {n_bytes:,}" for n, n_bytes in pairs)
            lines.append(f"| `{size['model']}` of `{size['base']}` | {shown} |")
        lines += ["", "| A fresh process | Seconds |", "| --- | --: |"]
        lines += [f"| {name} | {value:.2f} |" for name, value in record["start_up_seconds"].items()]
        return [
            nodes.figure("", image),
            *self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True),
        ]


class FirstCalls(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        from reproduction.figures import svg
        from reproduction.topics.speed import first_calls_plot, read_first_calls

        self.env.note_reread()
        record = read_first_calls()
        plot = first_calls_plot(record)
        image = nodes.raw("", inlined(svg(plot.figure), "rows-over-time", plot.text), format="html")
        seconds = record.groupby(["kind", "model"])["seconds"].median()
        answer, compiled, cpu = seconds["answer"], seconds["compiled"], seconds["cpu"]
        text = (
            f"Two calls of `learn_one` and the first `predict_one`, in a new process with an empty cache, "
            f"take {answer.median():.2f} s in the median online class of {len(answer)}, and "
            f"{answer.max():.2f} s in the slowest, `{answer.idxmax()}` (medians of three). All their kernels "
            f"are compiled after {compiled.median():.0f} s in the median class, {compiled.min():.0f} to "
            f"{compiled.max():.0f} s in all, and {cpu.median():.0f} s of another processor's time."
        )
        return [nodes.figure("", image), *self.parse_text_to_nodes(text)]


def _leave_out(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Skip attributes, which the Attributes section lists, and inherited members of other libraries."""
    module = getattr(getattr(thing, "fget", thing), "__module__", None) or ""
    if what == "class" and (
        name.endswith("_") or name == "algorithm" or not module.startswith(("oza.", "reproduction."))
    ):
        return True
    return None


def _escape(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Escape what reST would misread: words that end in _, and initials at the start of a line."""
    for i, line in enumerate(lines):
        lines[i] = re.sub(r"^(?=[A-Z]\. )", r"\\", line)
        if match := re.match(r"[\w, ]+ : ", line):
            lines[i] = match[0] + re.sub(r"(?<=\w)_(?!\w)", r"\\_", line[match.end() :])


def fold_inherited(app: Sphinx, doctree: nodes.document) -> None:
    """Fold the members that a class inherits, which are the same for all its relatives."""
    for described in doctree.findall(addnodes.desc):
        if described["objtype"] != "class":
            continue
        signature, content = described[0], described[-1]
        own = vars(find(f"{signature['module']}.{signature['fullname']}"))
        members = {one[0]["fullname"].rpartition(".")[2]: one for one in content.findall(addnodes.desc)}
        inherited = {name: member for name, member in members.items() if name not in own}
        if not inherited:
            continue
        for member in inherited.values():
            content.remove(member)
        names = ", ".join(f"`{name}`" for name in inherited)
        content += folded(f"Inherited: {names}", list(inherited.values()))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("family", guarded(Family))
    app.add_directive("beside", guarded(Beside))
    app.add_directive("benchmarks", guarded(Benchmarks))
    app.add_directive("first-calls", guarded(FirstCalls))
    app.connect("autodoc-skip-member", _leave_out)
    app.connect("doctree-read", fold_inherited)
    app.connect("autodoc-process-docstring", _escape, priority=400)  # before napoleon
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
