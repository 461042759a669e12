"""Phones in a real Chromium, of 360 by 640: whole games by taps, and coming back from whatever happens to a phone."""

import asyncio
import re
import shutil
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from server.joining import qr_modules
from server.player.player_session import PlayerSession
from tests.soak import long
from tests.support.browser import CHROMIUM, Browser, Phone, chromium, driven
from tests.support.lasting_server import LastingServer
from tests.support.people import Person, RunningServer, running_server
from tests.support.playing_on_screen import play_on_screen
from tests.support.tables import SHORT
from tests.support.virtual_time import asked_of_logs

pytestmark = pytest.mark.needs(CHROMIUM)

MINE = "document.body.dataset.turn === 'you'"
OVER = "document.body.dataset.phase === 'over'"
FITS = """
(() => {
    const seen = [...document.querySelectorAll('#game button')].filter(each => each.offsetParent);
    const small = seen.filter(each => each.offsetWidth < 44 || each.offsetHeight < 44);
    const out = ['head', 'seats', 'pile', 'turn', 'own', 'acts'].filter(id => {
        const {top, bottom, left, right} = document.getElementById(id).getBoundingClientRect();
        return top < 0 || bottom > innerHeight + 0.5 || left < 0 || right > innerWidth;
    });
    return [...small.map(each => each.textContent), ...out];
})()
"""
"""What is too small to be tapped, or does not fit the window."""


