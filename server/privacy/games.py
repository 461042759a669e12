"""The finished games of a player: all of them, and without the name of a player who was forgotten."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Collection
from typing import Final

from server.people.players import FORMER
from server.records.record import FIRST_LINE, checksum
from server.records.results import GUEST
from server.records.syntax import quoted
from server.storage import sql
from server.storage.database import EVERY, Database, FinishedGame

AT_ONCE: Final = 100
"""How many games are listed at once."""


async def all_games_of(store: Database, account: str) -> AsyncIterator[FinishedGame]:
    """Every finished game of an account that is kept, the latest first, with its record. Raises NotSaved."""
    before = EVERY
    while games := await store.games_of(account, AT_ONCE, before):
        before = games[-1][0]
        for _, game in games:
            if (whole := await store.game(game.id)) is not None:
                yield whole
            await asyncio.sleep(0)  # a file is read without a pause


async def forget_in_games(store: Database, account: str, names: Collection[str]) -> None:
    """Take the name of an account out of all finished games; it counts as a guest there. Raises NotSaved."""
    async for game in all_games_of(store, account):
        result, record = without_name(game.result, game.record, account, names)
        await store.execute(sql.REWRITE_GAME, game.id, result, record)
    await store.execute(sql.FORGET_GAMES, account)


def without_name(result: str, record: str, account: str, names: Collection[str]) -> tuple[str, str]:
    """The result and the record of a game without the name of an account, which counts as a guest.

    ``names``: what the account is known to have been called besides. Of what a newer version has written, the same
    keys are changed.
    """
    read = json.loads(result)
    known = {*names}
    for finish in read.get("finishes", ()):
        if finish.get("key") == account:
            known.add(finish["name"])
            finish["key"], finish["name"] = GUEST, FORMER
    return json.dumps(read, ensure_ascii=False, separators=(",", ":")), _renamed(record, known - {FORMER})


def _renamed(record: str, names: Collection[str]) -> str:
    """A record with another name in the lines that have one of these, and with the checksum of that."""
    if not names:
        return record
    name, in_note = ("|".join(re.escape(form(each)) for each in names) for form in (quoted, _in_note))
    patterns = (
        (re.compile(rf"^(player \d+|cut by)(:?) (?:{name})", re.MULTILINE), rf"\1\2 {quoted(FORMER)}"),
        # A note has the name as a word, before a space or a semicolon, or at its end.
        (re.compile(rf"^(# (?:.* )?)(?:{in_note})(?=[ ;]|$)", re.MULTILINE), rf"\g<1>{FORMER}"),
    )
    first, _, body = record.partition("\nchecksum: ")
    body = body.partition("\n")[2]
    for pattern, instead in patterns:
        body = pattern.sub(instead, body)
    return f"{FIRST_LINE}\nchecksum: {checksum(body)}\n{body}" if first == FIRST_LINE else record


def _in_note(name: str) -> str:
    return quoted(name)[1:-1]
