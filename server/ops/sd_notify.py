"""What a service manager is told of this process, as systemd's sd_notify(3) does it; nothing where none listens."""

import os
import socket
from contextlib import suppress


def tell(state: str) -> None:
    """Tell it: ``READY=1``, ``WATCHDOG=1`` as long as all is well, ``STOPPING=1``."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        # An address that begins with @ has no file; the kernel wants a zero there.
        address = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)  # noqa: FBT003 - no name is taken
            manager.sendto(state.encode(), address)
