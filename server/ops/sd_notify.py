"""Messages to the service manager, as systemd's sd_notify(3) sends them; does nothing without one."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send a state: ``READY=1``, ``WATCHDOG=1`` as long as all is well, ``STOPPING=1``."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        # "@" stands for an abstract socket, which begins with a zero byte.
        address = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)  # noqa: FBT003 - no name is taken
            manager.sendto(state.encode(), address)
