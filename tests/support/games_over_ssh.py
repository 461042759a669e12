"""Finished games, asked for over ssh by tests: bots play them."""

import json
from typing import Any

import asyncssh

from tests.support.bots import bot
from tests.support.people import RunningServer


async def played(running_server: RunningServer, key: asyncssh.SSHKey | None = None) -> str:
    """Have a bot play a game; its id."""
    async with bot(running_server.port, "hal", key) as hal:
        hal.send(type="new", rules="quatch", seats=2, fill="easy")
        over = await hal.play()
        hal.send(type="leave")
        hal.send(type="ping")
        await hal.until("pong")
    return str(over["game"])


async def asked(running_server: RunningServer, command: str, status: int = 0) -> str:
    """What a command of ssh answers."""
    async with running_server.person("bo", term=None, command=command) as bo:
        assert await bo.until_gone() == status
        return bo.text


async def asked_json(running_server: RunningServer, command: str, status: int = 0) -> dict[str, Any]:
    """The same as JSON."""
    answer: dict[str, Any] = json.loads(await asked(running_server, f"{command} --json", status))
    assert answer["v"] == 1
    assert answer["you"] == {"name": "bo", "identity": None}
    return answer
