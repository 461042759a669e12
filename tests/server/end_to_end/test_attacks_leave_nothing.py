"""Each attack of `quatch bench attacks` runs for a moment: nothing goes wrong unhandled, and nothing of it stays."""

import asyncio
import gc
from pathlib import Path
from typing import Any, Final

import pytest

from server.bench.attackers import ATTACKS, Score, attack
from server.process.logs import configure
from tests.soak import long
from tests.support.people import running_server
from tests.support.resources import cancelled, descriptors, settled, tasks

pytestmark = pytest.mark.computing_takes_time
SECONDS: Final = long(1, 33) / 10
DEAF: Final = {
    "10 logins, one address",
    "10 logins, many addresses",
    "18 sessions",
    "44 reads nothing",
    "47 new keys",
    "49 resets",
    "60 telnet reads nothing",
}
"""Attacks that read nothing of what they are told."""


@pytest.mark.parametrize("name", ATTACKS)
async def test_an_attack_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """Descriptors, tasks, connections and sessions are as before, and the next player is served.

    The attack has come to the server, was made, and was answered; nobody's event loop complains.
    """
    configure()
    if "telnet" in name:
        telnet = pytest.importorskip("server.telnet.acceptor", reason="it is what is attacked")
        monkeypatch.setattr(telnet.TelnetAcceptor, "grace", 0.05)
    unhandled: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
    async with running_server(tmp_path, telnet_port=0, keep_table=0) as running:
        app = running.app
        await asyncio.sleep(0)
        gc.collect()
        before = tasks(), descriptors()
        score = Score()
        attacking = asyncio.create_task(
            attack(ATTACKS[name], {"ssh": running.port, "telnet": running.telnet_port}, score)
        )
        await asyncio.sleep(SECONDS)
        await settled(lambda: bool(score.connections and score.acts and (score.heard or name in DEAF)))
        await cancelled(attacking)
        async with running.person("honest", term=None) as honest:
            await honest.until("Type play")
        await settled(
            lambda: (
                not app.sessions
                and not app.listener.connection_limits.connections
                and not app.listener.being_denied
                and tasks() <= before[0]
                and descriptors() <= before[1]
            )
        )
        assert not app.lobby.visitors.here
    assert not unhandled
    assert not [record.getMessage() for record in caplog.records if record.name == "asyncio"]
