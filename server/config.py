"""The host's settings: defaults, then the config file, then the environment, then the command line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Final, Self, get_type_hints

from engine.ai import LEVELS
from server.addresses import read_network
from server.limits import CLOCK_SECONDS

PREFIX: Final = "QUATCH_"
_CHOICES: Final = {
    "crypto": ("compatible", "strict"),
    "level": tuple(LEVELS),
    "log_level": ("debug", "info", "warning", "error"),
}
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


class ConfigError(ValueError):
    """A wrong setting. The message is one line that says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting with its default; deploy/quatch.toml lists them for hosts."""

    host: tuple[str, ...] = ("0.0.0.0", "::")  # noqa: S104 - a server for guests from the network
    """Addresses to listen on."""
    port: int = 2222
    """TCP port for SSH; 0 takes a free one."""
    telnet_port: int | None = None
    """TCP port for telnet, None for no telnet, 0 takes a free one."""
    telnet_host: tuple[str, ...] = ()
    """Addresses to listen on for telnet; if empty, those of `host` if the host named them, otherwise this machine
    only."""
    connections: int = 1200
    """The most connections in all; fewer if the system allows fewer open files."""
    per_address: int = 20
    """The most connections from one address."""
    idle: float = 1200.0
    """Seconds without input after which a player in the lobby is disconnected."""
    exempt: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses and networks without a limit of their own, such as this machine."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies; their connections must begin with a PROXY header, which is believed."""
    ops: tuple[str, ...] = ()
    """Fingerprints of the keys of ops, who may kick, ban and so on."""
    allow_file: str = ""
    """File with the fingerprints of the keys that may log in; empty: all players may, guests too."""
    crypto: str = "compatible"
    """The algorithms that ssh offers: compatible, or strict for clients of 2024 and later only."""
    data: str = "var"
    """Folder for everything that the server must keep."""
    hostkeys: str = "hostkeys"
    """Folder of the SSH host key."""
    rules_dir: str = "rules"
    """Folder of house rules; each file adds a rule set at the next start."""
    pace: float = 1.0
    """Seconds an AI player takes for show before it moves."""
    level: str = "hard"
    """Level of AI players, if a player names none."""
    clock: float = 60.0
    """Seconds for a decision if more than one person plays, unless a table sets its own clock."""
    grace: float = 10.0
    """Seconds until an AI player takes the seat of a player who has lost the connection."""
    keep_place: float = 120.0
    """Seconds between games until the seat of a player who has lost the connection becomes free."""
    keep_table: float = 900.0
    """Seconds to keep a table that all players have left."""
    keep_seat: float = 86400.0
    """Seconds to keep a running game for a player with a key."""
    workers: int = 1
    """Worker processes for AI players that think long; 0: they think in the server's own process."""
    log_level: str = "info"
    metrics_port: int | None = None
    """TCP port for metrics, on this machine only; None: no metrics; 0 takes a free port."""
    watchdog: float = 10.0
    """Seconds without an answer of the event loop after which the process aborts, to be started again; 0: never."""

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
        for name, choices in _CHOICES.items():
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
                if read_network(text) is None:
                    raise ConfigError(f"{name}: {text!r} is no address or network, like 192.0.2.7 or 192.0.2.0/24")
        for key in self.ops:
            if not is_fingerprint(key):
                raise ConfigError(f"ops: {key!r} is no fingerprint: ssh-keygen -lf KEY.pub tells it, SHA256:...")
        if self.allow_file and self.telnet_port is not None:
            raise ConfigError("telnet_port: must be none with an allow_file: telnet players have no key")

    @property
    def telnet_addresses(self) -> tuple[str, ...]:
        """Where telnet listens. It is not encrypted, so it leaves this machine only if the host says so."""
        if self.telnet_host or self.host != Config.__dataclass_fields__["host"].default:
            return self.telnet_host or self.host
        return ("127.0.0.1",)

    @classmethod
    def load(cls, file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Self:
        """Combine the settings. Raises ConfigError, which names the setting."""
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


def is_fingerprint(text: str) -> bool:
    """Whether the text is a key's fingerprint as OpenSSH shows it."""
    return _FINGERPRINT.fullmatch(text) is not None


def _read(owner: type[Config], name: str, value: object) -> object:
    """Convert a setting to its type; text becomes a number or a list if the type asks for it."""
    names = [field.name for field in fields(owner)]
    if name not in names:
        raise ConfigError(f"{name}: no such setting (did you mean {get_close_matches(name, names, 1, 0.0)[0]}?)")
    wanted, text = get_type_hints(owner)[name], str(value)
    if wanted == int | None and text == "none":
        return None
    if wanted in {int, float, int | None}:
        try:
            return float(text) if wanted is float else int(text)
        except ValueError:
            raise ConfigError(f"{name}: must be a number, not {value!r}") from None
    if wanted is str:
        if not text.isprintable():
            raise ConfigError(f"{name}: must not hold control characters, as {text!r} does")
        return text
    if isinstance(value, str):
        return tuple(filter(None, value.split(",")))
    if not isinstance(value, list):
        raise ConfigError(f"{name}: must be a list")
    return tuple(map(str, value))
