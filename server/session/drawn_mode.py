"""What a screen and a page have in common: when they draw what has changed."""

import asyncio
from abc import ABC, abstractmethod

from server.terminal.terminal import Terminal


class DrawnMode(ABC):
    """A `Mode` that draws all that there is to see, but not too soon after the last time."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._is_due = True
        """Whether something has changed since it was drawn last."""
        self._call = ""
        """What calls the person to their turn, sent with what is drawn next."""
        self._drawing: asyncio.Handle | None = None
        self._not_before = 0.0
        """When to draw next at the earliest, in the event loop's time."""
        self._is_held = False
        """Whether nothing is drawn until `go_on`."""
        self._stopped = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """See `Mode`."""
        if not self._stopped.done():
            self._stopped.set_result(None)

    def refresh(self, _: object = (), /, *, call: str = "", at_once: bool = False) -> None:
        """See `Mode`. If nothing else is about to change, drawing need not wait for the loop's next turn."""
        self._is_due = True
        self._call = call or self._call
        if self._drawing is not None or self._is_held:
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._not_before:
            self._drawing = loop.call_at(self._not_before, self._terminal.payer.call, self._draw_if_due)
        elif at_once:
            self._terminal.payer.call(self._draw_if_due)
        else:
            self._drawing = loop.call_soon(self._terminal.payer.call, self._draw_if_due)

    def hold(self) -> None:
        """See `Mode`."""
        self._is_held = True

    def go_on(self) -> None:
        """See `Mode`."""
        if self._is_held:
            self._is_held = False
            if self._is_due:
                self.refresh(at_once=True)
            else:
                self._echo()

    def _draw_if_due(self) -> None:
        """Draw, unless the mode has ended or all was drawn while this waited for its turn."""
        if self._is_due and not self._stopped.done():
            self._draw()

    @abstractmethod
    def _draw(self) -> None:
        """Draw what there is to see, unless the reader is behind: the terminal calls `refresh` when it is not."""

    def _echo(self) -> None:  # noqa: B027 - a page shows it by itself
        """Show what was typed since, if nothing else has changed."""
