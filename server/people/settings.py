"""What people choose for their own screen and for the tables they open; the server remembers it by their key."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Meta, convert, json, structs

from engine.errors import InputError, NoSuch
from server.number_text import read_decimal
from server.people.names import skeleton
from server.typed_json import Keeping, Versioned, read_versioned, write_versioned

Level: TypeAlias = Literal["easy", "medium", "hard", "extreme", "master"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels of `engine.ai`, the weakest first."""
AUTO: Final = "auto"
"""Instead of a level, in settings: the own level."""
HOSTS: Final = "host's"
"""Instead of seconds, in settings: the server's own pace."""
PACES: Final = (0.0, 10.0)
"""The least and the most seconds that AI players can be made to wait."""
LEAD: Final = 3
RULE: Final = (
    f"level auto: after {LEAD} more good games than bad ones your AI players get a level stronger, after {LEAD} more "
    "bad ones a level weaker. In a good game more AI players finish behind you than ahead of you."
)
"""The rule in one sentence, as `help set` tells it."""
COUNTED: Final = "A game counts if you play it to its end, and all others are AI players of that level."


class OwnLevel(Keeping, frozen=True, omit_defaults=True):
    """The level of AI players that a person meets without naming one: the one that they beat about half the time.

    It counts how the games against it have gone since they met it first.
    """

    level: Level = "easy"
    won: Annotated[int, Meta(ge=0)] = 0
    """Games in which more AI players finished behind the person than ahead."""
    lost: Annotated[int, Meta(ge=0)] = 0
    """Games in which more finished ahead."""

    def after_game(self, behind: int, ahead: int) -> Self:
        """After a game in which so many AI players of this level finished behind the person, and so many ahead.

        Once it is decided that the level changes, games count only for the next one.
        """
        if behind == ahead or abs(self.won - self.lost) >= LEAD:
            return self
        return structs.replace(self, won=self.won + (behind > ahead), lost=self.lost + (ahead > behind))

    def for_next_game(self) -> Self:
        """The level of the next game: another one if it is decided. The highest and the lowest only count anew."""
        if abs(self.won - self.lost) < LEAD:
            return self
        index = LEVELS.index(self.level) + (1 if self.won > self.lost else -1)
        return structs.replace(self, level=LEVELS[min(max(0, index), len(LEVELS) - 1)], won=0, lost=0)

    @property
    def news(self) -> str:
        """What the person is told when the next game has another level; empty if it has the same."""
        following = self.for_next_game().level
        if following == self.level:
            return ""
        better, worse = f"you were ahead of {self.level} ones", f"{self.level} ones were ahead of you"
        games = f"in {max(self.won, self.lost)} games of {self.won + self.lost}"
        return f"AI players: {following} now, {better if self.won > self.lost else worse} {games}."


