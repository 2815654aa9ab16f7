"""A line on the terminal says what is compiled where that takes long; nothing is written elsewhere."""

import os
import sys
from types import SimpleNamespace

import pytest
import tqdm

from oza.kernels import notice
from oza.kernels.notice import Notice
from tests.processes import run

IN_A_THREAD = """
import threading
import oza
from oza.kernels import notice
from oza.kernels.compile import CACHE_FOLDER
notice.PATIENCE = 0.05
def fit():
    oza.WeightedMajority().fit([[0, 1, 1], [1, 1, 0]], [1, 0])
thread = threading.Thread(target=fit)
thread.start()
thread.join()
print(CACHE_FOLDER)
"""


class Terminal:
    def __init__(self, is_terminal=True):
        self.shown, self.is_terminal = [], is_terminal

    def write(self, text):
        self.shown.append(text)

    def flush(self):
        pass

    def isatty(self):
        return self.is_terminal


class Clock:
    """Time that passes only in `sleep`, and timers by it."""

    def __init__(self):
        self.now, self.due = 0.0, {}

    def monotonic(self):
        return self.now

    def timer(self, seconds, call, arguments):
        found = SimpleNamespace()
        found.start = lambda: self.due.update({id(found): (self.now + seconds, call, arguments)})
        found.cancel = lambda: self.due.pop(id(found), None)
        return found

    def sleep(self, seconds):
        self.now += seconds
        for key, (then, call, arguments) in [*self.due.items()]:
            if then <= self.now:
                del self.due[key]
                call(*arguments)


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(notice, "time", found)
    monkeypatch.setattr(notice, "threading", SimpleNamespace(Timer=found.timer))
    return found


@pytest.fixture
def terminal(monkeypatch, clock):
    found = Terminal()
    monkeypatch.setattr(notice, "sys", SimpleNamespace(stderr=found, modules={}))
    monkeypatch.delenv("OZA_QUIET", raising=False)
    return found


@pytest.fixture
def compile_for(clock):
    def compile_one(seconds, shown, line):
        with shown.while_compiling(lambda: line):
            clock.sleep(seconds)

    return compile_one


def test_a_line_comes_once_in_a_call_and_again_in_a_later_one(terminal, clock, compile_for):
    shown = Notice()
    compile_for(0, shown, "short")
    for line in ("a", "b", "c"):
        clock.sleep(notice._PAUSE)
        compile_for(notice.PATIENCE, shown, line)
    assert terminal.shown == ["a\n"]
    clock.sleep(notice._PAUSE + 0.1)
    compile_for(notice.PATIENCE, shown, "later")
    assert terminal.shown == ["a\n", "later\n"]


def test_many_short_kernels_of_one_call_are_a_long_wait(terminal, compile_for):
    shown = Notice()
    for _ in range(5):
        compile_for(0.4 * notice.PATIENCE, shown, "line")
    assert terminal.shown == ["line\n"]


def test_a_kernel_that_another_calls_is_part_of_it(terminal, clock, compile_for):
    shown = Notice()
    with shown.while_compiling(lambda: "outer"):
        compile_for(0, shown, "inner")
        clock.sleep(notice.PATIENCE)
    assert terminal.shown == ["outer\n"]


def test_nothing_is_said_after_an_error_or_a_short_wait(terminal, clock, compile_for):
    shown = Notice()
    with pytest.raises(ValueError), shown.while_compiling(lambda: "line"):
        raise ValueError
    compile_for(0.9 * notice.PATIENCE, shown, "line")
    clock.sleep(notice.PATIENCE)
    assert not terminal.shown


def test_no_thread_starts_where_nobody_looks(terminal, monkeypatch, compile_for):
    def refuse(*arguments):
        raise AssertionError("a thread was started")

    monkeypatch.setattr(notice.threading, "Timer", refuse)
    monkeypatch.setenv("OZA_QUIET", "1")
    compile_for(0, Notice(), "line")
    monkeypatch.setenv("OZA_QUIET", "0")
    for stream in (None, Terminal(is_terminal=False)):
        monkeypatch.setattr(notice.sys, "stderr", stream)
        compile_for(0, Notice(), "line")


def test_a_terminal_that_fails_does_not_matter(terminal, monkeypatch, compile_for):
    monkeypatch.setattr(terminal, "write", None)
    compile_for(notice.PATIENCE, Notice(), "line")


def test_a_progress_bar_stays_whole(terminal, compile_for):
    notice.sys.modules["tqdm"] = tqdm
    with tqdm.tqdm(total=2, file=terminal, mininterval=0, ascii=True) as bar:
        bar.update()
        compile_for(notice.PATIENCE, Notice(), "line")
        bar.update()
    before, _, after = "".join(terminal.shown).partition("line\n")
    assert after and before.rpartition("\r")[2].strip() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no pseudo-terminals")
def test_a_user_at_a_terminal_reads_what_is_compiled_and_where_it_is_kept(tmp_path):
    import pty

    def shown(cache, quiet=""):
        ours, theirs = pty.openpty()
        done = run(IN_A_THREAD, stderr=os.ttyname(theirs), OZA_CACHE=str(cache), OZA_QUIET=quiet)
        os.write(theirs, b"end")
        os.close(theirs)
        text = os.read(ours, 100_000).decode().removesuffix("end")
        os.close(ours)
        return text, done[0]

    assert shown(tmp_path / "quiet", quiet="1")[0] == ""
    text, folder = shown(tmp_path / "cache")
    assert text.count("\n") == 1 and text.startswith("oza: compiling _predict_and_learn for Weights. ")
    assert f"compiled once, and kept in {folder} (OZA_QUIET=1" in text
    assert shown(tmp_path / "cache")[0] == ""
