"""What `quatch bench growth` fills a log with: puzzles that were found, and how accounts get on with them."""

import time
from collections.abc import Awaitable, Iterator
from math import inf

from msgspec.structs import replace

from server.addresses import AddressSet
from server.bench.growth_data import fingerprint, write_all
from server.people.new_accounts import NewAccounts
from server.people.players import Player
from server.people.profiles import Profiles
from server.puzzles.progress import KIND, REMEMBERED, PuzzleProgress
from server.puzzles.puzzle import FOUND, MOST_FOUND, bundled_puzzles
from server.storage.table_log import TableLog


async def add_puzzles(log: TableLog, number: int) -> None:
    """No more puzzles than are kept, each with an id of its own, and the progress of so many accounts."""
    profiles, bundled = Profiles(log, time.time, inf, NewAccounts(AddressSet(()))), bundled_puzzles()
    found = [replace(bundled[each % len(bundled)], id=f"{each:06X}") for each in range(min(number, MOST_FOUND))]
    progress = PuzzleProgress(streak=3, best=9, solved=40, tried=tuple(each.id for each in found[:REMEMBERED]))

    def writes() -> Iterator[Awaitable[object]]:
        for puzzle in found:
            yield log.put_text(FOUND, puzzle.id, puzzle.to_json())
        for account in range(number):
            yield profiles.keep_text(KIND, Player(fingerprint(account), ""), progress.to_json())

    await write_all(writes())
