"""What people say to begin a game, or to get another one: other seats, opponents or cards."""

import re
from typing import Final

from engine.ai import LEVELS
from engine.rulesets import DEFAULT
from engine.wording.phrases import listed, number_word, quantity
from engine.wording.rules_sheet import in_short
from server.commands.finding import DidYouMean, another_table, company, leave_text, table_waits
from server.commands.registry import Context
from server.plain_questions.about_people import PEOPLE, others
from server.plain_questions.sentence import IN_GAME, RANK, Sentence, rules_meant, rules_named, taught
from server.player.level_of_opponents import level_met
from server.player.player_session import PlayerSession

_PLAY: Final = "Type play: it begins a game, and hint proposes a move whenever you want one."
_NEW_GAME: Final = "(start|begin) (new |another )?game"
_BEGIN: Final = "Type start: the cards are dealt, and AI players take the free seats. invite shows how friends come."
_CLOCK: Final = "A game with others has a clock: in the lobby new clock=300 gives long turns. Alone there is none."
_AGAIN: Final = r"\b(again|rematch|another|one more|next|same)\b"
_BAD: Final = "bad|terrible|awful|horrible"
_LEVEL: Final = f"({'|'.join(LEVELS)})"
BOTS: Final = "((ai|computer) players?|bots?|ais?|robots?|computers?)"


def _deal_again(context: Context, _: str) -> str:
    way = f"{leave_text(context)}, then {another_table(context, '')}"
    return f"This deal stays: hint makes the best of it. For another one {way}."


def _another_game(context: Context, said: str) -> str:
    """After a game another one; before the first one another player may be meant."""
    snapshot = context.snapshot
    if snapshot is None or snapshot.occasion:
        return ""
    is_over = snapshot.view is not None and not snapshot.playing
    return "start" if is_over else table_waits(context) or (_deal_again(context, said) if snapshot.playing else "")


def _seats(context: Context, said: str) -> str:
    number = next(number for number in range(1, 5) if re.search(rf"\b({number}|{number_word(number)})\b", said))
    others = rf"\b(opponents?|others?|{BOTS}|(against|vs|versus) ({number}|{number_word(number)}))\b"
    level = re.search(rf"\b{_LEVEL} (players?|opponents?|{BOTS})\b", said)
    seats = number + (level is not None or re.search(others, said) is not None)
    if seats not in range(2, 5):
        return ""
    game = f"play {rules_named(context, said)} {seats}{f' {level[1]} players' if level else ''}".replace("  ", " ")
    if context.snapshot is None and re.match("new", said) and seats == number and not context.caller.is_alone:
        return f"new{game.removeprefix('play')}"  # they may be friends: the answer to it tells of both
    if context.snapshot is None and re.match("play|start|begin|new", said):
        return game
    if company(context):
        return _another_table(context, f"new{game.removeprefix('play')}", seats)
    first = "Type" if context.snapshot is None else "Type leave, then"
    return f"{first} {game}: a game with {number_word(seats)} seats."


def _only_people(context: Context, said: str) -> str:
    names_somebody = context.snapshot is None and any(map(context.lobby.visitors.named, said.split()))
    if context.caller.is_alone or names_somebody:
        return ""
    here = sum(each is not None and not each.is_ai for each in context.snapshot.sitters) if context.snapshot else 0
    named = (each for each in (2, 3, 4) if re.search(rf"\b({each}|{number_word(each)})\b", said))
    seats = next(named, 4 if re.search("more|another|bigger", said) else max(2, here))
    return _another_table(context, f"new seats={seats}", seats)


def _why_no_ai(context: Context, _: str) -> str:
    return f"AI players take the seats that are free when the cards are dealt. {others(context, '')}"


def _another_table(context: Context, line: str, seats: int) -> str:
    """How a player gets a table with so many seats, along with those who sit beside them; ``line`` opens it."""
    first = "Type" if context.snapshot is None else f"A table keeps its seats: {leave_text(context)}, then"
    along = f", which asks {listed(people, 'and')} to come along" if (people := company(context)) else ""
    return f"{first} {' '.join([line, *people])}, a table for {number_word(seats)}{along}."


def _learn(context: Context, said: str) -> str:
    if context.place.kind == "shell":
        learn = taught(context, "; ssh -t HOST {} teaches it in {}")
        return f"{' '.join(in_short(rules_meant(context, said)))} ssh HOST alone, then Enter, begins a game{learn}."
    here = "Here hint says what to do. In the lobby {} teaches the game in {}."
    return taught(context, "{}" if context.snapshot is None else here)


