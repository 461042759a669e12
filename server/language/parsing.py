"""What typed text means: a move, or a command by name. One table of commands feeds the parser, the completion and help.

A rank always wins over a command that begins with its letter: `k` plays a king, `q` a queen.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.cards import RANK_NAMES, SUIT_SIGNS, SUITS, rank_label
from engine.errors import BadMove, InputError
from engine.moves import PASS, PICK_UP, READY, Flip, Lay, Move, Pick, PickUp, Play, Swap, parse_move, pick
from engine.view import View
from server.limits import LINE_LENGTH

Where: TypeAlias = Literal["lobby", "table", "any"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is listed and typed."""

    name: str
    usage: str
    help: str
    where: Where = "any"
    short: str = ""
    """One more way to type it, free of the letters of ranks."""
    in_full: bool = False
    """Whether its beginning is not enough: what it does is not to happen by a slip."""


COMMANDS: Final = (
    Command("play", "play [RULES]", "a game against AI players, at once", "lobby"),
    Command("new", "new [RULES] [KEY=VALUE]", "open a table for friends; see help new", "lobby"),
    Command("sit", "sit N [WORD]", "take a seat at table N", "lobby"),
    Command("watch", "watch N [WORD]", "look on at table N", "lobby"),
    Command("resume", "resume [WORD]", "have your seat again; alone: your word"),
    Command("replay", "replay [ID]", "see a finished game again, or which"),
    Command("review", "review [ID] [SEAT]", "how you stood, and what your moves cost"),
    Command("verify", "verify ID", "check the deal of a finished game"),
    Command("top", "top [RULES]", "who plays best"),
    Command("lesson", "lesson [RULES]", "learn the game by playing, in five minutes", "lobby"),
    Command("tables", "tables", "list the tables"),
    Command("who", "who", "list who is here"),
    Command("start", "start", "deal; AI players take the empty seats", "table"),
    Command("why", "why 7", "why a card may or may not be played now", "table", "y"),
    Command("hint", "hint", "what you could do, and why", "table", "h"),
    Command("odds", "odds", "what the cards that you do not see make likely", "table", "o"),
    Command("turn", "turn", "whose turn it is, and on what", "table"),
    Command("hand", "hand", "your cards", "table"),
    Command("where", "where", "what lies where", "any", "w"),
    Command("pile", "pile", "what lies in the pile", "table", "z"),
    Command("clock", "clock", "how much time is left", "table"),
    Command("log", "log [N]", "what happened lately, N lines of it", "table", "l"),
    Command("results", "results", "who came in where", "table"),
    Command("again", "again", "what was said since you last typed something"),
    Command("back", "back", "take your seat back from the AI player", "table"),
    Command("fair", "fair", "how to check that nobody chose the cards", "table"),
    Command("cut", "cut TEXT", "cut the cards before they are dealt", "table"),
    Command("add", "add [LEVEL] [MANNER]", "have an AI player sit down, if the table is yours", "table"),
    Command("remove", "remove SEAT", "free a seat, if the table is yours", "table"),
    Command("leave", "leave", "back to the lobby; your seat is lost", "table"),
    Command("rules", "rules [NAME]", "the rules in brief", "any", "r"),
    Command("say", "say TEXT, or /TEXT", "talk to those around you"),
    Command("tell", "tell NAME TEXT", "say something to one person"),
    Command("ignore", "ignore NAME", "hear no more from somebody, or again"),
    Command("name", "name NAME", "choose your name"),
    Command("keys", "keys", "the ssh keys by which you are known", in_full=True),
    Command("link", "link [WORD]", "be known by another device's key, too", in_full=True),
    Command("unlink", "unlink SHA256:...", "be known by this key no more", "lobby", in_full=True),
    Command("set", "set [KEY VALUE]", "your screen, lines, cards, colours, bell, pace"),
    Command("help", "help [WORD]", "what you can do now; help all: everything", "any", "?"),
    Command("quit", "quit", "hang up"),
)
OP_COMMANDS: Final = tuple(
    Command(usage.split(" ")[0], usage, meaning, in_full=True)
    for usage, meaning in (
        ("kick NAME", "send somebody away; an AI player takes their seat"),
        ("ban WHOM [TIME]", "let nobody in: a name, SHA256:..., an address; 30m, 2h, 7d, or for ever"),
        ("unban WHOM", "let them in again"),
        ("bans", "who is banned, who is muted"),
        ("mute NAME [TIME]", "let somebody talk no more"),
        ("unmute WHOM", "let them talk again"),
        ("announce TEXT", "tell everybody something"),
        ("drain [MINUTES]", "begin nothing new, and stop when running games are over; drain off goes on"),
    )
)
"""What ops can type besides: those whose keys the host has named."""

PLAYING: Final = (
    ("7 7, 77, 7*", "play two sevens, all sevens"),
    ("7h", "play that very card"),
    ("p", "pick up the pile (p K K: and lift these)"),
    ("d", "done: pass a bonus turn, or ready"),
    ("1 2 3", "turn a face-down card, when they are next"),
    ("s K 4", "while arranging: swap hand king, face-up 4"),
    ("lay 4 5 K", "while arranging: lay these"),
    ("ready", "done arranging"),
)

