"""The host's settings: defaults, then the config file, then the environment, then the command line."""

import re
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, Final, Self, TypeVar, get_type_hints

from engine.errors import nearest
from engine.levels import LEVEL_NAMES
from server.addresses import AddressSet, read_network
from server.command_line import TAKEN, CommandLine, FeatureSettings, InPlace, ListensAt, command_lines, database_place
from server.features import ALL, BEGINS, FEATURES, is_left_out
from server.limits import CLOCK_SECONDS, OPEN_CONNECTIONS, PROCESSES

PREFIX: Final = "QUATCH_"
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
_TRUTHS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
ONE_PROCESS: Final = "several processes are no server here, since the feature for that is left out"
NO_SETTINGS: Final = {"of_features", "passed_over", "file"}
OfFeature = TypeVar("OfFeature", bound=FeatureSettings)


class ConfigError(ValueError):
    """A wrong setting. The message is one line that says what would be right."""


def is_fingerprint(text: str) -> bool:
    """Whether the text is a key's fingerprint as OpenSSH shows it."""
    return _FINGERPRINT.fullmatch(text) is not None


def _between(least: float, most: float) -> Callable[[float | None], bool]:
    return lambda number: number is None or least <= number <= most


def _one_of(*texts: str) -> tuple[Callable[[str], bool], str]:
    return texts.__contains__, f"{', '.join(texts[:-1])} or {texts[-1]}"


def _wrong(name: str, right: str, given: object) -> ConfigError:
    return ConfigError(f"{name}: must be {right}, not {given!r}")


