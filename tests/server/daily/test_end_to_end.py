"""The daily deal over real ssh and telnet: the same cards, one answer for programs, and a server that is killed."""

import json
import re
from pathlib import Path

import asyncssh
import pytest

from tests.support.clock import NOON
from tests.support.lasting_server import LastingServer
from tests.support.people import Person, RunningServer
from tests.support.playing_on_screen import play_on_screen

pytestmark = [pytest.mark.waiting_takes_no_time, pytest.mark.usefixtures("quick_deals")]

KEYS = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]


async def own_cards(person: Person) -> list[str]:
    """The rows of the player's own cards, once the cards are dealt."""
    screen = await person.until("ready begins")
    return [row.strip() for row in screen[screen.index("   YOU") :].splitlines()[:5] if re.search("[♣♦♥♠]|##", row)]


async def test_two_people_have_the_same_cards_and_see_each_others_results(tmp_path: Path) -> None:
    """`ssh -t HOST daily` leads straight into the game; in between the server is killed, and both games go on."""
    server = LastingServer(tmp_path, lambda: NOON)
    await server.start()
    cards = []
    for name, key in zip(("ann", "bob"), KEYS, strict=True):
        async with server.running.person(name, key=key, command="daily") as person:
            cards.append(await own_cards(person))
            await person.enter("ready", "YOUR TURN")
    assert cards[0] == cards[1] != []
    await server.kill(lambda: True)
    await server.start()
    for name, key in zip(("ann", "bob"), KEYS, strict=True):
        async with server.running.person(name, key=key, command="daily") as person:
            assert "Daily deal" in await play_on_screen(person)
            await person.enter("daily", "Par, the middle one of")
    status, said = await server.running.run("daily --json", KEYS[0])
    told = json.loads(said)
    assert (status, told["played"], told["you"]["identity"]) == (0, True, KEYS[0].get_fingerprint())
    assert {row["name"] for row in told["results"]} == {"ann", "bob"}
    await server.stop()


async def test_without_a_terminal_daily_answers(open_server: RunningServer) -> None:
    """It tells how to play; what it does not know is refused with exit status 2."""
    status, said = await open_server.run("daily", KEYS[0])
    assert (status, "To play: ssh -t -p " in said) == (0, True)
    status, said = await open_server.run("daily", None)
    assert (status, "You are a guest" in said) == (0, True)
    status, said = await open_server.run("daily tomorrow", KEYS[0])
    assert (status, said) == (2, "Type daily, or daily and one of top, yesterday, share or again, not 'tomorrow'.\n")
