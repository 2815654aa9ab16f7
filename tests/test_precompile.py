"""The command `oza compile`: what it has compiled, no later process compiles."""

import pytest
from sklearn.base import ClassifierMixin

import oza
from oza import cli
from oza.discovery import all_estimators
from tests.processes import run

#: What a user does with tables of another size, other classes and another type of column.
USE = """
import numpy as np
import pandas as pd
import oza
rng = np.random.default_rng(1)
y = np.where(rng.random(150) < 0.3, "no", "yes")
numbers, names = rng.normal(size=(150, 5)), rng.integers(0, 4, (150, 2))
mixed = np.column_stack([numbers.astype(object), names.astype(str).astype(object)])
frame = pd.DataFrame(names).add_prefix("name").assign(number=numbers[:, 0], flag=numbers[:, 1] > 0)
frame["text"] = frame["name0"].astype(str)
frame["colour"] = pd.Categorical(frame["text"])
for model in [{models}]:
    tables = {{"auto": (numbers, names, names.astype(str), mixed, frame), range(2): (names,)}}
    for nominal, X in ((nominal, X) for nominal in tables for X in tables[nominal]):
        if "categorical_features" in model.get_params():
            model.set_params(categorical_features=nominal)
        model.fit(X, y)
        if hasattr(model, "partial_fit"):
            model.partial_fit(X[:70], y[:70]).partial_fit(X[70:71], y[70:71])
            model.prequential_predict(X[71:], y[71:])
            model.prequential_predict(X[:1], y[:1])
        model.predict(X), model.predict(X[:1]), model.predict_proba(X), model.predict_proba(X[:1])
"""


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("OZA_QUIET", "1")


def compile_in(cache, *names):
    """What `oza compile` prints in a process of its own: lines and then its exit code, and errors."""
    code = f"from oza import cli; print(cli.main({['compile', *names]}))"
    shown, errors = run(code, OZA_CACHE=str(cache))
    return shown.splitlines(), errors


def check_that_nothing_else_is_compiled(names, cache):
    (*lines, last, code), errors = compile_in(cache, *names)
    assert code == "0" and not errors
    assert [line.split()[0] for line in lines] == names
    assert all(line.endswith(" s") for line in lines)
    seconds = [float(line.split()[1]) for line in lines]  # 0.0 of a class whose kernels another one has
    assert seconds[0] > 0 and min(seconds) >= 0
    (folder,) = (cache / "kernels").iterdir()
    files = {path.name for path in folder.iterdir()}
    assert last.startswith(f"{folder}: {len(files):,} files, ") and last.endswith(" MB")
    used = [f"oza.{name}()" for name in names if issubclass(getattr(oza, name), ClassifierMixin)]
    run(USE.format(models=", ".join(used)), OZA_CACHE=str(cache))
    assert {path.name for path in folder.iterdir()} == files


@pytest.mark.full  # compiles into an empty cache
def test_a_class_that_is_compiled_is_not_compiled_again(tmp_path):
    check_that_nothing_else_is_compiled(["Winnow", "NeuralNetworkClassifier"], tmp_path)


@pytest.mark.long
def test_no_public_class_is_compiled_again(tmp_path):
    check_that_nothing_else_is_compiled([*all_estimators()], tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("NaiveBayes", "did you mean NaiveBayesClassifier?"),
        ("winnow", "did you mean Winnow?"),
        ("xyz", "there are ADWINBaggingClassifier, ADWINBoostingClassifier, "),
    ],
)
def test_a_wrong_name_gets_one_line_and_exit_code_2(name, hint, capsys):
    assert cli.main(["compile", "Winnow", name]) == 2
    shown = capsys.readouterr()
    assert not shown.out and shown.err.count("\n") == 1
    assert shown.err.startswith(f"oza: CLASS {name!r} is not a public class of oza; ")
    assert hint in shown.err


def test_a_cache_that_cannot_be_used_gets_one_line_and_exit_code_2(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    shown, error = compile_in(tmp_path / "file", "WeightedMajority")
    assert shown == ["2"] and "\n" not in error
    assert error.startswith("oza: compiled kernels cannot be kept: ") and "OZA_CACHE" in error
