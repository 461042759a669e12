"""How tournaments stand, as players and programs are told."""

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct, to_builtins

from engine.rules import Json
from engine.wording.phrases import listed, quantity
from server.ai.pool import WorkerFailed
from server.clean_text import clean
from server.commands.games import NightEvent
from server.commands.registry import Answer, Context
from server.lobby.competitions import Competition, Competitions, Held, Leaders
from server.lobby.lobby import Lobby
from server.player.player_session import PlayerSession
from server.session.bot_requests import BotMessage, Request
from server.tournament import text
from server.tournament.known import TournamentLog
from server.tournament.pairing import AI_SEAT
from server.tournament.service import Tournaments, tournaments_of
from server.tournament.standings import meetings
from server.tournament.state import Tournament
from server.tournament.verbs import VERBS

CALLED_SECONDS: Final = 30.0
"""How long the names of a round and their tables are shown."""
MOST_ROWS: Final = 10
ENDED_SECONDS: Final = 12 * 3600.0
ENDED: Final = 3
"""The overview names at most so many tournaments that ended in the last hours."""
TOURNAMENTS: Final = 5
"""A page of a night names at most so many tournaments."""


# For boards and consoles.


def competition(state: Tournament, now: float, next_at: float) -> Competition:
    """The tournament at this moment. ``next_at``: when its next round is published; infinity if that is not known."""
    waits_for, until = _waited_for(state, now, next_at)
    games, is_over = len(state.running), state.phase == "over"
    going_on = f"{quantity(games, 'game')} {'goes' if games == 1 else 'go'} on." if games else ""
    soon = going_on or text.next_call_text(state, next_at, now)
    return Competition(
        state.name,
        text.stage(state) if state.rounds or state.phase != "playing" else "it begins",
        waits_for,
        None if until is None else max(0, math.ceil(until - now)),
        _calls(state, now),
        _standings(state),
        f"{text.summary(state)} {soon}".rstrip(),
        is_paused=state.paused_at is not None and not is_over,
        ended=now - state.ended if is_over else None,
        honours=tuple(text.honour_lines(state)) if is_over else (),
        enter=_enter(state),
    )


def _waited_for(state: Tournament, now: float, next_at: float) -> tuple[str, float | None]:
    """What the next countdown is for, and when it ends; None if nothing is waited for."""
    if not state.is_swiss or not state.running or state.paused_at is not None:
        return text.next_call(state, next_at)
    name, deals_at = text.round_name(state, len(state.rounds)), min(board.deals_at for board in state.running)
    if now < deals_at:
        return f"{name}: dealt in", deals_at
    return f"{name}: ends within", max(board.ends_at for board in state.running)


def _calls(state: Tournament, now: float) -> tuple[tuple[str, int], ...]:
    """Everybody who was called just now, with their table; by name, since people look for theirs."""
    if state.paused_at is not None:
        return ()
    called = {
        text.name_of(state, player): board.table
        for board in state.running
        if now < board.called_at + CALLED_SECONDS
        for player in board.people
    }
    return tuple(sorted(called.items(), key=lambda each: each[0].casefold()))


