"""The sub-commands of `quatch`: arguments of a shell, output, exit status.

What it must not know: nothing is forbidden, and no other package imports it.
Where to begin: `main.py` has the command line and `serve`; `local_play.py` has `play`; `finished_games.py` has replay,
review and verify; the others are `developer_tools.py` and `bots.py`. Shell completion and the manual page are made from
the command line: `shell_completion.py`, `manual.py`.
"""
