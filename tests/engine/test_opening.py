"""The automatic lead: laid by the engine, and followed by the same steps as any other play."""

from engine.protocol.position_json import position_json
from tests.support.positions import after, at, dealt


def test_an_automatic_lead_of_the_last_card_goes_out() -> None:
    """A seat without cards after its automatic lead has won; no other seat moves."""
    state = after(at("quatch", "hand 3c", "hand 5c", phase="arrange"), "ready", seat=0)
    state = after(state, "ready", seat=1)
    assert position_json(state)["outcome"] == {"kind": "won", "winner": 0}
    assert state.places == (0,)


def test_an_automatic_lead_that_empties_the_hand_brings_the_reserve() -> None:
    """With no stock left the reserve is taken up at once (D1-10)."""
    start = at(
        "cathedral",
        "hand 3c / reserve 4c 5c 6c",
        "hand 7c / reserve 8c 9c Jc",
        phase="arrange",
        options={"start.lead": "auto"},
    )
    state = after(after(start, "ready", seat=0), "ready", seat=1)
    assert not state.reserves[0]
    assert state.hands[0].bit_count() == 3
    assert state.to_move == 1


def test_an_automatic_lead_is_no_ply() -> None:
    """It does not count toward a stalemate even when nothing is drawn."""
    state = dealt("quatch", arrange_mode="none", draw_to=0)
    assert len(state.pile) == 1
    assert state.quiet == 0


def test_the_next_lowest_may_go_second_however_the_starter_was_found() -> None:
    """Among the other seats the lowest hand decides, and with it the direction."""
    start = at(
        "quatch",
        "hand 9c",
        "hand 8c",
        "hand 3c",
        phase="arrange",
        options={"start.who": "random", "start.second": "next-lowest", "start.lead": "free"},
    )
    for seat in range(3):
        start = after(start, "ready", seat=seat)
    assert start.order == (0, 2, 1)