@pytest.fixture(scope="module")
def browser_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Chromium for all tests of this module."""
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"needs {CHROMIUM}")
    with chromium(tmp_path_factory.mktemp("chromium")) as address:
        yield address


@pytest.fixture
async def browser(browser_address: str) -> AsyncIterator[Browser]:
    """The same with phones of its own for each test."""
    async with driven(browser_address) as browser:
        yield browser


def page_of(server: RunningServer) -> str:
    """Where its page is."""
    return f"http://127.0.0.1:{server.web_port}/"


async def play_by_taps(phone: Phone) -> None:
    """Play a game to its end with a finger, and see that all of it can be seen and tapped."""
    before = ""
    while True:
        await phone.until(f"{OVER} || ({MINE} && at !== {before!r})")
        is_over, at, problems, target = await phone.value(f"[{OVER}, at, {FITS}, ({TARGET})()]")
        if is_over:
            return
        assert problems == []
        if target:  # there is none while a tap is on its way
            before = at
            await phone.tap_at(*target)


TARGET = """
() => {
    const found = document.querySelector("[data-move]");
    const {x, y, width, height} = found ? found.getBoundingClientRect() : {};
    return found && [x + width / 2, y + height / 2];
}
"""
"""Where a player would tap: on the first card that can be played, or else on another move."""
READY = "document.querySelector('[data-move=ready]')"


WATCHED = """
(() => {
    window.phases = [];
    window.wrong = [];
    new MutationObserver(() => {
        const {phase, turn} = document.body.dataset;
        if (phases.at(-1) !== phase) phases.push(phase);
        const move = turn !== 'you' && document.querySelector('[data-move]:not([disabled])');
        if (move) wrong.push(move.outerHTML);
    }).observe(document, {subtree: true, childList: true, attributes: true});
    const field = document.querySelector('input[name=name]');
    field.value = 'Ana';
    field.form.requestSubmit();
    return document.body.matches('[data-phase]');
})()
"""
"""Gives a name, and from then on notes all phases, and each move that could be tapped off turn."""


async def test_a_whole_game_can_be_played_by_the_published_hooks_alone(
    browser: Browser, web_server: RunningServer
) -> None:
    """From the name to the next game, as programs of others do it (deploy/web/README.md): each legal move is there."""
    phone = await browser.phone(page_of(web_server))
    assert not await phone.value(WATCHED)
    await phone.until("document.body.dataset.phase === 'lobby'")
    await phone.tap("[data-do=play]")
    await phone.tap("[data-do=swap]")
    await phone.sees("You swap")
    await phone.tap("[data-move=ready]")
    await phone.until(f"document.body.dataset.phase === 'play' && {MINE}")
    for asked in ("why", "hint", "leave"):
        before = await phone.value("document.body.innerText")
        await phone.tap(f"[data-do={asked}]")
        await phone.until(f"document.body.innerText !== {before!r}")
    (ana,) = web_server.app.lobby.visitors.here
    assert isinstance(ana, PlayerSession)
    while not await phone.value(OVER):
        before, moves = await phone.value(
            "[at, [...document.querySelectorAll('[data-move]')].map(each => each.dataset.move)]"
        )
        assert ana.snapshot is not None
        assert sorted(moves) == sorted(map(str, ana.snapshot.legal))
        await phone.tap("[data-move]:not([disabled])")
        await phone.until(f"{OVER} || ({MINE} && at !== {before!r})")
    await phone.tap("[data-do=again]")
    await phone.until(READY)
    await phone.tap("[data-do=leave]")
    await phone.until("document.body.dataset.phase === 'lobby'")
    seen = await phone.value("phases.filter(each => each !== 'open')")  # for a moment, before the deal
    assert seen == ["lobby", "arrange", "play", "over", "arrange", "lobby"]
    assert await phone.value("wrong") == []


async def test_phones_and_an_ssh_player_play_a_whole_game(browser: Browser, web_server: RunningServer) -> None:
    """From the address that a camera opens to the result: a name, then taps alone. In the suite a short game."""
    names = ("Ana", "Bo", "Cy")[: long(1, 3)]
    options = long(" ".join(f"{key}={value}" for key, value in SHORT.items()), "")
    async with web_server.person("sue") as sue:
        await sue.enter(f"new seats={len(names) + 1} {options}", "Your table")
        phones = [await browser.phone(page_of(web_server)) for _ in names]
        for phone, name in zip(phones, names, strict=True):
            await phone.come_in(name)
            await phone.tap("[data-do='sit 1']")
            await phone.until("document.body.dataset.phase === 'open'")
        await sue.until(names[-1])
        sue.type("start")
        await asyncio.gather(_play(sue), *map(play_by_taps, phones))
        for phone in phones:
            assert f"not rated: {long('changed rules', 'only guests play')}" in await phone.sees("won the game")


async def _play(person: Person) -> None:
    assert "game over" in await play_on_screen(person)


async def test_thirty_cards_fit_a_phone(browser: Browser, web_server: RunningServer) -> None:
    """The whole table, with four others at it, without scrolling."""
    phone = await browser.phone(page_of(web_server))
    await phone.come_in("Ana")
    copies = dict(zip("23456789TJQKA", (2, 3, 2, 1, 4, 2, 2, 3, 2, 2, 3, 2, 2), strict=True))
    assert sum(copies.values()) == 30
    groups = "".join(
        f"{{cards: {[rank + suit for suit in 'cdhs'[:count]]}, acts: "
        f"{[{'label': '', 'move': ' '.join(['play', *[rank] * n])} for n in range(1, count + 1)]}}},"
        for rank, count in copies.items()
    )
    seat = "{name: 'Wilhelmina', kind: '*extreme', hand: 12, ups: ['Ts', 'Kd', '##'], downs: 3, state: '(away)'}"
    await phone.value(
        "show({name: 'Ana', phase: 'play', at: 'G/7', clock: 31, talk: ['Bo: hello'],"
        " log: Array(8).fill('Fox plays two jacks.'),"
        f" table: {{heading: 'Table 12', title: 'Quatch', terms: 'move 41', turn: 'Your turn.', mine: true,"
        f" seats: Array(4).fill({seat}), pile: {{count: 9, cards: ['Qh', '9d', '8s', '8c', '7h', '5d', '3c'],"
        f" play: 'queen or higher, or a 2 or 10', run: 'IN A ROW  a queen; three more burn it'}},"
        f" own: {{count: 30, ups: [{{cards: ['7d']}}], downs: [{{label: '1'}}], hand: [{groups}]}}}},"
        " acts: [{label: 'Take the pile', move: 'pickup'}, {label: 'Hint', do: 'hint'}, {label: 'Why', do: 'why'},"
        " {label: 'Leave', do: 'leave'}]})"
    )
    assert await phone.value(FITS) == []
    assert await phone.value("document.querySelectorAll('.hand button').length") == 30
    assert await phone.value("(e => e.scrollHeight <= e.clientHeight)(document.querySelector('.hand'))")
    assert await phone.value("document.getElementById('log').clientHeight") >= 5 * 17


async def test_two_tabs_of_one_phone_are_one_player(browser: Browser, web_server: RunningServer) -> None:
    """The newer one has the seat; the older says so and stays quiet until it is tapped."""
    first = await browser.phone(page_of(web_server))
    await first.come_in("Ana")
    await first.tap("[data-do=play]")
    await first.until(MINE)
    own = await first.value("document.getElementById('own').innerText")
    second = await browser.tab(page_of(web_server), first.context)
    await second.until(MINE)
    assert await second.value("document.getElementById('own').innerText") == own
    await first.sees("another terminal")
    await first.call("Page.bringToFront")
    await first.tap("#again")
    await first.until(MINE)
    await second.sees("another terminal")
    assert len(web_server.app.lobby.visitors.here) == 1


async def test_a_locked_phone_comes_back_to_its_seat(browser: Browser, tmp_path: Path) -> None:
    """Its socket is cut and stays so, an AI player plays on, and the seat is its own again afterwards."""
    async with running_server(tmp_path, web_port=0, pace=0, grace=0) as server, server.person("sue") as sue:
        await sue.enter("new seats=2", "Your table")
        phone = await browser.phone(page_of(server))
        await phone.come_in("Ana")
        await phone.tap("[data-do='sit 1']")
        await sue.until("Ana")
        await sue.enter("start", "ARRANGE")
        await phone.until(READY)
        await phone.call("Network.enable")
        await phone.call(
            "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0
        )
        for connection in [*server.app.listener.connection_limits.connections]:
            if connection.carrier == "web":
                connection.evict()
        await phone.sees("No connection")
        await sue.until("away")
        await phone.call(
            "Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )
        await phone.until("document.getElementById('off').hidden")
        await sue.until(lambda sue: "away" not in sue.shown)
        await phone.sees("Table 1")


async def server_with_board(browser: Browser, folder: Path) -> tuple[LastingServer, Phone, Phone]:
    """A server that comes again at the same port, Ana's phone in its lobby, and the big board."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = LastingServer(folder, time.time, web_port=port)
    await server.start()
    phone = await browser.phone(f"http://127.0.0.1:{port}/")
    board = await browser.phone(f"http://127.0.0.1:{port}/board", (1280, 720))
    await phone.come_in("Ana")
    return server, phone, board


