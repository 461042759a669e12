"""How AI players learn and are compared: self-play, fitting of weights, matches.

What it must not know: nothing of connections, sessions or tables: only the engine.
Where to begin: `arena.py` plays matches; `fit.py` runs `quatch fit`, whose steps are in `fitting.py`.
"""