NEW_KEY: Final = "new"
"""Stands for the fingerprint of whatever host key there is."""
_PORT: Final = (_between(0, 65535), "0 to 65535")
_SECONDS: Final = (_between(0, 1e8), "0 to 100000000 seconds")
_CHECKS: Final[Mapping[str, tuple[Callable[[Any], object], str]]] = {
    **dict.fromkeys(("port", "public_port"), _PORT),
    "workers": (_between(0, 64), "0 to 64"),
    "processes": (_between(0, PROCESSES), f"0 to {PROCESSES}, where 0 is one for each core"),
    **dict.fromkeys(("connections", "per_address"), (_between(1, inf), "at least 1")),
    "clock": (_between(CLOCK_SECONDS[0], CLOCK_SECONDS[-1]), f"{CLOCK_SECONDS[0]} to {CLOCK_SECONDS[-1]} seconds"),
    **dict.fromkeys(("pace", "grace", "keep_place", "keep_table", "keep_seat", "reload_limit"), _SECONDS),
    "watchdog": (lambda seconds: not seconds or seconds >= 1, "0, for never, or at least 1 second"),
    "keep_name": (_between(1, 1e6), "1 to 1000000 days"),
    "idle": ((0.0).__lt__, "more than 0 seconds, or inf for ever"),
    "keep_games": ((0.0).__lt__, "more than 0 days, or inf for ever"),
    "crypto": _one_of("compatible", "strict"),
    "level": _one_of(*LEVEL_NAMES, "auto"),
    "log_level": _one_of("debug", "info", "warning", "error"),
    # What players may paste into a shell behind `ssh`. Empty: the server finds an address.
    "public_host": (re.compile(r"|[\w:][\w.:%-]*").fullmatch, "a name or address, like cards.example or 192.0.2.7"),
    # What ops type behind `admin drain`. Empty: the name of the machine.
    "node": (re.compile(r"|[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch, "letters, digits, dots and hyphens: cards-1"),
    **dict.fromkeys(("exempt", "proxies"), (read_network, "an address or network, like 192.0.2.7 or 192.0.2.0/24")),
    "new_host_key": (lambda text: text in {"", NEW_KEY} or is_fingerprint(text), f"{NEW_KEY}, or a key's SHA256:..."),
    "ops": (is_fingerprint, "fingerprints, SHA256:..., as ssh-keygen -lf KEY.pub tells them"),
    "without": ({ALL, *FEATURES}.__contains__, f"features, which are {', '.join(FEATURES)}"),
}
"""Whether a setting, or each text of a list, is right, and what would be."""
_NUMBERS: Final[Mapping[Any, str]] = {float: "a number", int: "a whole number", int | None: "a whole number or none"}
"""What settings of these types must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting with its default; `take` changes them. deploy/quatch.toml says what each is for, and its unit."""

    host: tuple[str, ...] = ("0.0.0.0", "::")  # noqa: S104 - a server for guests from the network
    port: int = 2222
    node: str = ""
    public_host: str = ""
    public_port: int | None = None
    connections: int = OPEN_CONNECTIONS.share
    per_address: int = 20
    idle: InPlace[float] = 1200.0
    exempt: tuple[str, ...] = ("127.0.0.1", "::1")
    proxies: tuple[str, ...] = ()
    ops: InPlace[tuple[str, ...]] = ()
    allow_file: str = ""
    crypto: str = "compatible"
    data: str = "var"
    database: str = field(default="", repr=False)
    hostkeys: str = "hostkeys"
    new_host_key: str = ""
    rules_dir: InPlace[str] = "rules"
    pace: InPlace[float] = 1.0
    level: InPlace[str] = "auto"
    clock: InPlace[float] = 60.0
    grace: InPlace[float] = 10.0
    keep_place: InPlace[float] = 120.0
    keep_table: InPlace[float] = 900.0
    keep_seat: InPlace[float] = 86400.0
    keep_name: InPlace[float] = 90.0
    keep_games: InPlace[float] = 365.0
    workers: int = 1
    processes: int = 1
    reload_limit: InPlace[float] = 3600.0
    log_level: str = "info"
    watchdog: float = 10.0
    without: tuple[str, ...] = ()
    although_moved: bool = False
    of_features: Mapping[str, object] = field(default_factory=dict)
    """The settings of features that differ from their defaults; see `of`."""
    passed_over: tuple[str, ...] = ()
    """What was set and has no meaning here: settings of features that are left out."""
    file: str = field(default="", compare=False)
    """The file of settings that was read; empty for none."""

    def __post_init__(self) -> None:
        for name, (is_right, right) in _CHECKS.items():
            given = getattr(self, name)
            for each in given if isinstance(given, tuple) else (given,):
                if not is_right(each):
                    raise _wrong(name, right, each)
        if not self.host:
            raise ConfigError("host: name at least one address to listen on, like 0.0.0.0 for every IPv4 address")
        if self.processes > 1 and not self.may_have_processes:
            raise ConfigError(f"processes: {ONE_PROCESS}")
        try:
            database_place(self.database, self.command_lines)
        except ValueError as error:
            raise ConfigError(f"database: {error}") from None

    @property
    def spared(self) -> AddressSet:
        """The addresses that stand for many players: none is banned, muted or limited in tables. Always a new set."""
        return AddressSet((*self.exempt, *self.proxies))

    @property
    def command_lines(self) -> list[CommandLine]:
        """What the features give to the command line, without those that are left out."""
        return _lines(self.without)

    @property
    def may_have_processes(self) -> bool:
        """Whether the server may have several processes: another feature keeps them."""
        return self.may_share_log and BEGINS in FEATURES and not is_left_out(BEGINS, self.without)

    @property
    def may_share_log(self) -> bool:
        """Whether several processes may write to the log: a feature makes one server of them."""
        return any(each.shared_file for each in self.command_lines)

    @property
    def node_name(self) -> str:
        """What this node is called among those that share a database."""
        return self.node or socket.gethostname()

    def listens_at(self) -> tuple[ListensAt, ...]:
        """Where the server listens: for ssh, and for the carriers of features."""
        others = (self.of(kind).listens_at(self) for kind in _of_features(self.without))
        return (ListensAt("ssh", self.host, self.port, "host", "port"), *filter(None, others))

    def of(self, kind: type[OfFeature]) -> OfFeature:
        """The settings of a feature."""
        given = {name: self.of_features.get(name, default) for name, default in kind.defaults().items()}
        # What another process has told has lists in the place of tuples.
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})

    def take(self, config: Self) -> None:
        """Have the values of another one, of which only those `in_place` may differ."""
        for each in fields(self):
            object.__setattr__(self, each.name, getattr(config, each.name))

    @classmethod
    def load(cls, file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object]) -> Self:
        """Combine the settings. Raises ConfigError, which names the setting."""
        settings: dict[str, object] = _read_file(file) if file else {}
        settings |= {
            name.removeprefix(PREFIX).lower(): value for name, value in environment.items() if name.startswith(PREFIX)
        }
        settings |= {name: value for name, value in flags.items() if value is not None}
        without = _read(cls, "without", settings.get("without", []))
        everything = setting_names()
        theirs = {name: kind for kind in _of_features(without) for name in kind.defaults()}
        own = {each.name for each in fields(cls)} - NO_SETTINGS
        read, of_features, passed_over = dict[str, object](), dict[str, object](), list[str]()
        problems = list[str]()
        for name, value in settings.items():
            try:
                if name in own:
                    read[name] = _read(cls, name, value)
                elif name in theirs:
                    of_features[name] = _read(theirs[name], name, value)
                elif name not in everything and (near := nearest(name, everything)):
                    problems.append(f"{name}: no such setting (did you mean {near}?)")
                else:
                    passed_over.append(name)
            except ConfigError as error:
                problems.append(str(error))
        if problems:
            raise ConfigError("; ".join(problems))
        changed = {name: value for name, value in of_features.items() if value != getattr(theirs[name], name)}
        config = cls(**read, of_features=changed, passed_over=tuple(passed_over), file=str(file or ""))  # type: ignore[arg-type]
        is_port, right = _PORT
        if other := next((each for each in config.listens_at() if not is_port(each.port)), None):
            raise _wrong(other.port_setting, right, other.port)
        for problem in (config.of(kind).problem(config) for kind in _of_features(without)):
            if problem:
                raise ConfigError(problem)
        return config


