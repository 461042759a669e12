"""Finished games, the players' standings, and the lesson. `stepping` has what is typed in a replay or a lesson."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, to_builtins

from engine.errors import InputError
from engine.rulesets import DEFAULT
from server.ai.pool import WorkerFailed
from server.commands.nights import PERIOD_NAMES, SCORES, top_of_period
from server.commands.recording import CAST_FLAG, record_game
from server.commands.registry import Answer, Command, Context
from server.history.archive import (
    GAMES_LISTED,
    RefuseSecret,
    ShownFinish,
    find_game,
    find_record,
    latest_lines,
    shown_finishes,
)
from server.history.replay import Replay, record_json, replay_of, transcript
from server.history.review import WHICH_GAME, ReviewSubject, review_game, review_subject, reviewed_game, seat_and_game
from server.history.review_text import REVIEW_INTERRUPTED, review_lines
from server.history.standings import RatedApart
from server.history.top import BestPlayer, best_players, standings_note, top_lines
from server.language.position_text import table_text
from server.number_text import read_number
from server.pieces import collected, in_pieces
from server.player.lesson import Lesson
from server.player.player_session import PlayerSession
from server.player.replay_view import ReplayView
from server.records.record import Record
from server.records.record_reader import parse_record
from server.records.results import Secret, read_result
from server.records.syntax import time_text
from server.records.verify import verifying
from server.storage.table_log import FinishedGame

BEST_LISTED: Final = 20
LATEST_READ: Final = (10 * GAMES_LISTED, 200 * GAMES_LISTED)
"""Of so many finished games those are listed that are no secret any more; of more if many are secret."""


class _GameJson(Struct):
    game: str
    rules: str
    ended: str
    finishes: list[ShownFinish] | None
    """By seat; empty if the game was abandoned and counts for nobody, null if this version cannot read the result."""


class _GamesJson(Struct):
    games: list[_GameJson]


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


HELP_REPLAY: Final = (
    "Alone it lists the latest games; at a table it shows the last one again.",
    "replay 7KQ2M9XA 42 begins at move 42. Right after a game, replay 42 does so for that game.",
    "replay 7KQ2M9XA 42 2 shows the game as seat 2 saw it.",
    "ssh HOST replay ID --cast > game.cast records it as spectators saw it, for asciinema play.",
)
MOVE_DIGITS: Final = 4
"""A number of so many digits is a move; an id is longer."""


@Command("replay [ID] [MOVE]", pages={"lobby", "between"}, aliases=("v",), ssh="answer or screen", details=HELP_REPLAY)
async def replay(context: Context, rest: str) -> Answer | None:
    """Step through a finished game."""
    words = rest.split()
    if isinstance(context, PlayerSession):
        context.must_be_between_games()
        if words and read_number(words[0]) is not None and len(words[0]) <= MOVE_DIGITS:
            words = [_last_seen(context), *words]
        elif not words and context.game and context.location_name in {"table", "watching"}:
            words = [context.game]
    elif CAST_FLAG in words:
        return await record_game(context.lobby.store, words, _refuse_secret_for(context))
    if not words:
        return await _latest(context)
    game_id, *where = words
    if isinstance(context, PlayerSession):
        return await _show(context, game_id, where)
    return await _tell(context, game_id, where)


@Command("review [ID] [SEAT]", pages={"between", "replay"}, aliases=("c",), ssh="answer or screen")
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
    game = await find_game(context.lobby.store, rest or _last_seen(context), _refuse_secret_for(context))
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


@Command("lesson [RULES]", where={"lobby"}, ssh="screen")
async def lesson(session: PlayerSession, rest: str) -> None:
    """Learn the game by playing, in five minutes."""
    rules = session.lobby.rulebook.find(rest or DEFAULT)
    session.set_side_view(Lesson(rules, session.player.name, session.front_end.told, rest))
    session.talk.count_anew()


async def _subject(context: Context, game_id: str, seat: str) -> ReviewSubject:
    """The turns of a seat, by default the player's own, in a game, by default the last that the player saw."""
    player = context.player
    if not game_id and isinstance(context, PlayerSession):
        view = context.side_view
        if isinstance(view, ReplayView):
            seat = seat or ("" if view.seat is None else str(view.seat + 1))
            return review_subject(view.replay.record, seat, account=player.account, name=player.name)
    game_id = game_id or _last_seen(context)
    if not game_id:
        raise InputError("bad_request", WHICH_GAME)
    game, record = await find_record(context.lobby.store, game_id, _refuse_secret_for(context))
    return review_subject(record, seat, result=read_result(game.result), account=player.account, name=player.name)


