"""What `quatch bench growth` fills a log with: puzzles that were found, and how accounts get on with them."""

from collections.abc import Awaitable, Iterator

from msgspec.structs import replace

from server.bench.growth import fingerprint, write_all
from server.puzzles.puzzle import FOUND, MOST_FOUND, PROGRESS, REMEMBERED, PuzzleProgress, bundled_puzzles
from server.storage.table_log import TableLog
from server.typed_json import write_versioned


async def add_puzzles(log: TableLog, number: int) -> None:
    """No more puzzles than are kept, each with an id of its own, and the progress of so many accounts."""
    bundled = bundled_puzzles()
    found = [replace(bundled[each % len(bundled)], id=f"{each:06X}") for each in range(min(number, MOST_FOUND))]
    progress = PuzzleProgress(streak=3, best=9, solved=40, tried=tuple(each.id for each in found[:REMEMBERED]))

    def writes() -> Iterator[Awaitable[object]]:
        for puzzle in found:
            yield log.put_text(FOUND, puzzle.id, write_versioned(puzzle))
        for account in range(number):
            yield log.put_text(PROGRESS, fingerprint(account), write_versioned(progress))

    await write_all(writes())
