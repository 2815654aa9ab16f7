"""The studies of this folder by name, for pages that have no topic yet."""

import pkgutil
from importlib import import_module
from pathlib import Path

from ..record.study import Study
from .accuracy import GRIDS

_names = [each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.name != "registry"]
_declared = [each for name in _names for each in vars(import_module(f".{name}", __package__)).values()]

STUDIES: dict[str, Study] = {**GRIDS, **{each.name: each for each in _declared if isinstance(each, Study)}}
