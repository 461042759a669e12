"""Moves as people type them: `7 7`, `77` or `2x7` for two sevens, `7*` for all, `p` to pick up.

A rank wins over a command that begins with its letter: `k` plays a king, `q` a queen.
"""

import re
from typing import Final

from engine.cards import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, SUITS, CardSet, rank_label
from engine.errors import BadMove
from engine.legality import legal_moves
from engine.moves import PASS, PICK_UP, READY, Flip, Lay, Move, Pick, PickUp, Play, Swap, cards_for, parse_move, pick
from engine.position import Phase
from engine.view import View
from engine.wording.refusals import legal_sentence
from engine.wording.typed_moves import example_play

TYPED_MOVES: Final = (
    ("7 7, 77, 7*", "play two sevens, all sevens", "play"),
    ("7h", "play the seven of hearts", "play"),
    ("p", "pick up the pile; p K K takes two face-up kings with it", "play"),
    ("d", "pass a bonus turn", "play"),
    ("1, 2, 3", "turn over a face-down card", "play"),
    ("s K 4", "before play: swap a hand king for a face-up 4", "swap"),
    ("lay 4 5 K", "before play: lay these cards", "lay"),
    ("ready", "before play: keep the cards as they are", "arrange"),
)
"""How moves are typed, what that does, and in which phase: play, or arranging in some way or in any."""

