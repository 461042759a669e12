"""The sub-commands of `quatch`: what is typed in a shell, and the exit status.

What it must not know: nothing is forbidden; no other package imports it. Only it and the logs print.
Where to begin: `main.py`: the parser, and `serve`. Then `finished_games.py` (replay, review, verify),
`developer_tools.py`, `bots.py`.
"""
