"""The registry of commands. Help, completion, `ssh HOST help` and refusals by location all follow from it.

A command is declared once, above the function that carries it out. The function's docstring is its line of help::

    @Command("who", read_only=True, ssh="answer")
    async def who(context: Context, rest: str) -> Answer:
        '''List the people here.'''

Those of the modules of this package are the core's. A feature gives those of its own modules (`declared_in`).
A handler raises InputError if it cannot do what was typed; the message says what is wrong and what would be right.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

import structlog
from msgspec import Struct

from engine.errors import NEAR, InputError, nearest
from engine.moves import READY
from engine.wording.phrases import listed
from server.extension import Features
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession
from server.render.scene import Scene
from server.storage.database import NotSaved
from server.table.place import ADMIN_SSH, LOBBY, OF_THE_CORE, PROMPT, SSH, TABLE, WATCHING, Place
from server.table.snapshot import Snapshot

Ssh: TypeAlias = Literal["", "answer", "answer or screen", "screen", "own screen", "bot"]
"""What `ssh HOST COMMAND` does:

- "": the command is refused.
- "answer": it answers, and the connection ends.
- "screen": it is the first line of a session, as if the player had come in and typed it; refused without a terminal.
- "answer or screen": with a terminal like "screen"; without one it answers.
- "bot": it opens a session for a program.
- "own screen": it shows a screen of its own; refused without a terminal.
"""

Section: TypeAlias = Literal["play", "yourself"]
"""The parts of help, in their order."""

ON_SHOW: Final[Collection[str]] = ("table", "watching", "record", "exercise")
"""The kinds of places where cards are shown."""
ANYWHERE: Final[Collection[str]] = ("lobby", *ON_SHOW)

log = structlog.get_logger("quatch.commands")


@dataclass(frozen=True, slots=True)
class ExecContext:
    """A connection that gives one command, as `ssh HOST COMMAND`."""

    lobby: Lobby
    caller: Caller
    player: Player
    """The name is their last or wished-for one, and may be taken, unless the command needs it or answers in JSON."""
    scene: Scene
    place: Place = SSH
    snapshot: Snapshot | None = None


Context: TypeAlias = PlayerSession | ExecContext
"""What gives a command: a player's session, or a connection that gives one command."""


class Answer(Struct, frozen=True):
    """What a command says: lines for people and, over ssh, a value for programs and an exit status."""

    lines: Sequence[str] = ()
    value: Struct | Mapping[str, object] | None = None
    """What `--json` shows. None if it shows the lines."""
    status: int = 0
    from_end: bool = False
    """Whether a page of these lines is read from its end: the last lines first."""
    title: str = ""
    """The title of a page of these lines; if empty, it is the line that was typed."""
    number_means: str = ""
    """What a number typed at a page of these lines stands for; see `Page`."""


Handler: TypeAlias = Callable[[Any, str], Coroutine[Any, Any, Answer | None]]
"""Carries out a command. It takes the context and the text behind the command's name; None is an empty answer. If the
command works over ssh it takes any `Context`, else a `PlayerSession`."""
AnyHandler = TypeVar("AnyHandler", bound=Handler)


@dataclass(slots=True, eq=False)
class Declared:
    """A word to type that is declared above the function that carries it out."""

    usage: str
    """The word and its arguments, which are in capitals; `completion.ARGUMENTS` completes those of commands."""
    name: str = field(init=False)
    """The word that it is known by."""
    handler: Handler = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.usage.partition(" ")[0]

    @property
    def help(self) -> str:
        """What it does, in one line without a full stop."""
        line = (self.handler.__doc__ or "").partition("\n")[0]
        return line[:1].lower() + line[1:].rstrip(".")


