"""What `quatch doctor` looks at. Each check yields findings: what is right, or what is wrong and what to do."""

import argparse
import asyncio
import errno
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, NamedTuple

import asyncssh

from engine.wording.phrases import quantity
from server import VERSION
from server.addresses import Address
from server.app.app import App
from server.command_line import print_lines, settings_in
from server.config import Config, ConfigError
from server.features import ALL, load
from server.joining import own_join_lines
from server.net.listening_sockets import by_carrier, close_all, open_all
from server.process import logs
from server.rulebook import read_house_rules
from server.storage.database import NotSaved
from server.storage.engines import database_of, refuse_if_not_in_use
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_database import MemoryDatabase
from server.storage.sqlite_file import FILE_NAME
from server.transport.host_keys import KEY_NAME, load_next, load_or_create

LEAST_FREE: Final = 500
"""Megabytes that should be free where the games are kept."""
RELEASED: Final = 1_790_000_000
"""A time before this program was made, in seconds since 1970: a clock that says less is wrong."""
COMMAND_SECONDS: Final = 5.0
MDNS_SECONDS: Final = 1.0
GUESTS: Final = 20
PATIENCE: Final = 30.0
"""Seconds until a guest of a rehearsal counts as not let in."""
LONG: Final = 5.0
"""Seconds after which the last guest of a rehearsal has come late."""
MEGABYTE: Final = 1 << 20
MISSING: Final = "missing"
"""Stands for the fingerprint of a host key that there is not."""


class Finding(NamedTuple):
    """One line for the host."""

    kind: Literal["ok", "mind", "wrong"]
    text: str

    def __str__(self) -> str:
        return f"{self.kind:<6}{self.text}"


def doctor(options: argparse.Namespace) -> int:
    """Run `quatch doctor`. Returns 1 if anything is wrong. Raises ConfigError."""
    logs.configure("error")
    return print_lines(_all_findings(Config.load(options.config, os.environ, settings_in(options))))


def _all_findings(config: Config) -> Generator[Finding, None, int]:
    is_wrong = False
    for check in CHECKS:
        for finding in check(config):
            is_wrong = is_wrong or finding.kind == "wrong"
            yield finding
    return int(is_wrong)


def address(config: Config) -> Iterator[Finding]:
    """What guests type, and whether it leads here from another device."""
    ports = {each.carrier: each.port for each in config.listens_at()}
    line = own_join_lines(config, ports, "").lines[0]
    host = line.rpartition(" ")[2]
    if config.public_host:
        yield Finding("ok", f"guests type: {line}")
    elif (own := _address(host)) is None or own.is_loopback:
        yield Finding("wrong", "this machine is in no network: join the one of your guests, or open a phone's hotspot")
    elif _is_in_container():
        yield Finding("mind", f"guests type {line}, if {host} leads here: in WSL or a container set public_host")
    elif own.is_private:
        yield Finding("ok", f"guests in your network type: {line}")
    else:
        yield Finding("mind", f"guests type: {line}. {host} is a public address: anybody on the internet can come")


def _address(text: str) -> Address | None:
    with suppress(ValueError):
        return ip_address(text)
    return None


def _is_in_container() -> bool:
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() or "WSL_DISTRO_NAME" in os.environ


def ports(config: Config) -> Iterator[Finding]:
    """Whether the server can listen where its settings say."""
    runs, all_free = _server_runs(config), True
    for each in config.listens_at():
        try:
            close_all(asyncio.run(open_all([each])))
        except OSError as error:
            all_free = False
            if runs and error.errno == errno.EADDRINUSE:
                yield Finding("mind", f"{error.strerror}, likely by the server on {config.data}")
            else:
                yield Finding("wrong", f"{error.strerror}: stop what uses it, or choose another")
        else:
            yield Finding("ok", f"port {each.port} ({each.carrier}) is free")
    if runs and all_free:
        told = f"a server runs on {config.data}: a second one would"
        yield Finding("mind", f"{told} join it") if config.may_share_log else Finding("wrong", f"{told} not start")


def _server_runs(config: Config) -> bool:
    """Whether a server runs on the same folder, as far as that can be known."""
    if config.database or not Path(config.data).exists():
        return False
    with folder_in_use(Path(config.data)) as is_used:
        return is_used


