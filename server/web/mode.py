"""A player's session on a page: what the page sends is carried out as typed lines, and what is seen is pushed to it.

Only the newest scene is sent, and none while the browser is behind.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.wording.phrases import sentence_case
from server.app.app import FAREWELL, GOOD_BYE
from server.commands.help import page_names
from server.commands.registry import usable
from server.limits import REDRAW_SECONDS
from server.session.bot_requests import LineSplitter
from server.session.display import Display
from server.session.drawn_mode import DrawnMode
from server.terminal.terminal import END_OF_INPUT, Terminal
from server.web import requests
from server.web.messages import Act, Ended, Entry, Menu, welcomed, written
from server.web.screen import at, shown

DEVICE: Final = "device"
"""The command that moves to another device: no page of help lists it, for it works in browsers alone."""
STALE: Final = "The table has moved on since you tapped that: look again."
QUICK: Final = ("Hello!", "Well played.", "Oh no!", "Lucky you.", "Your turn?", "One more game?", "Good game.")
"""What can be said with one tap."""


OF_THE_SERVER: Final = frozenset((GOOD_BYE, FAREWELL))
"""Last lines of sessions that end since the server does, or is renewed: the page comes back by itself."""


class WebTerminal(Terminal):
    """A page as the terminal of a session: whatever its size, it has a screen, and lines end it."""

    is_large_enough = True
    address = ""
    """The address of the page, as its browser knows it."""

    def write_lines(self, *lines: str) -> None:
        """Send lines that are outside of a session: why there is none, or what is said at its end."""
        said = [sentence_case(line) for line in lines if line]
        self.write(written(Ended(said, back=not OF_THE_SERVER.isdisjoint(said))))


class WebMode(DrawnMode):
    """One player's page, until its connection or its session ends."""

    def __init__(self, display: Display, terminal: Terminal, submit: Callable[[str], None]) -> None:
        """``submit`` takes each line that is sent."""
        super().__init__(terminal)
        self._display = display
        display.session.feed.gives_tips = False  # they say what to type
        self._address = terminal.address if isinstance(terminal, WebTerminal) else ""
        self._submit = submit
        self._splitter = LineSplitter()
        self._sent = ""
        """The scene that was sent last, without its clock."""
        self._deadline: float | None = None
        """The deadline that was sent last."""
        self._token = display.session.token
        """What the page has been given to show the next time."""

    async def run(self) -> None:
        """See `Mode`."""
        end = self._submit
        self._terminal.attach(data=self._feed, input_end=lambda: end(END_OF_INPUT), drained=self.refresh)
        self.refresh()
        try:
            await self._stopped
        finally:
            self._terminal.detach()

    def _draw(self) -> None:
        self._drawing = None
        if self._terminal.stalled:
            self._terminal.counters.frames_skipped.inc()
            return
        self._is_due = False
        now, session = asyncio.get_running_loop().time(), self._display.session
        if session.token != self._token:
            self._token = session.token
            self._terminal.write(written(welcomed(self._token)))
        scene = session.scene_with(self._display.answer, self._display.page)
        snapshot = scene.snapshot
        deadline = snapshot.deadline if snapshot is not None and snapshot.playing else None
        text = written(shown(scene, session.typed_again.asked, calls=bool(self._call)))
        if text == self._sent and deadline == self._deadline:
            return
        self._sent, self._deadline, self._call = text, deadline, ""
        self._not_before = now + REDRAW_SECONDS
        clock = "" if deadline is None else f',"clock":{max(0.0, deadline - now):.1f}'
        self._terminal.write(f"{text[:-1]}{clock}}}")
        self._terminal.counters.frames_drawn.value += 1

    def _feed(self, data: bytes) -> None:
        for line in self._splitter.feed(data):
            self._take(requests.read_request(line))

    def _take(self, request: requests.Request) -> None:
        snapshot = self._display.session.snapshot
        # Then moves are made in turn, and a tap means the turn that was seen.
        is_playing = snapshot is not None and snapshot.view is not None and snapshot.view.phase == "play"
        match request:
            case requests.Type(line, seen) if is_playing and seen not in {"", at(snapshot)}:
                self._display.answered(line, [STALE])
            case requests.Type(line) if line == DEVICE:
                self._submit(f"{DEVICE} {self._address}")
            case requests.Type(line):
                self._submit(line.strip())
            case requests.Close():
                self._display.turn_page(0)
            case requests.Menu():
                self._terminal.write(written(self._menu()))

    def _menu(self) -> Menu:
        """What help lists first where the player is."""
        session = self._display.session
        pages = page_names(session)
        entries = list[Entry]()
        for command in usable(session):
            if command.is_on(pages) or (command.name == DEVICE and session.token):
                name, _, arguments = command.usage.partition(" ")
                goes_on = " " if arguments and not arguments.startswith("[") else ""
                entries.append(Entry(name + goes_on, command.usage, sentence_case(command.help)))
        return Menu(entries, [Act(said, do=f"say {said}") for said in QUICK])