_PICK_UP: Final = re.compile(r"(pick|take|grab|eat)( ?up)?( all)?( it| them| these)?( pile| cards)?( up| all)*")
_CANNOT: Final = re.compile(
    "(have )?(nothing|no cards?)( to play)?( left)?|(can't|cant|cannot|can not) (play|go|move)( anything)?"
)
_KEEP: Final = re.compile(
    "((rea?dy( to)? )?(start|go|begin|deal|play)|(all |think |guess )?(ready|done|finished)|happy|no swaps?)( game)?"
    "|all set|good to go|(done|finished) (arranging|swapping|changing)"
    "|((keep|like)( them| it| these)?|leave (them|it|these))( cards| hand)?( (like|as) (this|it is|they are))?|next"
    "|(don't|dont|do not)( want| want to| to)? (swap|change)( any)?( ?thing| cards?)?"
)
"""What players say who arrange no more."""
_ANY_CARD: Final = re.compile(
    "(?P<kind>(low|small)(er|e?st)?|(?P<high>high|bigg?)(er|e?st)?)|any(thing)?|something|whatever|random"
)
"""What a player says who names no card. A kind needs a verb or "one", for "lowest card" may be a question."""
_BESIDE: Final = frozenset({"card", "cards", "one", "you", "like", "of", "them", "all", "that", "works", "goes"})
"""Words that may stand beside that."""
_RANK: Final = "(?:10|[2-9tjqka])"
_CARD: Final = re.compile(rf"{_RANK}[cdhs]?", re.IGNORECASE)
_CARDS: Final = re.compile(rf"(?!jak$){_RANK}+|(?:{_RANK}[cdhs])+", re.IGNORECASE)
"""Cards run together, with a suit each or none: 77 or 7h7d, but aha is no ace of hearts and an ace, nor jak three."""
_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_WORDS: Final = {
    name + end: rank_label(rank).lower()
    for rank, name in enumerate((*_NUMBERS, *RANK_NAMES[9:]))
    for end in ("", "s", "es")
} | {"deuce": "2", "deuces": "2"}
"""What ranks are called in words, and how they are typed."""
_COUNTS: Final = {"one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4, "all": 0, "every": 0}
"""What stands before a rank and says how many cards of it are played; 0 for all."""
_COUNTED: Final = frozenset({"two", "both", "three", "four", "all"})
"""Those of them that are no cards themselves, and may also stand before a 6."""
_PLURAL: Final = re.compile(rf"(?:10|[2-9tjqka])s|{'|'.join(word for word in RANK_WORDS if word.endswith('s'))}")
"""What means all cards of a rank if it stands alone; the ace of spades and the like stand beside other cards."""
FILLERS: Final = (
    *("i", "i'm", "i'll", "ill", "im", "am", "will", "my", "the", "please", "pls", "plz", "ok", "okay", "then", "fine"),
    *("ugh", "so", "well", "now", "just", "already", "and", "let's", "lets", "instead", "hm", "hmm", "um"),
)
"""Words that change nothing of a move."""
_MARKS: Final = str.maketrans("\u2019?!,.", "'    ")
VERBS: Final = ("play", "put", "lay", "throw", "use", "drop", "discard", "move", "place")
QUESTION: Final = re.compile(
    r"(can|could|may|would|should|do|does|is|are|am|what|which|why|how|will (i|it|they|s?he))\b(?!'t| not)"
    r"|i('m| am|m) next\b"
)
"""How a line begins that asks something: it is no move, though without `FILLERS` it may look like one."""
_WISH: Final = re.compile(
    r"(i (think|guess) )?((can|could|will|would) you(?= \w+ \w)|let me"
    "|i('?ll?|('d| would) like to| wan(t to|na)|('m| am) going to)?) "
    f"(please )?(?=({'|'.join(VERBS)}|pick|take|pass|flip|turn|open|choose)\\b)"
)
"""How a sentence begins that says, with the verb behind it, what to play."""
_SUIT: Final = re.compile(rf"(\w+) of ({'|'.join(SUIT_NAMES)})")
_PAIR: Final = re.compile(r"\b(a |my |the )?(pair|couple|two|both) of( my| the)?\b")
_OWNS: Final = re.compile(r"((?<=\b10)|(?<=\b[2-9jqka]))'s\b")
_ALL_OF: Final = re.compile(r"\ball (?=((my|the|of) )*(two|three|four|[2-4]) )")
"""What says no more than the number behind it, as in "all three kings"."""
SWAPS: Final = ("s", "sw", "swa", "swap", "switch", "trade", "exchange", "change", "replace")
_TOGETHER: Final = frozenset({"with", "for", "and", "against", "by"})
"""Words between the two cards of a swap."""
_SIGNS: Final = str.maketrans(SUIT_SIGNS, SUITS)
_TIMES: Final = re.compile(r"([1-4])x(10|[2-9tjqka])", re.IGNORECASE)
_CARDS_WORD: Final = re.compile(rf"{_TIMES.pattern}|(?:{_CARDS.pattern})\*?", re.IGNORECASE)
"""A word that can only be cards, as `_picks` reads it."""
_NO_COMMAND: Final = frozenset("23456789jk")
"""Cards begin with these, and no command does."""


def parse_typed_move(text: str, view: View) -> Move | None:
    """The move that the player of this view has typed, in any of the ways people type it.

    None if the text is no move, or the player has none to make. Raises BadMove for a move that lacks something.
    """
    if view.seat is None or view.phase == "over":
        return None
    held = view.hands[view.seat] or view.ups[view.seat]
    first, *others = text.lower().removeprefix("play ").split() or [""]
    is_plain = _CARDS.fullmatch(first) and {*others} <= {first} and not _PLURAL.fullmatch(first)
    if held and view.phase == "play" and is_plain:  # as most moves are typed, which are no sentence
        return _play_of([first, *others], view, held)
    line = in_words_of_moves(text.lower().translate(_MARKS))
    if QUESTION.match(line):
        return None
    words = line.split()
    said = " ".join(word for word in words if word not in FILLERS)
    if said.partition(" ")[0] in {"ah", "as"} and not are_cards(text):  # "Ah, ok" and "as well" are talk
        return None
    phrase = _in_a_phrase(said or " ".join(words[:1]), view, view.seat)
    return phrase or _in_signs(_words(said, view.phase), view, view.seat)


def in_words_of_moves(text: str) -> str:
    """A sentence without how it begins, and with cards as they are typed: 7h for 7 of hearts."""
    text = _ALL_OF.sub("", _OWNS.sub("s", text.replace("all of ", "all ").replace("i'd like ", "i want ")))
    text = _PAIR.sub("two", _WISH.sub("", re.sub(r"^(\S+ .+) for me$", r"\1", " ".join(text.split()))))
    return _SUIT.sub(lambda found: f"{RANK_WORDS.get(found[1], found[1])}{found[2][0].upper()}", text)


def _in_a_phrase(said: str, view: View, seat: int) -> Move | None:
    """The move that these words are in full, as "keep them" is ready; None for other words.

    Raises BadMove for a player who says that they cannot play, and can, or who does not say what to play.
    """
    if view.phase == "arrange":
        return READY if _KEEP.fullmatch(said) else None
    names_none = said in VERBS
    rest = " ".join(word for word in said.split() if word not in {*VERBS, *_BESIDE})
    any_card = _ANY_CARD.fullmatch(rest)
    if any_card and any_card["kind"] and not {*said.split()} & {*VERBS, "one"}:
        return None
    if names_none or any_card or _CANNOT.fullmatch(said):
        legal = legal_moves(view, seat)
        plays = [move for move in legal if isinstance(move, Play)]
        if not legal or names_none or bool(plays) != bool(any_card):
            raise BadMove(legal_sentence(legal) or "it is not your turn")
        if any_card is None:
            return PICK_UP
        highest = max(move.picks[0].rank for move in plays)
        wanted = [move for move in plays if move.picks[0].rank == highest] if any_card["high"] else plays
        return example_play(view, wanted, copies=4 if "all" in said.split() else 1)
    return None


def _in_signs(lower: list[str], view: View, seat: int) -> Move | None:
    """The move that these words are; None if they are none. Raises BadMove for a move that lacks something."""
    match lower:
        case ["p" | "pickup", *picks]:
            return PickUp(_picks(picks, 0)) if picks else PICK_UP
        case ["d" | "pass" | "done"] if lower != ["done"] or PASS in legal_moves(view, seat):
            return READY if view.phase == "arrange" else PASS
        case ["ready", _, *_]:
            raise BadMove("ready takes nothing behind it: type ready alone")
        case ["ready" | "read" | "rea"]:
            return READY
        case ["swap", first, second]:
            given, taken = pick(first), pick(second)
            hand = view.hands[seat]
            is_turned = not cards_for((given,), hand) and cards_for((taken,), hand)  # the face-up card was named first
            return Swap(taken, given) if is_turned else Swap(given, taken)
        case ["s" | "sw" | "swa" | "swap", *_]:
            raise BadMove("a swap names a hand card and a face-up card, as s k 4 does")
        case ["la" | "lay", *picks]:
            return Lay(_picks(picks, 0))
        case ["flip", _]:
            return parse_move(" ".join(lower))
        case ["1"]:
            return Flip(0)
    held = view.hands[seat] or view.ups[seat]
    cards = lower[1:] if lower[:1] == ["play"] else lower
    if not held and cards in (["2"], ["3"], ["4"]):  # the player's next card is a face-down one: these are no ranks
        return Flip(int(cards[0]) - 1)
    return _play_of(cards, view, held)


def _words(text: str, phase: Phase) -> list[str]:
    """The words of a typed move, with play for what else people say, and with the signs of ranks: 6 6 for two sixes."""
    words = ["p"] if _PICK_UP.fullmatch(text) else text.split()
    if words[1:] and words[0] in VERBS and not (words[0] == "lay" and phase == "arrange"):
        words = ["play", *(word for word in words[1:] if word != "down")]
    if phase == "play" and words[:-1] in ([], ["play"]) and _PLURAL.fullmatch(" ".join(words[-1:])):
        words.insert(-1, "all")
    *begun, count, rank = ["", "", *words]
    is_rank = rank in RANK_WORDS or _PLURAL.fullmatch(rank) or (count in _COUNTED and re.fullmatch(_RANK, rank))
    count = "one" if count in {"a", "an"} else count  # "play an ace": these are no two aces
    if begun in (["", ""], ["", "", "play"]) and count in _COUNTS and is_rank:
        rank = RANK_WORDS.get(rank, rank.removesuffix("s"))
        words = [*filter(None, begun), *([rank] * _COUNTS[count] or [f"{rank}*"])]
    parts = [word.partition("*") for word in words]
    words = [f"{RANK_WORDS.get(word, word).translate(_SIGNS)}{star}{rest}" for word, star, rest in parts]
    cards = [word for word in words[1:] if word not in _TOGETHER]
    is_swap = len(cards) == 2 and words[0] in SWAPS and all(map(_CARD.fullmatch, cards))
    return ["swap", *cards] if is_swap else words


def _play_of(cards: list[str], view: View, held: CardSet) -> Move | None:
    """The play, or while cards are laid the choice, of these words; None if they are no cards. Raises BadMove."""
    if view.phase == "play" and len(cards) == 2 and cards[0] in {"a", "an"} and cards[1] != "a":
        cards = cards[1:]  # "a king": an ace and a king cannot go together
    other = next((word for word in cards if not _CARDS_WORD.fullmatch(word)), None)
    if other and other != cards[0] and cards[0][0] in _NO_COMMAND:
        pick(other)  # says what a card is
    if other or not cards:
        return None
    typed = _picks(cards, held)
    if view.phase == "arrange" and view.rules.arrange_mode in {"lay-up", "lay-reserve"}:
        return Lay(typed)
    means_all = view.rules.play_whole_sets and len(typed) == 1 and typed[0].card is None
    if len(cards) == 1 and (cards[0].endswith("*") or means_all):  # as many as may be
        plays = [move for move in legal_moves(view, view.seat or 0) if isinstance(move, Play)]
        same = [move for move in plays if move.picks[0].rank == typed[0].rank]
        return max(same, key=lambda move: len(move.picks), default=Play.of(typed))
    return Play.of(typed)


def are_cards(text: str) -> bool:
    """Whether a text is nothing but cards, as ``7 7`` and ``play 7 7`` are."""
    words = text.lower().removeprefix("play ").translate(_SIGNS).split()
    return bool(words) and all(map(_CARDS_WORD.fullmatch, words))


def _picks(words: list[str], held: int) -> tuple[Pick, ...]:
    """Cards as typed: ``7``, ``77``, ``2x7``, ``7*`` (all that are held), ``7h``. Raises BadMove."""
    picks: list[Pick] = []
    for word in words:
        if times := _TIMES.fullmatch(word):
            picks += [pick(times[2])] * int(times[1])
        elif word.endswith("*"):
            wanted = pick(word[:-1])
            picks += [wanted] * max(1, (held >> 4 * wanted.rank & 0b1111).bit_count())
        elif _CARDS.fullmatch(word):
            picks += [pick(part) for part in _CARD.findall(word)]
        else:
            picks.append(pick(word))
    if not picks:
        raise BadMove("name the cards by rank, like 7 7 for two sevens")
    return tuple(picks)
