"""Where this machine runs, if announcements do not leave that."""

from pathlib import Path
from typing import Final

WSL: Final = "this is WSL, which keeps announcements inside: guests need Windows' address, and a port forwarded here"
CONTAINER: Final = (
    "this is a container with a network of its own, which keeps announcements inside: run it with the network of the "
    "host (--network host), or set public_host"
)


def what_keeps_announcements_inside(root: Path = Path("/")) -> str:
    """A line about it for the host; empty if nothing is known to. ``root``: of the file system."""
    if "microsoft" in _text(root / "proc/sys/kernel/osrelease").lower():
        return WSL
    is_container = any((root / name).exists() for name in (".dockerenv", "run/.containerenv"))
    return CONTAINER if is_container and not _has_devices(root) else ""


def _has_devices(root: Path) -> bool:
    """Whether a network card is to be seen here, as with the network of the host; a virtual cable is none."""
    return any((each / "device").exists() for each in (root / "sys/class/net").glob("*"))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
