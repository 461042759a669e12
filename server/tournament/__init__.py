"""Tournaments: how many sit at which table, the pairing of a round, its scores, the standings. Pure.

What it must not know: tables that run, the log's storage, the clock, names and screens. A player is an id here.
Where to begin: `pairing.py` (a request, and the tables of a round), `standings.py` (results in, rows out).
"""
