"""Whether a table can be opened with some settings."""

from server.table.entries import TableSettings
from server.table.state import TableState


def must_be_possible(settings: TableSettings) -> None:
    """Raises InputError if the rules, or the number of seats, of these settings are not possible."""
    TableState.of(settings)
