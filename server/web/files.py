"""The files of the page, as HTTP sends them. They lie beside this module and come from nowhere else."""

import hashlib
from email.utils import formatdate
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

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


def response(request: Request) -> Response:
    """The answer to a request that opens no web socket."""
    path = request.path.partition("?")[0]
    if request.method != "GET":
        return text_response(405, "only GET works here")
    if path not in _FILES:
        return text_response(404, "there is nothing here: the game is at /, the big board at /board")
    name, kind = _FILES[path]
    body, tag = _read(name)
    if request.headers.get("If-None-Match") == tag:
        return _response(304, kind, b"", tag)
    return _response(200, kind, body, tag)


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
