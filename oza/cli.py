"""The command `oza`: data sets, studies, verification, claims and comparisons."""

import argparse
import json
import multiprocessing
import os
import secrets
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from . import __version__

INTERRUPTED = 130  # the conventional exit code after Ctrl-C
USER_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        Arguments after `oza`; None means those of the process.

    Returns
    -------
    int
        Exit code: 0 on success, 1 if something that was requested failed, 2 if an argument is wrong or
        something required is missing, 130 after Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    options.words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return options.command(options)
    except BrokenPipeError:  # the reader, `head` for instance, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        print(f"oza: {error}", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt:
        if options.command is _compare:
            print("oza: interrupted; no report was written.", file=sys.stderr)
            return INTERRUPTED
        print(
            "oza: interrupted. Finished tasks are recorded; the same command, without --again, continues "
            "from there.",
            file=sys.stderr,
        )
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    from .experiments import PROFILES, STUDIES

    parser = argparse.ArgumentParser(
        prog="oza",
        description="Online bagging and boosting: the experiments of N. C. Oza's thesis, run again.",
        epilog="`oza COMMAND --help` says more. Results are stored in data/results of a checkout, "
        "or in the folder named by OZA_RESULTS.",
    )
    parser.add_argument("--version", action="version", version=f"oza {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    data = commands.add_parser("data", help="list, fetch or check the data sets").add_subparsers(
        metavar="COMMAND", required=True
    )
    listing = data.add_parser("list", help="list all data sets, and whether they are on this machine")
    listing.set_defaults(command=_data_list)
    fetch = data.add_parser("fetch", help="download the data sets that are not on this machine")
    fetch.add_argument("names", nargs="*", metavar="NAME", help="a data set; all of them when none is given")
    fetch.set_defaults(command=_data_fetch)
    check = data.add_parser("verify", help="check the files on this machine against the catalogue")
    check.set_defaults(command=_data_verify)

    run = commands.add_parser(
        "run",
        help="run studies; recorded tasks are not run again",
        description="Run studies. Each result is recorded as soon as it is computed; Ctrl-C loses only "
        "running tasks, and the same command continues from there. Results do not depend on --jobs.",
    )
    run.add_argument(
        "studies", nargs="*", metavar="STUDY", help=f"all of them when none is given: {', '.join(STUDIES)}"
    )
    run.add_argument(
        "--again",
        action="store_true",
        help="first remove the recorded results of the studies, which must be named, and run them again",
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
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="worker processes (default: one for each processor, %(default)s); timing studies always use one",
    )
    _add_results(run)
    run.set_defaults(command=_run)

    status = commands.add_parser("status", help="show how much of each study is recorded")
    _add_results(status)
    status.set_defaults(command=_status)

    verify = commands.add_parser(
        "verify",
        help="compute a sample of the recorded results again, and compare bit for bit",
        description="Compute a random sample of the recorded results of all studies again and compare them "
        "bit for bit. The sample takes from each study in turn. What cannot be reproduced, such as times, "
        "is listed with the reason.",
    )
    verify.add_argument(
        "--sample", type=_positive, default=50, metavar="N", help="how many results (default: %(default)s)"
    )
    verify.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the sample (default: a new one each time, which is shown)",
    )
    _add_results(verify)
    verify.set_defaults(command=_verify)

    judge = commands.add_parser(
        "judge",
        help="judge claims again by recorded results",
        description="Judge claims of the thesis and of the KDD paper again, and say by which rule, what was "
        "found, and in which results. The evidence is read from recorded results or computed; no notebook "
        "is executed. To judge all claims takes about two minutes.",
    )
    judge.add_argument(
        "claims", nargs="*", metavar="CLAIM", help="C066, for instance; all of them when none is given"
    )
    judge.add_argument(
        "--check",
        action="store_true",
        help="show only differences from the recorded verdicts; exit code 1 if there are any",
    )
    judge.add_argument("--record", action="store_true", help="record the verdicts")
    judge.set_defaults(command=_judge)

    score = commands.add_parser(
        "scorecard",
        help="show the verdict on every claim and every printed accuracy",
        description="Show the verdict on every claim of the thesis and of the KDD paper, empirical claims "
        "first, how our accuracies compare with the printed ones, and how much of the protocol is recorded. "
        "Nothing is computed: verdicts are those of the last execution of the book (`make book`), accuracies "
        "are the recorded ones.",
    )
    score.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people or programs (default: %(default)s)",
    )
    _add_results(score)
    score.set_defaults(command=_scorecard)
    _add_compare(commands)
    return parser


