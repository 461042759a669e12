"""The sub-commands of `quatch` and their arguments.

Each names the function that runs it, as `module:function`: its module is imported only if the sub-command is run, so
that help, usage errors and small commands do not wait for the whole program. Nothing here may import that code either.
"""

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NoReturn

from engine.errors import nearest
from engine.levels import LEVEL_NAMES
from server import VERSION
from server.bench import add_bench_to
from server.command_line import ALTHOUGH_MOVED, Part, SubParsers, add_which_game, command_lines
from server.training import add_training_to

_NO_NUMBER: Final = re.compile(r"argument (\S+): invalid (int|float) value: (.*)")
"""What argparse says of a text in place of a number."""
_NO_CHOICE: Final = re.compile(r"argument (?:--)?(\w+): invalid choice: '([^']*)'.*choose from (.*)\)")
"""What argparse says of a word that cannot be chosen, with those that can."""
_NO_OPTION: Final = re.compile(r"unrecognized arguments: (--?\w[\w-]*|\w+(?==)).*")
"""What argparse says of an option that there is not, also as `play` has it on a server: seats=2."""
_NUMBERS: Final = {"int": "a whole number", "float": "a number"}

PARTS: Final[Mapping[Part, str]] = {"play": "to play", "host": "to run a server", "make": "to make and measure"}
"""The parts of help, in their order, with their titles."""


class Parser(argparse.ArgumentParser):
    """A parser of the command line or, since argparse makes these of the same class, of a sub-command."""

    parts: Mapping[str, Part] = MappingProxyType({})
    """The part of each sub-command; empty in a sub-command."""

    def error(self, message: str) -> NoReturn:
        """Print one line, and exit with status 2."""
        message = _NO_NUMBER.sub(lambda found: f"{found[1]}: {_NUMBERS[found[2]]}, not {found[3]}", message)
        options = [each for each in self._option_string_actions if each.startswith("--")]
        if found := _NO_CHOICE.match(message):
            message = _no_such(found[1].lower(), found[2], [*(names := re.findall(r"[\w-]+", found[3])), *options])
            if "command" not in message and not message.endswith("?"):
                message += f", there is {', '.join(names)}"
        elif found := _NO_OPTION.match(message):
            message = _no_such("option", found[1], options)
        self.exit(2, f"{self.prog}: {message}{'' if message.endswith('?') else ';'} try {self.prog} --help\n")

    @property
    def arguments(self) -> Sequence[argparse.Action]:
        """Its positional arguments and its options."""
        return self._actions

    @property
    def sub_commands(self) -> dict[str, tuple[str, "Parser"]]:
        """The sub-commands by name: the line of help and the parser of each."""
        # argparse has no public way to list them.
        (commands,) = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001
        lines = {each.dest: each.help or "" for each in commands._get_subactions()}  # noqa: SLF001
        names = sorted(commands.choices, key=lambda name: [*PARTS].index(self.parts[name]))
        return {name: (lines[name], commands.choices[name]) for name in names}

    def format_help(self) -> str:
        """The help of a sub-command; of the program, its sub-commands part by part."""
        if not self.parts:
            return super().format_help()
        lines = [f"usage: {self.prog} COMMAND ...", "", self.description or ""]
        for part, title in PARTS.items():
            listed = {name: line for name, (line, _) in self.sub_commands.items() if self.parts[name] == part}
            lines += ["", f"{title}:", *(f"  {name:<11} {line}" for name, line in listed.items())]
        return "\n".join([*lines, "", f"{self.prog} COMMAND --help tells more; --version shows the version.", ""])


