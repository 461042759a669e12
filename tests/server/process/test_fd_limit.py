"""As many connections as the system allows."""

import resource
from collections.abc import Iterator

import pytest

from server.process.fd_limit import SPARE, room_for


@pytest.fixture(autouse=True)
def _limits_as_they_were() -> Iterator[None]:
    """What a test sets is not there for the next."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_is_raised_as_far_as_needed_and_allowed() -> None:
    """Fewer connections where the system allows no more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    assert room_for(50) == 50
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 200
    assert room_for(100) == 100
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 100 + SPARE
    assert room_for(hard + 1) == hard - SPARE
