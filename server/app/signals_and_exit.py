"""How a host tells a server to stop or to take new settings, and an end that always comes."""

import asyncio
import faulthandler
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Final

from server.process.background_tasks import attempt

SESSIONS_END_SECONDS: Final = 3.0
STOP_SECONDS: Final = 4.0
PROCESS_ENDS_SECONDS: Final = 4.8
KILL_SECONDS: Final = 4.85
MAIN_ENDS_SECONDS: Final = 4.95
"""The 5 s in which hosts are promised that a server stops: sessions end; a process ends with what is saved, which is
every move that was shown; it ends even if Python cannot run; its keeper kills it; the main process ends by itself."""
GONE_SECONDS: Final = 2.0
"""A shell says that the terminal is gone, and the kernel says it again when the shell has ended: within so long."""
STDERR: Final = 2
"""The file descriptor for stacks: `sys.stderr` may be closed, or no file."""


class Signals:
    """What the host has told the server by signals."""

    def __init__(self, on_stop: Callable[[], None]) -> None:
        """``on_stop`` is called once, at the first request to stop."""
        self.told_to_stop = asyncio.Event()
        self.told_to_reload = asyncio.Event()
        self._on_stop = on_stop
        self._has_terminal, self._gone_at = has_controlling_terminal(), -GONE_SECONDS
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        loop.add_signal_handler(signal.SIGHUP, self.told_to_reload.set)

    async def reload_until_stop(self, reload: Callable[..., Coroutine[None, None, None]]) -> None:
        """Wait until the host has told this process to stop, and reload at SIGHUP; see `Processes`."""
        reloading = asyncio.create_task(self._reload_when_asked(reload))
        await self.told_to_stop.wait()
        reloading.cancel()
        await asyncio.wait({reloading})

    async def _reload_when_asked(self, reload: Callable[..., Coroutine[None, None, None]]) -> None:
        while await self.told_to_reload.wait():
            self.told_to_reload.clear()
            await attempt(reload(is_hang_up=self._is_hang_up()), "reloading")

    def stop(self) -> None:
        """Have this process stop."""
        if not self.told_to_stop.is_set():
            self.told_to_stop.set()
            self._on_stop()

    def _is_hang_up(self) -> bool:
        """Whether SIGHUP seems to say that the terminal is gone: the server goes on without it."""
        now = asyncio.get_running_loop().time()
        if self._has_terminal and not has_controlling_terminal():
            self._has_terminal, self._gone_at = False, now
        return now <= self._gone_at + GONE_SECONDS


def print_stacks_on_request(then: Callable[[], None] | None = None) -> None:
    """SIGUSR1 prints the stacks of all threads; ``then`` is called after that."""
    faulthandler.enable(STDERR)
    faulthandler.unregister(signal.SIGUSR1)
    if then is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, then)
    faulthandler.register(signal.SIGUSR1, STDERR, all_threads=True, chain=then is not None)


def end_in_time(seconds: float) -> None:
    """Have the process end after so long, whatever hangs. Neither timer needs a lock of Python's."""
    try:
        faulthandler.dump_traceback_later(seconds, file=STDERR, exit=True)
    except RuntimeError:  # there is no memory for its thread
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def has_controlling_terminal() -> bool:
    """Whether this process has a controlling terminal that has not hung up."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
