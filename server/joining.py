"""How guests find the way to a server: the lines to type, a QR code, and the key of the server in words."""

import base64
import re
import socket
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from server.cells import HALVES, PAPER, Row, styled
from server.config import Config

ANYBODY: Final = "guest"
"""The name in the link of the QR code: a phone sends one in any case, and this is nobody's. The address in it is a
number, since many phones resolve no `.local`."""
SSH_PORT: Final = 22
EVERY_ADDRESS: Final = "0.0.0.0"  # noqa: S104 - compared, not bound
SHOWN_FINGERPRINT: Final = 15
"""Characters of a fingerprint that are shown beside its words: `SHA256:` and the first eight."""
Modules: TypeAlias = Sequence[Sequence[int]]
"""The rows of a QR code with its border; a dark module is 1."""
BORDER: Final = 4
"""Light modules on each side, as ISO/IEC 18004 wants it."""


class JoinLines(NamedTuple):
    """The ways to one server. Empty if nobody can come, as to a game in one's own terminal."""

    targets: tuple[str, ...] = ()
    """What guests type behind `ssh`, the best first: `-p 2222 192.0.2.7`."""
    link: str = ""
    """What phones scan: the address that a browser opens or, without one, `ssh://guest@192.0.2.7:2222`."""
    fingerprint: str = ""
    """The fingerprint of the host key, as OpenSSH shows it: `SHA256:...`."""
    opens_anywhere: bool = False
    """Whether every phone opens the link, since it leads to a page for browsers."""

    @property
    def lines(self) -> list[str]:
        """The lines that guests type, the best first."""
        return [f"ssh {target}" for target in self.targets]

    def named_in(self, lines: Sequence[str]) -> list[str]:
        """The lines with the best target in the place of HOST behind `ssh`, if there is one."""
        return [re.sub(r"(?<=ssh|.-[tT]) HOST\b", f" {next(iter(self.targets), 'HOST')}", line) for line in lines]

    @property
    def on_phones(self) -> str:
        """How guests with a phone come in: "or scan, or open on a phone: http://192.0.2.7:8080/"."""
        return f"or scan{', or open on a phone' if self.opens_anywhere else ''}: {self.link}"

    @property
    def key(self) -> str:
        """The beginning of the fingerprint, which ssh shows at the first visit, and all of it in words."""
        if not self.fingerprint:
            return ""
        return f"{self.fingerprint[:SHOWN_FINGERPRINT]}..., in words: {fingerprint_words(self.fingerprint)}"


def join_lines(hosts: Sequence[str], port: int, fingerprint: str, page: str = "") -> JoinLines:
    """The ways to a server that these names and addresses lead to, the best first.

    ``page``: the address that a browser opens, with {host} in it; empty if there is none.
    """
    targets = tuple(host if port == SSH_PORT else f"-p {port} {host}" for host in hosts)
    host = f"[{hosts[0]}]" if ":" in hosts[0] else hosts[0]
    link = page.format(host=host) or f"ssh://{ANYBODY}@{host}:{port}"
    return JoinLines(targets, link, fingerprint, bool(page))


def own_join_lines(
    config: Config, ports: Mapping[str, int], fingerprint: str, others: Sequence[str] = (), *, only_others: bool = False
) -> JoinLines:
    """The ways to this server.

    ``ports``: those at which it listens, by carrier. ``others``: more addresses of this machine. ``only_others``: no
    other leads here, if there are any.
    """
    usual = config.public_host or _usual_address(config.host)
    # Guests most probably reach the address that this machine uses itself; the host knows better.
    hosts = others if only_others and others and not config.public_host else [usual, *others]
    pages = (place.link.format(host="{host}", port=ports[place.carrier]) for place in config.listens_at() if place.link)
    return join_lines([*dict.fromkeys(hosts)], config.public_port or ports["ssh"], fingerprint, next(pages, ""))


def _usual_address(hosts: Sequence[str]) -> str:
    """An address under which guests on the same network probably reach this server."""
    if not {EVERY_ADDRESS, "::"} & set(hosts):
        return hosts[0]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only picks the address that would be used.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


