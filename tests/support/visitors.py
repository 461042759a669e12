"""Who comes to a server in a day: people, bots and attackers, each visit from a seed of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

import asyncssh
from websockets.exceptions import WebSocketException

from engine.rulesets import rulesets
from server.bench.attackers import ATTACKS, Attack, Score, attack, command_floods
from tests.support.bots import BotClient, bot
from tests.support.people import Person, ReachedServer
from tests.support.playing_on_screen import what_to_type
from tests.support.resources import cancelled
from tests.support.telnet import screen_client, telnet_client
from tests.support.web import page_at

REGULARS: Final = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(10)]
BOT_KEYS: Final = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(10)]
ATTACK_SECONDS: Final = 1.0
ALL_ATTACKS: Final[Mapping[str, Attack]] = MappingProxyType({**ATTACKS, **command_floods()})
LOOKS: Final = (
    *("who", "tables", "rules", "top", "help all", "hint", "odds", "fair", "/well", "games", "set", "lesson", "replay"),
    *("review", "puzzle", "habits", "me", "privacy", "nights", "seasons", "tournament", "who is ahead?", "invite"),
)
GONE: Final = (OSError, asyncssh.Error, EOFError, WebSocketException)
"""What a visitor sees of a server that restarts."""
Visit: TypeAlias = Callable[[ReachedServer, Random, int], Awaitable[None]]
"""A visit at this server; the number of the visitor is their own."""


class HungUp(Exception):
    """The connection was lost in the middle of a game."""


async def play_slowly(person: Person, chance: Random, drop: float = 0.0) -> None:
    """Play by what the screen shows until the game is over. Raises HungUp with this chance at each move."""
    seen = ""
    while True:
        screen = await person.until(
            lambda person, seen=seen: (  # type: ignore[misc]
                "game over" in person.shown
                or "lobby>" in person.shown
                or ("YOUR TURN" in person.shown and "   YOU" in person.shown and person.shown.split("\n")[0] != seen)
            )
        )
        if "YOUR TURN" not in screen:
            return
        if chance.random() < drop:
            raise HungUp
        await asyncio.sleep(chance.expovariate(1 / 5))
        seen = screen.split("\n")[0]
        person.type(what_to_type(screen))


async def regular(server: ReachedServer, chance: Random, number: int) -> None:
    """A player with a key plays a whole game and looks about; if the line drops they come back to their seat."""
    name, key = f"regular{number % len(REGULARS)}", REGULARS[number % len(REGULARS)]
    for drop in (0.02, 0.02, 0.0):
        async with server.person(name, key=key) as person:
            await person.until(lambda person: any(seen in person.shown for seen in ("lobby>", "YOU", "game over")))
            if "lobby>" in person.shown:
                person.type("play")
                await person.until("ready begins")
            try:
                await play_slowly(person, chance, drop)
            except HungUp:
                hang_up(person)
                continue
            await look_about(person, chance)
            for line in ("leave", "quit", "quit"):  # the second one confirms, if the game goes on
                person.type(line)
            await person.until_gone()
            return


async def guest(server: ReachedServer, chance: Random, number: int) -> None:
    """A guest loses the connection in a game, and takes the seat back with the resume code."""
    async with server.person(f"guest{number}") as person:
        await person.until("lobby>")
        person.type("play seats=2")
        code = (await person.until("type resume ")).rpartition("type resume ")[2].split()[0]
        with suppress(HungUp):
            await play_slowly(person, chance, 0.1)
        hang_up(person)
    async with server.person(f"guest{number}") as person:
        await person.until("lobby>")
        person.type(f"resume {code}")
        await person.until(
            lambda person: any(seen in person.shown for seen in ("YOU", "game over", "seat is kept for that code"))
        )
        await look_about(person, chance)
        hang_up(person)


async def reader(server: ReachedServer, chance: Random, number: int) -> None:
    """A guest in line mode watches, asks, talks and says good-bye."""
    async with server.person(f"reader{number}", term=None) as person:
        await person.until_text("Type play")
        person.send(b"watch 1\n")
        for _ in range(10):
            person.send(f"{chance.choice(LOOKS)}\n".encode())
            await asyncio.sleep(chance.expovariate(1 / 20))
        person.send(b"quit\nquit\n")
        await person.until_gone()


async def caller(server: ReachedServer, chance: Random, number: int) -> None:  # noqa: ARG001
    """A telnet player begins a game and is cut off, if the server has telnet."""
    if not server.telnet_port:
        return
    async with telnet_client(server.telnet_port) as client:
        client.send(screen_client())
        await client.until(lambda client: "lobby>" in client.shown)
        client.send(b"play seats=2\r\0")
        await client.until(lambda client: "ready begins" in client.shown)
        client.send(b"ready\r\0")
        await asyncio.sleep(chance.expovariate(1 / 30))


async def asker(server: ReachedServer, chance: Random, number: int) -> None:
    """A script asks with `ssh HOST COMMAND`."""
    for command in chance.sample(("who", "tables", "games", "top", "rules life", "help", "who --json", "frob"), 3):
        await server.run(command, REGULARS[number % len(REGULARS)])


async def attacker(server: ReachedServer, chance: Random, number: int) -> None:  # noqa: ARG001
    """One of all known attacks, for a moment, and every connection is reset at its end."""
    attacking = asyncio.create_task(
        attack(ALL_ATTACKS[chance.choice([*ALL_ATTACKS])], {"ssh": server.port, "telnet": server.telnet_port}, Score())
    )
    await asyncio.wait([attacking], timeout=ATTACK_SECONDS)
    await cancelled(attacking)


async def newcomer(server: ReachedServer, chance: Random, number: int) -> None:
    """A player with a new key plays the daily deal, looks at what is kept, and has it forgotten."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with server.person(f"new{number}", key=key) as person:
        await person.until("lobby>")
        person.type("daily")
        await person.until("ready begins")
        await play_slowly(person, chance)
        await look_about(person, chance)
    await server.run("export", key)
    await server.run("forget really", key)


