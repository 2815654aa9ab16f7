"""The code that a module depends on is found in its imports, whatever form they have."""

import json
import sys

import pytest

from oza.kernels import closure as module
from oza.kernels.closure import closure, digest_of, keep_in
from oza.kernels.disk import DiskCache


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A new package, written from a mapping of files to texts, and its name."""
    name = f"of_{tmp_path.name.replace('-', '_')}"
    folder = tmp_path / name

    def written(files):
        for file, text in {"__init__.py": "", **files}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        for cached in (module._spec, module.file_of, module._source, module._imported, module._reached_from):
            cached.cache_clear()
        return name

    monkeypatch.syspath_prepend(tmp_path)
    return written


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from .a import x", {"a"}),
        ("from . import a", {"a"}),
        ("import {name}.sub.c as c", {"sub.c"}),
        ("from .sub import c", {"sub.c"}),
        ("from .sub import shown", {"sub", "sub.b"}),
        ("from .sub import hidden", {"sub", "sub.b", "sub.hidden"}),  # a name of the package too
        ("from . import sub", {"sub", "sub.b", "sub.c", "sub.hidden"}),  # whose attributes may be any
        ("def f():\n    from .a import x", {"a"}),
        ("from importlib import import_module\nimport_module('{name}.a')", {"a"}),
        ("import importlib\nimportlib.import_module('.a', __package__)", {"a"}),
        ("import numpy", {"numpy"}),
        ("import math", set()),
    ],
)
def test_imports_of_every_form_are_followed(package, text, found):
    files = {
        "a.py": "import math",
        "sub/__init__.py": "from .b import shown\nhidden = 3",
        "sub/b.py": "shown = 1",
        "sub/c.py": "",
        "sub/hidden.py": "",
    }
    name = package({})
    package({**files, "start.py": text.format(name=name)})
    reached = {one.removeprefix(f"{name}.") for one in closure([f"{name}.start"])}
    assert reached == {"start", *found}
    assert name not in sys.modules  # nothing is imported


def test_what_a_distribution_beside_it_lists_is_installed_and_reading_has_a_bound(
    package, tmp_path, monkeypatch
):
    name = package({"a.py": "from . import b", "b.py": ""})
    assert len(closure([f"{name}.a"])) == 2
    monkeypatch.setattr(module, "_MOST_READ", 1)
    with pytest.raises(OverflowError, match=r"more than 1 modules, such as .*\.b, that no \*\.dist-info"):
        closure([f"{name}.a"])
    (tmp_path / "other-1.0.dist-info").mkdir()
    (tmp_path / "other-1.0.dist-info" / "RECORD").write_text(f"{name}/__init__.py,sha256=0,0\n")
    module._recorded_in.cache_clear()
    module._is_outside.cache_clear()
    assert [*closure([f"{name}.a"])] == [name]


def test_only_code_counts(package):
    def digest(text):
        return digest_of(closure([package({"a.py": text}) + ".a"]))

    text = '"""Doc."""\n\ndef f(x):\n    """Doc."""\n    return x + 1\n'
    assert digest(text) == digest("# A comment.\n" + text.replace("Doc", "Other").replace("x + 1", "( x+1 )"))
    assert digest(text) == digest("def f(x):\n    return x + 1\n")
    assert digest(text) != digest(text.replace("+ 1", "+ 2"))


def test_a_module_without_a_file_is_missing():
    assert closure(["__main__", "of_nothing", "oza.nothing"]) == {}


def test_what_is_kept_may_be_lost_or_broken(package, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_memo", [])
    name = package({"a.py": "x = 1"})
    cache = DiskCache(tmp_path / "cache", "here")
    keep_in(cache)
    found = closure([f"{name}.a"])
    (kept,) = cache.folder.glob("sources-*.json")
    assert json.loads(cache.read(kept.name))
    whole = kept.read_bytes()
    for content in (whole, whole.replace(found[f"{name}.a"][:4].encode(), b"beef"), whole[:-9], b"{", b""):
        kept.write_bytes(content)
        module._source.cache_clear()
        keep_in(cache)
        assert closure([f"{name}.a"]) == found
        assert kept.read_bytes() == whole