# The key of the server in words, as the PGP word list does it. No two words have the same first three letters.

COUNT: Final = 6
"""How many words stand for a key."""

WORDS: Final = """
acorn album amber anchor ankle apple apron arch arrow atlas bacon bagel ballet bamboo banjo barn basket beach bell
berry bicycle blanket blossom boat bonfire bottle bread bridge bronze bucket buffalo butter cactus camel candle
captain carpet castle cedar cello chalk cherry chimney clover coconut comet coral cotton coyote cradle crown
crystal cubic daisy dancer deer desert diamond dinner dolphin donkey dragon drum eagle earth easel echo elbow
elder ember emerald engine falcon feather ferry fiddle finch flute forest fossil fox frost fudge galaxy garden
gazelle gentle giraffe globe goblet golden grape guitar hammer hazel helmet heron hickory hockey honey hornet
hotel hunter iceberg igloo iris island ivory jacket jaguar jasmine jelly jewel jigsaw judge jungle kayak kennel
kettle kitchen kiwi koala ladder lagoon lantern lava lemon library lilac lime lion lizard lobster lotus magnet
mango maple marble medal melon meteor mirror monkey mosaic motor muffin museum napkin nectar nest nickel noodle
nutmeg oasis ocean olive onion orbit orchid otter oven oyster paddle palace panda paper parrot peanut pebble
pelican pencil pepper piano picnic pigeon pillow pirate planet plum pocket poppy potato puddle pumpkin puzzle
pyramid quilt rabbit radio rainbow raven ribbon river robin rocket rose ruby saddle salmon sandal satin scarf
school shadow shell silver sketch slipper snow soccer spider spoon statue stone sugar summer sunset swan symbol
table tango teapot temple tennis thimble thunder ticket tiger timber toast tomato topaz tower tractor trumpet
tulip tunnel turtle unicorn valley vanilla velvet violin volcano voyage waffle wagon walnut water whale willow
window wizard wolf yellow zebra
""".split()  # noqa: SIM905 - a list of so many strings would be a page long


def fingerprint_words(fingerprint: str) -> str:
    """The words for a fingerprint as OpenSSH shows it, which people can read to each other across a room.

    The first six bytes of the SHA-256 of the key make six words, 48 bits: enough for an evening, for it takes years of
    computing to make another key with the same words. The words never change: people may have written them down.

    >>> fingerprint_words("SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    'acorn album amber anchor ankle apple'
    """
    digest = base64.b64decode(fingerprint.removeprefix("SHA256:") + "=")
    return " ".join(WORDS[byte] for byte in digest[:COUNT])


# QR codes for phones, as rows of a screen. segno, an optional package, computes the modules; its own output inverts in
# a light theme, so they are painted here. A code must be dark on light with a border on all four sides, or many phones
# do not read it. So each cell says its colours itself, whatever those of the terminal are.


def qr_modules(text: str) -> Modules | None:
    """The code for a text with the least error correction, which makes it small; None if segno is not installed."""
    try:
        import segno  # noqa: PLC0415 - an optional package
    except ImportError:
        return None
    code = segno.make_qr(text, error="l", boost_error=False)
    return [list(row) for row in code.matrix_iter(border=BORDER)]


@lru_cache(1)
def code_of(link: str) -> tuple[Row, ...]:
    """The QR code of a link, as rows; none without a link, or if segno is not installed."""
    modules = qr_modules(link) if link else None
    return tuple(qr_rows(modules)) if modules else ()


def qr_rows(modules: Modules) -> list[Row]:
    """The code as rows: each cell is one module wide and two modules high."""
    if len(modules) % 2:
        modules = [*modules, [0] * len(modules[0])]
    pairs = zip(modules[::2], modules[1::2], strict=True)
    return [styled(PAPER, "".join(HALVES[up + 2 * low] for up, low in zip(*pair, strict=True))) for pair in pairs]
