"""The page of a tournament: standings, honours, all games, and who met whom. It is also the text file. Pure."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Final

from engine.wording.phrases import listed, quantity, sentence_case
from server.cells import MEASURE
from server.tournament.game_of_the_night import BestGame
from server.tournament.honours import For, Honour, honours
from server.tournament.state import PlayedBoard, Tournament
from server.tournament.text import board_text, name_of, often, round_name, standings_lines, summary

HONOUR_TEXT: Final[Mapping[For, str]] = {
    "people met": "Most people met",
    "longest night": "Longest night",
    "comebacks": "Best comeback",
    "giant-killer": "Giant-killer",
}
TIE_BREAKS: Final = (
    "Players with equal points: more first places, better opponents, fewer last places, fewer small tables.",
    "Players who are equal in all of these share the place.",
)
HOUSE_SCORE: Final = (
    "The score: all points and six games of 6 points more, divided by all these games. It is listed from 5 games on.",
    "On the podium are players who have finished a game in the last 40 minutes.",
)


def page_lines(state: Tournament, best_game: BestGame | None, own: str = "") -> list[str]:
    """The whole page; the row of the player ``own`` is marked."""
    opened = state.opened
    return [
        summary(state),
        f"{_day(opened.at)}, held by {opened.host_name}; rules: {opened.title or opened.rules}.",
        *("", *standings_lines(state, own)),
        *("", *(line for text in (TIE_BREAKS if state.is_swiss else HOUSE_SCORE) for line in wrap(text, MEASURE))),
        *_section("Honours", [*_wrapped(honour_lines(state)), *_best_game_lines(state, best_game)]),
        *_section("Games", _game_lines(state)),
        *_section("Who met whom", _met_lines(state)),
    ]


def earned(state: Tournament) -> tuple[Honour, ...]:
    """The honours of a tournament as it stands now."""
    return honours(state.results(), [row.player for row in state.standings if row.place == 1])


def meetings(state: Tournament) -> dict[str, Counter[str]]:
    """How often each entrant has met each other one at a table."""
    found = {player: Counter[str]() for player in state.entrants}
    for board in (board for played in state.rounds for board in played.boards):
        for player in board.people:
            found[player].update(other for other in board.people if other != player)
    return found


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))


def _section(title: str, lines: list[str]) -> list[str]:
    """A part of the page under its title; nothing if it has no lines."""
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _wrapped(lines: list[str]) -> list[str]:
    return [part for line in lines for part in wrap(line, MEASURE - 2, subsequent_indent="  ")]


def honour_lines(state: Tournament) -> list[str]:
    """The honours that somebody has earned, a line each."""
    return [
        f"{HONOUR_TEXT[honour.kind]}: {listed([name_of(state, player) for player in honour.players], 'and')}"
        f" ({_value_text(honour)})"
        for honour in earned(state)
    ]


def _value_text(honour: Honour) -> str:
    match honour.kind:
        case "people met":
            return str(honour.value)
        case "longest night":
            hours, minutes = honour.value // 3600, honour.value // 60 % 60
            long = f"{hours}:{minutes:02} hours" if hours else quantity(minutes, "minute")
            return f"{long} from the first to the last game"
        case "comebacks":
            return f"from last to first in the next game, {often(honour.value)}"
        case _:
            return f"{often(honour.value)} ahead of the winner"


def _best_game_lines(state: Tournament, best: BestGame | None) -> list[str]:
    if best is None:
        return []
    winner = name_of(state, best.seats[best.winner])
    others = [name_of(state, player) for seat, player in enumerate(best.seats) if seat != best.winner]
    return wrap(
        f"Game of the night: {winner} beat {listed(others, 'and')}, with a chance of {100 * best.chance:.0f} % before "
        f"move {best.ply}: replay {best.game} {best.ply}",
        MEASURE - 2,
    )


def _game_lines(state: Tournament) -> list[str]:
    return [
        f"{sentence_case(round_name(state, played.number))}: {_result_text(state, board)}"
        for played in state.rounds
        for board in played.boards
    ]


def _result_text(state: Tournament, board: PlayedBoard) -> str:
    found = board_text(state, board)
    if len(board.board.seats) == 1:
        return found
    return f"{found}  {board.board.game}" if board.is_over else f"{found}, at table {board.board.table}"


def _met_lines(state: Tournament) -> list[str]:
    return [line for player, met in meetings(state).items() if met for line in _met_by(state, player, met)]


def _met_by(state: Tournament, player: str, met: Counter[str]) -> Iterator[str]:
    often_first = sorted(met, key=lambda other: (-met[other], name_of(state, other)))
    names = [name_of(state, other) + (f" {often(met[other])}" if met[other] > 1 else "") for other in often_first]
    text = f"{name_of(state, player)} met {len(met)} of {len(state.entrants) - 1}: {', '.join(names)}"
    yield from wrap(text, MEASURE - 2, subsequent_indent="  ", break_on_hyphens=False)
