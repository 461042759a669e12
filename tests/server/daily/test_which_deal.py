"""Which deal a day gets: chosen the day before, the same at every server, and at once if nobody has."""

import asyncio
from collections.abc import Sequence

import pytest

from engine.errors import InputError
from server.daily import SECRET, choice
from server.daily.choice import CANDIDATES, PREPARE_SECONDS
from server.daily.deal import DailyScore, daily_of, seed_of
from server.daily.results import CHOICES, read_fields
from server.lobby.service import Serving
from server.storage.sqlite_database import MemoryDatabase
from server.table.entries import TableSettings
from tests.server.daily.quick import dailies_of, quicken
from tests.support.at_terminals import lobby_at
from tests.support.clock import DAY, Clock
from tests.support.simulated_log import World

pytestmark = pytest.mark.virtual_time
TODAY, TOMORROW = "2026-11-22", "2026-11-23"
OPEN, FITTEST = (4, 9)
"""The candidates with these numbers are open; the second of them shows more skill."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The results of AI players are made up: most deals are won from the beginning."""

    def made_up(settings: TableSettings, level: str, *_: object) -> tuple[Sequence[str], DailyScore]:
        daily = daily_of(settings.occasion or None)
        assert daily is not None
        seeds = [seed_of("secret", daily.date, candidate) for candidate in range(CANDIDATES)]
        places = {OPEN: (3, 2, 1), FITTEST: (4, 2, 1)}.get(seeds.index(settings.secret), (1, 1, 1))
        return [], DailyScore(places[("easy", "medium", "hard").index(level)], 5, 20)

    quicken(monkeypatch)
    monkeypatch.setattr(choice, "play_by_ai", made_up)
    monkeypatch.setattr(choice, "QUICK_CANDIDATES", 10)
    monkeypatch.setattr(choice, "CANDIDATES", CANDIDATES)


async def test_the_fittest_deal_is_chosen_before_its_day_begins() -> None:
    """By the first process, for both; AI players have played it then. Its commitment does not change any more."""
    clock, world = Clock(), World(1)
    await world.log.put_text(SECRET, "", "secret")
    async with lobby_at(clock, world.node("0"), 1) as here, lobby_at(clock, world.node("1"), 1) as there:
        for number, lobby in enumerate((here, there)):
            dailies_of(lobby).serve(Serving(number, lambda: None))
        await asyncio.sleep(2 * PREPARE_SECONDS)
        (field,) = (await read_fields(world.log, TOMORROW)).values()
        assert {game.place for game in field.games} == {4, 2, 1}
        assert len([row for row in await world.log.oldest_texts(CHOICES, 9) if row.key.startswith(TOMORROW)]) == 1
        clock.now += DAY
        seeds = [await dailies_of(lobby).deals.seed(TOMORROW) for lobby in (here, there)]
        assert seeds == [seed_of("secret", TOMORROW, FITTEST)] * 2


async def test_a_deal_that_is_asked_for_at_once_is_the_first_open_one() -> None:
    """As right after the first start; two servers that are asked at the same time give the same."""
    clock, world = Clock(), World(1)
    await world.log.put_text(SECRET, "", "secret")
    async with lobby_at(clock, world.node("0"), 1) as here, lobby_at(clock, world.node("1"), 1) as there:
        seeds = await asyncio.gather(*(dailies_of(lobby).deals.seed(TODAY) for lobby in (here, there)))
        assert seeds == [seed_of("secret", TODAY, OPEN)] * 2
        await asyncio.sleep(2 * PREPARE_SECONDS)
        assert await dailies_of(here).deals.seed(TODAY) == seeds[0]


async def test_a_choice_that_cannot_be_read_is_not_made_again() -> None:
    """As one of a newer version: players there have other cards."""
    log = MemoryDatabase()
    await log.put_text(CHOICES, f"{TODAY} x", '{"v": 2}')
    async with lobby_at(Clock(), log) as lobby:
        with pytest.raises(InputError, match="newer version"):
            await dailies_of(lobby).deals.seed(TODAY)
