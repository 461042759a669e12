"""Which tables a bot asks for: a new one with settings of its own, or one where somebody waits."""

from engine.rulesets import DEFAULT
from server.language.table_settings import table_settings
from server.lobby.lobby import Lobby
from server.session.bot_requests import New
from server.table.entries import TableSettings
from server.table.snapshot import Listing


def settings_of(request: New, lobby: Lobby) -> TableSettings:
    """The settings of the table that a bot wants to open. Raises InputError if one of them is wrong."""
    given = {"seats": request.seats, "level": request.fill, "clock": request.clock, "key": request.key}
    texts = {key: str(value) for key, value in given.items() if value is not None}
    rules = lobby.rulebook.find(DEFAULT if request.rules is None else request.rules)
    return table_settings(rules, lobby.rulebook.name_of(rules), request.options or {}, texts, lobby.config)


def open_tables(wanted: str | None, lobby: Lobby) -> list[Listing]:
    """The tables where a bot can sit down and somebody waits; with these rules, or with any for None.

    Last are those where it is not known yet who has come, since that was at another server just now. Raises InputError
    if there are no such rules.
    """
    rules = None if wanted is None else lobby.rulebook.find(wanted).name
    here = lobby.tables.here
    tables = [each for each in lobby.tables.listings() if here[each.number].runtime.closes_at is None]
    found = [each for each in tables if each.open_seats and not each.playing and not each.private]
    return sorted((each for each in found if rules in (None, each.rules)), key=lambda each: each.asleep)
