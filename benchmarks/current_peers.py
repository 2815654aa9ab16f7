"""Record what MOA's ensembles of today make of the streams of the study `current-peers`.

    python -m benchmarks.current_peers

Recorded results are not computed again. Java is needed; MOA is in the wheel of CapyMOA. The other
classifiers are recorded by `python -m reproduction run current-peers`.
"""

from contextlib import closing

from benchmarks.peers import CAPYMOA
from benchmarks.stream_ensembles import run_moa
from reproduction.record import Store
from reproduction.record.store import provenance
from reproduction.studies.current_peers import MOA, STUDY, Followed, tasks_of


def main():
    with closing(Store()) as store:
        for algorithm, command in MOA.items():
            listed = tasks_of(algorithm)
            done = store.recorded(listed)
            for task in listed:
                if task not in done:
                    X, y, values, classes = task.examples()
                    twice = [1 + task.run] * 2  # the second time its code is compiled, and the heap clean
                    _, (right, first, second, size) = run_moa(
                        X, y, values, classes, "probability", command, twice
                    )
                    made = Followed(len(y), right, first + second, size / 2**20, f"MOA in {CAPYMOA}")
                    store.add(task, made, provenance(STUDY.measure))
                    print(task.dataset, algorithm, task.run, right / len(y), flush=True)
            store.export()


if __name__ == "__main__":
    main()
