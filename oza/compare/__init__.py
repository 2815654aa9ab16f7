"""Your own data: reading a file, and comparing single models with batch, online and primed ensembles on it.

The command `oza compare` does all of it; the names here are for programs. `own_data` looks through a file,
`open_stream` reads it as a stream, `Work` computes a `Comparison`
step by step, and `comparison_report` writes it as one HTML file, which needs the extra `oza[report]`.
"""

from .algorithms import ALGORITHMS, ALGORITHMS_OF, BASE_MODELS, Algorithm, base_models_for
from .own import OwnData, own_data
from .stream import FileStream, open_stream
from .work import Comparison, Settings, Work, comparison_cells

__all__ = [
    "ALGORITHMS",
    "ALGORITHMS_OF",
    "BASE_MODELS",
    "Algorithm",
    "Comparison",
    "FileStream",
    "OwnData",
    "Settings",
    "Work",
    "base_models_for",
    "comparison_cells",
    "open_stream",
    "own_data",
]
