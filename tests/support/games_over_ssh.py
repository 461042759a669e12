"""Finished games, asked for over ssh by tests: bots play them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncssh

from tests.support.bots import BotClient, bot
from tests.support.opening import opened
from tests.support.people import Person, RunningServer


async def played(running_server: RunningServer, key: asyncssh.SSHKey | None = None) -> str:
    """Have a bot play a game; its id."""
    async with bot(running_server.port, "hal", key or asyncssh.generate_private_key("ssh-ed25519")) as hal:
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


COUNTS = "The game counts as won by bob: ann left"
"""What is told of a game that ann has left."""


@asynccontextmanager
async def left_to_an_ai_player(server: RunningServer) -> AsyncIterator[tuple[Person, BotClient]]:
    """Ann, who has left her game for good, and the bot bob, who is still to play it to its end."""
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]
    async with server.person("ann", key=keys[0]) as ann, bot(server.port, "bob", keys[1]) as bob:
        await opened(ann)
        bob.send(type="join", table=1)
        bob.send(type="start")
        turn = await bob.until("turn")
        bob.send(type="move", ply=turn["ply"], move="ready")
        await ann.until("bob is ready")
        await ann.enter("ready", "PILE")
        await ann.leave_game()
        await ann.until("You are in the lobby.")
        yield ann, bob
