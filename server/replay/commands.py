"""What is typed to look at a finished game, and while one is looked at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from engine.errors import InputError
from engine.rules import Json
from server.clean_text import clean
from server.commands.games import kept_record, last_seen
from server.commands.registry import Answer, Command, Context, declared_in
from server.commands.side_views import at_side_view
from server.features import Feature
from server.history.archive import games_of, result_of, secret_from, source_of
from server.language.position_text import table_text
from server.number_text import read_decimal, read_number
from server.pieces import collected, in_pieces
from server.player.player_session import PlayerSession
from server.records.record import Record
from server.records.results import Secret, result_text
from server.records.syntax import time_text
from server.render.scene import AfterGame, LobbyHint
from server.replay.playback import OPEN, Playback, playback_of, record_json, transcript
from server.replay.recording import CAST_FLAG, record_game
from server.replay.view import PLAY_SECONDS, REPLAY, ReplayView
from server.rulebook import Rulebook
from server.storage.database import FinishedGame

GAMES_LISTED: Final = 18
"""The lines that fit on a page with what stands around them."""
AT_MOST: Final = 3
"""How many of the latest games one source may have in the list, if there are enough of others."""
OWN_LISTED: Final = 8
LATEST_READ: Final = (10 * GAMES_LISTED, 200 * GAMES_LISTED)
"""How many finished games are read for the list; the second number if too many of them are still secret."""
HELP_REPLAY: Final = (
    "Alone it lists the latest games; at a table it shows the last one again.",
    "replay 7KQ2M9XA 42 begins at move 42. Right after a game, replay 42 does so for that game.",
    "replay 7KQ2M9XA 42 2 shows the game as seat 2 saw it.",
    "ssh HOST replay ID --cast [--size 100x30] > game.cast records it as spectators saw it, for asciinema play.",
    "ssh HOST replay ID --export > game.txt writes its record, for quatch verify game.txt.",
)
EXPORT_FLAG: Final = "--export"
MOVE_DIGITS: Final = 4
"""A number of so many digits is a move; an id is longer."""


@Command(
    "replay [ID] [MOVE]",
    may=lambda context: not isinstance(context, PlayerSession) or context.may_look_back,
    pages={"lobby", "between"},
    aliases=("v",),
    ssh="answer or screen",
    shows_over_ssh=True,
    answers_with=(CAST_FLAG, EXPORT_FLAG),
    options=(CAST_FLAG, "--size", EXPORT_FLAG),
    details=HELP_REPLAY,
    words="history, my games, old games, last game",
)
async def replay(context: Context, rest: str) -> Answer | None:
    """Step through a finished game."""
    words = rest.split()
    if isinstance(context, PlayerSession):
        if context.place.kind == "exercise":
            context.must_be_in_lobby()
        if not context.may_look_back:
            raise InputError("bad_request", "end or leave this game first; ssh HOST replay ID prints one meanwhile")
        if words and read_number(words[0]) is not None and len(words[0]) <= MOVE_DIGITS:
            words = [last_seen(context), *words]
        elif not words and context.game and context.place.kind in {"table", "watching"}:
            words = [context.game]
    elif CAST_FLAG in words:
        return await record_game(context, words)
    if not words:
        return await _latest(context)
    game_id, *where = words
    if isinstance(context, PlayerSession):
        return await _show(context, game_id, where)
    return await _tell(context, game_id, where)


def _finishes(game: FinishedGame) -> list[Mapping[str, Json]] | None:
    """How the seats of a game finished, for everybody; empty if it was abandoned and counts for nobody.

    None if this version cannot read the result. The name is that of the player who was dealt in, 1 is the best rank,
    the successor is the AI player who had the seat at the end, and `results.Why` says why the two ranks may differ.
    """
    if (result := result_of(game)) is None:
        return None
    told = ("name", "rank", "rank_by_cards", "successor", "why", "left")
    return [{key: getattr(each, key) for key in told} for each in result.finishes]


async def _latest(context: Context) -> Answer:
    lobby, shown, secrets = context.lobby, list[FinishedGame](), list[Secret | None]()
    for limit in LATEST_READ:
        latest = await lobby.store.latest(limit)
        secrets = await in_pieces(collected(secret_from(game, context.player.account, lobby.wall()) for game in latest))
        listed = [game for game, secret in zip(latest, secrets, strict=True) if not secret]
        shown = of_many_sources(listed, GAMES_LISTED)
        if len(shown) == GAMES_LISTED or len(latest) < limit:
            break
    games: list[Mapping[str, Json]] = [
        {"game": game.id, "rules": game.rules, "ended": time_text(game.at), "finishes": _finishes(game)}
        for game in shown
    ]
    account = context.player.account
    own = [each.game for each in await games_of(lobby.store, account, OWN_LISTED)] if account else []
    lines = latest_lines(shown, lobby.rulebook, own)
    if not shown and (secret := next(iter(secrets), None)):
        lines = [f"The games so far {secret.unlisted}."]
    return Answer(lines, {"games": games, "yours": [game.id for game in own]})


def of_many_sources(games: Sequence[FinishedGame], most: int) -> list[FinishedGame]:
    """The first so many of these games, in their order; only `AT_MOST` of a source if there are enough of others."""
    counted, first, rest = Counter[object](), list[FinishedGame](), list[FinishedGame]()
    for game in games:
        source = source_of(game)
        counted[source] += 1
        (first if not source or counted[source] <= AT_MOST else rest).append(game)
    chosen = {game.id for game in [*first, *rest][:most]}
    return [game for game in games if game.id in chosen]


def latest_lines(games: Sequence[FinishedGame], rulebook: Rulebook, own: Sequence[FinishedGame] = ()) -> list[str]:
    """The player's own latest games and those of all others, one per line, newest first."""
    if not games and not own:
        return ["No game has been finished here yet."]
    yours = ["Your games:", *(_line(game, rulebook) for game in own)] if own else []
    others = [_line(game, rulebook) for game in games if game.id not in {each.id for each in own}]
    return [
        f"To see a game again, move by move, type replay and its id, as in replay {(*own, *games)[0].id}.",
        *yours,
        *(["The latest games here:"] if own and others else []),
        *others[: GAMES_LISTED - len(yours)],
    ]


