"""What we use of asyncssh's inside is still there and means what we think: for whoever changes its version."""

import ast
import asyncio
import inspect
from pathlib import Path

import asyncssh
import pytest
from asyncssh.channel import SSHServerChannel

import server
from server.transport.asyncssh_private import limit_environment

SERVER = Path(server.__file__).parent
NAMES = {"_protocol_factory", "_process_env_request", "_env", "_send_kexinit"}


def test_the_names_are_there() -> None:
    """A version that renames one of them must be looked at."""
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
    # Public, and wrapped in the carrier: the signature is checked where this is awaited.
    assert inspect.iscoroutinefunction(asyncssh.SSHServerConnection.validate_public_key)


def test_nothing_else_reaches_inside() -> None:
    """Only one module names private attributes of asyncssh, and only these."""
    tree = ast.parse((SERVER / "transport" / "asyncssh_private.py").read_text("utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert used == NAMES
    for file in SERVER.rglob("*.py"):
        if file.name != "asyncssh_private.py":
            assert not [name for name in NAMES if f".{name}" in file.read_text("utf-8")], file


@pytest.mark.parametrize(("name", "value", "kept"), [("LANG", "C", True), ("LANG", "x" * 65, False), ("A", "", False)])
def test_a_variable_is_kept_or_refused(name: str, value: str, *, kept: bool) -> None:
    """The client hears which."""

    class Channel:
        """As much of a channel as is needed."""

        def __init__(self) -> None:
            self._env: dict[bytes, bytes] = {}

        def _process_env_request(self, packet: tuple[str, str]) -> bool:
            self._env[packet[0].encode()] = packet[1].encode()
            return True

    channel = Channel()
    limit_environment(channel, {"LANG"}, 64)  # type: ignore[arg-type]
    assert channel._process_env_request((name, value)) is kept
    assert bool(channel._env) is kept
