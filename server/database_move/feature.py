"""What moves between databases give to the server: nothing, since `quatch move` runs while no server does."""

from typing import Final

from server.extension import Feature

FEATURE: Final = Feature("database_move", ())
