"""Scores on a stream: those of Naive Bayes on the prices of electricity, and how scores go up and down."""

from typing import Any

from oza.datasets import load_dataset
from oza.evaluation import Evaluation, prequential
from oza.models import NaiveBayesClassifier

from ..figures import BAGGING, GUIDE, INK, Picture, drawing, lines
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


def prequential_curves(evaluation: Evaluation) -> Picture:
    """Plot the accuracies in the window of two models, in grey those of the baselines, along the stream.

    A second panel shows how much larger that of the second model is than that of the first.
    """
    rows = evaluation.scores.query("over == 'window'")
    by_model: Any = rows.pivot(index="n_examples", columns="model", values="accuracy")[rows["model"].unique()]
    first, second, *_ = by_model
    looks = {
        first: (INK, "-"),
        second: (BAGGING, "-"),
        "no change": (GUIDE, "--"),
        "majority class": (GUIDE, ":"),
    }
    with drawing(510, phone=True) as figure:
        above, below = figure.subplots(2, 1, height_ratios=(2, 1))
        lines(above, by_model, looks, linewidth=1.3)
        above.set_ylabel("accuracy")
        gap = by_model[[second]].sub(by_model[first], axis="index")
        lines(below, gap, {second: looks[second]}, linewidth=1.3)
        below.set_ylabel(f"minus {first}")
        for axes in figure.axes:
            axes.set_xlabel("examples")
            axes.locator_params(axis="x", nbins=4)
        figure.legend(*above.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    texts = [
        f"{model}: {scores.iloc[0]:.3f} at first, {scores.iloc[-1]:.3f} at the end, "
        f"{scores.mean():.3f} on average"
        for model, scores in by_model.items()
    ]
    return Picture(figure, "\n".join(["Accuracy along the stream, over: window.", *texts]), rows)
