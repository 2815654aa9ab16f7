"""The other libraries of the benchmark: how they are found, and how their times are measured.

A peer that is not installed is omitted, with a message that says how to install it.
"""

import csv
import dataclasses
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

CAPYMOA = "capymoa==0.15.1"  # its wheel contains a release of MOA


class Missing(Exception):
    """A peer is not installed; the message says how to install it."""


def timed(ready, repeats):
    """CPU seconds of each of `repeats` runs of what `ready()` returns."""
    seconds = []
    for _ in range(repeats):
        work = ready()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return seconds


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


class Moa:
    """MOA from the command line; measures CPU seconds of its task, without the start of the Java VM.

    MOA measures only its own thread, so just-in-time compilation is not counted; reading the ARFF
    file is part of the task.
    """

    name = "MOA"

    def __init__(self, folder):
        if shutil.which("java") is None:
            raise Missing("java is not found: MOA is omitted")
        self.jar = moa_jar()
        self.folder = folder

    @property
    def version(self):
        return f"in {CAPYMOA}"

    def measure(self, row, data, learner, n_models, repeats):
        """(number of examples, CPU seconds of each run) of a learner in MOA's notation, or a detector."""
        if row.task == "detect":
            lines = [moa_adwin(data.y, 0.002, 32) for _ in range(repeats)]
            return data.n_train, [float(found[-1][3]) for found in lines]
        arff = self.folder / f"{data.name}.arff"
        if not arff.exists():
            write_arff(data, arff)
        source = f"-s (ArffFileStream -f {arff})"
        ensemble = f"-l ({learner} -s {n_models})" if row.base else f"-l ({learner})"
        if row.task == "prequential":
            task = f"EvaluateInterleavedTestThenTrain {ensemble} {source} -i {data.n_train} -f {data.n_train}"
        else:
            task = f"LearnModel {ensemble} {source} -m {data.n_train}"
        return data.n_train, [self._seconds(task) for _ in range(repeats)]

    def _seconds(self, task):
        done = subprocess.run(
            ["java", "-XX:+UseSerialGC", "-cp", str(self.jar), "moa.DoTask", task],
            capture_output=True,
            text=True,
        )
        for line in csv.DictReader(done.stdout.splitlines()):
            if line.get("evaluation time (cpu seconds)"):
                return float(line["evaluation time (cpu seconds)"])
        found = re.search(r"Task completed in ([\d.]+)s \(CPU time\)", done.stderr)
        if done.returncode or found is None:
            raise RuntimeError(f"MOA did not finish the task {task!r}:\n{done.stderr[-2000:]}")
        return float(found[1])


def moa_adwin(values, delta, clock):
    """What MOA's ADWIN finds in a series: lists of words, as `Adwin.java` describes its lines."""
    if shutil.which("java") is None:
        raise Missing("java is not found: MOA is omitted")
    source = Path(__file__).with_name("Adwin.java")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "values"
        file.write_bytes(values.astype("<f8").tobytes())
        command = ["java", "-XX:+UseSerialGC", "-cp", moa_jar(), source, file, delta, clock]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def moa_jar():
    """Path of moa.jar, which is extracted from the wheel of CapyMOA the first time."""
    installed = importlib.util.find_spec("capymoa")
    if installed is not None and installed.origin:
        return Path(installed.origin).parent / "jar" / "moa.jar"
    jar = Path(os.environ.get("OZA_CACHE") or platformdirs.user_cache_dir("oza")) / "peers" / "moa.jar"
    if not jar.exists():
        print(f"extracting moa.jar from the wheel of {CAPYMOA} (62 MB) ...", file=sys.stderr)
        jar.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=jar.parent) as folder:
            pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "download"]
            done = subprocess.run([*pip, "--no-deps", "--dest", folder, CAPYMOA])
            if done.returncode:
                raise Missing(f"{CAPYMOA} could not be downloaded: MOA is omitted")
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extract("capymoa/jar/moa.jar", folder)
            (Path(folder) / "capymoa/jar/moa.jar").rename(jar)
    return jar


def write_arff(data, path):
    """Write the training examples."""

    def kind(values):
        return "numeric" if values is None else nominal(values)

    def nominal(values):
        return "{" + ",".join(f"'{value}'" for value in values) + "}"

    def text(values, entry):
        return repr(entry) if values is None else f"'{values[int(entry)]}'"

    with path.open("w", encoding="utf-8") as file:
        print(f"@relation {data.name}", file=file)
        for name, values in zip(data.feature_names, data.categories, strict=True):
            print(f"@attribute '{name}' {kind(values)}", file=file)
        print(f"@attribute class {nominal(data.target_names)}\n@data", file=file)
        for codes, label in zip(data.X[: data.n_train].tolist(), data.y.tolist(), strict=False):
            entries = map(text, data.categories, codes)
            print(",".join([*entries, f"'{data.target_names[label]}'"]), file=file)


class River:
    """River, on the beginning of the stream: all of it would take an hour."""

    name = "River"

    def __init__(self):
        if importlib.util.find_spec("river") is None:
            raise Missing("river is not installed: pip install river")

    @property
    def version(self):
        return version_of("river")

    def measure(self, row, data, learner, n_models, repeats):
        """(number of examples, CPU seconds of the run) of a `RiverLearner`."""
        n_examples = min(learner.most_examples, data.n_train)
        labels = data.y[:n_examples].tolist()
        examples = [learner.encode(entries) for entries in data.X[:n_examples].tolist()]
        stream = list(zip(examples, labels, strict=True))

        def ready():
            model = learner.make(n_models)

            def work():
                if row.task == "detect":
                    for label in labels:
                        model.update(label)
                    return
                for x, label in stream:
                    if row.task.startswith("prequential"):
                        model.predict_one(x)
                    model.learn_one(x, label)

            return work

        return n_examples, timed(ready, 1)


@dataclasses.dataclass(frozen=True)
class RiverLearner:
    """What River runs."""

    make: Callable[[int], Any]  # the learner, given the number of models
    encode: Callable[[list], dict] = lambda entries: dict(enumerate(entries))  # an example as River takes it
    most_examples: int = 1000


def river_ensemble(algorithm):
    """Bagging or boosting of River with its multinomial Naive Bayes, which learns counts of values."""

    def make(n_models):
        from river import ensemble, naive_bayes

        return getattr(ensemble, algorithm)(naive_bayes.MultinomialNB(), n_models=n_models, seed=0)

    return RiverLearner(make, lambda codes: {f"{a}={value}": 1 for a, value in enumerate(codes)})


def river_tree(is_nominal):
    """River's Hoeffding tree, with the parameters of ours."""

    def make(_):
        from river import tree

        nominal = [a for a, answer in enumerate(is_nominal) if answer]
        return tree.HoeffdingTreeClassifier(delta=1e-7, nominal_attributes=nominal)

    return RiverLearner(make, most_examples=20_000)


def river_adwin():
    """River's ADWIN."""

    def make(_):
        from river import drift

        return drift.ADWIN()

    return RiverLearner(make, most_examples=100_000)


class InPython:
    """Learners with scikit-learn's interface, in this process."""

    def __init__(self, name, package):
        self.name = name
        self.package = package

    @property
    def version(self):
        return version_of(self.package)

    def measure(self, row, data, make, n_models, repeats):
        """(number of examples, CPU seconds of each run) of the work that `make(data)` prepares."""
        n_examples, ready = make(data)
        return n_examples, timed(ready, repeats)
