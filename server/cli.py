"""The command line: ``quatch serve``, ``play``, ``replay``, ``verify``, ``backup``, ``referee``, ``arena``, ..."""

import argparse
import asyncio
import faulthandler
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.ai import LEVELS
from engine.ai.weights import GENERAL
from engine.errors import BadRules, InputError
from engine.referee import answer_line
from engine.rulesets import ruleset, rulesets
from server import garbage, logs, service
from server.app import App
from server.arena import Match, run_arena
from server.at_home import play_here, replay_here
from server.bench import bench_ai, bench_engine
from server.bench_attacks import bench_attacks
from server.bench_frames import bench_frames
from server.bench_log import bench_log
from server.bench_table import bench_table
from server.bots import MOST_BOTS, Errand, run_bots
from server.config import Config, ConfigError, from_environment
from server.descriptors import room_for
from server.fit import SHIPPED, fit_weights
from server.hostkeys import HostKeyError
from server.record import read_record
from server.replay import OPEN, Eyes, record_json, told
from server.rulebook import ENDING, Rulebook, read_rules_file, sheet
from server.sqlite_file import FILE_NAME, backup
from server.sqlite_log import SqliteLog
from server.store import NotSaved, TableLog
from server.text_lines import BadRecord
from server.verify import verify
from server.version import VERSION
from server.watchdog import Watchdog

