"""`quatch find` and `quatch join`: the servers of the local network, and the way to them.

What they show was announced by anybody: `lan.announcement` has cleaned it.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network
from typing import Final, NamedTuple

from msgspec import to_builtins

from engine.errors import InputError
from engine.wording.phrases import listed, quantity
from server.config import Config
from server.joining import EVERY_ADDRESS, fingerprint_words, join_lines
from server.lan import LanSettings
from server.lan.announcement import SERVICE, FoundServer, read_announcement
from server.lan.interfaces import NO_LIBRARY, Interface, guest_interfaces, obstacle, send_problem, system_interfaces
from server.typed_json import json_line

SEARCH_SECONDS: Final = 2.5
"""How long to wait for answers; a server that is there answers within a second."""
RESOLVE_MS: Final = 1000
"""How long to ask for the address of a server that has told only its name."""
MOST_SERVERS: Final = 200
"""The most servers that are looked at: anybody can announce ten thousand."""
NOTHING: Final = f"no server was announced on this network within {SEARCH_SECONDS:g} seconds"
USUALLY: Final = (
    "its host starts it with --lan; guest Wi-Fi and firewalls often keep announcements back, so try the line on the "
    "host's screen"
)


class Found(NamedTuple):
    """The result of a search."""

    servers: list[FoundServer]
    """By name."""
    more: bool = False
    """Whether there were more than `MOST_SERVERS`."""
    problem: str = ""
    """Why none may be found here, if that is known."""


async def find_servers(
    named: Sequence[str] = (),
    seconds: float = SEARCH_SECONDS,
    interfaces: Callable[[], list[Interface]] = system_interfaces,
) -> Found:
    """Ask the local network for servers. ``named``: as in `guest_interfaces`.

    Raises OSError with one line if that is not possible here.
    """
    try:
        from zeroconf import Error, IPVersion  # noqa: PLC0415 - an optional package
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415
    except ImportError:
        raise OSError(NO_LIBRARY) from None
    chosen = guest_interfaces(interfaces(), [EVERY_ADDRESS], named)
    if not chosen:
        raise OSError("this machine has no address in a local network")
    near = [IPv4Network((each.address, each.prefix), strict=False) for each in chosen]
    names = dict[str, None]()

    def note(*, name: str, **_: object) -> None:
        if len(names) <= MOST_SERVERS:
            names[name] = None

    async def look_at(name: str) -> FoundServer | None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
        except Error:  # it was announced, but is no name of a service
            return None
        if not info.load_from_cache(mdns.zeroconf):
            await info.async_request(mdns.zeroconf, RESOLVE_MS)
        label = name.removesuffix(f".{SERVICE}")
        return read_announcement(label, info.port or 0, info.parsed_addresses(), info.properties, near)

    addresses = [str(each.address) for each in chosen]
    problem = send_problem(addresses) or obstacle()
    mdns = AsyncZeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
    try:
        browser = AsyncServiceBrowser(mdns.zeroconf, SERVICE, handlers=[note])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        found = await asyncio.gather(*map(look_at, list(names)[:MOST_SERVERS]))
    finally:
        await mdns.async_close()
    servers = [each for each in found if each is not None]
    return Found(sorted(servers, key=lambda each: each.name.casefold()), len(names) > MOST_SERVERS, problem)


def find(options: argparse.Namespace) -> int:
    """List the servers of the local network; the exit status. Raises OSError if there is none, or none can be found."""
    found = _search()
    if options.json:
        told = [
            {**to_builtins(each), "line": _line(each), "words": fingerprint_words(each.fingerprint)}
            for each in found.servers
        ]
        print(json_line({"v": 1, "servers": told, "more": found.more}))
    _must_be_some(found)
    if options.json:
        return 0
    print("\n".join(line for each in found.servers for line in server_lines(each)))
    if found.more:
        print(f"More servers are announced than the {quantity(len(found.servers), 'server')} that were looked at.")
    return 0


def join(options: argparse.Namespace) -> int:
    """Become the ssh that leads to a server. Raises InputError if it is not clear to which one, OSError if to none."""
    found = _search()
    _must_be_some(found)
    servers = beginning_with(found.servers, options.name or "")
    ssh = shutil.which("ssh")
    if ssh is None:
        raise OSError(f"ssh was not found on this machine: install OpenSSH, then type {_line(servers[0])}")
    server = chosen([each for each in servers if has_seen(each)] or servers)
    print("\n".join(server_lines(server)), flush=True)
    # No shell: what was announced is an argument at most, and there only an address and numbers.
    os.execv(ssh, ssh_command(server, f"-oHostKeyAlias={server.alias}"))  # noqa: S606


def beginning_with(servers: Sequence[FoundServer], name: str) -> list[FoundServer]:
    """Returns the servers whose names begin like this, at least one. Raises InputError if there is none.

    Exactly this name is no reason to prefer one: anybody can announce it.
    """
    found = [each for each in servers if each.name.casefold().startswith(name.casefold())]
    if not found:
        names = listed([repr(each.name) for each in servers[:10]], "and")
        raise InputError("bad_request", f"no server here has a name that begins with {name!r}; there is {names}")
    return found


def chosen(servers: Sequence[FoundServer]) -> FoundServer:
    """Returns the only one, or the one that a person at the terminal picks. Raises InputError if that is not clear."""
    if len(servers) == 1:
        return servers[0]
    ways = [f"{each.name} ({_line(each)})" for each in servers[:10]]
    if not sys.stdin.isatty():
        raise InputError("bad_request", f"several servers here may be meant, so type a line: {listed(ways)}")
    for number, way in enumerate(ways, 1):
        print(f"{number}  {way}, key: {fingerprint_words(servers[number - 1].fingerprint)}")
    answer = input("Several servers may be meant. The host's screen shows the words of the key. Which number? ").strip()
    if answer not in map(str, range(1, len(ways) + 1)):
        raise InputError("bad_request", "that is none of the numbers")
    return servers[int(answer) - 1]


def has_seen(server: FoundServer, *options: str) -> bool:
    """Whether ssh remembers that this machine has joined a server with this key; it refuses one that only tells it."""
    command = ["ssh-keygen", "-F", server.alias, *options]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603


def _must_be_some(found: Found) -> None:
    """Raises OSError if no server was found, with the reason if it is known."""
    if not found.servers:
        raise OSError(f"{NOTHING}: {found.problem or USUALLY}")


def ssh_command(server: FoundServer, *options: str) -> list[str]:
    """The command that leads to a server, and its arguments."""
    return ["ssh", *options, *join_lines([server.address], server.port, "").targets[0].split()]


def _line(server: FoundServer) -> str:
    """What to type to come to it."""
    return " ".join(ssh_command(server))


def server_lines(server: FoundServer) -> list[str]:
    """What to know of a server: its name, what to type, who is there, and its key."""
    who = "1 person" if server.people == 1 else f"{server.people} people"
    if server.who:
        who += f": {', '.join(server.who)}{', ...' if len(server.who) < server.people else ''}"
    lines = [server.name, f"    {_line(server)}", f"    {who}"]
    if server.state == "closing":
        lines.append("    It stops when the running games are over.")
    return [*lines, f"    key {server.fingerprint}: {fingerprint_words(server.fingerprint)}"]


def _search() -> Found:
    """The servers of the local network. Raises OSError if that is not possible here."""
    interfaces = Config.load(None, os.environ, {}).of(LanSettings).lan_interfaces
    if sys.stderr.isatty():
        print("Searching the local network...", file=sys.stderr)
    return asyncio.run(find_servers(interfaces))
