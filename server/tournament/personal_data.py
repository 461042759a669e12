"""What is kept of people in tournaments: how it is read, and how they are taken out of it."""

from collections.abc import Mapping
from secrets import token_hex
from typing import Final

from msgspec import json

from server.lobby.lobby import Lobby
from server.lobby.personal_data import Person, PersonalData
from server.people.players import FORMER
from server.storage import sql
from server.storage.database import Database, TextRow
from server.tournament import events
from server.tournament.events import LIST, events_of, read_opened, write_event
from server.tournament.known import TOURNAMENTS_KEPT
from server.tournament.state import EVENTS


async def kept_of(lobby: Lobby, person: Person) -> list[Mapping[str, object]] | None:
    """What a person has done in tournaments that are kept, as JSON. Raises NotSaved."""
    found = [json.decode(row.text or "") for _, row in await _texts_of(lobby.store, person.account)]
    return found or None


async def forget_in_tournaments(lobby: Lobby, person: Person) -> None:
    """Take the name of a person out of all tournaments. Raises NotSaved, OutcomeUnknown."""
    store, told = lobby.store, set[str]()
    for kind, row in await _texts_of(store, person.account):
        event = json.decode(row.text or "null")
        if event.get("host") == person.account:
            event |= {"host_name": FORMER, "network": ""}
        if isinstance(event.get("player"), dict):
            event["player"]["name"], event["network"] = FORMER, ""
        # In its place: what has another number would count in another order.
        await store.execute(sql.REWRITE_TEXT, kind, row.key, json.encode(event).decode())
        told.add(row.key if kind == LIST else kind.removeprefix(f"{LIST} "))
    for tournament in told:
        forgotten = events.Forgotten(at=lobby.wall(), player=person.account)
        await store.put_text(events_of(tournament), token_hex(8), write_event(forgotten))


async def forget_networks(lobby: Lobby, before: float) -> None:
    """Delete where players of tournaments that ended before this time came from. Raises NotSaved, OutcomeUnknown."""
    for listed in await lobby.store.oldest_texts(LIST, TOURNAMENTS_KEPT):
        if 0 < read_opened(listed.text or "").ended < before:
            kind = events_of(listed.key)
            every = [(LIST, listed), *((kind, row) for row in await lobby.store.oldest_texts(kind, 2 * EVENTS.share))]
            for its_kind, row in every:
                event = json.decode(row.text or "null")
                if event.get("network"):
                    without = json.encode(event | {"network": ""}).decode()
                    await lobby.store.execute(sql.REWRITE_TEXT, its_kind, row.key, without)


async def _texts_of(store: Database, account: str) -> list[tuple[str, TextRow]]:
    """The texts of tournaments that name an account, each with its kind."""
    listed = await store.oldest_texts(LIST, TOURNAMENTS_KEPT)
    found = [(LIST, row) for row in listed]
    for kind in map(events_of, (each.key for each in listed)):
        found += [(kind, row) for row in await store.oldest_texts(kind, 2 * EVENTS.share)]
        found = [(kind, row) for kind, row in found if f'"{account}"' in (row.text or "")]
    return found


PERSONAL_DATA: Final = PersonalData(
    name="tournaments",
    told=lambda _: f"that you have played in a tournament or held one, for the last {TOURNAMENTS_KEPT} of them",
    read=kept_of,
    forget=forget_in_tournaments,
    forget_addresses=forget_networks,
)
