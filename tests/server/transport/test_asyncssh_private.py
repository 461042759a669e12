"""The private names of asyncssh that the server uses still exist and mean the same: for an update of asyncssh."""

import ast
import asyncio
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import asyncssh
import pytest
from asyncssh import kex
from asyncssh.channel import SSHServerChannel
from asyncssh.crypto.cipher import GCMCipher
from asyncssh.encryption import GCMEncryption
from asyncssh.packet import SSHPacket, String

import server
from server.transport.asyncssh_private import _UNUSED, Channel, Connection, make_keys_on_demand
from server.transport.ssh import OPTIONS
from tests.support.people import RunningServer

SERVER = Path(server.__file__).parent
NAMES = {
    "_protocol_factory", "_process_env_request", "_env", "_send_kexinit", "_send_disconnect",
    "_client_kexinit", "_server_kexinit", "_extensions_to_send", "_options",
    "_send_encryption", "_send_seq", "_send_enchdrlen", "_send_blocksize", "_cipher", "_key", "_iv",
    "_update_iv", "_auth_complete", "_kex_complete", "_rekey_bytes", "_rekey_bytes_sent", "_rekey_time",
    "_recv_encryption", "_recv_seq", "_recv_handler", "_recv_pkthdr", "_inpbuf", "_auth_final", "_transport", "_loop",
    "_channels", "_recv_state", "_recv_window", "_accept_data",
    "_finish_open_request", "_conn", "_send_buf", "_send_chan", "_send_pktsize", "_send_state", "_send_window",
    "_keepalive_timer", "_keepalive_interval", "_keepalive_timer_callback", "_kex_handlers", "_KEM", "_PyCAKEM",
    "_priv_cls", "_pub_cls", "_pyca_pq_alg_classes",
}  # fmt: skip
OURS = {"_heard_at"}
CONNECTION, CHANNEL = asyncssh.SSHServerConnection, SSHServerChannel
READ: dict[Callable[..., Any], str] = {
    CONNECTION.send_packet: "bf1b32ce",
    CONNECTION._send: "4a60c43f",
    CONNECTION.data_received: "f937110e",
    CONNECTION._recv_data: "ef4a76c5",
    CONNECTION._recv_pkthdr: "7b62bede",
    CONNECTION._recv_packet: "a69bc3ca",
    CONNECTION._finish_recv_packet: "ab166574",
    CONNECTION._process_ignore: "36f5a2bb",
    CONNECTION._reset_keepalive_timer: "ced0d25e",
    CONNECTION._set_keepalive_timer: "3b901f93",
    CONNECTION._keepalive_timer_callback: "85e11747",
    CHANNEL.process_open: "31956ed2",
    CHANNEL._finish_open_request: "9b529169",
    CHANNEL.write: "99f87d18",
    CHANNEL._flush_send_buf: "67729a2c",
    CHANNEL.send_packet: "897b1975",
    CHANNEL._process_data: "5034ae6f",
    CHANNEL._accept_data: "da0ba2ff",
    CHANNEL.is_closing: "5e2b6a4f",
    GCMEncryption.encrypt_packet: "16a358c7",
    GCMEncryption.decrypt_packet: "149806b3",
    GCMEncryption.decrypt_header: "45c36a4f",
    GCMCipher.encrypt_and_sign: "abd3dfff",
    GCMCipher.verify_and_decrypt: "29c31d59",
    GCMCipher._update_iv: "5ce20178",
}
"""What the short ways do as asyncssh 2.24.1 does, with the CRC-32 of what was read there."""


def test_what_the_short_ways_shorten_is_as_it_was_read() -> None:
    """A version that changes one of them needs a look: read it, and write the number anew."""
    assert asyncssh.__version__ == "2.24.1"
    found = {each: f"{crc32(inspect.getsource(each).encode()):08x}" for each in READ}
    assert {each.__qualname__: found[each] for each in READ if found[each] != READ[each]} == {}


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
    # Public, and overridden: the signature is checked where this is awaited.
    assert inspect.iscoroutinefunction(asyncssh.SSHServerConnection.validate_public_key)
    # What is forgotten after the login is a client's alone, and what a class keeps no code looks for.
    assert "self._owner = self._protocol_factory()" in inspect.getsource(connection.connection_made)
    sources = map(
        inspect.getsource, (asyncssh.SSHServerConnection, asyncssh.connection.SSHConnection, SSHServerChannel)
    )
    assert not re.findall(r"hasattr\(self,|except AttributeError", "".join(sources))
    source = inspect.getsource(asyncssh.SSHServerConnection)
    for each in _UNUSED.keys() - {"_key_options", "_local_addr"}:
        assert f"self.{each}" not in source
    # What is forgotten in part is only read, where it is read at all.
    assert re.findall(r"self\._key_options(\W.*)", source)[-2:] == [
        ".get(option, default)",
        ".get('no-' + permission, False)",
    ]
    assert re.findall(r"_close_event\.(\w+)", inspect.getsource(asyncssh.channel.SSHChannel)) == ["set", "wait"]


