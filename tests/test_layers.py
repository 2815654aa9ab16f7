"""The packages of the library are layers: none imports from a layer above it."""

import ast

import pytest

from oza._paths import DATA

LIBRARY = DATA.parent / "oza"

#: From the lowest layer to the highest.
LAYERS = (
    *("drift", "datasets", "models", "ensembles", "experts", "theory", "streams", "evaluation"),
    *("experiments", "analysis", "claims", "exhibits"),
)


def imported(path):
    """Layers from which a file of a layer imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from (name.partition(".")[0] for name in names)


@pytest.mark.parametrize("layer", LAYERS)
def test_no_layer_imports_from_one_above(layer):
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    for path in sorted((LIBRARY / layer).glob("*.py")):
        assert not above & set(imported(path)), path.name


def test_every_package_is_a_layer():
    assert set(LAYERS) == {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