BENCHES: Final[dict[str, Callable[[argparse.Namespace], Iterator[str]]]] = {
    "engine": lambda options: bench_engine(options.seconds),
    "ai": lambda options: bench_ai(options.seconds),
    "frames": lambda options: bench_frames(options.seconds),
    "log": lambda options: bench_log(options.seconds),
    "table": lambda options: bench_table(options.seconds, options.players),
    "attacks": lambda options: bench_attacks(options.seconds, options.only),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status: 0, or with one line 2 for wrong usage and 1 for what the world refuses.

    A record that does not hold is of the world.
    """
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (ConfigError, HostKeyError, InputError) as error:
        print(f"quatch: {error}", file=sys.stderr)
        return 1 if isinstance(error, BadRecord) else 2
    except (NotSaved, OSError) as error:
        print(f"quatch: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="quatch", description="Palace-family card games in a terminal, over ssh.")
    parser.add_argument("--version", action="version", version=f"quatch {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="run the server")
    serve.add_argument("--host", action="append", help="address to listen on; may be repeated (default: all)")
    serve.add_argument("--port", type=int, help="port for ssh, 0 for any free one (default: 2222)")
    serve.add_argument("--telnet-port", type=int, help="port for telnet, 0 for any free one (default: no telnet)")
    serve.add_argument("--data", help="folder for what the server must remember (default: var)")
    serve.add_argument("--config", type=Path, help="TOML file of settings; deploy/quatch.toml lists them")
    serve.set_defaults(run=_serve)

    play = commands.add_parser("play", help="a game against AI players in this terminal, no network")
    play.add_argument("rules", nargs="?", default="quatch", help=f"one of {', '.join(rulesets())}")
    play.add_argument("--seats", type=int, help="players at the table (default: as many as the rules allow)")
    play.add_argument("--level", choices=list(LEVELS), default="hard", help="of the AI players (default: hard)")
    play.add_argument("--seed", help="any text: the same seed, the same cards")
    play.set_defaults(run=_play)

    copy = commands.add_parser("backup", help="copy the server's database to a new file, while it runs or not")
    copy.add_argument("file", type=Path, help="the copy to make; restored by putting it in the place of the database")
    copy.add_argument("--data", help="folder of the database (default: var)")
    copy.set_defaults(run=_backup)

    referee = commands.add_parser("referee", help="rules over a pipe: one JSON request a line, one answer a line")
    referee.set_defaults(run=_referee)

    rules = commands.add_parser("rules", help="the rules in brief")
    rules.add_argument(
        "name", nargs="?", help=f"one of {', '.join(rulesets())}, or a file of house rules (default: a list)"
    )
    rules.set_defaults(run=_rules)

    replay = commands.add_parser("replay", help="a finished game again, move by move")
    _add_which_game(replay)
    replay.add_argument("--seat", type=int, metavar="N", help="see what this seat saw, from 1 (default: all cards)")
    way = replay.add_mutually_exclusive_group()
    way.add_argument("--all", action="store_true", help="print the whole game")
    way.add_argument("--export", type=Path, metavar="FILE", help="write the record to this file instead")
    way.add_argument("--json", action="store_true", help="print everything as one JSON object instead")
    replay.set_defaults(run=_replay)

    check = commands.add_parser("verify", help="deal a finished game again and check every move: exit status 0 or 1")
    _add_which_game(check)
    check.set_defaults(run=_verify)

    bots = commands.add_parser("bots", help="seat AI players at a server from outside, as any bot would come")
    bots.add_argument("host", metavar="HOST", help="where the server is")
    bots.add_argument("--port", type=int, default=Errand.port, help="its port for ssh (default: 2222)")
    bots.add_argument("--count", type=int, default=Errand.count, help=f"how many, up to {MOST_BOTS} (default: 1)")
    bots.add_argument("--level", choices=list(LEVELS), default=Errand.level, help="how well they play (default: hard)")
    bots.add_argument("--rules", choices=rulesets(), help="what they play (default: what the open table plays)")
    bots.add_argument("--table", type=int, help="where they sit (default: an open table, or one they open)")
    bots.add_argument("--games", type=int, help="how many they play before they go (default: as many as there are)")
    bots.add_argument("--pace", type=float, default=Errand.pace, help="seconds they take for a move (default: 1)")
    bots.set_defaults(run=_bots)

    _add_tools(commands)
    return parser


def _add_tools(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """What is for those who build on it: benchmarks, and AI players against each other."""
    bench = commands.add_parser("bench", help="how fast it is, beside a baseline measured in the same run")
    bench.add_argument("what", choices=list(BENCHES), help="the part to measure")
    bench.add_argument("--seconds", type=float, default=1.0, help="how long each figure is measured (default: 1)")
    bench.add_argument("--players", type=int, default=100, help="people at tables, for bench table (default: 100)")
    bench.add_argument("--only", default="", metavar="TEXT", help="for bench attacks: those with this in their names")
    bench.set_defaults(run=_bench)

    arena = commands.add_parser("arena", help="AI players against each other, on the same deals from every seat")
    arena.add_argument("rules", help=f"one of {', '.join(rulesets())}")
    arena.add_argument(
        "players", nargs="+", metavar="PLAYER", help=f"LEVEL[/STYLE][@LOOKS]; levels: {', '.join(LEVELS)}"
    )
    arena.add_argument("--games", type=int, default=200, help="at least so many (default: 200)")
    arena.add_argument("--seed", default="1", help="any text: the same seed, the same games (default: 1)")
    arena.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    arena.add_argument(
        "--keep", type=Path, metavar="FILE", help="deals played are kept here, and the same match goes on after them"
    )
    arena.add_argument("--json", action="store_true", help="one JSON object")
    arena.set_defaults(run=_arena)

    fit = commands.add_parser(
        "fit", help="weights for the levels that learn, from self-play; goes on where it was stopped"
    )
    fit.add_argument("rules", help=f"one of {', '.join(rulesets())}, or {GENERAL} for all others")
    fit.add_argument("--games", type=int, default=8000, help="to learn from, for each number of seats (default: 8000)")
    fit.add_argument("--seed", default="1", help="any text: the same seed, the same weights (default: 1)")
    fit.add_argument(
        "--to", type=Path, default=SHIPPED, help="folder for the file (default: where the engine reads it)"
    )
    fit.set_defaults(run=_fit)


def _add_which_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="FILE_OR_ID", help="the file of a record, or the id of a game in the log")
    command.add_argument("--data", help="folder of the server's log (default: var)")


def _serve(options: argparse.Namespace) -> int:
    flags = {
        "host": options.host,
        "port": options.port,
        "telnet_port": options.telnet_port,
        "data": options.data,
    }
    config = from_environment(options.config, flags)
    config = replace(config, connections=room_for(config.connections))
    logs.configure(config.log_level)
    asyncio.run(_run_server(config))
    return 0


async def _run_server(config: Config) -> None:
    # Before anybody is told that the server is ready: it can be asked to stop from then on.
    told_to_stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    app = App(config, SqliteLog(Path(config.data) / FILE_NAME), drained=told_to_stop.set)
    for line in await app.start():
        print(line, flush=True)
    garbage.settle()
    with suppress(OSError, RuntimeError):  # without a standard error nobody is told
        # Whoever aborts the server, the watchdog or a service manager, leaves behind what it was doing.
        faulthandler.enable()
    with Watchdog(app.metrics, config.watchdog, alive=lambda: service.tell("WATCHDOG=1")):
        service.tell("READY=1")
        await told_to_stop.wait()
        service.tell("STOPPING=1")
        await app.stop()


def _play(options: argparse.Namespace) -> int:
    logs.configure("error")
    config = from_environment(None, {"level": options.level})
    seats = f" seats={options.seats}" if options.seats is not None else ""
    rules = ruleset(options.rules)
    asyncio.run(play_here(config, f"play {rules.name}{seats}", options.seed))
    return 0


def _bots(options: argparse.Namespace) -> int:
    logs.configure("error")
    errand = Errand(
        options.host,
        options.port,
        options.count,
        options.level,
        options.rules,
        options.table,
        options.games,
        options.pace,
    )
    with suppress(KeyboardInterrupt):
        asyncio.run(run_bots(errand, lambda line: print(line, flush=True)))
    return 0


def _backup(options: argparse.Namespace) -> int:
    config = from_environment(None, {"data": options.data})
    backup(Path(config.data, FILE_NAME), options.file)
    return 0


def _referee(_: argparse.Namespace) -> int:
    for line in sys.stdin.buffer:
        answer = answer_line(line)
        if answer is not None:
            print(answer, flush=True)
    return 0


def _bench(options: argparse.Namespace) -> int:
    for line in BENCHES[options.what](options):
        print(line, flush=True)
    return 0


def _arena(options: argparse.Namespace) -> int:
    match = Match(ruleset(options.rules), tuple(options.players), options.seed)
    report = run_arena(match, options.games, options.jobs, options.keep)
    print(json.dumps(report.to_json()) if options.json else "\n".join(report.lines()))
    return 0


def _fit(options: argparse.Namespace) -> int:
    for line in fit_weights(options.rules, options.games, options.seed, options.to):
        print(line, flush=True)
    return 0


def _rules(options: argparse.Namespace) -> int:
    if options.name is None:
        print("\n".join(Rulebook().listed()))
        return 0
    try:
        rules = read_rules_file(Path(options.name)) if options.name.endswith(ENDING) else Rulebook().find(options.name)
    except BadRules as error:
        print("\n".join(error.problems), file=sys.stderr)
        return 2
    print("\n".join(sheet(rules)))
    return 0


def open_log(data: str) -> TableLog:
    """The log in a server's folder, still to be opened. Raises InputError where there is none."""
    file = Path(data, FILE_NAME)
    if not file.exists():
        raise InputError("no_log", f"there is no {file}: name the file of a record, or with --data a server's folder")
    return SqliteLog(file)


def _replay(options: argparse.Namespace) -> int:
    text = _record_text(options)
    record = read_record(text)
    eyes: Eyes = OPEN if options.seat is None else options.seat - 1
    if options.export is not None:
        options.export.write_text(text, "utf-8")
    elif options.json:
        print(json.dumps(record_json(record)))
    elif options.all or not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("\n".join(told(record, eyes)))
    else:
        logs.configure("error")
        asyncio.run(replay_here(from_environment(None, {}), record, eyes))
    return 0


def _verify(options: argparse.Namespace) -> int:
    print("\n".join(verify(_record_text(options))))
    return 0


def _record_text(options: argparse.Namespace) -> str:
    """The record that a command is about: a file, else the game of this id. Raises InputError."""
    file = Path(options.game)
    if not file.exists():
        return asyncio.run(_record_from_log(options.game, from_environment(None, {"data": options.data}).data))
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(f"{file} is no record: it is not text in UTF-8") from None


async def _record_from_log(game_id: str, data: str) -> str:
    log = open_log(data)
    await log.open()
    try:
        game = await log.game(game_id) or await log.game(game_id.upper())
    finally:
        await log.close()
    if game is None:
        raise InputError("no_game", f"{game_id[:40]!r} is no file, and no game in the log in {data}")
    return game.record