_OTHER_WORDS: Final = {"exit": "quit", "bye": "quit"}
"""What people type elsewhere for it."""
_CARD: Final = r"(?:10|[2-9tjqka])[cdhs]?"
_CARDS: Final = re.compile(rf"(?:{_CARD})+", re.IGNORECASE)
_RANK_WORDS: Final = {
    name + end: rank_label(rank).lower() for rank, name in enumerate(RANK_NAMES) if rank > 8 for end in ("", "s")
}
_SIGNS: Final = str.maketrans(SUIT_SIGNS, SUITS)
_TIMES: Final = re.compile(r"([1-4])x(10|[2-9tjqka])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as typed: its name and the text behind it."""

    name: str
    rest: str = ""


def parse(text: str, view: View | None, *, at_table: bool, is_op: bool = False) -> Move | ParsedCommand:
    """What the text means to somebody who sees this view; None is before the first game, or in the lobby.

    To who is no op, what ops type means nothing.

    Raises:
        InputError: it means nothing, and one line says what would.
    """
    text = text.strip()[:LINE_LENGTH]
    if text[:1] in {"/", "'"}:
        return ParsedCommand("say", text[1:].strip())
    word, _, rest = text.partition(" ")
    seated = view is not None and view.seat is not None and view.phase != "over"
    if seated and view is not None and (move := _move(text.split(), view)) is not None:
        return move
    return ParsedCommand(_command(word.lower(), at_table=at_table, is_op=is_op), rest.strip())


def usable(*, at_table: bool, is_op: bool = False) -> list[Command]:
    """The commands that make sense here."""
    here = {"any", "table" if at_table else "lobby"}
    return [command for command in COMMANDS if command.where in here] + (list(OP_COMMANDS) if is_op else [])


def _command(word: str, *, at_table: bool, is_op: bool) -> str:
    """The one command that this word begins; those that make sense here come first."""
    word = _OTHER_WORDS.get(word, word)
    for commands in (usable(at_table=at_table, is_op=is_op), list(COMMANDS)):
        exact = [command for command in commands if word in {command.name, command.short}]
        found = exact or [command for command in commands if command.name.startswith(word) and not command.in_full]
        if len(found) == 1:
            return found[0].name
        if found:
            names = ", ".join(command.name for command in found)
            raise InputError("bad_request", f"{word!r} could be {names}: type a little more")
    raise InputError("bad_request", f"{word[:20]!r} is nothing you can do here: help lists what is, /hello talks")


def _move(words: list[str], view: View) -> Move | None:
    """The move that these words say, None where they say none. Raises BadMove."""
    lower = [_RANK_WORDS.get(word, word).translate(_SIGNS) for word in map(str.lower, words)]
    match lower:
        case ["pick", "up"] | ["pick" | "take", "up", "the", "pile"] | ["pick" | "take", "the", "pile"]:
            return PICK_UP
        case ["p" | "pickup", *picks]:
            return PickUp(_picks(picks, 0)) if picks else PICK_UP
        case ["d" | "pass" | "done"]:
            return READY if view.phase == "arrange" else PASS
        case ["ready"]:
            return READY
        case ["s" | "swap", given, taken]:
            return Swap(pick(given), pick(taken))
        case ["s" | "swap", *_]:
            raise BadMove("a swap names a hand card and a face-up card, as s k 4 does")
        case ["lay", *picks]:
            return Lay(_picks(picks, 0))
        case ["flip", _]:
            return parse_move(" ".join(lower))
        case ["1" | "2" | "3" as slot] if slot == "1" or _is_blind(view):
            return Flip(int(slot) - 1)
    cards = lower[1:] if lower[:1] == ["play"] else lower
    if not cards or not all(_CARDS.fullmatch(word) or _TIMES.fullmatch(word) or _all_of(word) for word in cards):
        return None
    typed = _picks(cards, view.hands[view.seat or 0] or view.ups[view.seat or 0])
    if view.phase == "arrange" and view.rules.arrange_mode in {"lay-up", "lay-reserve"}:
        return Lay(typed)
    by_rank = len(set(typed)) == 1 and typed[0].card is None
    return Play(typed, by_rank)


def _is_blind(view: View) -> bool:
    """Whether the next thing to choose is a face-down slot, so that 2 and 3 are no ranks."""
    seat = view.seat or 0
    return view.phase == "play" and not view.hands[seat] and not view.ups[seat]


def _all_of(word: str) -> bool:
    return word.endswith("*") and _CARDS.fullmatch(word[:-1]) is not None


def _picks(words: list[str], held: int) -> tuple[Pick, ...]:
    """Cards as typed: ``7``, ``77``, ``2x7``, ``7*`` (all that are held), ``7h``. Raises BadMove."""
    picks: list[Pick] = []
    for word in words:
        if times := _TIMES.fullmatch(word):
            picks += [pick(times[2])] * int(times[1])
        elif _all_of(word):
            wanted = pick(word[:-1])
            picks += [wanted] * max(1, (held >> 4 * wanted.rank & 0b1111).bit_count())
        elif _CARDS.fullmatch(word):
            picks += [pick(part) for part in re.findall(_CARD, word, re.IGNORECASE)]
        else:
            picks.append(pick(word))
    if not picks:
        raise BadMove("name the cards by rank, like 7 7 for two sevens")
    return tuple(picks)
