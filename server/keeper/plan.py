"""The plan of a server: its settings and house rules as its keeper needs them, and how two plans differ."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

import msgspec
from msgspec import DecodeError, Struct, json, msgpack

from server.app.main_process import NotStarted
from server.command_line import ListensAt, command_lines, database_place
from server.config import NO_SETTINGS, Config, in_place
from server.keeper import PLAN_VARIABLE
from server.keeper.link import Failed, line_of
from server.rulebook import read_house_rules


class Plan(Struct, tag="plan"):
    """What the keeper needs to know of the settings, and what a process takes in place."""

    listens_at: list[ListensAt]
    processes: int
    watchdog: float
    """Seconds; see `Child.until_ended`."""
    settings: bytes
    """All settings, for the processes."""
    may_share_log: bool = True
    """See `Config`. If not, no new process starts while an old one runs."""
    not_loaded: list[str] = []
    """What is wrong with house rules, which are left out."""
    house_rules: dict[str, str] = {}
    """The texts of house rules by name."""
    fixed: str = ""
    """Tells apart what only new processes take; empty by a program that takes nothing in place, like 1.0.0."""


def plan_of(config: Config) -> Plan:
    """What a keeper needs to know of these settings."""
    settings = msgpack.encode(config)
    house_rules, not_loaded = read_house_rules(Path(config.rules_dir))
    return Plan(
        list(config.listens_at()),
        config.processes,
        config.watchdog,
        settings,
        config.may_share_log,
        not_loaded=not_loaded,
        house_rules=house_rules,
        fixed=_fixed(_values(settings)),
    )


def _values(settings: bytes) -> dict[str, object]:
    """The settings by name, those of features among them."""
    all_of = msgpack.decode(settings)
    return {name: value for name, value in (all_of | all_of["of_features"]).items() if name not in NO_SETTINGS}


def _fixed(settings: Mapping[str, object]) -> str:
    """See `Plan`: the settings that are not `InPlace`, files that they name, the program, and its libraries."""
    taken, here = in_place(), Path(__file__).parents[2]
    fixed = sorted((name, value) for name, value in settings.items() if name not in taken)
    files = [Path(value) for _, value in fixed if isinstance(value, str)]
    files += Path(str(settings["hostkeys"])).glob("*.next")
    for package in ("engine", "server"):
        files += sorted(file for file in (here / package).rglob("*.*") if "__pycache__" not in file.parts)
    stamps = []
    for file in files:
        with suppress(OSError):  # a text that names no file, or a file that is gone
            if S_ISREG((found := file.stat()).st_mode):
                stamps.append((str(file), found.st_mtime_ns, found.st_size))
    libraries = sorted(each.name for each in Path(msgspec.__file__).parents[1].iterdir())
    return sha256(repr((fixed, stamps, libraries)).encode()).hexdigest()


def can_be_taken(before: Plan, now: Plan) -> bool:
    """Whether processes can take in place what has changed between two plans."""
    return bool(now.fixed) and now.fixed == before.fixed


def changed_settings(before: Plan, now: Plan) -> tuple[str, ...]:
    """The names of the settings and house rules that differ between two plans, and of all wrong ones together."""
    old, new = _told(before), _told(now)
    return tuple(sorted(name for name in old | new if old.get(name) != new.get(name)))


def _told(plan: Plan) -> dict[str, object]:
    """What a plan has by the names that a host reads."""
    rules = {f"house rules {name}": text for name, text in plan.house_rules.items()}
    return _values(plan.settings) | rules | {"errors in house rules": plan.not_loaded}


def moved_settings(before: Plan, now: Plan) -> list[str]:
    """The settings that say that the games are elsewhere than before: players on two databases are two servers."""
    old, new = _places(before), _places(now)
    return [name for name in old if old[name] != new[name]]


def _places(plan: Plan) -> dict[str, object]:
    """The places that settings name, each of which can be written in several ways."""
    settings = msgpack.decode(plan.settings)
    database = settings["database"]
    with suppress(ValueError):  # only a newer program knows it
        database = database_place(database, command_lines().values())
    return {"data": Path(settings["data"]).resolve(), "database": database}


def print_plan(settings: Callable[[], Config]) -> int:
    """Tell the keeper, which may be older than this program, the plan of now; or what is wrong. Returns the status."""
    from server.cli.failures import FAILURES, explain  # noqa: PLC0415 - the keeper does without it

    said: Plan | Failed
    try:
        said = plan_of(settings())
    except FAILURES as error:
        said = Failed(*explain(error))
    sys.stdout.buffer.write(line_of(said))
    return 0


async def read_plan(command: Sequence[str]) -> Plan:
    """Have the program of now read and check the settings of now. Raises NotStarted, which says what is wrong."""
    try:
        reading = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {PLAN_VARIABLE: "yes"},
        )
    except OSError as error:
        raise NotStarted(f"the settings could not be read: {error.strerror}") from None
    try:
        said, _ = await reading.communicate()
        answer = json.decode(said, type=Plan | Failed)
    except DecodeError:
        raise NotStarted(f"the settings could not be read: exit status {reading.returncode}") from None
    finally:
        if reading.returncode is None:
            reading.kill()
    if isinstance(answer, Failed):
        raise NotStarted(answer.problem, answer.status)
    return answer
