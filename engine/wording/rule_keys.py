"""The keys of rules in words, for players who change some of them: one line for each."""

from dataclasses import fields
from typing import Final, get_args, get_type_hints

from engine.powers import Effect
from engine.rule_options import NO_EFFECT
from engine.rules import Power, Rules, key_fields

MEANINGS: Final = {
    "seats.min": "the fewest players",
    "seats.max": "the most players",
    "deck.copies": "of which ranks the deck has fewer cards, as in deck.copies.2=1",
    "deal.down": "cards dealt face down",
    "deal.up": "cards dealt face up",
    "deal.hand": "cards dealt to the hand",
    "arrange.mode": "what all do with their cards before play",
    "arrange.lay": "how many cards are laid then",
    "start.who": "who starts",
    "start.lead": "how the card that starts is led",
    "start.second": "who goes second",
    "start.turn_up": "whether a card is turned up to begin the pile",
    "beat": "what beats the top of the pile",
    "play.whole_sets": "whether all cards of the rank must go together",
    "play.up_at_once": "how many face-up cards may go together",
    "draw.rule": "what is drawn after a play from the hand",
    "draw.to": "up to how many cards",
    "pickup.by_choice": "whether the pile may be taken instead of playing",
    "pickup.lift_up": "face-up cards that may be lifted with the pile",
    "four.scope": "which four of a rank burn the pile",
    "four.again": "whether their player goes again",
    "special.RANK.effect": "what a rank does",
    "special.RANK.on": "where it goes",
    "special.RANK.again": "whether its player goes again",
    "special.RANK.blocks": "ranks that may not be laid on it, as in special.7.blocks=10,K",
    "out.last_special": "a last card that resets or burns",
    "out.ends": "when the game is over",
    "stalemate.quiet_plies": "moves in which no card is drawn, burned or played from the table, until a draw",
}
"""What each key is for; `engine/rulesets/KEYS.md` says more."""


def key_lines() -> list[str]:
    """Every key, what it is for, and its values."""
    types = {key: get_type_hints(Rules)[name] for key, name in key_fields().items()}
    powers = {f"special.RANK.{each.name}": get_type_hints(Power)[each.name] for each in fields(Power)}
    return [f"{key:<22} {MEANINGS[key]}: {_values(kind)}" for key, kind in sorted({**types, **powers}.items())]


def _values(kind: object) -> str:
    if kind is bool:
        return "true, false"
    if kind is int:
        return "a number"
    choices = [each for each in get_args(kind) if isinstance(each, str)]
    return ", ".join([*choices, *([NO_EFFECT] if kind == Effect else [])]) or "ranks"
