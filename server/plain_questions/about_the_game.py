"""What people ask about the game, its rule sets and whom it is for."""

import re
from typing import Final

from engine.rulesets import DEFAULT
from engine.wording.phrases import listed, sentence_case
from engine.wording.rules_sheet import aim_note, differences, in_short
from server import VERSION
from server.commands.finding import DidYouMean, another_table, is_heard, leave_text
from server.commands.registry import Context
from server.plain_questions.sentence import (
    GAME,
    NEWCOMER,
    RANK,
    Sentence,
    noted,
    rules_here,
    rules_meant,
    rules_named,
    taught,
)
from server.player.level_of_opponents import FIRST
from server.rulebook import changed_rules, introduction, minutes

ABOUT_US: Final = f"This is Quatch {VERSION}, a program for card games over ssh. Type help to see what you can do."
_POINTED_AT: Final = "Name what you mean, as in what is the bin, or what does a 10 do; rules tells how it is played."
_NO_TEAMS: Final = "There are no teams: each plays alone. In the lobby new seats=4 opens a table for four."
_THAT_FAMILY: Final = "All games here are of that family, and life is the nearest. rules says how they differ."
_OWN: Final = "(house|home|own|custom)"
_OWN_RULES: Final = (
    "For rules of your own type, in the lobby, new and what differs, as in new pickup.by_choice=true; help new tells "
    "more. House rules are those that the person who runs the server has added: rules lists them."
)
_IN_A_ROW: Final = (
    "IN A ROW counts the cards of one rank on top of the pile: where four burn it, it says how many are missing."
)
_BESIDE_A_NAME: Final = (
    *("game", "cards", "one", "rules", "i", "i'd", "i'll", "want", "like", "choose", "prefer", "would", "should"),
    *("play", "try", "with", "let's", "some"),
)
"""What people say beside the name of a rule set that they have chosen."""


def _game(context: Context, said: str) -> str:
    more = taught(context, f" {'In the lobby ' if context.snapshot else ''}{{}} teaches it in {{}}.")
    return f"Quatch is a card game. {' '.join(in_short(rules_meant(context, said)))} rules tells it all.{more}"


def _long(context: Context, said: str) -> str:
    if context.place.kind == "exercise":
        return taught(context, "The {} takes {}; leave ends it.")
    return f"A game takes about {minutes(rules_meant(context, said)).replace('min', 'minutes')}."


def _rule_sets(context: Context, said: str) -> str:
    book = context.lobby.rulebook
    one = rules_named(context, said)
    other = rules_named(context, re.sub(rf"\b{one}\b", "", said.replace(" original", "-original"))) if one else ""
    if one and not other and re.search("dif(?!.* other)", said):
        other = next(each for each in (rules_here(context).name, DEFAULT, "") if each != one)
    if other:
        told = [line for line in book.listed() if line.split()[0] in {one, other}]
        for name, rest in ((one, other), (other, one)):
            told += (f"{name}: {each}" for each in differences(book.find(name), book.find(rest)))
        return "\n".join(told)
    return "\n".join([*book.listed(), "rules NAME shows the rules, play NAME starts a game."])


def _compared(context: Context, said: str) -> str:
    found = _rule_sets(context, said)
    return found if rules_named(context, said) else ""


def _easiest(context: Context, _: str) -> str:
    book = context.lobby.rulebook
    by_length = sorted(book.names, key=lambda name: book.find(name).usual_plies)
    return (
        f"Newcomers begin with {book.names[0]}, as play does: rules {book.names[0]} tells how. {by_length[0]} is the "
        f"shortest and {by_length[-1]} the longest: rules compares them."
    )


def _chosen(context: Context, said: str) -> str:
    words = [word for word in said.split() if word not in _BESIDE_A_NAME]
    name = "-".join(words[1:] if context.snapshot is not None and words[:1] == ["can"] else words)
    if name not in context.lobby.rulebook.names:
        return ""
    is_wish = re.search(r"^(?!i (like|prefer)\b).*\b(play|try|choose|let's|rules)\b", said)
    if not is_wish and is_heard(context):
        return ""  # that one likes it is told to the others
    if context.snapshot is not None:
        return _play_instead(context, name)
    if is_wish:
        return f"rules {name}" if "rules" in said.split() else f"play {name}"
    if len(words) == len(said.split()):
        return ""  # a name alone is answered with what it is
    raise DidYouMean(f"did you mean play {name}?", f"play {name}", context)


