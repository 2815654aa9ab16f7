"""What code a module depends on: its own, that of the modules that it imports, and so on.

A module is represented by a digest of its syntax tree, which comments, docstrings and layout do not
change, an installed library by its version.  Modules are found and read, not imported.  Imports count
wherever they stand in a file, inside functions too, and where it is not clear what an import reaches,
all that it may reach.
"""

import ast
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .disk import DiskCache

_START = time.time_ns() - time.thread_time_ns()  # of this process, at the latest; numpy has other threads
_INSTALLED = {"site-packages", "dist-packages"}
_MOST_KNOWN = 5000  # files, before the memo starts anew
_MOST_READ = 1000  # modules for one kernel
_with_kernels = {"oza"}  # top-level packages that are read even if they are installed
_known: dict[str, list[Any]] = {}  # fields of `_Source`, by a digest of the file
_memo: list[tuple[DiskCache, str]] = []  # the cache and the name of the file in which that is kept, if any


class _Source(NamedTuple):
    """What a file of Python code says."""

    code: str  # digest of its syntax tree
    imports: list[Any]  # level, module and name of each `from module import name`; no name in `import module`
    names: list[str]  # names that it may bind, if it is a package's `__init__`


def keep_in(kept: DiskCache) -> None:
    """Keep what is found in a file of a cache, so that no process reads the same code again."""
    own = __spec__.loader.get_data(__file__)  # type: ignore[union-attr]  # also from a zip file
    made_by = hashlib.sha256(own + sys.version.encode()).hexdigest()[:16]
    name = f"sources-{made_by}.json"
    _memo[:] = [(kept, name)]
    _known.clear()


def read_package_of(module: str) -> None:
    """Let the package of `module` be read even if it is installed, since it contains kernels."""
    top = module.partition(".")[0]
    if top not in _with_kernels:
        _with_kernels.add(top)
        _imported.cache_clear()


def closure(modules: Iterable[str]) -> dict[str, str]:
    """Find the code that modules depend on.

    Parameters
    ----------
    modules : iterable of str
        Names of modules, with dots.

    Returns
    -------
    dict of str to str
        Digest of the code of each module, and version of each installed library. A module without a
        source file, such as `__main__`, is missing.

    Raises
    ------
    OverflowError
        If there are more than a thousand modules.

    Examples
    --------
    >>> sorted(closure(["oza.kernels.boxing"]))
    ['llvmlite', 'numba', 'numpy', 'oza.kernels.boxing']
    """
    found: dict[str, str] = {}
    waiting = list(modules)
    if not _known:  # read as late as possible, when another process may have written it
        for kept, name in _memo:
            _known.update(json.loads(kept.read(name) or "{}"))
    before = len(_known)
    while waiting:
        module = waiting.pop()
        top = module.partition(".")[0]
        if not _is_read(top):
            found.update({top: _version(top)} if _spec(top) is not None else {})
        elif module not in found and (source := _source(module)) is not None:
            found[module] = source.code
            if len(found) > _MOST_READ:
                break
            waiting += _imported(module)
    if len(_known) > before and _memo:
        kept, name = _memo[0]
        kept.write(name, json.dumps(_known).encode())
    if len(found) > _MOST_READ:
        such = f"{module}, that no *.dist-info beside them lists"
        raise OverflowError(f"they depend on more than {_MOST_READ} modules, such as {such}")
    return found


def digest_of(found: dict[str, str]) -> str:
    """Digest of a closure, in 16 hexadecimal digits."""
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]


@cache
def file_of(module: str) -> str | None:
    """Find the source file of a module without importing anything; None without one."""
    top, *rest = module.split(".")
    if not rest:
        origin = getattr(_spec(top), "origin", None)
        return origin if origin and origin.endswith(".py") and os.path.isfile(origin) else None
    for folder in _folders(top):
        path = os.path.join(folder, *rest)
        for file in (os.path.join(path, "__init__.py"), f"{path}.py"):
            if os.path.isfile(file):
                return file
    return None


def is_older(module: str) -> bool:
    """Whether the file of a module is older than this process, which then has imported what the file says."""
    status = os.stat(file_of(module) or "")
    return max(status.st_mtime_ns, status.st_ctime_ns) < _START


@cache
def _spec(top: str) -> Any:
    try:
        return None if top == "__main__" else importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None


