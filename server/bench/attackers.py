"""The attacks of `quatch bench attacks`, each from real sockets: with what is forbidden, and with what is permitted.

Each attack goes on for ever: an attacker that is refused or disconnected comes again. Most attacks come from as many
addresses as they have connections, so that limits per address do not help. The numbers are those in
tests/server/end_to_end/README.md.

What is permitted is every command of the registry, as fast as may be, so that a new command cannot be forgotten. One
address has its twenty connections and eighty sessions, and each session types on without end; the same once more from
five addresses.
"""

import asyncio
import ctypes
import re
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle, islice
from typing import Final, NamedTuple, TypeAlias

import asyncssh
from asyncssh.packet import Boolean, String

from server.bench.people import Process, connect_guest
from server.bench.servers import ADDRESS
from server.commands.registry import Command, commands_with
from server.features import load
from server.limits import LINE_LENGTH, SESSIONS_ASKED, SESSIONS_PER_CONNECTION, USUAL_SIZE
from server.table.place import LOBBY, TABLE, WATCHING, Place

VERSION: Final = b"SSH-2.0-attack\r\n"
PIECE: Final = 1 << 16
Reader: TypeAlias = "asyncio.StreamReader | asyncssh.SSHReader[bytes] | None"
_IGNORE, _GLOBAL_REQUEST = 2, 80
_COME_AGAIN_SECONDS: Final = 0.01
Ports: TypeAlias = Mapping[str, int]
"""Where a server listens, by what carries it."""
CONNECTIONS: Final = 20
ADDRESSES: Final = (1, 5)
PAUSE_SECONDS: Final = 0.05
"""Between two logins of an address, so that it does not fall foul of the limits on connections."""
LINES_AT_ONCE: Final = 50
"""Lines typed in one write."""
ARGUMENTS: Final[Mapping[str, str]] = {
    "RULES": "life",
    "KEY=VALUE": "seats=5",
    "N": "1",
    "SEAT": "1",
    "ID": "00000001",  # the finished game that `growth.add_finished_games` puts first into a log
    "COMMAND": "all",
    "LEVEL": "easy",
    "STYLE": "miser",
    "NAME": "attack",
    "SETTING": "tips",
    "VALUE": "off",
    "TIME": "30m",
}
"""What the words in capitals of a usage may stand for; any other is a word that means nothing."""
COME_IN: Final[Mapping[str, str]] = {
    "table": "set pace 0\nplay seats=4",
    "watching": "watch 1",
    "lobby": "",
}
"""What brings a session to a place of the core.

The first session of each connection plays where the others watch, so that there is a table to be watched.
"""
NONSENSE: Final = "qu\u0301x" * 20
HOSTILE: Final = (NONSENSE, "=" * LINE_LENGTH, "0" * 200, "(" * LINE_LENGTH)


class Score(ctypes.Structure):
    """Counts of an attack; in shared memory if another process measures."""

    _fields_ = (("connections", ctypes.c_uint64), ("acts", ctypes.c_uint64), ("heard", ctypes.c_uint64))
    connections: int
    """Connections made; over ssh, logins."""
    acts: int
    """How often the attack did what it is named for."""
    heard: int
    """Bytes that the server sent to attackers who read."""


Attacker: TypeAlias = Callable[[Ports, str, Score], Awaitable[None]]
"""One attacker's connection from this address; it may end or fail in any way and is started again."""


class Attack(NamedTuple):
    """Attackers of one kind, many at once."""

    attacker: Attacker
    connections: int
    addresses: int = 250
    """The most addresses they come from."""
    between_seconds: float = 0.0
    """Between the first connections of two attackers."""


async def attack(attack: Attack, ports: Ports, score: Score) -> None:
    """Run an attack for ever."""
    addresses = cycle(f"127.1.0.{number}" for number in range(1, attack.addresses + 1))

    async def come_again_and_again(number: int) -> None:
        await asyncio.sleep(number * attack.between_seconds)
        while True:
            try:
                await attack.attacker(ports, next(addresses), score)
            except* Exception:  # noqa: BLE001, S110 - however it has failed, the attacker comes again
                pass
            await asyncio.sleep(_COME_AGAIN_SECONDS)

    await asyncio.gather(*map(come_again_and_again, range(attack.connections)))


def pour(begin: bytes, more: bytes = b"", *, carrier: str = "ssh", reads: bool = True) -> Attacker:
    """Send this, then more without end, as fast as the server reads it; perhaps without reading its answers."""

    async def attacker(ports: Ports, source: str, score: Score) -> None:
        async with (
            _dial(ports[carrier], source, score) as (reader, writer),
            reading(reader if reads else None, score) as end,
        ):
            writer.write(begin)
            await writer.drain()
            score.acts += 1
            while more and not writer.transport.is_closing():
                writer.write(more)
                await writer.drain()
                score.acts += 1
                await asyncio.sleep(0)
            await end

    return attacker