@dataclass(slots=True, eq=False)
class Command(Declared):
    """One command: how it is typed and listed, where it works, and what it does."""

    _: KW_ONLY
    where: Collection[str] = ANYWHERE
    """The places in which it works, by their names or their kinds."""
    pages: Collection[str] | None = None
    """The first pages of help that list it, all if None; `help all` lists it wherever it works.

    They are called as a place or its kind; at a table there is one between games and one during a `game`.
    """
    aliases: tuple[str, ...] = ()
    """Letters for it, which help lists, and "" for Enter alone. No alias may look like a rank."""
    words: str = ""
    """What else people type for it: words and phrases, divided by commas; only in full, and not listed.

    "how ..." stands for every line that begins with how, and what follows is passed over; "call TEXT" for every line
    that begins with call, and what follows stands behind the name of the command. A phrase needs no `FILLERS`.
    """
    in_full: bool = False
    """Whether its name must be typed in full, so that it does not happen by a slip."""
    grave: bool = False
    """Whether it deletes, or acts against others: it is typed in full, and no sentence does it or proposes it."""
    goes: bool = False
    """Whether the player goes away by it: it is not proposed either."""
    begins_game: bool = False
    """Whether it begins the game at a table: while one goes on, no sentence is about it."""
    read_only: bool = False
    """Whether it changes nothing. All others are limited in rate."""
    shows_over_ssh: bool = False
    """Whether it changes nothing if it only answers over ssh."""
    ops: bool = False
    """Whether only ops have it."""
    behind_admin: tuple[str, str] | None = None
    """Its usage behind admin, and what it does there; None if it stands only without, or only ops have it.

    What is typed inside begins with the word admin then; over ssh the context tells (`ADMIN_SSH`)."""
    on_server: bool = False
    """Whether it is for other players, or for what a server keeps: a game without a server does not offer it."""
    ssh: Ssh = ""
    answers_with: str = ""
    """A word behind its name with which it only answers over ssh, also with a terminal."""
    options: Collection[str] = ()
    """The options that it takes over ssh, besides --json and --help."""
    needs_name: bool = False
    """Whether it needs the player's name over ssh, which takes several questions to the log."""
    details: Sequence[str] = ()
    """More lines for `help NAME`."""
    section: Section = "play"
    """The part of help that lists it, unless it is for ops. In each the core's commands come first."""
    completes: Mapping[str, Callable[["Context", str], Iterable[str]]] = field(default_factory=dict)
    """What the words in capitals of its usage stand for, besides `completion.ARGUMENTS`: given the word before."""

    def __call__(self, handler: AnyHandler) -> AnyHandler:
        """Declare the command: the decorated function carries it out."""
        self.handler = handler
        _DECLARED[handler.__module__].append(self)
        return handler

    async def run(self, context: "Context", rest: str) -> Answer:
        """Carry it out. Raises InputError if that cannot be done, also if the log cannot be read now."""
        try:
            return await self.handler(context, rest) or Answer()
        except NotSaved as error:
            log.error("log not read", command=self.name, problem=str(error))  # noqa: TRY400 - it says what is wrong
            raise InputError("not_saved", f"that cannot be read now ({error}): try again in a moment") from None

    @property
    def typed(self) -> tuple[str, ...]:
        """All that stands for it, its name first."""
        return (self.name, *self.aliases, *filter(None, self.words.split(", ")))

    @property
    def is_proposed(self) -> bool:
        """Whether Enter may do it if the player has typed something else."""
        return not (self.grave or self.goes)

    def works(self, place: Place) -> bool:
        """Whether it can be typed there."""
        if place.kind != "shell":
            return not {place.name, place.kind}.isdisjoint(self.where)
        if place == SSH:
            return bool(self.ssh)
        return self.ops or (self.behind_admin is not None if place == ADMIN_SSH else self.ssh.startswith("answer"))

    def is_on(self, page: Collection[str]) -> bool:
        """Whether it is listed on a first page of help that has these names."""
        return self.pages is None or not set(page).isdisjoint(self.pages)


class DidYouMean(InputError):
    """The refusal of a line that is nearly another one, which it proposes."""

    def __init__(self, said: str, line: str, context: Context) -> None:
        """``said``: what stands first. ``line``: what Enter or yes gives, where there is a session."""
        super().__init__("bad_request", f"{said}{_WAYS.get(context.place, ' Enter does it, help lists all')}")
        self.line = line


class Unsaid(DidYouMean):
    """The refusal of a line that may be meant for others. It proposes to say it to them."""

    def __init__(self, line: str) -> None:
        InputError.__init__(self, "bad_request", "that is no command: Enter says it to the others here, help lists all")
        self.line = f"'{line}"


def unsaid(line: str, context: Context) -> InputError:
    """The refusal of small talk: it is proposed to be said, or if nobody would hear it, what can be typed is told."""
    return Unsaid(line) if is_heard(context) else InputError(UNKNOWN, f"nobody hears you here:{ways(context)}")


