"""An identity is a key whose signature was verified, and nothing else."""

import asyncio
from pathlib import Path

import asyncssh
import pytest

from tests.support.people import Guest, RunningServer
from tests.support.ssh_keys import ForgedKey, accounts, write_key


async def test_a_verified_key_is_the_identity(open_server: RunningServer) -> None:
    """A player who signs with a key is known by its fingerprint."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person(key=key) as ana:
        await ana.until("lobby>")
        assert accounts(open_server) == [key.get_fingerprint()]


async def test_without_a_key_a_player_is_a_guest(open_server: RunningServer) -> None:
    """A wished name proves nothing."""
    async with open_server.person("SHA256:abc") as ana:
        await ana.until("lobby>")
        assert accounts(open_server) == [None]


class Liar(Guest):
    """Offers another player's public key, signs nonsense, and logs in as a guest."""


async def test_a_forged_signature_makes_a_guest(open_server: RunningServer) -> None:
    """A victim's public key with a bad signature, then keyboard-interactive, gives a guest and never the victim."""
    victim = asyncssh.generate_private_key("ssh-ed25519")
    async with (
        asyncssh.connect(
            "127.0.0.1",
            open_server.port,
            username="victim",
            client_factory=Liar,
            known_hosts=None,
            client_keys=[ForgedKey(victim)],
            agent_path=None,
            config=None,
        ) as connection,
        connection.create_process(term_type="xterm", encoding=None) as process,
    ):
        await asyncio.wait_for(process.stdout.readuntil(b"lobby>"), 10)
        assert accounts(open_server) == [None]


@pytest.mark.needs("ssh")
@pytest.mark.parametrize(
    ("files", "known_by"),
    [
        pytest.param(["mine"], "mine", id="a key"),
        pytest.param(["victim.pub"], None, id="the public half of somebody's key"),
        pytest.param(["liar"], None, id="it beside a private key of one's own"),
        pytest.param(["victim.pub", "mine"], "mine", id="it, then a key of one's own"),
        pytest.param(["liar", "mine", "victim.pub"], "mine", id="all of these"),
    ],
)
async def test_openssh_is_identified_by_the_key_that_it_signs_with(
    open_server: RunningServer, tmp_path: Path, files: list[str], known_by: str | None
) -> None:
    """`ssh -i`: the real client asks about every key that it is given, and signs with those that it has."""
    mine, victim = asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key("ssh-ed25519")
    write_key(tmp_path / "mine", mine)
    write_key(tmp_path / "liar", asyncssh.generate_private_key("ssh-ed25519"), victim)
    victim.write_public_key(tmp_path / "victim.pub")
    keys = [word for file in files for word in ("-i", str(tmp_path / file))]
    process = await asyncio.create_subprocess_exec(
        *open_server.openssh("-T", *keys, "victim@127.0.0.1"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readuntil(b"Welcome"), 10)
    assert accounts(open_server) == [mine.get_fingerprint() if known_by else None]
    process.stdin.close()
    assert await process.wait() == 0


async def test_a_taken_or_reserved_name_is_changed(open_server: RunningServer) -> None:
    """A player who wishes for such a name gets one like it."""
    async with (
        open_server.person("ana") as first,
        open_server.person("ANA") as second,
        open_server.person("admin") as third,
    ):
        assert "welcome, ana " in await first.until("lobby>")
        assert "welcome, ANA2 " in await second.until("lobby>")
        assert "welcome, admin2 " in await third.until("lobby>")


async def test_a_name_is_cleaned(open_server: RunningServer) -> None:
    """A user name moves no cursor and is not longer than a name may be."""
    async with open_server.person("../../etc/" + "x" * 900) as ana:
        assert "welcome, etcxxxxxxxxxxxxx " in await ana.until("lobby>")
        assert [visitor.caller.wished_name for visitor in open_server.app.lobby.visitors.here] == ["etcxxxxxxxxxxxxx"]
