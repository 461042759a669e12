"""The page and its web socket without a browser: who a player is, what a page is told, and what harm it cannot do."""

import asyncio
import json
import re
from pathlib import Path

import asyncssh
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.config import Config, ConfigError
from server.language.event_text import AWAY
from server.limits import LOGIN_BYTES
from server.render.scene import Scene
from server.web.acceptor import POLICY
from server.web.requests import MESSAGE
from server.web.screen import shown
from tests.support.people import RunningServer, running_server
from tests.support.resources import descriptors, settled, tasks
from tests.support.web import Page, get, line_of, page_at


async def test_there_is_no_page_unless_the_host_wants_one(open_server: RunningServer) -> None:
    """No port listens."""
    assert open_server.web_port == 0


async def test_the_page_is_small_and_lets_nothing_in(web_server: RunningServer) -> None:
    """Three files over one connection, 40 KB at most, nothing inline and nothing from elsewhere."""
    answers = await get(web_server.web_port, *(f"GET {path} HTTP/1.1" for path in ("/", "/page.css", "/page.js")))
    assert all(answer.startswith(b"HTTP/1.1 200 ") for answer in answers)
    assert sum(map(len, answers)) <= 40_000
    page = answers[0].decode()
    assert POLICY in page
    assert "unsafe" not in POLICY
    assert not re.search(r"<script(?! src)|<style|\son\w+=|\sstyle=|https?://", page.partition("<!DOCTYPE")[2])
    assert {*re.findall(r'(?:src|href)="([^"]+)"', page)} == {"page.css", "page.js", "data:,"}


async def test_a_page_that_is_known_is_not_sent_again_and_others_are_not_there(web_server: RunningServer) -> None:
    """As a browser asks when it is opened again."""
    tag = next(line for line in (await get(web_server.web_port, "GET / HTTP/1.1"))[0].splitlines() if b"ETag" in line)
    same = f"GET / HTTP/1.1\r\nIf-None-Match: {tag.split()[1].decode()}"
    answers = await get(web_server.web_port, same, "GET /etc/passwd HTTP/1.1", "GET /../page.js HTTP/1.1")
    assert [answer.split()[1] for answer in answers] == [b"304", b"404", b"404"]


@pytest.mark.waiting_takes_no_time
async def test_a_guest_in_a_browser_plays_a_whole_game_by_its_buttons(web_server: RunningServer) -> None:
    """Every move is one that the page was offered, and the game is not rated."""
    async with page_at(web_server.web_port) as ana:
        step = ana.shown["lobby"]["steps"][0]
        assert step["do"] == "play"
        await ana.tap(step)
        await ana.until(lambda ana: ana.table.get("mine"))
        assert "not rated: only guests play" in ana.table["terms"]
        await ana.play_on()
        await ana.until(lambda ana: any("won the game" in line for line in ana.table.get("lines", ())))
        assert [visitor.player.account for visitor in web_server.app.lobby.visitors.here] == [None]
        assert "again" in map(line_of, ana.acts)


@pytest.mark.features("tournament")
@pytest.mark.waiting_takes_no_time
async def test_a_tournament_is_entered_by_a_tap(web_server: RunningServer) -> None:
    """As long as the player is not in."""
    async with (
        page_at(web_server.web_port, "Ana") as ana,
        web_server.person("host", key=asyncssh.generate_private_key("ssh-ed25519")) as host,
    ):
        host.type("tournament new Cup format=swiss rounds=1")
        await ana.until(lambda ana: line_of(ana.shown["lobby"]["steps"][0]) == "tournament join")
        await ana.tap(ana.shown["lobby"]["steps"][0])
        await ana.until(lambda ana: line_of(ana.shown["lobby"]["steps"][0]) == "play")
        assert "Cup" in str(ana.shown)


async def test_a_token_gives_name_and_seat_back(web_server: RunningServer) -> None:
    """As after a locked phone or a reload; the server keeps what it cannot be computed from."""
    async with page_at(web_server.web_port, "Ana") as ana:
        await ana.until(lambda page: "You are a guest, so your games are not rated." in str(page.shown))
        await ana.type("play")
        await ana.until(lambda ana: ana.table.get("mine"))
        own, token = ana.table["own"], ana.token
        ana.cut()
    async with page_at(web_server.web_port, "somebody", token) as again:
        await again.until(lambda page: page.table.get("own") == own)
        assert (again.shown["name"], again.token) == ("Ana", token)
        assert all(token not in str(visitor.player) for visitor in web_server.app.lobby.visitors.here)
    async with page_at(web_server.web_port, "Ana", "x" * 43) as other:
        assert other.shown["name"] != "Ana", "another token is another player"


async def test_a_second_tab_takes_over_and_the_first_says_so(web_server: RunningServer) -> None:
    """It does not come back by itself, or the two would throw each other out for ever."""
    async with page_at(web_server.web_port) as first, page_at(web_server.web_port, token=first.token) as second:
        await first.until_gone()
        assert "another terminal" in first.told["ended"]["lines"][0]
        assert not first.told["ended"].get("back")
        assert second.shown["name"] == "ana"


def test_a_page_names_the_button_that_takes_the_seat_back() -> None:
    """It has no line to type in."""
    scene = Scene("ana", log=["You sit down.", f"Time is up. {AWAY}"])
    told = ["You sit down.", "Time is up. An AI player plays for you until you tap Back."]
    assert shown(scene, "", calls=False).log == told


