"""Questions to AI players."""

from collections.abc import Iterator

from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import Move
from engine.rulesets import rulesets
from engine.view import View, view_of
from server.ai.pool import AIPool, Question, choose


def views(rules: str) -> Iterator[tuple[View, int]]:
    """Views of the players to move, as a game begins."""
    state, _ = deal(rulesets()[rules].overridden({"stalemate.quiet_plies": 40}, "Odd"), 2, "thinking")
    while state.phase == "arrange":
        seat = state.ready.index(False)
        view = view_of(state, seat)
        state, _ = play(state, seat, choose(Question("hard", "plain", view, seat, "x")))
    for _ in range(3):
        seat = state.to_move or 0
        yield view_of(state, seat), seat
        state, _ = play(state, seat, legal_moves(view_of(state, seat), seat)[0])


async def answered(ai_pool: AIPool, question: Question) -> Move:
    """The move that answers a question."""
    return (await ai_pool.think(question)).move
