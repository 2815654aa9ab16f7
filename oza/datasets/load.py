"""`load_dataset`: any data set of the catalogue, in the format of scikit-learn's loaders."""

from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from ..columns.validation import check_choice, check_integer
from .catalogue import DatasetInfo, dataset_info
from .fetch import part_text
from .generate import drawn_chain
from .readers import Table, read_rows


def load_dataset(
    name: str, *, subset: str = "all", return_X_y: bool = False, as_frame: bool = False, random_state: int = 0
) -> Any:
    """Load a data set.

    The library generates `balance`, `car-evaluation`, `nursery` and the Synthetic sets.  The
    others come from a mirror, from the cache or from the UCI archive, and are verified against the
    catalogue.

    Parameters
    ----------
    name : str
        One of `list_datasets()`, or "electricity", prices on a market of New South Wales from half an
        hour to the next.
    subset : {"all", "train", "test"}, default="all"
        All examples, or the training or test set of a data set that comes with that split
        (`soybean-large`, `census-income`).  In "all", the training set is first.
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.
    as_frame : bool, default=False
        Whether to return pandas objects.
    random_state : int, default=0
        Seed, 0 or greater, of the Synthetic sets; the other data sets ignore it.

    Returns
    -------
    Bunch
        With the keys

        data : array of shape (n, A), or DataFrame
            If all attributes are nominal, their codes as int64; otherwise float64, with codes
            in the nominal columns.  A code is the index of a value in `categories`.  In a frame,
            nominal columns are categorical, with the file's own values, and numeric ones float64.
        target : array of shape (n,), int64, or Series "class"
            Class codes: indices in `target_names`.
        target_names, feature_names : list of str
            Names of the classes and of the attributes.
        categorical_features : bool array of shape (A,)
            Which attributes are nominal.
        categories : list of length A
            The declared values of a nominal attribute (a list of str), None for a numeric one.
            A missing value is the value "?".
        frame : DataFrame or None
            Data and class together, if `as_frame`.
        n_train : int or None
            Rows of the supplied training set, if there is a supplied split.
        DESCR : str
            Description, source and citation of the data.
        name, thesis_name : str
            Key in the catalogue, and name in the thesis's tables.

    Raises
    ------
    ValueError
        If an argument is not one of those listed, or a row of the file is malformed.
    DatasetUnavailableError
        If the data are not on this machine and cannot be downloaded.

    Notes
    -----
    Environment variables name the locations of files: `OZA_DATA_MIRROR` a folder with the files under
    the catalogue's paths (`uci/...`), which has precedence; `OZA_CACHE` a folder for downloads,
    instead of the user's cache folder; `OZA_DATA_URL` the address of a web server with such a mirror,
    which replaces the archive (for a classroom behind a proxy). With `OZA_OFFLINE=1` nothing is
    downloaded: a file that is not on this machine is an error at once.

    References
    ----------
    N. C. Oza (2001), Online Ensemble Learning, Table 3.1 (data sets) and Table 3.2 (the
    Synthetic sets).

    Examples
    --------
    >>> from oza.datasets import load_dataset
    >>> car = load_dataset("car-evaluation")
    >>> car.data.shape
    (1728, 6)
    >>> car.feature_names[:2], car.categories[0]
    (['buying', 'maint'], ['vhigh', 'high', 'med', 'low'])
    >>> X, y = load_dataset("balance", return_X_y=True, as_frame=True)
    >>> X.iloc[0].to_list(), y.iloc[0]
    (['1', '1', '1', '1'], np.int64(1))
    """
    info = dataset_info(name)
    check_choice(f"the subset of {name}", subset, *dict.fromkeys(("all", *info.parts)))
    parts = info.parts if subset == "all" else (subset,)
    seed = check_integer("random_state", random_state, 0) if info.generator == "chain" else 0
    tables = [_table(info, part, seed) for part in parts]
    columns = [np.concatenate(pieces) for pieces in zip(*(table.columns for table in tables), strict=True)]
    target = np.concatenate([table.target for table in tables]).astype(np.int64)
    nominal = np.array([attribute.kind == "nominal" for attribute in info.attributes])

    data: Any
    frame = None
    if as_frame:
        data, target, frame = _framed(info, columns, target)
    else:
        data = np.column_stack(columns).astype(np.int64 if nominal.all() else np.float64, copy=False)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame,
        target_names=list(info.classes),
        feature_names=[attribute.name for attribute in info.attributes],
        categorical_features=nominal,
        categories=[list(a.values) if a.kind == "nominal" else None for a in info.attributes],
        n_train=info.n_train if info.split == "supplied" else None,
        DESCR=_description(info),
        name=info.name,
        thesis_name=info.thesis_name,
    )


@lru_cache(maxsize=8)
def _table(info: DatasetInfo, part: str, seed: int) -> Table:
    """Examples of a part, cached for the next call; callers must copy these arrays."""
    if info.generator == "chain":
        values, target = drawn_chain(info, seed)
        return Table(tuple(values.T), target)
    text, source = part_text(info, part)
    return read_rows(text, info, source)


def _framed(info: DatasetInfo, columns: list[np.ndarray], target: np.ndarray) -> tuple[Any, Any, Any]:
    """Convert to pandas objects: data, target, and both together."""
    import pandas as pd

    data = pd.DataFrame(
        {
            attribute.name: pd.Categorical.from_codes(column, pd.Index(attribute.values))
            if attribute.kind == "nominal"
            else column
            for attribute, column in zip(info.attributes, columns, strict=True)
        }
    )
    classes = pd.Series(target, name="class")
    return data, classes, pd.concat([data, classes], axis=1)


def _description(info: DatasetInfo) -> str:
    incomplete = sum("?" in attribute.values for attribute in info.attributes)
    numeric = sum(attribute.kind == "numeric" for attribute in info.attributes)
    dropped = [f"{column.name} ({column.why})" for column in info.columns if column.kind == "dropped"]
    rows = " + ".join(f"{info.rows(part):,}" for part in info.parts)
    addresses = ", ".join(file.url for file in info.files if file.url)
    lines = [
        f"{info.title}: {info.about}",
        f"{rows} examples, {len(info.attributes)} attributes ({numeric} numeric), "
        f"{len(info.classes)} classes. Name in tables: {info.thesis_name}.",
        f"Missing values: '?', a value of its own; attributes in which it may occur: {incomplete}."
        if incomplete
        else "Missing values: none.",
        f"Left out: {'; '.join(dropped)}." if dropped else "",
        info.note,
        f"Source: {'generated by this library' if info.generated else addresses or info.files[0].path}.",
        f"Licence: {info.licence}.",
        f"Cite: {info.citation}",
    ]
    return "\n".join(filter(None, lines)) + "\n"
