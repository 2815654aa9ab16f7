"""Location of the project's data: `data/` of a checkout, or the copy in a wheel."""

from pathlib import Path

_PACKAGED = Path(__file__).parent / "_data"
_CHECKOUT = Path(__file__).parent.parent / "data"

#: Folder with `catalogue/`, `reference/` and, in a checkout, `results/`.
DATA = _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT
