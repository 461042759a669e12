"""Finished games for a server that is attacked: it must have some that can be replayed, reviewed and verified."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from engine.ai import LEVELS
from engine.game import play
from engine.rulesets import DEFAULT
from engine.view import view_of
from server.bench.servers import SEED, Serving, quatch
from server.people.players import Player
from server.records.record import Record, RecordedMove, positions, write_record
from server.records.results import Finish, Result, write_result
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.storage.table_log import EMPTY, FinishedGame, LogEntry

GAMES: Final = tuple(f"BENCH{number}" for number in range(8))
"""The ids of the finished games."""
SEATS: Final = 4
LEVEL: Final = "easy"
AT: Final = 1_750_000_000.0


async def quatch_with_games(folder: Path) -> Serving:
    """The whole program as in `servers.quatch`, with a log of finished games."""
    log = SqliteLog(folder / FILE_NAME)
    await log.open()
    for table, game_id in enumerate(GAMES, 1):
        entry = LogEntry(table, 1, bytes(8), AT, b"{}")
        await log.append(EMPTY, entry, _game(game_id))
        await log.delete(table, entry.head)
    await log.close()
    return await quatch(folder)


def _game(game_id: str) -> FinishedGame:
    """A game of AI players, dealt from the id."""
    players = tuple(Player("", f"Fox{seat}", "ai", LEVEL) for seat in range(SEATS))
    record = Record(game_id, DEFAULT, "A game", {}, players, SEED, ((players[0].name, game_id),), began=AT, ended=AT)
    ((state, _),) = positions(record)
    chance, steps = Random(game_id), list[RecordedMove]()
    while state.phase != "over":
        seat = state.ready.index(False) if state.phase == "arrange" else state.to_move or 0
        move = LEVELS[LEVEL](view_of(state, seat), chance)
        steps.append(RecordedMove(seat, str(move)))
        state, _ = play(state, seat, move)
    finishes = tuple(Finish(f"ai:{LEVEL}", player.name, 1) for player in players)
    result = Result(finishes, drawn=True, plies=len(steps))
    text = write_record(replace(record, steps=tuple(steps)))
    return FinishedGame(game_id, record.rules, AT, write_result(result), text)
