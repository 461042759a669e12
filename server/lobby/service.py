"""What a feature runs in each process of a server."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from server.addresses import Address
from server.people.players import Caller, guest_id
from server.process.background_tasks import BackgroundTasks


class Serving(NamedTuple):
    """A process that serves players."""

    process: int
    """Its number, from 0; that is the only one of most servers."""
    stop: Callable[[], None]
    """Stops the server."""


class Act(Struct, frozen=True):
    """What an op or a host has done to others, as it is logged."""

    by: str
    """Their key."""
    name: str
    did: str
    """The command: "ban"."""
    whom: str
    before: str = ""
    """What it was before, in words; empty if that says nothing."""
    after: str = ""
    why: str = ""


class Service:
    """What a feature runs in each process; its constructor takes the lobby. A method does nothing unless it is there.

    In the life of a process `open`, `listens`, `poster` and `serve` follow each other, then `retire` if a newer process
    takes its place, `end` and `close`. A lobby without a server, as in a game in one's own terminal, is only opened and
    closed. If a method fails that follows `serve`, that is logged, and the process goes on with the other services.
    """

    invites: bool = False
    """Whether the host shows guests in the room how to come."""
    log_folder: str = ""
    """The folder of the log if the service shows something at the terminal where the server was started."""

    def open(self) -> None:
        """Begin. The log is open by then."""

    def listens(self, ports: Mapping[str, int], connections: Collection[Any]) -> None:
        """The process listens at these ports, by carrier, and will say so. ``connections``: those that are open."""

    def poster(self, screen: tuple[int, int] | None) -> Sequence[str]:  # noqa: ARG002 - others need it
        """What the host reads below the ready lines; ``screen``: columns and rows of a terminal that shows it."""
        return ()

    def serve(self, serving: Serving) -> None:
        """The process serves players."""

    def took_settings(self) -> None:
        """The process has other settings, which it took in place."""

    async def read_on(self) -> None:
        """Something may have been written to the log since, here or elsewhere."""

    async def retire(self, farewell: str) -> None:
        """A newer process listens in the place of this one, which ends when its last session has; see `end`."""

    async def measured(self) -> str:
        """What monitoring reads of this process, which the main process asks for; empty for nothing."""
        return ""

    def gauges(self) -> Collection[tuple[str, str, float | None]]:
        """What monitoring reads of the feature: names, helps, and values of now; None if there is none."""
        return ()

    @property
    def tasks(self) -> Collection[asyncio.Task[Any]]:
        """The tasks that the process waits for when it stops; they end soon after `end`."""
        return ()

    def end(self, farewell: str) -> None:
        """The process stops: end what is shown to callers with this last line."""

    def send_away(self, key: str | None, address: Address | None) -> None:
        """End what is shown to a caller with this key, or without a key from this address."""

    async def send_away_denied(self, denial: Callable[[Caller], Awaitable[str]]) -> None:
        """End what is shown to callers who may not log in any more. ``denial`` says why, or nothing if they may."""

    def kept_names(self) -> Mapping[str, str]:
        """Names by the ids of players: the feature keeps something for each of them, besides a seat."""
        return {}

    async def note_act(self, act: Act) -> None:
        """An op or a host has done this in this process."""

    def forget(self, account: str) -> None:
        """A player was forgotten: keep nothing of them in memory."""

    @cached_property
    def _background(self) -> BackgroundTasks:
        """What the service does in the background, until it is closed."""
        return BackgroundTasks()

    async def close(self) -> None:
        """End what goes on. The log is open still."""
        await self._background.stop()


AnyService = TypeVar("AnyService", bound=Service)


class Kept(NamedTuple):
    """What may be kept for a guest who has come in as another one."""

    name: str
    reminder: str
    """How the guest takes it."""
    by_enter: bool = False
    """Whether Enter alone takes it."""


class KnownGuests(Service):
    """How guests without a key are known again: here by their codes and tokens alone.

    A feature's own service may take the place of this one.
    """

    async def come(self, caller: Caller, code: str) -> tuple[str, str]:
        """The resume code and the id of a guest who comes in; ``code`` is their token or a new one."""
        del caller
        return code, guest_id(code)

    async def kept_for(self, caller: Caller, player_id: str) -> Kept | None:
        """What may be kept for a guest who came in with this id; None for nothing."""
        del caller, player_id
        return None

    async def find(self, caller: Caller, typed: str) -> tuple[str, str]:
        """The resume code and the id of the guest whose code, or name, was typed. Raises InputError."""
        del caller
        return typed, guest_id(typed)
