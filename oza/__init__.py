"""Online ensembles, exact and fast: the algorithms of N. C. Oza's *Online Ensemble Learning*.

Base models and ensembles follow scikit-learn's conventions. `oza.datasets` holds the thesis's data sets,
`oza.streams` generated streams, `oza.evaluation` test-then-train evaluation and tests of significance,
`oza.compare` the comparison on your own data, and `oza.extend` what base models and ensembles of your own are
made of.
"""

from importlib.metadata import PackageNotFoundError, version

from . import ensembles, experts, models
from .ensembles import *
from .experts import *
from .model_files import load, save
from .models import *

try:
    __version__ = version("oza")
except PackageNotFoundError:  # imported from a source tree that is not installed
    __version__ = "0+unknown"

__all__ = ["load", "save"]
__all__ += ensembles.__all__
__all__ += experts.__all__
__all__ += models.__all__
