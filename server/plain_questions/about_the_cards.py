"""What people ask about the cards and their powers, and what the rules say of how they are played."""

import re
from collections.abc import Callable
from typing import Final

from engine.cards import ALL_RANKS, RANKS, Rank, rank_label
from engine.moves import pick
from engine.powers import POWERS
from engine.rank_powers import powers_of
from engine.rules import Rules
from engine.wording.phrases import a_card, sentence_case
from engine.wording.rules_sheet import (
    aim_note,
    arrange_note,
    draw_note,
    four_note,
    has_up_row,
    last_card_note,
    pick_up_note,
    power_note,
    rank_note,
    rules_sheet,
    turn_note,
)
from server.commands.registry import Context
from server.language.parsing import RANK_WORDS
from server.language.position_text import pile_text
from server.plain_questions.sentence import (
    EVERYWHERE,
    GAME,
    RANK,
    Sentence,
    and_now,
    noted,
    rules_meant,
    rules_named,
    view_here,
)

_TOPICS: Final = ("burn", "stock", "deck", "face down", "face up", "draw", "last card", "starts")
"""What a question may be about that the sheet of rules says somewhere."""
_TO_DISCARD: Final = "On your turn type the rank of a card to play it; turn shows which can go."
_HIDDEN: Final = "Nobody sees the hands of others, AI players neither: at a table where tells how many cards each has."
_FACE_DOWN: Final = "No: nobody, you neither, sees a face-down card before it is played."
_SIGNS: Final = (
    "[##] lies face down and [7] face up, [  ] is an empty place, (7) can be played now, and *easy is the level of an "
    "AI player."
)
ABOUT: Final = f"({'|'.join((RANK, 'pile', *_TOPICS)).replace(' ', '.')})(s|ing)?"
_NUMBERS: Final = "The number behind hand, pile, stock and bin counts its cards; beside YOUR TURN is the time left."
_DIRECTION: Final = ("direction|reverses", "No card changes the direction: order says who plays next.")
_BIN: Final = (
    "Burned cards lie in the bin, out of the game; a pile that a player took is in their hand. log tells which."
)
_GONE: Final = "(go|gone|went|disappear|vanish)(ed)?"
_NO_SUITS: Final = "Only its rank counts of a card, not its suit; there are no jokers."
_PLAYED: Final = "table exercise"
_ON: Final = (
    rf"\b({RANK})s?(?: card)?(?: (?:be )?(?!low|less)\w+)? (?:on(?: top of)?|beats?|above|over|after|follows?|than)"
    rf"(?: \w+)? ({RANK})s?\b"
)
_ZONE: Final = (
    r"^(?:(?:what|why) (?:is|are|does|do|means?)|explain|define)(?: word| th[eo]se| (?:\w+ )?numbers? (?:next|\w+))? "
    r"(hand|stock|deck|pile|order|reserve|(?:face )?(?:up|down)(?: (?:cards?|ones?))?)"
    r"(?: (?:\d+|only|at|say|show|mean|for|empty|big|large|small|full))*$"
    r"|^(stock|deck|pile|face (?:up|down) cards?)$|^when\b.* (face (?:up|down)|cards on table)\b.*"
)
_OF_COUNT: Final = (
    "(?:hidden|face|or|people|players|others|friends|bots|seats|of|in row|rows|lines|times|equal|same|cards"
    rf"|(?:{RANK})s)"
)
_COUNT: Final = re.compile(rf"\b(?:[2-4]|two|three|four)(?= {_OF_COUNT}\b)")
"""A number that counts cards or players, and names no rank."""
_FOUR: Final = re.compile(rf"\b(?:4|four) (?:of|in row|equal|same|(?:{RANK})s)\b")


