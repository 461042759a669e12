"""The host key: made on the first start. A key that exists but cannot be used is never overwritten."""

import os
from pathlib import Path
from typing import Final

import asyncssh

from server.config import ConfigError

KEY_NAME: Final = "ssh_host_ed25519_key"
NEXT_KEY_NAME: Final = f"{KEY_NAME}.next"
"""A key that is to take the place of the other one: clients learn it meanwhile (`hostkeys-00@openssh.com`)."""


class HostKeyError(ConfigError):
    """The host key cannot be used. The message is one line that says what to do."""


def load_or_create(folder: Path) -> asyncssh.SSHKey:
    """The server's key. Raises HostKeyError if it is unreadable, damaged or readable by other users."""
    path = folder / KEY_NAME
    try:
        if not path.exists():
            _create(path)
    except OSError as error:
        raise HostKeyError(f"the host key {path} cannot be used: {error}") from error
    return _load(path)


def load_next(folder: Path) -> list[asyncssh.SSHKey]:
    """The next key, if there is one. Raises HostKeyError as `load_or_create`."""
    path = folder / NEXT_KEY_NAME
    return [_load(path)] if path.exists() else []


def _load(path: Path) -> asyncssh.SSHKey:
    try:
        if path.stat().st_mode & 0o077:
            raise HostKeyError(f"{path} can be read by others: chmod 600 it, or move it away to have a new one made")
        return asyncssh.read_private_key(path)
    except (OSError, asyncssh.KeyImportError) as error:
        raise HostKeyError(f"the host key {path} cannot be used: {error}") from error


def _create(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="quatch")
    # asyncssh's own writer would leave the file readable by all users.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.export_private_key())
        file.flush()
        os.fsync(file.fileno())
