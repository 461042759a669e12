"""Tournaments in words: how one stands, its standings, its page, and what players are told of each event. Pure."""

import math
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.wording.phrases import listed, quantity, sentence_case
from server.cells import MEASURE, pad, wrap
from server.limits import NAME_LENGTH
from server.number_text import countdown_text
from server.people.sanctions import duration_text
from server.records.results import AVERAGE, LISTED_FROM, table_scores
from server.tournament import events
from server.tournament.events import Event
from server.tournament.game_of_the_night import BestGame
from server.tournament.pairing import AI_SEAT
from server.tournament.standings import CALL_SECONDS, Decided, Honour, PlayedBoard, Row, meetings
from server.tournament.state import Tournament

DECIDED_TEXT: Final[Mapping[Decided, str]] = {
    "final": "by the final",
    "firsts": "by games won",
    "opponents": "by opponents",
    "lasts": "by last places",
    "small tables": "by small tables",
    "left early": "left early",
}
"""What decided a place, as it stands beside the name."""
UNTIL_CALLED: Final = "You will be called to your table; until then play, watch or talk as you like."


def summary(state: Tournament) -> str:
    """A tournament in one sentence."""
    kind = "swiss" if state.is_swiss else "open night"
    people = quantity(len(state.entrants if state.phase == "over" else state.playing), "player")
    rules = state.opened.table.title or state.opened.table.rules
    return f"{state.name}: {kind}, {rules}, {people}; {stage(state)}."


def stage(state: Tournament) -> str:
    """How far it is, as a clause: "round 2 of 5"."""
    if state.phase == "over":
        return f"it is over{winners_text(state)}"
    if state.paused_at is not None:
        return "it is paused"
    if state.phase == "playing":
        if state.closed_at is not None:
            return "the last games go on"
        if not state.rounds:
            return "it has begun"
        return f"{round_name(state, len(state.rounds))} of {state.round_count}" if state.is_swiss else "it goes on"
    opened = state.opened
    return {
        "time": f"it begins at {hour(opened.starts_at)}",
        "full": f"it begins when {quantity(opened.places, 'player')} are in",
        "now": "it begins with the first players",
        "host": f"it begins when {opened.host_name} starts it",
    }[opened.start]


def winners_text(state: Tournament) -> str:
    """The winners, behind a colon; empty if no player is listed."""
    names = [name_of(state, player) for player in state.winners]
    return f": {listed(names, 'and')} {'has' if len(names) == 1 else 'have'} won" if names else ""


def round_name(state: Tournament, number: int) -> str:
    """What a round is called."""
    is_final = 0 < number <= len(state.rounds) and state.rounds[number - 1].final
    return "the final" if is_final else f"round {number}"


def hour(at: float) -> str:
    """A time of day by the server's clock, as in 20:30."""
    return time.strftime("%H:%M", time.localtime(at))


def next_call(state: Tournament, when: float) -> tuple[str, float | None]:
    """What comes next, as a clause, and when, if the time left goes on with it; an empty clause if nothing is known."""
    if state.phase == "over" or state.paused_at is not None:
        return "", None
    if state.held_at is not None:
        return "the next round waits for the host", None
    if not math.isfinite(when):
        return "", None
    what = f"{round_name(state, len(state.rounds) + 1)} is" if state.is_swiss else "the next tables are"
    return f"{what} called in", when


def next_call_text(state: Tournament, when: float, now: float) -> str:
    """The same as a sentence, with the time left."""
    what, at = next_call(state, when)
    left = "" if at is None else f" {countdown_text(at - now) if at - now >= 1 else 'a moment'}"
    return f"{sentence_case(what)}{left}." if what else ""


def _often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


def name_of(state: Tournament, player: str) -> str:
    """The name of an entrant as it is shown; of an AI player that it is one."""
    if player == AI_SEAT:
        return "an AI player"
    name, number = state.entrants[player].player.name, state.name_numbers[player]
    return f"{name}#{number}" if number else name


def standings_lines(state: Tournament, own: str = "") -> list[str]:
    """The standings as a table, best first."""
    return [_row(state, row, own) for row in state.standings] or ["Nobody has entered yet."]


def row_parts(state: Tournament, row: Row) -> tuple[str, str, str]:
    """The place, the points or the house score, and what decided the place, if the points did not."""
    place = f"{row.place}{'=' if row.shared else '.'}" if row.place else "-"
    score, few = f"{float(row.house):.1f}" * bool(row.games), f"{row.games} of {LISTED_FROM} games"
    house = score if row.place else ", ".join(filter(None, (score, few)))
    decided = f"  {DECIDED_TEXT[row.decided]}" if row.decided else ""
    return place, str(row.points) if state.is_swiss else house, decided