def _level(context: Context, said: str) -> str:
    if context.place.name == "puzzle":
        return "Puzzles get harder as you solve them."
    typed = re.fullmatch(r"play (?:(\S+) )?(?:harder|easier)", said)
    if typed and typed[1] in {None, *context.lobby.rulebook.names} and context.place.name == "lobby":
        return said
    if re.search(_AGAIN, said) and not (context.snapshot is not None and context.snapshot.playing):
        return ""
    if not isinstance(context, PlayerSession):
        return "In the lobby set level changes how well AI players play."
    levels, now = [*LEVELS], level_met(context)
    is_wish = re.search(r"easier|weaker|(?<!too )(easy|simple)|gentle|nice|kind|too (hard|difficult|strong|good)", said)
    at, wish = levels.index(now) + (-1 if is_wish else 1), "easier" if is_wish else "harder"
    if not 0 <= at < len(levels):
        end = "easiest" if is_wish else "strongest"
        return f"Your AI players are {now} already, the {end} there are: hint proposes a move at a table."
    if context.snapshot is not None and context.snapshot.playing:
        return f"Your AI players are {now} now: type set level {levels[at]}, for your next table."
    if context.snapshot is not None:
        return f"Your AI players are {now} now: type again {wish}."
    raise DidYouMean(f"your AI players are {now} now: type play {wish}.", f"play {DEFAULT} {wish}", context)


def _next_deal(context: Context, _: str) -> str:
    snapshot, left = context.snapshot, context.scene.clock_left
    if snapshot is None or snapshot.playing:
        return ""
    if left is not None:
        return f"Yes: the cards are dealt in {quantity(left, 'second')}."
    return "No: it begins if somebody at the table types start."


