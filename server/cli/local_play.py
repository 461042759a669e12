"""Games in this terminal without a network: against AI players, and replays."""

import argparse
import asyncio
import getpass
import hashlib
import math
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

from engine.errors import InputError
from engine.rulesets import DEFAULT, ruleset
from server.clean_text import clean_name
from server.command_line import PlayedHere, command_lines
from server.commands.registry import commands_with
from server.config import Config
from server.features import load
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.process import logs
from server.records.fairness import new_seed
from server.session.terminal_session import TerminalSession
from server.storage.sqlite_database import MemoryDatabase
from server.transport.local_terminal import LocalTerminal


def play(options: argparse.Namespace) -> int:
    """Run `quatch play`. Raises ConfigError, InputError."""
    logs.configure("error")
    config = Config.load(None, os.environ, {})
    for name, each in command_lines().items():
        if each.played_here and getattr(options, name):
            _play_as(name, each.played_here, options, config)
            return 0
    rules, seats = ruleset(options.rules or DEFAULT), options.seats
    if seats is not None and not rules.seats_min <= seats <= rules.seats_max:
        possible = f"{rules.seats_min} to {rules.seats_max}"
        raise InputError("bad_request", f"--seats: {rules.title} has {possible}, not {seats}")
    given = {"seats": seats, "level": options.level}
    words = ["play", rules.name, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    asyncio.run(play_locally(config, " ".join(words), options.seed))
    return 0


def _play_as(chosen: str, way: PlayedHere, options: argparse.Namespace, config: Config) -> None:
    rules = None if options.rules == DEFAULT else options.rules
    fixed = {"rules": rules, **{key: getattr(options, key) for key in ("seats", "level", "seed")}}
    if given := next((key for key, value in fixed.items() if value), None):
        name = given if given == "rules" else f"--{given}"
        raise InputError("bad_request", f"--{chosen}: {way.why_fixed}, so leave out {name}")
    asyncio.run(play_locally(config, way.line, None))


async def play_locally(config: Config, first: str, seed: str | None) -> None:
    """Play, with this as the first command. The same seed deals the same games."""
    async with local_session(config, _seeds(seed)) as session:
        session.first = first
        await session.run()


@asynccontextmanager
async def local_session(config: Config, seeds: Callable[[], str]) -> AsyncIterator[TerminalSession]:
    """A session at this terminal, without an idle limit: no other player needs it."""
    log = MemoryDatabase()
    for each in command_lines().values():
        for text in each.played_here.texts if each.played_here else ():
            await log.put_text(*text)
    lobby = Lobby(replace(config, idle=math.inf), log, new_seed=seeds, features=load(config.without))
    lobby.names.of_commands = {each.name for each in commands_with(lobby.features)}
    await lobby.open()
    local = LocalTerminal()
    with local.attached() as terminal:
        session = TerminalSession(lobby, terminal, Caller(clean_name(getpass.getuser()), may_return=False))
        local.may_take_line = lambda: session.awaits_line
        await session.player_session.identify()
        yield session
    await lobby.close()


def _seeds(seed: str | None) -> Callable[[], str]:
    if seed is None:
        return new_seed
    numbers = count(1)
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()
