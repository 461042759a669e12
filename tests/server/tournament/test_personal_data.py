"""What is kept of people in tournaments: by which guests come back to their place, and how players are forgotten."""

import re
from pathlib import Path

import pytest

from server.lobby.personal_data import Person
from server.people.players import FORMER
from server.tournament.events import LIST, events_of
from server.tournament.known import forget_in_tournaments, kept_of
from tests.server.tournament.evenings import evening
from tests.support.ops import AWAY, KEY
from tests.support.people import running_server


@pytest.mark.features("lan")
@pytest.mark.features("returning_guests")
async def test_a_place_in_a_tournament_is_kept_between_its_rounds(tmp_path: Path) -> None:
    """In a room by Enter; elsewhere by the code, which every guest can see."""
    async with running_server(tmp_path, lan=True) as server, server.person("host", key=KEY, term=None) as host:
        await host.enter("tournament new Cup format=swiss start=host", "Cup")
        async with server.person("anna", source=AWAY) as anna:
            await anna.until("lobby>")
            await anna.enter("tournament join Cup", "You are in Cup")
        async with server.person("anna", source=AWAY) as anna:
            await anna.until("anna's seat is waiting")
            await anna.enter("", "welcome, anna ")
            await anna.enter("tournament who Cup", "Players: anna.")
            code = (await anna.enter("resume", "type resume ")).rpartition("type resume ")[2].split()[0]
        async with server.person("anna", source="127.0.0.9") as anna:
            await anna.until("welcome, anna ")
            await anna.enter(f"resume {code}", "anna ")
            await anna.enter("tournament join Cup", "You are in Cup already")


@pytest.mark.virtual_time
async def test_nothing_says_who_a_forgotten_player_was() -> None:
    """Neither as a player nor as the host."""
    async with evening(2, host_name="zyp0") as (lobby, its, _):
        for number in (0, 1):
            person = Person(f"account:p{number}", frozenset({f"p{number}"}), ())
            assert await kept_of(lobby, person)
            await forget_in_tournaments(lobby, person)
        rows = [*await lobby.store.read_texts(LIST, 0), *await lobby.store.read_texts(events_of(its.state.id), 0)]
        assert not [row.text for row in rows if re.search(r'"(p0|p1|zyp0)"', row.text or "")]
        await its.read()
        assert {each.player.name for each in its.state.entrants.values()} == {FORMER}
