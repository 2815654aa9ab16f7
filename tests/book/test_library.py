"""The pages on the library show all public names, and the source that runs."""

import importlib.util
from types import SimpleNamespace

import pytest
from docutils.utils import new_document
from sphinx import addnodes

import oza
from oza.discovery import all_estimators
from tools.run_notebooks import TOP

specification = importlib.util.spec_from_file_location(
    "oza_library", TOP / "book" / "_ext" / "oza_library.py"
)
oza_library = importlib.util.module_from_spec(specification)
specification.loader.exec_module(oza_library)

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


def test_a_class_is_documented_before_its_algorithm_is_shown():
    asked = []
    env = SimpleNamespace(srcdir=TOP / "book", note_dependency=lambda path: None)

    def parse(text, **options):
        asked.append(text)
        return []

    directive = SimpleNamespace(arguments=["oza.models"], options={}, env=env, parse_text_to_nodes=parse)
    oza_library.Family.run(directive)
    assert len(asked) == len(oza_library.public_names("oza.models"))
    for text in asked:
        assert text.startswith("## ")
        assert text.index("autoclass") < text.index("{rubric}") < text.index("{beside}")


def test_a_family_that_does_not_exist_has_no_members():
    assert oza_library.public_names("oza.no_such_family") == []


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


def test_a_method_is_shown_as_it_stands_without_its_indentation():
    assert oza_library.source_of("oza.PrimedOnlineBoostingClassifier._prime").startswith("def _prime(")


def test_words_that_look_like_markup_in_a_docstring_are_escaped():
    lines = ["names_ : ndarray of shape (n_features_in_,)", "N. C. Oza, *Online*", "plain_ text : of_ it"]
    oza_library._escape(None, "class", "x", None, None, lines)
    assert lines[0] == r"names_ : ndarray of shape (n_features_in\_,)"
    assert lines[1] == r"\N. C. Oza, *Online*"


def test_what_a_class_inherits_is_folded_below_its_own_members():
    def described(kind, fullname, *content):
        signature = addnodes.desc_signature("", module="oza", fullname=fullname)
        return addnodes.desc("", signature, addnodes.desc_content("", *content), objtype=kind)

    methods = [described("method", f"OnlineBaggingClassifier.{name}") for name in ("predict", "__init__")]
    document = new_document("a page")
    document += described("class", "OnlineBaggingClassifier", *methods)
    oza_library.fold_inherited(None, document)
    own, opening, inherited, closing = document[0][-1].children
    assert [own, inherited] == [methods[1], methods[0]]
    assert "Inherited: <code>predict</code></summary>" in opening.astext()
    assert closing.astext() == "</details>"


def test_a_fold_shows_its_summary_with_code_and_no_markup():
    opening, *content, _ = oza_library.folded("`tasks`: those of ``a`` < b", ["content"])
    assert "<summary><code>tasks</code>: those of <code>a</code> &lt; b</summary>" in opening.astext()
    assert content == ["content"]
