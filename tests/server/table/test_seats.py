"""What becomes of seats: an AI player gives way to a person's name."""

from dataclasses import replace

import pytest

from server.people.players import AI_NAMES, STYLE_OF_NAME, Player, style_of
from server.table.entries import TableSettings
from server.table.seats import rename_ai_player
from server.table.state import Seat, TableState


@pytest.mark.parametrize("name", AI_NAMES)
def test_an_ai_player_with_another_name_keeps_its_style(name: str) -> None:
    """The host may have chosen that style; with no name left for it, any other will do."""
    state = TableState.of(TableSettings("quatch", {}, 2, "easy"))
    state = replace(state, seats=(Seat(Player(f"ai:{name}", name, "ai", "hard")), None))
    renamed = rename_ai_player(state, lambda wanted: wanted == name)
    assert renamed is not None
    assert renamed.player.name != name
    assert (style_of(renamed.player), renamed.player.level) == (STYLE_OF_NAME[name], "hard")
    alike = {other for other in AI_NAMES if STYLE_OF_NAME[other] == STYLE_OF_NAME[name]}
    renamed = rename_ai_player(state, lambda wanted: wanted in alike)
    assert renamed is not None
    assert renamed.player.name not in alike