def _last_seen(context: Context) -> str:
    """The finished game that the player looks at, or else the last that they saw; empty if there is none."""
    if not isinstance(context, PlayerSession):
        return ""
    if isinstance(context.side_view, ReplayView):
        return context.side_view.replay.record.id
    table = context.location.snapshot
    return table.game if table and table.stats else context.feed.last_game


def _refuse_secret_for(context: Context) -> RefuseSecret:
    """Raises InputError for a game that the player may not see yet; a guest may see it at its table."""
    here = context.location.snapshot if isinstance(context, PlayerSession) else None

    def refuse_secret(game: FinishedGame) -> None:
        is_here = here is not None and here.seat is not None and here.game == game.id
        if not is_here and (secret := context.lobby.secret_from(game, context.player)):
            raise InputError("private", f"game {game.id} {secret.why}")

    return refuse_secret


async def _latest(context: Context) -> Answer:
    lobby, shown, secrets = context.lobby, list[FinishedGame](), list[Secret | None]()
    for limit in LATEST_READ:
        latest = await lobby.store.latest(limit)
        secrets = await in_pieces(collected(lobby.secret_from(game, context.player) for game in latest))
        shown = [game for game, secret in zip(latest, secrets, strict=True) if not secret][:GAMES_LISTED]
        if len(shown) == GAMES_LISTED or len(latest) < limit:
            break
    games = _GamesJson([_GameJson(game.id, game.rules, time_text(game.at), shown_finishes(game)) for game in shown])
    lines = latest_lines(shown, lobby.rulebook)
    if not shown and (secret := next(iter(secrets), None)):
        lines = [f"The games so far {secret.unlisted}."]
    return Answer(lines, games)


async def _tell(context: Context, game_id: str, where: Sequence[str]) -> Answer:
    """A whole game as lines or as JSON, or one move of it as lines."""
    game, record = await find_record(context.lobby.store, game_id, _refuse_secret_for(context))
    replayed = await _replay(record, where)
    if where:
        moment = replayed.now()
        return Answer([f"Move {replayed.ply} of {replayed.length}.", *moment.sentences, *table_text(moment.snapshot)])
    lines = await in_pieces(collected(transcript(replayed)))
    return Answer(lines, {**await in_pieces(record_json(record)), "finishes": to_builtins(shown_finishes(game))})


async def _show(session: PlayerSession, game_id: str, where: Sequence[str]) -> Answer | None:
    """Have the player look at a game."""
    shown = session.side_view
    if isinstance(shown, ReplayView) and shown.replay.record.id == game_id.upper():
        record = shown.replay.record  # it may come from a file
    else:
        _, record = await find_record(session.lobby.store, game_id, _refuse_secret_for(session))
    replayed = await _replay(record, where)
    session.look_at(replayed)
    return Answer(["b goes to the cards before this move, review shows what moves cost."]) if replayed.ply else None


async def _replay(record: Record, where: Sequence[str]) -> Replay:
    """A game at the deal, or at a move and, if one is named, from the viewpoint of a seat. Raises InputError."""
    replayed = await replay_of(record)
    if where:
        ply = read_number(where[0])
        if ply is None or ply > replayed.length:
            raise InputError("bad_request", f"game {record.id} has moves 0 to {replayed.length}: 0 is the deal")
        replayed.to(ply)
    if where[1:]:
        if (seat := read_number(where[1])) is None:
            raise InputError("bad_request", f"type the number of a seat behind that of the move, not {where[1][:20]!r}")
        replayed.look_from(seat - 1)
    return replayed