class Settings(Versioned, frozen=True, omit_defaults=True):
    """Everything that `set` changes, with the defaults for a newcomer."""

    mode: Literal["auto", "screen", "line"] = "auto"
    cards: Literal["auto", "letters", "suits", "words"] = "auto"
    colour: Literal["four", "two", "contrast", "none"] = "four"
    notice: Literal["bell", "osc9", "osc777", "off"] = "bell"
    motion: Literal["full", "reduced"] = "full"
    tips: Literal["on", "off"] = "on"
    prompt: Literal["on", "off"] = "on"
    level: Literal["auto", Level] = "auto"
    pace: Annotated[float, Meta(ge=PACES[0], le=PACES[1])] | None = None
    """Seconds that AI players wait before a move at tables that this person opens; None for the server's own pace."""
    own_level: OwnLevel = OwnLevel()
    """The level that `auto` stands for, and how the games against it went."""
    ignored: tuple[str, ...] = ()
    """The skeletons of the names that this person does not want to hear from."""

    def ignores(self, name: str) -> bool:
        """Whether this person does not want to hear from a player of this name."""
        return skeleton(name) in self.ignored

    def ignoring(self, skeletons: Iterable[str]) -> Self:
        """The settings with these ignored, and no others."""
        return structs.replace(self, ignored=tuple(sorted({*skeletons})))

    def changed(self, key: str, value: str) -> Self:
        """The settings with one of them changed. Raises InputError that says what can be chosen."""
        if key == "pace":
            return structs.replace(self, pace=_pace(value))
        if key not in CHOICES:
            raise NoSuch("bad_request", "setting", key, [*CHOICES, "pace"])
        value = "none" if (key, value) == ("colour", "off") else value
        found = [choice for choice in CHOICES[key] if choice.startswith(value)] if value else []
        if len(found) != 1:
            raise InputError("bad_request", f"type set {key} {' or '.join(CHOICES[key])}")
        if key == "level" and found[0] != AUTO:
            own_level = structs.replace(self.own_level, level=convert(found[0], Level), won=0, lost=0)
            return structs.replace(self, level=found[0], own_level=own_level)
        return structs.replace(self, **{key: found[0]})

    def lines(self, *, drawn: bool = True, level: str = "", is_hosts: bool = False) -> list[str]:
        """What is chosen and what could be, one setting a line: in columns on a screen, else in sentences.

        ``level`` is the level that the player meets now; ``is_hosts``: the host of the server has chosen it for all.
        """
        lines = []
        for key, choices in CHOICES.items():
            chosen, what_for = getattr(self, key), WHAT_FOR[key]
            others = ", ".join(choice for choice in choices if choice != chosen)
            in_columns = f"{f'set {key} {chosen}':<21}{what_for}; or {others}"
            lines.append(in_columns if drawn else f"{key} {chosen}: {what_for}; or {others}.")
            if key == "level" and chosen == AUTO and level:
                since = "here, as the server's settings say" if is_hosts else "now; help set tells when that changes"
                stands_for = f"auto is {level} {since}"
                lines.append(f"{'':<21}{stands_for}" if drawn else f"{stands_for}.")
        pace = HOSTS if self.pace is None else f"{self.pace:g}{' s' if drawn else ''}"
        others = f"or {'' if self.pace is None else f'{HOSTS}, or '}0 to {PACES[1]:g} seconds"
        in_columns = f"{f'set pace {pace}':<21}how long AI players take; {others}"
        in_words = f"pace {pace}: how long AI players take at your tables; {others}."
        return [*lines, in_columns if drawn else in_words, "To change one type, for example, set tips off."]

    def to_json(self, replaced: str | None = None) -> str:
        """The settings that differ from the defaults, with what the replaced text has besides.

        Raises ValueError if that text cannot be read here: it may be of a newer version, and must stay.
        """
        return write_versioned(structs.replace(self, unknown=_read(replaced).unknown))

    @staticmethod
    def from_json(text: str | None) -> "Settings":
        """The settings in a text; the defaults if it cannot be read here."""
        try:
            return _read(text)
        except ValueError:
            return Settings()


CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    name: get_args(kind)
    for name, kind in get_type_hints(Settings).items()
    if get_origin(kind) is Literal and name != "v"
}
"""What can be chosen for each setting, the default first."""
WHAT_FOR: Final[Mapping[str, str]] = {
    "mode": "full screen or plain lines",
    "cards": "how cards look",
    "colour": "colours of the suits",
    "notice": "the signal at your turn",
    "motion": "how the clock moves",
    "tips": "tips about what is new",
    "prompt": "the > in plain lines",
    "level": "of AI players",
}


def _read(text: str | None) -> Settings:
    """The settings in a text; a choice that is unknown here is kept as a setting that is. Raises ValueError."""
    if text is None:
        return Settings()
    with suppress(ValueError):
        return read_versioned(text, Settings)
    given = read_versioned(text, dict[str, Any])
    unreadable = {key: value for key, value in given.items() if not _is_readable({"v": given["v"], key: value})}
    read = read_versioned(json.encode({key: value for key, value in given.items() if key not in unreadable}), Settings)
    kept = json.decode(read.unknown or "{}") | unreadable
    return structs.replace(read, unknown=json.encode(kept).decode())


def _is_readable(given: dict[str, Any]) -> bool:
    with suppress(ValueError):
        read_versioned(json.encode(given), Settings)
        return True
    return False


def _pace(value: str) -> float | None:
    if value and (HOSTS.startswith(value) or value == AUTO):
        return None
    pace = read_decimal(value.partition("s")[0].rstrip())
    if pace is None or not PACES[0] <= pace <= PACES[1]:
        raise InputError("bad_request", f"type set pace with {PACES[0]:g} to {PACES[1]:g} seconds, or {HOSTS}")
    return pace
