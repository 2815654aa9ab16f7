"""Scores of Naive Bayes on the prices of electricity, beside the two references."""

from typing import Any

from oza.datasets import load_dataset
from oza.evaluation import prequential
from oza.models import NaiveBayesClassifier

from ..record.study import cells, study

_SCORES = ("accuracy", "kappa", "kappa_m", "kappa_temporal")


@study(
    "scored-streams",
    "Scores of Naive Bayes on the prices of electricity",
    {"classifier": str} | dict.fromkeys(_SCORES, float),  # of the classifier or of a reference
    smoke=lambda: cells(dataset="balance"),
    thesis=lambda: cells(dataset="electricity"),
)
def scored_streams(dataset: str) -> list[tuple[Any, ...]]:
    """Scores of Naive Bayes over all examples of a data set, in their order."""
    data = load_dataset(dataset)
    model = NaiveBayesClassifier(categorical_features=data.categorical_features)
    found = prequential({"naive Bayes": model}, (data.data, data.target), every=1000, progress=False)
    scores: Any = found.summary()[list(_SCORES)]
    return [(str(name), *map(float, values)) for name, *values in scores.itertuples(name=None)]
