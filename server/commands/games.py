"""Finished games and the players' standings."""

from typing import Final

from msgspec import Struct

from engine.errors import InputError
from server.ai.pool import WorkerFailed
from server.commands.nights import PERIOD_NAMES, SCORES, top_of_period
from server.commands.registry import Answer, Command, Context
from server.history.archive import (
    RefuseSecret,
    find_game,
    find_record,
)
from server.history.review import WHICH_GAME, ReviewSubject, review_game, review_subject, reviewed_game, seat_and_game
from server.history.review_text import REVIEW_INTERRUPTED, review_lines
from server.history.standings import RatedApart
from server.history.top import BestPlayer, best_players, standings_note, top_lines
from server.pieces import in_pieces
from server.player.player_session import PlayerSession
from server.records.record_reader import parse_record
from server.records.results import read_result
from server.records.verify import verifying
from server.storage.table_log import FinishedGame

BEST_LISTED: Final = 20


class _VerifyJson(Struct):
    game: str
    fair: bool
    problem: str | None = None
    no_one_could_choose: bool = False
    """False: only the players could not."""


class _TopJson(Struct):
    top: list[BestPlayer]
    complete: bool
    """Whether all finished games are counted."""


@Command("review [ID] [SEAT]", pages={"between", "record"}, aliases=("c",), ssh="answer or screen")
async def review(context: Context, rest: str) -> Answer:
    """Find the costly moves in a finished game."""
    subject = await _subject(context, *seat_and_game(rest.split()))
    if isinstance(context, PlayerSession):
        return Answer(context.review_task.begin(subject))
    try:
        found = await review_game(subject, context.lobby.tables.ai_pool)
    except WorkerFailed:
        raise InputError("failed", REVIEW_INTERRUPTED) from None
    return Answer(review_lines(found, plot=False), reviewed_game(found))


@Command("verify [ID]", pages=(), ssh="answer")
async def check(context: Context, rest: str) -> Answer:
    """Check the deal and moves of a finished game."""
    game = await find_game(context.lobby.store, rest or last_seen(context), refuse_secret_for(context))
    try:
        record = (await in_pieces(parse_record(game.record))).record
        value = _VerifyJson(game.id, fair=True, no_one_could_choose=record.no_one_could_choose)
        return Answer(await in_pieces(verifying(game.record)), value)
    except InputError as error:
        return Answer([error.sentence], _VerifyJson(game.id, fair=False, problem=error.message), status=1)


RATED_GAMES: Final = (
    "A game is rated if its rules are unchanged and a player with a key meets another, or AI players: not only guests.",
    "You are last if you leave, stay away, remove a player, or let an AI player make more than a third of your moves.",
    "You are not rated if you were away at the deal or are removed; a game that all leave is lost by those with a key.",
)
"""The rule of ratings; `server/README.md` says which modules decide it."""
TOP_PERIODS: Final = (
    "top            the best ratings of all time",
    "top tonight    the most points since 05:00 by the server's clock",
    "top month      the most points of this month",
    "top life       the same for one rule set, also as top tonight life",
    "nights         past nights",
    *SCORES,
)


@Command("top [PERIOD] [RULES]", pages={"lobby"}, ssh="answer", details=(*TOP_PERIODS, *RATED_GAMES))
async def top(context: Context, rest: str) -> Answer:
    """List the best players."""
    lobby = context.lobby
    word, _, more = rest.partition(" ")
    if word in PERIOD_NAMES:
        return await top_of_period(context, word, more.strip())
    for apart in lobby.features.all(RatedApart):
        if rest == apart.feature:
            raise InputError("bad_request", apart.listed)
    rules = lobby.rulebook.find(rest) if rest else None
    complete = await lobby.standings.count_some()
    best = await lobby.standings.top(lobby.rulebook.name_of(rules) if rules else None, BEST_LISTED)
    you = context.player.account
    lines = [
        *top_lines(rules.title if rules else "All rule sets", best, you, drawn=context.scene.drawn),
        *standings_note(best, you),
    ]
    if not complete:
        lines.append("Games of the past are still being counted: these ratings will change.")
    return Answer(lines, _TopJson(best_players(best, you), complete))


async def _subject(context: Context, game_id: str, seat: str) -> ReviewSubject:
    """The turns of a seat, by default the player's own, in a game, by default the last that the player saw."""
    player = context.player
    if not game_id and isinstance(context, PlayerSession):
        view = context.side_view
        if view and view.record:
            shown = view.snapshot.view
            seat = seat or ("" if shown is None or shown.seat is None else str(shown.seat + 1))
            return review_subject(view.record, seat, account=player.account, name=player.name)
    game_id = game_id or last_seen(context)
    if not game_id:
        raise InputError("bad_request", WHICH_GAME)
    game, record = await find_record(context.lobby.store, game_id, refuse_secret_for(context))
    return review_subject(record, seat, result=read_result(game.result), account=player.account, name=player.name)


def last_seen(context: Context) -> str:
    """The finished game that the player looks at, or else the last that they saw; empty if there is none."""
    if not isinstance(context, PlayerSession):
        return ""
    if context.side_view and context.side_view.record:
        return context.side_view.record.id
    table = context.location.snapshot
    return table.game if table and table.stats else context.feed.last_game


def refuse_secret_for(context: Context) -> RefuseSecret:
    """Raises InputError for a game that the player may not see yet; a guest may see it at its table."""
    here = context.location.snapshot if isinstance(context, PlayerSession) else None

    def refuse_secret(game: FinishedGame) -> None:
        is_here = here is not None and here.seat is not None and here.game == game.id
        if not is_here and (secret := context.lobby.secret_from(game, context.player)):
            raise InputError("private", f"game {game.id} {secret.why}")

    return refuse_secret
