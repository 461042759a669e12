"""Answers to questions: commands that only look. Each is a function from the scene to lines of text."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai import LEVELS
from engine.ai.explain import explain
from engine.cards import RANK_NAMES
from engine.errors import InputError
from engine.legality import check, legal_moves
from engine.moves import Play, pick, play_of
from engine.view import View
from server.commands import PLAYING, usable
from server.odds import odds_lines
from server.rulebook import sheet
from server.scene import Scene
from server.update import Listing, Update
from server.words import pile_list, table_words, turn_words

Answer: TypeAlias = Callable[[Scene, str], list[str]]

LOG_LINES: Final = 20
ARRANGING: Final = frozenset({"s K 4", "lay 4 5 K", "ready"})
"""Of how moves are typed, what is for before play."""
SELDOM: Final = frozenset({"verify", "ignore", "keys", "link", "unlink"})
"""Commands that are not on the first page of help, ..."""
NOT_IN_A_GAME: Final = frozenset(
    {"start", "add", "remove", "replay", "fair", "cut", "top", "tables", "who", "name"}
) | {*("resume", "tell", "set", "log", "back")}
"""... nor in a game, ..."""
IN_A_GAME: Final = frozenset({"why", "hint", "odds", "pile", "back"})
"""... nor between games."""
HELP_NEW: Final = (
    "new opens a table that others can join. You can choose, for example:",
    "new life            another rule set; rules lists them",
    "new seats=3         how many play",
    f"new level=easy      of the AI players: {', '.join(LEVELS)}",
    "new clock=30        seconds for a decision, where more than one person plays",
    "new key=apple       a private table: others say sit N apple",
    "new pickup.by_choice=true four.scope=off",
    "                    rules of your own: the keys are those of the files of rule sets",
    "As its host you can add AI players and remove others; start deals.",
)


def why(scene: Scene, rest: str) -> list[str]:
    """Why a card may or may not be played now. Raises Refused with the reason, which is the answer."""
    view, seat = _game(scene)
    if not rest:
        return [scene.reason or "Nothing has happened to you that you did not choose. To ask about a card: why 7"]
    rank = pick(rest.split(maxsplit=1)[0]).rank
    if not any(isinstance(move, Play) and move.picks[0].rank == rank for move in legal_moves(view, seat)):
        check(view, seat, play_of(rank, 1))
    return [f"You can play {RANK_NAMES[rank]} now."]


def hint(scene: Scene, _: str) -> list[str]:
    """What an AI player would do, and why."""
    view = _game(scene)[0]
    if not _update(scene).my_turn or view.phase == "over":
        over = "the game is over: say start for another, replay to see it again"
        raise InputError("not_your_turn", over if view.phase == "over" else "it is not your turn")
    return [explain(view, Random(0), looks=0)[1]]


def odds(scene: Scene, _: str) -> list[str]:
    """What the cards that one does not see make likely."""
    return odds_lines(_update(scene))


def where(scene: Scene, _: str) -> list[str]:
    """What lies where, and what is to be decided."""
    update = _update(scene)
    return [*table_words(update), turn_words(update)]


def pile(scene: Scene, _: str) -> list[str]:
    """What lies in the pile."""
    view = _update(scene).view
    return ["No game is going on."] if view is None else [pile_list(view)]


def log(scene: Scene, _: str) -> list[str]:
    """What happened lately."""
    return ["What happened lately:", *list(scene.log)[-LOG_LINES:]]


def tables(scene: Scene, _: str) -> list[str]:
    """Every table in a line."""
    lines = [_table_line(table) for table in scene.tables]
    return [f"{len(lines)} tables.", *lines]


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
    """What can be typed here."""
    return list(HELP_NEW if rest == "new" else _help_lines(scene, everything=rest == "all"))


ANSWERS: Final[Mapping[str, Answer]] = MappingProxyType(
    {
        "why": why,
        "hint": hint,
        "odds": odds,
        "where": where,
        "pile": pile,
        "log": log,
        "fair": fair,
        "tables": tables,
        "who": who,
        "rules": rules,
        "help": help_,
    }
)
"""By the name of the command."""


def _help_lines(scene: Scene, *, everything: bool) -> Iterator[str]:
    """What makes sense now on one page; the rest is asked for with ``help all``."""
    yield "What you can type. The beginning of a word is enough where it is clear."
    if scene.update is not None:
        yield from (f"{typed:<30} {meaning}" for typed, meaning in _ways_to_play(scene.update, everything=everything))
        yield f"{'arrow keys, Space, Enter':<30} on the screen: choose, one more, do; Esc clears"
    left_out = []
    for command in usable(at_table=scene.update is not None, is_op=scene.is_op):
        if command.name in _between_games(scene.update) and not everything:
            left_out.append(command.name)
            continue
        usage = f"{command.usage} ({command.short})" if command.short else command.usage
        yield f"{usage:<30} {command.help}"
    if left_out:
        yield f"{'help all':<30} all there is: {', '.join(left_out[:3])} and more"
    if scene.resume_word:
        yield f"If the connection is lost: come in again and say resume {scene.resume_word}"


def _ways_to_play(update: Update, *, everything: bool) -> Iterator[tuple[str, str]]:
    """How moves are typed, those that make sense now."""
    view = update.view
    arranging = {"ready", "s K 4" if update.rules.arrange_mode == "swap" else "lay 4 5 K"}
    for typed, meaning in PLAYING:
        if everything or view is None or (typed in arranging if view.phase == "arrange" else typed not in ARRANGING):
            yield typed, meaning


def _between_games(update: Update | None) -> frozenset[str]:
    """The commands that wait for another occasion, or are for another page."""
    if update is None:
        return SELDOM
    return SELDOM | (NOT_IN_A_GAME if update.playing else IN_A_GAME)


def _table_line(table: Listing) -> str:
    state = "playing" if table.playing else f"{table.open_seats} of {len(table.sitters)} free"
    state += ", private" if table.private else ""
    state += ", asleep" if table.asleep else ""
    names = ", ".join("free" if sitter is None else sitter.name for sitter in table.sitters)
    return f"Table {table.number}: {table.rules_title}, {state}: {names}."


def _update(scene: Scene) -> Update:
    if scene.update is None:
        raise InputError("bad_request", "you are in the lobby: say play, or sit N")
    return scene.update


def _game(scene: Scene) -> tuple[View, int]:
    update = _update(scene)
    if update.view is None or update.seat is None:
        raise InputError("bad_request", "you are in no game")
    return update.view, update.seat