UNKNOWN: Final = "unknown"
"""The code of the refusal of a word that means nothing, and nearly nothing."""
_TO_ME: Final = re.compile(r"^((can|could|would|will) you )?(please )?(tell|give|show) me (please )?", re.IGNORECASE)
_QUESTION: Final = re.compile(
    r"(so )?(how )?(can|could|may|might|shall|should|must|would|will|do|does|is|are|am) (i|we|you)\b|.*\?$",
    re.IGNORECASE,
)
POLITE: Final = ("please", "pls", "plz", "just")
FILLERS: Final = (
    *("a", "an", "the", "to", "i", "i'm", "im", "we", "you", "me", "us", "my", "myself", "some", "now", "do"),
    *("show", "see"),
    *("of", "this", "that", "can", "could", "may", "want", "wanna", "would", "like", "i'd", "let", "let's", "lets"),
)
"""Words that change nothing of what a sentence asks for."""
ASKS: Final = frozenset(
    {"how", "what", "where", "which", "can", "could", "show", "turn", "change", "set", "open", "make"}
)
"""How sentences begin that are rather meant for the program, also where others are."""
SHORT: Final = 2
"""A line of more words is a sentence, of which no short word is taken for a command."""
LONG: Final = 6
"""The least letters of a word, besides the names of commands, that is proposed: shorter ones are like too many."""
GENERAL: Final = frozenset(
    {"play", "game", "games", "start", "begin", "table", "tables", "cards", "where", "what", "about", "info", "time"}
    | {"list", "look", "how", "solo", "data", "practice", "training", "names", "stop", "match", "register", "turn"}
    | {"close", "players", "why", "who", "done"}
)
"""Words that stand for a command alone, and in a sentence tell nothing of what it is about."""
_HOLDS_BACK: Final = re.compile(
    r"\b(wait(s|ing)?|hold|not|never|(do|does|is|are|must|should)n'?t|yet|later|until|till|when|comes|coming)\b"
)
"""What stands in a sentence that wants something to be done later or never."""
_WAYS: Final[Mapping[Place, str]] = {
    SSH: " ssh HOST help lists all",
    ADMIN_SSH: " ssh HOST admin help lists all",
    PROMPT: " help lists all",
}
"""Where the commands are listed, for those who are in no session."""


class MoreDetails(Struct, frozen=True):
    """What a feature adds to `help NAME` of a command that is not its own."""

    command: str
    lines: Sequence[str]


class Understands(Struct, frozen=True):
    """What a feature makes of sentences, before they are compared with words and phrases."""

    line_for: Callable[[str, Context], str]
    """Given the line as `spoken` has it: the line that it means there; empty if this is none of its sentences."""


ADMIN: Final = "admin"
"""Stands before a command of ops, as `ssh HOST admin COMMAND` and inside; alone over ssh it may open a screen."""
_DECLARED: Final[defaultdict[str, list[Command]]] = defaultdict(list)
"""The commands by the module that declares them."""


def declared_in(*modules: str) -> tuple[Command, ...]:
    """The commands that these modules declare."""
    return tuple(command for module in modules for command in _DECLARED[module])


@cache
def commands_with(features: Features) -> tuple[Command, ...]:
    """Every command with these features, in the order of help. Two may have one name if they work elsewhere.

    Without a feature that has finished games or exercises to look at, the commands that work only there are left out.
    """
    core = declared_in(*(module for module in _DECLARED if module.startswith(f"{__package__}.")))
    places = (*OF_THE_CORE, *features.all(Place))
    commands = [
        each
        for each in (*core, *features.all(Command))
        if each.ssh or each.ops or any(each.works(place) for place in places)
    ]
    order = [*get_args(Section)]
    return tuple(sorted(commands, key=lambda each: (each.ops, order.index(each.section))))


def command_names(features: Features) -> frozenset[str]:
    """The names of every command with these features: the lobby gives them to no player."""
    return frozenset(command.name for command in commands_with(features))


@cache
def _by_word(features: Features) -> Mapping[str, Sequence[Command]]:
    """The commands by all that stands for them, those of that name first."""
    found = defaultdict[str, list[Command]](list)
    for command in commands_with(features):
        for word in command.typed:
            found[word].append(command)
    return {word: sorted(same, key=lambda each: each.name != word) for word, same in found.items()}


def command_named(name: str, features: Features) -> Command | None:
    """The first command of this name; None if there is none."""
    found = command_typed(name, features)
    return found if found is not None and found.name == name else None


