"""The names of the levels of AI players, for what only names them; `engine.ai` has the players."""

from typing import Final

LEVEL_NAMES: Final = ("easy", "medium", "hard", "extreme", "master")
"""The weakest first."""