def _standings(state: Tournament) -> Leaders:
    if state.phase == "over":
        title = f"{state.name}: final standings{', corrected' * bool(text.corrected_lines(state))}"
    elif not state.results:
        title = f"{quantity(len(state.playing), 'player')} entered"
    elif state.is_swiss:
        when = "during" if state.running else "after"
        title = f"standings {when} {text.round_name(state, len(state.rounds))}"
    else:
        title = "standings"
    # Before the first result nobody leads, so that players stand in the order in which they have come.
    rows = [("", text.name_of(state, player), "") for player in state.playing]
    if state.results:
        parts = [(row, *text.row_parts(state, row)) for row in state.standings]
        rows = [(place, f"{text.name_of(state, row.player)}{decided}", points) for row, place, points, decided in parts]
    notes = [f"and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else []
    notes += [f"to play: {enter}"] if (enter := _enter(state)) else []
    return Leaders(title, tuple(rows[:MOST_ROWS]), "; ".join(notes))


def _enter(state: Tournament) -> str:
    return f"tournament join {state.name}" if state.takes_players else ""


def held(lobby: Lobby) -> list[Held]:
    """The tournaments that go on, the oldest first."""
    return [_held(lobby, its) for its in tournaments_of(lobby).known.running.values()]


async def find(lobby: Lobby, name: str) -> Held:
    """The tournament of this name; see `KnownTournaments.find`."""
    return _held(lobby, await tournaments_of(lobby).known.find(name))


def _held(lobby: Lobby, its: TournamentLog) -> Held:
    every = tournaments_of(lobby)
    return Held(its.state.id, lambda: competition(its.state, every.now(), every.next_round(its.state)[0]))


COMPETITIONS: Final = Competitions("tournament", held, find)


# For players and programs.


class RowJson(Struct):
    """A player in the standings."""

    name: str
    points: int
    place: int
    """1 is best, equal places are shared; 0 if the player is not listed yet."""
    shared: bool
    """Whether others have the same place."""
    decided: str
    """What decided the place, if the points did not; empty if they did."""
    games: int
    house: float
    """The house score, by which an open night is won."""
    playing: bool
    """Whether they play the next round."""


class BoardJson(Struct):
    """A table at which somebody plays now."""

    table: int
    round: int
    players: list[str]


class TournamentJson(Struct):
    """One tournament."""

    name: str
    format: str
    state: str
    """``open`` before it begins, ``playing``, or ``over``."""
    round: int
    rounds: int
    """0 in an open night."""
    rules: str
    title: str
    """That of the rules."""
    next_s: float | None
    """In how many seconds the next round is called; null if that is not known."""
    tables: list[BoardJson]
    standings: list[RowJson]


class TournamentRequest(Request, frozen=True, tag="tournament"):
    """What a bot sends to enter a tournament, to leave it, or to ask how it stands. Its tables come by themselves."""

    name: str = ""
    """The tournament's name; empty for the only one that goes on."""
    do: Literal["join", "leave", "standings"] = "standings"


class TournamentMessage(BotMessage, frozen=True, tag="tournament"):
    """What a bot is told of a tournament."""

    tournament: TournamentJson
    entered: bool
    """Whether the bot plays the next round."""
    table: int | None
    """The table at which it plays now."""


async def overview(context: Context) -> Answer:
    """What tournaments there are, and what to type next."""
    tournaments = tournaments_of(context.lobby)
    found = await tournaments.known.going_on()
    now = tournaments.now()
    over = await tournaments.known.ended_between(now - ENDED_SECONDS, now, ENDED)
    lines = list[str]()
    for state in found:
        lines.append(text.summary(state))
        lines += _own_lines(context, state)
    if not found and not over:
        lines = ["No tournament goes on."]
    lines += [text.over_text(state) for state in reversed(over)]
    if not found:
        lines.append("tournament new NAME opens one; help tournament tells more.")
    return Answer(lines, tournaments_json(context, *found, *over), title="tournament")


def _own_lines(context: Context, state: Tournament) -> list[str]:
    """How a tournament stands for the player, and what they can type."""
    player, soon = context.player.id, tournaments_of(context.lobby).soon(state)
    lines = [f"  {soon}"] if soon else []
    if busy := state.busy.get(player):
        lines.append(f"  You play at table {busy.table}: sit {busy.table}")
    elif context.caller.runs_server:
        lines.append(f"  tournament standings {state.name} shows more; what hosts can do: help tournament")
    elif player not in state.playing:
        lines.append(f"  tournament join {state.name}")
    else:
        lines.append(f"  You are in. tournament {state.name} shows the standings.")
    return lines


def tournaments_json(context: Context, *states: Tournament) -> Mapping[str, object]:
    """What programs are told of these tournaments."""
    return {"tournaments": [_json(tournaments_of(context.lobby), state) for state in states]}


def _json(tournaments: Tournaments, state: Tournament) -> TournamentJson:
    when, action = tournaments.next_round(state)
    names = {player: text.name_of(state, player) for player in (AI_SEAT, *state.entrants)}
    rows = [
        RowJson(
            names[row.player],
            row.points,
            row.place,
            row.shared,
            row.decided,
            row.games,
            round(float(row.house), 1),
            state.entrants[row.player].status == "in",
        )
        for row in state.standings
    ]
    boards = [BoardJson(board.table, board.round, [names[player] for player in board.seats]) for board in state.running]
    return TournamentJson(
        state.name,
        state.opened.format,
        state.phase,
        len(state.rounds),
        state.round_count if state.is_swiss else 0,
        state.opened.table.rules,
        state.opened.table.title or state.opened.table.rules,
        None if action is None else round(max(0.0, when - tournaments.now()), 1),
        boards,
        rows,
    )


async def carried_out(session: PlayerSession, request: TournamentRequest) -> TournamentMessage:
    """Carry out a bot's request. Returns how the tournament stands then. Raises InputError."""
    name, tournaments = clean(request.name), tournaments_of(session.lobby)
    if request.do != "standings":
        await VERBS[request.do].handler(session, name)
    state = (await tournaments.known.find(name)).state
    player, busy = session.player.id, state.busy.get(session.player.id)
    return TournamentMessage(_json(tournaments, state), player in state.playing, busy.table if busy else None)


async def results_answer(context: Context, state: Tournament) -> Answer:
    """The page of a tournament, and all of it for programs."""
    best, met = None, meetings(state.boards)
    if state.phase == "over":
        with suppress(WorkerFailed):  # the workers cannot tell now
            best = await tournaments_of(context.lobby).games_of_the_night.of(state)

    def name(player: str) -> str:
        return text.name_of(state, player) if player else ""

    value: dict[str, Json] = {
        "tournament": to_builtins(_json(tournaments_of(context.lobby), state)),
        "games": [
            {
                "round": board.round,
                "final": board.final,
                "game": board.game,  # empty for a player who sat out
                "void": board.void,
                "corrected": board.is_fixed,
                "seats": [  # the name is empty for an AI player, the rank null while the game goes on
                    {"name": name(player), "rank": board.ranks[seat] if board.ranks else None}
                    for seat, player in enumerate(board.seats)
                ],
            }
            for board in state.boards
        ],
        "met": {
            name(player): {name(other): times for other, times in met.get(player, {}).items()}
            for player in state.entrants
        },
        "honours": [
            {"honour": each.kind, "names": [*map(name, each.players)], "value": each.value} for each in state.honours
        ],
        "game_of_the_night": None
        if best is None
        else {"game": best.board.game, "winner": name(best.winner), "move": best.ply, "chance": best.chance},
    }
    return Answer(text.page_lines(state, best, context.player.id), value, title=state.name)


async def held_in_night(context: Context, begins: float, ends: float) -> list[NightEvent]:
    """The last tournaments that ended in a night, and who won them."""
    return [
        _night_event(state)
        for state in await tournaments_of(context.lobby).known.ended_between(begins, ends, TOURNAMENTS)
    ]


def _night_event(state: Tournament) -> NightEvent:
    names = [text.name_of(state, player) for player in state.winners]
    kind = "swiss" if state.is_swiss else "open night"
    won = f"won by {listed(names, 'and')}" if names else "nobody has won it"
    line = f"{state.name}, {kind} of {quantity(len(state.entrants), 'player')}: {won}"
    value: dict[str, Json] = {"name": state.name, "format": state.opened.format, "winners": [*names]}
    return NightEvent(line, f"tournament results {state.name}", value)
