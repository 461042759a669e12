"""What `quatch bench growth` fills a log with: results of a daily deal."""

import time
from collections.abc import Awaitable, Iterator
from random import Random

from server.bench.growth import fingerprint, write_all
from server.daily.deal import DailyScore, day_at
from server.daily.game import AI_VERSION
from server.daily.results import DailyRow, results_of, tries_of
from server.people.players import Player
from server.storage.table_log import TableLog
from server.typed_json import write_versioned


async def add_results(log: TableLog, results: int) -> None:
    """Results of today's deal, and the tries that led to them."""
    date, chance = day_at(time.time()).date, Random("daily deals")

    def writes() -> Iterator[Awaitable[object]]:
        for number in range(results):
            player = Player(fingerprint(number), f"player{number}")
            score = DailyScore(chance.randint(1, 4), chance.randint(-30, 30), chance.randint(8, 40))
            row = write_versioned(DailyRow(name=player.name, score=score, game=f"{number:08X}", ai_version=AI_VERSION))
            yield log.put_text(results_of(date), player.id, row)
            yield log.put_text(tries_of(player.id), f"{date} {player.id} 0", "1")

    await write_all(writes())
