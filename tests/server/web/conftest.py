"""A running server with a page for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.people import RunningServer, running_server


@pytest.fixture
async def web_server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that any browser can open."""
    async with running_server(tmp_path, web_port=0) as running:
        yield running
