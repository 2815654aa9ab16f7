"""The command `oza`: comparison on your own data, the data sets, and compiling ahead of time."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from . import __version__

USER_ERROR = 2
_STOPPING = (signal.SIGINT, signal.SIGTERM)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Arguments after `oza`; None means those of the process.

    Returns
    -------
    int
        Exit code: 0 on success, 1 if something that was requested failed, 2 if an argument is wrong or
        something required is missing, 130 after Ctrl-C, 143 after SIGTERM.
    """
    return run_command(_parser(), arguments)


def run_command(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Run the command that the arguments name, and turn errors into one line and an exit code.

    Parameters
    ----------
    parser : ArgumentParser
        Sets the defaults `command`, a function of the options, and `interrupted`, what to say after Ctrl-C.
    arguments : sequence of str or None
        Arguments after the name of the program; None means those of the process.
    """
    options = parser.parse_args(arguments)
    program = parser.prog.split()[-1]
    options.words = sys.argv[1:] if arguments is None else list(arguments)
    for name in "stdout", "stderr":
        if getattr(sys, name) is None:  # it is closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        if hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # for characters that it does not have
    try:
        with _interrupted_once():
            return options.command(options)
    except BrokenPipeError:  # the reader, `head` for instance, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except UnicodeEncodeError:  # of this program, though it is a ValueError
        raise
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt as error:
        print(f"{program}: {options.interrupted}", file=sys.stderr)
        return 128 + (signal.SIGTERM if isinstance(error, _Terminated) else signal.SIGINT)


class _Terminated(KeyboardInterrupt):
    """SIGTERM was received, which is treated like Ctrl-C."""


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM raise an exception, and ignore them while the command comes to an end."""
    if threading.current_thread() is not threading.main_thread():  # which receives no signals
        yield
        return
    former = {number: signal.signal(number, _interrupt) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: Any) -> None:
    for each in _STOPPING:
        signal.signal(each, signal.SIG_IGN)
    raise _Terminated if number == signal.SIGTERM else KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    from .compare.command import add_compare

    parser = argparse.ArgumentParser(
        prog="oza",
        description="Online ensembles of classifiers: compare them on your own data, and fetch data sets.",
        epilog="`oza COMMAND --help` says more.",
    )
    parser.set_defaults(interrupted="interrupted.")
    parser.add_argument("--version", action="version", version=f"oza {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    data = commands.add_parser("data", help="list, fetch or check the data sets").add_subparsers(
        metavar="COMMAND", required=True
    )
    listing = data.add_parser("list", help="list all data sets, and whether they are on this machine")
    listing.set_defaults(command=_data_list)
    fetch = data.add_parser("fetch", help="download the data sets that are not on this machine")
    fetch.add_argument("names", nargs="*", metavar="NAME", help="a data set; all of them when none is given")
    fetch.set_defaults(command=_data_fetch)
    check = data.add_parser("verify", help="check the files on this machine against the catalogue")
    check.set_defaults(command=_data_verify)

    add_compare(commands)
    _add_compile(commands)
    return parser


def _add_compile(commands: Any) -> None:
    compiling = commands.add_parser(
        "compile",
        help="compile classes now, and not when they are first used",
        description="Compile the kernels of classes and keep them for other processes, so that first calls "
        "are as fast as later ones: for the image of a container, for instance. Classes are compiled "
        "with their default parameters, for columns of numbers, nominal columns, and both; anything else is "
        "compiled when it is first used.",
        epilog="Kernels are kept in the folder `kernels` of OZA_CACHE or, if that is not set, of the user's "
        "cache (~/.cache/oza on Linux): about 80 MB for all classes; what is unused for a month is removed. "
        "They run on processors of the same kind only, or on any with NUMBA_CPU_NAME=generic. In a "
        "Dockerfile: `ENV OZA_CACHE=/opt/oza NUMBA_CPU_NAME=generic`, and then `RUN oza compile && chmod -R "
        "a+rX /opt/oza`.",
    )
    compiling.add_argument("names", nargs="*", metavar="CLASS", help="a class of oza; all when none is given")
    compiling.set_defaults(command=_compile, interrupted="interrupted; what is compiled is kept.")


def _data_list(options: argparse.Namespace) -> int:
    from .datasets import dataset_info, list_datasets, verify_dataset

    print(
        f"{'name':16} {'in the thesis':36} {'train':>7} {'test':>7} {'inputs':>6} {'classes':>7}  "
        "on this machine"
    )
    for name in list_datasets():
        info = dataset_info(name)
        states = "/".join(dict.fromkeys(file.state for file in verify_dataset(name)))
        print(
            f"{name:16} {info.thesis_name:36} {info.n_train:7} {info.n_test:7} "
            f"{len(info.attributes):6} {len(info.classes):7}  {states}"
        )
    return 0


def _data_fetch(options: argparse.Namespace) -> int:
    from .datasets import DatasetUnavailableError, dataset_info, fetch_dataset, list_datasets

    names = options.names or list_datasets()
    for name in names:
        dataset_info(name)  # so that a misspelled name is refused before any download
    n_missing = 0
    for name in names:
        try:
            paths = fetch_dataset(name)
            print(f"{name}: {', '.join(map(str, paths)) or 'generated, needs no file'}")
        except DatasetUnavailableError as error:
            n_missing += 1
            print(f"oza: {error}", file=sys.stderr)
    return 1 if n_missing else 0


def _data_verify(options: argparse.Namespace) -> int:
    from .datasets import list_datasets, verify_dataset

    files = [file for name in list_datasets() for file in verify_dataset(name)]
    for file in files:
        print(f"{file.dataset:16} {file.part:5} {file.state:9} {file.fault}".rstrip())
    return 1 if any(file.state == "damaged" for file in files) else 0


def _compile(options: argparse.Namespace) -> int:
    from .kernels.compile import CACHE
    from .precompile import classes_named, compile_classes

    os.environ["OZA_COMPILE"] = "now"
    os.environ.setdefault("OZA_QUIET", "1")  # each class has its own line
    kinds = classes_named(options.names)
    width = max(map(len, kinds))
    for name, seconds in compile_classes(kinds):
        print(f"{name:{width}} {seconds:6.1f} s", flush=True)
    n_files, n_bytes = CACHE.size()
    print(f"{CACHE.folder}: {n_files:,} files, {n_bytes / 1e6:.1f} MB")
    return 0
