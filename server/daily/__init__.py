"""The daily deal: each day the same cards for everybody, who plays them alone against three AI players.

A day begins when a night does (`history/periods.py`), so that an evening is not cut in two.
What it must not know: other features, and the state of a game: the core keeps what it promises at its tables.
Where to begin: `README.md`; then `deal.py` (the day, what its cards come from, how games are compared), `game.py` (what
a table is opened for), `service.py` (who has played it, and where), `choice.py` and `work.py` (which deal a day gets),
`results.py`, `commands.py`.
"""