def setting_names() -> list[str]:
    """The names of all settings, those of the features after the core's."""
    own = [each.name for each in fields(Config) if each.name not in NO_SETTINGS]
    return own + [name for kind in _of_features() for name in kind.defaults()]


def in_place() -> set[str]:
    """The names of the settings that are `InPlace`."""
    hints = (get_type_hints(kind, include_extras=True) for kind in (Config, *_of_features()))
    return {name for each in hints for name, wanted in each.items() if TAKEN in getattr(wanted, "__metadata__", ())}


def _of_features(without: object = ()) -> list[type[FeatureSettings]]:
    """The kinds of settings that features have, without those of the features that are left out."""
    return [each.settings for each in _lines(without) if each.settings]


def _lines(without: object) -> list[CommandLine]:
    """What the features give to the command line, without those that are left out."""
    left_out = {str(name) for name in without} if isinstance(without, tuple) else set()
    return [each for name, each in command_lines().items() if not is_left_out(name, left_out)]


def _read_file(file: Path) -> dict[str, object]:
    """The settings in a file. Raises ConfigError, which names the setting of a line that is no TOML."""
    text = ""
    try:
        text = file.read_text("utf-8")
        return tomllib.loads(text)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        lines = [text.split("\n")[int(number) - 1] for number in re.findall(r"line (\d+)", said)]
        how = "; a text stands in quotes, a number does not" if said.startswith("Invalid value") else ""
        named = [str(file), *(line.partition("=")[0].strip() for line in lines), f"{said}{how}"]
        raise ConfigError(": ".join(named)) from None


def _read(owner: type[Config | FeatureSettings], name: str, value: object) -> object:
    """Convert a setting to its type; text becomes a number or a list if the type asks for it."""
    wanted, text = get_type_hints(owner)[name], str(value)
    if wanted == int | None and text == "none":
        return None
    if right := _NUMBERS.get(wanted):
        try:
            return float(text) if wanted is float else int(text)
        except ValueError:
            raise _wrong(name, right, value) from None
    if wanted is bool:
        if (lowered := text.lower()) not in _TRUTHS:
            raise _wrong(name, "true or false", value)
        return _TRUTHS[lowered]
    if wanted is str:
        if not text.isprintable():
            raise ConfigError(f"{name}: must not hold control characters, as {text!r} does")
        return text
    if isinstance(value, str):
        value = [*filter(None, value.split(","))]
    if not isinstance(value, list):
        raise _wrong(name, "a list of texts", value)
    texts = tuple(map(str, value))
    if not all(each and each.isprintable() for each in texts):
        raise ConfigError(f"{name}: must not hold empty texts or control characters, as {value!r} does")
    return texts