@pytest.mark.features("board")
async def test_a_killed_server_has_its_phones_back(browser: Browser, tmp_path: Path) -> None:
    """In the middle of a game, by themselves: the same table, seat and cards; and the big board."""
    server, phone, board = await server_with_board(browser, tmp_path)
    await phone.tap("[data-do=play]")
    await phone.tap("[data-move=ready]")
    await phone.until(f"{MINE} && !document.querySelector('[data-move=ready]')")
    own = await phone.value("document.getElementById('own').innerText")
    await server.kill(lambda: not asked_of_logs())
    await phone.sees("No connection")
    await board.sees("No connection")
    await server.start()
    await phone.until(f"document.getElementById('off').hidden && {MINE}")
    await board.until("document.getElementById('off').hidden")
    await board.sees("1 here")
    assert await phone.value("document.getElementById('own').innerText") == own
    await phone.tap("[data-move]")
    await phone.until(f"document.getElementById('own').innerText !== {own!r}")
    await server.stop()


@pytest.mark.features("board")
async def test_a_board_stays_whole_while_its_window_changes(browser: Browser, web_server: RunningServer) -> None:
    """By an edge that is dragged, and also if it has the old size at the end."""
    board = await browser.phone(f"{page_of(web_server)}board", (1280, 720))
    await board.sees("0 here")
    sent = "[socket.send = text => { sent.push(text); WebSocket.prototype.send.call(socket, text) }, window.sent = []]"
    for widths in ((1280, 1280), (900, 1000, 1100, 1150, 1200, 1250), (900, 1250)):
        await board.value(f"void {sent}")
        for width in widths:
            await board.call(
                "Emulation.setDeviceMetricsOverride", width=width, height=720, deviceScaleFactor=2, mobile=False
            )
            await board.value("dispatchEvent(new Event('resize'))")
        await board.until("sent.some(text => text.includes('resize'))")
        shown = await board.value("document.body.innerText")
        assert "MMMM" not in shown
        assert "join: http" in shown
    async with web_server.person("sue"):
        assert "join: http" in await board.sees("1 here")