def about_a_card(context: Context, said: str) -> str:
    """What the rules say of a card, or of a part of the game, that a sentence names; empty if it names none."""
    rules, words = rules_meant(context, said), _COUNT.sub("", said).split()
    if _FOUR.search(said):
        return four_note(rules)
    if card := next((word for word in words if re.fullmatch(f"({RANK})s?", word)), ""):
        rank = pick(RANK_WORDS.get(card, card.removesuffix("s"))).rank
        if rank in rules.special:
            return power_note(rank, rules.special[rank])
        return f"{sentence_case(a_card(rank))} is an ordinary card. {turn_note(rules)}"
    topic = next((topic for topic in _TOPICS if topic in said), "")
    lines = [line for line in rules_sheet(rules).split("\n") if topic and topic in line.replace("-", " ")]
    if topic.startswith("face") and not lines:
        return f"With these rules nobody has {topic.replace(' ', '-')} cards."
    return " ".join(lines[:2]) or (pick_up_note(rules) if "pile" in words else "")


def _followers(rules: Rules, top: Rank) -> list[Rank]:
    """The ranks of the deck that may be laid on this one."""
    return [each for each in ALL_RANKS if rules.deck_copies[each] and powers_of(rules).follow[top] >> 4 * each & 1]


def _beats(context: Context, said: str) -> str:
    words = (word.removesuffix("s") for word in said.split())
    named = [rank for word in words if (rank := RANK_WORDS.get(word, word).upper()) in RANKS or rank == "10"]
    if len(named) != 1:
        return and_now(context, rank_note(rules_meant(context, said)))
    rules, top = rules_meant(context, said), pick(named[0]).rank
    if (power := rules.special.get(top)) and power.effect == "burn":
        return power_note(top, power)  # nothing is ever laid on it
    goes = _followers(rules, top)
    is_all = len(goes) == sum(map(bool, rules.deck_copies))
    what = "Anything goes" if is_all else f"{' '.join(map(rank_label, goes))} go"
    return f"{what} on {a_card(top)}."


def _lies_on(context: Context, said: str) -> str:
    """Whether a card of one rank may be laid on one of another, also if the player has neither."""
    named = re.search(_ON, said)
    if named is None:
        return ""
    rules = rules_meant(context, said)
    laid, top = (pick(RANK_WORDS.get(each, each)).rank for each in named.groups())
    if (power := rules.special.get(top)) and power.effect == "burn":
        return power_note(top, power)
    if laid not in _followers(rules, top):
        return f"No: {_beats(context, f'{named[2]} {rules_named(context, said)}')}"
    power = rules.special.get(laid)
    return f"Yes. {power_note(laid, power)}" if power else f"Yes: {a_card(laid)} goes on {a_card(top)}."


def _zone(context: Context, said: str) -> str:
    """What a word of the screen stands for, and how many cards are there now."""
    rules, view = rules_meant(context, said), view_here(context)
    found = re.search(_ZONE, said)
    word = re.sub(" (cards?|ones?)$", "", found[found.lastindex or 0]) if found else ""
    match word:
        case "hand":
            return "The hand is the cards that only their player sees, as in hand 3: it is played first."
        case "stock" | "deck":
            left = f", {view.stock_left} now{'' if view.stock_left else ': all are drawn'}" if view is not None else ""
            deck = f"what is left of {sum(rules.deck_copies)} cards"
            return f"The stock is {deck}: the cards to draw from{left}. {draw_note(rules)}"
        case "pile":
            now = f" {pile_text(view)}" if view is not None and view.phase == "play" else ""
            return f"The pile is the cards that were played.{now} {pick_up_note(rules)}"
        case "order":
            return "order says who plays next, from left to right."
        case "reserve":
            return f"A reserve is cards that were laid aside, for the end. {arrange_note(rules)}"
    if not has_up_row(rules) and "down" not in word:
        return "With these rules nobody has face-up cards."
    if "down" not in word:
        return "Face-up cards, behind the word up, are seen by all. They are played when the hand is empty."
    return "Face-down cards, [##] behind the word down, are seen by nobody. You turn them over last, one a turn."


def _several(context: Context, said: str) -> str:
    rules = rules_meant(context, said)
    must_all = ("Yes. " if rules.play_whole_sets else "No. ") if re.match("(do|must) i", said) else ""
    return f"{must_all}{turn_note(rules)} 7 7 plays two sevens."


def _drawn(context: Context, said: str) -> str:
    return and_now(context, f"You never draw yourself: that is done for you. {draw_note(rules_meant(context, said))}")


