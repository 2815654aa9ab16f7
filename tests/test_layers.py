"""Layers import only from those below them, and what is shown is sorted stably."""

import ast
import json
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent

#: For each package its layers, from the lowest to the highest.
LAYERS = {
    "oza": (
        *("kernels", "columns", "classifier", "drift", "datasets", "models", "ensembles", "experts"),
        *("model_files", "streams", "bridges", "evaluation", "compare"),
    ),
    "reproduction": ("theory", "record", "studies", "printed", "claims", "topics"),
}
EACH = [(package, layer) for package, layers in LAYERS.items() for layer in layers]


def code_of(path):
    """The code of a module or of a notebook."""
    text = path.read_text(encoding="utf-8")
    cells = json.loads(text)["cells"] if path.suffix == ".ipynb" else []
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code") or text


def imported(path):
    """Dotted names of the modules and names that a file imports, inside functions too."""
    package = path.relative_to(TOP).parts[:-1]
    for node in ast.walk(ast.parse(code_of(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(("package", "layer"), EACH)
def test_no_layer_imports_from_one_above(package, layer):
    layers = LAYERS[package]
    above = {f"{package}.{name}" for name in layers[layers.index(layer) + 1 :]}
    for path in sorted((TOP / package / layer).rglob("*.py")):
        found = {".".join(name.split(".")[:2]) for name in imported(path)}
        assert not above & found, path.relative_to(TOP)


def test_a_topic_imports_from_another_only_what_its_docstring_names():
    folder = TOP / "reproduction" / "topics"
    names = {path.stem for path in folder.iterdir()} - {"__init__", "__pycache__"}
    for path in sorted(folder.rglob("*.py")):
        own = path.relative_to(folder).parts[0].removesuffix(".py")
        found = {name.split(".")[2] for name in imported(path) if name.startswith("reproduction.topics.")}
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert {name for name in found & names - {own} if f"`{name}`" not in said} == set(), path.name


@pytest.mark.parametrize("package", LAYERS)
def test_every_package_is_a_layer(package):
    assert set(LAYERS[package]) == {path.parent.name for path in (TOP / package).glob("*/__init__.py")}


@pytest.mark.parametrize("files", ["oza/**/*.py", "reproduction/**/*.py", "notebooks/*.ipynb"])
def test_nothing_is_imported_from_above(files):
    above = {"benchmarks", "book", "tests", "tools", *(["reproduction"] if files[0] == "o" else [])}
    for path in sorted(TOP.glob(files)):
        assert not above & {name.partition(".")[0] for name in imported(path)}, path.name


def unstable_sorts(source):
    """Calls that sort by one key without `kind="stable"`: the order of ties depends on the processor."""
    for node in ast.walk(ast.parse(source)):
        if getattr(getattr(node, "func", None), "attr", "") in ("argsort", "sort_values"):
            has_several_keys = any(isinstance(argument, ast.List) for argument in node.args)
            if not has_several_keys and "kind='stable'" not in map(ast.unparse, node.keywords):
                yield ast.unparse(node)


def test_what_is_shown_is_sorted_stably():
    assert len([*unstable_sorts("f.sort_values('a'); np.argsort(x); x.argsort(kind='stable')")]) == 2
    paths = [*TOP.glob("reproduction/**/*.py"), *TOP.glob("notebooks/*.ipynb")]
    found = {path.name: [*unstable_sorts(code_of(path))] for path in paths}
    assert {name: sorts for name, sorts in found.items() if sorts} == {}
