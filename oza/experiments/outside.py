"""Recorded results outside the studies that can be computed again row by row, and those that cannot."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, fields
from functools import partial
from pathlib import Path

import pandas as pd

from .curves import CURVES, Measure, Point, load_curve, measure, recorded_points
from .errors import errors_of
from .overcounting import answers_by_size
from .protocol import prepare
from .results import Repeatable
from .study import STUDIES, Task
from .times import task_by_size
from .work import BY_SIZE, Work, count_work, planned_work

_MEASURES = ["accuracy", "names_common", "others_ruled_out", "confidence"]


def repeatable_outside(folder: Path) -> list[Repeatable]:
    """Say how to have recorded results outside the studies again.

    These are the points of learning curves, errors of base models, numbers of models beside the times
    by size, counts of work, and the answers of Naive Bayes by size.

    Parameters
    ----------
    folder : Path
        Folder of recorded results.
    """
    return [*_curves(folder), *_errors(folder), *_models_made(folder), *_work(folder), *_answers(folder)]


def not_repeatable(folder: Path) -> dict[str, int]:
    """Count the files of recorded results that `verify` does not look at, by folder or by name.

    Left out of this are the database and the verdicts, which the book records.
    """
    looked_at = {*STUDIES, "curves", *(f"extra/{kind}" for kind in ("errors", "times", "work"))}
    others: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.*")):
        place = path.relative_to(folder)
        kind = place.parent.as_posix() if len(place.parts) > 1 else place.name
        if place == Path("extra") / _ANSWERS or kind in {*looked_at, "verdicts"} or "store.sqlite" in kind:
            continue
        others[kind] += 1
    return dict(others)


def _read(folder: Path, pattern: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Read the files of `extra` that match, each with its name."""
    for path in sorted((folder / "extra").glob(pattern)):
        yield f"{path.parent.name}/{path.stem}", pd.read_parquet(path)


def _curves(folder: Path) -> Iterator[Repeatable]:
    for name in CURVES:
        if (folder / "curves" / f"{name}.csv").exists():
            rows = load_curve(name, folder / "curves")
            measured = rows[[field.name for field in fields(Measure)]].itertuples(index=False, name=None)
            for point, value in zip(recorded_points(rows), measured, strict=True):
                of = f"{point.algorithm}, {point.n_train} examples, split {point.repetition}/{point.fold}"
                stratum = (point.dataset, "curves", point.base_model, point.algorithm)
                yield Repeatable(f"curves/{name}: {of}", stratum, value, partial(_measured, point))


def _measured(point: Point) -> tuple:
    return astuple(measure(point))


def _errors(folder: Path) -> Iterator[Repeatable]:
    for name, rows in _read(folder, "errors/*.parquet"):
        dataset, base_model = map(str, rows[["dataset", "base_model"]].iloc[0])
        n_models = int(rows["model"].max())  # online there are as many as there can be
        for (repetition, algorithm), found in rows.groupby(["repetition", "algorithm"]):
            task = Task("errors", dataset, base_model, str(algorithm), n_models, int(str(repetition)), 0, 0)
            yield Repeatable(
                f"{name}: {algorithm}, repetition {repetition}",
                (dataset, "errors", base_model, str(algorithm)),
                tuple(found.sort_values("model")["error"]),
                partial(_erring, task),
            )


def _erring(task: Task) -> tuple:
    return tuple(errors_of(task).tolist())


def _models_made(folder: Path) -> Iterator[Repeatable]:
    for name, rows in _read(folder, "times/*.parquet"):
        columns = ["dataset", "repeat", "n_train", "n_made"]
        made = rows.loc[rows["algorithm"] == "boosting", columns].itertuples(index=False, name=None)
        for dataset, repeat, n_train, n_made in made:
            yield Repeatable(
                f"{name}: models made of {n_train} examples, repeat {repeat}",
                (dataset, "times by size"),
                (n_made,),
                partial(_made, dataset, repeat, n_train),
            )


def _made(dataset: str, repeat: int, n_train: int) -> tuple:
    examples = prepare(task_by_size(dataset, "boosting", 0))  # one order for all repeats
    ensemble = task_by_size(dataset, "boosting", repeat).estimator()
    return (len(ensemble.fit(examples.X_train[:n_train], examples.y_train[:n_train]).estimators_),)


def _work(folder: Path) -> Iterator[Repeatable]:
    cell = ["dataset", "base_model", "algorithm", "n_train"]
    for name, rows in _read(folder, "work/*.parquet"):
        study = name.removeprefix("work/")
        if study not in STUDIES and study != BY_SIZE:
            continue
        planned = {(t.dataset, t.base_model, t.algorithm, n): t for t, n in planned_work(study)}
        values = rows[list(Work._fields)].itertuples(index=False, name=None)
        for place, value in zip(rows[cell].itertuples(index=False, name=None), values, strict=True):
            dataset, base_model, algorithm, n_train = place
            task = planned.get(place if study == BY_SIZE else (*place[:3], None))
            if task is not None:
                yield Repeatable(
                    f"{name}: {algorithm} of {base_model} on {n_train} examples of {dataset}",
                    (dataset, "work", base_model, algorithm),
                    value,
                    partial(_counted, task, n_train),
                )


def _counted(task: Task, n_train: int) -> tuple:
    return tuple(count_work(task, n_train))


_ANSWERS = "overcounting/census-income-sizes.parquet"


def _answers(folder: Path) -> Iterator[Repeatable]:
    for name, rows in _read(folder, _ANSWERS):
        columns = ["dataset", "n_train", "alpha", *_MEASURES]
        for dataset, n_train, alpha, *value in rows[columns].itertuples(index=False, name=None):
            yield Repeatable(
                f"{name}: alpha {alpha:g}, {n_train} examples",
                (dataset, "overcounting"),
                tuple(value),
                partial(_answered, dataset, n_train, alpha),
            )


def _answered(dataset: str, n_train: int, alpha: float) -> tuple:
    return tuple(answers_by_size(dataset, [n_train], [alpha])[_MEASURES].iloc[0])
