"""The same rows in every container in which people have them, for tests that all mean the same."""

import numpy as np
import pandas as pd
import pyarrow

try:
    import polars
except ModuleNotFoundError:  # it is no dependency; a table of pyarrow is read in the same way
    polars = None


def columns_of(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def values_of(rows):
    return [[*row.values()] for row in rows]


def objects(rows):
    found = np.empty((len(rows), len(rows[0])), object)
    found[:] = values_of(rows)
    return found


def frame(rows):
    return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in columns_of(rows).items()})


#: From rows, dicts of Python's numbers, strings, booleans and None, to what holds them.
CONTAINERS = {
    "list of lists": values_of,
    "list of tuples": lambda rows: [tuple(row) for row in values_of(rows)],
    "list of dicts": lambda rows: rows,
    "list of series": lambda rows: [pd.Series(row, dtype=object) for row in rows],
    "array of objects": objects,
    "pandas of objects": frame,
    "pandas": pd.DataFrame,
    "pandas, nullable": lambda rows: frame(rows).convert_dtypes(),
    "pandas, of Arrow": lambda rows: frame(rows).convert_dtypes(dtype_backend="pyarrow"),
    "table of pyarrow": lambda rows: pyarrow.table(columns_of(rows)),
    "records": lambda rows: pd.DataFrame(rows).to_records(index=False),
}
if polars is not None:
    CONTAINERS["polars"] = lambda rows: polars.DataFrame(columns_of(rows), strict=False)