def _no_such(what: str, name: str, names: Sequence[str]) -> str:
    """What to say of a name that there is not; dashes make it no less like another one."""
    typed = {each.lstrip("-"): each for each in names}
    near = nearest(name.lstrip("-"), typed)
    return f"no {what} {name!r}{f': did you mean {typed[near]}?' if near else ''}"


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(prog="quatch", description="Palace-family card games in a terminal, over ssh.")
    parser.add_argument("-V", "--version", action="version", version=f"quatch {VERSION}")
    parser.set_defaults(run="server.cli.simple_commands:show_help", command=None)
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    parts: dict[str, Part] = {}
    adding: Sequence[tuple[Part, Callable[[SubParsers], object]]] = (
        ("host", _add_serve_to),
        ("play", _add_play_to),
        *((each.part, each.add_to) for each in command_lines().values()),
        ("play", _add_rules_to),
        ("play", _add_verify_to),
        ("host", _add_settings_to),
        ("make", _add_referee_to),
        ("make", add_bench_to),
        ("make", add_training_to),
    )
    for part, add_to in adding:
        add_to(commands)
        parts |= dict.fromkeys(commands.choices.keys() - parts.keys(), part)
    about = "show this help, or that of a command"
    helps = commands.add_parser("help", prog=parser.prog, usage="quatch help [COMMAND]", help=about)
    helps.add_argument("command", nargs="?", metavar="COMMAND", choices=list(commands.choices), help="the command")
    helps.set_defaults(run="server.cli.simple_commands:show_help")
    parser.parts = parts | {"help": "play"}
    return parser


def _add_serve_to(commands: SubParsers) -> None:
    serve = commands.add_parser("serve", help="run the server")
    serve.add_argument("--host", action="append", help="address to listen on; may be repeated (default: all)")
    serve.add_argument("--port", type=int, help="port for ssh, 0 for any free one (default: 2222)")
    serve.add_argument("--data", help="folder for everything that the server must keep (default: var)")
    serve.add_argument("--processes", type=int, help="processes that serve the port, 0 for one a core (default: 1)")
    serve.add_argument("--although-moved", action="store_const", const=True, help=ALTHOUGH_MOVED)
    serve.add_argument("--without", metavar="NAME,NAME", help="leave these features out; all: every one")
    serve.add_argument("--new-host-key", metavar="new", help="accept another host key than players know")
    serve.add_argument("--config", type=Path, help="TOML file of settings; quatch settings prints one")
    serve.set_defaults(run="server.cli.serve:serve")


def _add_play_to(commands: SubParsers) -> None:
    play = commands.add_parser("play", help="a game against AI players in this terminal, no network")
    play.add_argument("rules", nargs="?", help="a rule set; quatch rules lists them (default: quatch)")
    play.add_argument("--seats", type=int, help="players at the table (default: three, or as many as the rules allow)")
    play.add_argument(
        "--level",
        choices=LEVEL_NAMES,
        help="level of the AI players (default: easy at first, stronger as you beat them)",
    )
    play.add_argument("--seed", help="any text; the same seed deals the same cards")
    for name, each in command_lines().items():
        if each.played_here:
            play.add_argument(f"--{name}", action="store_true", help=each.played_here.help)
    play.set_defaults(run="server.cli.local_play:play")


def _add_settings_to(commands: SubParsers) -> None:
    settings = commands.add_parser("settings", help="print a file with every setting and its default")
    settings.set_defaults(run="server.cli.simple_commands:settings")


def _add_rules_to(commands: SubParsers) -> None:
    rules = commands.add_parser("rules", help="the rules in brief")
    rules.add_argument(
        "rules", nargs="?", metavar="NAME", help="a rule set, or a file of house rules (default: list the rule sets)"
    )
    rules.set_defaults(run="server.cli.simple_commands:rules")


def _add_verify_to(commands: SubParsers) -> None:
    check = commands.add_parser("verify", help="deal a finished game again and check every move; exit status 0 or 1")
    add_which_game(check)
    check.set_defaults(run="server.cli.simple_commands:verify_record")


def _add_referee_to(commands: SubParsers) -> None:
    referee = commands.add_parser("referee", help="rules over a pipe: one JSON request per line, one answer per line")
    referee.set_defaults(run="server.cli.simple_commands:referee")
