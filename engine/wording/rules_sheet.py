"""The rules sheet: a rule set in sentences, made from its keys alone, so that the two always agree."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.cards import ALL_RANKS, DECLARING_ORDER, MOST_COPIES, RANK_NAMES, Rank, rank_label
from engine.powers import POWERS
from engine.rule_options import NO_EFFECT
from engine.rules import Again, Power, Rules
from engine.wording.phrases import a_card, listed, number_range, number_word, quantity, sentence_case

_AGAIN: dict[Again, str] = {"no": "", "may": " Its player may go again.", "must": " Its player goes again."}

MOST_NAMED: Final = 4
"""So many special ranks are named where it is said what an ordinary card is not."""


def rules_sheet(rules: Rules) -> str:
    """The rules sheet of a rule set; each line has one or two sentences."""
    return "\n".join([f"{rules.title}: {number_range(rules.seats_min, rules.seats_max, 'player')}.", *_lines(rules)])


def in_short(rules: Rules) -> list[str]:
    """The whole game in two lines, for a player who has never heard of it."""
    rank = "the same rank or higher" if rules.beat == "equal-or-higher" else "a higher rank"
    aim = "Get rid of all your cards first." if rules.out_ends == "first" else "Do not be the last player with cards."
    return [aim, f"Play {rank}; if you cannot, take the pile."]


def brief(rules: Rules) -> list[str]:
    """What a player must know to begin, the most important first; the rest is explained when it happens."""
    return [aim_note(rules), turn_note(rules), pick_up_note(rules), *special_notes(rules)]


def special_notes(rules: Rules) -> list[str]:
    """What may not be the last card, and what special ranks and four of a kind do: what costs most to miss is first.

    What only changes whose turn is next is the last of the ranks.
    """
    four = [four_note(rules)] if rules.fours_burn else []
    ranks = sorted(_special_ranks(rules), key=lambda rank: rules.special[rank].effect in {"reverse", "skip"})
    return [line for line in (last_card_note(rules), *_power_notes(rules, ranks), *four) if line]


def differences(rules: Rules, other: Rules) -> list[str]:
    """The lines of the sheet that the sheet of the other rules does not have."""
    known = set(_lines(other))
    return [line for line in _lines(rules) if line not in known]


def _lines(rules: Rules) -> Iterator[str]:
    yield aim_note(rules)
    yield _deck(rules)
    yield rank_note(rules)
    yield _deal(rules)
    yield arrange_note(rules)
    yield start_note(rules)
    yield _turn(rules)
    yield from filter(None, [whole_sets_note(rules)])
    yield from _power_notes(rules, _special_ranks(rules))
    yield from _taken_away(rules)
    yield four_note(rules) if rules.fours_burn else "Four of a rank do not burn the pile."
    yield draw_note(rules)
    yield pick_up_note(rules)
    yield _zones(rules)
    yield last_card_note(rules) or "Any card can be your last."
    moves = quantity(rules.stalemate_quiet_plies, "move")
    yield f"After {moves} in a row in which no card is drawn, burned or played from the table, the game is a draw."


def _special_ranks(rules: Rules) -> list[Rank]:
    """The special ranks of the deck."""
    return sorted(rank for rank in rules.special if rules.deck_copies[rank])


def _power_notes(rules: Rules, ranks: Iterable[Rank]) -> Iterator[str]:
    """What each of these special ranks does."""
    return (power_note(rank, rules.special[rank]) for rank in ranks)


def _taken_away(rules: Rules) -> Iterator[str]:
    """A line for each rank whose power options take away."""
    for rank in ALL_RANKS:
        if rules.options.get(f"special.{rank_label(rank)}.effect") == NO_EFFECT:
            yield f"{sentence_case(a_card(rank))} is an ordinary card."


def aim_note(rules: Rules) -> str:
    """The aim of the game."""
    if rules.out_ends == "first":
        return "Get rid of all your cards: the first to do so wins."
    return "Get rid of all your cards. The first player out wins; the others play on, and the last one left loses."


def _deck(rules: Rules) -> str:
    few = [f"{number_word(n)} {RANK_NAMES[rank]}" for rank, n in enumerate(rules.deck_copies) if n < MOST_COPIES]
    return f"The deck has {sum(rules.deck_copies)} cards{': only ' + listed(few, 'and') if few else ''}."


def rank_note(rules: Rules) -> str:
    """The order of the ranks."""
    ranks = [rank_label(rank) for rank in ALL_RANKS if rules.deck_copies[rank]]
    return f"From low to high: {' '.join(ranks)}."


def _deal(rules: Rules) -> str:
    parts = [(rules.deal_down, "face down"), (rules.deal_up, "face up"), (rules.deal_hand, "in hand")]
    return f"Each player is dealt {listed([f'{n} {where}' for n, where in parts if n], 'and')}."


def arrange_note(rules: Rules) -> str:
    """What players do before play."""
    cards = quantity(rules.arrange_lay, "card")
    match rules.arrange_mode:
        case "swap":
            return "Before play, swap hand cards with your face-up cards as you like, then type ready."
        case "lay-up":
            return f"Before play, each player chooses {cards} to lie face up; all are shown together."
        case "lay-reserve":
            return f"Before play, each player puts {cards} aside as a reserve that only they see."
        case "none":
            return "Play begins at once."


def start_note(rules: Rules) -> str:
    """Who starts, and with what."""
    special = [RANK_NAMES[rank] for rank in sorted(rules.special) if rules.deck_copies[rank]]
    but = f" (no {listed(special)})" if special and len(special) <= MOST_NAMED else ""
    theirs = f"the lowest ordinary card{but} of that hand"
    who = {
        "lowest": f"The player with the lowest ordinary card{but} starts",
        "declare": f"The player with the lowest rank in hand, from the {RANK_NAMES[DECLARING_ORDER[0]]} up, starts",
        "dealer-left": "The player left of the dealer starts",
        "random": "Who starts first is drawn by lot; later the player left of the last winner starts",
    }[rules.start_who]
    is_named = rules.start_who == {"auto": "lowest", "must": "declare", "free": ""}[rules.start_lead]
    lead = {
        "auto": f", and {'that card' if is_named else theirs} opens the pile",
        "must": f" and opens with {'that rank' if is_named else 'their lowest ordinary rank' + but}",
        "free": "",
    }[rules.start_lead]
    turned = " A card of the stock is turned up first." if rules.start_turn_up else ""
    second = " The next lowest goes second and sets the direction." if rules.start_second == "next-lowest" else ""
    return f"{who}{lead}.{second}{turned}"


def turn_note(rules: Rules) -> str:
    """What a turn is."""
    return f"{_turn(rules)} {whole_sets_note(rules)}".rstrip()


def _turn(rules: Rules) -> str:
    beat = "as high as the top of the pile or higher" if rules.beat == "equal-or-higher" else "higher than the top"
    return f"On your turn play one or more cards of one rank, {beat}; on an empty pile anything goes."


def whole_sets_note(rules: Rules) -> str:
    """That no card of a rank may be kept back; empty if it may."""
    return "All your cards of a rank must go together." if rules.play_whole_sets else ""


def power_note(rank: Rank, power: Power) -> str:
    """What a special rank does."""
    name = a_card(rank)
    where = {
        "any": f"{sentence_case(name)} goes on anything",
        "rank": f"{sentence_case(name)} must beat the pile as usual",
        "rank-or-lower": f"{sentence_case(name)} goes only on {name} or lower",
    }[power.on]
    blocked = (
        f" {sentence_case(listed([a_card(rank) for rank in power.blocks]))} may not follow it." if power.blocks else ""
    )
    again = _AGAIN[power.again]
    return f"{where} and {POWERS[power.effect].does}.{again}{blocked}"


def four_note(rules: Rules) -> str:
    """What four of a rank do."""
    if rules.four_scope == "one-play":
        how, who = "in one play", "Their player"
    else:
        how, who = "in a row, from any players,", "The player of the last one"
    again = {"no": "", "may": f" {who} may go again.", "must": f" {who} goes again."}[rules.four_again]
    return f"Four of a rank {how} burn the pile.{again}"


def draw_note(rules: Rules) -> str:
    """When cards are drawn, and how many."""
    if rules.draw_rule == "one":
        return "After playing from your hand draw one card, while the stock lasts."
    return f"After playing from your hand draw up to {rules.draw_to}, while the stock lasts."


def pick_up_note(rules: Rules) -> str:
    """When a player takes the pile."""
    if rules.pickup_by_choice:
        return "If you cannot play, or would rather not, take the whole pile: that ends your turn."
    return "If you cannot play, take the whole pile: that ends your turn. If you can play, you must."


def has_up_row(rules: Rules) -> bool:
    """Whether players have face-up cards."""
    return bool(rules.deal_up or (rules.arrange_mode == "lay-up" and rules.arrange_lay))


def up_at_once(rules: Rules) -> str:
    """How many face-up cards may be played together."""
    return "one at a time" if rules.play_up_at_once == 1 else f"up to {rules.play_up_at_once} of a rank at once"


def _zones(rules: Rules) -> str:
    parts = ["Play from your hand first"]
    if has_up_row(rules):
        lift = (
            f" (if none can go, you may take up to {rules.pickup_lift_up} of a rank with the pile)"
            if rules.pickup_lift_up
            else ""
        )
        parts.append(f"then from your face-up cards, {up_at_once(rules)}{lift}")
    last = ""
    if rules.deal_down:
        last += " Then turn over your face-down cards, one a turn; one that cannot go comes to your hand with the pile."
    if rules.arrange_mode == "lay-reserve":
        last += " Once your hand and the stock are gone, take your whole reserve at once."
    return f"{', '.join(parts)}.{last}"


def last_card_note(rules: Rules) -> str:
    """What may not be a player's last card; empty if anything may."""
    return {
        "allowed": "",
        "unplayable": "A card that resets or burns cannot be your last card.",
        "eaten": "If your last play resets or burns, it has no effect and the whole pile comes to your hand.",
    }[rules.out_last_special]
