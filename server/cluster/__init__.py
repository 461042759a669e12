"""The other processes of this server: their players, their messages, and their questions.

Without it a server is one process: no `processes`, no second server on its log, and no renewal while people play.

What it must not know: how players are connected (`session`), and what they type (`commands`).
Where to begin: `several.py` is what the lobby knows (`lobby/peers.py`). The processes tell each other short-lived
messages through `channel.py`: who is where (`several.py`, `other_processes.py`), and what no log of a table has
(`talk.py`). All else they read in the log (`lobby/tables.py`). `shared_file.py` is a log in a file that they
share.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine(
    "server.cluster.several:FEATURE",
    part="host",
    benches={"cluster": "server.cluster.bench:bench_cluster"},
    shared_file="server.cluster.shared_file:SharedFile",
)
