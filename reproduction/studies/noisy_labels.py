"""Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels (Mooney's slide 18)."""

import pandas as pd

from ..record.study import cells, study
from ..simulations.noise_tolerant import learned
from ..statistics import mean_against_zero

#: Data sets that are generated, so that all their own labels are right.
_DATASETS = ("balance", "car-evaluation", "nursery", "synthetic2", "synthetic3")
_BASES = ("naive_bayes", "decision_tree")
_N_TEST = 2000

#: The algorithms. Of each the share of the test examples, whose labels are right, that it misclassifies is
#: measured.
ALGORITHMS = (
    *("single", "bagging", "adaboost", "madaboost", "aveboost"),
    "brownboost",  # aims at a training error of 0.1
    "brownboost_told",  # aims at the share of wrong labels, at least 0.01
    "online_boosting",  # as in the thesis
    "tested_before",  # online boosting with `tested="before"`
)


@study(
    "noisy-labels",
    "Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels",
    dict.fromkeys(ALGORITHMS, float),
    smoke=lambda: cells(dataset="balance", base_model=_BASES, split=0, flipped=0.2, n_train=60, n_models=3),
    thesis=lambda: cells(
        dataset=_DATASETS,
        base_model=_BASES,
        split=range(6),
        flipped=(0.0, 0.05, 0.1, 0.2, 0.3),
        n_train=1000,
        n_models=25,
    ),
    quick=lambda task: task.split == 0,
    exhibits=("Mooney's slide 18",),
)
def noisy_labels(
    dataset: str, base_model: str, split: int, flipped: float, n_train: int, n_models: int
) -> tuple[float, ...]:
    """Errors after training on a random half of a data set, of whose labels the share `flipped` is wrong."""
    half, _, _, models = learned(dataset, base_model, split, flipped, n_train, n_models)
    X, y = half.X_test[:_N_TEST], half.y_test[:_N_TEST]
    return tuple(float((models[name].predict(X) != y).mean()) for name in ALGORITHMS)


def against_adaboost(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each algorithm with AdaBoost: differences of errors, averaged over the data sets.

    A row for each base model, share of wrong labels and algorithm: `difference`, its error minus AdaBoost's;
    `half_width`, half of its 95 % interval, by Student's t over the data sets, after their splits have been
    averaged.
    """
    means = rows.groupby(["base_model", "flipped", "dataset"])[list(ALGORITHMS)].mean()
    differences = means.sub(means["adaboost"], axis=0).drop(columns="adaboost")
    grouped = differences.groupby(["base_model", "flipped"])
    half_widths = grouped.agg(_half_width)
    found = {"difference": grouped.mean().stack(), "half_width": half_widths.stack()}
    return pd.DataFrame(found).rename_axis(["base_model", "flipped", "algorithm"])


def _half_width(values: pd.Series) -> float:
    return mean_against_zero(values).half_width
