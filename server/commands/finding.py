"""Which command a typed line means where it was typed, or else the refusal, which says what would be right."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from msgspec import Struct

from engine.ai import LEVELS, STYLES
from engine.errors import NEAR, InputError, NoSuch, nearest
from engine.moves import READY
from engine.wording.phrases import listed
from server.commands.registry import Command, Context, called, command_named, known, usable
from server.language.table_settings import KEYS, PASSED_OVER, read_table_settings
from server.lobby.lobby import Lobby
from server.people.settings import CHOICES
from server.player.player_session import PlayerSession
from server.table.place import ADMIN_SSH, LOBBY, OF_THE_CORE, PROMPT, SSH, TABLE, WATCHING, Place

UNKNOWN: Final = "unknown"
"""The code of the refusal of a word that means nothing, and nearly nothing."""
_TO_ME: Final = re.compile(
    r"(?i)^((can|could|would|will) you )?(please )?(tell|give|show(?! me (?!how|wh)(\S+ ){0,2}(game|it|that)\b)) me "
)
_QUESTION: Final = re.compile(
    r"(so )?(how )?(can|could|may|might|shall|should|must|would|will|do|does|is|are|am) (i|we|you)\b|.*\?$",
    re.IGNORECASE,
)
POLITE: Final = ("please", "pls", "plz", "just")
PLEASE: Final = re.compile("(?i)(?<=.) (please|pls|plz)$")
"""How people end what they ask for; in a text it is for those who read it."""
FILLERS: Final = (
    *("a", "an", "the", "to", "i", "i'm", "im", "we", "you", "me", "us", "my", "myself", "some", "now", "do"),
    *("show", "see"),
    *("of", "this", "that", "can", "could", "may", "want", "wanna", "would", "like", "i'd", "let", "let's", "lets"),
)
"""Words that change nothing of what a sentence asks for."""
ASKS: Final = {"how", "what", "where", "which", "can", "could", "show", "turn", "change", "set", "open", "make"}
"""How sentences begin that are rather meant for the program, also where others are."""
SHORT: Final = 2
"""A line of more words is a sentence, of which no short word is taken for a command."""
LONG: Final = 6
"""The least letters of a word, besides the names of commands, that is proposed: shorter ones are like too many."""
GENERAL: Final = frozenset(
    {"play", "game", "games", "start", "begin", "table", "tables", "cards", "where", "what", "about", "info", "time"}
    | {"list", "look", "how", "solo", "data", "practice", "training", "names", "stop", "match", "register", "turn"}
    | {"close", "players", "why", "who", "done", "again", "next", "continue", "back", "end", "move", "show", "whats"}
)
"""Words that stand for a command alone, and in a sentence tell nothing of what it is about."""
_HOLDS_BACK: Final = re.compile(
    r"^you |\b(wait(s|ing)?|hold|not|never|(do|does|is|are|must|should)n'?t|yet|later|until|till|when|comes|coming"
    r"|in (a|one|two|\d+) (min(ute)?|sec(ond)?|moment)s?)\b"
)
"""What stands in a sentence that wants something to be done later, never or by another."""
SMALL_TALK: Final[Collection[str]] = (
    *("hi", "hello", "hey", "hallo", "hola", "yo", "good morning", "good evening", "gl", "hf", "glhf", "gl hf"),
    *("good luck", "have fun", "gg", "wp", "ggwp", "gg wp", "good game", "well played", "nice", "nice one", "wow"),
    *("lol", "haha", "cool", "great", "oops", "ouch", "sorry", "thanks", "thank you", "thx", "ty", "ok", "okay"),
    *("oh", "thnx", "omg", "argh", "ugh", "yay", "phew", "whoa", "ah", "aha", "aah", "fine", "hm", "hooray", "woohoo"),
)
"""What players say to each other and forget to mark as talk."""
READS: Final = re.compile(r"^.*\b(am|i'm|im|still|want|need|let me)\b.* ?\bread(ing)?\b.*")
"""What players say who want nothing to take a page away."""
ARGUMENTS: Final[Mapping[str, Callable[[Context, str], Iterable[str]]]] = {
    "COMMAND": lambda context, _: ["all", "typing", *(each.name for each in usable(context))],
    "RULES": lambda context, _: context.lobby.rulebook.names,
    "NAME": lambda context, _: context.lobby.visitors.names(),
    "KEY=VALUE": lambda _, __: [f"{key}=" for key in KEYS],
    "LEVEL": lambda _, __: LEVELS,
    "STYLE": lambda _, __: STYLES,
    "SETTING": lambda _, __: [*CHOICES, "pace"],
    "VALUE": lambda _, setting: CHOICES.get(setting, ()),
}
"""What the words in capitals of a usage stand for, given the word before."""
_WAYS: Final[Mapping[Place, str]] = {
    SSH: " ssh HOST help lists all",
    ADMIN_SSH: " ssh HOST admin help lists all",
    PROMPT: " help lists all",
}
"""Where the commands are listed, for those who are in no session."""


class DidYouMean(InputError):
    """The refusal of a line that is nearly another one, which it proposes."""

    def __init__(self, said: str, line: str, context: Context) -> None:
        """``said``: what stands first. ``line``: what Enter or yes gives, in a session and if it can be done there."""
        self.line = line if _can_be_done(line, context) else ""
        in_session = " Enter does it, help lists all" if self.line else " help lists all"
        super().__init__("bad_request", f"{said}{_WAYS.get(context.place, in_session)}")


class Unsaid(DidYouMean):
    """The refusal of a line that may be meant for others. It proposes to say it to them."""

    def __init__(self, line: str, context: Context) -> None:
        most = ways(context) if context.place == LOBBY else f"{ways(context).partition(',')[0]}, help lists all"
        InputError.__init__(self, "bad_request", f"that is no command: Enter says it to the others here,{most}")
        self.line = f"'{line}"


class Understands(Struct, frozen=True):
    """What a feature makes of sentences, before they are compared with words and phrases."""

    line_for: Callable[[str, Context], str]
    """Given the line: the line that it means there; empty if this is none of its sentences."""


class HostWords(Struct, frozen=True):
    """What hosts call one thing in words of their own, and how it is done."""

    said: str
    """A pattern for the beginning of what was typed, without words such as "how do I"."""
    told: Callable[[Lobby, str], str]
    """The answer for the words behind that beginning."""


def look_up(word: str, context: Context, rest: str = "") -> Command:
    """The command that this word means: one that works here if there is one, else one that works elsewhere.

    With a text behind the word, only the name stands for a command that takes no text. Raises InputError if there is no
    command, or more than one.
    """
    lobby, place = context.lobby, context.place
    same = [each for each in called(word, lobby.features) if not each.ops or lobby.is_op(context.caller)]
    if rest:
        same = [each for each in same if " " in each.usage or word not in each.words.split(", ")]
    found = [each for each in same if each.works(place)]
    if not found and word:
        may_be_short = place not in {SSH, ADMIN_SSH} and word not in {*FILLERS, "in"}
        found = (may_be_short and _begun(word, usable(context))) or same[:1]
        found = found or (may_be_short and _begun(word, known(context))) or []
    if len(found) > 1 and len(names := [*dict.fromkeys(each.name for each in found)]) > 1:
        raise InputError("bad_request", f"{word!r} could be {', '.join(names)}: type a little more")
    if found:
        return found[0]
    raise _unknown(word, rest, context)


def spoken(line: str) -> str:
    """A line as it is compared with words and phrases: small letters, also for "goooo", single spaces, no marks."""
    return " ".join(bare_words(re.sub(r"([a-z])(?!\1)([a-z])\2\2+\b", r"\1\2", line.lower())))


def bare_words(line: str) -> list[str]:
    """The words of a line, without the marks behind them."""
    return [bare for word in line.split() if (bare := word.rstrip("?!.,;")) and bare.lower() not in POLITE]


def meant_by(line: str, context: Context) -> str:
    """The line that a feature takes this one for.

    The same if it takes it for none, if a command takes it as a text, or if one command that works here begins so.
    """
    said, features = spoken(asked := _TO_ME.sub("", line)), context.lobby.features
    takes_text = any("TEXT" in each.usage for each in called(said.partition(" ")[0], features))
    if takes_text or (len(said) > SHORT and " " not in said and len(_begun(said, usable(context))) == 1):
        return line
    return next(filter(None, (each.line_for(asked, context) for each in features.all(Understands))), line)


def _is_name(word: str, context: Context) -> bool:
    """Whether a word says how a player wants to be called: it is no command, nor the slip of a letter."""
    is_asked = isinstance(context, PlayerSession) and context.asks_name and not context.has_given_command
    if not (is_asked and context.place == LOBBY and word.isalpha()):
        return False
    said, names = spoken(word), [*(each.name for each in known(context)), *context.lobby.rulebook.names]
    is_beginning = word == said and any(each.is_proposed for each in _begun(word, usable(context)))
    alike = [each for each in names if each[:1] == said[:1]]
    near = (each for each in alike if len(each) > SHORT + 2 and abs(len(each) - len(said)) < 2)
    exchanged = (each for each in alike if sorted(each) == sorted(said))
    return not (is_beginning or called(said, context.lobby.features) or nearest(said, (*near, *exchanged)))


def _must_ask_for_something(line: str, context: Context) -> None:
    """Raises InputError for a sentence that wants something to wait or tells of another: no command is wanted now."""
    said, features = spoken(line), context.lobby.features
    named = command_named(said.partition(" ")[0], features) or next(iter(called(said, features)), None)
    is_asked = named and (named.read_only or re.search("TEXT|WORD|NAME", named.usage) or said in named.typed)
    if is_asked or not _HOLDS_BACK.search(said):
        return
    waits = "" if said.startswith("you ") else table_waits(context)
    unheard = InputError(UNKNOWN, waits or f"that is not understood:{ways(context)}")
    raise Unsaid(line, context) if is_heard(context) else unheard


def table_waits(context: Context) -> str:
    """What a player reads between games who wants to wait for others; empty elsewhere, and if none can come."""
    snapshot = context.snapshot
    is_open = context.place == TABLE and snapshot is not None and not (snapshot.playing or snapshot.occasion)
    waits = "The table waits until a player here types start. invite shows how others come, add seats an AI player."
    return waits if is_open and not context.caller.is_alone else ""


def company(context: Context) -> list[str]:
    """The names of the people who sit with the player, and are here."""
    sitters = context.snapshot.sitters if context.snapshot is not None else ()
    own, others = context.player.name, [each for each in sitters if each and not (each.is_ai or each.bot)]
    return [each.name for each in others if each.name != own and context.lobby.visitors.named(each.name)]


def another_table(context: Context, wish: str, *others: str) -> str:
    """The line for another game, with these rules or seats: alone, or with those beside the player, and others."""
    if not (people := [*company(context), *others]):
        return f"play {wish}".rstrip()
    return f"{f'new {wish}'.rstrip()} {' '.join(people)}, which asks {listed(people, 'and')} to come along"


def leave_text(context: Context) -> str:
    """How a player leaves the table for another one: not in the middle of a game, in which they would be last."""
    view = context.snapshot.view if context.snapshot else None
    is_bound = view is not None and view.phase == "play" and view.seat is not None and company(context)
    return "when this game is over type leave" if is_bound else "type leave"


def way_to_table(context: Context, wish: str) -> str:
    """How a player at a table gets one as these words describe it; empty if they describe none. Raises InputError."""
    try:
        read_table_settings(wish, context.lobby.rulebook, context.lobby.config)
    except NoSuch as error:
        if error.meant:
            raise
        return ""
    return f"{leave_text(context)}, then {another_table(context, wish)}" if wish else ""


def find_in_line(line: str, context: Context) -> tuple[Command, str]:
    """The command that a typed line means here, and the text behind its name. Raises InputError, as `find`."""
    if _is_name(line, context):
        return find("name", context), line
    _must_ask_for_something(line, context)
    typed, whole = line, re.sub("(?i)^(please|pls|plz) (?=.)", "", _TO_ME.sub("", line))
    line = PLEASE.sub("", whole)
    parts, features = bare_words(line), context.lobby.features
    asked = [word for word in parts if word.lower() not in FILLERS]
    said, plain, elsewhere = spoken(line), spoken(" ".join(asked)), ("", "")
    for phrase, rest in _phrases(said, plain, asked, parts):
        same = called(phrase, features)
        if any(each.works(context.place) for each in same):
            return find(phrase, context), rest
        elsewhere = (phrase, rest) if same and not elsewhere[0] else elsewhere
        if elsewhere[0] in {said, plain}:
            break
    if elsewhere[0]:
        return find(look_up(elsewhere[0], context).name, context), elsewhere[1]  # one of that name may work here
    if len(parts) > 1 and asked and parts[0].lower() in FILLERS and command_named(parts[0].lower(), features) is None:
        line, said = " ".join(asked), plain
    first, _, rest = line.partition(" ")
    try:
        found = find(first.lower().rstrip(",;") if rest else said or first, context, rest)
    except InputError as error:
        raise _instead(error, typed, parts, plain, context) from None
    if rest and "TEXT" in found.usage and whole.startswith(line):
        rest = whole.partition(" ")[2]
    elif "TEXT" not in found.usage and not found.ops:  # ops give reasons
        passed_over = {*FILLERS, "at", "for", "table", "game", "it"}
        rest = " ".join(each for each in bare_words(rest) if each.lower() not in passed_over)
        is_wish = len(parts) > SHORT and found.usage.islower() and not found.read_only
        if is_wish and rest[:1].isalpha() and rest.partition(" ")[0] not in found.usage:
            raise told_of(found, context)
    return found, rest.strip()


def may_do(command: Command, line: str, context: Context) -> bool:
    """Whether a line from which this command was found does it, or else the player is told of it.

    A question changes nothing, words of seeing begin no game. No sentence does a grave command, nor behind ssh HOST
    one that changes something.
    """
    in_shell = context.place.kind == "shell"
    if command.read_only or (in_shell and command.shows_over_ssh):
        return True
    is_guessed = {line.partition(" ")[0].lower(), spoken(line)}.isdisjoint(command.typed)
    if is_guessed and (in_shell or command.grave):
        return False
    is_asked = _QUESTION.match(line) or (command.name in {"play", "start"} and re.match("(?i)(show|see|view) ", line))
    return ("TEXT" in command.usage and not is_guessed) or not is_asked


def _instead(error: InputError, typed: str, parts: Sequence[str], plain: str, context: Context) -> InputError:
    """The better refusal of a line that is no command here: it says what was meant, or proposes to say it to others."""
    first, words = parts[0].lower() if parts else "", plain.split()
    is_sentence = len(parts) > SHORT or (len(parts) > 1 and first in FILLERS)
    named, rule_sets = command_named(first, context.lobby.features), context.lobby.rulebook.names
    is_cheer = len(parts) > 1 and named is None  # "go ben"
    are_people = all(each.isdecimal() or context.lobby.visitors.named(each) for each in parts[1:])  # "new 3 bo zoe"
    is_typed = named and (are_people or any("=" in word or word.lower() in rule_sets for word in parts[1:]))
    is_talk = is_heard(context) and not is_typed and (is_sentence or is_cheer or error.code == UNKNOWN)
    if is_talk and first not in ASKS:
        return Unsaid(typed, context)
    if isinstance(error, DidYouMean) and len(words) == 1:
        return error  # "im redy"
    if inside := _inside(words[1:], context, is_sentence=len(parts) > SHORT):
        return DidYouMean(f"did you mean {inside}?", inside, context)
    if is_sentence and (topic := command_in(words, context)):
        return told_of(topic, context)
    if is_talk:
        return Unsaid(typed, context)
    is_unknown = is_sentence or (len(parts) > 1 and error.code == UNKNOWN)
    return InputError(UNKNOWN, f"that is not understood:{ways(context)}") if is_unknown else error


def _inside(words: Sequence[str], context: Context, *, is_sentence: bool) -> str:
    """A word of a line that is a command here and costs nothing; of a sentence a long name. Empty if there is none."""
    here = [each for each in usable(context) if each.is_proposed and takes(each, "", context) and each.may(context)]
    names = {each.name for each in here if len(each.name) >= LONG - 1 and (each.read_only or each.name not in GENERAL)}
    known_here = names if is_sentence else {word for each in here for word in each.typed}
    return next((word for word in words if word in known_here), "")


def command_in(words: Iterable[str], context: Context) -> Command | None:
    """The command that a sentence is about: two or one of its words stand for it, if possible here. None if none is."""
    told, single = known(context), [*map(str.lower, words)]
    for word in (*map(" ".join, pairwise(single)), *single):
        same = [each for each in called(word, context.lobby.features) if each in told]
        if same and len(word) > SHORT and word not in GENERAL and (word == same[0].name or takes(same[0], "", context)):
            return next((each for each in same if each.works(context.place)), same[0])
    return None


def told_of(command: Command, context: Context, rest: str = "") -> InputError:
    """What a command does, told to a sentence that has said ``rest`` behind its name; proposed if it can be done so."""
    command = next((each for each in usable(context) if each.name == command.name), command)
    try:
        _must_work(command, context)
    except InputError as error:
        return error
    if not command.may(context) and context.snapshot is not None and context.snapshot.playing:
        return InputError("wrong_phase", f"the game is going on:{ways(context)}")
    rest = " ".join(word for word in rest.split() if word.lower() not in PASSED_OVER)
    needed, line = command.usage.partition(" [")[0], f"{command.name} {rest}".rstrip()
    # What a question has behind the name of a command is seldom what should be said.
    if command.is_proposed and "TEXT" not in needed and command.may(context) and takes(command, rest, context):
        return DidYouMean(f"{line}: {command.help}.", line, context)
    return InputError("bad_request", f"type {needed}: {command.help}")


def takes(command: Command, rest: str, context: Context) -> bool:
    """Whether these words can stand behind the name of a command, as far as the first one tells."""
    if not rest:
        return command.usage.partition(" [")[0] == command.name
    argument, first = re.search("[A-Z]+", command.usage), rest.partition(" ")[0].lower()
    choices = {**ARGUMENTS, **command.completes}.get(argument[0]) if argument else None
    if choices is None:
        return argument is not None and (argument[0] == "TEXT" or (argument[0] == "N" and first.isdecimal()))
    return first in map(str.lower, choices(context, ""))


def _can_be_done(line: str, context: Context) -> bool:
    """Whether a line is no command that would be refused, as far as that can be told before."""
    word, _, rest = line.partition(" ")
    features = context.lobby.features
    same, rest = (alike, "") if (alike := called(line, features)) else (called(word, features), rest)
    here = [each for each in same if each.works(context.place) and each.may(context)]
    is_move = line == "ready" and context.snapshot is not None and READY in context.snapshot.legal
    return is_move or any(takes(each, rest, context) for each in here)


def is_heard(context: Context) -> bool:
    """Whether other people are around a player. A line may have been said to them."""
    if not isinstance(context, PlayerSession) or (context.side_view is not None and not context.at_table):
        return False
    if (snapshot := context.location.snapshot) is None:
        return any(each is not context and each.table_number is None for each in context.lobby.visitors.came)
    return not context.table.names().keys() <= {context.player.id} or snapshot.watching > (snapshot.seat is None)


def is_small_talk(said: str) -> bool:
    """Whether a line is small talk, or begins with it, as "hi all" does, and does not ask what the player can do."""
    words = re.sub(r"([ahmo])\1+\b", r"\1", said).split()  # "hmm", "ohhh"
    is_talk = not {said, " ".join(words[:2]), *words[:1]}.isdisjoint(SMALL_TALK)
    return is_talk and words[-1] not in {"bye", "goodbye"} and not re.search(r"\b(do|can|must) i\b", said)


def _phrases(said: str, plain: str, *sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The phrases of `Command.words` that a line may be or begin with, each with the text behind the name."""
    yield from ((phrase, "") for phrase in (said, plain) if " " in phrase)
    for words in sentences:
        for count in range(min(3, len(words) - 1), 0, -1):
            begun = " ".join(words[:count]).lower()
            yield f"{begun} ...", ""
            yield f"{begun} TEXT", " ".join(words[count:])