def command_typed(word: str, features: Features) -> Command | None:
    """The command of this name, or else the first one that people also call so; None if there is none."""
    return next(iter(_by_word(features).get(word, ())), None)


def known(context: Context) -> list[Command]:
    """The commands that the player is told of: only ops of theirs, and without a server none that needs one."""
    is_op, is_alone = context.lobby.is_op(context.caller), context.caller.is_alone
    commands = commands_with(context.lobby.features)
    return [each for each in commands if (is_op or not each.ops) and not (is_alone and each.on_server)]


def usable(context: Context) -> list[Command]:
    """The commands that work where the player is."""
    return [each for each in known(context) if each.works(context.place)]


def look_up(word: str, context: Context, rest: str = "") -> Command:
    """The command that this word means: one that works here if there is one, else one that works elsewhere.

    With a text behind the word, only the name stands for a command that takes no text. Raises InputError if there is no
    command, or more than one.
    """
    lobby, place = context.lobby, context.place
    same = [each for each in _by_word(lobby.features).get(word, ()) if not each.ops or lobby.is_op(context.caller)]
    if rest:
        same = [each for each in same if " " in each.usage or word not in each.words.split(", ")]
    found = [each for each in same if each.works(place)]
    if not found and word:
        may_be_short = place not in {SSH, ADMIN_SSH}
        found = (may_be_short and _begun(word, usable(context))) or same[:1]
        found = found or (may_be_short and _begun(word, known(context))) or []
    if len(found) > 1 and len(names := [*dict.fromkeys(each.name for each in found)]) > 1:
        raise InputError("bad_request", f"{word!r} could be {', '.join(names)}: type a little more")
    if found:
        return found[0]
    raise _unknown(word, rest, context)


def spoken(line: str) -> str:
    """A line as it is compared with words and phrases: small letters, single spaces, no marks behind words."""
    return " ".join(_bare_words(line.lower()))


def _bare_words(line: str) -> list[str]:
    """The words of a line, without the marks behind them."""
    return [bare for word in line.split() if (bare := word.rstrip("?!.,;")) and bare.lower() not in POLITE]


def is_command(said: str, context: Context) -> bool:
    """Whether these words, with all their signs, stand for a command."""
    return said in _by_word(context.lobby.features)


def meant_by(line: str, context: Context) -> str:
    """The line that a feature takes this one for.

    The same if it takes it for none, if a command takes it as a text, or if one command that works here begins so.
    """
    said, features = spoken(_TO_ME.sub("", line)), context.lobby.features
    if any("TEXT" in each.usage for each in _by_word(features).get(said.partition(" ")[0], ())):
        return line
    if len(said) > SHORT and len(_begun(said, usable(context))) == 1:
        return line
    return next(filter(None, (each.line_for(said, context) for each in features.all(Understands))), line)


def _must_be_no_name(word: str, context: Context) -> None:
    """Raises InputError for a word that says how a player wants to be called: no command, nor the slip of a letter."""
    if not (isinstance(context, PlayerSession) and context.asks_name and context.place == LOBBY and word.isalpha()):
        return
    here, said = usable(context), word.lower()
    is_beginning = word == said and any(each.is_proposed for each in _begun(word, here))
    names = [each for each in (*(each.name for each in here), *context.lobby.rulebook.names) if each[0] == said[0]]
    near = (each for each in names if len(each) > SHORT + 2 and abs(len(each) - len(said)) < 2)
    exchanged = (each for each in names if sorted(each) == sorted(said))
    if not (is_beginning or is_command(said, context) or nearest(said, (*near, *exchanged))):
        raise InputError(UNKNOWN, f"{word} is a name")


def _must_ask_for_something(line: str, context: Context) -> None:
    """Raises InputError for a sentence that wants something to wait: the command in its words is not wanted now."""
    said = spoken(line)
    named = command_named(said.partition(" ")[0], context.lobby.features) or command_typed(said, context.lobby.features)
    is_asked = named and (named.read_only or re.search("TEXT|WORD|NAME", named.usage) or said in named.typed)
    if is_asked or not _HOLDS_BACK.search(said):
        return
    unheard = InputError(UNKNOWN, table_waits(context) or f"that is not understood:{ways(context)}")
    raise Unsaid(line) if is_heard(context) else unheard


