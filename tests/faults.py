"""Run code against a copy of the package in which a fault has been planted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import oza

PACKAGE = Path(oza.__file__).parent


def run_with_fault(code, fault, folder, tmp_path):
    """The finished process of `code`, in Python, with a faulty copy of the package in `tmp_path`.

    `fault` is a file in the `folder` of the package, its correct text, which occurs once, and a faulty one,
    or None for a faithful copy.
    """
    shutil.copytree(PACKAGE, tmp_path / "oza", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("tests", "benchmarks", "data", "pyproject.toml"):
        (tmp_path / name).symlink_to(PACKAGE.parent / name)
    if fault is not None:
        file, correct, faulty = fault
        path = tmp_path / "oza" / folder / file
        source = path.read_text(encoding="utf-8")
        assert source.count(correct) == 1
        path.write_text(source.replace(correct, faulty), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "OZA_CACHE": str(tmp_path / "cache")}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
