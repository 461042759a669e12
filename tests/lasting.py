#!/usr/bin/env python3
"""Does a server that runs for hours hold more and more? A real one, in real time, with players who come and go.

    tests/lasting.py [--minutes 20] FOLDER NAME...

Each NAME is a part; all parts have the same server. When a part has passed, its counts are in the file
NAME. FOLDER has the data, with which a later run goes on, and a sample of each minute. The load is gentle, so that
other tests can run beside it. Exit status 1 if the server holds more after a part than `growth` allows.
"""

import argparse
import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from typing import Final

import asyncssh
from msgspec import Struct
from msgspec.structs import asdict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from server.storage.sqlite_file import FILE_NAME
from tests.support.hosted import HostedServer, children, hosted_server
from tests.support.resources import cancelled, descriptors, memory
from tests.support.visitors import GONE, asker, bot_for_hours, caller, guest, newcomer, phone, reader, regular

REST_SECONDS: Final = 150.0
"""How long nobody is there at the end of a part: tables are closed by then, and clocks have run out."""
WORK_SECONDS: Final = 900.0
"""How much longer it may work on what they have asked for: a busy machine takes minutes to look through many games."""
MORE_TASKS: Final = 2
"""How many more tasks it may have at rest than at an earlier one."""
SAMPLE_SECONDS: Final = 60.0
BOTS: Final = 10
PEOPLE: Final = (regular, guest, reader, newcomer, regular, caller, phone, regular, guest, asker)
"""As many come one after the other all the time, each on a visit of the next kind."""
BOT_SECONDS: Final = 1.0
"""How long a bot thinks about a move, on average."""
ASK_SECONDS: Final = 0.5
ASKED: Final = ("who", "tables", "games", "top", "rules life", "help", "who --json", "frob")
SETTINGS: Final = {
    "QUATCH_PACE": "0.3",
    "QUATCH_KEEP_PLACE": "30",
    "QUATCH_KEEP_TABLE": "60",
    "QUATCH_KEEP_SEAT": "60",
    "QUATCH_BACKUP_EVERY": "0.5",
    "QUATCH_BACKUP_KEEP": "2",
}


class Sample(Struct, frozen=True):
    """What a server held at a moment, and what it had done since it was started."""

    seconds: float
    memory: int
    """Bytes of all its processes."""
    descriptors: int
    tasks: int
    database: int
    """Bytes by which its database has grown."""
    log: int
    """Bytes that it has logged."""
    games: int
    """Games that have ended."""
    cpu: float
    """Seconds of all its processes."""


class Part(Struct, frozen=True):
    """A part: the server at its beginning and at its end, while nobody was there, and how many came."""

    before: Sample
    after: Sample
    visits: int
    failed: int
    """Visits in which a player never saw what had to come."""

    @property
    def games(self) -> int:
        """Games that have ended in it."""
        return self.after.games - self.before.games

    @property
    def database_a_game(self) -> float:
        """Bytes by which the database has grown for each game, since the server was started.

        One part alone may only fill the pages that deleted games have left free.
        """
        return self.after.database / max(1, self.after.games)

    @property
    def logged_a_game(self) -> float:
        """Bytes logged for each game."""
        return (self.after.log - self.before.log) / max(1, self.games)

    def __str__(self) -> str:
        now, lasted = self.after, self.after.seconds - self.before.seconds
        return (
            f"{now.seconds / 60:.0f} min after the start: {now.memory / 2**20:.1f} MiB, {now.descriptors} descriptors,"
            f" {now.tasks} tasks, {self.database_a_game / 1024:.1f} KiB of database and"
            f" {self.logged_a_game / 1024:.1f} KiB of log a game; {self.games} games, {self.visits} visits, of which"
            f" {self.failed} failed, {100 * (now.cpu - self.before.cpu) / lasted:.0f} % of a core"
        )


def growth(first: Part, part: Part) -> list[str]:
    """What a server holds too much of after a part, by what it held after an earlier one."""
    now, then = part.after, first.after
    found = {
        f"{now.memory} bytes of memory, {then.memory} before": now.memory > then.memory * 1.05 + (8 << 20),
        f"{now.descriptors} descriptors, {then.descriptors} before": now.descriptors > then.descriptors + 2,
        f"{now.tasks} tasks, {then.tasks} before": now.tasks > then.tasks + MORE_TASKS,
        f"{part.database_a_game:.0f} bytes of database a game, {first.database_a_game:.0f} before": (
            part.database_a_game > first.database_a_game + 512
        ),
        f"{part.logged_a_game:.0f} bytes of log a game, {first.logged_a_game:.0f} before": (
            part.logged_a_game > first.logged_a_game * 1.25 + 100
        ),
        f"{part.failed} of {part.visits} visits failed": part.failed > part.visits // 20,
    }
    return [told for told, is_too_much in found.items() if is_too_much]


