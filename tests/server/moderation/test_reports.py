"""Players report others to the ops."""

import json

from structlog.testing import capture_logs

from server.moderation.reports import KEPT_OF_ONE
from tests.support.ops import AWAY, KEY, OP, admin
from tests.support.people import RunningServer


async def test_ops_read_what_both_have_said(server: RunningServer) -> None:
    """They are told at once; what others said, and private words, are not in it; settled, it is gone."""
    async with (
        server.person("op", key=OP, term=None) as op,
        server.person("ana", term=None) as ana,
        server.person("bo", key=KEY, term=None) as bo,
    ):
        await op.enter("say welcome", "op: welcome")
        await ana.enter("say hello", "ana: hello")
        await bo.enter("tell ana in private", "bo: (to ana) in private")
        await bo.enter("say give up", "bo: give up")
        await ana.until("bo: give up")
        with capture_logs() as logged:
            await ana.enter(
                "report bo he threatens me at the table",
                "The person who runs the server will read what you report of bo.",
            )
        line = {"event": "a player is reported: type complaints", "by": "ana", "whom": "bo", "log_level": "warning"}
        assert line in logged  # the console of the host shows it
        await op.until("server: ana has reported bo: complaints lists it")
        (told,) = json.loads(await admin(server, "complaints --json"))["complaints"]
        assert (told["by"], told["whom"], told["identity"]) == ("ana", "bo", KEY.get_fingerprint())
        assert (told["why"], told["said"]) == ("he threatens me at the table", ["ana: hello", "bo: give up"])
        assert (await admin(server, "complaints bo")).count("\n") == 3
        assert "Settled" in await admin(server, "settle bo")
        assert await admin(server, "complaints") == "Nobody is reported.\n"


async def test_what_a_kicked_player_said_is_reported_yet(server: RunningServer) -> None:
    """Though nobody who comes later reads it: in the lobby, and at a table."""
    async with (
        server.person("ana", term=None) as ana,
        server.person("cem", term=None) as cem,
        server.person("bo", key=KEY, term=None) as bo,
    ):
        await bo.enter("say rude", "bo: rude")
        await ana.enter("new seats=2", "Your table.")
        await bo.enter("sit 1", "You sit down.")
        await bo.enter("say ruder", "bo: ruder")
        await cem.enter("say hush", "cem: hush")
        await ana.until("bo: ruder")
        await admin(server, "kick bo")
        for who, lines in (ana, ["bo: rude", "bo: ruder"]), (cem, ["bo: rude", "bo: ruder", "cem: hush"]):
            await who.enter("report bo again and again", "will read what you report of bo.")
            told = json.loads(await admin(server, "complaints --json"))["complaints"][-1]
            assert told["said"] == lines


async def test_a_player_with_a_key_reports_from_a_shell(server: RunningServer) -> None:
    """Guests come in for it."""
    async with server.person("bo", term=None) as bo:
        await bo.enter("say give up", "bo: give up")
        assert await server.run("report bo he threatens me", KEY) == (
            0,
            "The person who runs the server will read what you report of bo.\n",
        )
        (told,) = json.loads(await admin(server, "complaints --json"))["complaints"]
        assert (told["whom"], told["why"], told["said"]) == ("bo", "he threatens me", ["bo: give up"])
        assert (await server.run("report bo"))[0] == 2


async def test_one_address_does_not_fill_the_list(server: RunningServer) -> None:
    """A report of the same player takes the place of the last one."""
    async with server.person("eve", source=AWAY, term=None) as eve:
        for n in range(KEPT_OF_ONE.share + 1):
            async with server.person(f"bo{n}", term=None) as bo:
                await bo.until("Type play")
                for _ in range(2 if n == 0 else 1):
                    await eve.enter(
                        f"report bo{n}", "server will read" if n < KEPT_OF_ONE.share else "are not read yet"
                    )
                    eve.raw = b""
        assert (await admin(server, "complaints")).count("eve about") == KEPT_OF_ONE.share
        await eve.enter("report nobody he cheats", "Nobody who is here, or was lately, is called 'nobody'")
        await eve.enter("report eve", "Report which player?")
