"""Recorded scores of Naive Bayes on the prices of electricity, beside the two references."""

from dataclasses import dataclass
from typing import Any, ClassVar

from oza.datasets import load_dataset
from oza.evaluation import prequential
from oza.models import NaiveBayesClassifier

from ..record.study import Study


@dataclass(frozen=True, order=True)
class ScoredStream:
    """Naive Bayes on the examples of a data set in their order."""

    study: ClassVar = "scored-streams"
    dataset: str


@dataclass(frozen=True)
class Scores:
    """Scores of a classifier or of a reference over all examples, as of `oza.evaluation.prequential`."""

    classifier: str
    accuracy: float
    kappa: float
    kappa_m: float
    kappa_temporal: float


def of_stream(task: ScoredStream) -> list[Scores]:
    data = load_dataset(task.dataset)
    model = NaiveBayesClassifier(categorical_features=data.categorical_features)
    found = prequential({"naive Bayes": model}, (data.data, data.target), every=1000, progress=False)
    scores: Any = found.summary()[["accuracy", "kappa", "kappa_m", "kappa_temporal"]]
    return [Scores(str(row[0]), *map(float, row[1:])) for row in scores.itertuples(name=None)]


STUDY = Study.of(
    of_stream,
    "Scores of Naive Bayes on the prices of electricity",
    smoke=lambda: [ScoredStream("balance")],
    thesis=lambda: [ScoredStream("electricity")],
)
