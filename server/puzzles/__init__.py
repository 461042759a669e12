"""Puzzles: positions from finished games in which one move is clearly best.

What it must not know: hands that the seat of a puzzle did not see; a puzzle is made of a view.
Where to begin: `puzzle.py` is a puzzle as it is kept, `service.py` finds puzzles and knows how players get on,
`view.py` is what a player looks at, and `commands.py` is what they type.
"""
