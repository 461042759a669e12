"""What guests type or scan to come to this server."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.lan.words import fingerprint_words

ANYBODY: Final = "guest"
"""The name in the link of the QR code: a phone sends one in any case, and this is nobody's."""
SSH_PORT: Final = 22
SHOWN_FINGERPRINT: Final = 15
"""Characters of a fingerprint that are shown beside its words: `SHA256:` and the first eight."""


class JoinLines(NamedTuple):
    """The ways to one server. Empty if nobody can come, as to a game in one's own terminal."""

    targets: tuple[str, ...] = ()
    """What guests type behind `ssh`, the best first: `-p 2222 192.0.2.7`."""
    link: str = ""
    """The first one as a link: `ssh://guest@192.0.2.7:2222`."""
    fingerprint: str = ""
    """That of the host key, as OpenSSH shows it: `SHA256:...`."""

    @property
    def lines(self) -> list[str]:
        """The lines that guests type, the best first."""
        return [f"ssh {target}" for target in self.targets]

    @property
    def key(self) -> str:
        """The beginning of the fingerprint, which ssh shows at the first visit, and all of it in words."""
        if not self.fingerprint:
            return ""
        return f"{self.fingerprint[:SHOWN_FINGERPRINT]}..., in words: {fingerprint_words(self.fingerprint)}"


def join_lines(hosts: Sequence[str], port: int, fingerprint: str) -> JoinLines:
    """The ways to a server that these names and addresses lead to, the best first."""
    targets = tuple(host if port == SSH_PORT else f"-p {port} {host}" for host in hosts)
    host = f"[{hosts[0]}]" if ":" in hosts[0] else hosts[0]
    return JoinLines(targets, f"ssh://{ANYBODY}@{host}:{port}", fingerprint)
