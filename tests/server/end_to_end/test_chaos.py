"""Bots play over real ssh while servers and connections fail: no acknowledged move is lost, and none is made twice."""

import asyncio
import random
import signal
import socket
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Final

import asyncssh

from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import LogEntry
from server.table.entries import Away, Dealt, Moved, Returned, Sat, read_change
from server.table.fold import fold
from tests.soak import long
from tests.support.bots import BotClient, bot
from tests.support.log_entries import heads
from tests.support.people import RunningServer
from tests.support.programs import as_a_host

KILLS: Final = long(3, 50)
DROPS: Final = long(100, 2_000)
PAIRS: Final = 4
"""Tables with two bots each."""
NEXT_MOVE_SECONDS: Final = 2.0

Made = tuple[str, int, int, str]
"""A move as a bot knows it: game, ply, seat, text."""


class Server:
    """A server process that is killed and started again on the same port and data."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.data = folder / "data"
        self._folder = folder
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        """Start it, and wait until it is ready."""
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with (self._folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *[sys.executable, "-m", "server", "serve", *arguments],
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=as_a_host(QUATCH_PACE="0", QUATCH_HOSTKEYS=str(self._folder / "keys")),
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            line = await self._process.stdout.readline()
        assert line.startswith(b"ready ssh"), (self._folder / "log").read_text()

    async def stop(self, how: signal.Signals) -> int:
        """Send it this signal and wait for its end; its exit status."""
        self._process.send_signal(how)
        async with asyncio.timeout(6):
            await self._process.communicate()
        return self._process.returncode or 0


class Player:
    """A bot with a key that goes on playing whatever happens to its connection."""

    def __init__(self, port: int, name: str, seed: int) -> None:
        self._port = port
        self._name = name
        self._key = asyncssh.generate_private_key("ssh-ed25519")
        self._chance = random.Random(seed)
        self.identity = self._key.get_fingerprint()
        self.sent: set[Made] = set()
        self.acknowledged: set[Made] = set()
        self.moved_at = 0.0
        self.table: int | None = None
        self.opened = asyncio.Event()

    async def run(self, join: "Player | None") -> None:
        """Play until cancelled, at a new table or at another player's."""
        while True:
            with suppress(OSError, asyncssh.Error, AssertionError, TimeoutError):
                async with bot(self._port, self._name, self._key) as client:
                    await self._play(client, join)
            await asyncio.sleep(0.05)

    async def _play(self, client: BotClient, join: "Player | None") -> None:
        if self.table is None:
            if join is None:
                client.send(type="new", rules="quatch", seats=3)
            else:
                await join.opened.wait()
                client.send(type="join", table=join.table)
        seat, made = 0, None
        while message := await client.next():
            match message["type"]:
                case "joined":
                    self.table, seat = message["table"], message["seat"]
                    self.opened.set()
                    if join is not None:
                        client.send(type="start")
                case "turn":
                    move = self._chance.choice(message["legal"])
                    made = None if move == ARRANGED else (message["game"], message["ply"], seat, move)
                    self.sent |= {made} if made else set()
                    client.send(type="move", ply=message["ply"], move=move)
                case "event":
                    if made and message["event"].get("seat") == seat and message["event"]["kind"] in OWN_MOVES:
                        self.acknowledged.add(made)
                        self.moved_at = time.monotonic()
                        made = None
                case "over":
                    client.send(type="again")


OWN_MOVES: Final = {"played", "flipped", "picked-up", "passed"}
ARRANGED: Final = "ready"
"""While arranging all players move at once, so these moves have no ply of their own."""


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """SIGKILL and SIGTERM at random moments: 0 moves lost, 0 doubled, 0 tables stalled, the next move within 2 s."""
    chance = random.Random(4)
    server = Server(tmp_path)
    await server.start()
    players = [Player(server.port, f"bot{n}", n) for n in range(2 * PAIRS)]
    playing = [asyncio.create_task(p.run(None if n % 2 == 0 else players[n - 1])) for n, p in enumerate(players)]
    waits = []
    try:
        await asyncio.wait_for(asyncio.gather(*(player.opened.wait() for player in players)), 20)
        for _ in range(KILLS):
            await asyncio.sleep(chance.uniform(0.2, 0.6))
            how = chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
            status = await server.stop(how)
            assert how == signal.SIGKILL or status == 0
            await server.start()
            ready = time.monotonic()
            async with asyncio.timeout(10):
                while not all(
                    max(a.moved_at, b.moved_at) > ready for a, b in zip(players[::2], players[1::2], strict=True)
                ):
                    await asyncio.sleep(0.01)
            waits.append(
                max(max(a.moved_at, b.moved_at) for a, b in zip(players[::2], players[1::2], strict=True)) - ready
            )
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.stop(signal.SIGTERM)
    acknowledged = set.union(*(player.acknowledged for player in players))
    sent = set.union(*(player.sent for player in players))
    lost, doubled, moves = await compare(server.data / FILE_NAME, {p.identity for p in players}, sent, acknowledged)
    print(
        f"{KILLS} stops, {moves} moves, {len(acknowledged)} acknowledged, {len(lost)} lost, {len(doubled)} doubled, "
        f"the next move after at most {max(waits):.2f} s"
    )
    assert not lost
    assert not doubled
    assert len(acknowledged) > 20 * KILLS
    assert max(waits) < NEXT_MOVE_SECONDS


async def compare(
    file: Path, identities: set[str], sent: set[Made], acknowledged: set[Made]
) -> tuple[set[Made], set[Made], int]:
    """The acknowledged moves that are not logged, the logged moves that no bot sent, and how many moves there are."""
    logged: set[Made] = set()
    of_bots: set[Made] = set()
    async with SqliteLog(file) as log:
        for table in await heads(log):
            entries = await log.read(table)
            fold(entries)
            made = list(moves(entries, identities))
            logged |= {move for move, _ in made}
            of_bots |= {move for move, by_bot in made if by_bot}
    return acknowledged - logged, of_bots - sent, len(logged)


def moves(entries: list[LogEntry], identities: set[str]) -> "list[tuple[Made, bool]]":
    """Every move of a table's log, and whether a bot itself made it."""
    found: list[tuple[Made, bool]] = []
    bots: set[int] = set()
    for at, entry in enumerate(entries):
        match read_change(entry.data):
            case Sat(seat, player):
                (bots.add if player.id in identities else bots.discard)(seat)
            case Away(seat):
                bots.discard(seat)
            case Returned(seat):
                bots.add(seat)
            case Dealt():
                state, _ = fold(entries[: at + 1])
                game, ply = state.deal.game if state.deal else "", 0
            case Moved(seat, move):
                if move != ARRANGED:
                    found.append(((game, ply, seat, move), seat in bots))
                ply += 1
    return found


async def test_players_keep_their_seats_through_a_hundred_drops(open_server: RunningServer) -> None:
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
        first.send(type="start")
        await first.until("turn")
    return table


async def play_one(client: BotClient) -> bool:
    """Make one move; whether the game goes on."""
    message = await client.until("turn", "over")
    if message["type"] == "turn":
        client.send(type="move", ply=message["ply"], move=message["legal"][0])
    return str(message["type"]) == "turn"