OTHER_GAMES: Final = (
    Sentence(r"^(play|do|start|try|go) daily( \w+)?$", "daily", "lobby between"),
    Sentence(r"^(i am |let's )?(ready|start|begin|play|go)$", "play", "lobby"),
    Sentence(r"^let's go$", "go", "between"),
    Sentence(r"^(let's |i want )?((play|have) )?(another|one more)( one| game| time| round)?$", _another_game, "table"),
    Sentence(r"^((i|want|get|have|take|my) )*revenge$", _another_game, "table"),
    Sentence(
        r"^(wait|hold on|not yet|another|one more)\b.*|"
        r"\b(another|(one|two) more|someone|somebody) (\w+ )?(friend|person|people|player|seat|one|guest)s?\b.*",
        lambda context, _: table_waits(context),
        "table",
        to_others=True,
    ),
    Sentence(r"\b(without|no|stop|off|disable|turn off)( a)? clock$", _CLOCK, "lobby table"),
    Sentence(r"^(.* i )?(change|set|make)\b.* (clock|turns?( longer)?)$", _CLOCK, "lobby table"),
    Sentence(
        r"^(.* )?(tour|demo|intro|introduction|walk.?through)$|^(can you )?teach me\b"
        r"|^(is|are|have|do|where|can i|i|show)\b(?!.*\b(no|not|\w+n.t)\b).* (tutorial|lesson|training)s?$"
        r"|\b(see|know|forgot\w*) how (it|game) (\w+ )?(goes|works|played)$",
        _learn,
    ),
    Sentence(rf"^how (do|can) i {_NEW_GAME}$", _PLAY, "lobby"),
    Sentence(
        rf"^how$|^(how|where)\b(?!.* (tournament|{_NEW_GAME})$)( (do|does|can))?( (i|you|it|game|all))?"
        r" (play|works?|(get )?start(ed)?|begin|join)\b",
        _learn,
        "lobby shell",
    ),
    Sentence(r"^(how|when)\b.*\b(start|begin)\b", _BEGIN, "between"),
    Sentence(r"^i am( in)?$", "play begins a game; sit and its number takes a seat.", "lobby", to_others=True),
    Sentence(
        r"^(?:can i )?(restart|reset|start (over|again)|(start |play )?(new|another) (game|deal|round))\b"
        rf"|^(new|other) cards?$|\b({_BAD}) cards?\b"
        rf"|\b(want|need|get|deal|give|like)\b(?!.* see).* (other|new) cards?\b|\bdon't (want|like|need)\b.* cards$"
        rf"|\bcards? (are|is) ({_BAD})\b|^(re)?(deal|shuffle) again\b|^redeal\b|^(mulligan|shuffle)$",
        _deal_again,
        IN_GAME,
    ),
    Sentence(
        rf"^(?:(?:start|begin|new|play|with|against|i|i'd|want|need|like|should|have|let's|give|me|get|deal|try) )*"
        rf"({'|'.join(LEVELS)}) (?:game|match|round|one|level|opponents?|{BOTS})$",
        r"play \1 players",  # which names no level of the table, and so brings no rule
        "lobby",
    ),
    Sentence(rf"^{_LEVEL}$", r"play \1 players", "lobby", to_others=True),
    Sentence(rf"^{_LEVEL}( one)?$", _level, "table", to_others=True),
    Sentence(
        r"^((can|should) you )?(go|be|take it|play) (easy|gentle|nice|kind)( (on|with))?( (i|me|us))?$", _level, "table"
    ),
    Sentence(r"^(?:with )?([2-4]|two|three|four) players?(?: game)?$", r"play \1", "lobby"),
    Sentence(r"^game (?:of|for|with) ([2-4]|two|three|four)$", r"play \1", "lobby"),
    Sentence(
        rf"\b(two|three|four) of us\b|^(can i be|i are) ([2-4]|two|three|four)$|\bus (two|three|four)$"
        rf"|\b(no|not|without)( any| with)? {BOTS}$"
        r"|^(start|begin|play) (with .+ only$|(with )?only\b.*)|^only (us|people|humans|.+ and me)$|^only me and .+"
        r"|^seats?[ =][2-4]$|\bmore (seats?|players|opponents|bots)$|\banother seat$|\btable bigger$"
        r"|^.*\b(two|three|four|[2-4]) people\b.* play$",
        _only_people,
        "lobby table",
    ),
    Sentence(rf"^why\b.*\b(no|not|without)( any)? {BOTS}\b.*", _why_no_ai, "table"),
    Sentence(
        r"^(?=.*\b(play|start|begin|make|do|new|games?|tables?|with|against|for|want|need|only)\b|\w+ \w+$)"
        rf".*\b([1-4]|one|two|three|four) ({_LEVEL} )?(players?|people|opponents?|others?|{BOTS})\b"
        r"|^((against|vs|versus) ([1-3]|one|two|three)|(\w+ )*game (of|for|with) ([2-4]|two|three|four))$",
        _seats,
    ),
    Sentence(
        rf"^(?:change|switch|set|make|level|difficulty|bots?|it|ais?| )+ {_LEVEL}$", r"set level \1", "lobby table"
    ),
    Sentence(rf"{_AGAIN}.*\b({'|'.join((*LEVELS, 'harder', 'easier'))})", r"again \2", "between lobby"),
    Sentence(
        rf"^(?!.*\b(cards?|{RANK})s?\b).*\btoo (easy|hard|difficult|strong|good|weak)\b"
        rf"|\b(strong|weak|bett|smart|tough)er (opponents?|{BOTS})\b|\b(opponents?|{BOTS}) (strong|weak)er\b"
        r"|\b(easier|harder)\b|\b(what|which|my|there|choose|pick) levels?\b"
        r"|^((give|get|show) me |i (want|need|like) |play |let's )?((something|anything|bit|one|game|it) )+"
        r"(\w+ )?(eas(y|ier)|simpler?|hard(er)?|difficult)( .*)?$",
        _level,
    ),
    Sentence(r"\b(strong|weak|tough)er ones?$", _level, "lobby"),
    Sentence(
        r"^add (([2-4]|two|three|four|some|more|all)\b.*|(\w+ )?seats?$)",
        "add seats one AI player each time; start fills all free seats. For more seats type leave, then new seats=4.",
        "table",
    ),
    Sentence(
        rf"^((i|can|have|want|play|only|with|against|vs) )+{BOTS}( game| match)?$|^(another|one more)( one| time)?$",
        "play",
        "lobby",
    ),
    Sentence(r"^(?:connect|follow)(?: with)? (\S+)$", r"sit \1", "lobby watching"),
    Sentence(r"^multi player\b.*|^(co.?op|pvp|versus)( mode)?$", PEOPLE, "lobby"),
    Sentence(r"^i don't (want|need|like) (learn|lesson|tutorial)\b.*", _PLAY, "lobby"),
    Sentence(
        r"^(is (it|game) |are you |am i )?(start|begin|deal)(ing|s)?( game)? soon$",
        lambda context, _: _next_deal(context, "") or ("turn" if context.snapshot else _PLAY),
        "lobby table watching",
        to_others=True,
    ),
    Sentence(r"\bnext (game|deal|round)\b.* (start|begin|deal\w*)\b", _next_deal, "table"),
    Sentence(r"\b(start|begin|deal)s? (by itself|automatically)\b", _next_deal, "table"),
)
