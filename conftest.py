"""Configuration of all tests, notebooks and doctests."""

import signal
from importlib.util import find_spec

from tools.run_notebooks import own_kernel

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

own_kernel()  # the kernels of all tests are of this environment, without the user's start-up files

if find_spec("capymoa") is None:  # which `make setup` does not install
    collect_ignore = ["oza/bridges/capymoa.py"]


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        from tools.replay import Run

        return Run.from_parent(parent, path=file_path)
