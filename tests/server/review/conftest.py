"""Reviews that take no time."""

import pytest

from engine.ai.verdict import Depth
from server.review import review

FEW = 12
"""Looks at a turn: what comes of them is not what these tests are about."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that take no time."""
    monkeypatch.setattr(review, "SIMULATIONS", FEW)
    monkeypatch.setattr(review, "CLOSER", Depth(FEW, playouts=FEW, checked=FEW))
