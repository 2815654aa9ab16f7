"""The rooms of the library stand on each other: none imports from one above it."""

import ast

import pytest

from oza._paths import DATA

LIBRARY = DATA.parent / "oza"

#: From the ground up.
ROOMS = (
    *("drift", "datasets", "models", "ensembles", "experts", "theory", "streams", "evaluation"),
    *("experiments", "analysis", "claims", "exhibits"),
)


def imported(path):
    """Rooms from which a file of a room imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from (name.partition(".")[0] for name in names)


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_from_one_above(room):
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in sorted((LIBRARY / room).glob("*.py")):
        assert not above & set(imported(path)), path.name


def test_every_room_has_its_place():
    assert set(ROOMS) == {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
