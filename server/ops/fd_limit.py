"""How many connections this process may have: each takes a file descriptor of the system's limit."""

import resource
from typing import Final

SPARE: Final = 128
"""File descriptors kept for everything else, such as the log."""


def room_for(connections: int) -> int:
    """The number of connections that fit, at most ``connections``. Raises the process's own limit as far as needed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else max(1, min(connections, soft - SPARE))
