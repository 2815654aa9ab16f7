"""The pages on the library show all public names, and the source that runs."""

import oza_library
import pytest

import oza
from oza.discovery import all_estimators
from tools.run_notebooks import TOP

LIBRARY = TOP / "book" / "library"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(LIBRARY.rglob("*.md"))}


def arguments_of(directive, text):
    opening = f"{{{directive}}} "
    return [line.split(opening)[1].split() for line in text.splitlines() if opening in line]


def test_every_public_name_is_on_exactly_one_page():
    families = [name for text in TEXTS.values() for (name,) in arguments_of("family", text)]
    shown = [dotted for family in families for dotted in oza_library.public_names(family)]
    assert len(shown) == len(set(shown))
    assert {f"oza.{name}" for name in oza.__all__} <= set(shown)


def test_the_readme_has_every_public_name():
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in oza.__all__)


@pytest.mark.parametrize("name", all_estimators())
def test_every_public_class_is_introduced_with_a_kernel_that_exists(name):
    introduction = TEXTS[name]
    assert introduction.startswith("## ")
    for names in arguments_of("beside", introduction):
        for dotted in names:
            assert "def " in oza_library.source_of(dotted)


def test_what_is_shown_of_a_class_is_the_kernel_that_it_runs():
    assert "draw_copies(" in oza_library.source_of("oza.OnlineBaggingClassifier")
    assert "poisson_each(" in oza_library.source_of("oza.ensembles.bagging.kernels.draw_poisson_copies")
