"""Common clients of people and programs: each logs in, sits down and plays a move.

The real telnet plays a whole game in test_telnet, and so does the real ssh in test_openssh.
"""

import asyncio
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import asyncssh
import paramiko
import pytest

from tests.support.patience import PATIENCE
from tests.support.people import RunningServer
from tests.support.plain_clients import move_after, play_a_move
from tests.support.resources import settled
from tests.support.ssh_keys import keys_proved

CLIENTS: Final[dict[str, Callable[[RunningServer], list[str]]]] = {
    "ssh": lambda running_server: running_server.openssh("-T", "ana@127.0.0.1"),
    "dbclient": lambda running_server: ["dbclient", "-y", "-y", "-T", "-p", str(running_server.port), "ana@127.0.0.1"],
    "plink": lambda running_server: [
        *(
            "plink",
            "-ssh",
            "-batch",
            "-T",
            "-hostkey",
            running_server.fingerprint,
            "-P",
            str(running_server.port),
            "ana@127.0.0.1",
        )
    ],
}
"""As they are started for plain lines. Dropbear's is found in routers and phones; plink is PuTTY without a window."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in CLIENTS])
async def test_a_client_plays_a_move(open_server: RunningServer, name: str) -> None:
    """Through pipes, in plain lines."""
    await play_a_move(*CLIENTS[name](open_server))


@contextmanager
def paramiko_at(running_server: RunningServer, key: asyncssh.SSHKey) -> Iterator[paramiko.Transport]:
    """A connection of paramiko with a key; it checks the host key."""
    text = io.StringIO(key.export_private_key().decode())
    transport = paramiko.Transport(("127.0.0.1", running_server.port))
    try:
        transport.start_client(timeout=PATIENCE)
        assert transport.get_remote_server_key().fingerprint == running_server.fingerprint
        transport.auth_publickey("ana", paramiko.Ed25519Key.from_private_key(text))
        yield transport
    finally:
        transport.close()


async def test_paramiko_plays_a_move(open_server: RunningServer) -> None:
    """The server knows it by its key; it has a terminal, which tells no size, so lines are whole."""
    key = asyncssh.generate_private_key("ssh-ed25519")

    def play() -> str:
        with paramiko_at(open_server, key) as transport, transport.open_session(timeout=PATIENCE) as channel:
            channel.settimeout(PATIENCE)
            channel.get_pty("dumb", 0, 0)
            channel.invoke_shell()
            heard = ""

            def until(said: str) -> None:
                nonlocal heard
                while not re.search(said, heard):
                    more = channel.recv(4096)
                    assert more, heard
                    heard += more.decode()

            until("> $")
            assert keys_proved(open_server) == [key.get_fingerprint()]
            channel.sendall(b"play\r")
            until("then type ready")
            channel.sendall(b"ready\r")
            until(r"Your turn\.(.*\n){3}")
            channel.sendall(move_after(heard.partition("Your turn.")[2]).encode() + b"\r")
            until("You (play|pick up)")
            channel.sendall(b"quit\r")
            until("to hang up")  # it is asked whether that is meant
            channel.sendall(b"quit\r")
            until("Good-bye")
            return heard

    assert "You sit down." in await asyncio.to_thread(play)
    await settled(lambda: not open_server.app.listener.connection_limits.connections)


@pytest.mark.features("bot_protocol")
async def test_paramiko_runs_a_bot(open_server: RunningServer) -> None:
    """Over the subsystem `bot`, for a whole game."""
    key = asyncssh.generate_private_key("ssh-ed25519")

    def play() -> dict[str, object]:
        with paramiko_at(open_server, key) as transport, transport.open_session(timeout=PATIENCE) as channel:
            channel.settimeout(PATIENCE)
            channel.invoke_subsystem("bot")
            channel.sendall(b'{"type":"new","rules":"life","fill":"easy"}\n')
            for line in channel.makefile("r"):
                message: dict[str, object] = json.loads(line)
                if message["type"] == "over":
                    return message
                if message["type"] == "turn":
                    legal = message["legal"]
                    assert isinstance(legal, list)
                    move = {"type": "move", "ply": message["ply"], "move": legal[0]}
                    channel.sendall(json.dumps(move).encode() + b"\n")
            raise AssertionError("the game has no end")

    assert (await asyncio.to_thread(play))["places"]
    await settled(lambda: not open_server.app.listener.connection_limits.connections)