def _folders(top: str) -> list[str]:
    return list(getattr(_spec(top), "submodule_search_locations", None) or ())


def _is_read(top: str) -> bool:
    """Whether a top-level module is read: Python code that is not installed, or contains kernels."""
    return top in _with_kernels or _is_outside(top)


@cache
def _is_outside(top: str) -> bool:
    """Whether a top-level module is Python code that is not installed."""
    places = _folders(top) or [*filter(None, [file_of(top)])]
    return bool(places) and not any(
        _INSTALLED & set(Path(place).parts) or top in _recorded_in(Path(place).parent) for place in places
    )


@cache
def _recorded_in(folder: Path) -> set[str]:
    """Top-level modules of the distributions that are installed in a folder, by their records."""
    texts = "".join(each.read_text("utf-8", "replace") for each in folder.glob("*.dist-info/RECORD"))
    return {line.split(",")[0].split("/")[0].removesuffix(".py") for line in texts.splitlines()}


@cache
def _version(library: str) -> str:
    """Version of an installed library, or else a digest of its main file."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        file = getattr(_spec(library), "origin", None)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file and os.path.isfile(file) else ""


def _is_package(module: str) -> bool:
    return os.path.basename(file_of(module) or "__init__.py") == "__init__.py"


@cache
def _source(module: str) -> _Source | None:
    """What the file of a module said when it was first asked; None without a file."""
    file = file_of(module)
    if file is None:
        return None
    content = Path(file).read_bytes()
    digest = hashlib.sha256(bytes([_is_package(module)]) + content).hexdigest()
    if digest not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[digest] = list(_parsed(content, _is_package(module)))
    return _Source(*_known[digest])


def _parsed(content: bytes, is_package: bool) -> _Source:
    tree = ast.parse(content)
    imports: set[tuple[int, str, str | None]] = set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [line for line in body if not _is_text(line)]
        imports.update(_imports_of(node))
        if is_package:
            names.update(_bound_by(node))
    code = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return _Source(code, sorted(imports, key=repr), sorted(names))


def _is_text(line: ast.stmt) -> bool:
    """Whether a statement is a docstring, or another text that has no effect."""
    value = getattr(line, "value", None)
    return isinstance(line, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str)


def _imports_of(node: ast.AST) -> Iterator[tuple[int, str, str | None]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield 0, alias.name if alias.asname else alias.name.partition(".")[0], None
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield node.level, node.module or "", alias.name
    elif isinstance(node, ast.Call):
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if function in ("import_module", "__import__"):
            name = getattr(node.args[0], "value", None) if node.args else None
            name = name if isinstance(name, str) else "."  # computed: it may be any module of the package
            yield len(name) - len(name.lstrip(".")), name.lstrip("."), None


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Names that a node binds; "*" for names that are not known."""
    if isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield "*" if node.name == "__getattr__" else node.name


@cache
def _imported(module: str) -> set[str]:
    """Modules that the imports in a module lead to directly."""
    package = module.split(".") if _is_package(module) else module.split(".")[:-1]
    found: set[str] = set()
    for level, name, attribute in _source(module).imports:  # type: ignore[union-attr]
        base = package[: len(package) - level + 1] if level else []
        target = ".".join([*base, *filter(None, [name])])
        top = target.partition(".")[0]
        if top in sys.stdlib_module_names:
            continue
        if not _is_read(top):
            found.add(top)
        elif attribute is None:
            found |= _reached_from(target)
        else:
            submodules = _reached_from(f"{target}.{attribute}") if _is_package(target) else frozenset()
            source = _source(target)
            found |= submodules
            if source is not None and (not submodules or {attribute, "*"} & set(source.names)):
                found.add(target)
    return found


@cache
def _reached_from(module: str) -> frozenset[str]:
    """Modules that attributes of a module may be: itself and, if it is a package, all modules in it."""
    top, *rest = module.split(".")
    found = {module} if file_of(module) is not None else set()
    if _is_package(module):
        for folder in (Path(place, *rest) for place in _folders(top)):
            for path in folder.rglob("*.py"):
                names = path.relative_to(folder).with_suffix("").parts
                found.add(".".join([module, *(names[:-1] if names[-1] == "__init__" else names)]))
    return frozenset(found)
