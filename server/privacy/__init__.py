"""A player is forgotten, gets all that is kept of them, and reads what that is; addresses are kept for some days.

A player is forgotten in all that outlives their session (`Forgetting`). Their games stay, with "a former player" in
the place of the name. What a feature keeps, it tells and forgets itself (`PersonalData` of the core).
What it must not know: the features.
Where to begin: `commands.py` is what is typed.
"""

from pathlib import Path
from typing import Any, Final

from server.command_line import CommandLine, FeatureSettings, InPlace


class PrivacySettings(FeatureSettings):
    """What the host says of privacy."""

    privacy_page: InPlace[str] = ""
    """The file that `privacy` shows; empty for the page that comes with the program."""
    privacy_addresses: InPlace[float] = 30.0
    """How many days addresses are kept."""

    def problem(self, core: Any) -> str:  # noqa: ANN401, ARG002 - a `config.Config`
        """What is wrong with them."""
        page, days = self.privacy_page, self.privacy_addresses
        if page and not Path(page).is_file():
            return f"privacy_page: must be a file, not {page!r}"
        return "" if days >= 1 else f"privacy_addresses: must be at least 1 day, or inf for ever, not {days}"


COMMAND_LINE: Final = CommandLine("server.privacy.commands:FEATURE", PrivacySettings)
