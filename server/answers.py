"""Answers to questions: commands that only look. Each is a function from the scene to lines of text."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai import LEVELS, STYLES
from engine.ai.explain import explain
from engine.cards import RANK_NAMES
from engine.errors import InputError, Refused
from engine.legality import check, legal_moves
from engine.moves import Play, pick, play_of
from engine.view import View
from server.commands import COMMANDS, LOOKS, OP_COMMANDS, PLAYING, usable
from server.odds import odds_lines
from server.position_words import (
    choice_words,
    clock_words,
    listing_words,
    own_words,
    pile_list,
    results_words,
    table_words,
    turn_words,
)
from server.rulebook import sheet
from server.scene import Scene
from server.tips import LABEL
from server.update import Update

Answer: TypeAlias = Callable[[Scene, str], list[str]]

LOG_LINES: Final = 20
HELP_NEW: Final = (
    "new opens a table that others can join. You can choose, for example:",
    "new life            another rule set; rules lists them",
    "new seats=3         how many play",
    f"new level=easy      of the AI players: {', '.join(LEVELS)}",
    "new clock=30        seconds for a decision, where more than one person plays",
    "new key=apple       a private table: others say sit N apple",
    "new hints=off       a table where hint and odds are silent while a game goes on",
    "new pickup.by_choice=true four.scope=off",
    "                    rules of your own: the keys are those of the files of rule sets",
    "Whoever sits can start. As its host you can add AI players and remove others.",
    "For example:",
    "add master          an AI player of another level than the table's",
    "add hard miser      one of a certain manner:",
    *(f"{'':<20}{name}: {style.manner}" for name, style in STYLES.items() if style.manner),
)


def why(scene: Scene, rest: str) -> list[str]:
    """Why a card may or may not be played now, and which clause of the rules says so."""
    view, seat = _game(scene)
    if not rest:
        raise InputError("bad_request", "name a card: why 7")
    rank = pick(rest.split(maxsplit=1)[0]).rank
    if not any(isinstance(move, Play) and move.picks[0].rank == rank for move in legal_moves(view, seat)):
        try:
            check(view, seat, play_of(rank, 1))
        except Refused as refused:
            return [refused.message + (f" That is rule {refused.clause}." if refused.clause else "")]
    return [f"You can play {RANK_NAMES[rank]} now."]


def hint(scene: Scene, _: str) -> list[str]:
    """What an AI player would do, and why."""
    view = _game(scene)[0]
    _must_allow_hints(scene)
    if not _update(scene).my_turn or view.phase == "over":
        raise InputError("not_your_turn", "it is not your turn")
    return [explain(view, Random(0), looks=0)[1]]


def odds(scene: Scene, _: str) -> list[str]:
    """What the cards that one does not see make likely."""
    _must_allow_hints(scene)
    return odds_lines(_update(scene))


def where(scene: Scene, _: str) -> list[str]:
    """What lies where, and what is to be decided; before the first game the table itself."""
    update = scene.update
    if update is None:
        return ["You are in the lobby: say play, or sit N."]
    return list(table_words(update, scene.clock_left))


def turn(scene: Scene, _: str) -> list[str]:
    """Whose turn it is."""
    update = _update(scene)
    return [turn_words(update, scene.clock_left), *choice_words(update)]


def hand(scene: Scene, _: str) -> list[str]:
    """One's own cards."""
    return list(own_words(_game(scene)[0]))


def clock(scene: Scene, _: str) -> list[str]:
    """How much time is left."""
    return [clock_words(_update(scene), scene.clock_left)]


def results(scene: Scene, _: str) -> list[str]:
    """Who came in where."""
    return results_words(_update(scene))


def pile(scene: Scene, _: str) -> list[str]:
    """What lies in the pile."""
    view = _update(scene).view
    return ["No game is going on."] if view is None else [pile_list(view)]


def log(scene: Scene, rest: str) -> list[str]:
    """What happened lately, so many lines of it; tips are no news."""
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:4]) > 0):
        raise InputError("bad_request", "log takes a number of lines: log 5")
    lines = [line for line in scene.log if not line.startswith(LABEL)]
    return lines[-int(rest[:4] or LOG_LINES) :] if rest else ["What happened lately:", *lines[-LOG_LINES:]]