def _how_many(context: Context, said: str) -> str:
    rules, snapshot = rules_meant(context, said), context.snapshot
    seats = f"This table has {len(snapshot.sitters)} seats; " if snapshot is not None else ""
    players = f"{rules.title} is for {rules.seats_min} to {rules.seats_max} players."
    return f"{seats}{players} AI players take the free seats."


def _rule_set(context: Context, said: str) -> str:
    name = rules_named(context, said)
    if not name or re.search(rf"\b({RANK})\b", said):
        return ""
    return f"{name}: {introduction(context.lobby.rulebook.find(name))}. Type rules {name}, or play {name}."


def _play_rules(context: Context, said: str) -> str:
    return f"play {name}" if (name := rules_named(context, said)) else ""


def _play_instead(context: Context, said: str) -> str:
    name, title = rules_named(context, said), rules_here(context).title
    if name and context.lobby.rulebook.find(name).title == title:
        return f"This table plays {title}: rules tells how."
    return f"A table keeps its rules: {leave_text(context)}, then {another_table(context, name)}." if name else ""


def _other_rules(context: Context, said: str) -> str:
    if context.snapshot is not None and rules_named(context, said):
        return _play_instead(context, said)
    first = "" if context.snapshot is None else f"A table keeps its rules: {leave_text(context)}, then "
    book, now = context.lobby.rulebook, rules_here(context).title
    names = listed(
        [another_table(context, name).partition(",")[0] for name in book.names if book.find(name).title != now], "or"
    )
    return sentence_case(f"{first}{names}. help new tells of rules of your own.")


def _games(context: Context, _: str) -> str:
    return f"Only these are played here: {listed(context.lobby.rulebook.names, 'and')}. rules tells more about them."


def _easy(context: Context, _: str) -> str:
    return sentence_case(f"{taught(context, '{} teaches it in {}. ')}{FIRST}")


def _for_all_ages(context: Context, _: str) -> str:
    return f"Yes, for all who can read: the rules are few, and no money is played for. {_easy(context, '')}"


