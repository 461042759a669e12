"""The log of a server with a console, which goes to a file."""

import os
from pathlib import Path

import pytest

from server.process import own_terminal


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
