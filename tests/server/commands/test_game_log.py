"""`log`: what has happened since the deal, a part at a time, for players and spectators, also after a restart."""

import re
from pathlib import Path

import asyncssh
import pytest

from engine.errors import InputError
from server.commands.completion import moves_to_type
from server.commands.typed_line import parse
from server.storage.sqlite_database import SqliteDatabase
from server.table.broadcaster import EVENTS_RECALLED
from tests.support.asking import asking
from tests.support.emulator import TerminalPlayer, people
from tests.support.features import FEATURES
from tests.support.people import Person, running_server
from tests.support.playing_on_screen import what_to_type
from tests.support.virtual_time import in_virtual_time

UP, ENTER = b"\x1b[A", b"\r"


async def play_on(ana: TerminalPlayer, events: int) -> None:
    """Pick up whenever that is possible, so that the game goes on, until so much has happened."""
    session = ana.session.player_session
    while session.in_game and session.snapshot and len(session.table.broadcaster.happened(session)) < events:
        offered = moves_to_type(session.snapshot)
        await ana.type(*["p", "p"] if "p" in offered else offered[:1])
    assert session.in_game, len(session.table.broadcaster.happened(session))


def page_lines(shown: str) -> list[str]:
    """The lines of the page on a screen."""
    return [row.strip() for row in shown.split("\n")[2:-1] if row.strip()]


@in_virtual_time
async def test_on_a_screen_log_shows_its_last_page_and_goes_back_to_the_deal() -> None:
    """Up goes back page by page, to the line of the deal; together the pages are all lines that the game has had."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "Log works at a table: type play or new, or sit N for a table" in await ana.type("log")
        await ana.type("play quatch seats=4 level=easy", "ready")
        await play_on(ana, 90)
        session = ana.session.player_session
        await ana.type("log")
        pages, heads = [page_lines(ana.shown)], [ana.shown.split("\n")[0]]
        assert "Up shows the lines before, Enter goes back>" in ana.shown
        while not re.search(r"lines 1 to", heads[-1]):
            await ana.send(UP)
            pages.append(page_lines(ana.shown))
            heads.append(ana.shown.split("\n")[0])
        assert len(pages) > 2
        assert pages[-1][0].startswith("New game: Quatch, played by you")
        events = session.table.broadcaster.happened(session)
        assert len(events) > EVENTS_RECALLED, "more than a player is shown who comes to the table"
        text = " ".join(line for page in reversed(pages) for line in page)
        for line in session.feed.log:
            assert line in text or line.startswith("Tip"), line
        for _ in pages:
            await ana.send(ENTER)
        assert "YOU" in ana.shown


@in_virtual_time
async def test_in_lines_log_tells_the_latest_and_how_many_there_are() -> None:
    """A number asks for so many lines, back to the deal."""
    async with people("ana", term="dumb", features=FEATURES) as (ana,):

        async def told(line: str) -> list[str]:
            before = len(ana.transport.writes)
            await ana.type(line)
            lines = b"".join(ana.transport.writes[before:]).decode().split("\r\n")[1:-1]
            return [line.strip() for line in lines]

        await ana.type("new seats=2 level=easy", "start", "ready")
        await play_on(ana, 70)
        every = await told("log 9999")
        assert every[0].startswith("New game: Quatch")
        assert await told("log") == [f"The last 20 of {len(every)} lines; log {len(every)} tells all.", *every[-20:]]
        assert await told("log 7") == every[-7:]
        for wrong in ("log 0", "log x", "log -1", "log back"):
            assert (await told(wrong))[0].startswith("Type how many lines, as in log 5")


async def test_the_log_goes_back_to_the_deal_after_a_restart_and_for_spectators_without_hidden_cards(
    tmp_path: Path,
) -> None:
    """With real clients in lines: the player reads which cards they drew, a spectator does not."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with running_server(tmp_path, SqliteDatabase(tmp_path / "q.db")) as server, server.person(key=key) as ana:
        await ana.enter("play quatch seats=2 level=easy", "ready begins")
        await ana.enter("ready", lambda person: "YOUR TURN" in person.shown and "order:" in person.shown)
        await one_turn(ana)
        await ana.enter("quit", lambda person: "to hang up." in " ".join(person.seen.split()))
        ana.type("quit")
        await ana.until_gone()
    async with (
        running_server(tmp_path, SqliteDatabase(tmp_path / "q.db"), grace=600) as server,
        server.person(key=key, term=None) as ana,
        server.person("bo", term=None) as bo,
    ):
        await ana.until_text("Your turn.")
        mine = await the_log(ana)
        await bo.enter("watch 1", "Table 1")
        theirs = await the_log(bo)
    assert mine[0] == "New game: Quatch, played by you with AI player Fox."
    assert theirs[0] == "New game: Quatch, played by ana with AI player Fox."
    assert any(line.startswith("You draw") for line in mine)
    assert not any("draw" in line for line in theirs)
    assert any(line.startswith("ana plays") for line in theirs)


async def one_turn(person: Person) -> None:
    """Play a card, and wait until it is the person's turn again."""
    before = person.shown.split("\n")[0]
    person.type(what_to_type(person.shown))
    await person.until(lambda person: "YOUR TURN" in person.shown and person.shown.split("\n")[0] != before)


async def the_log(person: Person) -> list[str]:
    """The whole log, as one types for it in lines."""
    person.raw = b""
    person.type("log 999")
    person.type("clock")
    said = await person.until_text("clock is running")
    return [line for line in said.replace("\r", "").split("\n") if line][:-1]


@pytest.mark.parametrize("line", ["log", "log 5"])
def test_in_the_lobby_log_is_refused_in_one_line(line: str) -> None:
    """It says where it works."""
    with pytest.raises(InputError, match=r"^log works at a table: type play or new, or sit N"):
        parse(line, asking("lobby"))
