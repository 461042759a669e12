"""Sentences for players, made from positions, moves and rules: refusals, what goes on the pile, the rules sheet.

What it must not know: whether a move is legal (`engine.legality` decides and asks for the words), and hidden cards:
everything here works from a view as well as from the whole position.
Where to begin: `refusals.py` says why a move is refused, `rules_sheet.py` explains a whole rule set.
"""
