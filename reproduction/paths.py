"""Location of the project's data, in a checkout."""

from pathlib import Path

#: Folder with `catalogue/`, `reference/` and `results/`.
DATA = Path(__file__).resolve().parent.parent / "data"
