"""A server with an op, for the tests of commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.ops import hosted
from tests.support.people import RunningServer


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with an op."""
    async with hosted(tmp_path) as running:
        yield running
