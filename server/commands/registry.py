"""The registry of commands. Help, completion, `ssh HOST help` and refusals by location all follow from it.

A command is declared once, above the function that carries it out. The function's docstring is its line of help::

    @Command("who", read_only=True, ssh="answer")
    async def who(context: Context, rest: str) -> Answer:
        '''List the people here.'''

Those of the modules of this package are the core's. A feature gives those of its own modules (`declared_in`).
A handler raises InputError if it cannot do what was typed; the message says what is wrong and what would be right.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast, get_args

import structlog
from msgspec import Struct

from engine.errors import InputError
from server.features import Features
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession
from server.render.scene import Scene
from server.storage.database import NotSaved
from server.table.place import OF_THE_CORE, SSH, Place
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
    """What a number, or a name, typed at a page of these lines stands for; see `Page`."""


Handler: TypeAlias = Callable[[Context, str], Coroutine[Any, Any, Answer | None]]
"""Carries out what was typed. It takes the text behind the name; None is an empty answer."""
AnyHandler = TypeVar("AnyHandler", bound=Callable[[PlayerSession, str], Coroutine[Any, Any, Answer | None]])
"""A `Handler` or, of a command that works in sessions alone, a function that takes only a session."""


@dataclass(slots=True, eq=False)
class Declared:
    """A word to type that is declared above the function that carries it out."""

    usage: str
    """The word and its arguments, which are in capitals; `finding.ARGUMENTS` completes those of commands."""
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
    may: Callable[["Context"], object] = lambda _: True
    """Says whether nothing that holds now is against it; if not, it is not proposed either."""
    goes: bool = False
    """Whether the player goes away by it: it is not proposed either."""
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
    answers_with: Collection[str] = ()
    """Words behind its name with which it only answers over ssh, also with a terminal."""
    options: Collection[str] = ()
    """The options that it takes over ssh, besides --json and --help."""
    needs_name: bool = False
    """Whether it needs the player's name over ssh, which takes several questions to the log."""
    details: Sequence[str] = ()
    """More lines for `help NAME`."""
    section: Section = "play"
    """The part of help that lists it, unless it is for ops. In each the core's commands come first."""
    completes: Mapping[str, Callable[["Context", str], Iterable[str]]] = field(default_factory=dict)
    """What the words in capitals of its usage stand for, besides `finding.ARGUMENTS`: given the word before."""

    def __call__(self, handler: AnyHandler) -> AnyHandler:
        """Declare the command: the decorated function carries it out."""
        self.handler = cast("Handler", handler)  # one for sessions alone is given nothing else: see `works`
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
        return self.ops or self.ssh.startswith("answer")

    def is_on(self, page: Collection[str]) -> bool:
        """Whether it is listed on a first page of help that has these names."""
        return self.pages is None or not set(page).isdisjoint(self.pages)


class MoreDetails(Struct, frozen=True):
    """What a feature adds to `help NAME` of a command that is not its own."""

    command: str
    lines: Sequence[str]


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


@cache
def _by_word(features: Features) -> Mapping[str, Sequence[Command]]:
    """The commands by all that stands for them, those of that name first."""
    found = defaultdict[str, list[Command]](list)
    for command in commands_with(features):
        for word in command.typed:
            found[word].append(command)
    return {word: sorted(same, key=lambda each: each.name != word) for word, same in found.items()}


def called(word: str, features: Features) -> Sequence[Command]:
    """The commands of this name, then those that people also call so."""
    return _by_word(features).get(word, ())


def command_named(name: str, features: Features) -> Command | None:
    """The first command of this name; None if there is none."""
    return next((each for each in called(name, features) if each.name == name), None)


def known(context: Context) -> list[Command]:
    """The commands that the player is told of: only ops of theirs, and without a server none that needs one."""
    is_op, is_alone = context.lobby.is_op(context.caller), context.caller.is_alone
    commands = commands_with(context.lobby.features)
    return [each for each in commands if (is_op or not each.ops) and not (is_alone and each.on_server)]


def usable(context: Context) -> list[Command]:
    """The commands that work where the player is."""
    place = context.place
    return [each for each in known(context) if each.works(place)]
