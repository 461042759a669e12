"""The errors of PostgreSQL and of its driver, in plain words."""

import socket
import ssl
from typing import Final

import asyncpg
from asyncpg.exceptions import ClientConfigurationError

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

FAULTS: Final[dict[type[BaseException], str]] = {
    TimeoutError: "the database does not answer",
    ssl.SSLCertVerificationError: "the certificate of the database is not trusted",
    asyncpg.TargetServerAttributeNotMatched: "the database is read-only: it is a standby, or set to be",
    asyncpg.ReadOnlySQLTransactionError: "the database is read-only: it is a standby, or set to be",
    asyncpg.TooManyConnectionsError: "the database has no connection free; raise its max_connections",
    asyncpg.InvalidPasswordError: "the database refuses this user or password",
    asyncpg.InvalidAuthorizationSpecificationError: "the database refuses this user or password",
    asyncpg.InvalidCatalogNameError: "there is no database of this name; create it with createdb",
    asyncpg.InsufficientPrivilegeError: "the user may not do this; it must own the database",
    asyncpg.DiskFullError: "the disk of the database is full",
    asyncpg.UndefinedTableError: "tables of the database were deleted; restore a backup",
    asyncpg.CannotConnectNowError: "the database is starting or stopping",
    asyncpg.OperatorInterventionError: "the database is stopping",
    asyncpg.ConnectionDoesNotExistError: "the connection to the database was lost",
    asyncpg.PostgresConnectionError: "the connection to the database was lost",
    asyncpg.InsufficientResourcesError: "the database has no memory or disk left",
    asyncpg.PostgresIOError: "the disk of the database reports an error",
    asyncpg.DataCorruptedError: "the database is damaged; restore a backup",
    asyncpg.IndexCorruptedError: "the database is damaged; restore a backup",
    asyncpg.InterfaceError: "the connection to the database was lost",
    asyncpg.InternalClientError: "the connection to the database was lost",
    socket.gaierror: "there is no host of this name, or no name server answers",
    OSError: "the database cannot be reached",
}
"""Errors that are nobody's bug, with the line for the host; of several that fit the first counts."""


def is_lost(error: BaseException) -> bool:
    """Whether the database is away, for as long as it may be."""
    return isinstance(error, LOST) and not isinstance(error, ValueError)  # which says that an argument is wrong


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
        return f"an option in the address of the database is wrong: {error}"
    return next((words for kind, words in FAULTS.items() if isinstance(error, kind)), str(error).partition("\n")[0])
