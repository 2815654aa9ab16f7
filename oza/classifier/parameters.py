"""Parameters of estimators, as the fields of a data class."""

from dataclasses import dataclass, field
from typing import Any, dataclass_transform

import numpy as np


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def parameters(kind):
    """Give a class an `__init__` that stores its annotated attributes as given, after those of its bases.

    They may follow an attribute ``_: KW_ONLY``. An annotated attribute that is no parameter is a
    ``field(init=False)``.
    """
    kind = dataclass(eq=False, repr=False)(kind)
    kind.__init__.__annotations__.clear()  # the docstring says the types, and help shows the parameters
    return kind


def plain(value: Any) -> Any:
    """The value of a parameter, of which equal ones compare as equal: without arrays and estimators."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        return type(value), plain(value.get_params(deep=False))
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if hasattr(value, "__array__"):
        value = np.asarray(value).tolist()
    return (type(value), [*map(plain, value)]) if isinstance(value, list | tuple) else (type(value), value)
