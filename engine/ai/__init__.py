"""AI players: a level is a function from a view and a random generator to a legal move.

The same view and generator give the same move on every machine, because search is limited by a number of simulations
and not by time.

What it must not know: hidden cards. A level gets a `View`, never the `State`; `worlds.py` invents cards for search.
Where to begin: `players.py` lists the levels, `easy_medium_hard.py` has the simple ones, `search.py` the strongest.
"""

from engine.ai.extreme_and_master import uses_search
from engine.ai.players import LEVELS, AIPlayer, player, player_named
from engine.ai.style import STYLES
from engine.ai.weights import weight_problems

__all__ = ["LEVELS", "STYLES", "AIPlayer", "player", "player_named", "uses_search", "weight_problems"]
