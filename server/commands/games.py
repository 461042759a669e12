"""Finished games, the players' standings, and the lesson."""

from engine.errors import InputError
from engine.rules import Json
from engine.rulesets import DEFAULT
from server.ai.pool import WorkerFailed
from server.commands.registry import LOBBY, Answer, Command, Context
from server.history.archive import GAMES_LISTED, find_game, find_record, latest_lines
from server.history.replay import record_json, transcript
from server.history.review import WHICH_GAME, ReviewSubject, review_game, review_subject, seat_and_game
from server.history.review_text import review_lines
from server.history.standings import standings_note, top_json, top_lines
from server.player.player_session import PlayerSession
from server.player.replay_view import ReplayView
from server.records.record_reader import read_record
from server.records.results import read_result
from server.records.text_lines import time_text
from server.records.verify import verify


@Command("replay [ID]", pages={"lobby", "between"}, ssh="answer or screen")
async def replay(context: Context, rest: str) -> Answer | None:
    """See a finished game again; alone: list them."""
    if isinstance(context, PlayerSession):
        context.must_be_between_games()
        if context.place in {"table", "watching"}:
            rest = rest or context.game
    if not rest:
        store = context.lobby.store
        latest = await store.latest(GAMES_LISTED)
        games: list[Json] = [{"game": game.id, "rules": game.rules, "ended": time_text(game.at)} for game in latest]
        return Answer(await latest_lines(store, context.lobby.rulebook), {"games": games})
    record = await find_record(context.lobby.store, rest)
    if not isinstance(context, PlayerSession):
        return Answer(list(transcript(record)), record_json(record))
    context.look_at(record)
    return None


@Command("review [ID] [SEAT]", pages={"lobby", "between", "game", "replay"}, ssh="answer or screen")
async def review(context: Context, rest: str) -> Answer:
    """How you stood, and what your moves cost."""
    subject = await _subject(context, *seat_and_game(rest.split()))
    if isinstance(context, PlayerSession):
        return Answer(context.review_task.begin(subject))
    try:
        found = await review_game(
            subject, context.lobby.ai_pool, who=context.player.identity or str(context.caller.address)
        )
    except WorkerFailed:
        raise InputError("failed", "that could not be thought through now: try again") from None
    return Answer(review_lines(found, plot=False), found.to_json())


@Command("verify ID", pages=(), ssh="answer")
async def check(context: Context, rest: str) -> Answer:
    """Check the deal of a finished game."""
    game = await find_game(context.lobby.store, rest)
    try:
        return Answer(verify(game.record), {"game": game.id, "fair": True, "problem": None})
    except InputError as error:
        return Answer([error.sentence], {"game": game.id, "fair": False, "problem": error.message}, status=1)


@Command("top [RULES]", pages={"lobby", "between"}, ssh="answer")
async def top(context: Context, rest: str) -> Answer:
    """The best players."""
    title, best = await context.lobby.best(rest)
    you = context.player.identity
    lines = [*top_lines(title, best, you, drawn=context.scene.drawn), *standings_note(best, you)]
    return Answer(lines, {"top": [*top_json(best, you)]})


@Command("lesson [RULES]", where=LOBBY)
async def lesson(session: PlayerSession, rest: str) -> None:
    """Learn the game by playing, in five minutes."""
    session.learn(session.lobby.rulebook.find(rest or DEFAULT), rest)


async def _subject(context: Context, game_id: str, seat: str) -> ReviewSubject:
    """The turns of a seat, by default the player's own, in a game, by default the last that the player saw."""
    player = context.player
    if not game_id and isinstance(context, PlayerSession):
        view = context.side_view
        if isinstance(view, ReplayView):
            seat = seat or ("" if view.seat is None else str(view.seat + 1))
            return review_subject(view.record, seat, identity=player.identity, name=player.name)
        game_id = context.feed.last_game
    if not game_id:
        raise InputError("bad_request", WHICH_GAME)
    game = await find_game(context.lobby.store, game_id)
    return review_subject(
        read_record(game.record), seat, result=read_result(game.result), identity=player.identity, name=player.name
    )
