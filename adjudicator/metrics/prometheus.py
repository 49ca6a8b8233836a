"""The meter over the Prometheus client: counts, times, and the page that a Prometheus reads.

The processes of one service (``adjudicator serve``) count in files of one folder, one set a process, so that
the web process can show them all. A process by itself counts in its memory. Which of the two it is, the
client decides by ``FOLDER_VARIABLE`` when it is imported: so that has to stand in the environment that a
process is started with, and this module is imported only where something is counted.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    multiprocess,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from adjudicator.errors import ConfigurationError
from adjudicator.metrics.folder import FOLDER_VARIABLE
from adjudicator.service.meter import Delivery, Ending, Load

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"
"""All methods that nobody needs are one, so that callers cannot make up any number of series."""

REQUEST_BUCKETS_S = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
ATTEMPT_BUCKETS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
ENGINE_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30)


class PrometheusMeter:
    """Keeps the ``ShownMeter`` port; see there for what each method does. One a process."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        own = CollectorRegistry()
        self._own = own
        self._folder = os.environ.get(FOLDER_VARIABLE)
        name = "adjudicator_"
        self._requests = Counter(
            f"{name}http_requests", "Requests answered.", ["method", "route", "status"], registry=own
        )
        self._request_s = Histogram(
            f"{name}http_request_seconds",
            "From the head of a request to the end of its answer.",
            ["method", "route"],
            registry=own,
            buckets=REQUEST_BUCKETS_S,
        )
        self._submissions = Counter(
            f"{name}submissions",
            "Matches taken, by whether their adjudication is new.",
            ["new"],
            registry=own,
        )
        self._attempts = Counter(
            f"{name}attempts", "Attempts at adjudications that ended.", ["ending", "code"], registry=own
        )
        self._attempt_s = Histogram(
            f"{name}attempt_seconds",
            "How long attempts took.",
            ["ending"],
            registry=own,
            buckets=ATTEMPT_BUCKETS_S,
        )
        self._running = Gauge(
            f"{name}attempts_running", "Attempts under way.", registry=own, multiprocess_mode="livesum"
        )
        self._running.set(0)  # the file may be that of a dead process of the same id
        self._engine_s = Histogram(
            f"{name}engine_seconds",
            "How long engines took for what they were asked at once.",
            ["engine"],
            registry=own,
            buckets=ENGINE_BUCKETS_S,
        )
        self._positions = Counter(
            f"{name}engine_positions", "Positions that engines judged.", ["engine"], registry=own
        )
        self._engine_failures = Counter(
            f"{name}engine_failures", "What engines did not answer.", ["engine", "code"], registry=own
        )
        self._deliveries = Counter(
            f"{name}webhook_deliveries", "Attempts to deliver webhooks.", ["outcome"], registry=own
        )

    def answered(self, method: str, route: str, status: int, took_s: float) -> None:
        """See ``Meter.answered``."""
        method = method if method in METHODS else OTHER_METHOD
        self._requests.labels(method, route, status).inc()
        self._request_s.labels(method, route).observe(took_s)

    def submitted(self, *, is_new: bool) -> None:
        """See ``Meter.submitted``."""
        self._submissions.labels("yes" if is_new else "no").inc()

    def running(self, attempts: int) -> None:
        """See ``Meter.running``."""
        self._running.set(attempts)

    def attempt_ended(self, ending: Ending, *, took_s: float | None = None, code: str = "") -> None:
        """See ``Meter.attempt_ended``."""
        self._attempts.labels(ending.value, code).inc()
        if took_s is not None:
            self._attempt_s.labels(ending.value).observe(took_s)

    def engine_answered(self, engine: str, positions: int, took_s: float) -> None:
        """See ``Meter.engine_answered``."""
        self._engine_s.labels(engine).observe(took_s)
        self._positions.labels(engine).inc(positions)

    def engine_failed(self, engine: str, code: str) -> None:
        """See ``Meter.engine_failed``."""
        self._engine_failures.labels(engine, code).inc()

    def delivered(self, outcome: Delivery) -> None:
        """See ``Meter.delivered``."""
        self._deliveries.labels(outcome.value).inc()

    def expose(self, load: Load) -> bytes:
        """See ``ShownMeter.expose``."""
        shown = CollectorRegistry()
        if self._folder is None:
            shown.register(_Part(self._own))
        else:
            _forget_live_values_of_the_dead(Path(self._folder))
            multiprocess.MultiProcessCollector(shown, self._folder)  # type: ignore[no-untyped-call]
        shown.register(_Facts(load))
        return generate_latest(shown)

    def serve(self, host: str, port: int) -> None:
        """See ``ShownMeter.serve``."""
        if self._folder is not None:
            return
        try:
            start_http_server(port, host, self._own)
        except OSError as error:
            raise ConfigurationError(
                f"Metrics cannot be shown on {host} port {port} ({error.strerror}): set "
                "ADJUDICATOR_METRICS_HOST or ADJUDICATOR_METRICS_PORT to something else"
            ) from error


class _Part(Collector):
    """What another registry holds."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterable[Metric]:
        return self._registry.collect()


class _Facts(Collector):
    """What is asked when somebody looks: the load, and which version this is; without what is not known."""

    def __init__(self, load: Load) -> None:
        self._load = load

    def collect(self) -> Iterable[Metric]:
        build = GaugeMetricFamily("adjudicator_info", "Which version runs; always 1.", labels=["version"])
        build.add_metric([version("adjudicator")], 1)
        yield build
        facts = (
            ("queue_length", "Tickets that wait in the queue.", self._load.queue_length),
            ("workers", "Workers heard of in the last seconds, on all machines.", self._load.workers),
            ("oldest_waiting_seconds", "How long the first of what is due has waited.", self._load.oldest_s),
        )
        for name, meaning, value in facts:
            if value is not None:
                yield GaugeMetricFamily(f"adjudicator_{name}", meaning, value)
        reachable = GaugeMetricFamily(
            "adjudicator_reachable", "Whether what the service stands on answers.", labels=["part"]
        )
        reachable.add_metric(["queue"], self._load.queue_length is not None)
        reachable.add_metric(["database"], self._load.oldest_s is not None)
        yield reachable


def _forget_live_values_of_the_dead(folder: Path) -> None:
    """However a process ended: what it counted stays, what it was at is over."""
    for file in folder.glob("gauge_live*_*.db"):
        process_id = int(file.stem.rpartition("_")[2])
        if not _is_alive(process_id):
            with suppress(FileNotFoundError):  # another request found it too
                multiprocess.mark_process_dead(process_id, str(folder))  # type: ignore[no-untyped-call]


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
