"""The daily deal without waiting for AI players."""

import pytest

from tests.server.daily.quick import quicken


@pytest.fixture
def quick_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """AI players play daily deals in a moment."""
    quicken(monkeypatch)
