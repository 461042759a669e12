"""What hosts read at a console about a renewal of the server."""

from typing import Final

from server.commands.finding import HostWords
from server.features import Feature

FEATURE: Final = Feature(
    "keeper",
    (
        HostWords(
            "(reload|restart|reboot|renew|settings|config|configure|set|change|clock)(?! name of)",
            lambda lobby, _: (
                f"Type in a shell: quatch reload --data {lobby.config.data} reads the settings anew. They stand in the "
                "file of quatch serve --config, as quatch settings prints one."
            ),
        ),
    ),
)
