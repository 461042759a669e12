"""What `quatch bench growth` fills a log with: tournaments that were played."""

from collections.abc import Awaitable, Iterator

from server.bench.growth import BEGAN, fingerprint, write_all
from server.people.players import Player
from server.storage.table_log import TableLog
from server.tournament.events import (
    LIST,
    OVER,
    Board,
    Entered,
    Event,
    Finished,
    Opened,
    Published,
    events_of,
    write_event,
)
from server.tournament.known import TOURNAMENTS_KEPT


async def add_tournaments(log: TableLog, number: int) -> None:
    """Tournaments that are over, of eight players and three rounds each; no more than are kept."""
    people = [Player(fingerprint(each), f"player{each}") for each in range(8)]

    def writes() -> Iterator[Awaitable[object]]:
        for each in range(min(number, TOURNAMENTS_KEPT)):
            opened = Opened(
                name=f"night {each}", format="swiss", host="", host_name="", at=BEGAN, seed="", rules="quatch", rounds=3
            )
            yield log.put_text(LIST, f"{each}", write_event(opened))
            happened: list[Event] = [Entered(at=BEGAN, player=player) for player in people]
            for played in (1, 2, 3):
                games = [f"{each:04X}{played}{board:03X}" for board in (0, 1)]
                boards = [Board(tuple(player.id for player in people[board::2]), 1, games[board]) for board in (0, 1)]
                happened.append(Published(at=BEGAN, round=played, boards=tuple(boards)))
                happened += [
                    Finished(at=BEGAN, round=played, board=board, game=games[board], ranks=(1, 2, 3, 4))
                    for board in (0, 1)
                ]
            for key, event in enumerate(happened):
                yield log.put_text(events_of(f"{each}"), f"{key}", write_event(event))
            yield log.put_text(OVER, f"{each}", str(BEGAN))

    await write_all(writes())