def _row(state: Tournament, row: Row, own: str) -> str:
    entrant, (place, points, decided) = state.entrants[row.player], row_parts(state, row)
    you = " (you)" if row.player == own else ""
    gone = "" if entrant.status == "in" or state.phase == "over" else f", {entrant.status}"
    name = pad(f"{name_of(state, row.player)}{you}{gone}", NAME_LENGTH + 6)
    games = f"  {quantity(row.games, 'game')}" if row.place and not state.is_swiss else ""
    return f"{place:>4} {name} {points:>{3 if state.is_swiss else 4}}{games}{decided}"


def board_lines(state: Tournament) -> list[str]:
    """The tables at which somebody plays now."""
    return [f"Table {board.table}: {board_text(state, board)}" for board in state.running]


def corrected_lines(state: Tournament) -> list[str]:
    """The results that the host has corrected."""
    corrected = [board for board in state.boards if board.is_fixed or board.void]
    return [f"Corrected in {round_name(state, board.round)}: {board_text(state, board)}" for board in corrected]


def board_text(state: Tournament, board: PlayedBoard) -> str:
    """Who plays at a board, or how its game ended."""
    names = [name_of(state, player) for player in board.seats]
    if not board.is_over:
        return listed(names, "and")
    if len(names) == 1:
        return f"{names[0]} sits out"
    if board.void:
        return f"{listed(names, 'and')}: void, {AVERAGE} points each"
    scored = sorted(zip(table_scores(board.ranks), names, strict=True), key=lambda each: (-each[0], each[1]))
    return f"{', '.join(f'{name} {points}' for points, name in scored)} points"


def event_text(state: Tournament, event: Event, player: str, soon: str = "") -> str:
    """What a player is told of an event that has just happened; empty if it does not concern them.

    ``soon``: when the next round begins, as a sentence.
    """
    if player not in state.entrants and player != state.opened.host:
        return ""
    match event:
        case events.Entered() | events.Left():
            return _entrant_event_text(state, event, player)
        case events.Finished() | events.Fixed() | events.Voided() | events.Reopened():
            return _board_event_text(state, event, player, soon)
        case events.Published():
            return _call_text(state, event, player)
        case events.Held():
            return f"{state.name}: the next round waits for the host."
        case events.Paused():
            return f"{state.name} is paused by the host: no clock runs."
        case events.Resumed():
            return f"{state.name} goes on."
        case events.Extended(round=number, seconds=seconds):
            return f"{state.name}: {round_name(state, number)} may last {duration_text(seconds)} longer."
        case events.Closed():
            return over_text(state) if state.phase == "over" else f"{state.name} ends: no round begins any more."
    return ""


def over_text(state: Tournament) -> str:
    """Says that a tournament is over, who has won it, and what to type to see more."""
    return f"{state.name} is over{winners_text(state)}. tournament results {state.name} shows everything."


def _call_text(state: Tournament, event: events.Published, player: str) -> str:
    where = f"{state.name}, {round_name(state, event.round)}"
    for board in event.boards:
        if player in board.seats:
            others = [name_of(state, other) for other in board.seats if other != player]
            if not others:
                return f"{where}: no other player is left, so you get {AVERAGE} points."
            table = f"your table is {board.table}, with {listed(others, 'and')}"
            return f"{where}: {table}. The cards are dealt in {duration_text(CALL_SECONDS)}."
    entrant = state.entrants.get(player)
    may_wonder = state.is_swiss and entrant is not None and entrant.status in {"in", "paused"}
    return f"{where} begins without you." if may_wonder else ""


def _entrant_event_text(state: Tournament, event: events.Entered | events.Left, player: str) -> str:
    if isinstance(event, events.Entered):
        entrant, by_host, what = event.player.id, f"entered you into {state.name}", "is in"
    else:
        entrant, by_host, what = event.player, f"removed you from {state.name}", "has left"
    if entrant == player:
        return f"The host has {by_host}." if event.by not in {"", player} else ""
    if player != state.opened.host:
        return ""
    return f"{name_of(state, entrant)} {what} {state.name}: {quantity(len(state.playing), 'player')}."


