"""Parameters of estimators, as the fields of a data class."""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def parameters(kind):
    """Give a class an `__init__` that stores its annotated attributes as given, after those of its bases.

    They may follow an attribute ``_: KW_ONLY``. An annotated attribute that is no parameter is a
    ``field(init=False)``.
    """
    kind = dataclass(eq=False, repr=False)(kind)
    kind.__init__.__annotations__.clear()  # the docstring says the types, and help shows the parameters
    return kind
