"""Answers to questions: commands that only look. Each is a function from the scene to lines of text."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai import LEVELS, STYLES
from engine.ai.explain import explain
from engine.cards import RANK_NAMES, RANKS
from engine.errors import InputError, Refused
from engine.legality import check, legal_moves
from engine.moves import Play, pick, play_of
from engine.view import View
from server.cells import row_text
from server.language.odds_text import odds_lines
from server.language.parsing import COMMANDS, OP_COMMANDS, PLAYING, usable
from server.language.position_text import (
    choices_text,
    clock_text,
    listing_text,
    own_cards_text,
    pile_cards_text,
    results_text,
    table_text,
    turn_text,
)
from server.language.tips import LABEL
from server.render.scene import Scene
from server.render.theme import theme_of
from server.rulebook import sheet
from server.table.snapshot import Snapshot

Answer: TypeAlias = Callable[[Scene, str], list[str]]

LOG_LINES: Final = 20
ARRANGING: Final = frozenset({"s K 4", "lay 4 5 K", "ready"})
"""Of how moves are typed, what is for before play."""
SELDOM: Final = frozenset({"verify", "ignore", "keys", "link", "unlink", "again", "turn", "hand", "clock", "results"})
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
    "new hints=off       a table where hint and odds are silent while a game goes on",
    "new pickup.by_choice=true four.scope=off",
    "                    rules of your own: the keys are those of the files of rule sets",
    "Whoever sits can start. As its host you can add AI players and remove others.",
    "For example:",
    "add master          an AI player of another level than the table's",
    "add hard miser      one of a certain style:",
    *(f"{'':<20}{name}: {style.description}" for name, style in STYLES.items() if style.description),
)


def why(scene: Scene, rest: str) -> list[str]:
    """Why a card may or may not be played now, and which clause of the rules says so."""
    view, seat = _game(scene)
    if not rest:
        return [scene.reason or "Nothing has happened to you that you did not choose. To ask about a card: why 7"]
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
    if not _snapshot(scene).my_turn or view.phase == "over":
        over = "the game is over: say start for another, replay to see it again"
        raise InputError("not_your_turn", over if view.phase == "over" else "it is not your turn")
    return [explain(view, Random(0), simulations=0)[1]]


def odds(scene: Scene, _: str) -> list[str]:
    """What the cards that one does not see make likely."""
    _must_allow_hints(scene)
    return odds_lines(_snapshot(scene))


def where(scene: Scene, _: str) -> list[str]:
    """What lies where, and what is to be decided; before the first game the table itself."""
    snapshot = scene.snapshot
    if snapshot is None:
        return ["You are in the lobby: say play, or sit N for a table."]
    return list(table_text(snapshot, scene.clock_left))


def turn(scene: Scene, _: str) -> list[str]:
    """Whose turn it is."""
    snapshot = _snapshot(scene)
    return [turn_text(snapshot, scene.clock_left), *choices_text(snapshot)]


def hand(scene: Scene, _: str) -> list[str]:
    """One's own cards."""
    return list(own_cards_text(_game(scene)[0]))


def clock(scene: Scene, _: str) -> list[str]:
    """How much time is left."""
    return [clock_text(_snapshot(scene), scene.clock_left)]


def results(scene: Scene, _: str) -> list[str]:
    """Who came in where."""
    return results_text(_snapshot(scene))


def pile(scene: Scene, _: str) -> list[str]:
    """What lies in the pile."""
    view = _snapshot(scene).view
    return ["No game is going on."] if view is None else [pile_cards_text(view)]


def log(scene: Scene, rest: str) -> list[str]:
    """What happened lately, so many lines of it; tips are no news."""
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:4]) > 0):
        raise InputError("bad_request", "log takes a number of lines, as in log 5 for the last five")
    lines = [line for line in scene.log if not line.startswith(LABEL)]
    return lines[-int(rest[:4] or LOG_LINES) :] if rest else ["What happened lately:", *lines[-LOG_LINES:]]


def tables(scene: Scene, _: str) -> list[str]:
    """Every table in a line."""
    lines = [listing_text(table) for table in scene.tables]
    return ["1 table." if len(lines) == 1 else f"{len(lines)} tables.", *lines]


def who(scene: Scene, _: str) -> list[str]:
    """Who is here."""
    return [f"{len(scene.people)} here: {', '.join(scene.people)}."]


def rules(scene: Scene, rest: str) -> list[str]:
    """The rules sheet, of the table where none is named; in the lobby which rule sets there are."""
    if rest:
        return sheet(scene.rulebook.find(rest))
    if scene.snapshot is not None:
        return sheet(scene.snapshot.rules)
    return [*scene.rulebook.listed(), "rules NAME tells the rules, play NAME begins a game."]


