"""`quatch doctor`: what it tells a host of a machine."""

import socket
from pathlib import Path

import asyncssh
import pytest

from server.cli.main import main
from server.config import Config
from server.doctor import checks
from server.doctor.checks import CHECKS, GUESTS, Finding, kept_data, operators, ports, rehearsal
from server.storage.sqlite_file import FILE_NAME


def test_a_port_that_is_in_use_is_wrong() -> None:
    """It is named with the carrier that would listen there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (found,) = ports(Config(host=("127.0.0.1",), port=port))
        assert (found.kind, found.text.partition(":")[0]) == ("wrong", f"port {port} (ssh)")
    assert [each.kind for each in ports(Config(host=("127.0.0.1",), port=port))] == ["ok"]


def test_the_options_of_a_server_are_asked_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the host means to start it."""
    monkeypatch.setattr(checks, "CHECKS", (ports,))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["doctor", "--host", "127.0.0.1", "--port", port]) == 1
    assert f"port {port} (ssh): Address already in use" in capsys.readouterr().out


def test_a_host_whose_key_is_not_under_ops_is_told_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one who has named no op."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    key = asyncssh.generate_private_key("ssh-ed25519")
    (tmp_path / ".ssh" / "id_ed25519.pub").write_bytes(key.export_public_key())
    (nobody,) = operators(Config())
    own = key.get_fingerprint()
    assert f'ops = ["{own}"]' in nobody.text
    (other,) = operators(Config(ops=("SHA256:" + "A" * 43,)))
    assert other == Finding("mind", f"none of your own keys is under ops: yours is {own}")
    assert [each.kind for each in operators(Config(ops=(own,)))] == ["ok"]


def test_a_database_that_cannot_be_read_is_wrong_and_a_missing_one_is_not_made(tmp_path: Path) -> None:
    """The doctor changes nothing."""
    assert "wrong" not in {each.kind for each in kept_data(Config(data=str(tmp_path / "new")))}
    assert not (tmp_path / "new").exists()
    (tmp_path / FILE_NAME).write_text("no database")
    assert next(kept_data(Config(data=str(tmp_path)))).kind == "wrong"


@pytest.mark.parametrize(("per_address", "kind"), [(GUESTS, "ok"), (3, "wrong")])
def test_a_rehearsal_says_whether_a_room_comes_in_at_once(per_address: int, kind: str) -> None:
    """All are guests of one address, with the host's own limits."""
    (found,) = rehearsal(Config(per_address=per_address))
    assert found.kind in ({"ok", "mind"} if kind == "ok" else {"wrong"}), found


def test_each_check_says_a_line_or_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the command ends with 1 exactly if one of them is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUATCH_PORT", "0")
    lines = [str(found) for check in CHECKS for found in check(Config(port=0))]
    assert len(lines) >= len(CHECKS)
    assert main(["doctor"]) == int(any(line.startswith("wrong") for line in lines))
