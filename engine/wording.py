"""Rules in words: what a refusal says. Every refusal names what was tried, what stops it and what would be legal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from engine.cards import ACES_LAST, NO_RANK, RANK_NAMES, RANKS, Rank
from engine.moves import Flip, Lay, Move, Pass, Pick, PickUp, Play, Ready, Swap
from engine.position import Position

_NUMBERS: Final = ("no", "one", "two", "three", "four")
_VERBS: Final[Mapping[type[Move], tuple[str, str]]] = {
    Play: ("play", "played"),
    Lay: ("lay", "laid"),
    PickUp: ("take", "took"),
    Flip: ("turn", "turned"),
    Swap: ("swap", "swapped"),
    Ready: ("say", "said"),
    Pass: ("pass", "passed"),
}
_REASONS: Final = {
    "game_over": "the game is over",
    "not_your_turn": "it is not your turn",
    "not_held": "you do not have that",
    "zone_closed": "hand first, then face-up, then face-down",
    "mixed_ranks": "cards laid together must be of one rank",
    "must_play_all": "all your cards of a rank go together here",
    "must_play": "you may not pick up while you can play",
    "pile_empty": "the pile is empty",
    "last_special": "a card that resets or burns cannot be your last one",
    "cannot_pass": "you may pass only a bonus turn, or when nothing else is possible",
    "cannot_lift": "face-up cards are lifted only with the pile, of one rank, when none of them can be played",
}


def refusal_message(position: Position, move: Move, code: str, legal: Sequence[Move]) -> str:
    """One line: the move tried, what stops it, its clause, what would be legal instead."""
    clause = position.rules.clauses.get(code)
    cited = f" ({clause})" if clause else ""
    instead = _arranging_sentence(position, legal) if position.phase == "arrange" else legal_sentence(legal)
    return f"{move}: {reason(position, move, code)}{cited}. {instead}".rstrip()


def _arranging_sentence(position: Position, legal: Sequence[Move]) -> str:
    how = {"swap": "swap, like swap 5 K", "lay-up": "lay your cards", "lay-reserve": "lay your cards"}
    ways = [how.get(position.rules.arrange_mode, ""), "say ready" if legal else ""]
    return f"You can {listed([way for way in ways if way])}."


def legal_sentence(moves: Sequence[Move]) -> str:
    """What these moves allow, in a sentence: "You can play Q, K or 2." Empty for none."""
    ranks = list(dict.fromkeys(move.picks[0].rank for move in moves if isinstance(move, Play)))
    ways = [f"play {listed([RANKS[rank].replace('T', '10') for rank in ranks])}"] if ranks else []
    if slots := [str(move.slot + 1) for move in moves if isinstance(move, Flip)]:
        ways.append(f"flip {listed(slots)}")
    if any(isinstance(move, PickUp) for move in moves):
        ways.append("pick up the pile")
    if any(isinstance(move, Pass) for move in moves):
        ways.append("pass")
    if any(isinstance(move, Ready) for move in moves):
        ways.append("say ready")
    return f"You can {listed(ways)}." if ways else ""


def counted_rank(rank: Rank, copies: int) -> str:
    """So many of a rank: "an ace", "three 10s"."""
    name = RANK_NAMES[rank]
    if copies == 1:
        return f"{'an' if name in {'8', 'ace'} else 'a'} {name}"
    return f"{_NUMBERS[copies]} {name}s"


def move_words(move: Move, form: Literal["do", "did"] = "do") -> str:
    """A move as one would say it: "play two 5s", or "played two 5s"."""
    do, did = _VERBS[type(move)]
    verb = do if form == "do" else did
    match move:
        case Play(picks) | Lay(picks):
            return f"{verb} {_counted(picks)}"
        case PickUp(picks):
            return f"{verb} the pile{f' with {_counted(picks)}' if picks else ''}"
        case Flip(slot):
            return f"{verb} over face-down card {slot + 1}"
        case Swap(hand, up):
            return f"{verb} {_counted([hand])} for the face-up {RANK_NAMES[up.rank]}"
        case Ready():
            return f"{verb} ready"
        case Pass():
            return verb


def _counted(picks: Sequence[Pick]) -> str:
    counts = Counter(each.rank for each in picks)
    return listed([counted_rank(rank, copies) for rank, copies in counts.items()], "and")


def listed(words: Sequence[str], last: str = "or") -> str:
    """Words as a list for people: "Q, K or 2"."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def target_words(position: Position) -> str:
    """What the next card must be, in words: "queen or higher", "lower than 7", "any card"."""
    top, effect = position.top, None if position.top == NO_RANK else position.powers.effect[position.top]
    if position.must_lead is not None:
        return f"{RANK_NAMES[position.must_lead]}, to open"
    if top == NO_RANK or effect == "reset":
        return "any card"
    if effect == "lower":
        return f"lower than {RANK_NAMES[top]}"
    equal_is_enough = position.rules.beat == "equal-or-higher"
    if top == ACES_LAST[-1]:
        return RANK_NAMES[top] if equal_is_enough else f"nothing is above {RANK_NAMES[top]}"
    return f"{RANK_NAMES[top]} or higher" if equal_is_enough else f"above {RANK_NAMES[top]}"


def reason(position: Position, move: Move, code: str) -> str:
    """What stops a move that was refused with this code: "4 is lower than queen"."""
    rules, top = position.rules, position.top
    match code:
        case "too_low" if isinstance(move, Play):
            return _too_low(position, move.picks[0].rank)
        case "must_be_lower":
            return f"the {RANK_NAMES[top]} asks for a lower card"
        case "one_at_a_time":
            return f"at most {rules.play_up_at_once} face-up at once"
        case "must_lead" if position.must_lead is not None:
            return f"the opening play must be {RANK_NAMES[position.must_lead]}"
        case "must_lay":
            return f"choose {rules.arrange_lay} cards to lay first"
        case "wrong_phase":
            return "arranging is over" if position.phase == "play" else _not_now(move)
        case "bad_move":
            laying = f"laying {rules.arrange_lay} cards together"
            return f"here you arrange by {'swapping' if rules.arrange_mode == 'swap' else laying}"
    return _REASONS[code]


def _not_now(move: Move) -> str:
    return "you have said ready" if isinstance(move, Swap | Lay | Ready) else "everybody is still arranging"


def _too_low(position: Position, rank: Rank) -> str:
    name, top = RANK_NAMES[rank], RANK_NAMES[position.top]
    if rank < position.top:
        return f"{name} is lower than {top}"
    return f"{name} does not beat {top}" if rank == position.top else f"{name} may not follow {top}"
