"""Features that need a package of an extra say which extra, when it is not installed."""

import subprocess
import sys

import pytest

from oza.compare import own_data
from oza.extras import EXTRA_OF

WITHOUT = """
import importlib.abc, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())

import oza, oza.compare, oza.dask, oza.diversity, oza.evaluation, oza.streams
from oza.cli import main
from oza.datasets import load_dataset
X, y = load_dataset("balance", return_X_y=True, as_frame=True)
model = oza.OnlineBaggingClassifier(random_state=0)
oza.evaluation.prequential(model, (X[:50], y[:50]))
model.predict(X[:1])
print("it works")
print(main(["compare", {path!r}, "--target", "y"]))
oza.dask.DaskEnsemble(None)
"""


def test_the_library_works_without_any_extra_and_says_which_one_a_feature_needs(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n")
    code = WITHOUT.format(missing=tuple(EXTRA_OF), path=str(path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "it works\n2\n", done.stderr
    of_comparison, *_, of_cluster = done.stderr.splitlines()
    assert of_comparison.startswith(
        "oza: a report needs jinja2, which is not installed: pip install jinja2 (of oza[report])"
    )
    assert "DaskEnsemble needs distributed, which is not installed: pip install distributed (" in of_cluster


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_parquet_names_its_extra(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / name
    path.write_bytes(b"PAR1" if name == "a.parquet" else b"ARROW1")
    with pytest.raises(ModuleNotFoundError, match=rf"{name}: reading .* needs pyarrow.*oza\[parquet\]"):
        own_data(path, "y")


def test_every_extra_is_declared():
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    for package, extra in EXTRA_OF.items():
        assert any(found.startswith(package) for found in project["optional-dependencies"][extra])
        assert not any(found.startswith(package) for found in project["dependencies"])
