"""The catalogue in `data/catalogue/`: one TOML file for each data set, and which are the thesis's."""

import difflib
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

_PACKAGED = Path(__file__).parent.parent / "_data" / "catalogue"
_CHECKOUT = Path(__file__).parent.parent.parent / "data" / "catalogue"

#: The catalogue of data sets: in a wheel a copy of `data/catalogue/` of a checkout.
CATALOGUE = _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT

#: The data sets of the thesis; whatever else is in the catalogue belongs to no study and to no table of it.
_OF_THESIS = (
    *("promoters", "balance", "soybean-large", "breast-cancer", "german-credit", "car-evaluation", "chess"),
    *("mushroom", "nursery", "connect4", "synthetic1", "synthetic2", "synthetic3", "census-income"),
    *("covertype", "covertype-head"),
)


@dataclass(frozen=True)
class Column:
    """One column of a data file.

    Attributes
    ----------
    name : str
        Name in the documentation of the data set.
    kind : {"nominal", "numeric", "class", "dropped"}
        What the column is used as.
    values : tuple of str
        Declared values of a nominal column or of the class, in the order of the codes.
    why : str
        Why the column is dropped.
    numbers : bool
        Whether the values of a nominal column are numbers according to the archive's documentation. They
        are declared in increasing order, a missing value last.
    """

    name: str
    kind: Literal["nominal", "numeric", "class", "dropped"] = "nominal"
    values: tuple[str, ...] = ()
    why: str = ""
    numbers: bool = False

    @property
    def holds_numbers(self) -> bool:
        """Whether the values of the column are numbers, however the column is used."""
        return self.numbers or self.kind == "numeric"


@dataclass(frozen=True)
class DataFile:
    """One file that contains a data set or a part of it.

    A part may exist in several files with the same examples (compressed in different ways, for
    instance), any of which can be used.

    Attributes
    ----------
    part : {"all", "train", "test"}
        What the file holds.
    rows : int
        Number of examples.
    path : str
        Path of the file in a mirror and in the cache; empty if the examples are drawn.
    url : str
        Address in the public archive; empty if the archive lacks this file.
    bytes : int or None
        Size, where known.
    sha256, git_blob, sha256_of_text : str
        Checksum: SHA-256 of the file, its git object id, or SHA-256 of the decompressed text. One of
        them is given for every file that has a path.
    excerpt : bool
        Whether only the first `rows` lines belong to the data set.
    """

    part: Literal["all", "train", "test"]
    rows: int
    path: str = ""
    url: str = ""
    bytes: int | None = None
    sha256: str = ""
    git_blob: str = ""
    sha256_of_text: str = ""
    excerpt: bool = False


@dataclass(frozen=True)
class DatasetInfo:
    """The catalogue's entry for a data set.

    Attributes
    ----------
    name : str
        Key for `load_dataset`.
    thesis_name : str
        Name in the thesis's tables.
    title : str
        Name in the archive.
    about : str
        The task, in one sentence.
    licence, citation : str
        Terms of use, and what to cite.
    split : {"five-fold", "supplied"}
        Cross-validation, or a training and a test set that come with the data.
    columns : tuple of Column
        All columns in the order of the file.
    files : tuple of DataFile
        Files that hold the data.
    separator : str
        Separator of the fields of a row.
    spelled : bool
        Whether the last field is a word with one value per character.
    generator : str
        How the library generates the data: by the "torque" rule, from "decision tables" or as a
        "chain" of random attributes; empty if it does not.
    note : str
        Further remarks.
    first_line : int
        Number of the line of the file, from 1, at which the rows begin.
    """

    name: str
    thesis_name: str
    title: str
    about: str
    licence: str
    citation: str
    split: Literal["five-fold", "supplied"]
    columns: tuple[Column, ...]
    files: tuple[DataFile, ...]
    separator: str = ","
    spelled: bool = False
    generator: str = ""
    note: str = ""
    first_line: int = 1

    @cached_property
    def attributes(self) -> tuple[Column, ...]:
        """The inputs, nominal and numeric, in the order of the file."""
        return tuple(column for column in self.columns if column.kind in ("nominal", "numeric"))

    @property
    def classes(self) -> tuple[str, ...]:
        """Class values in the order of their codes."""
        return next(column.values for column in self.columns if column.kind == "class")

    @property
    def generated(self) -> bool:
        """Whether the library generates the data, without any file."""
        return bool(self.generator)

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts that make up the whole set, in order."""
        return tuple(dict.fromkeys(file.part for file in self.files))

    def rows(self, part: str) -> int:
        """Count the examples of a part."""
        return next(file.rows for file in self.files if file.part == part)

    @cached_property
    def n_test(self) -> int:
        """Size of the supplied test set, or of the largest of five folds (as in Table 3.1)."""
        return self.rows("test") if self.split == "supplied" else -(-self.rows("all") // 5)

    @cached_property
    def n_train(self) -> int:
        """Size of the supplied training set, or of all but the largest of five folds."""
        return self.rows("train") if self.split == "supplied" else self.rows("all") - self.n_test


@lru_cache
def catalogue() -> dict[str, DatasetInfo]:
    """Every data set by its name, those of the thesis in the order of Table 3.1."""
    infos = {}
    for path in sorted(CATALOGUE.glob("*.toml")):
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        name = path.stem.partition("-")[2]  # the file's name starts with its place in the order
        columns = tuple(Column(**c | {"values": tuple(c.get("values", ()))}) for c in facts.pop("columns"))
        files = tuple(DataFile(**file) for file in facts.pop("files"))
        infos[name] = DatasetInfo(name=name, columns=columns, files=files, **facts)
    return infos


def list_datasets() -> list[str]:
    """Names of all data sets of the thesis, in the order of its Table 3.1.

    Soybean-Large has the position that it has in Table 1 of the KDD paper; `covertype-head`, the first
    20,000 rows of Forest Covertype, is last. `electricity`, which `load_dataset` also knows, is not in
    the thesis.

    Examples
    --------
    >>> from oza.datasets import list_datasets
    >>> list_datasets()[:3]
    ['promoters', 'balance', 'soybean-large']
    """
    return list(_OF_THESIS)


def dataset_info(name: str) -> DatasetInfo:
    """Look up the catalogue's entry for a data set.

    Parameters
    ----------
    name : str
        One of `list_datasets()`, or "electricity".

    Returns
    -------
    DatasetInfo
        Names, addresses, checksums, attributes, values, classes and split.

    Raises
    ------
    ValueError
        If there is no such data set.

    Examples
    --------
    >>> from oza.datasets import dataset_info
    >>> info = dataset_info("car-evaluation")
    >>> info.classes
    ('unacc', 'acc', 'good', 'vgood')
    >>> info.n_train, info.n_test
    (1382, 346)
    """
    try:
        return catalogue()[name]
    except (KeyError, TypeError):
        near = difflib.get_close_matches(str(name), catalogue(), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"name={name!r}: expected one of {', '.join(catalogue())}{hint}") from None
