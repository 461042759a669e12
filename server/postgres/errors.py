"""The errors of PostgreSQL and of its driver, in plain words."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg
from asyncpg.exceptions import ClientConfigurationError

from server.storage.database import DatabaseAway, NotSaved

LOST: Final = (
    OSError,  # also TimeoutError
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""The database does not answer, or not as the one to write to. This may pass by itself."""

READ_ONLY: Final = "the database is read-only: it is a standby, or set to be"
FAULTS: Final[dict[type[BaseException], str]] = {
    TimeoutError: "the database does not answer",
    ssl.SSLCertVerificationError: "the certificate of the database is not trusted; sslrootcert names that of its CA",
    ssl.SSLError: "TLS with the database fails; see sslmode, sslrootcert, sslcert and sslkey in its address",
    asyncpg.TargetServerAttributeNotMatched: READ_ONLY,
    asyncpg.ReadOnlySQLTransactionError: READ_ONLY,
    asyncpg.TooManyConnectionsError: "the database has no connection free; raise its max_connections",
    asyncpg.InvalidAuthorizationSpecificationError: "the database refuses this user or password",
    asyncpg.InvalidCatalogNameError: "there is no database of this name; create it with createdb",
    asyncpg.InsufficientPrivilegeError: "the user may not do this; it must own the database",
    asyncpg.DiskFullError: "the disk of the database is full",
    asyncpg.UndefinedTableError: "tables of the database were deleted; restore a backup",
    asyncpg.CannotConnectNowError: "the database is starting or stopping",
    asyncpg.OperatorInterventionError: "the database is stopping",
    asyncpg.PostgresConnectionError: "the connection to the database was lost",
    asyncpg.InsufficientResourcesError: "the database has no memory or disk left",
    asyncpg.PostgresIOError: "the disk of the database reports an error",
    asyncpg.DataCorruptedError: "the database is damaged; restore a backup",
    asyncpg.IndexCorruptedError: "the database is damaged; restore a backup",
    asyncpg.InterfaceError: "the connection to the database was lost",
    asyncpg.InternalClientError: "the connection to the database was lost",
    OSError: "the database cannot be reached",
}
"""Errors that are nobody's bug, with the line for the host; of several that fit the first counts."""
NO_TLS: Final = "rejected SSL upgrade"
"""How the driver says that TLS is wanted and the database has none."""
BROKEN_OFF: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)


class UnknownHost(OSError):
    """No address was found for the host of a database."""

    def __init__(self, host: str) -> None:
        right = "its address is postgresql://USER:PASSWORD@HOST:PORT/NAME"
        super().__init__(f"there is no host called {host}, or no name server answers; {right}")


def is_lost(error: BaseException) -> bool:
    """Whether the database is away, for as long as it may be."""
    return isinstance(error, LOST) and not isinstance(error, ValueError)  # which says that an argument is wrong


def is_read_only(error: BaseException) -> bool:
    """Whether the database answers, but can only be read."""
    return isinstance(error, asyncpg.TargetServerAttributeNotMatched | asyncpg.ReadOnlySQLTransactionError)


def is_uncertain(error: BaseException) -> bool:
    """Whether a commit that ended with this may have been made all the same."""
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return False
    return is_lost(error) or isinstance(error, asyncpg.StatementCompletionUnknownError)


def is_fault(error: BaseException) -> bool:
    """Whether this is nobody's bug: the database, the way to it or a setting is at fault."""
    return is_lost(error) or (isinstance(error, tuple(FAULTS)) and not isinstance(error, asyncpg.InterfaceError))


def in_one_line(error: BaseException) -> str:
    """The error in one line for the host. It never holds the password."""
    if isinstance(error, ClientConfigurationError):
        return f"an option in the address of the database is wrong: {_first_line(error)}"
    if isinstance(error, UnknownHost):
        return str(error)
    if NO_TLS in str(error):
        return "the database has no TLS: turn ssl on there, or take sslmode out of its address"
    return next((words for kind, words in FAULTS.items() if isinstance(error, kind)), _first_line(error))


@contextmanager
def named_errors(place: str) -> Iterator[None]:
    """Turn errors into one line that names the database: DatabaseAway if waiting may help, or else NotSaved."""
    try:
        yield
    except NotSaved as error:
        raise NotSaved(f"{place}: {error}") from None
    except Exception as error:
        if not is_fault(error) and not isinstance(error, asyncpg.InterfaceError | asyncpg.PostgresError):
            raise
        # With TLS that is wrong, or is not there, the database answers, but not as the settings want it.
        is_wrong = isinstance(error, ssl.SSLError) and not isinstance(error, BROKEN_OFF)
        may_pass = is_lost(error) and not is_wrong and NO_TLS not in str(error)
        raise (DatabaseAway if may_pass else NotSaved)(f"{place}: {in_one_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
