"""`quatch doctor`: what it tells a host of a machine."""

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest
from structlog.testing import capture_logs

from server.cli.main import main
from server.config import NEW_KEY, Config
from server.doctor import checks
from server.doctor.checks import CHECKS, GUESTS, Finding, house_rules, kept_data, operators, ports, rehearsal
from server.storage.database import WAS_MOVED
from server.storage.engines import database_at
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_file import FILE_NAME
from server.transport.host_keys import KEY_NAME, load_or_create
from tests.support.people import running_server


def test_a_port_that_is_in_use_is_wrong() -> None:
    """It is named with the setting, as at a start."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (found,) = ports(Config(host=("127.0.0.1",), port=port))
        assert (found.kind, found.text.partition(":")[0]) == ("wrong", f"port {port} is in use on 127.0.0.1")
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
    assert f"port {port} is in use on 127.0.0.1" in capsys.readouterr().out


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


@pytest.mark.features("cluster")
async def test_what_keeps_a_server_from_starting_is_wrong(tmp_path: Path) -> None:
    """A host key that players do not know, or that is lost; a database that was moved; a list that is not there."""
    keys = tmp_path / "keys"
    config = Config(data=str(tmp_path), hostkeys=str(keys), allow_file="")

    async def found(config: Config) -> Finding:
        return await asyncio.to_thread(lambda: next(kept_data(config)))

    async with running_server(tmp_path, database_at("", tmp_path)) as server:
        known = server.fingerprint
        (busy,) = await asyncio.to_thread(lambda: [*ports(replace(config, host=("127.0.0.1",), port=server.port))])
        assert busy.kind == "wrong"
        with folder_in_use(tmp_path):  # as the main process of a server does
            (busy,) = await asyncio.to_thread(lambda: [*ports(replace(config, host=("127.0.0.1",), port=server.port))])
            second = replace(config, host=("127.0.0.1",), port=0)
            free, joins = await asyncio.to_thread(lambda: [*ports(second)])
            _, refused = await asyncio.to_thread(lambda: [*ports(replace(second, without=("cluster",)))])
        in_use = f"port {server.port} is in use on 127.0.0.1, likely by the server on {tmp_path}"
        assert busy == Finding("mind", in_use)
        assert free.kind == "ok"
        assert joins == Finding("mind", f"a server runs on {tmp_path}: a second one would join it")
        assert refused == Finding("wrong", f"a server runs on {tmp_path}: a second one would not start")
    assert (await found(config)).kind == "ok"
    assert "allow_file" in (await found(replace(config, allow_file=str(tmp_path / "none")))).text
    (keys / KEY_NAME).unlink()
    lost = await found(config)
    assert (lost.kind, f"players know {known}" in lost.text, (keys / KEY_NAME).exists()) == ("wrong", True, False)
    other = load_or_create(keys).get_fingerprint()
    assert f"is {other}, but players know {known}" in (await found(config)).text
    accepted = replace(config, new_host_key=NEW_KEY)
    assert ((await found(accepted)).kind, (await found(config)).kind) == ("ok", "wrong")
    store = database_at("", tmp_path)
    await store.open()
    await store.put_text(WAS_MOVED, "postgresql://db/quatch", "")
    await store.close()
    assert "the database cannot be used" in (moved := await found(accepted)).text
    assert moved.kind == "wrong"


async def test_house_rules_that_cannot_be_played_are_wrong(tmp_path: Path) -> None:
    """With the line in the file. A server says so when its log is where the host reads it."""
    config = Config(rules_dir=str(tmp_path))
    assert [*house_rules(config)] == [Finding("ok", f"house rules in {tmp_path}: none")]
    (tmp_path / "ours.toml").write_text("base = 'nothing'\n")
    (found,) = house_rules(config)
    assert (found.kind, "ours.toml, line 1" in found.text) == ("wrong", True)
    async with running_server(tmp_path, rules_dir=str(tmp_path)) as server:
        with capture_logs() as logs:
            server.app.serve(lambda: None)
    assert [each["event"] for each in logs if "ours.toml" in each.get("problem", "")] == ["house rules not loaded"]


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