def fair(scene: Scene, _: str) -> list[str]:
    """How anybody can check the deal."""
    snapshot = _snapshot(scene)
    if snapshot.deal is None:
        raise InputError("bad_request", "there is no deal yet")
    cuts = [f"{name} cut with: {text}" for name, text in snapshot.deal.cuts]
    return [
        f"Game {snapshot.deal.game}. Its cards come from a seed that was fixed before any cut. The commitment:",
        snapshot.deal.commitment,
        "It is the SHA-256 of game and seed: it reveals nothing, and no other seed has the same.",
        *cuts,
        f"When the game is over, verify {snapshot.deal.game} compares the seed with the commitment and deals again.",
        *([] if snapshot.playing else ["Until it starts, whoever sits may say cut TEXT, so that nobody can choose."]),
    ]


def help_(scene: Scene, rest: str) -> list[str]:
    """What can be typed here, or what one word does."""
    if rest == "new":
        return list(HELP_NEW)
    if rest not in {"", "all"}:
        return _help_with(rest.lower(), is_op=scene.is_op)
    return list(_help_lines(scene, everything=rest == "all") if scene.drawn else _help_in_brief(scene))


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


def _help_lines(scene: Scene, *, everything: bool) -> Iterator[str]:
    """What makes sense now on one page; the rest is asked for with ``help all``."""
    yield "What you can type. The beginning of a word is enough where it is clear."
    if scene.snapshot is not None:
        yield from (f"{typed:<30} {meaning}" for typed, meaning in _ways_to_play(scene.snapshot, everything=everything))
        yield f"{_cards_shown(scene):<30} how cards look: ten; two sevens; playable now"
        yield f"{'arrow keys, Space, Enter':<30} choose, one more, do; Esc empties the line"
    left_out = []
    for command in usable(at_table=scene.snapshot is not None, is_op=scene.is_op):
        if command.name in _between_games(scene.snapshot) and not everything:
            left_out.append(command.name)
            continue
        usage = f"{command.usage} ({command.short})" if command.short else command.usage
        yield f"{usage:<30} {command.help}"
    if left_out:
        yield f"{'help all':<30} all there is: {', '.join(left_out[:3])} and more"
    if scene.resume_word:
        yield f"If the connection is lost: come in again and say resume {scene.resume_word}"


def _cards_shown(scene: Scene) -> str:
    """A ten, two sevens, and two that can be played, as this person's screen shows them."""
    theme = theme_of(scene.settings, has_signs=scene.has_signs)
    ten, sevens = (
        row_text(theme.group(rank, copies << 4 * rank))
        for rank, copies in ((RANKS.index("T"), 1), (RANKS.index("7"), 3))
    )
    return f"{ten}, {sevens}, ({sevens})"


def _ways_to_play(snapshot: Snapshot, *, everything: bool) -> Iterator[tuple[str, str]]:
    """How moves are typed, those that make sense now."""
    view = snapshot.view
    arranging = {"ready", "s K 4" if snapshot.rules.arrange_mode == "swap" else "lay 4 5 K"}
    for typed, meaning in PLAYING:
        if everything or view is None or (typed in arranging if view.phase == "arrange" else typed not in ARRANGING):
            yield typed, meaning


def _between_games(snapshot: Snapshot | None) -> frozenset[str]:
    """The commands that wait for another occasion, or are for another page."""
    if snapshot is None:
        return SELDOM | {"where"}
    return SELDOM | (NOT_IN_A_GAME if snapshot.playing else IN_A_GAME)


def _help_in_brief(scene: Scene) -> Iterator[str]:
    """For those who hear it: how to play, then the words alone."""
    if scene.snapshot is not None:
        yield from (f"{typed}: {meaning}." for typed, meaning in _ways_to_play(scene.snapshot, everything=False))
    words = [command.name for command in usable(at_table=scene.snapshot is not None, is_op=scene.is_op)]
    yield f"Words: {', '.join(words)}."
    yield "help and a word tells what it does. The beginning of a word is enough where it is clear."
    if scene.resume_word:
        yield f"If the connection is lost: come in again and say resume {scene.resume_word}"


def _help_with(word: str, *, is_op: bool) -> list[str]:
    """What one word does. Raises InputError for none."""
    known = (*COMMANDS, *(OP_COMMANDS if is_op else ()))
    found = [command for command in known if word in {command.name, command.short}]
    if not found:
        raise InputError("bad_request", f"there is no word {word[:20]!r}: help lists those there are")
    return [f"{command.usage}: {command.help}." for command in found]


def _snapshot(scene: Scene) -> Snapshot:
    if scene.snapshot is None:
        raise InputError("bad_request", "you are in the lobby: say play, or sit N for a table")
    return scene.snapshot


def _must_allow_hints(scene: Scene) -> None:
    snapshot = _snapshot(scene)
    if snapshot.playing and not snapshot.hints:
        raise InputError("no_hints", "this table plays without hints and odds; review looks back when the game is over")


def _game(scene: Scene) -> tuple[View, int]:
    snapshot = _snapshot(scene)
    if snapshot.view is None or snapshot.seat is None:
        raise InputError("bad_request", "you are in no game")
    return snapshot.view, snapshot.seat
