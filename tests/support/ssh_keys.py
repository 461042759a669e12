"""Keys that tests log in with."""

from pathlib import Path

import asyncssh

from tests.support.people import RunningServer


def keys_proved(running_server: RunningServer) -> list[str | None]:
    """The keys of all players who are in."""
    return [visitor.caller.key for visitor in running_server.app.lobby.visitors.here]


def write_key(path: Path, key: asyncssh.SSHKey, public: asyncssh.SSHKey | None = None) -> None:
    """A key's files as ssh wants them; the public one may be another key's."""
    path.touch(0o600)
    key.write_private_key(path)
    (public or key).write_public_key(path.with_suffix(".pub"))
