"""A line on the terminal where a call takes long because kernels are not compiled yet."""

import os
import sys
from contextlib import suppress

_told: list[str] = []  # the line, once it has been shown in this process


def tell(line: str) -> None:
    """Show the line if somebody looks at a terminal, once in a process."""
    if _told or not _is_wanted():
        return
    _told.append(line)
    with suppress(Exception):  # the stream may be closed, or anything else that the user made of it
        if "tqdm" in sys.modules:  # then a progress bar may stand in the last line
            sys.modules["tqdm"].tqdm.write(line, file=sys.stderr)
        else:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def _is_wanted() -> bool:
    """Whether the error stream is a terminal, and the user has not turned the line off."""
    if os.environ.get("OZA_QUIET", "") not in ("", "0"):
        return False
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
