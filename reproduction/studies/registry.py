"""The registry of studies, which the commands `run`, `status` and `verify` use."""

from importlib import import_module
from typing import Any

from ..record.study import PROFILES, Study
from ..simulations import simulation
from .accuracy import GRIDS

#: Modules with studies, in the order in which commands list them after the grids.
_MODULES = (
    *("curves", "errors", "overcounting", "calendar", "calendar_drift", "memorisation", "variants"),
    *("calibration", "network_settings", "stump_settings", "nan_settings", "tree_settings"),
    *("independent", "stream_ensembles", "drawn_streams", "current_peers", "courses", "times", "parallel"),
    "work",
    *("few_labels", "wrong_labels", "noisy_labels", "diversity", "forests", "scored_streams"),
    *("boosting_laws", "boosting_forms", "repairs", "bole_parts"),
    *("blocks", "leaf_budget", "lossy"),
)
_SINGLE = [each for name in _MODULES for each in vars(import_module(f".{name}", __package__)).values()]

#: Studies by name.
STUDIES: dict[str, Study] = {
    study.name: study for study in (*GRIDS.values(), *_SINGLE, simulation.STUDY) if isinstance(study, Study)
}


def tasks(study: str, profile: str) -> list[Any]:
    """All tasks of a study in a profile, in no particular order.

    >>> len(tasks("naive-bayes", "smoke"))
    36
    >>> set(tasks("naive-bayes", "quick")) < set(tasks("naive-bayes", "thesis"))
    True
    """
    if study not in STUDIES:
        raise ValueError(f"study={study!r}: expected one of {', '.join(STUDIES)}")
    if profile not in PROFILES:
        raise ValueError(f"profile={profile!r}: expected one of {', '.join(PROFILES)}")
    return list(STUDIES[study].tasks(profile))
