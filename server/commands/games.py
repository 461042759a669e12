"""Finished games, the players' standings, and the lesson."""

from engine.errors import InputError
from engine.rules import Json
from engine.rulesets import DEFAULT
from server.ai.pool import WorkerFailed
from server.commands.arguments import rule_sets
from server.commands.registry import LESSON, LOBBY, REPLAY, Answer, Command, Context
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


@Command(
    "replay [ID]",
    "see a finished game again; alone: list them",
    pages={"lobby", "between"},
    ssh="answer or screen",
    json=True,
)
async def replay(context: Context, rest: str) -> Answer:
    """Show a finished game: move by move in a session, at once over ssh; without an id list the latest.

    At a table, without an id, it is the game that has just ended.
    """
    session = context if isinstance(context, PlayerSession) else None
    if session is not None:
        session.must_be_between_games()
        rest = rest or (session.game if session.place in {"table", "watching"} else "")
    if not rest:
        return await _latest(context)
    record = await find_record(context.lobby.store, rest)
    if session is not None:
        session.look_at(record)
        return Answer()
    return Answer(list(transcript(record)), record_json(record))


@Command("review [ID] [SEAT]", "how you stood, and what your moves cost", ssh="answer or screen", json=True)
async def review(context: Context, rest: str) -> Answer:
    """Look back on a player's turns in a finished game. In a session the player can go on meanwhile."""
    game_id, seat = seat_and_game(rest.split())
    if isinstance(context, PlayerSession):
        return Answer(context.review_task.begin(await _past_seen(context, game_id, seat)))
    if not game_id:
        raise InputError("bad_request", WHICH_GAME)
    past = await _past(context, game_id, seat)
    try:
        found = await review_game(
            past, context.lobby.ai_pool, who=context.player.identity or str(context.caller.address)
        )
    except WorkerFailed:
        raise InputError("failed", "that could not be thought through now: try again") from None
    return Answer(review_lines(found, plot=False), found.to_json())


@Command("verify ID", "check the deal of a finished game", pages=(), ssh="answer", json=True)
async def check(context: Context, rest: str) -> Answer:
    """Deal a finished game again from its seed."""
    game = await find_game(context.lobby.store, rest)
    try:
        return Answer(verify(game.record), {"game": game.id, "fair": True, "problem": None})
    except InputError as error:
        return Answer([error.sentence], {"game": game.id, "fair": False, "problem": error.message}, status=1)


@Command("top [RULES]", "the best players", pages={"lobby", "between"}, ssh="answer", json=True, arguments=rule_sets)
async def top(context: Context, rest: str) -> Answer:
    """List the best players under the named rules, or under any."""
    title, best = await context.lobby.best(rest)
    you = context.player.identity
    lines = [*top_lines(title, best, you, drawn=context.scene.drawn), *standings_note(best, you)]
    return Answer(lines, {"top": [*top_json(best, you)]})


@Command("lesson [RULES]", "learn the game by playing, in five minutes", where=LOBBY, arguments=rule_sets)
async def lesson(session: PlayerSession, rest: str) -> Answer:
    """Begin a lesson in the named rules."""
    session.learn(session.lobby.rulebook.find(rest or DEFAULT), rest)
    return Answer()


@Command("leave", "back to where you were", where=REPLAY | LESSON, pages={"replay", "lesson"})
@Command("quit", "the same as leave here", where=REPLAY | LESSON, pages=(), aliases=("q", "exit", "bye"))
async def close(session: PlayerSession, _: str) -> Answer:
    """Go back to the table or the lobby from a replay or a lesson."""
    return Answer([f"You are {session.close_side_view()}."])


async def _latest(context: Context) -> Answer:
    """The latest finished games."""
    store = context.lobby.store
    games: list[Json] = [
        {"game": game.id, "rules": game.rules, "ended": time_text(game.at)} for game in await store.latest(GAMES_LISTED)
    ]
    return Answer(await latest_lines(store, context.lobby.rulebook), {"games": games})


async def _past(context: Context, game_id: str, seat: str) -> ReviewSubject:
    """The turns of a seat in the game of this id, by default the player's own."""
    game = await find_game(context.lobby.store, game_id)
    player = context.player
    return review_subject(
        read_record(game.record), seat, result=read_result(game.result), identity=player.identity, name=player.name
    )


async def _past_seen(session: PlayerSession, game_id: str, seat: str) -> ReviewSubject:
    """The same; by default of the game that the player looks at, or of the last one that they saw the end of."""
    replay_view = session.side_view
    if not game_id and isinstance(replay_view, ReplayView):
        seat = seat or ("" if replay_view.seat is None else str(replay_view.seat + 1))
        player = session.player
        return review_subject(replay_view.record, seat, identity=player.identity, name=player.name)
    if not game_id and not session.feed.last_game:
        raise InputError("bad_request", WHICH_GAME)
    return await _past(session, game_id or session.feed.last_game, seat)