def _add_compare(commands: Any) -> None:
    from .experiments import Settings

    usual = Settings()
    compare = commands.add_parser(
        "compare",
        help="compare single models with batch, online and primed ensembles on a file of your own",
        description="Compare single models with batch, online and primed bagging and boosting on a table "
        "of your own, as the thesis does, and write a report as one HTML file. A row of the file is an "
        "example; columns of numbers are divided into ten bins, all others are nominal. Missing numbers "
        "have their own bin; a row without a class is an error.",
    )
    compare.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="text with a header (separator and encoding are detected), JSON lines or a list of JSON "
        "records, compressed or not; Parquet, Feather, or Excel (.xlsx)",
    )
    compare.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    which = compare.add_mutually_exclusive_group()
    which.add_argument("--columns", nargs="+", metavar="COLUMN", help="learn from these columns only")
    which.add_argument("--drop", nargs="+", default=[], metavar="COLUMN", help="leave these columns out")
    compare.add_argument(
        "--nominal", nargs="+", default=[], metavar="COLUMN", help="columns whose numbers are names"
    )
    compare.add_argument(
        "--base-model",
        nargs="+",
        choices=usual.base_models,
        default=usual.base_models,
        metavar="MODEL",
        help=f"which base models (default: all, {', '.join(usual.base_models)})",
    )
    numbers = {
        "n-models": "base models in an ensemble",
        "repetitions": "cross-validations",
        "folds": "folds of a cross-validation",
        "limit": "largest number of examples in the cross-validation; a larger file is sampled",
    }
    for name, text in numbers.items():
        default = getattr(usual, name.replace("-", "_"))
        compare.add_argument(
            f"--{name}", type=_positive, default=default, metavar="N", help=f"{text} (default: %(default)s)"
        )
    compare.add_argument(
        "--seed",
        type=int,
        default=usual.seed,
        metavar="N",
        help="seed of splits and draws (default: %(default)s)",
    )
    compare.add_argument(
        "--chunk-size",
        type=_positive,
        default=10_000,
        metavar="N",
        help="rows read at a time (default: %(default)s)",
    )
    compare.add_argument("--out", type=Path, metavar="REPORT", help="the report (default: FILE with .html)")
    compare.set_defaults(command=_compare)


def _add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="folder of results, instead of the usual one"
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not 1 or greater")
    return number


def _data_list(options: argparse.Namespace) -> int:
    from .datasets import dataset_info, list_datasets, verify_dataset

    print(
        f"{'name':16} {'in the thesis':36} {'train':>7} {'test':>7} {'inputs':>6} {'classes':>7}  "
        "on this machine"
    )
    for name in list_datasets():
        info = dataset_info(name)
        states = "/".join(dict.fromkeys(file.state for file in verify_dataset(name)))
        print(
            f"{name:16} {info.thesis_name:36} {info.n_train:7} {info.n_test:7} "
            f"{len(info.attributes):6} {len(info.classes):7}  {states}"
        )
    return 0


def _data_fetch(options: argparse.Namespace) -> int:
    from .datasets import DatasetUnavailableError, dataset_info, fetch_dataset, list_datasets

    names = options.names or list_datasets()
    for name in names:
        dataset_info(name)  # so that a misspelled name is refused before any download
    n_missing = 0
    for name in names:
        try:
            paths = fetch_dataset(name)
            print(f"{name}: {', '.join(map(str, paths)) or 'generated, needs no file'}")
        except DatasetUnavailableError as error:
            n_missing += 1
            print(f"oza: {error}", file=sys.stderr)
    return 1 if n_missing else 0


