"""The last lines of the log, as a console shows them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from server.console.overview import LOG_SECONDS, RECENT, keep_line
from server.console.own_terminal import LogFile
from server.process.logs import FILE_NAME


def test_values_of_every_kind_are_shown() -> None:
    """Also lists, which a log may hold; what says nothing is left out, and of a key all but its beginning."""
    keep_line("info", {"event": "reloaded", "changed": ["a", "b"], "lines": ["c"], "name": "", "key": None, "n": 0})
    keep_line("warning", {"event": "came in", "key": f"SHA256:{'x' * 43}"})
    told = [line.partition(":")[2][6:] for line in [*RECENT][-2:]]
    assert told == ["reloaded  changed=['a', 'b']  n=0", "WARNING came in  key=SHA256:xxxxxxxx.."]


def test_a_line_of_the_file_has_its_own_time_and_an_old_one_is_not_shown() -> None:
    """A file may hold the evenings of a year, and a row tells a time of day alone."""
    now = datetime.now(UTC)
    for age in (timedelta(seconds=LOG_SECONDS + 60), timedelta(minutes=10)):
        keep_line("error", {"level": "error", "timestamp": (now - age).isoformat(), "event": f"broke {age}"})
    assert RECENT[-1] == f" {(now - age).astimezone():%H:%M:%S} ERROR broke {age}"
    assert "broke" not in RECENT[-2]


def test_a_file_of_the_log_is_read_on(tmp_path: Path) -> None:
    """Each line once, when it is whole; also after the log was put aside, or deleted. A new server shows its own."""
    file, told, told_new = tmp_path / FILE_NAME, list[object](), list[object]()
    file.write_text('{"level": "info", "event": "before"}\n')
    here, new = LogFile(str(tmp_path), is_new=False), LogFile(str(tmp_path), is_new=True)

    def read_on() -> None:
        here.read_on(lambda level, line: told.append((level, line["event"])))
        new.read_on(lambda _, line: told_new.append(line["event"]))

    read_on()
    for written in ('no line of ours\n{"level": "error", "event": "o', 'ne"}\n'):
        with file.open("a") as log:
            log.write(written)
        read_on()
        read_on()
    assert told == [("info", "before"), ("error", "one")]
    file.write_text('{"level": "info", "event": "anew"}\n')
    read_on()
    file.unlink()
    read_on()
    assert told_new == ["one", "anew"]