@pytest.mark.features("board")
async def test_a_server_that_was_stopped_has_the_last_word(browser: Browser, tmp_path: Path) -> None:
    """On phones and on the board, until it is there again."""
    server, phone, board = await server_with_board(browser, tmp_path)
    await board.sees("1 here")
    await server.stop()
    for page in (phone, board):
        assert "It comes back by itself" not in await page.sees("The server has ended")
        await page.value("new Promise(done => { connect(); socket.addEventListener('close', () => done(1)); })")
        assert "It comes back by itself" not in await page.sees("The server has ended")
    await server.start()
    for page in (phone, board):
        await page.until("document.getElementById('off').hidden")
        assert "It comes back" in await page.value("document.getElementById('off').textContent")
    await server.stop()


async def test_a_page_of_another_server_cannot_use_it(browser: Browser, web_server: RunningServer) -> None:
    """Neither by a socket nor in a frame, in a browser whose owner plays."""
    phone = await browser.phone(page_of(web_server))
    await phone.come_in("Ana")
    page = (
        f"<script>s = new WebSocket('ws://127.0.0.1:{web_server.web_port}/play');"
        "s.onopen = () => document.title = 'open'; s.onerror = () => document.title = 'refused'</script>"
        f"<iframe src='{page_of(web_server)}' onload=\"document.body.append('framed')\"></iframe>"
    )

    connections: list[asyncio.StreamWriter] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        with suppress(asyncio.IncompleteReadError):  # browsers open connections that they never use
            await reader.readuntil(b"\r\n\r\n")
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n{page}".encode()
        )
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as hostile:
        port = hostile.sockets[0].getsockname()[1]
        tab = await browser.tab(f"http://127.0.0.1:{port}/", phone.context)
        await tab.until("document.title === 'refused'")
        assert await tab.value(
            "(f => { try { return f.contentDocument.body.innerText } catch { return '' } })(frames[0])"
        ) in {"", None}
        for connection in connections:
            connection.close()
    assert len(web_server.app.lobby.visitors.here) == 1


async def test_a_second_phone_scans_the_code_of_the_first(browser: Browser, web_server: RunningServer) -> None:
    """It is the same guest from then on, without a name being asked; the code is drawn as it was computed."""
    pytest.importorskip("segno")
    first = await browser.phone(page_of(web_server))
    await first.come_in("Ana")
    await first.value("type('device')")
    link = re.search(r"\S+#\S+", await first.sees("works once"))
    assert link is not None
    modules = qr_modules(link[0]) or []
    drawn = (
        "(c => { const pen = c.getContext('2d'), size = c.width / 8; return Array.from({length: size}, (_, y) =>"
        " Array.from({length: size}, (_, x) => +(pen.getImageData(8 * x + 4, 8 * y + 4, 1, 1).data[0] < 128))) })"
    )
    assert await first.value(f"{drawn}(document.querySelector('.code'))") == modules
    second = await browser.phone(link[0])
    await first.sees("another terminal")
    await second.sees("Ana")
    assert await second.value("location.hash") == ""
    assert [each.player.name for each in web_server.app.lobby.visitors.here] == ["Ana"]


async def test_cards_that_are_laid_before_a_game_are_chosen_by_taps(
    browser: Browser, web_server: RunningServer
) -> None:
    """As many as the rules want; the button waits for that."""
    phone = await browser.phone(page_of(web_server))
    await phone.come_in("Ana")
    await phone.value("type('play college')")
    await phone.until("document.querySelector('[data-move^=lay]') && document.querySelector('[data-do=lay]')")
    for number in (1, 2, 3):
        assert await phone.value("document.querySelector('[data-do=lay]').disabled")
        await phone.tap(f".hand .group:nth-child({number}) button")
    await phone.tap("[data-do=lay]")
    await phone.tap("[data-move=ready]")
    await phone.until("document.querySelector('#pile .top')")
