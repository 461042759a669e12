"""How many connections the system lets this process have: each takes a file descriptor, and so does the log."""

import resource
from typing import Final

SPARE: Final = 128
"""Descriptors for everything that is no connection."""


def room_for(connections: int) -> int:
    """So many connections, or fewer where the system allows no more; the process's own limit is raised as needed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else max(1, min(connections, soft - SPARE))
