"""What `quatch bench growth` fills a log with: the habits of accounts."""

from engine.ai.mistakes import MISTAKES
from server.bench.growth import GAMES_OF_A_PLAYER, fingerprint, write_all
from server.review.habits import HABITS, Counted, Habits
from server.storage.table_log import TableLog
from server.typed_json import write_versioned


async def add_habits(log: TableLog, number: int) -> None:
    """Those of so many accounts."""
    habits = Habits(counted=GAMES_OF_A_PLAYER, turns=300, mistakes=dict.fromkeys(MISTAKES, Counted(times=9, cost=1.5)))
    text = write_versioned(habits)
    await write_all(log.put_text(HABITS, fingerprint(account), text) for account in range(number))
