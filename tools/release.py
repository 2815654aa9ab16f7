"""Make a release: set its version, build it, and check what would be published, which `dist` then holds.

python -m tools.release VERSION
"""

import argparse
import datetime
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from tools.run_notebooks import TOP

DIST, TRIAL = TOP / "dist", TOP / "_build" / "release"
#: Where the version is written, and the day; the changelog has the changes since the last one at its top.
PLACES = {
    "pyproject.toml": (r'(?m)^version = ".*"$', 'version = "{version}"'),
    "CITATION.cff": (
        r"(?m)^version: .*\ndate-released: .*$",
        "version: {version}\ndate-released: {day}",
    ),
    "CHANGELOG.md": (r"(?m)^## .* \(unreleased\)$", "## {version} ({day})"),
}


def set_version(version: str, day: datetime.date) -> None:
    """Write the version into all its places, unless the changelog has it already."""
    if re.search(rf"(?m)^## {re.escape(version)} \(\d", (TOP / "CHANGELOG.md").read_text("utf-8")):
        return
    texts = {}
    for name, (pattern, text) in PLACES.items():
        texts[name], n = re.subn(
            pattern, text.format(version=version, day=day), (TOP / name).read_text("utf-8")
        )
        if n != 1:
            raise SystemExit(
                f"{name} has {n} lines like {pattern!r}, where the version is written; it needs one"
            )
    for name, changed in texts.items():
        (TOP / name).write_text(changed, "utf-8")


def build() -> tuple[Path, Path]:
    """The sdist and the wheel, which must be the one that a user builds from the sdist."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(TRIAL, ignore_errors=True)
    hatch = [str(Path(sys.executable).with_name("hatchling")), "build", "-t"]
    subprocess.run([*hatch, "sdist", "-d", str(DIST)], cwd=TOP, check=True)
    subprocess.run([*hatch, "wheel", "-d", str(DIST)], cwd=TOP, check=True)
    (sdist,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    shutil.unpack_archive(sdist, TRIAL, filter="data")
    (source,) = TRIAL.iterdir()
    subprocess.run([*hatch, "wheel", "-d", str(TRIAL)], cwd=source, check=True)
    if (TRIAL / wheel.name).read_bytes() != wheel.read_bytes():
        raise SystemExit("the sdist makes another wheel than the checkout")
    return sdist, wheel


def check(sdist: Path, wheel: Path) -> None:
    """Check the metadata, and run the examples of the README with the wheel alone."""
    venv.create(TRIAL / "env", with_pip=True)
    python = TRIAL / "env" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "twine", str(wheel)], check=True)
    subprocess.run([python, "-m", "twine", "check", "--strict", sdist, wheel], check=True)
    subprocess.run([python, "-m", "doctest", TOP / "README.md"], cwd=TRIAL, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", metavar="VERSION", help="for instance 1.2.0")
    version = parser.parse_args().version
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        parser.error(f"VERSION is {version!r}; it needs three numbers, such as 1.2.0")
    set_version(version, datetime.datetime.now(datetime.UTC).date())
    sdist, wheel = build()
    check(sdist, wheel)
    print(f"ready in {DIST.name}: {sdist.name}, {wheel.name}; commit, and tag the commit v{version}")


if __name__ == "__main__":
    main()
