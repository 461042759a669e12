"""Reviews of finished games: how a seat stood, which of its moves cost most, and what a player does again and again.

What it must not know: how games are stored (`storage`), and other features.
Where to begin: `commands.py`; `review.py` judges the decisions of a seat, `text.py` puts that in words, `task.py` has
a player wait for it while they go on, and `habits.py` counts the mistakes of an account.
"""
