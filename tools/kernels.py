"""Kernels that start at once: a warm process imports what notebooks need, and forks for each of them.

    python -m tools.kernels serve SOCKET          the warm process; it ends when its standard input is closed
    python tools/kernels.py ask CONNECTION_FILE [READS]
                                                  what Jupyter starts: asks the process behind the socket in
                                                  the variable OZA_KERNELS for a kernel, and ends with it
    python tools/kernels.py plain CONNECTION_FILE [READS]
                                                  a kernel without a warm process

A kernel writes to the file READS what it reads below `data/`, and what the warm process has read for it.
The kernels of a warm process are in its process group, so that one signal ends all of them. A kernel also
ends when the process that asked for it is gone, however that ended.
"""

import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable

SOCKET = "OZA_KERNELS"

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "data")

#: What most notebooks need. None of it starts a thread, which would not survive a fork.
NEEDED = (
    *("ipykernel.kernelapp", "myst_nb", "matplotlib.backends.backend_svg", "pandas.io.formats.style"),
    *(
        "scipy.stats",
        "sklearn.model_selection",
        "oza",
        "reproduction.topics",
        "reproduction.printed.dot_plots",
    ),
)


_read: set[str] = set()  # files below `data/` that were opened, or looked for, and folders that were listed
_told: list[str] = []  # the file that says so


def note(event: str, arguments: tuple) -> None:
    """Note what is read below `data/`; `sys.addaudithook` calls it before anything is opened or listed."""
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | os.PathLike):
        path = os.path.realpath(arguments[0])
        if f"{path}/".startswith(f"{DATA}/") and path not in _read:
            _read.add(path)
            tell(path)


def tell(*paths: str) -> None:
    """Add paths to the file of a kernel, so that processes that it forks do it too."""
    for file in _told:
        with open(file, "a", encoding="utf-8") as reads:
            reads.write("".join(f"{os.path.relpath(path, DATA)}\n" for path in paths))


def ask(connection_file: str, *told: str) -> None:
    """Ask for a kernel, pass interrupts on to it, and wait for its end."""
    with socket.socket(socket.AF_UNIX) as kernel:
        kernel.connect(os.environ[SOCKET])
        request = {"connection": connection_file, "folder": os.getcwd(), "environment": dict(os.environ)}
        request["told"] = told
        kernel.sendall(json.dumps(request).encode() + b"\n")
        signal.signal(signal.SIGINT, lambda number, _: kernel.sendall(bytes([number])))
        with contextlib.suppress(ConnectionResetError):
            kernel.recv(1)


def serve(path: str) -> None:
    """Fork a kernel for each request that comes through the socket `path`."""
    import gc
    import importlib
    import select

    sys.addaudithook(note)
    for name in NEEDED:
        importlib.import_module(name)
    sys.modules["pandas"].set_option("display.max_columns", 20)  # its default where it finds a kernel
    gc.collect()
    gc.freeze()  # a collection would copy the memory that the kernels share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the kernels
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([server, sys.stdin], [], [])[0]:
            asking, _ = server.accept()
            if os.fork() == 0:
                server.close()
                become_kernel(asking)
            asking.close()
    os.killpg(0, signal.SIGKILL)


def become_kernel(asking: socket.socket) -> None:
    """Run an IPython kernel in this process, as long as the process at the other end exists."""
    import threading

    with asking.makefile("rb") as lines:
        request = json.loads(lines.readline())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])

    def follow() -> None:
        while number := asking.recv(1):
            os.kill(os.getpid(), number[0])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    start(request["connection"], *request["told"])
    os._exit(0)


def start(connection_file: str, *told: str) -> None:
    """Run an IPython kernel in this process."""
    from ipykernel.kernelapp import IPKernelApp

    _told.extend(told)
    tell(*_read)
    kernel = IPKernelApp.instance()
    kernel.initialize(["-f", connection_file])
    kernel.start()


def plain(connection_file: str, *told: str) -> None:
    """Run an IPython kernel that is not forked."""
    sys.path[0] = os.path.dirname(DATA)  # instead of the folder of this file
    sys.addaudithook(note)
    start(connection_file, *told)


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    commands: dict[str, Callable[..., None]] = {"serve": serve, "ask": ask, "plain": plain}
    commands[command](*arguments)
