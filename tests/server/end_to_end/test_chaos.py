"""Bots play over real ssh while servers and connections fail: no acknowledged move is lost, and none is made twice."""

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

import asyncssh

from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from tests.soak import long
from tests.support.bot_players import Audit, BotPlayer
from tests.support.bots import BotClient, bot
from tests.support.hosted import hosted_server, kill_server
from tests.support.people import RunningServer
from tests.support.resources import cancelled, settled

KILLS: Final = long(1, 50)
MOVES_BETWEEN: Final = 20
"""Acknowledged moves before each stop, at the least: on a busy machine they take longer."""
DROPS: Final = long(20, 2_000)
PAIRS: Final = long(2, 4)
"""Tables with two bots each."""
NEXT_MOVE_SECONDS: Final = 2.0


def player(port: int, number: int) -> BotPlayer:
    """A bot with a new key."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    return BotPlayer(partial(bot, port, f"bot{number}", key), key.get_fingerprint(), number)


def acknowledged_by(players: Sequence[BotPlayer]) -> int:
    """How many moves of theirs the server has acknowledged."""
    return sum(len(player.acknowledged) for player in players)


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """SIGKILL and SIGTERM at random moments: 0 moves lost, 0 doubled, 0 tables stalled, the next move within 2 s."""
    chance, settings = random.Random(4), {"QUATCH_PACE": "0"}
    waits = []
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(hosted_server(tmp_path, **settings))
        players = [player(server.port, n) for n in range(2 * PAIRS)]
        pairs = [*zip(players[::2], players[1::2], strict=True)]
        playing = [asyncio.create_task(p.run(None if n % 2 == 0 else players[n - 1])) for n, p in enumerate(players)]
        for task in playing:
            stack.push_async_callback(cancelled, task)
        await asyncio.wait_for(asyncio.gather(*(player.opened.wait() for player in players)), 20)
        for kills in range(KILLS):
            enough = MOVES_BETWEEN * (kills + 1)
            await settled(lambda enough=enough: acknowledged_by(players) > enough)  # type: ignore[misc]
            await asyncio.sleep(chance.uniform(0.2, 0.6))
            if chance.random() < 2 / 3:
                kill_server(server.process.pid)
                await server.process.communicate()
            else:
                assert await server.stop() == 0
            again = hosted_server(tmp_path, "--port", str(server.port), **settings)
            server = await stack.enter_async_context(again)
            ready = time.monotonic()
            async with asyncio.timeout(10):
                while not all(max(a.moved_at, b.moved_at) > ready for a, b in pairs):
                    await asyncio.sleep(0.01)
            waits.append(max(max(a.moved_at, b.moved_at) for a, b in pairs) - ready)
    audit = Audit(players)
    async with SqliteDatabase(tmp_path / "data" / FILE_NAME) as log:
        await audit.read(log)
        await audit.read_finished(log)
    acknowledged = acknowledged_by(players)
    print(
        f"{KILLS} stops, {len(audit.logged)} moves, {acknowledged} acknowledged, {len(audit.lost)} lost, "
        f"{len(audit.doubled)} doubled, the next move after at most {max(waits):.2f} s"
    )
    assert not audit.lost
    assert audit.of_bots
    assert not audit.doubled
    assert max(waits) < NEXT_MOVE_SECONDS


async def test_players_keep_their_seats_through_many_drops(open_server: RunningServer) -> None:
    """A player who returns has the same seat, no player has two, and every game goes on to its end."""
    chance = random.Random(7)
    drops = 0
    while drops < DROPS:
        keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(3)]
        table = await begin_game(open_server, keys)
        while await is_played(open_server, table):
            drops += 1
            n = chance.randrange(3)
            async with bot(open_server.port, f"b{n}", keys[n]) as client:
                assert (await client.until("joined"))["seat"] == n
                names = [
                    sitter and sitter.name for sitter in open_server.app.lobby.tables.here[table].listing().sitters
                ]
                assert len({*names}) == 3
                assert hello_name(client) == names[n]
                for _ in range(chance.randrange(4)):
                    if not await play_one(client):
                        break


async def is_played(running_server: RunningServer, table: int) -> bool:
    """Whether the game goes on, once all players have disconnected."""
    listing = running_server.app.lobby.tables.here[table].listing
    async with asyncio.timeout(10):
        while running_server.app.lobby.visitors.here or not listing().asleep:
            await asyncio.sleep(0.001)
    return listing().playing


def hello_name(client: BotClient) -> str:
    """The name that the server gave the bot."""
    return str(client.told[0]["name"])


async def begin_game(running_server: RunningServer, keys: list[asyncssh.SSHKey]) -> int:
    """Three bots sit down at a new table and start a game; then all disconnect."""
    async with AsyncExitStack() as stack:
        first, *others = [
            await stack.enter_async_context(bot(running_server.port, f"b{n}", key)) for n, key in enumerate(keys)
        ]
        first.send(type="new", seats=3)
        table: int = (await first.until("joined"))["table"]
        for n, other in enumerate(others, 1):
            other.send(type="join", table=table)
            assert (await other.until("joined"))["seat"] == n
        await first.ask("turn", type="start")
    return table


async def play_one(client: BotClient) -> bool:
    """Make one move; whether the game goes on."""
    message = await client.until("turn", "over")
    if message["type"] == "turn":
        client.send(type="move", ply=message["ply"], move=message["legal"][0])
    return str(message["type"]) == "turn"