def firewall(config: Config) -> Iterator[Finding]:
    """Whether a firewall is on that may keep guests out. Its rules are for root alone to read."""
    opened = [str(each.port) for each in config.listens_at()]
    if "ENABLED=yes" in _text(Path("/etc/ufw/ufw.conf")):
        allow = " && ".join(f"sudo ufw allow {port}/tcp" for port in opened)
        yield Finding("mind", f"the firewall ufw is on: {allow} && sudo ufw allow 5353/udp")
    elif _output("systemctl", "is-active", "firewalld").strip() == "active":
        add = " ".join(f"--add-port={port}/tcp" for port in opened)
        yield Finding("mind", f"firewalld is on: sudo firewall-cmd {add} --add-service=mdns")
    elif sys.platform == "darwin":
        yield Finding("mind", "macOS asks when the server starts whether it may be reached: allow it")
    else:
        yield Finding("ok", "neither ufw nor firewalld is on")


def announcements(_: Config) -> Iterator[Finding]:
    """Whether this machine hears its own announcements, by which `quatch find` finds a server (mDNS, RFC 6762)."""
    if find_spec("zeroconf") is None:
        yield Finding("mind", "quatch find finds no server here: the package zeroconf is missing")
    elif problem := _why_not_heard():
        yield Finding("mind", f"{problem}: quatch find may find nothing; the line and the code work without it")
    else:
        yield Finding("ok", "announcements by mDNS are heard")


def _why_not_heard() -> str:
    """Why a packet to all that speak mDNS does not come back here; empty if it does."""
    group, question = ("224.0.0.251", 5353), os.urandom(2) + bytes(10)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(("", group[1]))
            everywhere = socket.inet_aton(group[0]) + bytes(4)
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, everywhere)
            probe.settimeout(MDNS_SECONDS)
            probe.sendto(question, group)
            while probe.recv(9000) != question:
                pass
    except TimeoutError:
        return "UDP port 5353 is blocked, by a firewall perhaps"
    except OSError as error:
        return f"UDP port 5353 cannot be used ({error.strerror})"
    return ""


def operators(config: Config) -> Iterator[Finding]:
    """Whether the host can direct the evening."""
    own = [key.get_fingerprint() for key in _own_keys()]
    if not config.ops:
        put = f'put ops = ["{own[0]}"] into your settings' if own else "ssh-keygen makes a key, put it under ops"
        yield Finding("mind", f"only the console can kick, ban and announce: {put}")
    elif own and not {*own} & {*config.ops}:
        yield Finding("mind", f"none of your own keys is under ops: yours is {own[0]}")
    else:
        yield Finding("ok", f"{quantity(len(config.ops), 'key')} under ops")


def _own_keys() -> Iterator[asyncssh.SSHKey]:
    for file in sorted(Path.home().glob(".ssh/id_*.pub")):
        with suppress(OSError, asyncssh.KeyImportError):
            yield asyncssh.read_public_key(file)


def kept_data(config: Config) -> Iterator[Finding]:
    """Whether a server would start on the database, and has room to grow."""
    is_there = bool(config.database) or Path(config.data, FILE_NAME).exists()
    try:
        asyncio.run(_look_at(config, is_there=is_there))
    except NotSaved as error:
        yield Finding("wrong", f"the database cannot be used: {error}")
    except (ConfigError, OSError) as error:
        yield Finding("wrong", str(error))
    else:
        new = f"a new database is made in {Path(config.data).absolute()}"
        yield Finding("ok", f"quatch {VERSION} can read the database" if is_there else new)
    folder = next(
        each for each in (Path(config.data).absolute(), *Path(config.data).absolute().parents) if each.exists()
    )
    if not os.access(folder, os.W_OK):
        yield Finding("wrong", f"{folder} cannot be written: choose another folder with data")
    free = shutil.disk_usage(folder).free // MEGABYTE
    room = f"{free / 1024:.1f} GB are free in {folder}"
    yield Finding("ok", room) if free >= LEAST_FREE else Finding("wrong", f"only {room}: make room")


async def _look_at(config: Config, *, is_there: bool) -> None:
    """Look at all that a start looks at, and write nothing. Raises what a start would: NotSaved, ConfigError."""
    folder, store = Path(config.hostkeys), database_of(config)
    app = App(config, store, (), features=load(config.without))
    key = load_or_create(folder).get_fingerprint() if (folder / KEY_NAME).exists() else MISSING
    load_next(folder)
    if not is_there:
        return
    try:
        await store.open()
        await refuse_if_not_in_use(store, although_moved=config.although_moved)
        await app.lobby.peers.check_host_key(key, only_look=True)
    finally:
        await store.close()


