"""The files by which `quatch reload` reaches a keeper."""

import asyncio
import signal
from argparse import Namespace
from itertools import count
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.keeper import reload
from server.keeper.reload import IN_PLACE, OUTCOME_FILE, PID_FILE, POLL_SECONDS, Outcome, Reachable
from tests.support.patience import PATIENCE


async def test_of_several_keepers_one_has_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one gets them when it ends, but none that has ended before."""
    monkeypatch.setattr(reload, "CLAIM_SECONDS", 0.0)
    first, ended, second = (Reachable(tmp_path) for _ in range(3))

    async def has_the_files(keeper: Reachable) -> bool:
        for _ in range(3):
            await asyncio.sleep(0)
        keeper.tell(Outcome("", ""))
        told = tmp_path / OUTCOME_FILE
        return told.exists() and told.stat().st_size > 0

    for keeper in (first, ended, second):
        keeper.begin()
    assert not await has_the_files(ended)
    ended.close()
    assert (tmp_path / PID_FILE).exists()
    assert await has_the_files(first)
    first.close()
    assert not (tmp_path / OUTCOME_FILE).exists()
    assert not await has_the_files(ended)
    async with asyncio.timeout(PATIENCE):
        while not await has_the_files(second):
            pass
    second.close()
    assert not (tmp_path / PID_FILE).exists()


async def test_two_reloads_at_once_are_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each tells what has come of its own."""
    keeper, loop, numbers = Reachable(tmp_path), asyncio.get_running_loop(), count(1)

    def reload_soon() -> None:
        loop.call_later(2 * POLL_SECONDS, lambda: keeper.tell(Outcome("", "", (str(next(numbers)),))))

    loop.add_signal_handler(signal.SIGHUP, reload_soon)
    keeper.begin()
    await asyncio.sleep(0)
    named = Namespace(config=None, data=str(tmp_path))
    assert await asyncio.gather(*(asyncio.to_thread(reload.reload, named) for _ in range(2))) == [0, 0]
    assert capsys.readouterr().out == f"Changed: 1. {IN_PLACE}\nChanged: 2. {IN_PLACE}\n"
    loop.remove_signal_handler(signal.SIGHUP)
    keeper.close()


async def test_a_host_is_told_why_quatch_reload_does_not_reach_the_server(tmp_path: Path) -> None:
    """It serves players without that."""
    (tmp_path / PID_FILE).mkdir()
    keeper = Reachable(tmp_path)
    with capture_logs() as logs:
        keeper.begin()
        await asyncio.sleep(0)
    keeper.close()
    assert [each["problem"] for each in logs] == ["Is a directory"]
