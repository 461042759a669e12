"""Reads the settings of a new table: rule set, seats, level, clock, key, and changed rules."""

import json
import re
from collections.abc import Mapping
from typing import Final

from engine.ai import LEVELS, STYLES
from engine.errors import BadRules, InputError, NoSuch
from engine.rules import Json, Rules
from engine.rulesets import DEFAULT
from engine.wording.phrases import number_range
from server.clean_text import clean
from server.config import Config
from server.limits import CLOCK_SECONDS, WORD_LENGTH
from server.number_text import read_number
from server.people.settings import AUTO
from server.rulebook import Rulebook
from server.table.entries import TableSettings

USUAL_LEVEL: Final = "hard"
"""The level of a table if none is named; people meet others: `player/level_of_opponents.py`."""
USUAL_SEATS: Final = 3
"""At a table of three a game is short enough, and a player has more to decide in it than at a table of four."""
NUMBERS: Final = {"one": "1", "two": "2", "three": "3", "four": "4"}
KEYS: Final = ("seats", "level", "clock", "key", "hints")
LISTED: Final = ("seats", "level", "clock", "word", "hints", "those that rules keys lists")
"""The same as players read them."""
PASSED_OVER: Final = frozenset(
    {"against", "vs", "v", "versus", "with", "and", "but", "the", "for", "on", "in", "quick", "short", "nice", "real"}
    | {"new", "game", "games", "match", "round", "cards", "card", "table", "mode", "level", "version", "anything"}
    | {"something", "player", "players", "people", "person", "me", "private", "it", "already", "up", "go", "then"}
    | {"again", "next"}
)
"""Words that people put between these, as in "play life against hard players"."""
OPPONENTS: Final = frozenset({"computer", "computers", "ai", "ais", "bot", "bots", "opponent", "opponents", "others"})
"""What a number counts that leaves out the player who says it."""
_PLAYERS: Final = re.compile(
    r"(?<!\S)(?:(\d) ?(?:on|vs?|against|versus)|against|vs?|versus) ?(\d)(?!\S)"
    rf"|(?<!\S)(\d)(?= (?:(?:{'|'.join(LEVELS)}) )?(?:{'|'.join(OPPONENTS)})\b)"
)
"""As in "1 on 1", "against 2", or "2 hard bots"."""
ALSO: Final[Mapping[str, str]] = {"word": "key", "password": "key"}
"""Other words for these keys."""


def read_table_settings(text: str, rulebook: Rulebook, config: Config) -> TableSettings:
    """The table that ``[RULES] [seats=N] [level=L] [clock=S] [key=WORD] [hints=off] [RULE.KEY=VALUE ...]`` describes.

    A level and a number of seats may stand without their keys.
    Raises InputError, which names the wrong word and what would be right.
    """
    rules = rulebook.find(DEFAULT)
    texts: dict[str, str] = {}
    options: dict[str, Json] = {}
    words = [NUMBERS.get(word.lower(), re.sub("^(rules|game|ruleset)=", "", word)) for word in text.split()]
    for word in _PLAYERS.sub(lambda said: str(int(said[1] or 1) + int(said[2] or said[3])), " ".join(words)).split():
        key, equals, value = word.partition("=")
        key = ALSO.get(key, key)
        if (said := word.lower()) in LEVELS:
            texts["level"] = said
        elif read_number(word) is not None:
            texts["seats"] = word
        elif not equals and said not in PASSED_OVER | OPPONENTS:
            rules = _rule_set(word, rulebook)
        elif key in KEYS:
            texts[key] = value
        elif equals:
            options[key] = re.findall(r"\w+", value) if key.endswith(".blocks") else _json(value)
    if "private" in words and not texts.get("key"):
        raise InputError("bad_request", "a private table needs a word that others must know: new word=apple opens one")
    return table_settings(rules, rulebook.name_of(rules), options, texts, config)


def table_settings(
    rules: Rules, name: str, options: Mapping[str, Json], texts: Mapping[str, str], config: Config
) -> TableSettings:
    """The table with these rules, as some options change them, and the other settings by `KEYS`, as text.

    ``name`` is that of the rules in the rulebook: house rules have another one than their base. Raises InputError.
    """
    changed = _with_options(rules, options)
    is_changed = changed.keys() != rules.keys()
    return TableSettings(
        rules.name,
        dict(changed.options),
        _seats(texts.get("seats"), changed),
        read_level(texts.get("level", USUAL_LEVEL if config.level == AUTO else config.level)),
        f"{rules.title}, changed" if is_changed else rules.title,
        _clock(texts.get("clock"), config.clock),
        word=clean(texts.get("key", ""), WORD_LENGTH),
        hints=_hints(texts.get("hints", "on")),
        house="" if is_changed or name == rules.name else name,
    )


def _rule_set(word: str, rulebook: Rulebook) -> Rules:
    """The rule set that a word names. Raises InputError, which names the option that lacks its value."""
    try:
        return rulebook.find(word)
    except InputError:
        if word in KEYS:
            raise InputError("unknown_rules", f"no rule set {word[:40]!r}: did you mean {word}=...?") from None
        raise NoSuch("unknown_rules", "rule set", word, rulebook.names, LEVELS) from None


def _with_options(rules: Rules, options: Mapping[str, Json]) -> Rules:
    known = rules.keys()
    for key in map(str, options):
        if key not in known and not key.startswith(("special.", "deck.copies.")):
            raise NoSuch("bad_option", "option", key, LISTED, known)
    try:
        return rules.with_options(options)
    except BadRules as error:
        raise InputError("bad_option", error.problems[0]) from None


def _json(value: str) -> Json:
    try:
        read: Json = json.loads(value)
    except ValueError:
        return value
    return read


def _seats(value: str | None, rules: Rules) -> int:
    if value is None:
        return min(max(USUAL_SEATS, rules.seats_min), rules.seats_max)
    least, most = rules.seats_min, rules.seats_max
    refusal = f"{rules.title} has {number_range(least, most, 'seat')}, not {value[:9]}"
    return number_in(range(least, most + 1), value, refusal)


def read_level(value: str) -> str:
    """A level of AI players. Raises InputError, which names all levels."""
    if value not in LEVELS:
        raise NoSuch("bad_request", "level", value, LEVELS)
    return value


def read_ai_player(text: str) -> tuple[str, str]:
    """The level and the style of ``[LEVEL] [STYLE]``, each empty if not named. Raises InputError."""
    words = text.lower().split()
    level = next((word for word in words if word in LEVELS), "")
    style = next((word for word in words if word in STYLES), "")
    passed_over = {level, style, "a", "an", "another", "one", "more"} | PASSED_OVER | OPPONENTS
    if other := [word for word in words if word not in passed_over]:
        raise NoSuch("bad_request", "level or style", other[0], [*LEVELS, *STYLES])
    return level, style


def _hints(value: str) -> bool:
    if value not in {"on", "off"}:
        raise InputError("bad_request", f"type hints=on or hints=off, not {value[:9]!r}")
    return value == "on"


def _clock(value: str | None, usual: float) -> float:
    if value is None:
        return usual
    least, most = CLOCK_SECONDS.start, CLOCK_SECONDS.stop - 1
    refusal = f"a clock has {least} to {most} seconds for each turn, as in clock=30"
    return float(number_in(CLOCK_SECONDS, value, refusal))


def number_in(allowed: range, value: str, refusal: str) -> int:
    """The whole number that a text is. Raises InputError, which says ``refusal``, for any that is not allowed."""
    if (number := read_number(value)) is None or number not in allowed:
        raise InputError("bad_request", refusal)
    return number