def _board_event_text(state: Tournament, event: events.BoardEvent, player: str, soon: str) -> str:
    board, where = state.board(event.round, event.board), f"{state.name}, {round_name(state, event.round)}"
    said, is_end, lines = board_text(state, board), isinstance(event, events.Finished), list[str]()
    if isinstance(event, events.Reopened):
        said = f"this game does not count. You play again at table {event.table}"
    elif not is_end:
        said = f"the host has corrected a result: {said}"
    if player in board.people or (state.phase == "over" and not is_end):
        lines.append(f"{where}: {said}.")
    if player in board.people and is_end:
        status = state.entrants[player].status
        if status == "paused":
            lines.append(f"You were away twice, so you play no more: tournament join {state.name} brings you back.")
        elif status == "in" and not state.is_swiss and state.closed_at is None:
            lines.append(soon or UNTIL_CALLED)
    if state.phase == "over":
        lines.append(over_text(state))
    elif is_end and state.is_swiss and state.rounds[event.round - 1].is_over:
        lines += [f"{where} is over.", soon]
    return " ".join(filter(None, lines))


# The page: standings, honours, all games, and who met whom. It is also the text file.

TIE_BREAKS: Final = (
    "Equal points are decided by games won, then stronger opponents, fewer last",
    "places, larger tables. Players who are equal in all of these share the place.",
)
HOUSE_SCORE: Final = (
    "The score is your mean, as if you had also played six games of 6 points.",
    "It is listed after five games.",
    "On the podium are players who have finished a game in the last 40 minutes.",
)


def page_lines(state: Tournament, best: BestGame | None, own: str = "") -> list[str]:
    """The whole page; the row of the player ``own`` is marked."""
    day = time.strftime("%Y-%m-%d", time.localtime(state.opened.at))
    met = meetings(state.boards)
    lines = [
        summary(state),
        f"{day}, held by {state.opened.host_name}.",
        *("", *standings_lines(state, own)),
        *("", *(TIE_BREAKS if state.is_swiss else HOUSE_SCORE)),
        *_section("Honours", [*honour_lines(state), *([_best_game_text(state, best)] if best is not None else [])]),
        *_section("Games", _game_lines(state)),
        *_section("Who met whom", [_met_by(state, player, met[player]) for player in state.entrants if player in met]),
    ]
    return [row for line in lines for row in wrap(line, MEASURE)]


def _section(title: str, lines: list[str]) -> list[str]:
    """A part of the page under its title; nothing if it has no lines."""
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def honour_lines(state: Tournament) -> list[str]:
    """The honours that somebody has earned, a line each."""
    return [_honour_text(each, [name_of(state, player) for player in each.players]) for each in state.honours]


def _honour_text(honour: Honour, names: list[str]) -> str:
    minutes, often = honour.value // 60, _often(honour.value)
    long = f"{minutes // 60}:{minutes % 60:02} hours" if minutes >= 60 else quantity(minutes, "minute")
    what, value = {
        "people met": ("Most people met", honour.value),
        "longest night": ("Longest night", f"{long} from the first to the last game"),
        "comebacks": ("Best comeback", f"from last to first in the next game, {often}"),
        "giant-killer": ("Giant-killer", f"{often} ahead of the winner"),
    }[honour.kind]
    return f"{what}: {listed(names, 'and')} ({value})"


def _best_game_text(state: Tournament, best: BestGame) -> str:
    others = listed([name_of(state, player) for player in best.board.seats if player != best.winner], "and")
    chance = f"with a chance of {100 * best.chance:.0f} % before move {best.ply}"
    replay = f"replay {best.board.game} {best.ply}"
    return f"Game of the night: {name_of(state, best.winner)} beat {others}, {chance}: {replay}"


def _game_lines(state: Tournament) -> list[str]:
    return [
        f"{sentence_case(round_name(state, played.number))}, game {number}: {_result_text(state, board)}"
        for played in state.rounds
        for number, board in enumerate(played.boards, 1)
    ]


def _result_text(state: Tournament, board: PlayedBoard) -> str:
    found = board_text(state, board)
    if not board.is_over:
        return f"{found}, at table {board.table}"
    return f"{found}{', corrected' * board.is_fixed}  {board.game}".rstrip()


def _met_by(state: Tournament, player: str, met: Counter[str]) -> str:
    often_first = sorted(met, key=lambda other: (-met[other], name_of(state, other)))
    names = [name_of(state, other) + (f" {_often(met[other])}" if met[other] > 1 else "") for other in often_first]
    return f"{name_of(state, player)} met {len(met)} of {len(state.entrants) - 1}: {', '.join(names)}"
