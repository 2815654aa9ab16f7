"""The commands of the reproduction: run, status, verify, judge, conformance and scorecard."""

import argparse
import json
import multiprocessing
import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from oza.cli import run_command
from oza.compare.command import positive

from .paths import DATA


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command with the arguments after `python -m reproduction`; None means those of the process.

    Returns the exit code: 0 on success, 1 if something that was requested failed, 2 if an argument is wrong
    or something required is missing, 130 after Ctrl-C, 143 after SIGTERM.
    """
    return run_command(_parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    from .record import PROFILES
    from .topics import studies
    from .topics.who_does_what import cells, rules

    parser = argparse.ArgumentParser(
        prog="python -m reproduction",
        description="The experiments of N. C. Oza's thesis, run again.",
        epilog="`python -m reproduction COMMAND --help` says more. Results are stored in data/results, or in "
        "the folder named by OZA_RESULTS.",
    )
    parser.set_defaults(interrupted="interrupted.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def added(name: str, command: Callable[[argparse.Namespace], int], says: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=says, description=command.__doc__)
        found.set_defaults(command=command)
        return found

    run = added("run", _run, "run studies; recorded tasks are not run again")
    run.add_argument(
        "studies", nargs="*", metavar="STUDY", help=f"all of them when none is given: {', '.join(studies())}"
    )
    run.add_argument(
        "--again",
        action="store_true",
        help="compute the tasks of the studies, which must be named, again; each new result replaces the "
        "recorded one when it is there",
    )
    run.add_argument(
        "--profile",
        choices=PROFILES,
        default="quick",
        help="smoke: seconds, generated data only; quick: minutes, one five-fold run; "
        "thesis: the full protocol (default: %(default)s)",
    )
    run.add_argument(
        "--jobs",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="worker processes (default: one for each processor, %(default)s); timing studies always use one",
    )
    run.add_argument(
        "--time-limit",
        type=_seconds,
        metavar="SECONDS",
        help="a task that takes longer has failed (default: no limit)",
    )
    run.add_argument(
        "--retries",
        type=_count,
        default=0,
        metavar="N",
        help="try a task that fails N times more (default: %(default)s)",
    )
    run.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="compute on a Dask cluster, whose scheduler has this address, tcp://10.0.0.1:8786 for instance; "
        "`local` starts one with --jobs processes. Timing studies run in a process of this machine",
    )
    run.add_argument(
        "--retry-failed", action="store_true", help="try tasks again that failed in earlier runs"
    )

    status = added("status", _status, "show how much of each study is recorded")

    verify = added("verify", _verify, "compute a sample of the recorded results again, and compare")
    verify.add_argument("--study", choices=studies(), metavar="STUDY", help="only results of this study")
    verify.add_argument(
        "--profile",
        choices=PROFILES,
        help="only results of this profile; those of smoke are all simulations with small parameters, a "
        "second each",
    )
    verify.add_argument(
        "--sample", type=positive, default=50, metavar="N", help="how many results (default: %(default)s)"
    )
    verify.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the sample (default: a new one each time, which is shown)",
    )
    verify.add_argument(
        "--record", action="store_true", help="add to confirmed.csv what was confirmed on which processor"
    )

    judge = added("judge", _judge, "judge claims again by recorded results")
    judge.add_argument(
        "claims", nargs="*", metavar="CLAIM", help="number of a claim; all of them when none is given"
    )
    judge.add_argument(
        "--check",
        action="store_true",
        help="show only differences from the recorded verdicts; exit code 1 if there are any",
    )
    judge.add_argument(
        "--record", action="store_true", help="record the verdicts, which pages and scorecard show"
    )

    conformance = added("conformance", _conformance, "show which implementations do what the sources say")
    conformance.add_argument(
        "--implementation", choices=cells()["implementation"].unique().tolist(), help="only this one"
    )
    conformance.add_argument(
        "--row", choices=[*rules().index], metavar="ROW", help="only this rule, by its name"
    )

    score = added("scorecard", _scorecard, "show the verdict on every claim and every printed accuracy")
    score.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people or programs (default: %(default)s)",
    )
    for each in (run, status, verify, score):
        each.add_argument(
            "--results", type=Path, metavar="DIR", help="folder of results, instead of the usual one"
        )
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def _say(text: object) -> None:
    print(text, file=sys.stderr)


def _run(options: argparse.Namespace) -> int:
    """Run studies. Each result is recorded as soon as it is computed; Ctrl-C, SIGTERM and a full disk lose
    only running tasks, and the same command continues from there. Results do not depend on --jobs. A task
    that fails is recorded with its traceback and left out from then on; the others go on. A task that kills
    its worker process twice has failed.
    """
    from .record import Store
    from .record.cluster import Cluster
    from .record.lists import unlisted
    from .record.runner import NO_SPACE, unreachable
    from .record.store import results_folder
    from .topics import studies, tasks

    if options.again and not options.studies:
        raise ValueError("--again computes recorded results anew; name the studies to run again")
    wanted = {study: tasks(study, options.profile) for study in options.studies or studies()}
    is_published = (options.results or results_folder()).resolve() == DATA / "results"
    if is_published and (found := [each for study in wanted for each in unlisted(studies()[study])]):
        raise ValueError(f"nothing is run: {'; '.join(found)}")
    options.interrupted = "interrupted. All results are as they were."
    with closing(Store(options.results)) as store:
        for note in store.notes:
            _say(f"reproduction: {note}")
        failures = []
        try:
            try:
                store.export()  # results that a killed run has left in the journal
                missing = {task for of_study in wanted.values() for task in of_study}
                if not options.again:
                    missing -= store.recorded(missing)
                failed = {} if options.retry_failed else store.failed(missing)
                absent = unreachable(task.dataset for task in missing)
                for name, reason in absent.items():
                    _say(f"reproduction: skipping {name}: {reason}")
                where = options.scheduler
                with Cluster(where, options.jobs, options.time_limit) if where else nullcontext() as cluster:
                    if cluster is not None:
                        _say(cluster.description)
                    for study, of_study in wanted.items():
                        chosen = [t for t in of_study if t.dataset not in absent and t not in failed]
                        failures += _run_study(study, chosen, store, options, cluster)
            finally:
                options.interrupted = (
                    f"interrupted. {store.n_added} finished tasks are recorded; the same command "
                    + ("computes all tasks again." if options.again else "continues from there.")
                )
                store.export()
        except BrokenExecutor as error:
            _say(
                f"reproduction: stopped, since workers are lost: {error}. {store.n_added} finished tasks are "
                "recorded; the same command continues from there, and fewer --jobs need less memory."
            )
            return 1
        except OSError as error:
            if error.errno not in NO_SPACE:
                raise
            _say(
                f"reproduction: stopped, since there is no space left: {error}. {store.n_added} finished "
                f"tasks are recorded in {store.folder}; free some space, and the same command continues."
            )
            return 1
    for failure in failures:
        _say(f"reproduction: failed: {failure.task}: {failure.error}")
    for task, reason in failed.items():
        _say(f"reproduction: left out, since it failed before: {task}: {reason}")
    if failures or failed:
        _say(f"reproduction: the tracebacks are in {store.failures}; --retry-failed tries these tasks again.")
    return 1 if failures or failed else 0


def _run_study(name: str, wanted: list, store, options: argparse.Namespace, cluster: Any) -> list:
    from .record import run
    from .record.runner import processes
    from .topics import studies

    study = studies()[name]
    n_before = len(store.recorded(wanted))
    _say(f"{name}: {len(wanted)} tasks, {n_before} already recorded")
    n_open = len(wanted) if options.again else len(wanted) - n_before
    if not n_open:
        return []
    jobs = 1 if study.timed else min(options.jobs, n_open)
    is_here = cluster is None or study.timed
    executor = processes(jobs) if is_here else cluster
    try:
        return run(
            study,
            wanted,
            store,
            executor,
            in_flight=1 if study.timed else 2 * jobs if is_here else cluster.in_flight,
            progress=True,
            again=options.again,
            retries=options.retries,
            time_limit=options.time_limit,
            renew=partial(processes, jobs) if is_here else cluster.connected,
        )
    except BaseException:
        if is_here:
            _stop(executor)
        raise
    finally:
        if is_here:
            executor.shutdown(cancel_futures=True)


def _stop(executor: Executor) -> None:
    """Terminate the workers without waiting for their tasks."""
    manager = getattr(executor, "_executor_manager_thread", None)  # which the executor forgets when shut down
    executor.shutdown(wait=False, cancel_futures=True)
    for worker in multiprocessing.active_children():
        worker.terminate()
    if manager is not None:  # it closes a pipe that Python would write to at exit
        manager.join(timeout=2)


def _status(options: argparse.Namespace) -> int:
    from .record import PROFILES
    from .record.store import recorded_of, results_folder, tasks_in_journal
    from .topics import studies, tasks

    folder = options.results or results_folder()
    print(f"results in {folder}")
    journal = tasks_in_journal(folder)
    for study in studies().values():
        feeds = f" ({', '.join(study.exhibits)})" if study.exhibits else ""
        print(f"\n{study.name}: {study.title}{feeds}")
        wanted = {profile: set(tasks(study.name, profile)) for profile in PROFILES}
        planned, done, others = set().union(*wanted.values()), set(), Counter[str]()
        for task in recorded_of(study, folder, journal):
            if task in planned:
                done.add(task)
            if task not in planned or study.computed_by(task):
                others[study.computed_by(task) or "of no profile"] += 1
        for profile, of_profile in wanted.items():
            open_sets = Counter(task.dataset for task in of_profile - done)
            n_done = len(of_profile & done)
            rest = "; to do: " + ", ".join(f"{k} {n}" for k, n in sorted(open_sets.items()))
            shown = rest if n_done and open_sets else ""
            print(f"  {profile:7} {n_done:6} of {len(of_profile):6} tasks{shown}")
        for reason, n in sorted(others.items()):
            print(f"  also    {n:6} {reason}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    """Compute a random sample of recorded results again and compare them: exact ones bit for bit, close ones
    within their tolerance, those of their processor by their statistics. The sample takes from each study in
    turn, and those expected to take least time come first. What cannot be reproduced, such as times, is
    listed with the reason, and what is planned and not recorded is named. Without --record nothing is
    written. The exit code is 1 if a result differs.
    """
    from tqdm import tqdm

    from .record import verification
    from .record.runner import processes, unreachable
    from .record.store import results_folder
    from .topics import studies

    folder = options.results or results_folder()
    wanted = studies().values() if options.study is None else [studies()[options.study]]
    recorded = {study: study.recorded(options.profile, folder) for study in wanted}
    results = [one for study, rows in recorded.items() for one in verification.repeatable(study, rows)]
    if not results:
        raise ValueError("there are no recorded results; `python -m reproduction run` makes some")
    absent = unreachable(one.stratum[0] for one in results)
    for name, reason in absent.items():
        _say(f"reproduction: leaving out {name}: {reason}")
    results = [one for one in results if one.stratum[0] not in absent]
    seed = secrets.randbelow(2**32) if options.seed is None else options.seed
    print(f"a random sample of {len(results)} results (--seed {seed} draws it again)")
    chosen = verification.stratified(results, options.sample, seed)
    differs: dict[str, bool] = {}  # by the names of the results
    executor = processes(min(options.sample, os.cpu_count() or 1))
    try:
        found = verification.verify(chosen, executor)
        for one, computed in tqdm(found, total=len(chosen), mininterval=0.5 if sys.stderr.isatty() else 60):
            differs[one.name] = computed is not None
            if computed is not None:
                tqdm.write(f"differs: {one.name}: recorded {one.value}, computed {computed}")
    except BaseException:
        _stop(executor)
        options.interrupted = f"interrupted. Of {len(differs)} results, {sum(differs.values())} differ."
        raise
    executor.shutdown()
    if lacking := [one.name for one in chosen if one.name not in differs]:
        print(f"left out, since their data are not available here: {', '.join(lacking)}")
    print(f"{len(differs)} results computed again, {sum(differs.values())} differ from what is recorded")
    counts = verification.confirmed(results, differs)
    for _, (where, kind, n, n_again, n_differ) in counts.iterrows():
        print(f"{kind}: of {n} results recorded on {where}, {n_again} computed again, {n_differ} differ")
    if options.record:
        today, here = datetime.now(UTC).date().isoformat(), verification.this_processor()
        rows = counts[counts["computed again"] > 0].assign(**{"date": today, "confirmed on": here})
        columns = ["date", "confirmed on", "recorded on", "kind", "computed again", "differ"]
        path = folder / "confirmed.csv"
        rows[columns].to_csv(path, mode="a", header=not path.exists(), index=False)
    for line in verification.not_repeatable(studies(), folder):
        print(f"not compared: {line}")
    for line in verification.missing_results(studies(), folder):
        print(f"missing: {line}")
    return int(any(differs.values()))


def _judge(options: argparse.Namespace) -> int:
    """Judge claims of the thesis, the KDD paper and the lectures again, and say by which rule, what was
    found, and in which results. The evidence is read from recorded results or computed; no notebook is
    executed. To judge all claims takes about 20 seconds.
    """
    from .claims.cards import verdict_text
    from .claims.verdicts import record_verdicts, recorded_verdicts
    from .printed.record import Record
    from .record.lists import all_breaches
    from .record.store import results_folder
    from .topics import checks, judge, studies
    from .topics.scorecard import cell_counts

    folder = results_folder()
    if folder == DATA / "results" and (breaches := all_breaches(studies().values())):
        raise ValueError(f"nothing is judged: {'; '.join(breaches)}")
    on_record = recorded_verdicts(folder).set_index("claim").to_dict("index")
    wanted = sorted(set(options.claims)) or list(checks())
    if not options.claims:
        _say(f"judging {len(wanted)} claims, which takes about 20 seconds")
    record, judged, n_different = Record(), [], 0
    for name in wanted:
        (verdict,) = judge(record, name)
        judged.append(verdict)
        former = on_record.get(name)
        now = {"outcome": verdict.outcome, "evidence": verdict.evidence, "rule": verdict.rule}
        is_same = former is not None and now.items() <= former.items()
        n_different += not is_same
        if not (options.check and is_same):
            print(verdict_text(verdict, *([former["page"]] if former else [])))
        if former is None:
            print("      Not on record.")
        elif not is_same:
            print(f"      On record: {former['outcome']}; {former['evidence']}")
            print(f"      Judged then: {former['rule']}")
    if options.record:
        record_verdicts(folder, judged, cell_counts(record))
    print(f"{len(judged)} claims judged again; {n_different} differ from what is on record")
    return 1 if options.check and n_different else 0


def _conformance(options: argparse.Namespace) -> int:
    """Show which implementations of the algorithms do what the sources say. With a row or an implementation,
    also what was fed, expected and observed. Nothing is computed: `make conformance` records it.
    """
    from .topics.who_does_what import ConformanceTable, cells, rules

    found, listed = cells(), rules()
    if not options.row and not options.implementation:
        verdicts = ConformanceTable(listed, found).verdicts
        print(" " * 22, *(f"{name:18}" for name in verdicts))
        for name, of_row in verdicts.iterrows():
            print(f"{name!s:22}", *(f"{verdict:18}" for verdict in of_row))
        return 0
    for row in listed.loc[[options.row] if options.row else listed.index].itertuples():
        print(f"{row.Index}, of {row.algorithm}\n  {row.rule}\n  by     {row.place}")
        print(f"  fed    {row.fed}\n  bounds {row.expected}")
        for cell in found[found["row"] == row.Index].itertuples():
            if options.implementation not in (None, cell.implementation):
                continue
            made_by = f"{cell.implementation} {cell.version}, {cell.date}"
            print(f"  {made_by}: {cell.verdict}" + f": {cell.observed}".rstrip(": "))
            if cell.script and cell.verdict in ("deviates", "crashes", "hangs"):
                print(f"    {cell.script!s} shows it")
        print()
    return 0


def _scorecard(options: argparse.Namespace) -> int:
    """Show the verdict on every claim of the thesis, the KDD paper and the lectures, empirical claims first,
    how our accuracies compare with the printed ones, and how much of the protocol is recorded. Nothing is
    computed: verdicts are those that `judge --record` left, accuracies are the recorded ones.
    """
    from .topics.scorecard import scorecard, scorecard_record, scorecard_text

    card = scorecard(options.results)
    if options.format == "json":
        print(json.dumps(scorecard_record(card), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        print(scorecard_text(card))
    return 0
