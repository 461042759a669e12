"""Backups: `quatch backup` makes a checked copy of the database, and the server one every so many hours, if wanted.

What it must not know: what the database holds.
Where to begin: `copying.py` copies, `making.py` says when, and which copies stay.
"""

from pathlib import Path
from typing import Any, Final

from server.command_line import ALTHOUGH_MOVED, CommandLine, FeatureSettings, SubParsers


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
        rights = {
            "backup_every": (self.backup_every >= 0, "hours, or 0 for never"),
            "backup_keep": (self.backup_keep >= 1, "at least 1"),
            "backup_days": (self.backup_days > 0, "more than 0 days"),
        }
        wrong = (
            f"{name}: must be {right}, not {vars(self)[name]}" for name, (is_so, right) in rights.items() if not is_so
        )
        return next(wrong, "")


def _add_to(commands: SubParsers) -> None:
    copy = commands.add_parser("backup", help="copy the server's database to a new file, also while it runs")
    copy.add_argument("file", type=Path, help="the copy to make; to restore it, put it in the place of the database")
    copy.add_argument("--data", help="folder of the database (default: var)")
    copy.add_argument("--config", type=Path, help="the server's file of settings, which may name that folder")
    copy.add_argument("--although-moved", action="store_const", const=True, help=ALTHOUGH_MOVED)
    copy.set_defaults(run="server.timed_backups.copying:backup")


COMMAND_LINE: Final = CommandLine("server.timed_backups.making:FEATURE", BackupSettings, _add_to, part="host")
