"""Remembered names: whose they are, how long, and what they cost when there are very many."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from server.config import Config
from server.lobby.lobby import NAMES_SECONDS, Lobby
from server.people import name_book, names
from server.people.name_book import NameBook
from server.people.players import Player
from server.records.results import Finish, Result, write_result
from server.storage.memory_log import MemoryLog
from server.storage.table_log import EMPTY, FinishedGame, TextRow
from tests.support.log_entries import entry, texts_of
from tests.support.people import running_server
from tests.support.tables import known_seeds
from tests.support.virtual_time import in_virtual_time

DAY = 86400.0
KEEP_DAYS = 90.0
BY_ANA = Result((Finish("SHA256:ana", "ana", 1), Finish("ai:easy", "Fox", 2)), drawn=False, plies=9)


class Clock:
    """A time of day that is set."""

    def __init__(self) -> None:
        self.now = 20_000 * DAY

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now


async def book_on(log: MemoryLog, clock: Clock) -> NameBook:
    """The book of another process, or of this one after a restart."""
    book = NameBook(log, clock, KEEP_DAYS)
    await book.load()
    await book.write_visits()
    return book


async def let_go_what_is_due(book: NameBook, *finished: str) -> None:
    """What the lobby does now and then."""
    await book.write_visits()
    await book.let_go(await book.outdated(), set(finished))


def key_of(name: str) -> Player:
    """A player with a key."""
    return Player(f"SHA256:{name}", name)


async def test_a_name_is_let_go_if_its_owner_never_finished_a_game_and_does_not_come() -> None:
    """Every visit counts. A player who has finished a game keeps the name."""
    log, clock = MemoryLog(), Clock()
    book = await book_on(log, clock)
    ana, bo, cy = map(key_of, ("ana", "bo", "cy"))
    for player in (ana, bo, cy):
        await book.remember(player)
    await let_go_what_is_due(book)
    clock.now += 60 * DAY
    book.note_visit(bo.id)
    await let_go_what_is_due(book, cy.id)
    clock.now += 31 * DAY
    await let_go_what_is_due(book, cy.id)
    again = await book_on(log, clock)
    for each in (book, again):
        assert [each.of(player.id) for player in (ana, bo, cy)] == [None, "bo", "cy"]
        assert each.is_free("ana", "SHA256:eve")
        assert not each.is_free("b\u043e", "SHA256:eve")
    assert set(await texts_of(log, "seen")) == {bo.id, cy.id}
    clock.now += 60 * DAY
    await let_go_what_is_due(book, cy.id)
    assert [book.of(player.id) for player in (bo, cy)] == [None, "cy"]


async def test_names_of_the_last_release_count_from_the_first_start_of_this_one() -> None:
    """It did not write down when their owners came."""
    log, clock = MemoryLog(), Clock()
    for number in range(250):
        await log.put_text("name", f"SHA256:{number}", f"name{number}")
    book = await book_on(log, clock)
    for _ in range(3):
        await let_go_what_is_due(book)
    assert len(book.texts) == len(await texts_of(log, "seen")) == 250
    clock.now += (KEEP_DAYS + 1) * DAY
    for _ in range(3):
        await let_go_what_is_due(book)
    assert not book.texts
    assert not await texts_of(log, "seen")


async def test_no_player_owns_the_default_name() -> None:
    """Not even if the release before kept it for a player."""
    log, clock = MemoryLog(), Clock()
    for number, name in enumerate(("guest", "GUEST2", "gu\u0435st3")):
        await log.put_text("name", f"SHA256:{number}", name)
    book = await book_on(log, clock)
    await book.remember(Player("SHA256:eve", "guest4"))
    assert book.of("SHA256:eve") is None
    for name in ("guest", "guest2", "guest3", "guest4"):
        assert book.is_free(name, "guest:new")


async def test_a_full_book_makes_room_and_never_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of players who never finished a game go first, those seen longest ago before others."""
    monkeypatch.setattr(name_book, "NAMES", 10)
    monkeypatch.setattr(name_book, "_CROWDED", 9)
    log, clock = MemoryLog(), Clock()
    book = await book_on(log, clock)
    for number in range(20):
        await book.remember(key_of(f"name{number}"))
    await let_go_what_is_due(book)
    assert len(book.texts) == 10
    clock.now += DAY
    await let_go_what_is_due(book, "SHA256:name0")
    assert list(book.texts.values()) == ["name0"]
    await book.remember(key_of("name19"))
    assert book.of("SHA256:name19") == "name19"


def operations(work: Callable[[], object]) -> int:
    """How many functions, in Python and in C, a piece of work calls."""
    count = 0

    def watch(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


async def test_finding_a_name_costs_the_same_beside_a_hundred_thousand_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And reading them in costs so much for each: the looks of every name are computed once."""
    computed = 0
    skeleton = names.skeleton

    def counted(name: str) -> str:
        nonlocal computed
        computed += 1
        return skeleton(name)

    async def lobby_with(number: int) -> Lobby:
        nonlocal computed
        rows = [TextRow(each, f"SHA256:{each}", f"pablo{each or ''}") for each in range(number)]

        class FullLog(MemoryLog):
            async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:  # noqa: ARG002
                return rows if kind == "name" else []

        computed = 0
        lobby = Lobby(Config(), FullLog(), new_seed=known_seeds())
        await lobby.names.load()
        assert computed == number
        return lobby

    names.skeleton("warm")
    monkeypatch.setattr(names, "skeleton", counted)
    few, many = await lobby_with(100), await lobby_with(100_000)

    def cost(lobby: Lobby) -> list[int]:
        def find(player: int) -> None:
            with pytest.raises(StopIteration):  # it waits for nothing
                lobby.name_for(f"guest:{player}", "pablo").send(None)

        return [operations(lambda player=player: find(player)) for player in range(200)]  # type: ignore[misc]

    assert sum(cost(many)) < 2 * sum(cost(few))
    assert max(cost(many)) < 1_000


async def test_a_crowd_of_look_alikes_does_not_change_what_a_guest_is_called(tmp_path: Path) -> None:
    """A player without a name is a guest, whatever others have taken before, and each has a name of their own."""
    log = MemoryLog()
    for number in range(3_200):
        await log.put_text("name", f"SHA256:{number}", "guest" if number == 0 else f"gue\u0455t{number}")
    async with (
        running_server(tmp_path, log) as server,
        server.person("guest", term=None) as one,
        server.person("guest", term=None) as other,
    ):
        await one.until_text("Type tables")
        await other.until_text("Type tables")
        assert set(server.app.lobby.visitors.names()) == {"guest", "guest2"}


@in_virtual_time
async def test_a_server_lets_old_names_go_by_itself() -> None:
    """Once all finished games are counted; the name of a player who has finished one stays."""
    log, clock = MemoryLog(), Clock()
    game = FinishedGame("g1", "quatch", clock(), write_result(BY_ANA), "")
    await log.append(EMPTY, entry(1, 1), game)
    lobby = Lobby(Config(), log, new_seed=known_seeds(), wall=clock)
    await lobby.open()
    for player in map(key_of, ("ana", "bo")):
        await lobby.names.remember(player)
    await asyncio.sleep(NAMES_SECONDS * 1.1)
    clock.now += (KEEP_DAYS + 1) * DAY
    await asyncio.sleep(NAMES_SECONDS * 1.1)
    await lobby.close()
    assert list(lobby.names.texts.values()) == ["ana"]