async def phone(server: ReachedServer, chance: Random, number: int) -> None:
    """A browser plays a game, if the server has a page for browsers, and loses the connection."""
    if not server.web_port:
        return
    async with page_at(server.web_port, f"phone{number}") as page:
        await page.type("play seats=2")
        await page.until(lambda page: page.table.get("turn"))
        await page.play_on()
        await page.type(chance.choice(LOOKS))
        await asyncio.sleep(chance.expovariate(1 / 10))
        page.cut()


async def contest(server: ReachedServer, chance: Random, number: int) -> None:
    """Five bots play a swiss, of which the first one is the host."""
    name, keys = f"Cup{number}", [asyncssh.generate_private_key("ssh-ed25519") for _ in range(5)]
    await server.run(f"tournament new {name} format=swiss rounds=2", keys[0])
    async with AsyncExitStack() as undo:
        bots = [await undo.enter_async_context(bot(server.port, f"cup{number}", key)) for key in keys]
        for each in bots:
            await each.ask("tournament", type="tournament", name=name, do="join")
        await server.run(f"tournament start {name}", keys[0])
        playing = [asyncio.create_task(play_when_asked(each, chance)) for each in bots]
        try:
            while '"state": "over"' not in (await server.run(f"tournament {name} --json", keys[0]))[1]:
                await asyncio.sleep(10)
        finally:
            for task in playing:
                await cancelled(task)


async def play_when_asked(client: BotClient, chance: Random) -> None:
    """Make any move whenever there is one to make, for ever."""
    while True:
        with suppress(TimeoutError):  # the next round is not there yet
            message = await client.until("turn")
            client.send(type="move", ply=message["ply"], move=chance.choice(message["legal"]))


VISITS: Final[tuple[Visit, ...]] = (regular, guest, attacker, reader, caller, asker, newcomer, phone, contest)


async def look_about(person: Person, chance: Random) -> None:
    """Ask a few things, as the curious do."""
    for line in chance.sample(LOOKS, 3):
        person.type(line)
        await asyncio.sleep(chance.expovariate(1 / 10))


def hang_up(person: Person) -> None:
    """Lose the connection without a word."""
    person.process.channel.get_connection().abort()


async def play_as_a_bot(client: BotClient, chance: Random, over: Callable[[], None], thinks: float) -> None:
    """Play one game after the other against AI players, for ever; ``over`` is called after each.

    ``thinks``: seconds a move, on average.
    """
    client.send(type="new", fill="easy", rules=chance.choice([*rulesets()]))
    while message := await client.until("turn", "over", "refused", "error"):
        if message["type"] == "over":
            over()
            await asyncio.sleep(10)
            client.send(type="again")
        elif message["type"] == "turn":
            await asyncio.sleep(chance.expovariate(1 / thinks))
            client.send(type="move", ply=message["ply"], move=chance.choice(message["legal"]))


async def bot_for_hours(
    server: Callable[[], ReachedServer],
    number: int,
    chance: Random,
    over: Callable[[], None] = lambda: None,
    thinks: float = 20.0,
) -> None:
    """A bot that comes again whenever it loses the connection; see `play_as_a_bot`."""
    while True:
        with suppress(*GONE):
            async with bot(server().port, f"bot{number}", BOT_KEYS[number]) as client:
                client.told = Forgetful()
                await play_as_a_bot(client, chance, over, thinks)
        await asyncio.sleep(5)


class Forgetful(list):  # type: ignore[type-arg]
    """A list that keeps nothing."""

    def append(self, _: object) -> None:
        """Forget it."""
