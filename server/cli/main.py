"""The command line of `quatch`: `serve`, `play` and what hosts need."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from msgspec import msgpack

import server
from engine.ai import LEVELS
from engine.errors import BadRules, InputError
from engine.rulesets import DEFAULT, ruleset, rulesets
from server.app.link import SupervisorLink
from server.app.link_messages import Failed
from server.app.process import run_server
from server.app.succession import process_command
from server.cli import database_move, developer_tools, finished_games
from server.cli.bots import MOST_BOTS, BotOptions, run_bots
from server.cli.local_play import play_locally
from server.cli.parser import Parser
from server.cli.shell_completion import HOW_TO_COMPLETE, SHELLS, completion_script
from server.config import Config, ConfigError
from server.database_url import DatabaseUrl
from server.limits import PROCESSES
from server.ops import logs
from server.ops.standard_streams import drop_standard_output, open_standard_streams
from server.records.syntax import BadRecord
from server.rulebook import ENDING, Rulebook, read_rules_file, sheet
from server.storage.sqlite_file import FILE_NAME, backup, size_of
from server.storage.table_log import NotSaved
from server.transport.host_keys import HostKeyError
from server.version import VERSION

OUTPUT_CLOSED: Final = 141
"""The exit status if nobody reads the output any more, as behind `| head`: that of a program which SIGPIPE ended."""

FLAGS: Final = ("host", "port", "telnet_port", "data", "database", "processes", "lan")
"""The settings that have an option of `quatch serve`."""

FAILURES: Final = (ConfigError, HostKeyError, InputError, NotSaved, OSError)
"""What a command may fail with through no fault of the program."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status.

    0 for success. An error prints one line: 2 for wrong usage; 1 for files, networks, and a record that does not hold.
    If its output is closed it ends without a word, with `OUTPUT_CLOSED`.
    """
    open_standard_streams()
    parser = build_parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.sub_commands[options.command][1].error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_standard_output()
        return OUTPUT_CLOSED
    except FAILURES as error:
        problem, status = _explained(error)
        print(f"quatch: {problem}", file=sys.stderr)
    return status


def _explained(error: Exception) -> tuple[str, int]:
    """One line about one of the `FAILURES`, and the exit status."""
    if isinstance(error, ConfigError | HostKeyError | InputError):
        return str(error), 1 if isinstance(error, BadRecord) else 2
    file, why = getattr(error, "filename", None), getattr(error, "strerror", None) or error
    return f"{file}: {why}" if file else str(why), 1


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(prog="quatch", description="Palace-family card games in a terminal, over ssh.")
    parser.add_argument("--version", action="version", version=f"quatch {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")

    _add_serve_to(commands)
    _add_play_to(commands)

    copy = commands.add_parser("backup", help="copy the server's database to a new file, also while it runs")
    copy.add_argument("file", type=Path, help="the copy to make; to restore it, put it in the place of the database")
    copy.add_argument("--data", help="folder of the database (default: var)")
    copy.add_argument("--config", type=Path, help="the server's file of settings, which may name that folder")
    copy.set_defaults(run=_backup)
    database_move.add_to(commands)

    rules = commands.add_parser("rules", help="the rules in brief")
    rules.add_argument(
        "rules",
        nargs="?",
        metavar="NAME",
        help=f"one of {', '.join(rulesets())}, or a file of house rules (default: a list)",
    )
    rules.set_defaults(run=_rules)

    settings = commands.add_parser("settings", help="print a file with every setting and its default")
    settings.set_defaults(run=_settings)

    finished_games.add_to(commands)

    _add_bots_to(commands)
    developer_tools.add_to(commands)

    completion = commands.add_parser("completion", help="print a script that completes quatch in a shell")
    completion.add_argument("shell", choices=SHELLS, help=HOW_TO_COMPLETE)
    completion.set_defaults(run=_completion)

    helps = commands.add_parser("help", help="show this help, or that of a command")
    helps.add_argument("command", nargs="?", metavar="COMMAND", choices=list(commands.choices), help="the command")
    helps.set_defaults(run=_help)
    return parser


def _add_play_to(commands: "argparse._SubParsersAction[Parser]") -> None:
    play = commands.add_parser("play", help="a game against AI players in this terminal, no network")
    play.add_argument("rules", nargs="?", default=DEFAULT, help=f"one of {', '.join(rulesets())}")
    play.add_argument("--seats", type=int, help="players at the table (default: as many as the rules allow)")
    play.add_argument(
        "--level",
        choices=list(LEVELS),
        help="level of the AI players (default: easy at first, stronger as you beat them)",
    )
    play.add_argument("--seed", help="any text; the same seed deals the same cards")
    play.add_argument("--daily", action="store_true", help="today's deal, the same for all who play it so; unrated")
    play.set_defaults(run=_play)


def _add_serve_to(commands: "argparse._SubParsersAction[Parser]") -> None:
    serve = commands.add_parser("serve", help="run the server")
    serve.add_argument("--host", action="append", help="address to listen on; may be repeated (default: all)")
    serve.add_argument("--port", type=int, help="port for ssh, 0 for any free one (default: 2222)")
    serve.add_argument("--telnet-port", type=int, help="port for telnet, 0 for any free one (default: no telnet)")
    serve.add_argument("--data", help="folder for everything that the server must keep (default: var)")
    serve.add_argument("--database", metavar="URL", help="keep it in PostgreSQL instead; better: QUATCH_DATABASE")
    serve.add_argument("--processes", type=int, help="processes that serve the port, 0 for one a core (default: 1)")
    serve.add_argument(
        "--lan", action="store_const", const=True, help="announce it on the local network, and show a QR code"
    )
    serve.add_argument("--config", type=Path, help="TOML file of settings; quatch settings prints one")
    serve.set_defaults(run=_serve)


def _add_bots_to(commands: "argparse._SubParsersAction[Parser]") -> None:
    bots = commands.add_parser("bots", help="seat our AI players at any server, through the bot protocol")
    bots.add_argument("host", metavar="HOST", help="host name or address of the server")
    bots.add_argument("--port", type=int, default=BotOptions.port, help="port of the server (default: 2222)")
    bots.add_argument("--count", type=int, default=BotOptions.count, help=f"how many, up to {MOST_BOTS} (default: 1)")
    bots.add_argument(
        "--level", choices=list(LEVELS), default=BotOptions.level, help="level of the AI players (default: hard)"
    )
    bots.add_argument("--rules", choices=rulesets(), help="rule set to play (default: that of an open table)")
    bots.add_argument("--table", type=int, help="table to sit at (default: an open table, or a new one)")
    bots.add_argument("--games", type=int, help="how many games each plays (default: no end)")
    bots.add_argument("--pace", type=float, default=BotOptions.pace, help="seconds for a move (default: 1)")
    bots.set_defaults(run=_bots)


def _serve(options: argparse.Namespace) -> int:
    if (link := SupervisorLink.inherited()) is not None:
        return _serve_supervised(options, link)
    config = _server_config(options)
    if config.processes == 1:
        run_server(config)
        return 0
    # The supervisor is a small program: in the place of this one, it keeps its number and frees its memory.
    supervisor = [sys.executable, "-m", "server.app.supervisor", config.log_level, str(config.processes)]
    return os.execv(sys.executable, [*supervisor, *process_command()])  # noqa: S606 - it is our own program


def _serve_supervised(options: argparse.Namespace, link: SupervisorLink) -> int:
    """Run one of several server processes; the supervisor is told why it cannot start."""
    try:
        config = msgpack.decode(link.settings, type=Config) if link.settings else _server_config(options)
        logs.configure(config.log_level)
        run_server(config, link)
    except FAILURES as error:
        problem, status = _explained(error)
        link.tell(Failed(problem, status))
        return status
    return 0


def _server_config(options: argparse.Namespace) -> Config:
    """The settings of a server, with the number of its processes. Raises ConfigError."""
    flags = {key: getattr(options, key) for key in FLAGS}
    config = Config.load(options.config, os.environ, flags)
    logs.configure(config.log_level)
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return config if config.processes else replace(config, processes=min(cores, PROCESSES))


def _play(options: argparse.Namespace) -> int:
    logs.configure("error")
    config = Config.load(None, os.environ, {})
    if options.daily:
        _play_daily(options, config)
        return 0
    rules, seats = ruleset(options.rules), options.seats
    if seats is not None and not rules.seats_min <= seats <= rules.seats_max:
        possible = f"{rules.seats_min} to {rules.seats_max}"
        raise InputError("bad_request", f"--seats: {rules.title} has {possible}, not {seats}")
    given = {"seats": seats, "level": options.level}
    words = [
        "play",
        rules.name,
        *(f"{key}={value}" for key, value in given.items() if value is not None),
    ]
    asyncio.run(play_locally(config, " ".join(words), options.seed))
    return 0


def _play_daily(options: argparse.Namespace, config: Config) -> None:
    fixed = {"rules": options.rules != DEFAULT, **{key: getattr(options, key) for key in ("seats", "level", "seed")}}
    if given := next((key for key, value in fixed.items() if value), None):
        name = given if given == "rules" else f"--{given}"
        raise InputError("bad_request", f"--daily: the deal is the same for all, so leave out {name}")
    asyncio.run(play_locally(config, "daily", None))


def _settings(_: argparse.Namespace) -> int:
    print(files(server).joinpath("quatch.toml").read_text("utf-8"), end="")
    return 0


def _bots(options: argparse.Namespace) -> int:
    logs.configure("error")
    bot_options = BotOptions(**{field.name: getattr(options, field.name) for field in fields(BotOptions)})
    with suppress(KeyboardInterrupt):
        asyncio.run(run_bots(bot_options, lambda line: print(line, flush=True)))
    return 0


def _backup(options: argparse.Namespace) -> int:
    config = Config.load(options.config, os.environ, {"data": options.data})
    if config.database:
        url = DatabaseUrl.read(config.database)
        raise NotSaved(f"the database is PostgreSQL: use pg_dump --format=custom --file={options.file} {url}")
    backup(Path(config.data, FILE_NAME), options.file)
    print(f"{options.file}: {size_of(options.file) / 1e6:.1f} MB")
    return 0


def _completion(options: argparse.Namespace) -> int:
    print(completion_script(build_parser(), options.shell))
    return 0


def _help(options: argparse.Namespace) -> int:
    parser = build_parser()
    shown = parser if options.command is None else parser.sub_commands[options.command][1]
    shown.print_help()
    return 0


def _rules(options: argparse.Namespace) -> int:
    name = options.rules
    if name is None:
        print("\n".join(Rulebook().listed()))
        return 0
    try:
        rules = read_rules_file(Path(name)) if name.endswith(ENDING) else Rulebook().find(name)
    except BadRules as error:
        print("\n".join(error.problems), file=sys.stderr)
        return 2
    print("\n".join(sheet(rules)))
    return 0
