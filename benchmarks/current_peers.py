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
from reproduction.record.study import cells
from reproduction.topics.who_would_you_pick import MOA, TASKS, current_peers, stream_of_run


def main():
    with closing(Store()) as store:
        for algorithm, command in MOA.items():
            listed = [current_peers.task(**cell) for cell in cells(TASKS, algorithm=algorithm)]
            done = store.recorded(listed)
            for task in listed:
                if task not in done:
                    X, y, values, classes = stream_of_run(task.dataset, task.n_examples, task.run)
                    twice = [1 + task.run] * 2  # the second time its code is compiled, and the heap clean
                    _, (right, first, second, size) = run_moa(
                        X, y, values, classes, "probability", command, twice
                    )
                    made = current_peers.row(len(y), right, first + second, size / 2**20, f"MOA in {CAPYMOA}")
                    store.add(task, made, provenance(current_peers.measure))
                    print(task.dataset, algorithm, task.run, right / len(y), flush=True)
            store.export()


if __name__ == "__main__":
    main()
