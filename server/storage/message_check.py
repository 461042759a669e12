"""What holds in every log for messages between the processes that have it open: `TableLog.send`."""

from typing import Final

MESSAGE_BYTES: Final = 7_000
"""The longest message in UTF-8. PostgreSQL carries a little more."""
MESSAGES_WAITING: Final = 256
"""Messages of one process that wait to be sent; with more, the oldest are lost."""


def check_message(message: str) -> None:
    """Raises ValueError if `TableLog.send` cannot send this: it is too long, or holds a zero character."""
    if len(message.encode()) > MESSAGE_BYTES or "\0" in message:
        raise ValueError(f"no message of at most {MESSAGE_BYTES} bytes without a zero character: {message[:60]!r}")
