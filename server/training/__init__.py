"""How AI players learn and are compared: self-play, fitting weights, matches.

What it must not know: connections, sessions and tables. It uses the engine and a progress bar.
Where to begin: `arena.py` plays matches, `ladder.py` many of them; `fit.py` learns weights.
"""