def test_one_module_alone_uses_private_names_of_asyncssh() -> None:
    """And only the names that are listed here; classes of ours have some of these names for what is their own."""
    others = re.compile(rf"(?<!\bself)\.(?:{'|'.join(NAMES)})\b")
    tree = ast.parse((SERVER / "transport" / "asyncssh_private.py").read_text("utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert used - {"__init__", "__class__", "__dict__"} - OURS == NAMES
    for file in SERVER.rglob("*.py"):
        if file.name != "asyncssh_private.py":
            assert not others.findall(file.read_text("utf-8")), file


def test_only_what_clients_do_makes_a_key_of_ml_kem() -> None:
    """A server encrypts to the client's, and both then have the same secret."""
    make_keys_on_demand()
    make, name, *_ = kex._kex_handlers[b"mlkem768x25519-sha256"][2]
    server, client = make(name), make(name)
    secret, sent = server.encaps(client.get_public())
    assert client.decaps(sent) == secret
    assert ("_priv_key" in vars(client), "_priv_key" in vars(server)) == (True, False)


def test_a_connection_has_what_asyncssh_logs_with() -> None:
    """Connections and channels use no other method of their log; the packets that they log are left out elsewhere."""
    folder = Path(asyncssh.__file__).parent
    sources = [(folder / name).read_text("utf-8") for name in ("connection.py", "channel.py", "auth.py", "packet.py")]
    used = {word for text in sources for word in re.findall(r"\blogger\.([a-z]\w*)\(", text)}
    assert used <= {"debug1", "debug2", "info", "packet", "get_child"}
    log = Connection.logger
    assert not any(getattr(log, name)("{", 1, of=2) for name in ("debug1", "debug2", "info", "packet"))
    assert log.get_child(context="chan=0") is log


@pytest.mark.parametrize(("name", "value", "kept"), [("LANG", "C", True), ("LANG", "x" * 65, False), ("A", "", False)])
def test_a_variable_is_kept_or_refused(name: str, value: str, *, kept: bool) -> None:
    """The client is told which."""
    channel = Channel.__new__(Channel)
    channel._env, channel._logger = {}, Connection.logger
    assert channel._process_env_request(SSHPacket(String(name) + String(value))) is kept
    assert bool(channel._env) is kept


async def test_no_connection_has_anything_of_the_login_of_another(open_server: RunningServer) -> None:
    """Their classes keep plain values of the first ones, but not who they were, nor that they had logged in."""
    async with open_server.connection() as connection:
        process = await connection.create_process(encoding=None)
        await process.stdout.readuntil(b"Type play")
    kept = {name for kind in (Connection, Channel) for name in vars(kind)}
    assert "_compress_after_auth" in kept
    assert not {name for name in kept if name.startswith(("_auth", "_kex", "_peer"))}


@pytest.mark.parametrize("encryption", ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr"])
async def test_packets_that_come_together_are_read_one_after_the_other(
    open_server: RunningServer, encryption: str
) -> None:
    """Also when they are cut in two anywhere, and with any cipher; what is forged ends the connection."""
    async with open_server.connection(encryption_algs=[encryption]) as connection:
        process = await connection.create_process(encoding=None)
        await process.stdout.readuntil(b"Type play")
        transport, sent = connection._transport, bytearray()
        assert transport is not None
        write = transport.write
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(transport, "write", sent.extend)
            for number in range(3):
                process.stdin.write(b"say line %d\n" % number)
        write(bytes(sent[:-30]))
        await process.stdout.readuntil(b"line 1")
        write(bytes(sent[-30:]))
        await process.stdout.readuntil(b"line 2")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(transport, "write", sent.extend)
            sent.clear()
            process.stdin.write(b"say no more\n")
        sent[-1] ^= 1
        write(bytes(sent))
        assert b"no more" not in await process.stdout.read()
