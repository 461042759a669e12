"""Explains what happened to a player without their choice, for `why` without a card. Pure; works on events."""

from collections.abc import Sequence

from engine.events import Event, PickedUp, Skipped, Started
from engine.wording.phrases import sentence_case
from engine.wording.rules_sheet import last_card_note, pick_up_note, start_note
from server.language.tips import skip_reason
from server.table.snapshot import Snapshot


def reason(snapshot: Snapshot, events: Sequence[Event]) -> str:
    """Why the last event of this kind happened to the player; empty if there is none."""
    texts = [line for event in events if (line := _reason(event, snapshot, events))]
    return texts[-1] if texts else ""


def _reason(event: Event, snapshot: Snapshot, events: Sequence[Event]) -> str:
    rules = snapshot.rules
    match event:
        case PickedUp(seat, cause="last-card") if seat == snapshot.seat:
            return f"You took the pile back. {last_card_note(rules)}"
        case PickedUp(seat, cause="flip") if seat == snapshot.seat:
            return "You took the pile: a face-down card that cannot be played goes to the hand, with the pile."
        case PickedUp(seat, cause="stuck") if seat == snapshot.seat:
            return f"You took the pile, having nothing to play. {pick_up_note(rules)}"
        case PickedUp(seat) if seat == snapshot.seat:
            return f"You chose to pick up the pile. {pick_up_note(rules)}"
        case Skipped(seat) if seat == snapshot.seat:
            return sentence_case(skip_reason(rules, events))
        case Started(seat, _, rank) if seat == snapshot.seat:
            laid = "" if rank is None or rules.start_lead != "auto" else " Your first card is played automatically."
            return f"You started. {start_note(rules)}{laid}"
    return ""
