"""Compiled kernels always correspond to the source, and give the same bits on every processor."""

import os
import shutil
import signal
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

import oza
from oza.kernels import compile as _compile
from oza.kernels.compile import kernel, typed_once
from tests import majority, processes

PACKAGE = Path(oza.__file__).parent

LEARNS = "from oza import Winnow; print(Winnow().fit([[0, 1]], [1]).predict([[0, 1]])[0])"

BASE_MODEL_OF_ANOTHER_PACKAGE = """
from mine import MajorityClassifier
print(MajorityClassifier().fit([[0], [1]], [0, 1]).predict([[0]])[0])
"""

PACKAGE_OF_ANOTHER = {
    "__init__": "",
    "constants": '"""Numbers."""\nSTEP = 1\n',
    "helpers": '''"""Arithmetic."""
from oza.kernels.compile import kernel
from . import constants
from .constants import STEP

@kernel
def stepped(x):
    """A step more."""
    return x + STEP
''',
    "states": '''"""States, and what can be done with them."""
from typing import NamedTuple
import numpy as np
from oza.kernels.compile import Operation

class Counts(NamedTuple):
    """Numbers."""
    counts: np.ndarray

@Operation
def total(models):
    """All in all."""
    return 0.0

@Operation
def shifted(models):
    """Without an implementation."""
    return 7.0 * 1
''',
    "learning": '''"""How it is done."""
from oza.kernels.compile import implements
from .states import Counts, total

@implements(total, Counts)
def _total(models):
    """The first number."""
    return models.counts[0] * 1
''',
    "answers": '''"""Answers."""
from oza.kernels.compile import kernel
from .helpers import stepped
from .states import shifted, total

@kernel
def answer(models):
    """A step more than the total."""
    return stepped(total(models)) + shifted(models) - 7.0
''',
}

ANSWER = """
import numpy as np
import mine.learning
from mine.answers import answer
from mine.states import Counts
print(answer(Counts(np.ones(1))))
"""

DIGEST = """
import hashlib, numpy as np, oza
rng = np.random.default_rng(0)
y = rng.integers(0, 3, 500)
numbers = rng.normal(size=(500, 3)) * [1, 1e3, 1e-3] + y[:, None]
table = np.hstack([rng.integers(0, 4, (500, 9)), numbers])
digest = hashlib.sha256()
network = oza.NeuralNetworkClassifier(random_state=1)
models = {models}
for model in models:
    for columns in {tables}:
        X = table[:, columns]
        model.set_params(categorical_features=np.flatnonzero(np.arange(12)[columns] < 9))
        weights = rng.random(500) * 20
        digest.update(model.fit(X, y, sample_weight=weights).predict_proba(X).tobytes())
        if hasattr(model, "prequential_predict"):
            digest.update(model.prequential_predict(X, y).tobytes())
        for part in model._models:
            digest.update(np.asarray(part).tobytes())
print(digest.hexdigest())
"""

INTERRUPTED = """
import os, signal, threading
from typing import NamedTuple
import numpy as np
from numba.typed import List
from oza.kernels.compile import kernel

class Sums(NamedTuple):
    by_row: np.ndarray
    all: np.ndarray

@kernel
def sums(n):
    total = np.zeros(2)
    for i in range(n):
        total[i & 1] += np.sqrt(i)
    return Sums(total, np.array([total.sum()]))

@kernel
def total(n):
    return sums(n).all

class Listed(NamedTuple):
    found: object
    total: np.ndarray

@kernel
def listed(n):
    found = List()
    found.append(total(n))
    return Listed(found, found[0])

for interrupted in sums, total, listed:
    known = interrupted(10)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            interrupted(100_000_000)  # takes so much longer that Ctrl-C meets the kernel, not the loop
    except KeyboardInterrupt:
        assert repr(interrupted(10)) == repr(known)
        print("interrupted")
"""


def run(code, folder, **environment):
    kept = {"PYTHONDONTWRITEBYTECODE": "1"}  # Python's own cache would hide an edit of equal time and size
    return processes.run(code, folder, **{**kept, "PYTHONPATH": str(folder), **environment})[0]


