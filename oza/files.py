"""Writing files so that none is ever half-written."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically: under a temporary name, to the disk, and then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        partial.chmod(0o644)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