ABOUT_THE_GAME: Final = (
    Sentence(r"^what (is |kind of |sort of )*game( is| about)*$|^what is( that| place)?$|^is game$", _game),
    Sentence(r".*\brules (in )?(short|brief|briefly|nutshell)$|^(short|brief) rules$", _game),
    Sentence(r"^what is that$", _POINTED_AT, "table watching record"),
    Sentence(r"how\b(?! many).*\b(win( game)?|go(ing)? out( work)?)$|\bhow do.* end$", noted(aim_note)),
    Sentence(r"\b(goal|aim|object|is point)$|run out of cards$", noted(aim_note)),
    Sentence(
        r"^how (long(?! do(es)? \w+ (have|get)|.* (have|got)$"
        r"|.*\b(pile|turn|clock|hand|seat|kept|wait|think|(have|was|am) i)\b)|many (minutes|rounds|turns"
        r"|moves)|much longer)\b.*|^when (is|does|will) it\b.*",
        _long,
    ),
    Sentence(r"\bdifference|\bgames? differ|how many games|\btry ((an)?other|something)\b.*|. rule ?set", _rule_sets),
    Sentence(r"\b(other|another|different|more|which|what)\b.* (games|versions?|variants?|kinds?)\b", _rule_sets),
    Sentence(r"\b(which|what) (game|one)\b|\b(easiest|short(er|est)) game\b", _rule_sets, "lobby"),
    Sentence(r"^[\w-]+ (or|vs|versus) [\w-]+( original)?$|^compare\b.*|^.*\bdiffer.*", _compared),
    Sentence(
        r"^((which|what)( game| one| rule ?set| rules)? (is|are) )?(easiest|simplest|short(er|est)|simpler|quickest"
        r"|longest|hardest)( one| game| rule ?set| rules)*( (to|for) .*)?$"
        r"|^which (one )?is (easy|easier|best|better|normal|usual|standard|default|main|original)\b.*"
        r"|^which (one|game|rules) (should i (read|learn|begin|start)|does enter play)\b.*"
        r"|^(recommend|suggest)( me)?( some)? (game|one|something)$",
        _easiest,
        "lobby table watching shell",
    ),
    Sentence(r"^[\w' -]+$", _chosen, "lobby table"),
    Sentence(r"^how many (players|people|friends|can play)( (can|for|at|per|in|do|are there)\b.*)?$", _how_many),
    Sentence(r".*\b([5-9]|five|six|seven|eight) (players|people)\b.*|\b(small|bigg?|larg)est table", _how_many),
    Sentence(rf"^new (player|user)$|{NEWCOMER}", lambda at, _: taught(at, "{}"), "lobby"),
    Sentence(
        r"^(is|are) (it |that |game )?((like|same as|similar)\b(?!.*(shithead|palace|karma)).*|card game)$", _game
    ),
    Sentence(r"^(what|about|how is)\b(?!.*\bdif).*", _rule_set),
    Sentence(r"^how (do|can) i (play|start|switch|change|try)( [\w-]+){1,3}$", _rule_set),
    Sentence(r"^(let's )?(start|begin|try|switch)\b.*", _play_rules, "lobby"),
    Sentence(r"\b(change|other|different|new) rules?\b|^(other|different) (card )?games?$", _other_rules),
    Sentence(r"^.*\b(teams?|teammates?|partners?|(1|2)v2|pairs against)\b.*", _NO_TEAMS),
    Sentence(
        r"^(what|which|why|is|are)\b.* rules?\b.*\b(different|changed|unusual|special|usual|normal|other|odd|strange)$",
        lambda at, _: changed_rules(rules_here(at)) or f"All rules are as usual in {rules_here(at).title}.",
        GAME,
    ),
    Sentence(rf".*\b{_OWN} rules?\b.*", _OWN_RULES),
    Sentence(r"\bin row\b( mean)?$", _IN_A_ROW),
    Sentence(r"^(what|which) (is|are) (good|best) cards?$", "rules", "lobby shell"),
    Sentence(rf"^help( with)? {_OWN}( rules?)?$", "ask house rules"),
    Sentence(r"^((how )?(do|can) i |let's )?((switch|change)\b.*|play .* next$)", _play_instead, "table"),
    Sentence(r"^(what|where|how|let|see|read|explain)\b.* (rules|instructions)( again| first)?$", "rules"),
    Sentence(
        r"^((can|do|does) \w+ |is (there )?|let's |(want|like|have|got) |play |some |game of )*(chess|(strip )?poker"
        r"|(texas )?hold.?em|uno|mau.?mau|solitaire|blackjack|hearts|spades|bridge|checkers|rummy|crazy eights|go fish)"
        r"( (cards?|game|instead))*$",
        _games,
    ),
    Sentence(r"^.*\b(shithead|palace|karma)\b.*", _THAT_FAMILY),
    Sentence(r"^.*\b(explain|say|tell)\b.*\b(simpl(e|er|y)|short(er|ly)?|in short|basics?)$", _game),
    Sentence(
        r"^who (made|wrote|built|programmed|are you)|^what (is|does) quatch|^what are you$"
        r"|^what time( is it)?$|^((i|want|play|is there|can|have) )*(some )?(music|songs?|radio)$",
        ABOUT_US,
    ),
    Sentence(
        r"^((are you|is it) (\w+ )?|is (real )?)(bot|ai|robot|computer|human|real|person)( (?!cheat)\w+)?$",
        ABOUT_US,
        "lobby shell",
    ),
    Sentence(
        r"^.*\bfor (\w+ )?(kids?|child(ren)?|famil(y|ies)|teenagers?)\b.*"
        r"|^(what age|how old (do|must|should|can|are))\b.*",
        _for_all_ages,
    ),
    Sentence(
        r"^(is|are|how) .*\b(hard|difficult|easy|complicated)\b.*|.*\bfirst time\b.*"
        r"|\bnever (played|did|done|tried|used|touched|seen)\b.*",
        _easy,
    ),
)
