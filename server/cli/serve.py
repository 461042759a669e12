"""`quatch serve`: the settings, and a server of one process if no feature keeps several."""

import argparse
import ctypes.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from typing import Final

import structlog

from server.cli.failures import warn_of_password
from server.command_line import settings_in
from server.config import Config
from server.limits import PROCESSES
from server.process import gc_tuning, logs

UNUSED_LIBRARIES: Final = frozenset({"oqs", "liboqs", "nettle", "libnettle", "libnettle-6"})

log = structlog.get_logger("quatch.serve")


def serve(options: argparse.Namespace) -> int:
    """Run the server. Raises ConfigError and the other `FAILURES`."""
    settings = cache(partial(read_settings, options))
    status: int | None = options.run_server(settings) if options.run_server else None
    return _serve_alone(settings()) if status is None else status


def read_settings(options: argparse.Namespace) -> Config:
    """Read and check the settings, and set up the log. Raises ConfigError."""
    flags = settings_in(options)
    config = Config.load(options.config, os.environ, flags)
    logs.configure(config.log_level)
    warn_of_password("--database", flags.get("database") or "")
    if config.passed_over:
        problem = (
            "nothing here has settings of these names: their features are left out, or quatch settings lists others"
        )
        log.warning("settings passed over", settings=config.passed_over, problem=problem)
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    most = min(cores, PROCESSES) if config.may_have_processes else 1
    return config if config.processes else replace(config, processes=most)


def _serve_alone(config: Config) -> int:
    """Be a server of one process."""
    gc_tuning.pause_until_started()
    with without_unused_libraries():
        from server.app.run_process import OneProcess  # noqa: PLC0415 - not every process is one
    from server.app.main_process import run_main_process  # noqa: PLC0415

    return run_main_process(config, partial(OneProcess, config))


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