def test_a_page_says_who_invites_a_player_in_a_game() -> None:
    """Its talk does not."""
    assert shown(Scene("ana", invitation="bo invites you"), "", calls=False).notice == "bo invites you."


async def test_a_tap_on_what_is_not_shown_any_more_does_nothing(web_server: RunningServer) -> None:
    """The move was meant for another turn."""
    async with page_at(web_server.web_port) as ana:
        await ana.type("play seats=2")
        await ana.until(lambda ana: ana.table.get("mine"))
        await ana.type("ready")
        await ana.until(lambda ana: ana.table.get("mine") and ana.table.get("pile"))
        before = ana.table["own"]
        await ana.type(line_of(ana.acts[0]), at="other/3")
        await ana.until(lambda ana: "moved on" in ana.shown.get("answer", ""))
        assert ana.table["own"] == before


async def test_longer_answers_are_pages_and_what_must_be_confirmed_is_a_button(web_server: RunningServer) -> None:
    """Both are there until the player has read them."""
    async with page_at(web_server.web_port) as ana:
        await ana.type("play")
        await ana.until(lambda ana: ana.table.get("mine"))
        await ana.type("rules")
        await ana.until(lambda ana: ana.shown.get("text"))
        assert ana.shown["text"]["title"] == "rules"
        await ana.say(type="close")
        await ana.until(lambda ana: not ana.shown.get("text"))
        await ana.type("ready")
        await ana.type("leave")
        await ana.until(lambda ana: ana.shown.get("again"))
        await ana.tap(ana.shown["again"])
        await ana.until(lambda ana: ana.shown.get("lobby"))
        await ana.say(type="menu")
        await ana.until(lambda ana: "menu" in ana.told)
        assert {"rules", "name "} <= {entry["line"] for entry in ana.told["menu"]["entries"]}


async def test_a_page_of_another_server_is_refused(web_server: RunningServer) -> None:
    """It cannot play in its visitor's name. Programs, which name no origin, may come in."""
    url = f"ws://127.0.0.1:{web_server.web_port}/play"
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{web_server.web_port + 1}"):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403
    own = {"origin": f"http://127.0.0.1:{web_server.web_port}"}
    async with page_at(web_server.web_port, **own) as ana:
        assert ana.shown["lobby"]


async def test_what_no_page_sends_ends_the_connection(web_server: RunningServer) -> None:
    """And no other: the next one may come in at once."""
    for message in (
        "{",
        "[]",
        '{"type":"frob"}',
        '{"type":"type"}',
        '{"type":"type","line":3}',
        "[" * 4000,
        "x" * (MESSAGE + 1),
    ):
        async with page_at(web_server.web_port) as ana:
            await ana.socket.send(message)
            assert await ana.until_gone() in {1008, 1009}
        async with page_at(web_server.web_port) as ana:
            assert ana.shown["lobby"]


async def test_a_connection_that_asks_for_nothing_is_bounded(web_server: RunningServer) -> None:
    """A head that does not end, a first message that is no hello, and silence, which others make room for."""
    reader, writer = await asyncio.open_connection("127.0.0.1", web_server.web_port)
    writer.write(b"GET / HTTP/1.1\r\nX: " + b"a" * 2 * LOGIN_BYTES)
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await asyncio.wait_for(reader.readuntil(b"never"), 10)
    writer.close()
    async with connect(f"ws://127.0.0.1:{web_server.web_port}/play") as socket:
        await socket.send(json.dumps({"type": "type", "line": "play"}))
        assert await Page(socket).until_gone() == 1008


async def test_nothing_is_left_of_pages_that_are_gone(web_server: RunningServer) -> None:
    """However they go."""
    before = descriptors(), tasks()
    for end in ("cut", "close", "quit"):
        async with page_at(web_server.web_port) as ana:
            if end == "cut":
                ana.cut()
            elif end == "quit":
                await ana.type("quit")
                await ana.until_gone()
                assert ana.told["ended"]["lines"]
    await settled(lambda: (descriptors(), tasks()) == before)
    assert not web_server.app.sessions


async def test_what_a_page_has_sent_is_dropped_if_it_goes(web_server: RunningServer) -> None:
    """Although nothing is read, since many lines wait, and nothing new is shown: else these would take minutes."""
    async with page_at(web_server.web_port) as ana:
        for _ in range(4_000):
            await ana.type("who")
        ana.cut()
        await settled(lambda: not web_server.app.sessions)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"web_port": 70000}, "web_port: must be 0 to 65535, not 70000"),
        ({"web_port": 8080, "web_cert": "cert.pem"}, "web_cert: needs web_key"),
        (
            {"web_port": 8080, "web_cert": "no.pem", "web_key": "no.key"},
            "web_cert: no.pem and no.key: No such file or directory",
        ),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, object], problem: str) -> None:
    """In one line, before anything starts."""
    with pytest.raises(ConfigError, match=re.escape(problem)):
        Config.load(None, {}, settings)


async def test_a_page_comes_back_by_itself_if_the_server_stops(tmp_path: Path) -> None:
    """It is told so; a player who has left is not brought back."""
    async with (
        running_server(tmp_path, web_port=0) as server,
        page_at(server.web_port) as ana,
        page_at(server.web_port, "bo") as bo,
    ):
        await bo.type("quit")
        await bo.until_gone()
        await server.app.stop()
        await ana.until_gone()
        assert (ana.told["ended"].get("back"), bo.told["ended"].get("back")) == (True, None)
