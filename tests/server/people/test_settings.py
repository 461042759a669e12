"""What people choose for themselves: said in one line, remembered by key, refused with what can be chosen."""

import json
from pathlib import Path

import asyncssh
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from engine.errors import InputError
from server.people.settings import CHOICES, OwnLevel, Settings
from server.render.frame import page_rows
from server.storage.sqlite_database import MemoryDatabase
from tests.support.each import for_each
from tests.support.people import RunningServer, running_server

pytestmark = pytest.mark.waiting_takes_no_time


@for_each(("key", "value"), [(key, value) for key, values in CHOICES.items() for value in values])
def test_every_choice_is_kept(key: str, value: str) -> None:
    """Also when only its beginning is typed, where that is clear."""
    chosen = Settings().changed(key, value)
    assert getattr(chosen, key) == value
    assert Settings.from_json(chosen.to_json()) == chosen


def test_each_setting_is_one_row_of_a_page() -> None:
    """At the usual size; so its columns stand in line."""
    lines = Settings().lines()
    assert [row for _, _, row in page_rows(tuple(lines), 80)] == lines


def test_settings_of_another_release_are_read() -> None:
    """If it has only more settings than this one."""
    assert Settings(mode="line", pace=1.5).to_json() == '{"v":1,"mode":"line","pace":1.5}'
    assert Settings.from_json('{"v": 1, "mode": "line", "pace": 1.5}') == Settings(mode="line", pace=1.5)
    assert Settings.from_json('{"v": 1, "mode": "line", "sound": "on"}').mode == "line"


def test_what_a_newer_release_has_chosen_is_kept() -> None:
    """Settings that are unknown here are written again; a text that cannot be read here is not replaced."""
    newer = '{"v":1,"sound":{"at":5},"mode":"line"}'
    again = json.loads(Settings.from_json(newer).changed("mode", "screen").to_json(newer))
    assert again == {"v": 1, "sound": {"at": 5}, "mode": "screen"}
    with pytest.raises(ValueError, match="newer version"):
        Settings().to_json('{"v":2,"mode":"line"}')


def test_a_choice_that_is_unknown_here_stops_no_other() -> None:
    """It is kept for the release that knows it, until the player chooses here."""
    newer = '{"v":1,"cards":"dice","own_level":{"level":"god"},"tips":"off","later":1}'
    read = Settings.from_json(newer)
    assert (read.cards, read.tips, read.own_level) == ("auto", "off", OwnLevel())
    changed = read.changed("tips", "on").changed("mode", "line")
    again = json.loads(changed.to_json(newer))
    assert again == {"v": 1, "cards": "dice", "own_level": {"level": "god"}, "mode": "line", "later": 1}
    assert json.loads(changed.changed("cards", "suits").to_json(newer))["cards"] == "suits"


@for_each(
    "text",
    [
        "",
        "x",
        "[]",
        '{"v": 1, "mode": "dance", "cards": 7, "pace": "x", "*": "{}"}',
        '{"v": "x", "mode": "line"}',
        '{"v":2,"mode":"line"}',
    ],
)
def test_what_cannot_be_read_is_the_default(text: str) -> None:
    """A later version may have written it."""
    assert replace(Settings.from_json(text), unknown=UNSET) == Settings()


@for_each(
    ("key", "value", "told"),
    [
        ("mode", "dance", "set mode auto or screen or line"),
        ("mode", "", "set mode"),
        ("colour", "n", None),
        ("colour", "off", None),
        ("notice", "osc", "osc9 or osc777"),
        ("nonsense", "1", "there are mode, cards"),
        ("pace", "-1", "with 0 to 10 seconds"),
        ("pace", "nan", "with 0 to 10 seconds"),
        ("pace", "soon", "with 0 to 10 seconds"),
    ],
)
def test_what_cannot_be_chosen_says_what_can(key: str, value: str, told: str | None) -> None:
    """In one line."""
    if told is None:
        assert Settings().changed(key, value).colour == "none"
        return
    with pytest.raises(InputError, match=told):
        Settings().changed(key, value)


async def test_settings_are_remembered_by_key(tmp_path: Path) -> None:
    """The next time, on another server with the same log too; a guest begins anew."""
    key, store = asyncssh.generate_private_key("ssh-ed25519"), MemoryDatabase()
    async with running_server(tmp_path, store) as first, first.person(key=key) as ana:
        await ana.enter("set", "set pace ")
        ana.type("")
        await ana.enter("set cards suits", "Set: cards suits.")
        ana.type("set mode line")
        await ana.until_text("Type play for a game")
    async with running_server(tmp_path, store) as second:
        async with second.person(key=key) as ana:
            await ana.until_text("Type play for a game")
            assert "\x1b[?1049h" not in ana.text
        async with second.person() as guest:
            await guest.until("lobby>")


@pytest.mark.parametrize(
    ("notice", "sent"), [("bell", "\a"), ("osc9", "\x1b]9;Quatch"), ("osc777", "\x1b]777;notify;"), ("off", None)]
)
async def test_a_player_for_whom_others_wait_is_called(
    open_server: RunningServer, notice: str, sent: str | None
) -> None:
    """In the way that the player has chosen, if others wait. No player is called at a table of AI players."""
    async with open_server.person() as ana, open_server.person("bo") as bo:
        await ana.enter(f"set notice {notice}", f"Set: notice {notice}.")
        await ana.enter("play", "YOUR TURN")
        await ana.enter("ready", "order:")
        assert "\a" not in ana.text
        await ana.leave_game()
        ana.type("new seats=2")
        await bo.until("1 seat free")
        # The number depends on whether the first table has closed by now.
        number = next(table.number for table in open_server.app.lobby.tables.listings() if not table.playing)
        await bo.enter(f"sit {number}", "seat 2   bo  (you)")
        bo.type("start")
        await ana.until("YOUR TURN")
        assert sent in ana.text if sent else "\a" not in ana.text


async def test_ai_players_take_the_pace_that_was_asked_for(open_server: RunningServer) -> None:
    """At the tables of the player who asked."""
    async with open_server.person() as ana:
        await ana.enter("set pace 0.5", "Set: pace 0.5.")
        await ana.enter("new seats=2", "Your table.")
        table = open_server.app.lobby.tables.here[1]
        assert table.runtime.pace == 0.5
        await ana.enter("set pace 0", "Set: pace 0.")
        assert table.runtime.pace == 0
        await ana.enter("set pace 2 s", "Set: pace 2.")
        await ana.enter("set pace host's", "Set: pace host's.")
        assert table.runtime.pace == open_server.app.lobby.config.pace != 2


@for_each(("typed", "pace"), [("host's", None), ("auto", None), ("2 s", 2.0), ("2 seconds", 2.0), ("0.5", 0.5)])
def test_a_pace_is_taken_as_the_page_of_settings_shows_it(typed: str, pace: float | None) -> None:
    """Also the server's own, which the page offers to a player who has another."""
    assert Settings(pace=1.0).changed("pace", typed).pace == pace
    assert all("host's" in Settings(pace=pace).lines(drawn=drawn)[-2] for drawn in (True, False))