def _line(game: FinishedGame, rulebook: Rulebook) -> str:
    result = result_of(game)
    rules = rulebook.title_of(result.rated_as or "", game.rules) if result else ""
    what = result_text(result) if result else "this version cannot read the result"
    return f"{game.id}  {datetime.fromtimestamp(game.at, UTC):%Y-%m-%d %H:%M}  {rules or clean(game.rules)}: {what}"


async def _tell(context: Context, game_id: str, where: Sequence[str]) -> Answer:
    """A whole game as lines or as JSON, one move of it as lines, or its record."""
    game, record = await kept_record(context, game_id)
    if EXPORT_FLAG in where:
        return Answer(game.record.strip().split("\n"))
    replayed = await _replay(record, where)
    if where:
        moment = replayed.now()
        return Answer([f"Move {replayed.ply} of {replayed.length}.", *moment.sentences, *table_text(moment.snapshot)])
    lines = await in_pieces(collected(transcript(replayed)))
    return Answer(lines, {**await in_pieces(record_json(record)), "finishes": _finishes(game)})


async def _show(session: PlayerSession, game_id: str, where: Sequence[str]) -> Answer | None:
    """Have the player look at a game."""
    shown = session.side_view
    if isinstance(shown, ReplayView) and shown.replay.record.id == game_id.upper():
        record = shown.replay.record  # it may come from a file
    else:
        _, record = await kept_record(session, game_id)
    replayed = await _replay(record, where)
    session.set_side_view(ReplayView(replayed, session.front_end))
    others = [each for each in session.lobby.features.all(AfterGame) if not each.is_for_all]
    ways = ["b goes to the cards before this move", *(f"{each.word} {each.to}" for each in others)]
    return Answer([f"{', '.join(ways)}."]) if replayed.ply else None


async def _replay(record: Record, where: Sequence[str]) -> Playback:
    """A game at the deal, or at a move and, if one is named, from the viewpoint of a seat. Raises InputError."""
    replayed = await playback_of(record)
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


at_side_view(ReplayView, "next [N]", "Go on a move, or N moves.", lambda view, n: view.go(view.replay.ply + n), "n", "")
at_side_view(ReplayView, "back [N]", "Go back a move, or N moves.", lambda view, n: view.go(view.replay.ply - n), "b")
at_side_view(
    ReplayView, "e", "Go to the next burn, pick-up or going out.", lambda view, _: view.go(view.replay.next_highlight)
)
at_side_view(ReplayView, "u", "Go to the one before.", lambda view, _: view.go(view.replay.previous_highlight))
at_side_view(ReplayView, "move N, or N", "Go to move N.", lambda view, ply: view.go(ply))
at_side_view(ReplayView, "start", "Go to the deal.", lambda view, _: view.go(0))
at_side_view(ReplayView, "end", "Go to the end.", lambda view, _: view.go(view.replay.length))
at_side_view(ReplayView, "seat N", "Show the game as seat N saw it.", lambda view, seat: view.look_from(seat - 1))
at_side_view(ReplayView, "watch", "Show the game as spectators saw it.", lambda view, _: view.look_from(None))
at_side_view(ReplayView, "open", "Show all cards.", lambda view, _: view.look_from(OPEN))


@Command("play [SECONDS]", where={"replay"}, read_only=True)
async def play(session: PlayerSession, rest: str) -> Answer:
    """Play the replay, a move every so many seconds."""
    least, most = PLAY_SECONDS
    seconds = read_decimal(rest) if rest else None
    if rest and (seconds is None or not least <= seconds <= most):
        raise InputError("bad_request", f"type the seconds for a move behind play, from {least:g} to {most:g}")
    view = session.side_view
    return Answer(view.play(seconds) if isinstance(view, ReplayView) else ())


FEATURE: Final = Feature(
    "replay",
    (
        *declared_in(__name__),
        REPLAY,
        LobbyHint("replay"),
        AfterGame(
            "v",
            "replay",
            "to see this game again",
            is_for_all=True,
            lists="replay lists the latest",
            at_move="replay {game} {move} {seat}",
        ),
    ),
)
