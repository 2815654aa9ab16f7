"""Processes that begin at once, forked from one that has imported the packages that `oza` imports."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import oza

ROOT = Path(oza.__file__).parents[1]

FORKING = """
import gc, json, os, signal, sys
import numba, numba.extending, pandas, platformdirs, sklearn.base, sklearn.utils.validation
gc.freeze()  # a collection would copy the memory that the children share
gc.set_threshold(1_000_000)  # as in conftest.py
for line in sys.stdin:
    code, environment, folder, *files = json.loads(line)
    if os.fork() == 0:
        signal.alarm(300)  # for what would wait for ever
        for descriptor, file in enumerate(files, 1):
            os.dup2(os.open(file, os.O_WRONLY), descriptor)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[1:1] = environment["PYTHONPATH"].split(os.pathsep)
        sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
        numba.config.reload_config()
        exec(compile(code, "<string>", "exec"))
        sys.exit()
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


@cache
def _forking():
    """The process that is forked."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    process = subprocess.Popen([sys.executable, "-c", FORKING], **pipes)
    atexit.register(process.communicate)
    return process


def run(code, folder=ROOT, stderr=None, **environment):
    """Standard output and standard error of a new process that runs Python code, which must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with tempfile.NamedTemporaryFile("r") as out, tempfile.NamedTemporaryFile("r") as error:
        request = [code, environment, str(folder), out.name, stderr or error.name]
        process = _forking()
        print(json.dumps(request), file=process.stdin)
        failed = int(process.stdout.readline())
        shown = out.read().strip(), error.read().strip()
        assert not failed, shown
        return shown