@pytest.fixture
def copy_of_the_package(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "oza", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def cached(folder):
    """Names of the cached kernels."""
    return {path.name for kind in ("entry", "callee") for path in folder.rglob(f"*.{kind}")}


def replace_text(path, text):
    """Write a file so that its time shows no change; equal lengths of the texts make the size equal too."""
    times = path.stat()
    path.write_text(text)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_an_edit_of_a_callee_in_another_file_reaches_its_callers_and_one_of_a_text_nothing(
    copy_of_the_package,
):
    code = "from oza import WeightedMajority as W; print(W().fit([[0, 1]], [1]).weights_.round(2))"
    cache = str(copy_of_the_package / "cache")
    assert run(code, copy_of_the_package, OZA_CACHE=cache) == "[0.33 0.67]"
    compiled = cached(Path(cache))
    for path in (copy_of_the_package / "oza").rglob("*.py"):
        text = path.read_text()
        comment = "" if "from __future__" in text else "# A comment moves all lines.\n\n"
        path.write_text(comment + text.replace('"""', '"""Indeed: ', 1) + "\n")
    assert run(code, copy_of_the_package, OZA_CACHE=cache) == "[0.33 0.67]"
    assert cached(Path(cache)) == compiled
    callee = copy_of_the_package / "oza" / "experts" / "weights.py"
    text = callee.read_text()
    line = "weights.exponents[i] += shift + factor[1]\n"
    edited = text.replace(line, line.replace("+=", "-="))
    assert edited != text
    replace_text(callee, edited)  # same time and size: only the bytes differ
    assert run(code, copy_of_the_package, OZA_CACHE=cache) == "[0.67 0.33]"


def test_what_two_processes_compiled_for_records_of_other_fields_stays_apart(tmp_path):
    """numba numbers the types of records by process, so that both kernels could have one name."""
    code = """
import numpy as np
from oza.kernels.compile import _list_of, record_type
for name in NAMES:
    records = np.zeros(1, record_type([(name, np.float64)]))
    print(*_list_of(records)._dtype.dtype.fields)
"""
    folders = {"PYTHONPATH": str(PACKAGE.parent), "OZA_CACHE": str(tmp_path / "cache")}
    for names, shown in (("a", "a"), ("b", "b"), ("ab", "a\nb")):
        assert run(code.replace("NAMES", repr(names)), tmp_path, **folders) == shown


@pytest.mark.full  # processes that compile
def test_a_base_model_of_another_package_is_cached_and_an_edit_of_it_shows(tmp_path):
    module, text = tmp_path / "mine.py", Path(majority.__file__).read_text()
    environment = {
        "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), str(tmp_path)]),
        "OZA_CACHE": str(tmp_path / "cache"),
    }
    for answer in (0, 1):
        edited = text.replace("return best", f"return {answer}")
        assert edited != text
        module.write_text(edited)
        before = cached(tmp_path)
        assert run(BASE_MODEL_OF_ANOTHER_PACKAGE, tmp_path, **environment) == str(answer)
        compiled = cached(tmp_path)
        assert compiled > before
        assert run(BASE_MODEL_OF_ANOTHER_PACKAGE, tmp_path, **environment) == str(answer)
        assert cached(tmp_path) == compiled
    module.unlink()
    found = run(LEARNS, tmp_path, **environment)
    assert found == "1"  # although kernels were compiled for a type that is gone


@pytest.fixture
def package_of_another(tmp_path):
    """A package whose kernel depends on each of its modules in a different way."""
    (tmp_path / "mine").mkdir()
    for name, text in PACKAGE_OF_ANOTHER.items():
        (tmp_path / "mine" / f"{name}.py").write_text(text)
    return tmp_path


def answer_of(folder):
    path = os.pathsep.join([str(PACKAGE.parent), str(folder)])
    return run(ANSWER, folder, PYTHONPATH=path, OZA_CACHE=str(folder / "cache"))


@pytest.mark.full  # processes that compile
def test_an_edit_of_anything_that_a_kernel_depends_on_shows(package_of_another):
    assert answer_of(package_of_another) == "2.0"
    compiled = cached(package_of_another)
    for path in (package_of_another / "mine").glob("*.py"):
        replace_text(path, "# Of another length.\n" + path.read_text().replace('"""', '"""Indeed: ', 1))
    assert answer_of(package_of_another) == "2.0"
    assert cached(package_of_another) == compiled
    for module, old, new, answer in (
        ("constants", "STEP = 1", "STEP = 2", "3.0"),
        ("helpers", "x + STEP", "x - STEP", "0.0"),
        ("learning", "* 1", "* 5", "6.0"),
        ("states", "7.0 * 1", "8.0 * 1", "3.0"),
        ("answers", "- 7.0", "+ 7.0", "16.0"),
    ):
        path = package_of_another / "mine" / f"{module}.py"
        text = path.read_text()
        assert old in text
        replace_text(path, text.replace(old, new))
        assert answer_of(package_of_another) == answer, module
        replace_text(path, text)


@pytest.mark.full  # processes that compile
def test_what_is_cached_and_cannot_be_read_is_compiled_anew(package_of_another):
    assert answer_of(package_of_another) == "2.0"
    for path in (package_of_another / "cache").rglob("*.*"):
        if path.is_file():
            path.write_bytes(b"\x80nonsense")
    assert answer_of(package_of_another) == "2.0"
    assert b"nonsense" not in b"".join(path.read_bytes() for path in package_of_another.rglob("*.entry"))


@pytest.mark.full  # processes that compile
@pytest.mark.parametrize(
    ("models", "tables"),
    [
        (
            [
                "OnlineBaggingClassifier(network, 3, random_state=1)",
                "OnlineBoostingClassifier(random_state=1)",
            ],
            [slice(None)],
        ),
        pytest.param(
            [
                "OnlineBaggingClassifier(network, 3, random_state=1)",
                "OnlineBoostingClassifier(random_state=1)",
                "BaggingClassifier(network, 3, random_state=1)",
                "BaggingClassifier(random_state=1)",
                "OnlineBaggingClassifier(random_state=1)",
                "AdaBoostClassifier()",
                "NaiveBayesClassifier()",
                "NeuralNetworkClassifier(random_state=1)",
            ],
            [slice(9), slice(9, None)],
            marks=pytest.mark.long,
        ),
    ],
    ids=["two on columns of both kinds", "all on columns of each kind"],
)
def test_every_processor_gives_the_same_bits(models, tables, tmp_path):
    code = DIGEST.format(models=", ".join(f"oza.{model}" for model in models), tables=tables)
    here = run(code, PACKAGE.parent)
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "OZA_CACHE": str(tmp_path)}
    assert run(code, PACKAGE.parent, **plain) == here


