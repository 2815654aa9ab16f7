"""Style sheets that extensions of this book write while it is built."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config


def write_style(app: Sphinx, config: Config, name: str, rules: str) -> None:
    """Write a style sheet for all pages; to be called when the configuration has been read.

    Each has a folder of its own: Sphinx copies all that is in the folder of a style sheet.
    """
    folder = Path(app.srcdir).parent / "_build" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.css").write_text(rules, encoding="utf-8")
    config.html_static_path.append(str(folder))
    app.add_css_file(f"{name}.css")
