"""The log of a server with a console at its terminal: a file that does not grow for ever."""

import os
import resource
from pathlib import Path

import pytest

from server.console import own_terminal


def test_a_log_that_has_grown_is_put_aside_while_processes_write_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go on in the emptied file; only the last one that was put aside is kept, and others cannot read it."""
    monkeypatch.setattr(own_terminal, "LOG_BYTES", 10)
    file, aside = tmp_path / "quatch.log", tmp_path / "quatch.log.1"
    own_terminal.put_log_aside(str(tmp_path))
    log = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    found = []
    for line in (b"short\n", b"the first long line\n", b"the second long line\n", b"end\n"):
        os.write(log, line)
        own_terminal.put_log_aside(str(tmp_path))
        found.append((file.read_bytes(), aside.read_bytes() if aside.exists() else b""))
    os.close(log)
    assert found == [
        (b"short\n", b""),
        (b"", b"short\nthe first long line\n"),
        (b"", b"the second long line\n"),
        (b"end\n", b"the second long line\n"),
    ]
    assert aside.stat().st_mode & 0o777 == 0o600


def test_a_log_is_cut_also_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could be copied stays, and at no time can others read it."""
    monkeypatch.setattr(own_terminal, "LOG_BYTES", 10)
    file, aside = tmp_path / "quatch.log", tmp_path / "quatch.log.1"
    file.write_text("a long line\n" * 9)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            own_terminal.put_log_aside(str(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == ""
    assert aside.stat().st_mode & 0o777 == 0o600
