"""A Dask cluster that computes tasks; only the driver writes."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from functools import cache, partial
from typing import Any

from oza.extras import required

from .runner import RemoteResult, ended_after, use_one_thread
from .store import provenance

_CONNECT_SECONDS = 60


class Cluster(Executor):
    """The workers of a Dask cluster, whose scheduler has an address, or is "local" and has `jobs` processes.

    The process of a worker that computes a task for more seconds than `time_limit` is ended. Dask then tries
    the task elsewhere, several times. Workers must have one thread. `BrokenExecutor` says that no scheduler
    answers.
    """

    def __init__(self, scheduler: str, jobs: int, time_limit: float | None = None):
        self.scheduler, self.time_limit = scheduler, time_limit
        self._distributed = required("distributed", "a cluster")
        self._local: Any = None
        self._client: Any = None
        if scheduler == "local":
            self._local = self._distributed.LocalCluster(  # its dashboard at any free port
                n_workers=jobs, threads_per_worker=1, dashboard_address=":0"
            )
        self.connected()

    def connected(self) -> "Cluster":
        """The cluster, to which this process has connected anew."""
        if self._client is not None:
            self._client.close(timeout=2)
        try:
            self._client = self._distributed.Client(self._local or self.scheduler, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise BrokenExecutor(f"no scheduler answers at {self.scheduler} ({error})") from error
        return self

    @property
    def description(self) -> str:
        n = len(self._client.scheduler_info(n_workers=-1)["workers"])
        return f"{n} workers of {self._client.scheduler.address}; dashboard: {self._client.dashboard_link}"

    @property
    def in_flight(self) -> int:
        """A number of tasks that keeps all present workers busy."""
        return max(16, 4 * sum(self._client.nthreads().values()))

    def submit(self, measure: Callable[[Any], Any], task: Any) -> Future:  # type: ignore[override]
        """Submit a task; its result is that of `measure` and the provenance.

        If the cluster loses it, the future raises `CancelledError`.
        """
        answer: Future = Future()
        remote = self._client.submit(_compute, measure, self.time_limit, task, pure=False)
        # Dask's own executor can leave a future open.
        remote.add_done_callback(partial(_copy_outcome, answer))
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; one on this machine ends."""
        for each in (self._client, self._local):
            if each is not None:
                with suppress(TimeoutError):
                    each.close(timeout=2)


def _copy_outcome(answer: Future, remote: Any) -> None:
    if answer.set_running_or_notify_cancel():
        try:
            answer.set_result(remote.result(timeout=_CONNECT_SECONDS))
        except BaseException as error:
            answer.set_exception(error if remote.status == "error" else CancelledError())


def _compute(measure: Callable[[Any], Any], time_limit: float | None, task: Any) -> RemoteResult:
    use_one_thread()
    with ended_after(time_limit, file=2):
        return RemoteResult(measure(task), _provenance_here(measure))


_provenance_here = cache(provenance)
