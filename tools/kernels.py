"""Kernels that start at once: a warm process imports what notebooks need, and forks for each of them.

    python -m tools.kernels serve SOCKET          the warm process; it ends when its standard input is closed
    python tools/kernels.py ask CONNECTION_FILE   what Jupyter starts: asks the process behind the socket in
                                                  the variable OZA_KERNELS for a kernel, and ends with it

The kernels of a warm process are in its process group, so that one signal ends all of them. A kernel also
ends when the process that asked for it is gone, however that ended.
"""

import contextlib
import json
import os
import signal
import socket
import sys

SOCKET = "OZA_KERNELS"

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


def ask(connection_file: str) -> None:
    """Ask for a kernel, pass interrupts on to it, and wait for its end."""
    with socket.socket(socket.AF_UNIX) as kernel:
        kernel.connect(os.environ[SOCKET])
        request = {"connection": connection_file, "folder": os.getcwd(), "environment": dict(os.environ)}
        kernel.sendall(json.dumps(request).encode() + b"\n")
        signal.signal(signal.SIGINT, lambda number, _: kernel.sendall(bytes([number])))
        with contextlib.suppress(ConnectionResetError):
            kernel.recv(1)


def serve(path: str) -> None:
    """Fork a kernel for each request that comes through the socket `path`."""
    import gc
    import importlib
    import select

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

    from ipykernel.kernelapp import IPKernelApp

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
    kernel = IPKernelApp.instance()
    kernel.initialize(["-f", request["connection"]])
    kernel.start()
    os._exit(0)


if __name__ == "__main__":
    {"serve": serve, "ask": ask}[sys.argv[1]](sys.argv[2])
