"""Run code against a copy of the package in which a fault has been planted."""

from pathlib import Path

import oza

PACKAGE = Path(oza.__file__).parent