def _powers(context: Context, said: str) -> str:
    return " ".join(power_note(rank, power) for rank, power in sorted(rules_meant(context, said).special.items()))


def _power(context: Context, said: str) -> str:
    """What a word for a power means: as the rules say it of their cards, or else of a card with other rules."""
    effect, rules = next(each for each in POWERS if each in said), rules_meant(context, said)
    notes = [power_note(rank, power) for rank, power in sorted(rules.special.items()) if power.effect == effect]
    return " ".join(notes) or f"{effect}: with other rules, a card that has this power {POWERS[effect].does}."


def _hidden(context: Context, _: str) -> str:
    return "where" if context.place.kind == "record" else _HIDDEN


def _luck(context: Context, _: str) -> str:
    view = view_here(context)
    if view is None or view.seat is None or view.phase != "play" or view.hands[view.seat] or view.ups[view.seat]:
        return ""
    return "Nobody knows: your cards lie face down, and which one you turn over is luck."


def _last_card(context: Context, said: str) -> str:
    """Whether a card of the rank that is named may be a player's last one."""
    rules, words = rules_meant(context, said), _COUNT.sub("", said.replace("last one", "last"))
    named = re.search(rf"\b({RANK})s?\b", words)
    if named is None:
        return last_card_note(rules) or "Any card may be your last one."
    rank = pick(RANK_WORDS.get(named[1], named[1])).rank
    clears = rank in rules.special and rules.special[rank].effect in {"reset", "burn"}
    if clears and (note := last_card_note(rules)):
        return f"{power_note(rank, rules.special[rank])} {note}"
    return f"Yes: {a_card(rank)} may be your last card, and you are out with it."


_DECK: Final = (
    r"(?:how (many|big|large) .*\bdecks?\b|how many (playing )?cards (are )?(there|altogether|in (all|total|game)"
    r"|do(es)? \S+( game)? (use|have|has))\b)"
)
"""How a question about all the cards begins."""


def in_rules(part: str, otherwise: str = "") -> Callable[[Context, str], str]:
    """What finds the lines of the rules that have this part, or else says what holds without one."""
    return noted(
        lambda rules: " ".join(line for line in rules_sheet(rules).split("\n") if re.search(part, line)) or otherwise
    )


def _deck(context: Context, said: str) -> str:
    """How many cards a rule set has and, at its table, how many of them are still to be drawn."""
    view, rules = view_here(context), rules_meant(context, said)
    deck = next(line for line in rules_sheet(rules).split("\n") if line.startswith("The deck has"))
    return f"{deck} In the stock: {view.stock_left} now." if view is not None and rules is view.rules else deck


def from_where(context: Context, said: str) -> str:
    """From where one plays; of the cards that the player asks for, that those in hand come first."""
    view = view_here(context)
    is_asked = re.match(
        r"(?:can|do|must)\b.*(?:face (up|down)|in front|(?:play|use)\b.*(?:from|off) (?:my )?table)", said
    )
    not_yet = ""
    if is_asked and view is not None and view.phase == "play" and view.seat is not None:
        held = (
            "in hand" if view.hands[view.seat] else "face up" if view.ups[view.seat] and is_asked[1] == "down" else ""
        )
        not_yet = f"Not yet: you have cards {held}. " if held else ""
    return and_now(context, f"{not_yet}{in_rules('^Play from')(context, said)}")


def _swap(context: Context, said: str) -> str:
    if rules_meant(context, said).arrange_mode != "swap":
        return arrange_note(rules_meant(context, said))
    return "Face-up cards are played late: put high and special cards there, and keep low ones in hand."


def _may_swap(context: Context, said: str) -> str:
    view = view_here(context)
    if view is not None and view.phase == "play":
        return "No: cards are swapped only before the first one is played."
    return and_now(context, "") or _swap(context, said)