def table_waits(context: Context) -> str:
    """What a player reads between games who wants to wait for others; empty elsewhere, and if none can come."""
    snapshot = context.snapshot
    is_open = context.place == TABLE and snapshot is not None and not (snapshot.playing or snapshot.occasion)
    waits = "The table waits until a player here types start. invite shows how others come, add seats an AI player."
    return waits if is_open and not context.caller.is_alone else ""


def find_in_line(line: str, context: Context) -> tuple[Command, str]:
    """The command that a typed line means here, and the text behind its name. Raises InputError, as `find`."""
    _must_be_no_name(line, context)
    _must_ask_for_something(line, context)
    typed, line = line, _TO_ME.sub("", line)
    parts, features = _bare_words(line), context.lobby.features
    asked = [word for word in parts if word.lower() not in FILLERS]
    said, plain, elsewhere = spoken(line), spoken(" ".join(asked)), ("", "")
    for phrase, rest in _phrases(said, plain, asked, parts):
        same = _by_word(features).get(phrase, ())
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
        word = first.lower().rstrip(",;") if rest else said or first
        found = look_up(word, context, rest)
        _must_work(found, context, word)
    except InputError as error:
        raise _instead(error, typed, parts, plain, context) from None
    if "TEXT" not in found.usage and not found.ops:  # ops give reasons
        passed_over = {*FILLERS, "at", "for", "table", "game"}
        names = (each for each in _bare_words(rest) if each.lower() not in passed_over or command_named(each, features))
        rest = " ".join(names)
    return found, rest.strip()


def may_do(command: Command, line: str, context: Context) -> bool:
    """Whether a line from which this command was found does it, or else the player is told of it.

    A question changes nothing. No sentence does a grave command, nor behind ssh HOST one that changes something.
    """
    in_shell = context.place.kind == "shell"
    if command.read_only or (in_shell and command.shows_over_ssh):
        return True
    is_guessed = {line.partition(" ")[0].lower(), spoken(line)}.isdisjoint(command.typed)
    if is_guessed and (in_shell or command.grave):
        return False
    return ("TEXT" in command.usage and not is_guessed) or not _QUESTION.match(line)


def _instead(error: InputError, typed: str, parts: Sequence[str], plain: str, context: Context) -> InputError:
    """The better refusal of a line that is no command here: it says what was meant, or proposes to say it to others."""
    first, words = parts[0].lower() if parts else "", plain.split()
    is_sentence = len(parts) > SHORT or (len(parts) > 1 and first in FILLERS)
    is_cheer = len(parts) > 1 and command_named(first, context.lobby.features) is None  # "go ben"
    is_talk = is_heard(context) and (is_sentence or is_cheer or error.code == UNKNOWN)
    if is_talk and first not in ASKS:
        return Unsaid(typed)
    if isinstance(error, DidYouMean) and len(words) == 1:
        return error  # "im redy"
    if inside := _inside(words[1:], context, is_sentence=len(parts) > SHORT):
        return DidYouMean(f"did you mean {inside}?", inside, context)
    if is_sentence and (topic := command_in(words, context)):
        return told_of(topic, context)
    if is_talk:
        return Unsaid(typed)
    is_unknown = is_sentence or (len(parts) > 1 and error.code == UNKNOWN)
    return InputError(UNKNOWN, f"that is not understood:{ways(context)}") if is_unknown else error


def _inside(words: Sequence[str], context: Context, *, is_sentence: bool) -> str:
    """A word of a line that is a command here and costs nothing; of a sentence a long name. Empty if there is none."""
    here = [each for each in usable(context) if each.is_proposed and not _is_too_late(each, context)]
    names = {each.name for each in here if len(each.name) >= LONG - 1}
    known_here = names if is_sentence else {word for each in here for word in each.typed}
    return next((word for word in words if word in known_here), "")


def command_in(words: Iterable[str], context: Context) -> Command | None:
    """The command that a sentence is about: two or one of its words stand for it, if possible here. None if none is."""
    told, single = [each for each in known(context) if not _is_too_late(each, context)], [*map(str.lower, words)]
    for word in (*map(" ".join, pairwise(single)), *single):
        same = [each for each in _by_word(context.lobby.features).get(word, ()) if each in told]
        if same and len(word) > SHORT and word not in GENERAL:
            return next((each for each in same if each.works(context.place)), same[0])
    return None