def house_rules(config: Config) -> Iterator[Finding]:
    """Whether all house rules can be played."""
    house, problems = read_house_rules(Path(config.rules_dir))
    for problem in problems:
        yield Finding("wrong", f"house rules in {config.rules_dir}: {problem}")
    if not problems:
        yield Finding("ok", f"house rules in {config.rules_dir}: {', '.join(house) or 'none'}")


def clock(_: Config) -> Iterator[Finding]:
    """Whether the time of day can be right: much begins and ends by it."""
    now = time.strftime("%Y-%m-%d %H:%M %Z")
    if time.time() < RELEASED:
        yield Finding("wrong", f"the clock says {now}: set it")
    elif _output("timedatectl", "show", "--property=NTPSynchronized", "--value").strip() == "no":
        yield Finding("mind", f"the clock says {now} and is not set by the network: compare it")
    else:
        yield Finding("ok", f"the clock says {now}")


def sleep(_: Config) -> Iterator[Finding]:
    """Whether the machine stays awake."""
    if sys.platform == "darwin":
        yield Finding("mind", "keep the machine awake: begin the line of the server with caffeinate -i")
    elif _is_laptop() and shutil.which("systemd-inhibit"):
        yield Finding("mind", "keep the laptop awake: systemd-inhibit --what=idle:sleep:handle-lid-switch make serve")
    elif _is_laptop():
        yield Finding("mind", "keep the laptop awake, and plugged in")
    else:
        yield Finding("ok", "no battery: this machine does not sleep by itself")


def _is_laptop() -> bool:
    return any(_text(supply).strip() == "Battery" for supply in Path("/sys/class/power_supply").glob("*/type"))


def rehearsal(config: Config) -> Iterator[Finding]:
    """Whether a room that comes in all at once gets in."""
    came, seconds = asyncio.run(rehearse(config))
    told = f"{came} of {GUESTS} guests of one address came in at once, the last after {seconds:.1f} s"
    if came < GUESTS:
        yield Finding("wrong", f"{told}: raise per_address (now {config.per_address})")
    elif seconds > LONG:
        yield Finding("mind", f"{told}: this machine is slow, or busy")
    else:
        yield Finding("ok", told)


async def rehearse(config: Config) -> tuple[int, float]:
    """Returns how many of the guests came in, and after how many seconds the last of them saw the first screen."""
    with TemporaryDirectory() as folder:
        # Nothing of the host's is touched. The guests are strangers of one address, though they come from this machine.
        small = replace(
            config, host=("127.0.0.1",), port=0, hostkeys=str(Path(folder, "keys")), data=folder, database="",
            exempt=(), proxies=(), without=(ALL,), of_features={}, processes=1, ops=(), allow_file="",
        )  # fmt: skip
        sockets = await open_all(small.listens_at())
        app = App(small, MemoryDatabase(), by_carrier(sockets), features=load(small.without))
        await app.start()
        try:
            clock = asyncio.get_running_loop().time
            came = await asyncio.gather(*(_come(sockets[0].port, number, clock) for number in range(GUESTS)))
        finally:
            await app.stop()
    seconds = [each for each in came if each is not None]
    return len(seconds), max(seconds, default=0.0)


async def _come(port: int, number: int, clock: Callable[[], float]) -> float | None:
    """Come in and wait for the first screen. Returns after how many seconds it was there; None for never."""
    began = clock()
    try:
        async with asyncio.timeout(PATIENCE), asyncssh.connect(
            "127.0.0.1", port, username=f"guest{number}", password="", known_hosts=None, client_keys=None,
            agent_path=None, config=None,
        ) as connection:  # fmt: skip
            process = await connection.create_process(term_type="xterm", encoding=None)
            await process.stdout.read(1)
            return clock() - began
    except (OSError, asyncssh.Error):
        return None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False).stdout  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired):
        return ""


CHECKS: Final[tuple[Callable[[Config], Iterator[Finding]], ...]] = (
    address,
    ports,
    firewall,
    announcements,
    operators,
    kept_data,
    house_rules,
    clock,
    sleep,
    rehearsal,
)
"""All checks, in the order in which a host can mend what they find."""