ABOUT_THE_CARDS: Final = (
    Sentence(
        r"^(what|which)( \w+)? (can )?((i |be )?(play(ed)?|la(y|id)|put|go(es)?) on|beats?|(is|are) higher)\b.*",
        _beats,
        EVERYWHERE,
    ),
    Sentence(rf"^(can|does|do|is|are|will|should|why)\b.*{_ON}.*", _lies_on, EVERYWHERE),
    Sentence(_ZONE, _zone, EVERYWHERE),
    Sentence(
        r"^(?!.* (again|burn|all)\b)((can|do|must|is|does|what if) .*)?\b(same|equal) ((rank|card)s?|ok|enough)\b.*"
        r"|^(must|(do|does)\b.* (have|need))\b.* higher\b.*",
        noted(lambda rules: f"The same rank is{' not' * (rules.beat == 'higher')} enough. {turn_note(rules)}"),
        EVERYWHERE,
    ),
    Sentence(
        rf"^(what|explain|define)( (is|are|does|do|mean|word|power|of))* ({'|'.join({*POWERS} - {'burn'})})(s|ing)?"
        r"( (cards?|do|mean|for|power|rule))*$",
        _power,
        f"lobby shell record {GAME}",
    ),
    Sentence(
        r"^wh(ich|at|ere)\b(?!.* if\b).* (best|better|good|right|flip|turn over|choose|pick|take|high(est)?|low(est)?)$"
        rf"|^which( one| card)? is ({RANK})$"
        r"|^(is|are) (they|it|these|those|cards|\w+ one) (in order|sorted|random|shuffled|luck|good|high)$",
        _luck,
        "table",
    ),
    Sentence(
        rf"^(what|can|is|may|how)\b.*\blast\b(?!.*\bplayed\b).*\b({RANK})s?\b.*"
        rf"|^(what|can|is|do|does|finish|end)\b.*\b({RANK})s? (.*\b(as|be|is) )?(my |your )?last( card| one)?( in .*)?$"
        rf"|^(can|is|does)\b.*\b(finish|end|win|go out)\b.* (with|on|by) (.* )?({RANK})s?\b.*",
        _last_card,
        EVERYWHERE,
    ),
    Sentence(rf"^(where|why) (\w+ )?((my|burned) )?(pile|cards?) {_GONE}( away)?$|^what is burned\b.*", _BIN),
    Sentence(
        rf"^(?!.*\bpile {_GONE}|why do i have)(what(?! (do|should|can|must) i do\b)|when|rules?"
        r"|can i (look|see)(?!.*face down)|((how|why) )?(do|does|did|(is|are)(?!.* (high|low))))\b"
        rf".* (?!\d+ cards\b){ABOUT}\b.*|^burn\b",
        about_a_card,
    ),
    Sentence(r"^(what|where|when|why|is|are|do|does)\b.* bin( \d+| empty)?$", _BIN),
    Sentence(
        r"^why (do|have|did) i (have|hold|got|get|draw) (\w+ )+cards$",
        noted(lambda rules: f"{draw_note(rules)} A pile that you pick up goes to your hand, too."),
    ),
    Sentence(
        r"\b([2-4]|two|three|four|several|more|different|mixed|both|all) (same )?(cards(?! left)|ranks|of (them|kind))"
        r"\b.*|\bmore than (one|1)\b.*|\bpairs?$"
        r"|^(can|do|must) i\b.*\b(one|single) card$|\b(play|put|lay)\b.* both\b"
        r"|^(play|put|lay) (all|everything)( of)?( my)?( cards?| hand| i have)*$"
        r"|^(do|must) i( have| need)* (play|use|put|lay)( down)? (all|both|every)\b.*"
        rf"|^((play|put|can|do|must)\b.*)?\b({RANK}|cards?|all|both|they)s?\b.* (together|at once|at same time)$"
        r"|^((play|put|lay|use) )?(them )?(both|all)( of (them|these|those))?( down)?$",
        _several,
        _PLAYED,
    ),
    Sentence(
        r"^((i|can i|do i|how do i|must i|i want|want) )?(draw|hit me|(i )?(get|take|need) card|((another|next) )?card)"
        r"( (from )?(\w+ )?(cards?|stock))?$",
        _drawn,
        _PLAYED,
    ),
    Sentence(
        r"^(get|grab|eat|collect|gimme) (pile|cards)$|^.*\bhow\b.* (pick up|take (pile|cards))$"
        r"|\bwant (pick up|take)\b(?!.* back$).*",
        noted(lambda rules: f"p picks up the pile. {pick_up_note(rules)}"),
        EVERYWHERE,
    ),
    Sentence(rf".*\b([2-4]|two|three|four|several) ({RANK})s?$", _several, _PLAYED),
    Sentence(r".*\b(four|4) of\b.*\b(clear|burn)\w*\b.*", about_a_card, EVERYWHERE),
    Sentence(
        r"^(?!.*\b(rules?|time|name|colou?rs?|on (?!table))\b)(how|where|can|do|what)\b.*\b(swaps?|change|exchange"
        r"|trade|move|give|put|lay|s k 4)\b.*|\b(two|three|more|both|different|several) cards\b.*",
        _may_swap,
        "arranging",
    ),
    Sentence(
        r"^(what|if|when|how|can|do)\b.* ((hand|deck|stock)( \w+)? (empty|gone|out)|(no|out of) (\w+ )?cards)\b.*"
        r"|^(can|how|do|must)\b.* (play|use|take|get|turn|flip|open)\b.* (face (up|down)|in front of me)\b.*"
        r"|^(can|how|do|must)\b.* (play|use)\b.* (from|off) (my )?table\b.*"
        r"|^(how|when) \w+ i (play|go) blind$|^(what|why)\b.*\b(rows|lines|columns)\b.*"
        r"|^(which|what) (cards|ones) (do|must|should) i (play|use) first$",
        from_where,
        EVERYWHERE,
    ),
    Sentence(
        r"^(what|which|why|do|does)\b.*\b(direction|revers\w+|way round)"
        r"( (do|does) .*| is (it|this)| (go|chang)\w*| sometimes)?$",
        in_rules(*_DIRECTION),
        EVERYWHERE,
    ),
    Sentence(
        r"^why\b.*\b(play|go|turn)\b.* (again|twice)$"
        r"|^(why|what|when|how|who)\b.* (another|bonus|extra|second) (turn|go)s?( mean)?$",
        in_rules("again", "With these rules nobody goes again."),
        EVERYWHERE,
    ),
    Sentence(r"^who (wins|loses|is loser)( in [\w-]*( original| game)?)?$", noted(aim_note)),
    Sentence(r"\bjump(s|ing)?.?in\b|\bplay out of turn$", "Each plays on their own turn only: there is no jumping in."),
    Sentence(r"^(when|how|do|will)\b.*\b((new|more) cards\b.*|i draw$)", noted(draw_note), _PLAYED),
    Sentence(
        r"^(throw|get rid|discard|drop|dump)\b|^(can|how)\b.* (throw|put|get rid)\b.* (away|of it|of (this|that|them))$"
        r"|^(lay|put|place|select|choose|pick)( it| cards?| one| them)?( down)?( on (top|it|them|pile|table))?$",
        _TO_DISCARD,
        _PLAYED,
    ),
    Sentence(
        r"^(can|do|does|is|are|play|how|what|stack)\b.*\b(stack|chain|run|straight|lower than)\b.*", noted(turn_note)
    ),
    Sentence(r"^(why|when|how) (is|was|can)( it| game| that| be)* drawn?$", in_rules("is a draw"), EVERYWHERE),
    Sentence(r"\bburns?( pile)?$", lambda context, _: about_a_card(context, "burn")),
    Sentence(
        r"^can i (look|see|peek)\b.* (face down|under).*"
        r"|^(can|how do) i (look|peek|see)( at)?( (them|it|these))?( first)?$"
        r"|^i cannot (see|look)\b.* face down.*"
        r"|^(do|does|can|will) \w+ (know|see|tell)( what| which)* (they|those|it|these)( are| is)?$",
        _FACE_DOWN,
    ),
    Sentence(
        r"^(can|(what|which)( cards?)? (do|can)) (i|you) (swap|change)\b(?!.* (rules|mind)).*", _may_swap, "table"
    ),
    Sentence(
        rf"^(((how|where|can)\b.* )?(put|lay|get|move|turn)|i want) .*\b(cards?|ones?|it|{RANK}) (face )?(up|in front)$"
        rf"|^({RANK}) (face )?up$",
        _may_swap,
    ),
    Sentence(r"^(how|where) .*\b(put|place|lay)\b.* (cards?( down)?|down)$", _TO_DISCARD, _PLAYED),
    Sentence(
        r"\b(special|power|magic|wild|trump) cards?\b.*|\bpowers\b"
        r"|^(what (do|does)|explain) ((that|my|first|last|top|all|each) )*cards?( do| mean)?$"
        r"|^(what|which)( cards?| ones?)? (is|are|has|have|do|does) (special|magic|wild|trumps?|powers?)( powers?)?$",
        _powers,
    ),
    Sentence(
        r".*\b(good|best|which|what|should)\b.* (put|place|go(es)?|have|keep|be|leave)\b.* up$"
        r"|^(where )?(do|should) i (keep|put|want|hold)\b.*|^(is|are)\b.* better\b.*\b(up|hand|table|open)\b.*",
        lambda context, said: f"{_swap(context, said)} hint proposes what to swap.",
        "arranging",
    ),
    Sentence(r"^(which|what) cards? (is|are) (?!strong|powerful)\w+$", _powers, "lobby shell"),
    Sentence(
        r"^(what|which) ((is|are) (strong\w*|powerful) cards?|cards? (is|are) (strong\w*|powerful))$",
        lambda context, said: f"{rank_note(rules_meant(context, said))} {_powers(context, said)}",
        EVERYWHERE,
    ),
    Sentence(r"\b(suits?|hearts|spades)\b.* (matter|for|mean)|\bfollow suit|\bjokers?\b", _NO_SUITS),
    Sentence(r"^(is|are) .*\b(high|low)(er)?\b|\border of cards|(low|high)est card$", noted(rank_note)),
    Sentence(rf"^(?!{_DECK})how many cards\b.*", in_rules("is dealt"), "lobby shell"),
    Sentence(rf"^{_DECK}.*", _deck, EVERYWHERE),
    Sentence(r"^sort\b|\bsort (my|cards)\b", "Your cards are in order already, the lowest first."),
    Sentence(
        r"^what (do|does|are) (these|those|letters|signs)\b(?!.*(numbers|face)).*", _SIGNS, "table watching exercise"
    ),
    Sentence(r"^what (do|does|are|is) ((these|those|all|that) )*numbers?\b.*", _NUMBERS, "table watching exercise"),
    Sentence(
        r".*(##|(?<!\S)\*(?!\S)|\b(brackets?|parenthes\w+|symbols?|asterisks?|stars?)\b|\(\w+\)|\[\w+\]).*"
        r"|^what\b.*\b(letters|signs)( mean| for)?$",
        _SIGNS,
        EVERYWHERE,
    ),
    Sentence(
        r"(?<!my )\b((opponent|other|player|guy)s?|their|his|her|\w+'s?) (cards|hands?)\b"
        r"|\b(see|show|look|peek)( me| at)* (?!this|has)\w+s (cards|hand)$"
        r"|^(can|do|does|did|is|are) (?!i\b).*\b(see|know|read|look(ing)?)( at)? (my (cards?|hand)\b.*|what i \w+$)"
        r"|^(can|how do) i (see|know|look|find out)\b.* (what|which cards?) (?!i\b)\w+ (has|have|got|holds?)$"
        r"|^(what|which)( cards?)? can (?!i\b|you\b|it\b|be\b)\w+ (play|put|lay)( now| next)?$",
        _hidden,
    ),
    Sentence(r"^why (should |do |must |can )?(i )?(swap|arrange)|^what\b.*\b(swapping|arrang(e|ing))\b", _swap),
    Sentence(r"\b(trade|exchange)\b|\b(swap|change)( \w+)? cards?\b", _may_swap),
    Sentence(
        r"^((i )?don't (understand|get|know)\b.*|explain|(what|how) (is|does)) swap(ping)?( cards?)?( do| work| for)?$",
        _may_swap,
        "arranging",
    ),
)
