"""Options: keys that override those of a rule set, and one set of options for several that follow each other.

What it must not know: which keys there are, and what they mean; `engine.rules` reads their values.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.cards import rank_from, rank_label
from engine.errors import BadRules

NO_EFFECT: Final = "none"
"""The value of ``special.RANK.effect`` that takes a rank's power away."""
MOST_OPTIONS: Final = 100
"""There are fewer keys than this. Records hold all options of a game."""
LONGEST_KEY: Final = 40
"""In characters; all keys are shorter."""


def check_options(options: Mapping[str, Any]) -> None:
    """Raise BadRules if there are more options than keys, or if two of them are the same key."""
    if len(options) > MOST_OPTIONS:
        raise BadRules([f"options: there may be {MOST_OPTIONS} at most, not {len(options)}"])
    first: dict[str, str] = {}
    for key in options:
        if first.setdefault(full_key(key), key) != key:
            raise BadRules([f"{key}: is the same key as {first[full_key(key)]}"])


def layered(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """The options that do the same as the earlier ones and then the later ones."""
    before = {full_key(key): value for key, value in earlier.items()}
    replaced = {full_key(key) for key in later}
    gone = ["deck.copies."] if "deck.copies" in later else []
    blank: dict[str, Any] = {}
    for key, value in later.items():
        power, _, part = full_key(key).rpartition(".")
        if part == "effect" and value == NO_EFFECT:
            gone.append(f"{power}.")
        elif part == "effect" and before.get(f"{power}.effect") == NO_EFFECT:
            # The power is a new one: the parts of the power that was taken away must not come back with it.
            blank |= {f"{power}.on": "rank", f"{power}.again": "no", f"{power}.blocks": []}
    kept = {
        key: value
        for key, value in earlier.items()
        if key in later or not (full_key(key) in replaced or full_key(key).startswith(tuple(gone)))
    }
    return kept | {key: value for key, value in blank.items() if key not in replaced} | dict(later)


def keys_with(keys: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a rule set with options: ``deck.copies.2`` changes one rank, ``deck.copies`` replaces them all."""
    one_rank, others = dict[str, Any](), dict[str, Any]()
    for key, value in options.items():
        rank = full_key(key).removeprefix("deck.copies.")
        (others if rank == full_key(key) else one_rank)[rank] = value
    result = layered(keys, others)
    if one_rank and isinstance(result["deck.copies"], Mapping):
        result["deck.copies"] = {**result["deck.copies"], **one_rank}
    return result


def full_key(key: str) -> str:
    """A key with its rank, if it names one, spelled as rule files write it.

    >>> full_key("special.t.again"), full_key("deck.copies.q"), full_key("draw.to")
    ('special.10.again', 'deck.copies.Q', 'draw.to')
    """
    parts = key[:LONGEST_KEY].split(".")
    at = {"special": 1, "deck": 2}.get(parts[0], len(parts))
    if at < len(parts) and (rank := rank_from(parts[at])) is not None:
        parts[at] = rank_label(rank)
    return ".".join(parts) + key[LONGEST_KEY:]
