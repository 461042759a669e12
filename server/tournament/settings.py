"""Reads the settings of a new tournament: its name, format, rounds, when it begins, and what is played."""

import re
import time
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed
from server.clean_text import clean
from server.config import Config
from server.language.table_settings import number_in, read_level, table_settings
from server.rulebook import Rulebook
from server.table.apply_changes import must_be_openable
from server.table.entries import TableSettings
from server.tournament.pairing import MAX_SEATS, MIN_SEATS
from server.tournament.state import MOST_ENTRANTS

NAME_CELLS: Final = 24
MOST_ROUNDS: Final = 12
AHEAD_SECONDS: Final = 12 * 3600.0
"""A time lies at most so far ahead: any other is meant as one that is past."""
KEYS: Final = ("format", "rules", "rounds", "seats", "clock", "fill", "start", "end", "places", "people", "final")
_TIME: Final = re.compile("([01]?[0-9]|2[0-3]):([0-5][0-9])")
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "format": ("open", "swiss"),
    "people": ("all", "only"),
    "final": ("on", "off"),
}


def read_tournament(text: str, rulebook: Rulebook, config: Config, now: float) -> dict[str, Any]:
    """The fields of `tournament.events.Opened` that ``NAME [KEY=VALUE]...`` describes, without host, time and seed.

    ``now`` is the time of day in seconds since 1970. Raises InputError, which names the wrong word and what would be
    right.
    """
    words, given = list[str](), dict[str, str]()
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            words.append(word)
        elif key in KEYS:
            given[key] = value
        else:
            raise InputError("bad_request", f"a tournament has no {key[:20]!r}: it has {listed(KEYS, 'and')}")
    for key, choices in _CHOICES.items():
        if given.get(key, choices[0]) not in choices:
            raise InputError("bad_request", f"type {listed([f'{key}={each}' for each in choices])}")
    is_swiss = given.get("format", "open") == "swiss"
    fill = given.get("fill", "")
    return {
        "name": read_name(" ".join(words)),
        "format": "swiss" if is_swiss else "open",
        "table": _table(given, fill, rulebook, config),
        "fill": fill if fill in {"full", "none"} else "default",
        "rounds": _rounds(given, is_swiss=is_swiss),
        "people_only": given.get("people") == "only",
        "final": given.get("final") == "on" and is_swiss,
        **_times(given, now, is_swiss=is_swiss),
    }


def read_name(text: str) -> str:
    """The name of a tournament. Raises InputError if it could not be typed or told apart."""
    name = clean(text, NAME_CELLS)
    if not name:
        raise InputError("bad_request", "what is the tournament called? Type tournament new NAME")
    if name != text.strip():
        raise InputError("bad_request", f"a tournament's name has at most {NAME_CELLS} letters, all of them visible")
    if ":" in name:  # lines of the server begin with its name and a colon
        raise InputError("bad_request", "a tournament's name has no colon")
    if not any(char.isalpha() for char in name):
        raise InputError("bad_request", "a tournament's name has letters in it")
    return name


def _table(given: Mapping[str, str], fill: str, rulebook: Rulebook, config: Config) -> TableSettings:
    """The settings of a table with the most seats; every smaller table must be possible, too."""
    rules = rulebook.find(given.get("rules", rulebook.names[0]))
    most = given.get("seats", str(min(MAX_SEATS, rules.seats_max)))
    refusal = f"the tables of a tournament have {MIN_SEATS} to {MAX_SEATS} seats"
    texts = {"seats": str(number_in(range(MIN_SEATS, MAX_SEATS + 1), most, refusal))}
    if "clock" in given:
        texts["clock"] = given["clock"]
    if fill not in {"", "full", "none"}:
        texts["level"] = read_level(fill)
    settings = table_settings(rules, rulebook.name_of(rules), {}, texts, config)
    for seats in range(MIN_SEATS, settings.seats + 1):
        must_be_openable(replace(settings, seats=seats))
    return replace(settings, hints=False)


def _rounds(given: Mapping[str, str], *, is_swiss: bool) -> int:
    if "rounds" not in given:
        return 0
    if not is_swiss:
        raise InputError("bad_request", "rounds=N is for format=swiss: an open night ends when its host closes it")
    refusal = f"a swiss has 1 to {MOST_ROUNDS} rounds, not {given['rounds'][:9]}"
    return number_in(range(1, MOST_ROUNDS + 1), given["rounds"], refusal)


def _times(given: Mapping[str, str], now: float, *, is_swiss: bool) -> dict[str, Any]:
    """What begins a tournament, how many may enter, and when an open night ends."""
    start = given.get("start", "host" if is_swiss else "now")
    places = 0
    if "places" in given:
        refusal = f"places=N: a tournament has 1 to {MOST_ENTRANTS} places"
        places = number_in(range(1, MOST_ENTRANTS + 1), given["places"], refusal)
    if start == "full" and not places:
        raise InputError("bad_request", "start=full needs to know when it is full: add places=8, for example")
    found: dict[str, Any] = {"start": start, "places": places}
    if start not in {"now", "host", "full"}:
        found = {"start": "time", "starts_at": read_time(start, now), "places": places}
    if "end" in given:
        if is_swiss:
            raise InputError("bad_request", "a swiss ends with its last round: end=HH:MM is for an open night")
        found["ends_at"] = read_time(given["end"], now)
    return found


def read_time(text: str, now: float) -> float:
    """The next time, in seconds since 1970, at which the server's clock shows HH:MM. Raises InputError."""
    if (read := _TIME.fullmatch(text)) is None:
        raise InputError("bad_request", f"{text[:9]!r} is no time of day: type HH:MM; start also takes full, or host")
    h, m = int(read[1]), int(read[2])
    today = time.localtime(now)
    for days in (0, 1):
        at = time.mktime((today.tm_year, today.tm_mon, today.tm_mday + days, h, m, 0, 0, 0, -1))
        if (shown := time.localtime(at)).tm_hour != h or shown.tm_min != m:
            raise InputError("bad_request", f"there is no {text} that day: the clocks are changed")
        if now < at <= now + AHEAD_SECONDS:
            return at
    raise InputError(
        "bad_request", f"{text} is past, or more than 12 hours ahead: it is {time.strftime('%H:%M', today)}"
    )
