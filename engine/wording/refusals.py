"""Says why a move is refused, and what would be legal instead."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.cards import RANK_CARDS, RANK_NAMES, SUIT_NAMES, CardSet, Rank, ranks_in
from engine.moves import Flip, Lay, Move, Pass, Pick, PickUp, Play, Ready, Swap
from engine.position import Position
from engine.rules import Rules
from engine.rulesets import DEFAULT, ruleset
from engine.wording.phrases import a_card, counted_rank, hand_words, listed, number_word, quantity, sentence_case
from engine.wording.typed_moves import typed_form

_REASONS: Final = {
    "game_over": "the game is over",
    "not_your_turn": "it is not your turn",
    "mixed_ranks": "cards played together must be of one rank",
    "must_play_all": "at this table you must play all your cards of a rank together",
    "must_play": "you may not pick up while you can play",
    "pile_empty": "the pile is empty",
    "last_special": "a card that resets or burns cannot be your last card",
    "cannot_lift": "you may take face-up cards with the pile only if none of them can be played, and only of one rank",
}


def refusal_message(position: Position, seat: int, move: Move, code: str, legal: Sequence[Move]) -> str:
    """One line for players: why this move is refused, and what would be legal instead.

    The clause is not part of it; `errors.Refused` has it beside the message.
    """
    instead = _arranging_instead(position, seat) if position.phase == "arrange" else legal_sentence(legal)
    return f"{sentence_case(refusal_reason(position, seat, move, code))}. {instead}".rstrip()


def arranging_sentence(rules: Rules, example: Move | None = None) -> str:
    """How to arrange under these rules; ``example`` is a move that would help, or None if the player needs none."""
    like = f", like {typed_form(example)}" if example else ""
    if rules.arrange_mode == "swap":
        if not isinstance(example, Swap):
            return "You can swap cards: type s, a hand card and a face-up one; then type ready."
        given, taken = RANK_NAMES[example.hand.rank], RANK_NAMES[example.up.rank]
        return f"You can swap cards{like}: the {given} of your hand for the face-up {taken}; then type ready."
    where = "face up" if rules.arrange_mode == "lay-up" else "aside for the end"
    return f"Choose {quantity(rules.arrange_lay, 'card')} to lay {where}: type them{like}; then type ready."


def _arranging_instead(position: Position, seat: int) -> str:
    """What the seat can do instead while cards are arranged."""
    if position.ready[seat]:
        return ""
    if position.rules.arrange_mode == "swap":
        hand, up = [*ranks_in(position.hands[seat])], [*ranks_in(position.ups[seat])]
        own = Swap(Pick(hand[-1][0]), Pick(up[0][0])) if hand and up else None
        return arranging_sentence(position.rules, own)
    exactly = number_word(position.rules.arrange_lay)
    if _laid(position)[seat].bit_count() == position.rules.arrange_lay:
        return f"Your cards are laid: type ready, or {exactly} cards to lay those instead."
    return f"Type {exactly} of these to lay: {hand_words(_to_choose_from(position, seat))}."


def _to_choose_from(position: Position, seat: int) -> CardSet:
    """The cards that the seat may lay while arranging, including those already laid."""
    return position.hands[seat] | _laid(position)[seat]


def _laid(position: Position) -> Sequence[CardSet]:
    """Where each seat lays cards while arranging."""
    return position.ups if position.rules.arrange_mode == "lay-up" else position.reserves


def legal_sentence(moves: Sequence[Move]) -> str:
    """What these moves are, as a sentence: "You can play a jack, a queen or a 2."; empty if there are none.

    Of each rank the fewest cards are named that can be played, for at some tables all go together.
    """
    kinds = set(map(type, moves))
    fewest = {play.picks[0].rank: len(play.picks) for play in reversed(moves) if isinstance(play, Play)}
    ways = [f"play {listed([counted_rank(rank, fewest[rank]) for rank in reversed(fewest)])}"] if fewest else []
    if Flip in kinds:
        slots = [str(move.slot + 1) for move in moves if isinstance(move, Flip)]
        ways.append(f"type {listed(slots)} to turn over a face-down card")
    if PickUp in kinds:
        ways.append("type p to pick up the pile")
    if lifts := [move for move in moves if isinstance(move, PickUp) and move.picks]:
        ways.append(f"type {typed_form(lifts[0])} to take a face-up card with it")
    if Pass in kinds:
        ways.append("type d to pass")
    if Ready in kinds:
        ways.append("type ready")
    return f"You can {', or '.join(ways)}." if ways else ""


def refusal_reason(position: Position, seat: int, move: Move, code: str) -> str:
    """Why a move is refused with this code: "a 4 is lower than a queen"."""
    rules, top = position.rules, position.top
    match code:
        case "not_held":
            return _not_held(position, seat, move)
        case "zone_closed":
            return _zone_closed(position, seat, move)
        case "too_low" if isinstance(move, Play):
            return _too_low(position, move.picks[0].rank)
        case "must_be_lower" if isinstance(move, Play):
            return f"{a_card(move.picks[0].rank)} is too high: the {RANK_NAMES[top]} asks for a lower card"
        case "one_at_a_time":
            most = rules.play_up_at_once
            return "only one face-up card at a time" if most == 1 else f"at most {most} face-up cards at a time"
        case "must_lead" if position.must_lead is not None:
            return f"the first card must be {a_card(position.must_lead)}"
        case "must_lay":
            return f"lay {number_word(rules.arrange_lay)} {'card' if rules.arrange_lay == 1 else 'cards'} first"
        case "wrong_phase":
            return "the game has begun already" if position.phase == "play" else _not_now(position, seat)
        case "cannot_pass":
            after = "in a bonus turn, or " if _may_pass_bonus_turns(rules) else ""
            return f"you may pass only {after}if you can do nothing else"
        case "bad_move" if rules.arrange_mode == "swap":
            return "in this rule set cards are swapped, not laid"
        case "bad_move":
            return (
                f"that is {quantity(len(move.picks), 'card')}"
                if isinstance(move, Lay)
                else "in this rule set no cards are swapped"
            )
    return _REASONS[code]


def _not_held(position: Position, seat: int, move: Move) -> str:
    """Which card is missing from which zone."""
    hand, up = position.hands[seat], position.ups[seat]
    match move:
        case Swap(given, taken):
            lacks_given = _missing((given,), hand, "in your hand")
            return lacks_given or _missing((taken,), up, "among your face-up cards") or "you do not have that"
        case Flip(slot):
            return f"you have no face-down card {slot + 1}"
        case Lay(picks):
            return _missing(picks, _to_choose_from(position, seat), "among your cards") or "you do not have that"
        case PickUp(picks):
            return _missing(picks, up, "among your face-up cards") or "you do not have that"
        case Play(picks) if hand or up:
            if kept := [RANK_NAMES[each.rank] for each in picks if _only_in_reserve(position, seat, each.rank)]:
                return f"your {kept[0]} is in your reserve: that comes when your hand and the stock are gone"
            where = "in your hand" if hand else "among your face-up cards"
            return _missing(picks, hand or up, where) or "you do not have that"
    return "you have only face-down cards"


def _only_in_reserve(position: Position, seat: int, rank: Rank) -> bool:
    held = position.hands[seat] | position.ups[seat]
    return bool(position.reserves[seat] & RANK_CARDS[rank] and not held & RANK_CARDS[rank])


def _missing(picks: Sequence[Pick], held: CardSet, where: str) -> str:
    """What is missing: "no 9 in your hand", "only two 9s in your hand"; empty if nothing is."""
    for rank, wanted in Counter(each.rank for each in picks).items():
        copies = (held & RANK_CARDS[rank]).bit_count()
        if not copies:
            return f"no {RANK_NAMES[rank]} {where}"
        if copies < wanted:
            return f"only {counted_rank(rank, copies) if copies > 1 else f'one {RANK_NAMES[rank]}'} {where}"
    lacking = [each.card for each in picks if each.card is not None and not held >> each.card & 1]
    return f"no {RANK_NAMES[lacking[0] >> 2]} of {SUIT_NAMES[lacking[0] & 3]} {where}" if lacking else ""


def _zone_closed(position: Position, seat: int, move: Move) -> str:
    if not isinstance(move, Play):
        return f"play your {'hand' if position.hands[seat] else 'face-up cards'} first"
    lying = next(each.rank for each in move.picks if position.ups[seat] & RANK_CARDS[each.rank])
    if position.hands[seat] & RANK_CARDS[lying]:
        missing = _missing(move.picks, position.hands[seat], "in your hand")
        return f"{missing}: another lies face up, and your hand comes first"
    return f"your {RANK_NAMES[lying]} lies face up: play your hand first"


def _may_pass_bonus_turns(rules: Rules) -> bool:
    """Whether there are bonus turns that a player may pass."""
    fours = rules.four_again if rules.fours_burn else "no"
    return "may" in {fours, *(power.again for power in rules.special.values())}


def _not_now(position: Position, seat: int) -> str:
    return "the others are still arranging" if position.ready[seat] else "the cards are still being arranged"


def _too_low(position: Position, rank: Rank) -> str:
    name, top = a_card(rank), a_card(position.top)
    if rank < position.top:
        return f"{name} is lower than {top}{_weaker_here(position.rules, rank)}"
    return f"{name} does not beat {top}" if rank == position.top else f"{name} may not follow {top}"


def _weaker_here(rules: Rules, rank: Rank) -> str:
    """What to say of a rank that goes on anything in the default rule set, but not here; empty for others."""
    usual = ruleset(DEFAULT).special.get(rank)
    if usual is None or usual.on != "any":
        return ""
    return ", and must beat the pile here" if rank in rules.special else ", and has no power here"
