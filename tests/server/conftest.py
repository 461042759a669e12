"""A running server for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.people import House, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    """A server on a free port whose AI players move at once."""
    async with house(tmp_path) as running:
        yield running