class Lasting:
    """A server and those who come to it."""

    def __init__(self, server: HostedServer, folder: Path) -> None:
        self._server, self._folder = server, folder
        self._began, self._database_then = time.monotonic(), self._database()
        self._logged = 0
        self._visits = self._failed = 0
        self._chance = Random(0)

    async def follow_log(self) -> None:
        """Keep the lines that the server logs."""
        assert self._server.process.stderr is not None
        with (self._folder / "log").open("ab") as file:
            while data := await self._server.process.stderr.read(65536):
                self._logged += len(data)
                file.write(data)
                file.flush()

    async def sample(self) -> Sample:
        """Measure now."""
        memory_taken, open_files, cpu = _taken(self._server.process.pid)
        sample = Sample(
            seconds=round(time.monotonic() - self._began, 1),
            memory=memory_taken,
            descriptors=open_files,
            tasks=int(await self._server.figures("tasks")),
            database=self._database() - self._database_then,
            log=self._logged,
            games=int(await self._server.figures("games_total")),
            cpu=cpu,
        )
        with (self._folder / "samples").open("a", encoding="ascii") as file:
            file.write(json.dumps(asdict(sample)) + "\n")
        return sample

    def _database(self) -> int:
        """Bytes of the pages of the database, wherever they lie."""
        with closing(sqlite3.connect(self._folder / "data" / FILE_NAME)) as database:
            ((size,),) = database.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            return int(size)

    async def part(self, seconds: float, tasks_at_rest: float) -> Part:
        """Have players come and go for so long, and rest until what they have asked for is done; what came of it."""
        before, visits, failed = await self.sample(), self._visits, self._failed
        coming: list[Callable[[], Awaitable[None]]] = [
            *(lambda number=number: self._bot(number) for number in range(BOTS)),
            *(lambda first=first: self._come(first) for first in range(len(PEOPLE))),
            self._ask,
            self._measure,
        ]
        tasks = [asyncio.ensure_future(each()) for each in coming]
        done, _ = await asyncio.wait(tasks, timeout=seconds - REST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            await cancelled(task)
        assert not done
        await asyncio.sleep(REST_SECONDS)
        until = time.monotonic() + WORK_SECONDS
        while (after := await self.sample()).tasks > tasks_at_rest + MORE_TASKS and time.monotonic() < until:
            await asyncio.sleep(SAMPLE_SECONDS)
        return Part(before, after, self._visits - visits, self._failed - failed)

    async def _measure(self) -> None:
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            await self.sample()

    async def _bot(self, number: int) -> None:
        await bot_for_hours(lambda: self._server, number, self._chance, lambda: None, BOT_SECONDS)

    async def _come(self, first: int) -> None:
        """Visit again and again, with a key of one's own."""
        for turn in count(first):
            number, visit = first + turn * len(PEOPLE), PEOPLE[turn % len(PEOPLE)]
            self._visits += 1
            try:
                await visit(self._server, self._chance, number)
            except (AssertionError, *GONE) as error:
                self._failed += 1
                print(f"{visit.__name__} {number}: {error!r}"[:3000].replace("\\n", "\n"), file=sys.stderr, flush=True)
            await asyncio.sleep(self._chance.expovariate(1 / 5))

    async def _ask(self) -> None:
        """Ask over and over with `ssh HOST COMMAND`, often over one connection."""
        key = asyncssh.generate_private_key("ssh-ed25519")
        while True:
            async with self._server.connection("asks", key) as connection:
                for _ in range(30):
                    await connection.run(self._chance.choice(ASKED))
                    await asyncio.sleep(self._chance.expovariate(1 / ASK_SECONDS))


def _taken(process: int) -> tuple[int, int, float]:
    """Memory in bytes, descriptors and seconds of processor time of a process and all that it has started."""
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        cpu = sum(map(int, state[11:13])) / os.sysconf("SC_CLK_TCK")
        own = (memory(process), descriptors(process), cpu)
        others = [_taken(child) for child in children(process)]
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0, 0, 0.0
    memories, files, times = zip(own, *others, strict=True)
    return sum(memories), sum(files), sum(times)


async def run(folder: Path, names: list[Path], part_seconds: float) -> int:
    """Run these parts; the exit status."""
    ports = ("--telnet-port", "0", "--web-port", "0")
    async with hosted_server(folder, *ports, QUATCH_METRICS_PORT="0", **SETTINGS) as server:
        lasting = Lasting(server, folder)
        log = asyncio.create_task(lasting.follow_log())
        try:
            parts: list[Part] = []
            for name in names:
                part = await lasting.part(part_seconds, parts[1].after.tasks if parts[1:] else inf)
                parts.append(part)
                print(f"{name.name}: {part}", flush=True)
                # On a busy machine one part is too short to fill all caches.
                if problems := growth(parts[:2][-1], part):
                    print(*problems, sep="\n", flush=True)
                    return 1
                name.write_text(f"{time.strftime('%F', time.gmtime())}, {part_seconds / 60:.0f} min\n{part}\n", "utf-8")
            server.process.terminate()
            return await server.process.wait()
        finally:
            await cancelled(log)


def main() -> int:
    """Run these parts, and stop the server at SIGTERM, too; the exit status."""
    parser = argparse.ArgumentParser(description="Look whether a server that runs for hours holds more and more.")
    parser.add_argument("folder", type=Path, help="of the data and the samples")
    parser.add_argument("names", type=Path, nargs="*", metavar="name", help="where the counts of a part go")
    parser.add_argument("--minutes", type=float, default=20, help="how long a part is (default: 20)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with suppress(KeyboardInterrupt):
        return asyncio.run(run(arguments.folder, arguments.names, 60 * arguments.minutes))
    return 1


if __name__ == "__main__":
    sys.exit(main())
