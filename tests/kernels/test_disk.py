"""Files of the cache are complete, written by this user, and never the reason why something fails."""

import os
import time

import pytest

from oza.kernels.disk import MARK, DiskCache
from tests.processes import run

has_modes = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system has no modes of files")
is_root = pytest.mark.skipif(getattr(os, "geteuid", int)() != 0, reason="only root can give files away")

KERNELS = """
import sys, warnings
import oza
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    winnow = oza.Winnow().fit([[0, 1, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1])
    print(winnow.weights_, winnow.predict([[0, 1, 0]]))
print(*[str(one.message) for one in warned], sep="\\n", file=sys.stderr)
"""
KERNELS_WHERE_WARNINGS_ARE_ERRORS = """
import sys, warnings
import oza
warnings.simplefilter("error")
try:
    oza.Winnow().fit([[0, 1, 1]], [1])
except RuntimeWarning as warned:
    print(warned, file=sys.stderr)
winnow = oza.Winnow().fit([[0, 1, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1])
print(winnow.weights_, winnow.predict([[0, 1, 0]]))
"""
RESULT = "[0.5 1.  4. ] [0]"


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "cache", "here")


def results(folder, code=KERNELS, **environment):
    """What a process prints that keeps its kernels in a folder, and what it warns of."""
    return run(code, OZA_CACHE=str(folder), **environment)


def age(path, days):
    os.utime(path, (time.time() - days * 24 * 3600,) * 2)


def test_what_is_written_is_read(cache):
    assert cache.read("a.entry") is None
    cache.write("a.entry", b"code")
    cache.write("a.entry", b"other code")
    assert cache.read("a.entry") == b"other code"
    assert {path.name for path in cache.folder.iterdir()} == {MARK, "a.entry"} and not cache.problem
    assert cache.size()[0] == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes() + b"x"),
        lambda path: path.write_bytes(path.read_bytes().replace(b"code", b"cold")),
        lambda path: path.write_bytes(b""),
        lambda path: path.with_name("b.entry").replace(path),
        lambda path: [path.unlink(), path.mkdir()],
        pytest.param(lambda path: path.chmod(0o666), marks=has_modes),
        pytest.param(lambda path: os.chown(path, 12345, -1), marks=is_root),
    ],
)
def test_a_damaged_file_is_not_read_and_is_replaced(cache, damage):
    cache.write("a.entry", b"code")
    cache.write("b.entry", b"other")
    damage(cache.folder / "a.entry")
    assert cache.read("a.entry") is None
    cache.write("a.entry", b"code")
    assert cache.read("a.entry") == b"code" and not cache.problem


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def homeless(_):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_cache_dir", homeless)
    with pytest.warns(RuntimeWarning, match="could not determine the home directory; set OZA_CACHE"):
        DiskCache("", "here").warn()


def test_a_cache_is_where_it_is_said_to_be(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert DiskCache("~/of-mine", "here").folder == tmp_path / "of-mine" / "kernels" / "here"
    assert DiskCache("relative", "here").folder == tmp_path / "relative" / "kernels" / "here"


@has_modes
def test_only_the_user_can_write_to_what_is_made(tmp_path):
    before = os.umask(0o002)
    try:
        cache = DiskCache(tmp_path / "new" / "cache", "here")
        cache.write("a.entry", b"code")
    finally:
        os.umask(before)
    assert cache.read("a.entry") == b"code" and not cache.problem
    made = [cache.folder, cache.folder.parent, cache.folder.parent.parent]
    assert [path.stat().st_mode & 0o777 for path in made] == [0o700] * 3
    assert (cache.folder / "a.entry").stat().st_mode & 0o777 == 0o600


@has_modes
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
@pytest.mark.parametrize("place", [".", "kernels", "kernels/here"])
def test_a_folder_that_others_can_write_is_refused(cache, tmp_path, mode, place):
    cache.write("a.entry", b"code")
    folder = tmp_path / "cache" / place
    folder.chmod(mode)
    opened = DiskCache(tmp_path / "cache", "here")
    opened.write("b.entry", b"code")
    assert opened.read("a.entry") is None and cache.read("b.entry") is None
    said = f"{folder} can be written.*chmod go-w {folder}`, or set OZA_CACHE"
    with pytest.warns(RuntimeWarning, match=said):
        opened.warn()
    folder.chmod(0o755)
    assert DiskCache(tmp_path / "cache", "here").read("a.entry") == b"code"


@is_root
@pytest.mark.parametrize("place", [".", "kernels", "kernels/here"])
def test_a_folder_of_another_user_is_refused(cache, tmp_path, place):
    cache.write("a.entry", b"code")
    folder = tmp_path / "cache" / place
    os.chown(folder, 12345, -1)
    opened = DiskCache(tmp_path / "cache", "here")
    assert opened.read("a.entry") is None
    said = f"{folder} belongs to user 12345, and you are user 0; set OZA_CACHE"
    with pytest.warns(RuntimeWarning, match=said):
        opened.warn()


def test_only_old_files_of_ours_in_folders_of_ours_are_removed(tmp_path):
    kernels = tmp_path / "kernels"
    current, former, emptied = (DiskCache(tmp_path, name).folder for name in ("current", "former", "emptied"))
    unmarked = kernels / "unmarked"
    unmarked.mkdir()
    (kernels / "empty").mkdir()
    (former / "of-a-user").mkdir()
    names = ("old.entry", "old.callee", "sources-old.json", "old.part", "new.entry", "notes.txt")
    for folder in (current, former, unmarked, emptied, kernels):
        for name in names:
            (folder / name).touch()
            age(folder / name, 20 if name == "new.entry" else 40)
    for name in ("new.entry", "notes.txt"):
        (emptied / name).unlink()
    for folder in (current, former, emptied):
        age(folder / MARK, 40)
    DiskCache(tmp_path, "current")
    kept = {MARK, "new.entry", "notes.txt"}
    assert {path.name for path in current.iterdir()} == kept
    assert {path.name for path in former.iterdir()} == {*kept, "of-a-user"}
    assert not emptied.exists()
    assert {path.name for path in unmarked.iterdir()} == {*names}
    assert {path.name for path in kernels.iterdir()} == {"current", "former", "unmarked", "empty", *names}
    (current / "again.entry").touch()
    age(current / "again.entry", 40)
    DiskCache(tmp_path, "current")
    assert (current / "again.entry").exists()  # it was cleaned a moment ago


def test_a_process_on_a_full_disk_gets_the_same_results_and_one_warning(tmp_path):
    full = """
import errno, os
def replace(*paths):
    raise OSError(errno.ENOSPC, "No space left on device")
os.replace = replace
"""
    for code in (KERNELS, KERNELS_WHERE_WARNINGS_ARE_ERRORS):
        found, warned = results(tmp_path, full + code)
        assert found == RESULT and warned.count("No space left on device") == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
