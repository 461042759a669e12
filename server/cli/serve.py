"""What the processes of `quatch serve` do first: read the settings and be the keeper, or get them from the keeper."""

import argparse
import ctypes.util
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import structlog
from msgspec import msgpack

from server.cli.failures import FAILURES, explain, warn_of_password
from server.config import Config
from server.keeper import PLAN_VARIABLE
from server.keeper.link import Failed, KeeperLink, Plan, line_of
from server.keeper.spawn import own_command
from server.limits import PROCESSES
from server.process import logs

UNUSED_LIBRARIES: Final = frozenset({"oqs", "liboqs", "nettle", "libnettle", "libnettle-6"})

log = structlog.get_logger("quatch.serve")


def serve(options: argparse.Namespace) -> int:
    """Run the server, whose first process loads already. Raises ConfigError and the other `FAILURES`."""
    if os.environ.pop(PLAN_VARIABLE, ""):
        return print_plan(options)
    from server.keeper.keeper import run_keeper  # noqa: PLC0415 - the other processes of a server need none of it

    return run_keeper(own_command(), read_plan(options), options.loaded)


def read_plan(options: argparse.Namespace) -> Plan:
    """Read and check the settings, and set up the log. Raises ConfigError."""
    flags = {key: value for key, value in vars(options).items() if key not in {"command", "config", "run", "loaded"}}
    config = Config.load(options.config, os.environ, flags)
    logs.configure(config.log_level)
    warn_of_password("--database", flags.get("database") or "")
    if config.passed_over:
        log.warning("settings passed over", settings=config.passed_over, problem="their features are not here")
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    most = min(cores, PROCESSES) if config.may_share_log else 1
    config = config if config.processes else replace(config, processes=most)
    return Plan(
        list(config.listens_at()),
        config.processes,
        config.watchdog,
        "" if config.database else config.data,
        config.log_level,
        msgpack.encode(config),
        config.may_share_log,
    )


def print_plan(options: argparse.Namespace) -> int:
    """Tell the keeper, which may be older than this program, what it has to know; or what is wrong."""
    said: Plan | Failed
    try:
        said = read_plan(options)
    except FAILURES as error:
        said = Failed(*explain(error))
    sys.stdout.buffer.write(line_of(said))
    return 0


def serve_players() -> int:
    """Be one process of a server until it is told to stop; the keeper is told why it cannot start."""
    # A terminal sends these to all processes: the keeper decides what they mean.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    link = KeeperLink()
    try:
        with without_unused_libraries():
            from server.app.run_process import run_process  # noqa: PLC0415

        welcome, descriptors = link.wait_for_welcome()
        config = msgpack.decode(welcome.settings, type=Config)
        logs.configure(config.log_level)
        run_process(welcome, descriptors, config, link)
    except FAILURES as error:
        link.tell(Failed(*explain(error)))
        return 1
    return 0


@contextmanager
def without_unused_libraries() -> Iterator[None]:
    """Inside the context, libraries of the operating system that the server has no use for seem to be missing.

    When asyncssh is imported it looks for liboqs and nettle, for algorithms that the server does not offer. Python
    looks for a library by running ldconfig and the compiler, which takes a tenth of the start.
    """
    find = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None if name in UNUSED_LIBRARIES else find(name)
    try:
        yield
    finally:
        ctypes.util.find_library = find
