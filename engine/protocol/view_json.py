"""Views as JSON, written and read (see `README.md` beside this file, under `view`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import NO_RANK, RANKS, Card, CardSet, Rank, card_from, card_name, card_set, cards_in, rank_from
from engine.errors import BadPosition, InputError
from engine.pile import add_to_pile
from engine.rank_powers import Powers, powers_of
from engine.rules import Json
from engine.rulesets import ruleset
from engine.state import Outcome, State
from engine.view import UNSEEN, View

HIDDEN: Final = "??"


def view_json(view: View) -> dict[str, Json]:
    """A view in the shape of a position: hidden cards are ``??``, the stock is its length."""

    def zone(known: tuple[CardSet, ...], counts: tuple[int, ...], seat: int) -> list[Json]:
        names = card_names(cards_in(known[seat]))
        return names + [HIDDEN] * (counts[seat] - len(names))

    return {
        **public_json(view),
        "stock": view.stock_left,
        "seats": [
            {
                "hand": zone(view.hands, view.hand_counts, seat),
                "up": zone(view.ups, view.up_counts, seat),
                "down": [None if card is None else HIDDEN for card in view.downs[seat]],
                "reserve": zone(view.reserves, view.reserve_counts, seat),
                "ready": view.ready[seat],
            }
            for seat in view.seats
        ],
    }


def public_json(known: State | View) -> dict[str, Json]:
    """The public part of a position, in the published order of keys; the caller fills in the stock and the seats."""
    return {
        "rules": known.rules.name,
        "options": dict(known.rules.options),
        "phase": known.phase,
        "stock": None,
        "pile": card_names(known.pile),
        "bin": card_names(known.bin),
        "seats": None,
        "order": list(known.order),
        "to_move": known.to_move,
        "must_lead": None if known.must_lead is None else RANKS[known.must_lead],
        "may_pass": known.may_pass,
        "quiet": known.quiet,
        "places": list(known.places),
        "outcome": None if known.outcome is None else known.outcome.to_json(),
    }


def card_names(cards: Iterable[Card]) -> list[Json]:
    """The names of these cards."""
    return [card_name(card) for card in cards]


def view_from_json(source: Mapping[str, Any], seat: int, public_hands: Sequence[CardSet] | None = None) -> View:
    """Read a view that `view_json` wrote, for programs that use the engine's AI players over the bot protocol.

    Args:
        source: the JSON object.
        seat: the viewer's seat, which the JSON does not hold.
        public_hands: see `View.public_hands`, which the JSON does not hold either; None for no such cards. Nor does it
            hold `View.declined`, which the view then says of no cards.

    Raises:
        InputError: unknown_rules or bad_option if the rules are not built-in ones, else bad_position.
    """
    try:
        return _read(source, seat, public_hands)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadPosition(f"not a view: {error!r}") from None


def _read(source: Mapping[str, Any], seat: int, public_hands: Sequence[CardSet] | None) -> View:
    base = ruleset(source["rules"])
    # House rules may have larger numbers than the options of a table.
    rules = base.overridden(source["options"], base.title)
    pile = _RebuiltPile(powers_of(rules))
    for name in source["pile"]:
        add_to_pile(pile, (_card(name),))
    seats = source["seats"]
    hands, ups, reserves = ([_known(entry[zone]) for entry in seats] for zone in ("hand", "up", "reserve"))
    return View(
        seat=range(len(seats))[seat],
        rules=rules,
        powers=pile.powers,
        phase=source["phase"],
        ready=tuple(entry["ready"] for entry in seats),
        order=tuple(source["order"]),
        to_move=source["to_move"],
        must_lead=_rank(source["must_lead"]),
        may_pass=source["may_pass"],
        hands=tuple(hands),
        hand_counts=tuple(len(entry["hand"]) for entry in seats),
        public_hands=tuple(public_hands or [0] * len(seats)),
        declined=(0,) * len(seats),
        ups=tuple(ups),
        up_counts=tuple(len(entry["up"]) for entry in seats),
        downs=tuple(tuple(None if card is None else UNSEEN for card in entry["down"]) for entry in seats),
        reserves=tuple(reserves),
        reserve_counts=tuple(len(entry["reserve"]) for entry in seats),
        stock_left=source["stock"],
        pile=tuple(pile.pile),
        bin=tuple(_card(name) for name in source["bin"]),
        top=pile.top,
        run=pile.run,
        quiet=source["quiet"],
        places=tuple(source["places"]),
        outcome=_outcome(source["outcome"]),
    )


@dataclass(slots=True)
class _RebuiltPile:
    """A pile that is laid again card by card, to find its top."""

    powers: Powers
    pile: list[Card] = field(default_factory=list)
    top: Rank = NO_RANK
    run: int = 0


def _known(names: Sequence[str]) -> CardSet:
    return card_set(_card(name) for name in names if name != HIDDEN)


def _card(name: str) -> Card:
    card = card_from(name)
    if card is None:
        raise ValueError(f"{name[:20]} is not a card")
    return card


def _rank(name: str | None) -> Rank | None:
    return None if name is None else rank_from(name)


def _outcome(source: Mapping[str, Any] | None) -> Outcome | None:
    return None if source is None else Outcome(source.get("winner"), tuple(source.get("seats", ())))