def _unknown(word: str, rest: str, context: Context) -> InputError:
    """What to say of a word that means nothing: what it is nearly, or what can be typed."""
    here, rest = usable(context), " ".join(bare_words(rest))
    long_words = [word for each in here for word in each.typed if len(word) >= LONG and " " not in word]
    moves = ["ready"] if context.snapshot is not None and READY in context.snapshot.legal else []
    may_slip, names = len(word) > SHORT and word not in context.lobby.rulebook.names, {each.name for each in here}
    near = get_close_matches(word[:20], {*names, *long_words, *moves}, 2, NEAR) if may_slip else []
    sets = context.lobby.rulebook.names if context.place in {LOBBY, SSH} else []
    rules = {each.rpartition("-")[2]: each for each in reversed(sets)}  # also "original"
    if not near and context.place == TABLE and nearest(word, ["play"]):
        return InputError("bad_request", f"to play a card, type {rest or 'its rank'} alone")
    if named := nearest(word, rules):
        near = [f"play {rules[named]}"]
        rest = " ".join(each for each in rest.split() if each not in {*FILLERS, "game", "cards", "one"})
    unknown = f"{word} is a rule set" if word in rules else f"unknown command {word[:20]!r}"
    if " " in word:
        return InputError(UNKNOWN, f"that is not understood:{ways(context)}")
    meant = [each for each in here if near[:1] == [each.name] and near[0] not in moves]
    if len(near) == 1 and meant and not any(each.may(context) for each in meant):
        return InputError(UNKNOWN, f"{unknown}. {told_of(meant[0], context).sentence}")
    if len(near) == 1 and not any(near[0] in each.typed for each in here if not each.is_proposed):
        line = near[0] if rest in FILLERS else f"{near[0]} {rest}".rstrip()
        return DidYouMean(f"{unknown}. Did you mean {line}?", line, context)
    if near:
        way = _WAYS.get(context.place, " help lists all")
        return InputError("bad_request", f"{unknown}. Did you mean {listed(near)}?{way}")
    if elsewhere := nearest(word, {each.name for each in known(context)}):
        return InputError(UNKNOWN, f"{unknown}. {told_of(look_up(elsewhere, context), context).sentence}")
    return InputError(UNKNOWN, f"{unknown}:{ways(context)}")


