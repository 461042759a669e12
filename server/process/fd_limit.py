"""How many connections this process may have: each takes a file descriptor of the system's limit."""

import resource
from typing import Final

import structlog

from server.config import ConfigError

SPARE: Final = 128
"""File descriptors kept for everything else, such as the log."""
FEWEST: Final = 16
"""With room for fewer connections a server is of no use."""

log = structlog.get_logger("quatch.fd_limit")


def room_for(connections: int) -> int:
    """The number of connections that fit, at most ``connections``; fewer are logged.

    Raises the process's own limit as far as needed. Raises ConfigError if hardly any connection fits.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = connections if soft == resource.RLIM_INFINITY else min(connections, soft - SPARE)
    if room < min(connections, FEWEST):
        raise ConfigError(f"the system allows {soft} open files, too few: type ulimit -n {SPARE + FEWEST} or more")
    if room < connections:
        log.warning("fewer connections than configured", room=room, connections=connections, open_files=soft)
    return room
