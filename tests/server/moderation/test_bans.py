"""Bans: by name, key and address, of players who are here and who have gone, and whom an op cannot ban."""

import json
from pathlib import Path

import asyncssh
import pytest

from server.storage.sqlite_database import MemoryDatabase
from tests.support.ops import AWAY, KEY, OP, admin, hosted
from tests.support.people import RunningServer


async def test_a_ban_by_name_is_one_by_key(tmp_path: Path) -> None:
    """A banned player has to go, and is told for how long at the next login. A ban outlasts a restart."""
    store = MemoryDatabase()
    async with hosted(tmp_path, store) as server:
        async with server.person("bo", key=KEY, term=None) as bo:
            await bo.until("Type play")
            assert "bo (SHA256:" in await admin(server, "ban bo 2h")
            await bo.until("You are banned from this server for 2 hours.")
            await bo.until_gone()
        with pytest.raises(asyncssh.DisconnectError, match="you are banned from this server for 2 hours"):
            await server.run("who", KEY)
        assert server.app.counters.refused["banned"].value == 1
        assert (await server.run("who"))[0] == 0
    async with hosted(tmp_path, store) as server:
        with pytest.raises(asyncssh.DisconnectError, match="you are banned"):
            await server.run("who", KEY)
        listed = json.loads(await admin(server, "bans --json"))
        (ban,) = listed["bans"]
        assert (ban["target"], ban["name"], ban["by"]) == (KEY.get_fingerprint(), "bo", OP.get_fingerprint())
        assert listed["mutes"] == []
        assert "Lifted: bo (SHA256:" in await admin(server, "unban bo")
        assert (await server.run("who", KEY))[0] == 0
        assert await admin(server, "bans") == "There are no bans and no mutes.\n"


async def test_a_player_who_has_gone_can_be_banned(server: RunningServer) -> None:
    """By the name they went by, lately or with their key, or by the key, whether it was ever here or not."""
    async with server.person("bo", key=KEY, term=None) as bo:
        await bo.enter("name bob", "You are bob.")
        bo.type("quit")
        await bo.until_gone()
    assert f"bob ({KEY.get_fingerprint()}) is banned until an op lifts it." in await admin(server, "ban bob")
    assert "Lifted" in await admin(server, f"unban {KEY.get_fingerprint()}")
    async with server.person("eve", source=AWAY, term=None) as eve:
        await eve.until("Type play")
        await admin(server, "kick eve")
        await eve.until_gone()
    assert f"eve ({AWAY}/32) is banned until an op lifts it" in await admin(server, "ban eve")
    unseen = asyncssh.generate_private_key("ssh-ed25519")
    assert "is banned until an op lifts it" in await admin(server, f"ban {unseen.get_fingerprint()} for ever")
    with pytest.raises(asyncssh.DisconnectError, match="you are banned from this server until an op lifts it"):
        await server.run("who", unseen)


async def test_a_ban_counts_for_a_connection_that_is_open(server: RunningServer) -> None:
    """A connection that logged in before gets no more sessions either, but one line and a status."""
    async with server.connection("bo", KEY) as connection:
        assert (await connection.run("who")).exit_status == 0
        await admin(server, f"ban {KEY.get_fingerprint()} 1h")
        for command in ("who", "bot", None):
            done = await connection.run(command)
            assert done.exit_status == 1
            assert str(done.stderr).startswith("you are banned from this server for ")


async def test_a_ban_by_address_is_told_before_the_login(server: RunningServer) -> None:
    """A login from there is refused with any key. All others come in, and this machine is spared."""
    async with server.person("eve", source=AWAY, term=None) as eve:
        await eve.until("Type play")
        assert f"eve ({AWAY}/32) is banned for " in await admin(server, "ban eve 30m")
        await eve.until_gone()
    for key in (None, KEY):
        with pytest.raises(asyncssh.DisconnectError, match="your address is banned from this server for "):
            await server.run("who", key, AWAY)
    assert (await server.run("who", source="127.0.0.8"))[0] == 0
    await admin(server, f"unban {AWAY}")
    await admin(server, "ban 127.0.0.0/29 7d really")
    with pytest.raises(asyncssh.DisconnectError, match="your address is banned"):
        await server.run("who", source=AWAY)
    assert (await server.run("who"))[0] == 0


async def test_an_op_does_not_ban_where_they_are(server: RunningServer) -> None:
    """A slip of a prefix would lock them out."""
    async with server.connection("op", OP, AWAY) as connection:
        done = await connection.run("admin ban 127.0.0.0/8")
        assert done.exit_status == 2
        assert "That is your own address" in str(done.stderr)


@pytest.mark.features("board", "lan", "returning_guests")
@pytest.mark.waiting_takes_no_time
async def test_a_ban_of_a_guest_is_against_one(server: RunningServer) -> None:
    """Not against others of the address: they stay, and so does the board. The guest's name does not come back."""

    async def comes(name: str, key: asyncssh.SSHKey | None = None) -> str:
        async with server.connection(name, key, AWAY) as connection:
            done = await connection.run("who")
            return str(done.stdout) + str(done.stderr)

    async with (
        server.person("anna", source=AWAY, term=None) as anna,
        server.person("bill", source=AWAY, term=None) as bill,
        server.person("carl", key=KEY, source=AWAY, term=None) as carl,
        server.person("tv", source=AWAY, command="board") as board,
    ):
        for each in (anna, bill, carl):
            await each.until("Type play")
        await board.until("ssh -p")
        told = await admin(server, "ban anna 10m")
        assert "anna (a guest) is banned for " in told
        assert "Others share the address: that guest can come back under another name." in told
        await anna.until("You are banned from this server for ")
        await anna.until_gone()
        assert "the guest anna is banned from this server for " in await comes("anna")
        assert "banned" not in await comes("zed") + await comes("anna", KEY)
        await bill.enter("say still here", "still here")
        told = await admin(server, "kick bill")
        assert "Others share the address: that guest can come back under another name." in told
        assert "plays on" not in told
        await bill.until_gone()
        await carl.enter("say I am, too", "I am, too")
        await admin(server, "announce the board still shows")
        await board.until("the board still shows")
        assert "Lifted: anna" in await admin(server, "unban anna")
        assert "banned" not in await comes("anna")


async def test_a_host_reads_that_a_ban_of_a_guest_is_against_the_address(server: RunningServer) -> None:
    """If nobody else is here from there now: others may come later."""
    async with server.person("eve", source=AWAY, term=None) as eve:
        await eve.until("Type play")
        told = await admin(server, "ban eve 30m")
        assert (
            told == f"eve ({AWAY}/32) is banned for 30 minutes. So is everybody else from {AWAY}/32, also with a key.\n"
        )


async def test_a_ban_of_many_is_asked_about(server: RunningServer) -> None:
    """It names whom it would be against; really means it."""
    async with (
        server.person("anna", source=AWAY, term=None) as anna,
        server.person("bill", source=AWAY, term=None) as bill,
    ):
        for each in (anna, bill):
            await each.until("Type play")
        for typed, told in (
            (AWAY, "That keeps out 2 players here, anna and bill"),
            ("0.0.0.0/0 2h", "That keeps out a whole network and 2 players here"),
            ("10.0.0.0/29", "That keeps out a whole network: type"),
        ):
            status, said = await server.run(f"admin ban {typed}", OP)
            assert (status, said.startswith(told)) == (2, True), said
            assert f"type ban {typed} really" in said
        await admin(server, f"ban {AWAY} really because noise")
        await anna.until_gone()
        await bill.until_gone()
