"""This version with a database that the last release wrote: everything is there, and every player can go on."""

import gzip
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import asyncssh
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from engine.rulesets import rulesets
from server.storage.sqlite_log import SqliteLog
from tests.support.bots import bot
from tests.support.people import RunningServer, running_server

pytestmark = pytest.mark.waiting_takes_no_time

DATABASE: Final = Path(__file__).parents[1] / "storage" / "databases" / "0.1.0.db.gz"
GAMES: Final = {
    "GD4WPQ1R": "cathedral",
    "R275B05C": "college",
    "RDS76GC6": "life",
    "FQK6H6S4": "quatch-original",
    "8Z220PWS": "quatch",
    "PKZFJ168": "quatch",
    "1VQ2502C": "quatch-original",
}


def key_of(name: str) -> asyncssh.SSHKey:
    """The key of a player in the database."""
    private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
    return asyncssh.import_private_key(private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server on a copy of the database."""
    file = tmp_path / "quatch.db"
    file.write_bytes(gzip.decompress(DATABASE.read_bytes()))
    async with running_server(tmp_path, SqliteLog(file), ops=[key_of("op").get_fingerprint()]) as running:
        yield running


async def asked(server: RunningServer, command: str, key: asyncssh.SSHKey | None = None) -> dict[str, Any]:
    """The answer of `ssh HOST COMMAND --json`."""
    status, said = await server.run(f"{command} --json", key)
    assert status == 0, said
    answer: dict[str, Any] = json.loads(said)
    return answer


async def test_every_table_is_there(server: RunningServer) -> None:
    """With its rules, seats and game. A table is listed only if its log was read to the end."""
    tables = {table["table"]: table for table in (await asked(server, "tables"))["tables"]}
    assert {number: (table["title"], table["state"], table["ply"]) for number, table in tables.items()} == {
        1: ("Cathedral", "playing", 7),
        2: ("Quatch, changed", "playing", 11),
        3: ("Life cards", "playing", 3),
        4: ("CardGame (college rules)", "open", 0),
        5: ("The Game of Quatch", "open", 6),
    }
    assert {number: [seat and seat["name"] for seat in table["seats"]] for number, table in tables.items()} == {
        1: ["AnaMole", "bo", "Fox"],
        2: ["hal", "kit2", "Fox"],
        3: ["sol2", "uma"],
        4: ["cy", None, None, "Fox"],
        5: ["ned", "Fox"],
    }
    assert [number for number, table in tables.items() if table["private"]] == [1]
    assert [number for number, table in tables.items() if not table["hints"]] == [1]
    assert tables[2]["seats"][1]["away"] is True


@pytest.mark.parametrize(
    ("name", "table", "begins"),
    [("phone", 1, False), ("hal", 2, False), ("kit", 2, False), ("uma", 3, False), ("cy", 4, True), ("ned", 5, True)],
)
async def test_a_player_takes_the_seat_again_and_moves(
    server: RunningServer, name: str, table: int, *, begins: bool
) -> None:
    """Also with a linked key; between games the next one can begin."""
    async with bot(server.port, name, key_of(name)) as player:
        joined = await player.until("joined")
        assert joined["table"] == table
        if begins:
            player.send(type="start")
        turn = await player.until("turn")
        player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
        while (answer := await player.until("event", "refused"))["event"].get("seat") != joined["seat"]:
            pass
        assert answer["type"] == "event"


async def test_a_game_goes_on_to_its_end_and_is_fair(server: RunningServer) -> None:
    """Its deal was committed to by the last release."""
    async with bot(server.port, "hal", key_of("hal")) as hal:
        over = await hal.play()
    assert (await asked(server, f"verify {over['game']}"))["fair"] is True


async def test_a_guest_takes_the_seat_again_with_the_resume_code(server: RunningServer) -> None:
    """The last release gave the code."""
    async with server.person("bo", term=None) as bo:
        await bo.until_text("Type play")
        bo.type("resume 8rzy-cmzm")
        await bo.until_text("Your hand, 3: a 3, a 6 and a 7.")


async def test_finished_games_are_shown_checked_and_counted(server: RunningServer) -> None:
    """Of all rule sets; an abandoned game counts for no player."""
    assert set(GAMES.values()) == set(rulesets())
    assert {game["game"]: game["rules"] for game in (await asked(server, "replay"))["games"]} == GAMES
    for game, rules in GAMES.items():
        assert (await asked(server, f"replay {game}"))["rules"] == rules
        assert (await asked(server, f"verify {game}"))["fair"] is True
    _, listed = await server.run("replay")
    assert "GD4WPQ1R  2026-11-22" in listed
    assert "1. Fox, 2. hal, 2. Owl" in listed
    top = (await asked(server, "top"))["top"]
    assert {(each["rules"], each["games"]) for each in top if each["name"] == "hal"} == {
        *((rules, 1) for rules in rulesets() if rules != "quatch"),
        ("quatch", 2),
    }
    assert (await asked(server, "top life"))["top"][0]["name"] == "hal"


async def test_bans_and_mutes_hold(server: RunningServer) -> None:
    """A ban for one minute is over."""
    listed = await asked(server, "admin bans", key_of("op"))
    assert [(ban["target"], ban["name"]) for ban in listed["bans"]] == [
        (key_of("eve").get_fingerprint(), "eve"),
        ("192.0.2.0/24", None),
    ]
    assert [mute["name"] for mute in listed["mutes"]] == ["cy", "bo"]
    with pytest.raises(asyncssh.DisconnectError, match="banned from this server until 2218-07-12"):
        await server.run("who", key_of("eve"))
    async with server.person("cy", key=key_of("cy"), term=None) as cy:
        await cy.until_text("You are its host")
        cy.type("say hello")
        await cy.until_text("muted")


async def test_names_settings_and_linked_keys_hold(server: RunningServer) -> None:
    """With any key of an account. A key that was unlinked does not count, and a link code is still accepted."""
    async with server.person("x", key=key_of("phone"), term=None) as ana:
        await ana.until_text("Your turn.")
        ana.type("keys")
        await ana.until_text(f"{key_of('phone').get_fingerprint()} (you use this one now)")
        assert key_of("ana").get_fingerprint() in ana.text
        ana.type("set")
        await ana.until_text("cards words, or auto, letters, suits")
        await ana.until_text("pace 0.5, or")
        ana.type("link")
        await ana.until_text("type: link ")
    for name, told in (("ana", "AnaMole"), ("hal", "hal")):
        assert (await asked(server, "version", key_of(name)))["you"]["name"] == told
    lobby = server.app.lobby
    assert await lobby.accounts.of(key_of("phone").get_fingerprint()) == key_of("ana").get_fingerprint()
    assert await lobby.accounts.of(key_of("eve").get_fingerprint()) is None
