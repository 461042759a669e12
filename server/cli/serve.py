"""`quatch serve`: one process, or the supervisor of several."""

import argparse
import os
import sys
from dataclasses import replace

import structlog
from msgspec import msgpack

from server.app.link import SupervisorLink
from server.app.link_messages import Failed
from server.app.signals_and_exit import process_command
from server.cli.failures import FAILURES, explain, warn_of_password
from server.config import Config
from server.limits import PROCESSES
from server.process import gc_tuning, logs
from server.process.startup_speed import without_unused_libraries

log = structlog.get_logger("quatch.serve")


def serve(options: argparse.Namespace) -> int:
    """Run the server. Raises ConfigError and the other `FAILURES`."""
    if (link := SupervisorLink.inherited()) is not None:
        return _serve_supervised(options, link)
    config = _server_config(options)
    warn_of_password("--database", options.database or "")
    if config.processes == 1:
        _run_server(config)
        return 0
    # The supervisor is a small program: in the place of this one, it keeps its number and frees its memory.
    supervisor = [sys.executable, "-m", "server.app.supervisor", config.log_level, str(config.processes)]
    return os.execv(sys.executable, [*supervisor, *process_command()])  # noqa: S606 - it is our own program


def _serve_supervised(options: argparse.Namespace, link: SupervisorLink) -> int:
    """Run one of several server processes; the supervisor is told why it cannot start."""
    try:
        config = msgpack.decode(link.settings, type=Config) if link.settings else _server_config(options)
        logs.configure(config.log_level)
        _run_server(config, link)
    except FAILURES as error:
        problem, status = explain(error)
        link.tell(Failed(problem, status))
        return status
    return 0


def _run_server(config: Config, link: SupervisorLink | None = None) -> None:
    """Serve in this process until it is told to stop."""
    gc_tuning.pause_until_started()
    with without_unused_libraries():
        from server.app.run_process import run_server  # noqa: PLC0415 - all of the server: the supervisor does not need it

    run_server(config, link)


def _server_config(options: argparse.Namespace) -> Config:
    """The settings of a server, with the number of its processes. Raises ConfigError."""
    flags = {key: value for key, value in vars(options).items() if key not in {"command", "config", "run"}}
    config = Config.load(options.config, os.environ, flags)
    logs.configure(config.log_level)
    if config.passed_over:
        log.warning("settings passed over", settings=config.passed_over, problem="their features are not here")
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return config if config.processes else replace(config, processes=min(cores, PROCESSES))
