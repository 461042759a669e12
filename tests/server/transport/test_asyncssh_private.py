"""The private names of asyncssh that the server uses still exist and mean the same: for an update of asyncssh."""

import ast
import asyncio
import inspect
import re
from pathlib import Path

import asyncssh
import pytest
from asyncssh.channel import SSHServerChannel

import server
from server.transport.asyncssh_private import Connection, limit_environment
from server.transport.ssh import OPTIONS

SERVER = Path(server.__file__).parent
NAMES = {
    "_protocol_factory", "_process_env_request", "_env", "_send_kexinit", "_send_disconnect",
    "_client_kexinit", "_server_kexinit", "_extensions_to_send",
}  # fmt: skip


def test_the_private_names_exist_and_mean_the_same() -> None:
    """A version that renames one of them needs a look."""
    options = asyncssh.SSHServerConnectionOptions(
        server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")], server_factory=asyncssh.SSHServer
    )
    with asyncio.Runner() as runner:
        connection = asyncssh.SSHServerConnection(runner.get_loop(), options)
    assert connection._protocol_factory is asyncssh.SSHServer
    source = inspect.getsource(SSHServerChannel._process_env_request)
    assert "self._env[key] = value" in source
    for asks in (connection._process_kexinit, connection.send_packet):
        assert "self._send_kexinit()" in inspect.getsource(asks)
    assert "self.send_packet(MSG_IGNORE, String(b''))" in inspect.getsource(connection.send_packet)
    assert "cbc" not in str(OPTIONS["encryption_algs"])  # such ciphers need these packets
    assert [*inspect.signature(connection._send_disconnect).parameters] == ["code", "reason", "lang"]
    # Forgotten after a key exchange: the next one sets them before it reads them.
    assert "self._server_kexinit = packet" in inspect.getsource(connection._send_kexinit)
    assert "self._client_kexinit = packet" in inspect.getsource(connection._process_kexinit)
    assert "self._extensions_to_send[b'server-sig-algs'] =" in inspect.getsource(connection.send_newkeys)
    # Nothing but options is loaded again, and those of the server are the same for every user.
    assert "options=self._options, reload=True" in inspect.getsource(connection.reload_config)
    assert OPTIONS["config"] is None
    # Public, and wrapped in the carrier: the signature is checked where this is awaited.
    assert inspect.iscoroutinefunction(asyncssh.SSHServerConnection.validate_public_key)


def test_one_module_alone_uses_private_names_of_asyncssh() -> None:
    """And only the names that are listed here."""
    tree = ast.parse((SERVER / "transport" / "asyncssh_private.py").read_text("utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert used - {"__init__"} == NAMES
    for file in SERVER.rglob("*.py"):
        if file.name != "asyncssh_private.py":
            assert not [name for name in NAMES if f".{name}" in file.read_text("utf-8")], file


def test_a_connection_has_what_asyncssh_logs_with() -> None:
    """Connections and channels use no other method of their log; the packets that they log are left out elsewhere."""
    folder = Path(asyncssh.__file__).parent
    sources = [(folder / name).read_text("utf-8") for name in ("connection.py", "channel.py", "auth.py", "packet.py")]
    used = {word for text in sources for word in re.findall(r"\blogger\.([a-z]\w*)\(", text)}
    assert used <= {"debug1", "debug2", "info", "packet", "get_child"}
    log = Connection.logger.fget(None)  # type: ignore[attr-defined]
    assert [getattr(log, name)("text") for name in ("debug1", "debug2", "info", "packet")] == [None] * 4
    assert log.get_child(context="chan=0") is log


@pytest.mark.parametrize(("name", "value", "kept"), [("LANG", "C", True), ("LANG", "x" * 65, False), ("A", "", False)])
def test_a_variable_is_kept_or_refused(name: str, value: str, *, kept: bool) -> None:
    """The client is told which."""

    class Channel:
        """As much of a channel as this needs."""

        def __init__(self) -> None:
            self._env: dict[bytes, bytes] = {}

        def _process_env_request(self, packet: tuple[str, str]) -> bool:
            self._env[packet[0].encode()] = packet[1].encode()
            return True

    channel = Channel()
    limit_environment(channel, {"LANG"}, 64)  # type: ignore[arg-type]
    assert channel._process_env_request((name, value)) is kept
    assert bool(channel._env) is kept
