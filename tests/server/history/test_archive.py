"""Finished games and the best players, asked for over ssh: on the screen, in lines, and as JSON."""

import dataclasses
import json

import asyncssh
import pytest

from server.storage.database import FinishedGame
from tests.support.bots import bot
from tests.support.games_over_ssh import asked, asked_json, played
from tests.support.people import RunningServer

pytestmark = pytest.mark.waiting_takes_no_time


async def test_games_are_checked_by_commands_of_ssh(open_server: RunningServer) -> None:
    """In sentences and as JSON; a game that is none is one line and an exit status."""
    game = await played(open_server)
    assert (await asked_json(open_server, f"verify {game}"))["fair"] is True
    assert "seed" in (await asked(open_server, f"verify {game}")).lower()
    assert "No finished game" in await asked(open_server, "verify XXXXXXXX", 2)
    assert "Name a finished game" in await asked(open_server, "verify", 2)


async def test_a_record_that_was_changed_is_not_vouched_for(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed record is found out."""
    game = await played(open_server)
    store = open_server.app.lobby.store
    kept = await store.game(game)
    assert kept is not None
    changed = dataclasses.replace(kept, record=kept.record.replace("Quatch", "Quotch", 1))

    async def read(_: str) -> FinishedGame:
        return changed

    monkeypatch.setattr(store, "game", read)
    assert (await asked_json(open_server, f"verify {game}", 1))["fair"] is False


@pytest.mark.features("rankings")
async def test_the_best_players_are_known_by_their_keys(open_server: RunningServer) -> None:
    """A player with a proven key is listed by name, and so are the levels of AI players they met; guests are not."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    assert "no rated games yet" in await asked(open_server, "top")
    for _ in range(2):
        await played(open_server, key)
    async with bot(open_server.port, "guest") as guest:
        guest.send(type="new", rules="quatch", seats=2, fill="easy")
        await guest.play()
    top = await asked_json(open_server, "top quatch")
    listed = {line["name"]: line["games"] for line in top["top"]}
    assert listed["hal"] == 2
    assert listed["easy AI player"] == 2
    assert "SHA256" not in json.dumps(top["top"])
    assert "hal" in await asked(open_server, "top")
    async with open_server.person("ana", key=key) as ana:
        await ana.enter("top", "hal")
