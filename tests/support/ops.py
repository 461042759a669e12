"""A server with an op, and what the op does."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import asyncssh

from server.people.sanctions import Sanction
from server.storage.sqlite_database import MemoryDatabase
from tests.support.people import RunningServer, running_server

OP = asyncssh.generate_private_key("ssh-ed25519")
KEY = asyncssh.generate_private_key("ssh-ed25519")
AWAY = "127.0.0.7"
"""An address that is not spared here."""


def hosted(tmp_path: Path, store: MemoryDatabase | None = None) -> AbstractAsyncContextManager[RunningServer]:
    """A server with an op, where 127.0.0.1 alone is spared."""
    return running_server(tmp_path, store, ops=[OP.get_fingerprint()], exempt=["127.0.0.1"])


async def admin(server: RunningServer, command: str) -> str:
    """What an op is answered over `ssh HOST admin`. The command must succeed."""
    status, said = await server.run(f"admin {command}", OP)
    assert status == 0, said
    return said


def against(target: str, until: float | None = None) -> dict[str, Sanction]:
    """What `Sanctions.put` takes: a ban or a mute against this key or network, until this time."""
    return {target: Sanction(target, "eve", until, "SHA256:op")}
