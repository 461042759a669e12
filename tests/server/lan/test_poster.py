"""What a host shows to the guests in a room."""

import pytest

from server.joining.join_lines import join_lines
from server.lan.local_network import poster

KEY = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def test_without_a_terminal_the_poster_is_plain_lines() -> None:
    """As in a journal."""
    assert poster(join_lines(["10.0.0.5", "192.168.1.23"], 2222, KEY), None) == [
        "guests type: ssh -p 2222 10.0.0.5",
        "or: ssh -p 2222 192.168.1.23",
        "or scan: ssh://guest@10.0.0.5:2222",
        "The key of this server is SHA256:AAECAwQF..., in words: acorn album amber anchor ankle apple",
    ]


@pytest.mark.parametrize(("columns", "rows", "shown"), [(80, 24, True), (80, 17, False), (33, 24, False)])
def test_the_code_is_on_the_poster_if_it_fits(columns: int, rows: int, *, shown: bool) -> None:
    """A part of one would be scanned in vain."""
    pytest.importorskip("segno")
    lines = poster(join_lines(["10.0.0.5"], 2222, KEY), (columns, rows))
    assert any("\u2588" in line for line in lines) is shown
    assert any("ssh -p 2222 10.0.0.5" in line for line in lines)
