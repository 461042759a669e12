"""Sealed cuts as the log and the deal have them: the digest, the checkpoint, the cards, and the mark of a deal."""

import itertools
import time
from collections.abc import Iterable
from typing import Final

import pytest

from server.people.players import Player
from server.records.fairness import DealCut, no_one_could_choose, seal_of
from server.storage.memory_log import MemoryLog
from server.table.entries import Abandoned, Change, Committed, Cut, CutOpened, CutsClosed, CutSealed, Dealt, Left, Sat
from server.table.fold import apply, fold
from server.table.journal import Journal
from server.table.state import TableState
from tests.support.log_entries import finished
from tests.support.tables import ANA, BO, add, table_settings

ANAS, BOS = "ana's text", "bo's text"
FOX: Final = Player("ai:Fox", "Fox", "ai", "hard")
NO_ONE, PLAYERS = "no one could choose the cards", "the players could not choose the cards"


def after(state: TableState, *changes: Change) -> TableState:
    """The table after these changes."""
    for change in changes:
        state, _ = apply(state, change, 1.0)
    return state


def seated() -> TableState:
    """Three seats taken, a deal committed to."""
    state = TableState.of(table_settings(3))
    return after(state, Sat(0, ANA), Sat(1, BO), Sat(2, FOX), Committed("G1", "00ff"))


def test_the_digest_tells_what_became_of_a_seal() -> None:
    """A seal that goes with its player leaves no trace; the bytes never change, or no log could be read."""
    state = after(seated(), Cut("ana", "\u00e9", ANA.id))
    assert seated().digest().hex() == "e1c9cf53c0ad4551"
    assert state.digest().hex() == "dd29c9745c60f2ce"
    sealed = after(state, CutSealed(1, seal_of(BOS)))
    closed = after(sealed, CutsClosed())
    opened = after(closed, CutOpened(1, BOS))
    assert len({each.digest() for each in (state, sealed, closed, opened)}) == 4
    assert after(sealed, Left(1), Sat(1, BO)).digest() == after(state, Left(1), Sat(1, BO)).digest()


async def test_a_log_that_is_cut_at_the_deal_holds_the_seals() -> None:
    """The table read from the deal on is the table read from the opening on, in every field."""
    store = MemoryLog()
    journal = await Journal.begin(store, 1, table_settings(3), time.time)
    for change in (
        Sat(0, ANA),
        Sat(1, BO),
        Sat(2, FOX),
        Committed("G1", "00ff"),
        CutSealed(1, seal_of(BOS)),
        Cut("cy", "gone", "guest:cy"),
        CutSealed(0, seal_of(ANAS)),
        CutsClosed(),
        CutOpened(1, BOS),
        Dealt(None),
    ):
        await add(journal, change)
    log = await store.read(1)
    assert fold(log)[0] == fold(log[-1:])[0] == journal.state
    assert journal.state.deal
    assert [cut.text for cut in journal.state.deal.cuts] == [BOS, "gone", None]
    await add(journal, Abandoned())
    assert ", sealed " in (await store.game("G1") or finished("")).record


def test_every_order_of_opening_gives_the_same_cards() -> None:
    """Only the order of sealing counts."""
    texts = {0: ANAS, 1: BOS}
    sealed = after(seated(), CutSealed(1, seal_of(BOS)), CutSealed(0, seal_of(ANAS)), CutsClosed())
    games = {
        after(sealed, *(CutOpened(seat, texts[seat]) for seat in order), Dealt(None)).digest()
        for order in itertools.permutations(texts)
    }
    assert len(games) == 1


PERSON, BOT = Player("", "ana"), Player("", "hal", "bot")
A, B = DealCut("ana", "a", seal_of("a"), 0), DealCut("hal", "b", seal_of("b"), 1)


@pytest.mark.parametrize(
    ("players", "cuts", "no_one"),
    [
        ((PERSON, BOT, FOX), (A, B), True),
        ((PERSON, BOT, FOX), (A, B, DealCut("cy", "plain")), True),
        ((PERSON, FOX), (A,), True),
        ((PERSON, FOX), (), False),
        ((PERSON, FOX), (DealCut("ana", "a"),), False),
        ((PERSON, BOT), (A,), False),
        ((PERSON, BOT), (A, DealCut("hal", "b")), False),
        ((PERSON, BOT), (A, B._replace(text=None)), False),
        ((PERSON, FOX), (A, B._replace(text=None)), False),
        ((BOT, PERSON, FOX), (A, B._replace(seat=2)), False),
        ((FOX, FOX), (A,), False),
        ((), (), False),
    ],
)
def test_the_mark_needs_every_person_and_every_bot(
    players: tuple[Player, ...], cuts: Iterable[DealCut], *, no_one: bool
) -> None:
    """Who was dealt in without a seal that was opened could be the host of the server; so could who kept one closed."""
    assert no_one_could_choose(players, tuple(cuts)) == no_one
