"""A disk under SQLite that fails or waits when a test says so, and records the requests in their order."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager

import apsw

NAME = "faulty"


class FaultyDisk(apsw.VFS):
    """The system's own file access. The attributes apply to the write-ahead log."""

    def __init__(self, real: str) -> None:
        super().__init__(NAME, real)
        self.real = real
        self.asked: list[str] = []
        """Each "write" and "sync"."""
        self.faults: dict[str, apsw.Error] = {}
        """What "write" and "sync" fail with."""
        self.syncing = threading.Event()
        """That a sync is under way, which lasts until `may_sync` is set."""
        self.may_sync = threading.Event()
        self.may_sync.set()
        self.forgetful = False
        """That of the databases opened from now on everything past the first page is lost."""

    async def hold(self, write: Coroutine[None, None, None]) -> "asyncio.Task[None]":
        """Begin this write, the sync of which lasts until `may_sync` is set."""
        self.may_sync.clear()
        self.syncing.clear()
        writing = asyncio.create_task(write)
        assert await asyncio.to_thread(self.syncing.wait, 10)
        return writing

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - the library's name for it
        """See apsw."""
        if flags[0] & apsw.SQLITE_OPEN_WAL:
            return _FaultyFile(self, name, flags)
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB and self.forgetful:
            return _ForgetfulFile(self.real, name, flags)
        return super().xOpen(name, flags)


class _FaultyFile(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(disk.real, name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the library's name for it
        self._ask("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - the library's name for it
        self._disk.syncing.set()
        assert self._disk.may_sync.wait(10)
        self._ask("sync")
        super().xSync(flags)

    def _ask(self, what: str) -> None:
        self._disk.asked.append(what)
        if what in self._disk.faults:
            raise self._disk.faults[what]


class _ForgetfulFile(apsw.VFSFile):
    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the library's name for it
        super().xWrite(data if offset == 0 else bytes(len(data)), offset)


@contextmanager
def faulty_disk() -> Iterator[FaultyDisk]:
    """A context in which all databases are opened on this disk."""
    usual = apsw.vfs_names()[0]
    disk = FaultyDisk(usual)
    apsw.set_default_vfs(NAME)
    try:
        yield disk
    finally:
        apsw.set_default_vfs(usual)
        disk.unregister()
