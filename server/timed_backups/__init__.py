"""Backups that the server makes by itself: a checked copy of the database every so many hours, of which the last stay.

What it must not know: what the database holds.
Where to begin: `making.py`.
"""

from dataclasses import dataclass
from typing import Any, Final

from server.command_line import CommandLine, FeatureSettings


@dataclass(frozen=True, slots=True)
class BackupSettings(FeatureSettings):
    """How often copies are made, and how many are kept for how long."""

    backup_every: float = 0.0
    """Hours; 0 for never."""
    backup_keep: int = 14
    backup_days: float = 30.0
    """Older copies are deleted, also if there are fewer than `backup_keep`: players who were forgotten are in them."""
    backup_folder: str = ""
    """Empty for the folder `backups` beside the database."""

    def problem(self, core: Any) -> str:  # noqa: ANN401 - a `config.Config`
        """What is wrong with them."""
        if self.backup_every and core.database:
            return "backup_every: copies are made of the file alone, not of PostgreSQL: use pg_dump"
        is_right = self.backup_every >= 0 and self.backup_keep >= 1 and self.backup_days > 0
        return "" if is_right else "backup_every, backup_keep, backup_days: must be 0 or more hours, 1 or more, days"


COMMAND_LINE: Final = CommandLine("server.timed_backups.making:FEATURE", BackupSettings)
