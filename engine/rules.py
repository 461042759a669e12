"""A rule set as a value.

The fields of `Rules` are the keys of `engine/rulesets/KEYS.md`: the field ``start_turn_up`` is the key
``start.turn_up``. The same code reads rule sets, house rules and options, from TOML or JSON. Each fault is a sentence
that names its key. No rule set and no rank is named here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, Literal, Self, TypeAlias, get_args, get_type_hints

from engine.cards import MOST_COPIES, RANKS, Rank, rank_from, rank_label
from engine.errors import BadRules
from engine.powers import Effect
from engine.rule_options import LONGEST_KEY, NO_EFFECT, check_options, keys_with, layered

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

On: TypeAlias = Literal["any", "rank", "rank-or-lower"]
Again: TypeAlias = Literal["no", "may", "must"]

LARGEST_OPTION: Final = 99
LARGEST_NUMBER: Final = 9_999
FOUR: Final = 4
"""So many cards of a rank burn the pile, if the rules have it so."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a special rank does (``effect``), what it may be laid on (``on``), and whether its player goes again."""

    effect: Effect
    on: On = "rank"
    again: Again = "no"
    blocks: tuple[Rank, ...] = ()
    """Ranks that may not be laid directly on it, even if they otherwise go on anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One rule set. Raises BadRules if its values contradict each other."""

    name: str
    title: str
    clauses: Mapping[str, str]
    """Refusal code -> the clause behind it (see `engine/rulesets/README.md`)."""
    at_level: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    """Level of a table -> the options that come with it."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """The keys that were overridden, as given."""
    about: str = ""
    """What the game feels like, in a few words; empty for house rules."""
    usual_plies: int = 0
    """How many moves half of all games have at most, of a newcomer and two easy AI players; 0 if not measured."""

    seats_min: int = 2
    seats_max: int = 4
    deck_copies: tuple[int, ...] = (MOST_COPIES,) * len(RANKS)
    deal_down: int
    deal_up: int
    deal_hand: int
    arrange_mode: Literal["swap", "lay-up", "lay-reserve", "none"]
    arrange_lay: int = 0
    start_who: Literal["lowest", "declare", "dealer-left", "random"]
    start_lead: Literal["auto", "must", "free"]
    start_second: Literal["clockwise", "next-lowest"] = "clockwise"
    start_turn_up: bool = False
    beat: Literal["equal-or-higher", "higher"] = "equal-or-higher"
    play_whole_sets: bool = False
    play_up_at_once: int = MOST_COPIES
    draw_rule: Literal["up-to", "one"] = "up-to"
    draw_to: int = 3
    pickup_by_choice: bool = False
    pickup_lift_up: int = 0
    four_scope: Literal["in-a-row", "one-play", "off"]
    four_again: Again = "no"
    special: Mapping[Rank, Power]
    out_last_special: Literal["allowed", "unplayable", "eaten"] = "allowed"
    out_ends: Literal["first", "last-loser"] = "first"
    stalemate_quiet_plies: int = 200

    def __post_init__(self) -> None:
        if problems := list(_impossible(self)):
            raise BadRules(problems)

    @property
    def fours_burn(self) -> bool:
        """Whether four cards of a rank burn the pile."""
        return self.four_scope != "off"

    def with_options(self, options: Mapping[str, Json]) -> Self:
        """These rules with some keys overridden, as in ``{"four.scope": "in-a-row"}``. Raises BadRules."""
        check_options(options)
        problems = [
            f"{key}: must be 0 to {LARGEST_OPTION}, not {value}"
            for key, value in options.items()
            if type(value) is int and not 0 <= value <= LARGEST_OPTION
        ]
        if problems:
            raise BadRules(problems)
        return self.overridden(options, self.title) if options else self

    def overridden(self, options: Mapping[str, Json], title: str) -> Self:
        """These rules with another title and some keys overridden. Raises BadRules."""
        check_options(options)
        return type(self)(
            name=self.name,
            title=title,
            clauses=self.clauses,
            at_level=self.at_level,
            about=self.about,
            usual_plies=self.usual_plies,
            options=layered(self.options, options),
            **read_keys(keys_with(self.keys(), options)),
        )

    def keys(self) -> dict[str, Json]:
        """Every dotted key with its value, as rule files write them. Rules with equal keys play alike."""
        result: dict[str, Json] = {}
        for key, name in key_fields().items():
            value = getattr(self, name)
            if name == "deck_copies":
                value = {rank_label(rank): n for rank, n in enumerate(value) if n != MOST_COPIES}
            result[key] = value
        for rank, power in sorted(self.special.items()):
            for part in fields(Power):
                value = getattr(power, part.name)
                result[f"special.{rank_label(rank)}.{part.name}"] = (
                    [rank_label(blocked) for blocked in value] if part.name == "blocks" else value
                )
        return result

    def __hash__(self) -> int:
        # Every look at a cached fact about rules asks for it, and few rules of one name are in use.
        return hash((self.name, self.title))


@cache
def key_fields() -> dict[str, str]:
    """Dotted key -> field, for every key except those of special ranks."""
    names = [each.name for each in fields(Rules)]
    no_keys = {"name", "title", "clauses", "at_level", "options", "about", "usual_plies", "special"}
    plain = [name for name in names if name not in no_keys]
    return {name.replace("_", ".", 1): name for name in plain}


@cache
def _types(of: type[Rules] | type[Power]) -> dict[str, object]:
    return get_type_hints(of)


def read_keys(keys: Mapping[str, Json]) -> dict[str, Any]:
    """The fields of `Rules` from dotted keys. Raises BadRules with every fault found."""
    problems: list[str] = []
    values: dict[str, Any] = {}
    powers: dict[Rank, dict[str, Any]] = {}
    for key, value in keys.items():
        if len(key) > LONGEST_KEY or not key.isprintable():
            problems.append(f"{quoted(key)}: no such key")
            continue
        try:
            if key.startswith("special."):
                rank, part, read = _read_power_key(key, value)
                powers.setdefault(rank, {})[part] = read
            else:
                name = _known(key, key_fields())
                values[name] = _read_copies(value) if name == "deck_copies" else _checked(_types(Rules)[name], value)
        except ValueError as error:
            problems.append(f"{key}: {error}")
    for rank, parts in powers.items():
        if "effect" not in parts and not any(each.startswith(f"special.{rank_label(rank)}.") for each in problems):
            problems.append(f"special.{rank_label(rank)}: needs an effect ({either(get_args(Effect))})")
        elif parts.get("effect") == NO_EFFECT:
            key = f"special.{rank_label(rank)}"
            problems += [
                f"{key}.{part}: has no meaning if {key}.effect is {NO_EFFECT}" for part in parts.keys() - {"effect"}
            ]
    for key, name in key_fields().items():
        if name not in values and name in _required() and not any(each.startswith(f"{key}:") for each in problems):
            problems.append(f"{key}: is missing")
    if problems:
        raise BadRules(problems)
    values["special"] = {rank: Power(**parts) for rank, parts in sorted(powers.items()) if parts["effect"] != NO_EFFECT}
    return values


@cache
def _required() -> frozenset[str]:
    optional = Rules.__init__.__kwdefaults__ or {}
    return frozenset(key_fields().values()) - frozenset(optional)


def _read_power_key(key: str, value: Json) -> tuple[Rank, str, object]:
    """Read one key of a special rank: the rank, the field of `Power`, the value. Raises ValueError."""
    _, rank_text, *parts = key.split(".")
    rank = _rank(rank_text)
    types = _types(Power)
    part = ".".join(parts)
    known = {f"special.{rank_label(rank)}.{name}": name for name in types}
    _known(f"special.{rank_label(rank)}.{part or 'effect?'}", known)
    if part == "effect":
        return rank, part, _chosen((*get_args(types[part]), NO_EFFECT), value)
    if part != "blocks":
        return rank, part, _checked(types[part], value)
    if not isinstance(value, list) or len(value) > len(RANKS):
        raise ValueError(f"must be a list of {len(RANKS)} ranks at most, not {quoted(value)}")
    return rank, part, tuple(dict.fromkeys(_rank(item) for item in value))


def _read_copies(value: Json) -> tuple[int, ...]:
    if not isinstance(value, dict) or len(value) > len(RANKS):
        raise ValueError(f"must name ranks and their copies, not {quoted(value)}")
    copies = [MOST_COPIES] * len(RANKS)
    for rank_text, n in value.items():
        if type(n) is not int or not 0 <= n <= MOST_COPIES:
            raise ValueError(f"a rank has 0 to {MOST_COPIES} copies, not {quoted(n)}")
        copies[_rank(rank_text)] = n
    return tuple(copies)


def _checked(wanted: object, value: Json) -> object:
    """The value. Raises ValueError if it is not of the wanted type or none of its choices."""
    if wanted is bool:
        if type(value) is not bool:
            raise ValueError(f"must be true or false, not {quoted(value)}")
    elif wanted is int:
        if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
            raise ValueError(f"must be a whole number, not {quoted(value)}")
    else:
        _chosen(get_args(wanted), value)
    return value


def _chosen(choices: tuple[str, ...], value: Json) -> object:
    """The value. Raises ValueError if it is none of these choices."""
    if value not in choices:
        raise ValueError(f"must be {either(choices)}, not {quoted(value)}")
    return value


def _rank(value: Json) -> Rank:
    rank = rank_from(str(value)) if type(value) in {int, str} else None
    if rank is None:
        raise ValueError(f"a rank is 2 to 10, J, Q, K or A, not {quoted(value)}")
    return rank


def _known(key: str, names: Mapping[str, str]) -> str:
    if key not in names:
        near = get_close_matches(key, names, 1)
        raise ValueError(f"no such key{f' (did you mean {near[0]}?)' if near else ''}")
    return names[key]


def either(choices: tuple[str, ...]) -> str:
    """The choices as a list in words: "swap, lay-up or none"."""
    return " or ".join((", ".join(choices[:-1]), choices[-1])) if len(choices) > 1 else choices[0]


def quoted(value: Json) -> str:
    """A value as messages quote it, shortened."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _impossible(rules: Rules) -> Iterator[str]:
    """Yield a sentence for each set of values that contradict each other; it names all their keys."""
    dealt, lay = rules.deal_down + rules.deal_up + rules.deal_hand, rules.arrange_lay
    if not 2 <= rules.seats_min <= rules.seats_max:
        yield f"seats.min: must be 2 or more and not above seats.max ({rules.seats_max})"
    if dealt == 0:
        yield "deal.hand: each player must be dealt at least one card (with deal.down and deal.up)"
    if dealt * max(rules.seats_min, 2) > sum(rules.deck_copies):
        yield (
            f"deal.hand: with deal.down and deal.up {dealt} for each of {rules.seats_min} seats (seats.min), which is "
            f"more than the deck has (deck.copies leave {sum(rules.deck_copies)})"
        )
    if rules.arrange_mode in {"lay-up", "lay-reserve"} and lay < 1:
        yield f"arrange.lay: must be 1 or more if arrange.mode is {rules.arrange_mode}"
    if rules.arrange_mode == "lay-up" and lay > rules.deal_hand + rules.deal_up:
        yield "arrange.lay: must not be more than the cards to choose from (arrange.mode, deal.hand, deal.up)"
    if rules.arrange_mode == "lay-reserve" and lay >= max(rules.deal_hand, 1):
        yield "arrange.lay: must leave a hand to play from (arrange.mode, deal.hand)"
    if rules.play_up_at_once < 1:
        yield "play.up_at_once: must be 1 or more"
    if rules.stalemate_quiet_plies < 1:
        yield "stalemate.quiet_plies: must be 1 or more"
