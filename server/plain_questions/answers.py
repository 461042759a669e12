"""The questions that are understood, each with what answers it.

A question is found by a pattern, which is looked for in the line as `spoken` has it. What the rules say is taken from
the sheet of the rules of the table, or of the usual ones.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from engine.ai import LEVELS
from engine.cards import RANK_NAMES
from engine.errors import InputError
from engine.rules import Rules
from engine.rulesets import DEFAULT
from engine.wording.phrases import a_card, listed, quantity, sentence_case
from engine.wording.rules_sheet import (
    aim_note,
    arrange_note,
    in_short,
    pick_up_note,
    power_note,
    rank_note,
    rules_sheet,
    turn_note,
)
from server.commands.registry import (
    GENERAL,
    Answer,
    Command,
    Context,
    Understands,
    command_named,
    declared_in,
    is_heard,
    spoken,
)
from server.extension import Feature
from server.player.level_of_opponents import level_met
from server.player.player_session import PlayerSession
from server.player.way_back import kept_seat_text
from server.render.scene import AfterGame, Teaches
from server.rulebook import minutes
from server.version import VERSION

Question = Callable[[Context, str], str]
"""Answers a line in one or two sentences; an empty text if it is no such question here."""

_RANK_WORDS: Final[Mapping[str, int]] = {
    **{name: rank for rank, name in enumerate(RANK_NAMES)},
    **{
        name: rank for rank, name in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
    },
    **{name: RANK_NAMES.index(full) for name, full in (("k", "king"), ("q", "queen"), ("j", "jack"))},
    "sixes": RANK_NAMES.index("6"),
}
_TOPICS: Final = ("burn", "bin", "stock", "deck", "four of a", "face down", "face up", "draw", "last card", "starts")
"""What a question may be about that the sheet of rules says somewhere."""


def _rules(context: Context) -> Rules:
    return context.snapshot.rules if context.snapshot is not None else context.lobby.rulebook.find(DEFAULT)


def _plays(context: Context) -> bool:
    return context.snapshot is not None and context.snapshot.playing


def _game(context: Context, _: str) -> str:
    return f"{' '.join(in_short(_rules(context)))} Type rules to read more."


def _aim(context: Context, _: str) -> str:
    return aim_note(_rules(context))


def _long(context: Context, _: str) -> str:
    return f"A game takes about {minutes(_rules(context)).replace('min', 'minutes')}."


def _different(context: Context, _: str) -> str:
    return "\n".join(context.lobby.rulebook.listed())


def _card(context: Context, said: str) -> str:
    rules, words = _rules(context), said.split()
    named = (_RANK_WORDS.get(word, _RANK_WORDS.get(word.removesuffix("s"))) for word in words)
    if (rank := next((each for each in named if each is not None), None)) is not None:
        if rank in rules.special:
            return power_note(rank, rules.special[rank])
        return f"{sentence_case(a_card(rank))} is an ordinary card. {turn_note(rules)}"
    said = said.replace("-", " ")
    topic = next((topic for topic in _TOPICS if topic in said), "")
    lines = [line for line in rules_sheet(rules).split("\n") if topic and topic in line.replace("-", " ")]
    return " ".join(lines[:2]) or (pick_up_note(rules) if "pile" in words else "")


def _is_arranging(context: Context) -> bool:
    view = context.snapshot.view if context.snapshot is not None else None
    return context.place.kind == "table" and view is not None and view.phase == "arrange"


def _now(context: Context, _: str) -> str:
    return f"Type ready to keep your cards. {arrange_note(_rules(context))}" if _is_arranging(context) else ""


def _order(context: Context, _: str) -> str:
    return rank_note(_rules(context))


def _dealt(context: Context, _: str) -> str:
    if context.snapshot is not None:
        return ""
    return next(line for line in rules_sheet(_rules(context)).split("\n") if "is dealt" in line)


def _signs(_: Context, __: str) -> str:
    return "[##] lies face down and [7] face up, (7) can be played now, and *easy is the level of an AI player."


def _hidden(context: Context, _: str) -> str:
    return "Nobody sees the hands of others: where tells how many cards each has." if context.snapshot else ""


def _sorted(_: Context, __: str) -> str:
    return "Your cards are in order already, the lowest first."


def _phone(context: Context, _: str) -> str:
    joins = context.lobby.join_lines
    page = f"Yes: open {joins.link} there" if joins.opens_anywhere else "Yes, with an app for ssh"
    return f"{page}; the line that you came in with works, too."


def _account(_: Context, __: str) -> str:
    return "It is free, and needs no account: if you come in with an ssh key, your games and your rating are kept."


def _keep(context: Context, _: str) -> str:
    if isinstance(context, PlayerSession) and context.in_game:
        return f"Nothing needs to be saved. {kept_seat_text(context)}"
    lists = next((each.word for each in context.lobby.features.all(AfterGame) if each.lists), "")
    return f"{sentence_case(lists)} shows finished games: nothing needs to be saved." if lists else ""


def _about(_: Context, __: str) -> str:
    return f"This is Quatch {VERSION}, a program for card games over ssh. Type help to see what you can do."


def _looks(_: Context, __: str) -> str:
    return "Type set cards letters or set colour contrast; your terminal makes the text larger. set shows all settings."


def _redraw(_: Context, __: str) -> str:
    return "Ctrl-L draws the screen again; set mode line shows plain lines instead."


def _out(context: Context, _: str) -> str:
    if isinstance(context, PlayerSession) and context.in_game and context.caller.may_return:
        return "quit hangs up, and keeps your seat; leave gives it up, and goes back to the lobby."
    return "quit hangs up." if context.snapshot is None else "leave goes back to the lobby; quit hangs up."


def _other_games(context: Context, _: str) -> str:
    return f"Only these are played here: {listed(context.lobby.rulebook.names, 'and')}. rules tells more about them."


def _upset(context: Context, _: str) -> str:
    if context.snapshot is None:
        teaches = "".join(f"{each.word} teaches it, " for each in context.lobby.features.all(Teaches))
        return f"Sorry to hear that. play begins a game, {teaches}quit hangs up."
    return "Sorry to hear that. hint proposes a move, rules tells how it is played, and quit keeps your seat."


def _swap(context: Context, _: str) -> str:
    if _rules(context).arrange_mode != "swap":
        return arrange_note(_rules(context))
    return (
        "You play your face-up cards late, when the stock is gone: put high and special cards there, "
        "and keep low ones in hand."
    )


def _lost(context: Context, _: str) -> str:
    ways = [f"{each.word} {each.to}" for each in context.lobby.features.all(AfterGame) if not each.is_for_all]
    after = f"type {listed(ways, 'or')}" if ways else "rules tells how the game is played"
    snapshot = context.snapshot
    if snapshot is None or snapshot.view is None or snapshot.seat is None or snapshot.playing:
        return f"When a game is over {after}."
    view, seat = snapshot.view, snapshot.seat
    if view.places and view.places[0] == seat:
        return f"You did not lose: you were out first. {sentence_case(after)}."
    left = view.cards_of(seat)
    first = f"{snapshot.name(view.places[0])} was out first" if view.places else "Nobody was out first"
    rest = f", while you had {quantity(left, 'card')} left" if left else ""
    return f"{first}{rest}: {after}."


def _winning(context: Context, _: str) -> str:
    snapshot = context.snapshot
    if snapshot is None or snapshot.view is None:
        return ""
    view = snapshot.view
    if view.places:
        out = [snapshot.name(seat) for seat in view.places]
        return f"{listed(out, 'and')} {'is' if len(out) == 1 else 'are'} out, in this order."
    counts = {seat: view.cards_of(seat) for seat in range(len(snapshot.sitters))}
    fewest = min(counts.values())
    names = [
        "you" if seat == snapshot.seat else snapshot.name(seat) for seat, count in counts.items() if count == fewest
    ]
    has = "have" if len(names) > 1 or names == ["you"] else "has"
    return f"{sentence_case(listed(names, 'and'))} {has} the fewest cards: {fewest}."


def _undo(context: Context, _: str) -> str:
    if _is_arranging(context):
        return "Swap the same two cards again: all may be changed until you type ready."
    return "There is no undo: what is played stays played."


def _deal_again(context: Context, _: str) -> str:
    if not _plays(context):
        return ""
    return "This deal stays: hint makes the best of it. For another one type leave, then play."


def _pace(_: Context, said: str) -> str:
    wanted = 4 if re.search("too fast|slow(er)? ", f"{said} ") and "too slow" not in said else 0
    return f"Type set pace {wanted}: AI players then wait {wanted} seconds before each move."


def _level(context: Context, said: str) -> str:
    if re.search(_AGAIN, said) and not _plays(context):
        return ""
    if not isinstance(context, PlayerSession):
        return "In the lobby set level changes how well AI players play."
    levels, now = [*LEVELS], level_met(context)
    is_wish = re.search(r"easier|too (hard|difficult|strong|good)", said)
    at = levels.index(now) + (-1 if is_wish else 1)
    if not 0 <= at < len(levels):
        end = "easiest" if is_wish else "strongest"
        return f"Your AI players are {now} already, the {end} there are: hint proposes a move at a table."
    return f"Your AI players are {now} now: type set level {levels[at]}."


def _cheats(context: Context, _: str) -> str:
    way = "type fair to see" if context.snapshot is not None else "fair shows at a table"
    seen = "AI players see only what you would see in their seat"
    return f"{seen}, and the deal is fixed before the game: {way} what proves it."


def _break(context: Context, _: str) -> str:
    if isinstance(context, PlayerSession) and context.in_game:
        return f"Take your time, or type quit. {kept_seat_text(context)}"
    return "Take your time: nothing waits for you. quit hangs up, and you can come back whenever you like."


def _people(context: Context, _: str) -> str:
    if context.caller.is_alone:
        return "This game is in your terminal alone: on a server, meet brings you to other people."
    first = "Type" if context.snapshot is None else "In the lobby type"
    return f"{first} meet to play with people who are here, or new to open a table for friends."


def _lost_track(context: Context, _: str) -> str:
    if context.place.kind == "exercise":
        return ""
    teaches = next(iter(context.lobby.features.all(Teaches)), None)
    lesson = f"; {teaches.word}, in the lobby, teaches it in {teaches.how_long}" if teaches else ""
    if context.snapshot is None:
        return f"rules tells how the game is played{lesson}."
    return f"Type hint: it proposes a move and says why; rules tells how the game is played{lesson}."


def _friend(context: Context, _: str) -> str:
    if context.caller.is_alone or context.place.kind not in {"table", "watching", "lobby"}:
        return ""
    if context.snapshot is None:
        return "Yes: type new to open a table; invite shows there what your friend types."
    when = "They can watch now, and sit down when this game is over" if context.snapshot.playing else "Yes"
    return f"{when}: type invite to see what they type."


def _teach(context: Context, _: str) -> str:
    teaches = next(iter(context.lobby.features.all(Teaches)), None)
    if teaches is None or context.place.kind not in {"table", "watching"}:
        return ""
    return f"Here hint says what to do. In the lobby {teaches.word} teaches the game in {teaches.how_long}."


_KIN: Final = "(?:(?:girl|boy)?friend|brother|sister|mate|dad|mum|mom|kid|son|daughter)s?|wife|husband|family"
_SOUND: Final = r"sounds?|beep\w*|bell|noise"
_AGAIN: Final = r"\b(again|rematch|another|one more|next)\b"
_RANK: Final = "|".join(_RANK_WORDS)
_ABOUT: Final = "|".join((*_RANK_WORDS, "pile", *_TOPICS)).replace(" ", ".")
FOR_OTHERS: Final = (
    r"\b(fuck\w*|shit|damn|crap|hell|sucks?|stupid|hate|boring|bored|annoying|dumb|bullshit)\b",
    r"\bhurry\b|\bcome on\b",
    r"\bcheat(s|ing|er)?\b|\brigged\b|\bunfair\b",
)
"""What a player says to others rather, if there are others."""
QUESTIONS: Final[Mapping[str, Question]] = {
    FOR_OTHERS[0]: _upset,
    FOR_OTHERS[1]: _pace,
    r"\bfaster\b|\bspeed (it )?up\b": _pace,
    r"^burn\b": _card,
    r"\b(get|way) (me )?out\b|^how\b.*\b(exit|quit|leave|close)\b|\b(need|have|got|must) (to )?(go|leave)\b": _out,
    r"\b(chess|poker|uno|solitaire|blackjack|hearts|bridge|checkers|rummy|shithead|crazy eights)\b": _other_games,
    r"##|\bbrackets?\b|\bparenthes|\bsymbols?\b|\basterisks?\b|\bstars?\b": _signs,
    r"\b(phone|iphone|android|ipad|tablet|browser|website)\b": _phone,
    r"\b(an|any) account\b|\b(is|for) (it |this )?free\b|\bcosts?\b|\bpay\b|\bmoney\b": _account,
    r"^(please )?save\b|\b(old|past|previous|finished) games?\b|\bsave (my|the|this|it)\b": _keep,
    r"^sort\b|\bsort (my|the)\b": _sorted,
    r"^who (made|wrote|built|programmed|are you)|^what (is|does) quatch|^(what|who) are you$": _about,
    r"\b(are|is) (you|this|he|she) (an? )?(bot|ai|robot|human|real)\b": _about,
    r"\bcolou?r.?blind|\b(can't|cant|cannot) (see|read)|\b(bigger|larger)\b|\btoo small\b": _looks,
    r"\bscreen\b.*\b(broken|garbled|weird|wrong|mess)|^(refresh|redraw|clear|cls)\b": _redraw,
    r"\bwrong (card|move|key|one)\b|\b(mistake|misclick|typo)\b": _undo,
    r"\b(opponents?|others?|other players?|their|his|her|\w+'s?) (cards|hands?)\b": _hidden,
    r"^(is|are) .*\b(high|low|higher|lower)\b|\border of (the )?cards|^what beats\b|\b(highest|lowest) card$": _order,
    r"^how many cards\b": _dealt,
    r"\b(other|another|different|more|which|what) (card )?(games|versions?|variants?|kinds?)\b": _different,
    r"^(please )?(restart|reset|start (over|again)|(start |play )?(a )?(new|another) (game|deal|round))\b": _deal_again,
    r"\bpause\b|^wait\b|\bhold on\b": _break,
    r"^(what|whats|what's)( kind of| sort of)?( is)? (this|the) game( about)?$|^what game is this": _game,
    r"^how (long|many minutes)\b.*\b(game|take|takes|last|lasts|this|play|end|over|left)\b": _long,
    r"^how (do|can|could|would) (i|you|we) win\b|^(what|whats|what's)( is)? the (goal|aim|object|point)\b": _aim,
    r"\bdifferences? between\b|\bgames? differ": _different,
    r"^(what|whats|what's|how|when) (does|do|is|are|can|happens)\b.*\b(" + _ABOUT + r")s?\b": _card,
    r"^what (do|should|can|would|could) (i|you|we)( do| play)?( now| here| next)?$": _now,
    r"^why (should|would|do|must|can) i (swap|arrange)|^why swap|^what is swapping": _swap,
    r"^(why|how) (did|have|do) (i|we) (lose|lost)|^why (have )?(i|we) lost|^why am i last": _lost,
    r"\bmy mistakes\b|\bwhat went wrong\b|\bhow (did|was) (i|my game)\b": _lost,
    r"^what did (i|we) do wrong|^where did (i|we) go wrong|^what (was|were) my mistakes?": _lost,
    r"^who('s| is|s) (winning|ahead|leading)|^am i (winning|losing)|^who has (the )?(fewest|least) cards": _winning,
    r"^(can i |please |i want to |let me )?undo\b|\btake (that|it)? ?back\b|^takeback|\bgo back (one|a) \w+$": _undo,
    r"\btoo (fast|slow)\b|\bslow(er)?( it)? down\b|^slower$": _pace,
    r"\btoo (easy|hard|difficult|strong|good|weak)\b|\b(easier|harder)\b": _level,
    r"\b(bad|terrible|awful|horrible) cards?\b|\bcards? (are|is) (bad|terrible|awful|horrible)\b": _deal_again,
    r"^(please )?(re)?(deal|shuffle) again\b|^(please )?redeal\b|\bnew cards\b": _deal_again,
    FOR_OTHERS[2]: _cheats,
    r"^is (this|it|the deal) fair": _cheats,
    r"\b(toilet|bathroom|loo|brb)\b|\bbe right back\b|\b(take|need|have) a (short )?break\b": _break,
    r"\breal (person|people|players?|humans?)\b|\bother people\b|\bagainst (an? )?(human|person|people)": _people,
    r"\bany(one|body)\b.*\b(games?|play|match|up for)\b": _people,
    r"\b(don't|dont|do not|didn't) (really )?(understand|get (it|this))|\bconfused\b|^i('m| am) lost\b": _lost_track,
    r"\b(friends?|brother|sister|wife|husband|mate|someone|somebody|others) (also )?(join|play|come|watch)\b": _friend,
    r"^(can you |please )?teach me\b": _teach,
}
"""What is asked, as a pattern, and what answers it; the first that answers counts."""
LINES: Final = (
    (r"^(can|could|may) i (play|join)( too| in| now)?$", "watching", "sit"),
    (r"^what('s| is|s) (going on|happening)$", "table watching", "turn"),
    (r"\b(what|how)\b.*\b(type|do|play)\b|\bdon'?t (get|understand)\b", "exercise", "hint"),
    (rf"\b(play|game|match|table)\b.*\b({_KIN})$", "lobby", "new"),
    (rf"^(?:invite|add|bring) (?:a |my |some )?(?:{_KIN})$", "lobby table", "invite"),
    (r"\b(good|best|right|smart|clever) (card|move|play)\b|^what (would|should|do) .+ (do|play)$", "table", "hint"),
    (r"^who('s| is| goes| plays| comes)? (next|first)$", "table watching", "turn"),
    (r"^what('s| is|s) (on top|in the (middle|pile))$|^(show )?(the )?top card$", "table watching", "pile"),
    (rf"^(?:can|could|may) (?:i|we) (?:play|put|lay|use)(?: down)?(?: an?| the| my)? ({_RANK})s?$", "table", r"why \1"),
    (rf"{_AGAIN}.*\b({'|'.join((*LEVELS, 'harder', 'easier'))})", "table lobby", r"again \2"),
    (r"^what did .+ (do|play|put|lay)$", "table watching", "log"),
    (r"^(did|have) (i|we) (win|won|lose|lost)$|^what.* the (score|result)s?$", "table watching", "results"),
    (rf"\b({_SOUND}) off\b|\b(no|mute|stop|off)\b.*\b({_SOUND})$", "*", "set notice off"),
    (r"\b(which|what) keys\b|\bcontrols\b|\bshortcuts?\b|\bhotkeys?\b", "*", "help typing"),
    (r"^wtf\b", "*", "help"),
    (r"^what .*\b(have|need|must|should|supposed|do i|can i) (to )?do\b", "table", "hint"),
    (r"^what .*\b(have|need|must|should|supposed|do i|can i) (to )?do\b", "lobby", "help"),
    (r"^how$|\bhow\b.*\b(play|works?|start|begin)\b", "lobby", "lesson"),
    (r"^(?:with )?([2-4]|two|three|four) players?(?: game)?$", "lobby", r"play \1"),
    (r"\bcards? (?:to|as|in) (letters|suits|words)$", "*", r"set cards \1"),
    (r"^what (would|should|do|can) (you|i|we)( do| play)?( now| next)?$", "table", "hint"),
    (r"^i (can't|cant|can not|cannot) play (anything|any card)|^i have nothing( to play)?$", "table", "turn"),
    (r"^what (has )?(just )?happened( just now)?$", "table watching", "repeat"),
    (r"^.+ (bye|goodbye)$", "table lobby watching", "quit"),
)
"""Sentences that mean a command, the kinds of places where they do (* for any), and the line that they stand for."""


def line_for(said: str, context: Context) -> str:
    """The line that is meant by a sentence; empty if it is none of these."""
    if not _is_command(context, said) and _answer(context, said):
        return f"ask {said}"
    here = (each for each in LINES if {"*", context.place.kind} & {*each[1].split()})
    line = next((found.expand(line) for pattern, _, line in here if (found := re.search(pattern, said))), "")
    return line if line != "hint" or _plays(context) else ""


def _is_command(context: Context, said: str) -> bool:
    """Whether a line begins with the name of a command, which itself says what is wrong with the rest."""
    first = said.partition(" ")[0]
    command = command_named(first, context.lobby.features)
    is_plain = first in GENERAL and context.place.kind != "shell"
    return command is not None and command.works(context.place) and not is_plain


def _answer(context: Context, said: str) -> str:
    asked = {pattern: ask for pattern, ask in QUESTIONS.items() if not (pattern in FOR_OTHERS and is_heard(context))}
    answers = (ask(context, said) for pattern, ask in asked.items() if re.search(pattern, said))
    return next(filter(None, answers), "")


@Command("ask TEXT", section="yourself", pages=(), read_only=True, ssh="answer")
async def ask(context: Context, rest: str) -> Answer:
    """Answer a question in plain words."""
    if not (answer := _answer(context, spoken(rest))):
        raise InputError("bad_request", "ask what? For example what does a 10 do, who is winning, how long is a game")
    return Answer(answer.split("\n"))


FEATURE: Final = Feature("plain_questions", (*declared_in(__name__), Understands(line_for)))
