"""AI players: a level is a function from what a seat may know to the move it makes.

They see a `View` and a seeded generator, never the state, and always answer with a legal move. The same view and the
same generator give the same move on every machine: budgets are counted in looks ahead, not in time.
"""

from engine.ai.learned_levels import uses_search
from engine.ai.players import LEVELS, AIPlayer, player, player_named
from engine.ai.style import STYLES
from engine.ai.weights import weight_problems

__all__ = ["LEVELS", "STYLES", "AIPlayer", "player", "player_named", "uses_search", "weight_problems"]