async def _reset(ports: Ports, source: str, score: Score) -> None:
    async with _dial(ports["ssh"], source, score) as (_, writer):
        writer.write(VERSION)
    score.acts += 1


def _packet(payload: bytes) -> bytes:
    """An ssh packet before any key exchange (RFC 4253, 6)."""
    padding = 4 + -(len(payload) + 9) % 8
    return struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


@asynccontextmanager
async def _dial(
    port: int, source: str, score: Score
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(ADDRESS, port, local_addr=(source, 0))
    score.connections += 1
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def reading(reader: Reader, score: Score) -> AsyncIterator[asyncio.Task[None]]:
    """Read meanwhile, unless there is nothing to read from."""

    async def read_all() -> None:
        while reader and (said := await reader.read(PIECE)):
            score.heard += len(said)

    reading = asyncio.create_task(read_all())
    try:
        yield reading
    finally:
        reading.cancel()


@asynccontextmanager
async def let_in(
    ports: Ports, source: str, score: Score, **options: int
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """A connection of a guest, from this address."""
    connection = await connect_guest(ports["ssh"], "attack", source, **options)
    score.connections += 1
    try:
        yield connection
    finally:
        connection.abort()


async def _log_in(ports: Ports, source: str, score: Score) -> None:
    async with let_in(ports, source, score):
        score.acts += 1


def _repeat(
    act: Callable[[Process], None],
    begin: bytes = b"",
    *,
    term: str | None = "xterm",
    command: str | None = None,
    reads: bool = True,
    **options: int,
) -> Attacker:
    """Log in, type ``begin``, then repeat an action without end."""

    async def repeat(ports: Ports, source: str, score: Score) -> None:
        async with let_in(ports, source, score, **options) as connection:
            process = await connection.create_process(command, term_type=term, term_size=(80, 24), encoding=None)
            await _act_on(process, begin, act, score, reads=reads)

    return repeat


async def _act_on(
    process: Process, begin: bytes, act: Callable[[Process], None], score: Score, *, reads: bool = True
) -> None:
    """Type ``begin``, then repeat an action until the session ends; perhaps without reading what the server says."""
    async with reading(process.stdout if reads else None, score):
        process.stdin.write(begin)
        while not process.is_closing():
            act(process)
            await process.stdin.drain()
            score.acts += 1
            await asyncio.sleep(0)


def _type(text: bytes) -> Callable[[Process], None]:
    return lambda process: process.stdin.write(text)


async def _open_channels(ports: Ports, source: str, score: Score) -> None:
    async with let_in(ports, source, score) as connection:

        async def open_one() -> None:
            with suppress(asyncssh.Error):
                await connection.create_process(encoding=None)

        while not connection.is_closed():
            async with asyncio.TaskGroup() as asking:
                for _ in range(20):
                    asking.create_task(open_one())
                    score.acts += 1
                    # asyncio reports a lost connection in the loop's next turn and warns about writes until then.
                    await asyncio.sleep(0)


def _resize(process: Process) -> None:
    for columns in range(70, 170):
        process.change_terminal_size(columns, 24)


def _request(process: Process) -> None:
    connection = process.channel.get_connection()
    for _ in range(100):
        connection.send_packet(_GLOBAL_REQUEST, String("keepalive@openssh.com"), Boolean(value=True))


LINES: Final = b"who\n" * (PIECE // 4)
_TALK: Final = ("/" + "a" + "\u0301" * 100 + "\r").encode() * 200
_CODE_POINTS: Final = "".join(map(chr, range(0xA0, 0xD800))).encode()

ATTACKS: Final[Mapping[str, Attack]] = {
    "1 silent, one address": Attack(pour(b""), 500, 1),
    "2 silent, many addresses": Attack(pour(b""), 300, 100),
    "4 a version without end": Attack(pour(b"SSH-2.0-", b"x" * PIECE), 8),
    "5 lines of text": Attack(pour(b"hello\r\n" * 10_000, b"hello\r\n" * 1_000), 8),
    "7 a packet of 4 GB": Attack(pour(VERSION + b"\xff\xff\xff\xf0", b"x" * PIECE), 8),
    "8 most of a large packet": Attack(pour(VERSION + struct.pack(">I", 261_000) + bytes(50_000)), 200),
    "9 tiny packets": Attack(pour(VERSION, _packet(bytes((_IGNORE,)) + bytes(4)) * 1_000), 8),
    "10 logins, one address": Attack(_log_in, 16, 1),
    "10 logins, many addresses": Attack(_log_in, 8),
    "18 sessions": Attack(_open_channels, 4),
    "23 sizes": Attack(_repeat(_resize), 4),
    "31 a paste": Attack(_repeat(_type(b"play " * 10_000)), 4),
    "33 digits of an escape": Attack(_repeat(_type(b"9" * 30_000), b"\x1b["), 4),
    "34 a paste without end": Attack(_repeat(_type(b"x" * PIECE), b"\x1b[200~"), 4),
    "37 every character": Attack(_repeat(_type(_CODE_POINTS)), 4),
    "40 marks, 61 talk": Attack(_repeat(_type(_TALK)), 4),
    "44 reads nothing": Attack(_repeat(_type(b"rules life\r" * 100), reads=False), 8),
    "46 requests": Attack(_repeat(_request), 4),
    "47 new keys": Attack(_repeat(_type(b"\n"), term=None, rekey_bytes=1), 8),
    "49 resets": Attack(_reset, 50),
    "58 a bot's nonsense": Attack(_repeat(_type(b'{"type":[[[[\n' * 5_000), term=None, command="bot"), 4),
    "58 a bot's tables": Attack(_repeat(_type(b'{"type":"tables"}\n' * 3_000), term=None, command="bot"), 4),
    "lines": Attack(_repeat(_type(LINES), term=None), 8),
}


def lines_of(command: Command) -> list[str]:
    """A command alone, with what may follow its name, and with what may not."""
    wanted = re.findall(r"[A-Z=]{1,}", command.usage.partition(", or")[0])
    given = " ".join(ARGUMENTS.get(word, NONSENSE) for word in wanted)
    return [command.name, f"{command.name} {given}".strip(), *(f"{command.name} {text}" for text in HOSTILE)]


def is_given_over_ssh(command: Command) -> bool:
    """Whether ssh carries it out in a session of its own, which ends with its answer."""
    return command.ssh not in {"", "bot", "screen", "session"}


def _floods() -> Iterator[tuple[str, Attacker]]:
    features = load()
    ways = {
        each: " ".join(ARGUMENTS.get(word, word) for word in each.reached_by.split()) for each in features.all(Place)
    }
    ways |= {each: COME_IN[each.name] for each in (TABLE, WATCHING, LOBBY)}
    for command in commands_with(features):
        place = next((each for each in ways if command.works(each)), None)
        if place is not None:
            yield f"{command.name} ({place.name})", sessions(lines_of(command), ways[place])
        if is_given_over_ssh(command):
            yield f"ssh {command.name}", _execs(lines_of(command))
        for word in command.answers_with:
            alone, given, *_ = lines_of(command)
            yield f"ssh {alone} {word}", _execs([f"{given} {word}"])
    yield "unknown command", sessions([NONSENSE, "frob", "", "x" * LINE_LENGTH], "")


def sessions(lines: Sequence[str], begin: str, *, bot: bool = False) -> Attacker:
    """Log in, open as many sessions as may be, and type in each without end: half of them on a full screen."""

    async def attacker(ports: Ports, source: str, score: Score) -> None:
        async with let_in(ports, source, score) as connection, asyncio.TaskGroup() as sessions:
            for number in range(SESSIONS_PER_CONNECTION):
                screen = not bot and number % 2 == 0
                process = await connection.create_process(
                    "bot" if bot else None, term_type="xterm" if screen else None, term_size=USUAL_SIZE, encoding=None
                )
                end = "\r" if screen else "\n"
                first = COME_IN["table"] if begin == COME_IN["watching"] and number == 0 else begin
                typed = (first.replace("\n", end) + end) if first else ""
                more = "".join(line + end for line in islice(cycle(lines), LINES_AT_ONCE)).encode()
                sessions.create_task(_act_on(process, typed.encode(), _type(more), score))

    return attacker


def _execs(lines: Sequence[str]) -> Attacker:
    """Log in, and give one command after the other, each in a session of its own."""

    async def attacker(ports: Ports, source: str, score: Score) -> None:
        async with let_in(ports, source, score) as connection:
            free = asyncio.Semaphore(SESSIONS_PER_CONNECTION)

            async def run(line: str) -> None:
                async with free:
                    await connection.run(line, encoding=None)
                    score.acts += 1

            async with asyncio.TaskGroup() as running:
                for number, line in enumerate(cycle(lines), 1):
                    running.create_task(run(line))
                    await asyncio.sleep(
                        0 if number < SESSIONS_ASKED.share.burst else 1 / SESSIONS_ASKED.share.per_second
                    )

    return attacker


def from_addresses(floods: Iterable[tuple[str, Attacker]]) -> dict[str, Attack]:
    """These floods by name, from one address and from several."""
    return {
        f"{name}{'' if count == 1 else f', {count} addresses'}": Attack(
            attacker, CONNECTIONS * count, count, PAUSE_SECONDS / count
        )
        for name, attacker in floods
        for count in ADDRESSES
    }


def command_floods() -> dict[str, Attack]:
    """Every flood of commands."""
    return from_addresses(_floods())
