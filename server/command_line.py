"""What a feature gives to the command line of `quatch`: its settings, sub-commands, options and benches.

A feature gives it in the `__init__.py` of its package, which imports next to nothing: help and usage errors do not wait
for the feature itself. What it names as `module:function` is imported when it runs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, dataclass_transform

from server.features import FEATURES, is_package
from server.number_text import read_number

if TYPE_CHECKING:
    import argparse

SubParsers: TypeAlias = "argparse._SubParsersAction[Any]"  # noqa: SLF001 - it has no public name
"""What `add_subparsers` returns, to which sub-commands are added; those that there are can be given options."""


Value = TypeVar("Value")
TAKEN: Final = "in place"
InPlace: TypeAlias = Annotated[Value, TAKEN]
"""A setting that is read at each use: a reload that changes only such ones needs no new processes."""
NONE: Final[Mapping[str, Any]] = MappingProxyType({})
Part: TypeAlias = Literal["play", "host", "make"]
"""What a sub-command is for: to play, to run a server, or to make programs and measure them."""


class ListensAt(NamedTuple):
    """Where a carrier listens, and the settings that say so."""

    carrier: str
    """What carries players: ssh, or that of a feature."""
    addresses: tuple[str, ...]
    port: int
    address_setting: str
    port_setting: str
    answers: str = ""
    """What the main process answers there with, as `module:name`: an `app.main_process.Page`. Empty if players connect
    there."""
    link: str = ""
    """What a phone's camera opens, with {host} and {port} in it; empty if no program of every phone speaks with it."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class FeatureSettings:
    """The settings of a feature: each field of a subclass is one, with its default.

    Files and environments of settings are flat, so the name of each begins with that of the feature.
    """

    def __init__(self, **given: object) -> None:
        vars(self).update(given)

    @classmethod
    def defaults(cls) -> dict[str, object]:
        """All of them by name, with their defaults."""
        return {name: getattr(cls, name) for name in cls.__annotations__}

    def problem(self, core: Any) -> str:  # noqa: ANN401, ARG002 - a `config.Config`, which reads these
        """What is wrong with them beside the core's settings, in one line; empty if nothing is."""
        return ""

    def listens_at(self, core: Any) -> ListensAt | None:  # noqa: ANN401, ARG002 - a `config.Config`
        """Where the carrier of the feature listens; None if the feature has none, or it is not wanted."""
        return None


class OtherDatabase(NamedTuple):
    """Databases besides the file, each of which has a URL."""

    schemes: tuple[str, ...]
    """What their URLs begin with, before "://"."""
    form: str
    """The form of their URLs."""
    read: str
    """Reads a URL, as `module:name`: ``place`` of what it returns tells the database from others.

    Raises ValueError for a wrong URL, which the message does not repeat."""
    engine: str
    """Makes a `Database` of a URL and options of its own, as `module:name`."""


class PlayedHere(NamedTuple):
    """A way to play without a server: `quatch play --NAME`, with the name of the feature."""

    help: str
    line: str
    """What is typed first in the session."""
    why_fixed: str
    """Why nothing else can be chosen: "the deal is the same for all"."""
    texts: tuple[tuple[str, str, str], ...] = ()
    """What the log of any game without a server has from the beginning: texts by kind and key."""


class CommandLine(NamedTuple):
    """What one feature gives."""

    feature: str = ""
    """Where its `FEATURE` stands, as `module:name`; empty if it gives nothing to a running server."""
    settings: type[FeatureSettings] | None = None
    add_to: Callable[[SubParsers], object] = lambda commands: commands
    """Adds sub-commands, and options to those of the core."""
    part: Part = "play"
    """The part of help that lists its sub-commands."""
    benches: Mapping[str, str] = NONE
    """What `quatch bench` measures besides, by name: functions of the parsed options that yield figures."""
    growing: Mapping[str, str] = NONE
    """What `quatch bench growth` fills a log with besides, by name: functions of the ids of so many accounts, which
    yield the kind, the key and the text of each row."""
    played_here: PlayedHere | None = None
    bots_enter: str = ""
    """The help of `quatch bots --NAME`, by which bots enter what a request of this name joins; empty for none."""
    own_terminal: str = ""
    """What the main process does at the terminal where the server was started, since the feature shows something there:
    the name of a module, which is an `app.main_process.OwnTerminal`."""
    shared_file: str = ""
    """With it, several processes may write to one log, and be one server: the `Database` in a file that they share, as
    `module:name`."""
    database: OtherDatabase | None = None
    account_texts: tuple[str, ...] = ()
    """The kinds of texts of which an account has one: they are deleted with it, also while the feature is left out."""
    attacks: str = ""
    """Attacks by name, which `quatch bench attacks` carries out besides."""
    attacked_with: Mapping[str, object] = NONE
    """The settings of a server that is attacked in this way."""


ALTHOUGH_MOVED: Final = "use a database in whose place there is another one by now"
"""The help of this option."""


def command_lines() -> dict[str, CommandLine]:
    """What the features that are packages give, by their names."""
    return {name: import_module(f"server.{name}").COMMAND_LINE for name in FEATURES if is_package(name)}


def other_database(url: str, lines: Iterable[CommandLine]) -> OtherDatabase:
    """The databases of this URL among those that features give. Raises ValueError if there are none."""
    kinds = [each.database for each in lines if each.database is not None]
    for kind in kinds:
        if url.partition("://")[0] in kind.schemes:
            return kind
    known = "".join(f" or {kind.form}" for kind in kinds)
    raise ValueError(f"must be empty{known or ': no feature here keeps data elsewhere'}")


def database_place(url: str, lines: Iterable[CommandLine]) -> object:
    """What tells the database of this URL from others; empty for the file. Raises ValueError if there is none."""
    return resolve_name(other_database(url, lines).read)(url).place if url else ""


def add_which_game(command: "argparse.ArgumentParser") -> None:
    """Add the arguments that name a finished game, for `history.record_text`."""
    command.add_argument("game", metavar="FILE_OR_ID", help="a record's file, - for standard input, or a game's id")
    command.add_argument("--data", help="folder of the server's log (default: var)")
    command.add_argument("--config", help="the server's file of settings, which may name that folder")


def settings_in(options: "argparse.Namespace") -> dict[str, Any]:
    """The settings that were given as options of `quatch serve`; None for those that were not."""
    others = {"command", "config", "run", "run_server"}
    return {name: each for name, each in vars(options).items() if name not in others}


def number(text: str) -> int:
    """A whole number, as the type of an argument. Raises ArgumentTypeError."""
    found = read_number(text)
    if found is None:
        import argparse  # noqa: PLC0415 - what keeps the processes of a server begins without it

        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number")
    return found


def print_lines(lines: Iterator[object]) -> int:
    """Print each line as soon as it is known. Return the exit status: what a generator returned, or 0."""
    while True:
        try:
            print(next(lines), flush=True)
        except StopIteration as end:
            return end.value or 0