class Number(NamedTuple):
    value: int


class Following(Number):
    def __new__(cls, value):
        return super().__new__(cls, value + 1)


@kernel
def itself(value):
    return value


def test_a_class_that_derives_from_a_named_tuple_keeps_its_constructor():
    found = itself(Following(1))
    assert found == (3,) and type(found) is Following


def test_a_type_that_is_found_again_is_the_one_that_numba_finds():
    class Plain(NamedTuple):
        array: np.ndarray
        number: object

    once = typed_once(type("Once", (Plain,), {}))
    matrix = np.zeros((4, 4))
    frozen = matrix.copy()
    frozen.setflags(write=False)
    arrays = (matrix, matrix[::2], matrix.T, matrix[0], frozen, matrix.astype("f4"), matrix.astype("i4,f8"))
    for array in 2 * arrays:
        for number in (1, 1.5, True, None, 2**63):
            assert numba.typeof(once(array, number)).types == numba.typeof(Plain(array, number)).types


def test_importing_the_library_loads_no_heavy_package_and_leaves_the_cache_of_the_user_alone():
    code = """
import sys, numba, sklearn.base
numba.config.CACHE_DIR = "mine"
before = set(sys.modules)
import oza
heavy = {"pandas", "matplotlib", "pyarrow", "pooch", "tqdm", "IPython", "scipy.stats", "requests"}
print(sorted(heavy & (set(sys.modules) - before)), numba.config.CACHE_DIR)
"""
    assert run(code, PACKAGE.parent) == "[] mine"


@pytest.mark.full  # processes that compile
def test_kernels_that_check_bounds_lie_in_a_folder_of_their_own(tmp_path):
    code = """
from oza.experts.weights import ones, value
from oza.kernels.compile import CACHE_FOLDER
print(CACHE_FOLDER.name)
try:
    value(ones(3), 3, 0)
except IndexError:
    print("refused")
"""
    plain = _compile.CACHE_FOLDER.name.removesuffix("-boundscheck")
    checked = run(code, PACKAGE.parent, OZA_CACHE=str(tmp_path), NUMBA_BOUNDSCHECK="1")
    assert checked.split() == [f"{plain}-boundscheck", "refused"]


def test_ctrl_c_during_compilation_takes_effect_after_it(monkeypatch):
    @kernel
    def doubled(number):
        return 2 * number

    optimize = _compile.EntryPoint._optimize_final_module

    def interrupted(library):
        signal.raise_signal(signal.SIGINT)
        optimize(library)

    monkeypatch.setattr(_compile.EntryPoint, "_optimize_final_module", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            doubled(1.5)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(doubled.compiled.signatures) == 1 and doubled(1.5) == 3


def test_ctrl_c_during_a_kernel_takes_effect_after_it():
    assert run(INTERRUPTED, PACKAGE.parent).split() == ["interrupted"] * 3