def ways(context: Context) -> str:
    """What most players want where they are."""
    snapshot, teaches = context.snapshot, context.scene.teaches
    if context.place == LOBBY:
        learn = f"{teaches.word} teaches the game, " if teaches else ""
        return f" play begins a game, {learn}help lists all"
    if context.place == TABLE and snapshot is not None:
        led_on = f"{snapshot.next.command} {'deals' if snapshot.next.command == 'start' else 'leads on'}"
        hinted = "hint proposes a move, " if snapshot.hints else ""
        mine = "ready ends your arranging" if READY in snapshot.legal else "turn tells what you can do"
        now = f"{hinted}{mine}" if snapshot.my_turn else "turn tells who must play"
        then = "rules tells how it is played" if snapshot.playing or not snapshot.stats else "leave goes to the lobby"
        return f" {now if snapshot.playing else led_on}, {then}, help lists all"
    first = " hint says what to type," if context.place.guides else ""
    return first + _WAYS.get(context.place, " leave goes back, help lists all")


def _begun(word: str, commands: Iterable[Command]) -> list[Command]:
    """The commands whose names begin so, and need not be typed in full."""
    return [each for each in commands if each.name.startswith(word) and not (each.in_full or each.grave)]


def find(word: str, context: Context, rest: str = "") -> Command:
    """The command that this word means here, as `look_up`. Raises InputError also if it works elsewhere."""
    found = look_up(word, context, rest)
    _must_work(found, context, word)
    return found


def _must_work(found: Command, context: Context, word: str = "") -> None:
    """Raises InputError if the command, typed as ``word``, does not work here; it says how to get there."""
    if found.works(context.place):
        return
    word = word if word and word in found.words.split(", ") else found.name
    if not found.where:
        raise InputError("bad_request", f"{word} works from a shell: ssh HOST {word}")
    there = next(each for each in (*OF_THE_CORE, *context.lobby.features.all(Place)) if found.works(each))
    works, way = there.works, there.way
    if context.place.kind == "shell":
        works, way = "in a session", "come in with ssh HOST, and type it there"
    elif (context.place, there) == (WATCHING, TABLE):
        may_sit = context.snapshot is not None and context.snapshot.may_sit
        works, way = "with a seat", "type sit to take one" if may_sit else "none is free for you now"
    elif context.place == TABLE and context.snapshot is not None and context.snapshot.playing:
        is_played = context.snapshot.view is None or context.snapshot.view.phase == "play"
        elsewhere = "finish this game first" if is_played else "type leave first"
        way = elsewhere if there == LOBBY else "help lists what works here"
    elif context.place != LOBBY:
        way = "type leave first"
    raise InputError("bad_request", f"{word} works {works}: {way}")
