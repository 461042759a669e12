"""How a game could go on, in words. Pure."""

from collections.abc import Sequence

from engine.ai.verdict import Line
from engine.moves import Move
from engine.wording.phrases import listed, move_words


def line_words(line: Line, names: Sequence[str], own: int | None) -> str:
    """The moves as clauses: "Fox takes the pile and you play a 9". ``own`` is the reader's seat, if they have one."""
    return listed([_clause(names[seat], move, is_you=seat == own) for seat, move in line], "and")


def _clause(name: str, move: Move, *, is_you: bool) -> str:
    if is_you:
        return f"you {move_words(move)}"
    verb, space, rest = move_words(move).partition(" ")
    return f"{name} {verb}{'es' if verb.endswith('s') else 's'}{space}{rest}"
