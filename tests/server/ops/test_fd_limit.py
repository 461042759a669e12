"""As many connections as the system allows, and what happens when there are no descriptors left."""

import asyncio
import resource
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.ops.fd_limit import SPARE, room_for
from tests.support.programs import as_a_host
from tests.support.wires import dial

ROOT = Path(__file__).parents[3]


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


async def test_running_out_of_descriptors_passes(tmp_path: Path) -> None:
    """55: accepting pauses, nothing crashes, and when there is room again people are served."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=as_a_host(QUATCH_HOSTKEYS=str(tmp_path)),
        cwd=ROOT,
    )
    try:
        assert server.stdout is not None
        assert server.stderr is not None
        port = int((await server.stdout.readline()).split()[-1])
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (20, 20))
        async with AsyncExitStack() as stack:
            for _ in range(40):
                await stack.enter_async_context(dial(port))
            await asyncio.wait_for(server.stderr.readuntil(b"out of system resource"), 10)
            # A server whose log nobody reads would wait for that.
            logged = asyncio.create_task(server.stderr.read())
        async with dial(port) as wire:
            await wire.until(b"SSH-2.0-quatch\r\n")
    finally:
        server.terminate()
    assert await asyncio.wait_for(server.wait(), 10) == 0
    await logged
