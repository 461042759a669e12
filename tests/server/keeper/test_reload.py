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


def test_of_several_keepers_the_first_has_the_files(tmp_path: Path) -> None:
    """The host of another one is told; who comes when the first has ended has them."""
    first, second, third = (Reachable(tmp_path) for _ in range(3))

    def has_the_files(keeper: Reachable) -> bool:
        keeper.tell(Outcome("", ""))
        told = tmp_path / OUTCOME_FILE
        return told.exists() and told.stat().st_size > 0

    first.begin()
    with capture_logs() as logs:
        second.begin()
    assert [each["problem"] for each in logs] == ["it reaches another one"]
    assert not has_the_files(second)
    second.close()
    assert (tmp_path / PID_FILE).exists()
    assert has_the_files(first)
    first.close()
    assert not (tmp_path / OUTCOME_FILE).exists()
    third.begin()
    assert has_the_files(third)
    third.close()
    assert not (tmp_path / PID_FILE).exists()


async def test_two_reloads_at_once_are_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each tells what has come of its own."""
    keeper, loop, numbers = Reachable(tmp_path), asyncio.get_running_loop(), count(1)

    def reload_soon() -> None:
        loop.call_later(2 * POLL_SECONDS, lambda: keeper.tell(Outcome("", "", (str(next(numbers)),))))

    loop.add_signal_handler(signal.SIGHUP, reload_soon)
    keeper.begin()
    named = Namespace(config=None, data=str(tmp_path))
    assert await asyncio.gather(*(asyncio.to_thread(reload.reload, named) for _ in range(2))) == [0, 0]
    assert capsys.readouterr().out == f"Changed: 1. {IN_PLACE}\nChanged: 2. {IN_PLACE}\n"
    loop.remove_signal_handler(signal.SIGHUP)
    keeper.close()


def test_a_host_is_told_why_quatch_reload_does_not_reach_the_server(tmp_path: Path) -> None:
    """It serves players without that."""
    (tmp_path / PID_FILE).mkdir()
    keeper = Reachable(tmp_path)
    with capture_logs() as logs:
        keeper.begin()
    keeper.close()
    assert [each["problem"] for each in logs] == ["Is a directory"]
