"""`python -m reproduction` runs the commands of the reproduction."""

import os
import signal
import sys
from typing import Any


def _leave(number: int, frame: Any) -> None:
    """Exit at a signal that comes while modules are imported, when an exception could be lost."""
    os.write(2, b"reproduction: interrupted before anything was done.\n")
    os._exit(128 + number)


if __name__ == "__main__":  # worker processes import this file too
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    os.environ.setdefault("OZA_COMPILE", "now")  # what is timed is compiled, in worker processes too
    from .commands import main

    code = main()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)
