"""The registry of studies, which the commands `run`, `status` and `verify` use."""

from typing import Any

from ..record.study import PROFILES, Study
from . import (
    blocks,
    boosting_forms,
    boosting_laws,
    calendar,
    calendar_drift,
    calibration,
    courses,
    curves,
    diversity,
    drawn_streams,
    errors,
    few_labels,
    forests,
    independent,
    leaf_budget,
    lossy,
    memorisation,
    network_settings,
    noisy_labels,
    overcounting,
    parallel,
    scored_streams,
    stream_ensembles,
    stump_settings,
    times,
    today,
    variants,
    work,
    wrong_labels,
)
from .accuracy import GRIDS

#: Studies by name.
STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *GRIDS.values(),
        curves.STUDY,
        errors.STUDY,
        overcounting.BY_SIZE,
        overcounting.BY_ATTRIBUTES,
        calendar.STUDY,
        calendar_drift.STUDY,
        memorisation.STUDY,
        variants.STUDY,
        calibration.STUDY,
        network_settings.STUDY,
        stump_settings.STUDY,
        independent.STUDY,
        stream_ensembles.STUDY,
        drawn_streams.STUDY,
        today.STUDY,
        courses.STUDY,
        times.STUDY,
        parallel.STUDY,
        work.STUDY,
        few_labels.STUDY,
        few_labels.ACTIVE,
        wrong_labels.STUDY,
        noisy_labels.STUDY,
        diversity.STUDY,
        forests.STUDY,
        scored_streams.STUDY,
        boosting_laws.STUDY,
        boosting_forms.STUDY,
        blocks.STUDY,
        leaf_budget.STUDY,
        lossy.STUDY,
    )
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