def told_of(command: Command, context: Context, rest: str = "") -> InputError:
    """What a command does, as the answer to a sentence about it; it is proposed if it can be done as it stands.

    ``rest``: what the sentence has said behind its name.
    """
    try:
        _must_work(command, context)
    except InputError as error:
        return error
    if _is_too_late(command, context):
        return InputError("wrong_phase", f"the game is going on:{ways(context)}")
    needed, line = command.usage.partition(" [")[0], f"{command.name} {rest}".rstrip()
    if (rest or needed == line) and command.is_proposed:
        return DidYouMean(f"{line}: {command.help}.", line, context)
    return InputError("bad_request", f"type {needed}: {command.help}")


def _is_too_late(command: Command, context: Context) -> bool:
    """Whether it begins a game, and one goes on."""
    return command.begins_game and context.snapshot is not None and context.snapshot.playing


def is_heard(context: Context) -> bool:
    """Whether other people are around a player. A line may have been said to them."""
    if not isinstance(context, PlayerSession) or context.side_view is not None:
        return False
    if (snapshot := context.snapshot) is None:
        return len(context.lobby.visitors.came) > 1
    return not context.table.names().keys() <= {context.player.id} or snapshot.watching > (snapshot.seat is None)


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
    here, rest = [each for each in usable(context) if not _is_too_late(each, context)], " ".join(_bare_words(rest))
    long_words = [word for each in here for word in each.typed if len(word) >= LONG and " " not in word]
    moves = ["ready"] if context.snapshot is not None and READY in context.snapshot.legal else []
    near = get_close_matches(word[:20], {*(each.name for each in here), *long_words, *moves}, 2, NEAR)
    names = context.lobby.rulebook.names if context.place in {LOBBY, SSH} else []
    rules = {each.rpartition("-")[2]: each for each in reversed(names)}  # also "original"
    if not near and context.place == TABLE and nearest(word, ["play"]):
        return InputError("bad_request", f"to play a card, type {rest or 'its rank'} alone")
    if named := nearest(word, rules):
        near = [f"play {rules[named]}"]
        rest = " ".join(each for each in rest.split() if each not in {*FILLERS, "game", "cards", "one"})
    unknown = f"{word} is a rule set" if word in rules else f"unknown command {word[:20]!r}"
    if " " in word:
        return InputError(UNKNOWN, f"that is not understood:{ways(context)}")
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
        led_on = "start deals" if snapshot.occasion is None else f"{snapshot.next.command} leads on"
        now = "hint proposes a move" if snapshot.hints else "look shows the table"
        return f" {now if snapshot.playing else led_on}, rules tells how it is played, help lists all"
    first = " hint says what to type," if context.place.guides else ""
    return first + _WAYS.get(context.place, " leave goes back, help lists all")


def _begun(word: str, commands: Iterable[Command]) -> list[Command]:
    """The commands whose names begin so, and need not be typed in full."""
    return [each for each in commands if each.name.startswith(word) and not (each.in_full or each.grave)]


def find(word: str, context: Context) -> Command:
    """The command that this word means here. Raises InputError if there is none, or it works elsewhere."""
    found = look_up(word, context)
    _must_work(found, context, word)
    return found


def _must_work(found: Command, context: Context, word: str = "") -> None:
    """Raises InputError if the command does not work where the player is; it says how to get there.

    ``word`` is what was typed for it, in which the player is answered if it is not just the beginning of its name.
    """
    if found.works(context.place):
        return
    word = word if word and word in found.words.split(", ") else found.name
    if not found.where:
        raise InputError("bad_request", f"{word} works from a shell: ssh HOST {word}")
    if context.place == ADMIN_SSH and found.ssh:
        raise InputError("bad_request", f"{word} works without admin: ssh HOST {word}")
    there = next(each for each in (*OF_THE_CORE, *context.lobby.features.all(Place)) if found.works(each))
    works, way = there.works, there.way
    if context.place.kind == "shell":
        works, way = "in a session", "come in with ssh HOST, and type it there"
    elif (context.place, there) == (WATCHING, TABLE):
        works, way = "with a seat", "type sit to take one"
    elif context.place == TABLE and context.snapshot is not None and context.snapshot.playing:
        is_played = context.snapshot.view is None or context.snapshot.view.phase == "play"
        elsewhere = "finish this game first" if is_played else "type leave first"
        way = elsewhere if there == LOBBY else "help lists what works here"
    elif context.place != LOBBY:
        way = "type leave first"
    raise InputError("bad_request", f"{word} works {works}: {way}")
