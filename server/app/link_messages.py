"""What the supervisor and its processes say to each other: MessagePack in frames, over a pair of sockets.

A supervisor may be older than its processes, since it stays when they are renewed. So a message is never changed, only
given new fields with defaults.
"""

from typing import Final, TypeAlias

from msgspec import Struct, msgpack

from server.app.merged_metrics import Family
from server.joining.join_lines import JoinLines

LINK_VARIABLE: Final = "QUATCH_LINK"
"""The environment variable with the file descriptor of a process's end of the link."""
LENGTH_BYTES: Final = 4
"""Each frame begins with its length."""
MOST_DESCRIPTORS: Final = 16
"""File descriptors that come with one frame: an address has a socket, a name of a host may have several."""


class Listen(Struct, tag="listen"):
    """A process asks for the sockets that listen there; `Opened` answers it."""

    carrier: str
    address: str
    port: int


class ServeMetrics(Struct, tag="serve_metrics"):
    """A process asks to have metrics and health served there; `Opened` answers it."""

    host: str
    port: int


class Ready(Struct, tag="ready"):
    """A process serves players."""

    lines: list[str]
    """Its ready lines."""
    settings: bytes
    """Its settings, for the other processes of its generation."""
    processes: int
    """How many there are to be."""
    data: str
    """The folder of its data; empty if they are in PostgreSQL."""
    join: JoinLines | None = None
    """What guests type, if the server is open to the local network."""
    log_folder: str = ""
    """The folder of the log, if a console is shown at the terminal."""


class Failed(Struct, tag="failed"):
    """A process could not start."""

    problem: str
    """One line for the host."""
    status: int
    """The exit status."""


class Measured(Struct, tag="measured"):
    """The metrics and the health of a process."""

    families: list[Family] | None = None
    """None if the supervisor has only asked for the health."""
    health: str = ""


class Drained(Struct, tag="drained"):
    """A process ends since an op has asked for it, so no other takes its place."""


class Stop(Struct, tag="stop"):
    """The host has asked at the console to stop the server."""


class Welcome(Struct, tag="welcome"):
    """The first message to a process; with it comes the file descriptor of the shared counts."""

    process: int
    """Its number, from 0."""
    settings: bytes = b""
    """Those of the first process of its generation, which reads them itself."""
    begins: bool = False
    """Whether it is the first process of the server."""


class Opened(Struct, tag="opened"):
    """The answer to a request. With it come the file descriptors of the sockets that were asked for."""

    line: str = ""
    """The ready line of the metrics."""
    error: int = 0
    """The errno of a failure."""
    problem: str = ""
    """What has failed; empty if nothing has."""
    is_unknown_name: bool = False
    """Whether no host has the name."""


class Measure(Struct, tag="measure"):
    """The supervisor asks for the health, and perhaps the metrics; `Measured` answers it."""

    figures: bool = True


class Retire(Struct, tag="retire"):
    """A newer generation listens: the process accepts no more connections, and ends when its sessions have."""


ToSupervisor: TypeAlias = Listen | ServeMetrics | Ready | Failed | Measured | Drained | Stop
ToProcess: TypeAlias = Welcome | Opened | Measure | Retire


def frame(message: ToSupervisor | ToProcess) -> bytes:
    """A message as it is sent."""
    data = msgpack.encode(message)
    return len(data).to_bytes(LENGTH_BYTES) + data
