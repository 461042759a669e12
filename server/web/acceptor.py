"""Connections of browsers: the files of the page over HTTP, and a web socket for each player and each board.

`websockets` reads HTTP and frames without any input or output of its own, so the bytes come by way of a
`ThrottledTransport` as those of ssh do: with its rate, its fair share, and one count of connections for all carriers.
"""

import asyncio
import base64
import hashlib
import secrets
import ssl
from email.utils import formatdate
from functools import cache
from http import HTTPStatus
from importlib import resources
from struct import Struct
from typing import Final, cast

import structlog
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request as HttpRequest
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Origin

from engine.errors import InputError
from server.addresses import AddressSet, read_address
from server.clean_text import clean_name
from server.config import Config
from server.fair_queue import Payer
from server.limits import LOGIN_BYTES, LOGIN_SECONDS, OUTPUT_STUCK_SECONDS, PENALTY_ABUSE, ROWS, TERM_LENGTH
from server.net.connection_limits import AdmittedConnection
from server.net.throttled_transport import ThrottledTransport, keep_alive
from server.people.players import Caller
from server.process.counters import Counters
from server.terminal.terminal import NARROW_SAFE, Terminal, Welcome
from server.web import WEB, WebSettings, requests
from server.web.messages import welcomed, written
from server.web.mode import WebTerminal
from server.web.tls import Tls, context_of

_FILES: Final = {
    "/": ("page.html", "text/html"),
    "/board": ("page.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy: nothing inline, nothing from elsewhere, in no frame."""


@cache
def _read(name: str) -> tuple[bytes, str]:
    """A file and what stands for its contents (ETag)."""
    body = (resources.files(__package__) / name).read_bytes()
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def response(request: HttpRequest) -> Response:
    """The answer to a request that opens no web socket."""
    path = request.path.partition("?")[0]
    if request.method != "GET":
        return text_response(405, "only GET works here")
    if path not in _FILES:
        return text_response(404, "there is nothing here: the game is at /, the big board at /board")
    name, kind = _FILES[path]
    body, tag = _read(name)
    is_known = request.headers.get("If-None-Match") == tag
    return _response(304, kind, b"", tag) if is_known else _response(200, kind, body, tag)


def text_response(status: int, text: str) -> Response:
    """An answer of one line."""
    return _response(status, "text/plain", f"{text}\n".encode())


def _response(status: int, kind: str, body: bytes, tag: str = "") -> Response:
    headers = Headers(
        {
            "Date": formatdate(usegmt=True),
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(body)),
            "Cache-Control": "no-cache",
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }
    )
    if tag:
        headers["ETag"] = tag
    return Response(status, HTTPStatus(status).phrase, headers, body)


log = structlog.get_logger("quatch.web")

BOARD: Final = "board"
"""The screen that a socket shows if it asks for a board."""
SOCKET: Final = "/play"
"""The path of the web socket."""
_HEAD: Final = Struct("!BBH").pack
"""Begins a frame of text of usual size (RFC 6455, 5.2)."""
_PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)
ASK_SECONDS: Final = 2.0
"""While the input of a browser waits, it is asked so often whether it is there."""
BOARD_TERM: Final = "xterm-256color"


class WebAcceptor:
    """Makes the protocol of each connection of a browser (a `listener.Acceptor`)."""

    name = WEB

    def __init__(self, config: Config, welcome: Welcome, counters: Counters) -> None:
        self.welcome = welcome
        self.counters = counters
        self.proxies = AddressSet(config.proxies)
        settings = config.of(WebSettings)
        self.tls = context_of(settings.web_cert, settings.web_key) if settings.web_cert else None

    def accept(self, throttled: ThrottledTransport, admitted: AdmittedConnection) -> asyncio.Protocol:
        """See `listener.Acceptor`."""
        return _Connection(self, throttled, admitted)

    def denial(self, message: str) -> bytes:
        """The message as a page of text; a socket is told nothing, and its page tries again later."""
        return text_response(503, message).serialize()


