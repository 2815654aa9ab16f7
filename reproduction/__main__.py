"""`python -m reproduction` runs the commands of the reproduction."""

import sys

from .commands import main

if __name__ == "__main__":
    sys.exit(main())