def _data_verify(options: argparse.Namespace) -> int:
    from .datasets import list_datasets, verify_dataset

    files = [file for name in list_datasets() for file in verify_dataset(name)]
    for file in files:
        print(f"{file.dataset:16} {file.part:5} {file.state:9} {file.fault}".rstrip())
    return 1 if any(file.state == "damaged" for file in files) else 0


def _run(options: argparse.Namespace) -> int:
    from .experiments import STUDIES, Store, tasks
    from .experiments.runner import unreachable

    if options.again and not options.studies:
        raise ValueError("--again removes recorded results; name the studies to run again")
    wanted = {study: tasks(study, options.profile) for study in options.studies or STUDIES}
    with closing(Store(options.results)) as store:
        store.export()  # results that a killed run has left in the journal
        missing = {task for some in wanted.values() for task in some}
        if not options.again:
            missing -= store.recorded(missing)
        absent = unreachable(task.dataset for task in missing)
        for name, reason in absent.items():
            print(f"oza: skipping {name}: {reason}", file=sys.stderr)
        if options.again:
            for study, dataset in {(task.study, task.dataset) for task in missing}:
                if dataset not in absent:
                    store.forget(STUDIES[study], dataset)
        failures = []
        try:
            for study, some in wanted.items():
                failures += _run_study(
                    study, [task for task in some if task.dataset not in absent], store, options.jobs
                )
        except BrokenExecutor:
            print(
                "oza: a worker process died, perhaps because memory was exhausted. Finished tasks are "
                "recorded; the same command continues from there, and fewer --jobs need less memory.",
                file=sys.stderr,
            )
            return 1
        finally:
            store.export()
    for failure in failures:
        print(f"oza: failed: {failure.task}: {failure.error}", file=sys.stderr)
    return 1 if failures else 0


def _run_study(name: str, wanted: list, store, jobs: int) -> list:
    from .experiments import STUDIES, run
    from .experiments.runner import processes

    study = STUDIES[name]
    n_before = len(store.recorded(wanted))
    print(f"{name}: {len(wanted)} tasks, {n_before} already recorded", file=sys.stderr)
    if n_before == len(wanted):
        return []
    executor = processes(1 if study.timed else jobs)
    try:
        return run(study, wanted, store, executor, in_flight=1 if study.timed else 2 * jobs, progress=True)
    except KeyboardInterrupt:
        _stop(executor)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _stop(executor: ProcessPoolExecutor) -> None:
    """Terminate the workers without waiting for their tasks."""
    executor.shutdown(wait=False, cancel_futures=True)
    for worker in multiprocessing.active_children():
        worker.terminate()


