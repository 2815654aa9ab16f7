"""Where the project's facts lie: `data/` of a checkout, or the copy that a wheel carries."""

from pathlib import Path

_PACKAGED = Path(__file__).parent / "_data"
_CHECKOUT = Path(__file__).parent.parent / "data"

#: Folder with `catalogue/`, `reference/` and, in a checkout, `results/`.
DATA = _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT
