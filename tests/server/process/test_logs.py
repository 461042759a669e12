"""The log: no problem too often, errors of the system in one line, and what a console shows of it."""

import asyncio
import io
import json
import os
import sys
from errno import EMFILE

import pytest
import structlog
from structlog.testing import capture_logs

from server.process.logs import PROBLEMS_KNOWN, SeldomProblems, configure, log_loop_error


def test_the_same_problem_is_logged_once_a_minute() -> None:
    """The next line says how many were left out. Other problems, and lines without one, are not left out."""
    now = 0.0
    seldom = SeldomProblems(lambda: now)

    def logged(**line: object) -> dict[str, object] | None:
        try:
            return dict(seldom(None, "error", {"event": "not saved", **line}))
        except structlog.DropEvent:
            return None

    assert logged(problem="full", table=1) == {"event": "not saved", "problem": "full", "table": 1}
    assert logged(problem="locked") == {"event": "not saved", "problem": "locked"}
    now = 59.0
    assert [logged(problem="full", table=table) for table in range(30)] == [None] * 30
    assert [logged(name="ana"), logged(name="ana")] == [{"event": "not saved", "name": "ana"}] * 2
    now = 60.0
    assert logged(problem="full") == {"event": "not saved", "problem": "full", "left_out": 30}
    now = 120.0
    assert logged(problem="full") == {"event": "not saved", "problem": "full"}
    for number in range(2 * PROBLEMS_KNOWN):
        assert logged(problem=number)
    assert logged(problem="full")  # so it was forgotten: what is known is bounded


def test_the_program_logs_so(capsys: pytest.CaptureFixture[str]) -> None:
    """As `quatch serve` sets it up."""
    configure()
    for table in range(5):
        structlog.get_logger().error("not saved", problem="the disk is full", table=table)
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["table"] == 0


def test_a_line_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its end: another thread may log in the same moment."""
    written = list[str]()

    class Stream(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    monkeypatch.setattr(sys, "stderr", Stream())
    configure()
    structlog.get_logger().info("came in", name="ana")
    assert [text[-2:] for text in written if text] == ["}\n"]


def test_errors_of_the_system_are_logged_in_one_line() -> None:
    """Asyncio prints a traceback for each."""
    loop = asyncio.new_event_loop()
    with capture_logs() as logs:
        log_loop_error(loop, {"message": "socket.accept()", "exception": OSError(EMFILE, os.strerror(EMFILE))})
        log_loop_error(loop, {"message": "Task failed", "exception": (bug := ValueError("a bug"))})
        log_loop_error(loop, {"message": "Task was destroyed but it is pending!"})
        late = "Exception in callback BaseSelectorEventLoop._start_serving(...)"
        log_loop_error(loop, {"message": late, "exception": ValueError("Invalid file descriptor: -1")})
    loop.close()
    assert logs == [
        {"event": "the system refused", "log_level": "error", "problem": "Too many open files",
         "what": "socket.accept()"},
        {"event": "went wrong in the event loop", "log_level": "error", "what": "Task failed", "exc_info": bug},
        {"event": "went wrong in the event loop", "log_level": "error",
         "what": "Task was destroyed but it is pending!", "exc_info": None},
    ]  # fmt: skip