def _status(options: argparse.Namespace) -> int:
    from .experiments import PROFILES, STUDIES, Store, tasks
    from .experiments.store import as_tasks, read_study

    with closing(Store(options.results)) as store:
        store.export()
    print(f"results in {store.folder}")
    for study in STUDIES.values():
        feeds = f" ({', '.join(study.exhibits)})" if study.exhibits else ""
        print(f"\n{study.name}: {study.title}{feeds}")
        done = set(as_tasks(study, read_study(study, store.folder)))
        others = set(done)
        for profile in PROFILES:
            wanted = set(tasks(study.name, profile))
            others -= wanted
            open_sets = Counter(task.dataset for task in wanted - done)
            n_done = len(wanted & done)
            rest = (
                ""
                if not open_sets
                else "; to do: " + ", ".join(f"{k} {n}" for k, n in sorted(open_sets.items()))
            )
            print(f"  {profile:7} {n_done:6} of {len(wanted):6} tasks{rest if n_done else ''}")
        reasons = Counter(study.elsewhere(task) or "of no profile" for task in others)
        for reason, n in reasons.items():
            print(f"  also    {n:6} {reason}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from .experiments import STUDIES, Store, repeatable, verify
    from .experiments.results import not_repeatable
    from .experiments.runner import processes, unreachable
    from .experiments.store import read_study

    with closing(Store(options.results)) as store:
        store.export()
    results = [
        one for study in STUDIES.values() for one in repeatable(study, read_study(study, store.folder))
    ]
    if not results:
        raise ValueError("there are no recorded results; `oza run` makes some")
    absent = unreachable(one.stratum[0] for one in results)
    for name, reason in absent.items():
        print(f"oza: leaving out {name}: {reason}", file=sys.stderr)
    results = [one for one in results if one.stratum[0] not in absent]
    seed = secrets.randbelow(2**32) if options.seed is None else options.seed
    print(f"a random sample of {len(results)} results (--seed {seed} draws it again)")
    with processes(min(options.sample, os.cpu_count() or 1)) as executor:
        n_checked, mismatches = verify(results, options.sample, seed, executor)
    for name, before, now in mismatches:
        print(f"differs: {name}: recorded {before}, computed {now}")
    print(f"{n_checked} results computed again, {len(mismatches)} differ from what is recorded")
    for line in not_repeatable(store.folder):
        print(f"not compared: {line}")
    return 1 if mismatches else 0


def _judge(options: argparse.Namespace) -> int:
    from .analysis import Record
    from .claims import CHECKS, judge, recorded_verdicts, renew_verdicts
    from .exhibits import verdict_text
    from .experiments.store import results_folder

    folder = results_folder()
    on_record = recorded_verdicts(folder).set_index("claim")
    if on_record.empty:
        raise ValueError(f"{folder / 'verdicts'} holds no verdicts; `make book` leaves some")
    wanted = sorted(set(options.claims)) or sorted(CHECKS)
    if unknown := set(wanted) - set(on_record.index):
        raise ValueError(
            f"{', '.join(sorted(unknown))}: no verdict on record; expected C001 to {max(CHECKS)}"
        )
    if not options.claims:
        print(f"judging {len(wanted)} claims, which takes about two minutes", file=sys.stderr)
    record, judged, n_different = Record(), [], 0
    for name in wanted:
        page, outcome, evidence, rule = on_record.loc[name, ["page", "outcome", "evidence", "rule"]]
        (verdict,) = judge(record, name)
        judged.append(verdict)
        is_same = (verdict.outcome, verdict.evidence, verdict.rule) == (outcome, evidence, rule)
        n_different += not is_same
        if not (options.check and is_same):
            print(verdict_text(verdict, page))
        if not is_same:
            print(f"      On record: {outcome}; {evidence}\n      Judged then: {rule}")
    if options.record:
        renew_verdicts(folder, judged)
    print(f"{len(judged)} claims judged again; {n_different} differ from what is on record")
    return 1 if options.check and n_different else 0


def _scorecard(options: argparse.Namespace) -> int:
    from .exhibits import scorecard, scorecard_record, scorecard_text

    card = scorecard(options.results)
    if options.format == "json":
        print(json.dumps(scorecard_record(card), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        print(scorecard_text(card))
    return 0


def _compare(options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from .datasets import own_data
    from .exhibits import comparison_report, comparison_table
    from .experiments import Settings, Work
    from .experiments.store import replace_file

    out = options.out or options.file.with_suffix(".html")
    if not out.parent.is_dir():
        raise ValueError(f"--out {out}: there is no folder {out.parent}")
    data = own_data(
        options.file, options.target, options.columns, options.drop, options.nominal, options.chunk_size
    )
    print(f"{data.path.name}: read as {data.table.format}; {data.n_rows:,} examples", file=sys.stderr)
    work = Work(
        data,
        Settings(
            tuple(options.base_model),
            options.n_models,
            options.repetitions,
            options.folds,
            options.seed,
            options.limit,
        ),
    )
    steps = work.steps()
    bar = tqdm(
        total=sum(map(work.size, steps)),
        file=sys.stderr,
        mininterval=0.5 if sys.stderr.isatty() else 30,
        bar_format="{percentage:3.0f}%|{bar:20}| {elapsed}{postfix}",
    )
    with bar:
        for step in steps:
            bar.set_postfix_str(f"{step.algorithm} of {step.base_model}, {step.kind}", refresh=False)
            work.do(step, bar.update)
    found = work.found()
    replace_file(out, comparison_report(found, f"oza {' '.join(options.words)}").encode())
    print(comparison_table(found).to_string())
    print(f"\nThe report is in {out}")
    return 0
