"""The host's settings: defaults, then the config file, then the environment, then the command line."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from ipaddress import ip_network
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self, get_type_hints

from engine.ai import LEVELS
from server.limits import CLOCK_SECONDS

PREFIX: Final = "QUATCH_"
CHOICES: Final = MappingProxyType(
    {
        "crypto": ("compatible", "strict"),
        "level": tuple(LEVELS),
        "log_level": ("debug", "info", "warning", "error"),
    }
)
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


class ConfigError(ValueError):
    """A setting that cannot be used; the message is one line that says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting and its default; deploy/quatch.toml says the same for hosts."""

    host: tuple[str, ...] = ("0.0.0.0", "::")  # noqa: S104 - guests come from the network; that is what it is for
    """Addresses to listen on."""
    port: int = 2222
    """TCP port for SSH; 0 takes a free one."""
    telnet_port: int | None = None
    """TCP port for telnet, None for no telnet, 0 takes a free one."""
    telnet_host: tuple[str, ...] = ()
    """Addresses to listen on for telnet; none means those of `host` if they were named, else this machine alone."""
    connections: int = 1200
    """Connections in all, fewer where the system allows fewer files."""
    per_address: int = 20
    """Connections from one address."""
    idle: float = 1200.0
    """Seconds after which somebody is let go who is in the lobby and types nothing."""
    exempt: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses and networks without a limit of their own: this machine, and whatever else is one's own."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose PROXY headers are believed, and demanded."""
    ops: tuple[str, ...] = ()
    """Fingerprints of the keys whose owners may kick, ban and the rest."""
    allow_file: str = ""
    """File of the fingerprints of those who may come in; none for everybody, guests too."""
    crypto: str = "compatible"
    """Which algorithms ssh offers: compatible, or strict for clients of 2024 and later alone."""
    data: str = "var"
    """Folder for what the server must remember."""
    hostkeys: str = "hostkeys"
    """Folder of the SSH host key."""
    rules_dir: str = "rules"
    """Folder of house rules; each file in it is a rule set more."""
    pace: float = 1.0
    """Seconds an AI player takes for show before it moves."""
    level: str = "hard"
    """Level of AI players where nobody names one."""
    clock: float = 60.0
    """Seconds for a decision where more than one person plays and nobody asks for another clock."""
    grace: float = 10.0
    """Seconds after which an AI player plays for somebody who has lost the connection."""
    keep_place: float = 120.0
    """Seconds between games after which the seat is free of somebody who has lost the connection."""
    keep_table: float = 900.0
    """Seconds a table that everybody left is kept for its players to return."""
    keep_seat: float = 86400.0
    """The same for a running game of somebody with a key."""
    workers: int = 1
    """Processes in which AI players think that take long; 0 has them think in the server itself."""
    log_level: str = "info"
    metrics_port: int | None = None
    """TCP port on this machine alone where monitoring reads metrics; None for none, 0 takes a free one."""
    watchdog: float = 10.0
    """Seconds after which a server that answers nobody aborts, for whatever runs it to start it anew; 0 for never."""

    def __post_init__(self) -> None:
        for name, most in (("port", 65535), ("telnet_port", 65535), ("metrics_port", 65535), ("workers", 64)):
            if not 0 <= (getattr(self, name) or 0) <= most:
                raise ConfigError(f"{name}: must be 0 to {most}, not {getattr(self, name)}")
        for name in ("connections", "per_address"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name}: must be at least 1, not {getattr(self, name)}")
        if not self.host:
            raise ConfigError("host: name at least one address to listen on, like 0.0.0.0 for every IPv4 address")
        self._check_who_may_come()
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise ConfigError(f"{name}: must be {' or '.join(choices)}, not {getattr(self, name)}")
        if not isfinite(self.clock) or int(self.clock) not in CLOCK_SECONDS:
            raise ConfigError(f"clock: must be {CLOCK_SECONDS.start} to {CLOCK_SECONDS.stop - 1} seconds")
        for name in ("pace", "grace", "keep_place", "keep_table", "keep_seat", "watchdog"):
            if not 0 <= getattr(self, name) < 1e8:
                raise ConfigError(f"{name}: must be a number of seconds from 0")
        if not self.idle > 0:
            raise ConfigError("idle: must be more than 0 seconds; inf is for ever")

    def _check_who_may_come(self) -> None:
        for name in ("exempt", "proxies"):
            for text in getattr(self, name):
                _check_network(name, text)
        for key in self.ops:
            if not is_fingerprint(key):
                raise ConfigError(f"ops: {key!r} is no fingerprint: ssh-keygen -lf KEY.pub tells it, SHA256:...")
        if self.allow_file and self.telnet_port is not None:
            raise ConfigError("telnet_port: must be none with an allow_file: whoever comes by telnet has no key")

    @property
    def telnet_addresses(self) -> tuple[str, ...]:
        """Where telnet listens: what is sent in the clear leaves this machine only where the host has said so."""
        if self.telnet_host or self.host != Config.__dataclass_fields__["host"].default:
            return self.telnet_host or self.host
        return ("127.0.0.1",)

    @classmethod
    def load(cls, file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Self:
        """Put the settings together. Raises ConfigError, naming the place."""
        settings: dict[str, object] = {}
        if file is not None:
            try:
                settings |= tomllib.loads(file.read_text("utf-8"))
            except (OSError, ValueError) as error:
                raise ConfigError(f"{file}: {error}") from None
        settings |= {
            name.removeprefix(PREFIX).lower(): value for name, value in environment.items() if name.startswith(PREFIX)
        }
        settings |= {name: value for name, value in flags.items() if value is not None}
        return cls(**{name: _read(cls, name, value) for name, value in settings.items()})  # type: ignore[arg-type]


def from_environment(file: Path | None, flags: Mapping[str, object]) -> Config:
    """The settings of this process."""
    return Config.load(file, os.environ, flags)


def is_fingerprint(text: str) -> bool:
    """Whether this is the fingerprint of a key as OpenSSH shows it."""
    return _FINGERPRINT.fullmatch(text) is not None


def _read(owner: type[Config], name: str, value: object) -> object:
    """A setting as its type; text is read as numbers and lists where those are wanted."""
    names = [field.name for field in fields(owner)]
    if name not in names:
        raise ConfigError(f"{name}: no such setting (did you mean {get_close_matches(name, names, 1, 0.0)[0]}?)")
    wanted = get_type_hints(owner)[name]
    if wanted == int | None:
        if value == "none":
            return None
        wanted = int
    try:
        if wanted is int:
            return int(str(value))
        if wanted is float:
            return float(str(value))
    except ValueError:
        raise ConfigError(f"{name}: must be a number, not {value!r}") from None
    if wanted is str:
        return _printable(name, str(value))
    return tuple(filter(None, value.split(","))) if isinstance(value, str) else tuple(map(str, _items(name, value)))


def _printable(name: str, text: str) -> str:
    if not text.isprintable():
        raise ConfigError(f"{name}: must not hold control characters, as {text!r} does")
    return text


def _check_network(name: str, text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ConfigError(f"{name}: {text!r} is no address or network, like 192.0.2.7 or 192.0.2.0/24") from None


def _items(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise ConfigError(f"{name}: must be a list")
    return value
