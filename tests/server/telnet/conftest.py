"""A running server with telnet for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.telnet.acceptor import TelnetAcceptor
from tests.support.people import RunningServer, running_server


@pytest.fixture
async def telnet_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server whose telnet port does not wait long for silent clients."""
    monkeypatch.setattr(TelnetAcceptor, "grace", 0.3)
    async with running_server(tmp_path, telnet_port=0, keep_table=0) as running:
        yield running