class _Connection(asyncio.Protocol):
    """One connection. It becomes the transport of a terminal when it is a web socket and has said hello."""

    def __init__(self, acceptor: WebAcceptor, throttled: ThrottledTransport, admitted: AdmittedConnection) -> None:
        self._acceptor = acceptor
        self._throttled = throttled
        self._admitted = admitted
        self._http = _new_http()
        self._tls = None if acceptor.tls is None else Tls(acceptor.tls)
        self._is_encrypted = self._tls is not None
        """Whether nobody on the way can read a token."""
        self._page = ""
        """The address of the page, as its browser knows it."""
        self._message = bytearray()
        """What has come of a message in several frames."""
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None
        self._patience: asyncio.TimerHandle | None = None
        """Ends the connection if it does not go on; while its input waits it asks whether the browser is there."""
        self._held = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        keep_alive(transport.get_extra_info("socket"))
        self._throttled.limit_input(LOGIN_BYTES)
        self._abort_after(LOGIN_SECONDS)

    def data_received(self, data: bytes) -> None:
        if self._tls is not None:
            try:
                data = self._tls.received(data)
            except ssl.SSLError as error:
                log.debug("browser disconnected", reason=error.reason)
                self.abort()
                return
            self._write(b"")
            if not data:
                return
        self._http.receive_data(data)
        for event in self._http.events_received():
            if isinstance(event, HttpRequest):
                self._answer(event)
            elif isinstance(event, Frame):
                self._take(event)
        self._send()

    def eof_received(self) -> None:
        self._http.receive_eof()
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._stop_waiting()
        if self._terminal is not None:
            self._terminal.gone()
        if self._task is not None:
            self._task.cancel()

    def _answer(self, request: HttpRequest) -> None:
        """Send a file of the page, or open a web socket for a page that is ours."""
        if request.path.partition("?")[0] == SOCKET:
            host = request.headers.get("Host", "")
            peer = read_address(self._transport.get_extra_info("peername")[0])
            if peer in self._acceptor.proxies:
                self._is_encrypted |= request.headers.get("X-Forwarded-Proto") == "https"
            self._page = f"{'https' if self._is_encrypted else 'http'}://{host}/"
            # Programs name no origin. A page of another server names its own, and cannot name ours.
            self._http.origins = [None, *map(Origin, (f"http://{host}", f"https://{host}"))]
            self._http.send_response(self._http.accept(request))
            self._send()
        else:
            self._write(response(request).serialize())
            self._http = _new_http()
            self._abort_after(LOGIN_SECONDS)

    def _take(self, frame: Frame) -> None:
        if frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            self._message += frame.data
            if frame.fin:
                message, self._message = bytes(self._message), bytearray()
                self._read(message)

    def _read(self, message: bytes) -> None:
        """Take a whole message. An empty one asks whether the connection still works."""
        if not message:
            self._http.send_text(b"")
            return
        try:
            request = requests.read_request(message)
            if self._terminal is None:
                self._begin(request)
            elif isinstance(request, requests.Resize):
                self._terminal.resize(request.columns, request.rows)
            else:
                self._terminal.feed(message.replace(b"\n", b" ") + b"\n")
        except InputError as error:
            log.debug("browser disconnected", reason=error.message)
            self._admitted.penalise(PENALTY_ABUSE)
            self._http.fail(CloseCode.POLICY_VIOLATION, error.code)

    def _begin(self, request: requests.Request) -> None:
        """Begin what the first message asks for. Raises InputError if that is nothing."""
        command, address = None, self._admitted.address
        payer, counters = Payer(self._admitted.group), self._acceptor.counters
        terminal: Terminal
        if isinstance(request, requests.Hello):
            token = request.token if requests.TOKEN.fullmatch(request.token) else secrets.token_urlsafe(32)
            key = _key_of(token) if self._is_encrypted else None
            name = clean_name(request.name[: 4 * TERM_LENGTH])
            caller = Caller(name, key, address, token="" if key else token)
            size = (request.columns, ROWS.stop)
            terminal = page = WebTerminal(self, term="browser", size=size, is_tty=True, counters=counters, payer=payer)
            page.address = self._page
            terminal.learn(utf8=True, signs=True)
            terminal.write(written(welcomed(token)))
        elif isinstance(request, requests.Board):
            command, caller, size = BOARD, Caller(address=address), (request.columns, request.rows)
            terminal = Terminal(self, term=BOARD_TERM, size=size, is_tty=True, counters=counters, payer=payer)
            terminal.feed(NARROW_SAFE.encode())  # the page puts each character into a cell of its own
        else:
            raise InputError("bad_request", "the first message is hello or board")
        self._admitted.mark_authenticated()
        self._throttled.limit_input(None)
        self._stop_waiting()
        self._terminal = terminal
        self._task = asyncio.create_task(self._run(terminal, caller, command))

    async def _run(self, terminal: Terminal, caller: Caller, command: str | None) -> None:
        try:
            await terminal.payer.run(self._acceptor.welcome(terminal, caller, command))
        finally:
            self.close(0)

    def _send(self) -> None:
        """Send what the protocol has to say; an empty piece is the end."""
        for data in self._http.data_to_send():
            if data:
                self._write(data)
            else:
                self._close()

    def _write(self, data: bytes) -> None:
        if sent := data if self._tls is None else self._tls.to_send(data):
            self._transport.write(sent)

    def _close(self) -> None:
        if not self._transport.is_closing():
            self._transport.close()
            # What is written is still sent, but we wait only so long for the browser to read it.
            self._abort_after(OUTPUT_STUCK_SECONDS)

    def _abort_after(self, seconds: float) -> None:
        self._stop_waiting()
        self._patience = asyncio.get_running_loop().call_later(seconds, self.abort)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _ask(self) -> None:
        """Ask whether the browser is there, while nothing is read: then only writing shows that it is gone."""
        self._patience = None
        self._write(_PING)
        if self._held and not self._transport.is_closing():
            self._patience = asyncio.get_running_loop().call_later(ASK_SECONDS, self._ask)

    # As a `TerminalTransport`.

    def write(self, data: bytes) -> None:
        if self._http.close_sent is None:
            # As the protocol would write it, which takes ten times as many calls.
            size = len(data)
            is_usual = 126 <= size < 1 << 16
            self._write(_HEAD(129, 126, size) + data if is_usual else Frame(Opcode.TEXT, data).serialize(mask=False))

    def waiting(self) -> int:
        return self._throttled.waiting()

    def hold(self, *, held: bool) -> None:
        self._held = held
        self._throttled.hold(held=held)
        if held and self._patience is None:
            self._patience = asyncio.get_running_loop().call_later(ASK_SECONDS, self._ask)

    def close(self, status: int) -> None:  # noqa: ARG002 - a web socket has no exit status
        if self._http.state is State.OPEN:
            self._http.send_close(CloseCode.NORMAL_CLOSURE)
            self._send()
        self._close()

    def abort(self) -> None:
        self._throttled.abort()


def _key_of(token: str) -> str:
    """The fingerprint by which a token stands for an account, like that of an ssh key."""
    digest = hashlib.sha256(b"quatch-token-v1\0" + token.encode()).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def _new_http() -> ServerProtocol:
    return ServerProtocol(max_size=requests.MESSAGE)
