"""What a person has chosen for their own screen and table: read from what they type, remembered by their key."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Final, Self

from engine.errors import InputError

PACES: Final = (0.0, 10.0)
"""The least and the most seconds that AI players may be asked to take."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that `set` changes; the defaults are what a newcomer sees."""

    mode: str = "auto"
    cards: str = "auto"
    colour: str = "four"
    notice: str = "bell"
    motion: str = "full"
    tips: str = "on"
    prompt: str = "on"
    pace: float | None = None
    """Seconds that AI players take at tables that this person opens; None is what the server's host says."""

    def changed(self, key: str, value: str) -> Self:
        """With one of them changed. Raises InputError that says what can be chosen."""
        if key == "pace":
            return replace(self, pace=_pace(value))
        if key not in CHOICES:
            raise InputError("bad_request", f"set what? {', '.join([*CHOICES, 'pace'])}: set alone shows them")
        found = [choice for choice in CHOICES[key] if choice.startswith(value)] if value else []
        if len(found) != 1:
            raise InputError("bad_request", f"say set {key} {' or '.join(CHOICES[key])}: there is nothing else")
        return replace(self, **{key: found[0]})  # type: ignore[arg-type]

    def lines(self, *, drawn: bool = True) -> list[str]:
        """What is chosen and what could be, one a line; in columns where it is drawn, else to be read out."""
        if not drawn:
            return self._spoken()
        lines = []
        for key, choices in CHOICES.items():
            chosen = getattr(self, key)
            others = ", ".join(choice for choice in choices if choice != chosen)
            lines.append(f"set {key:<6} now {chosen:<8} or {others:<22} {WHAT_FOR[key]}")
        pace = "as the host says" if self.pace is None else f"{self.pace:g} s"
        return [*lines, f"{f'set pace 1.5  now {pace}':<49} seconds AI players take"]

    def _spoken(self) -> list[str]:
        chosen = asdict(self)
        others = {key: [choice for choice in choices if choice != chosen[key]] for key, choices in CHOICES.items()}
        lines = [f"{key} {chosen[key]}, or {', '.join(others[key])}: {WHAT_FOR[key]}." for key in CHOICES]
        pace = "as the host says" if self.pace is None else f"{self.pace:g}"
        pace_line = f"pace {pace}, or a number from 0 to {PACES[1]:g}: seconds that AI players take at your tables."
        return [*lines, pace_line, "To change one say set, its name and what you want: set tips off."]

    def to_json(self) -> str:
        """As the log keeps it: what differs from the defaults."""
        usual = asdict(type(self)())
        return json.dumps({"v": 1, **{key: value for key, value in asdict(self).items() if value != usual[key]}})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Back from the log; what this version does not know is left at its default."""
        try:
            kept = json.loads(text)
            settings = cls()
            for field in fields(cls):
                if field.name in kept:
                    settings = settings.changed(field.name, str(kept[field.name]))
        except (ValueError, TypeError):
            return cls()
        return settings


CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "mode": ("auto", "screen", "line"),
        "cards": ("auto", "letters", "suits", "words"),
        "colour": ("four", "two", "contrast", "none"),
        "notice": ("bell", "osc9", "osc777", "off"),
        "motion": ("full", "reduced"),
        "tips": ("on", "off"),
        "prompt": ("on", "off"),
    }
)
"""By name, the default first."""
WHAT_FOR: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mode": "full screen or plain lines",
        "cards": "7h, suit signs, or words",
        "colour": "of suits, strong, or none",
        "notice": "when it is your turn",
        "motion": "a clock that ticks or steps",
        "tips": "a word on what is new",
        "prompt": "a > in plain lines",
    }
)


def _pace(value: str) -> float:
    try:
        pace = float(value)
    except ValueError:
        pace = -1.0
    if not PACES[0] <= pace <= PACES[1]:
        raise InputError("bad_request", f"say set pace with {PACES[0]:g} to {PACES[1]:g} seconds")
    return pace