def tables(scene: Scene, _: str) -> list[str]:
    """Every table in a line."""
    lines = [listing_words(table) for table in scene.tables]
    return ["1 table." if len(lines) == 1 else f"{len(lines)} tables.", *lines]


def who(scene: Scene, _: str) -> list[str]:
    """Who is here."""
    return [f"{len(scene.people)} here: {', '.join(scene.people)}."]


def rules(scene: Scene, rest: str) -> list[str]:
    """The rules sheet, of the table where none is named; in the lobby which rule sets there are."""
    if rest:
        return sheet(scene.rulebook.find(rest))
    if scene.update is not None:
        return sheet(scene.update.rules)
    return [*scene.rulebook.listed(), "rules NAME tells the rules, play NAME begins a game."]


def fair(scene: Scene, _: str) -> list[str]:
    """How anybody can check the deal."""
    update = _update(scene)
    if update.deal is None:
        raise InputError("bad_request", "there is no deal yet")
    cuts = [f"{name} cut with: {text}" for name, text in update.deal.cuts]
    return [
        f"Game {update.deal.game}. Its cards come from a seed that was fixed before anybody could cut. Commitment:",
        update.deal.commitment,
        *cuts,
        f"When the game is over, verify {update.deal.game} shows the seed and deals the cards again.",
        *([] if update.playing else ["Until it starts, whoever sits may say cut TEXT, so that nobody can choose."]),
    ]


def help_(scene: Scene, rest: str) -> list[str]:
    """What can be typed here, or what one word does."""
    if rest == "new":
        return list(HELP_NEW)
    if rest:
        return _help_with(rest.lower(), is_op=scene.is_op)
    at_table = scene.update is not None
    return list((_help_lines if scene.drawn else _help_in_brief)(at_table=at_table, is_op=scene.is_op))


ANSWERS: Final[Mapping[str, Answer]] = MappingProxyType(
    {
        "why": why,
        "hint": hint,
        "odds": odds,
        "where": where,
        "pile": pile,
        "turn": turn,
        "hand": hand,
        "clock": clock,
        "results": results,
        "log": log,
        "fair": fair,
        "tables": tables,
        "who": who,
        "rules": rules,
        "help": help_,
    }
)
"""By the name of the command."""


def _help_lines(*, at_table: bool, is_op: bool) -> Iterator[str]:
    yield "What you can type. The beginning of a word is enough where it is clear."
    if at_table:
        yield from (f"{typed:<30} {meaning}" for typed, meaning in (*PLAYING, LOOKS))
    for command in usable(at_table=at_table, is_op=is_op):
        usage = f"{command.usage} ({command.short})" if command.short else command.usage
        yield f"{usage:<30} {command.help}"


def _help_in_brief(*, at_table: bool, is_op: bool) -> Iterator[str]:
    """For those who hear it: how to play, then the words alone."""
    if at_table:
        yield from (f"{typed}: {meaning}." for typed, meaning in PLAYING)
    words = [command.name for command in usable(at_table=at_table, is_op=is_op)]
    yield f"Words: {', '.join(words)}."
    yield "help and a word tells what it does. The beginning of a word is enough where it is clear."


def _help_with(word: str, *, is_op: bool) -> list[str]:
    """What one word does. Raises InputError for none."""
    known = (*COMMANDS, *(OP_COMMANDS if is_op else ()))
    found = [command for command in known if word in {command.name, command.short}]
    if not found:
        raise InputError("bad_request", f"there is no word {word[:20]!r}: help lists those there are")
    return [f"{command.usage}: {command.help}." for command in found]


def _update(scene: Scene) -> Update:
    if scene.update is None:
        raise InputError("bad_request", "you are in the lobby: say play, or sit N")
    return scene.update


def _must_allow_hints(scene: Scene) -> None:
    update = _update(scene)
    if update.playing and not update.hints:
        raise InputError("no_hints", "this table plays without hints and odds; review looks back when the game is over")


def _game(scene: Scene) -> tuple[View, int]:
    update = _update(scene)
    if update.view is None or update.seat is None:
        raise InputError("bad_request", "you are in no game")
    return update.view, update.seat
