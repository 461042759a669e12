"""Keys that tests log in with, true and forged."""

import hashlib
from pathlib import Path

import asyncssh

from tests.support.people import RunningServer


def keys_proved(running_server: RunningServer) -> list[str | None]:
    """The keys of all players who are in."""
    return [visitor.caller.key for visitor in running_server.app.lobby.visitors.here]


class ForgedKey(asyncssh.SSHKeyPair):
    """The victim's public key with no private key behind it: its signatures are garbage."""

    def __init__(self, victim: asyncssh.SSHKey) -> None:
        public = victim.public_data
        super().__init__(victim.algorithm, victim.algorithm, victim.sig_algorithms, victim.sig_algorithms, public, None)

    def sign(self, data: bytes) -> bytes:
        """A well-formed signature that cannot be right."""
        return asyncssh.packet.String(self.sig_algorithm) + asyncssh.packet.String(hashlib.sha512(data).digest())


def write_key(path: Path, key: asyncssh.SSHKey, public: asyncssh.SSHKey | None = None) -> None:
    """A key's files as ssh wants them; the public one may be another key's."""
    path.touch(0o600)
    key.write_private_key(path)
    (public or key).write_public_key(path.with_suffix(".pub"))
