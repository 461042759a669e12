"""What happens to a player, explained: a tip the first time, and the reason if they ask `why`.

Both use the rules' own sentences. There is one tip at a time, beside what a rule set is like, and each once a session;
what is not said now is said the next time it happens.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

from engine.cards import RANK_NAMES
from engine.events import Burned, Drew, Event, Flipped, PickedUp, Played, Skipped, Started, ranks_laid
from engine.legality import open_zone
from engine.moves import Flip, Move, PickUp, Play, play_of
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.view import View
from engine.wording.phrases import a_card, counted_rank, sentence_case
from engine.wording.refusals import legal_sentence
from engine.wording.rules_sheet import four_note, last_card_note, pick_up_note, power_note, start_note, up_at_once
from engine.wording.typed_moves import example_play, typed_form
from server.table.snapshot import Snapshot
from server.table.table_events import GameBegan

Tip: TypeAlias = tuple[str, str | Callable[[], str]]
"""A topic, which is used once, and the line or, if it takes long to find, what finds it."""

LABEL: Final = "Tip: "
FEW_CARDS: Final = 3
"""A player with so many reads what their last card may not be."""
GAMES_ALIKE: Final = 3
"""After so many games with one rule set another one is offered."""
HAVE_REASONS: Final = (PickedUp, Skipped, Started)
"""The events that a player did not choose."""
SHOWN: Final = "Cards in (parentheses), or raised ones, can be played; arrow keys choose."


class Tips:
    """The tips that one player has had."""

    def __init__(self) -> None:
        self._given: tuple[str, ...] = ()
        self._begun: list[str] = []
        """The rule sets of the games that have begun, the latest last."""

    def known(self) -> None:
        """Skip the tips for beginners: a player who comes back knows how to take a turn."""
        self._given = (*self._given, "turn", "arranging")

    def tip(
        self, before: Snapshot | None, after: Snapshot, events: Sequence[Event], *, drawn: bool = True
    ) -> str | None:
        """The tip for these events, or None. Call it at every update, in order.

        ``drawn``: whether the player sees the table on a screen; otherwise they read lines.
        """
        if after.view is None or after.seat is None or after.away:
            return None
        tips: Iterable[Tip] = _tips(before, after, after.view, after.seat, events, drawn=drawn)
        introduced, rules = "", after.rules
        if GameBegan in map(type, events):
            if rules.about and rules.name not in {DEFAULT, *self._begun}:
                introduced = f"{rules.title}: {rules.about}; rules tells how it is played. "
            self._begun.append(rules.name)
            tips = chain(tips, () if after.occasion else _another(self._begun))
        for about, line in tips:
            if about not in self._given:
                self._given = (*self._given, about)
                return LABEL + introduced + sentence_case(line if isinstance(line, str) else line())
        return LABEL + introduced.rstrip() if introduced else None


def _another(begun: Sequence[str]) -> Iterator[Tip]:
    """Another rule set, for a player who begins one game more after some games with the same rules."""
    name = next((name for name in rulesets() if name not in begun), "")
    if name and len(begun) > GAMES_ALIKE and len({*begun[-GAMES_ALIKE:]}) == 1:
        what = ruleset(name)
        yield "another", f"for a change play {what.title} after this game: {what.about}. Type leave, then play {name}."


def _tips(
    before: Snapshot | None, after: Snapshot, view: View, seat: int, events: Sequence[Event], *, drawn: bool
) -> Iterator[Tip]:
    """All tips that apply, the most important first."""
    kinds, rules = set(map(type, events)), view.rules
    if Started in kinds:
        yield from _started(view, seat, events)
    if Skipped in kinds or PickedUp in kinds:
        yield from _done_to(after, events)
    if after.my_turn and view.phase == "arrange":
        yield from _arranging(view, drawn=drawn)
    elif after.my_turn:
        yield from _turn(before, view, seat, after.legal, events, drawn=drawn)
    for rank in ranks_laid(events):
        if rank in rules.special:
            yield f"rank {rank}", power_note(rank, rules.special[rank])
    if Burned in kinds and "four" in [event.cause for event in events if isinstance(event, Burned)]:
        yield "four", four_note(rules)
    if rules.draw_rule == "one" and seat in [event.seat for event in events if isinstance(event, Drew)]:
        laid = [len(event.cards) for event in events if isinstance(event, Played) and event.seat == seat]
        if sum(laid) > 1:
            yield "draw", "you draw one card, however many you play, so your hand shrinks."


def _started(view: View, seat: int, events: Sequence[Event]) -> Iterator[Tip]:
    """Why this player starts and with which card, if the cards decide it."""
    for event in events:
        if not (isinstance(event, Started) and event.seat == seat and event.rank is not None):
            continue
        card = a_card(event.rank)
        if view.rules.start_lead == "auto" and view.rules.start_who in {"lowest", "declare"}:
            yield "start", f"you had the lowest card in hand, {card}, so you start: it is played for you."
        elif view.must_lead is not None:
            typed = typed_form(play_of(event.rank, 1)).upper()
            yield "start", f"you start, and the first card must be {card}: type {typed}."


def _done_to(after: Snapshot, events: Sequence[Event]) -> Iterator[Tip]:
    own = {each.cause for each in events if isinstance(each, PickedUp) and each.seat == after.seat}
    if own & {"stuck", "choice"}:
        yield "picked up", f"the cards you took are in your hand. {pick_up_note(after.rules)}"
    elif why := reason(after, events):
        yield why, why


def _arranging(view: View, *, drawn: bool) -> Iterator[Tip]:
    if drawn:  # the screen says what the cards are for
        yield "arranging", "the right arrow key shows what you can do; Esc clears the line."
    else:
        what = "Cards laid aside" if view.rules.arrange_mode == "lay-reserve" else "Face-up cards"
        yield "arranging", f"{what} are played late in the game, so put strong cards there."


def _turn(
    before: Snapshot | None, view: View, seat: int, moves: Sequence[Move], events: Sequence[Event], *, drawn: bool
) -> Iterator[Tip]:
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        yield "turn", lambda: _how_to_play(view, plays, drawn=drawn)
    kinds = set(map(type, moves))
    if Flip in kinds:
        first = next(move for move in moves if isinstance(move, Flip))
        yield "face-down", f"you have only face-down cards left. Type {typed_form(first)} to turn over the first."
    elif PickUp in kinds and not plays:
        may_lift = any(isinstance(move, PickUp) and move.picks for move in moves)
        yield "lift" if may_lift else "stuck", f"you have nothing to play. {legal_sentence(moves)}"
    if open_zone(view, seat)[0] and not view.hands[seat]:
        yield "face-up", f"your hand is empty, so you play from your face-up cards, {up_at_once(view.rules)}."
    if before is not None and before.view is not None and before.view.to_move == seat:
        if view.may_pass:
            yield "may again", "you may play again; type d to pass."
        elif any(isinstance(event, Played | Flipped) and event.seat == seat for event in events):
            yield "again", "your card gives you another turn."
    if several := [move for move in plays if len(move.picks) > 1]:
        yield "several", lambda: _how_to_play_several(view, several, drawn=drawn)
    if not view.stock_left and view.cards_of(seat) <= FEW_CARDS and (note := last_card_note(view.rules)):
        yield "last card", f"you have few cards left. {note}"


def _how_to_play(view: View, plays: Sequence[Play], *, drawn: bool) -> str:
    example = example_play(view, plays, copies=1)
    how = "a card type its rank" if len(example.picks) == 1 else "cards type the rank of each"
    return f"to play {how}, like {typed_form(example).upper()}, and press Enter.{f' {SHOWN}' if drawn else ''}"


def _how_to_play_several(view: View, plays: Sequence[Play], *, drawn: bool) -> str:
    most = max(plays, key=lambda move: len(move.picks))
    cards, keys = counted_rank(most.picks[0].rank, len(most.picks)), ", or press an arrow key and Space" * drawn
    may = "must" if view.rules.play_whole_sets else "can"
    return f"{cards} {may} be played together: type {typed_form(most).upper()}{keys}."


def reason(snapshot: Snapshot, events: Sequence[Event]) -> str:
    """Why the last thing happened to the player that they did not choose, for `why` without a card; empty if none."""
    rules = snapshot.rules
    own = [each for each in events if isinstance(each, HAVE_REASONS) and each.seat == snapshot.seat]
    match own[-1:]:
        case [PickedUp(cause="last-card")]:
            return last_card_note(rules)
        case [PickedUp(cause="flip")]:
            return "A face-down card that cannot be played goes to your hand, with the pile."
        case [PickedUp(cause="stuck")]:
            return f"You had nothing to play, so you took the pile. {pick_up_note(rules)}"
        case [PickedUp()]:
            return f"You chose to pick up the pile. {pick_up_note(rules)}"
        case [Skipped()]:
            for rank in ranks_laid(events):
                if rank in rules.special:
                    note = power_note(rank, rules.special[rank])
                    return f"You were passed over because of the {RANK_NAMES[rank]}. {note}"
            return "You were passed over."
        case [Started(rank=rank)]:
            laid = "" if rank is None or rules.start_lead != "auto" else " Your first card is played for you."
            return f"You started. {start_note(rules)}{laid}"
    return ""
