"""Comparison of single models with batch, online and primed ensembles on your own data.

The command `oza compare` does all of it; the names here are for programs. `Work` computes a `Comparison`
step by step, and `comparison_report` writes it as one HTML file, which needs the extra `oza[report]`.
"""

from .algorithms import ALGORITHMS, ALGORITHMS_OF, BASE_MODELS, Algorithm, base_models_for
from .work import Comparison, Settings, Work, comparison_cells

__all__ = [
    "ALGORITHMS",
    "ALGORITHMS_OF",
    "BASE_MODELS",
    "Algorithm",
    "Comparison",
    "Settings",
    "Work",
    "base_models_for",
    "comparison_cells",
]
