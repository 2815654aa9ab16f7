"""The search finds every place, also when some pages are built again."""

import os
import re
import subprocess
import sys

import pytest

from tools.run_notebooks import TOP


@pytest.mark.full  # builds two small books
def test_a_page_that_is_not_built_again_keeps_its_entries(tmp_path):
    pages, built = tmp_path / "pages", tmp_path / "built"
    pages.mkdir()
    (pages / "conf.py").write_text("extensions = ['oza_search']\n")
    for name in ("index", "kept", "changed", "removed"):
        (pages / f"{name}.rst").write_text(f":orphan:\n\nA page\n======\n\n.. index:: entry of {name}\n")
    environment = os.environ | {"PYTHONPATH": f"{TOP / 'book' / '_ext'}:{TOP}"}
    for _ in range(2):
        subprocess.run([sys.executable, "-m", "sphinx", "-q", pages, built], check=True, env=environment)
        with (pages / "changed.rst").open("a") as file:
            file.write("\nMore.\n")
        (pages / "removed.rst").unlink(missing_ok=True)
    entries = set(re.findall(r"entry of \w+", (built / "searchindex.js").read_text(encoding="utf-8")))
    assert entries == {"entry of index", "entry of kept", "entry of changed"}
