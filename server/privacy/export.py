"""All that is kept of a player, as one JSON object."""

from collections.abc import Mapping

from msgspec import json, to_builtins

from engine.rules import Json
from server.lobby.lobby import Lobby
from server.lobby.personal_data import PersonalData
from server.privacy.forgetting import person_of
from server.privacy.games import all_games_of


async def export(lobby: Lobby, account: str) -> Mapping[str, Json]:
    """All that is kept of an account. Raises NotSaved.

    Of tables only their numbers are told: their logs have cards that nobody may see yet.
    """
    await lobby.standings.count_all()
    person, kept = await person_of(lobby, account), await lobby.profiles.accounts.account(account)
    games = [
        {"game": each.id, "rules": each.rules, "at": each.at, "result": _json(each.result), "record": each.record}
        async for each in all_games_of(lobby.store, account)
    ]
    texts = {kind: _json(text) for kind in lobby.profiles.kinds if (text := await lobby.store.text(kind, account))}
    others = {each.name: await each.read(lobby, person) for each in lobby.features.all(PersonalData)}
    return {
        "account": account,
        "name": kept.name,
        "last_day": kept.seen,
        "settings": _json(kept.settings),
        "keys": list(person.keys),
        "tables": [number for number, _ in await lobby.store.seats_of(account)],
        "ratings": [_json(text) for text in await lobby.store.standings_of(account)],
        "bans": [each.how_long for each in lobby.bans.all() if each.target == account],
        "mutes": [each.how_long for each in lobby.mutes.all() if each.target == account],
        "given_names": [each.how_long for each in lobby.given_names.all() if each.target == account],
        **texts,
        **{name: to_builtins(value) for name, value in others.items() if value is not None},
        "games": games,
    }


def _json(text: str | None) -> Json:
    read: Json = json.decode(text) if text else None
    return read
