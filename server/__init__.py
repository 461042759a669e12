"""The Quatch server: people, AI players and bots at one table, over ssh and telnet.

`README.md` is the map of its packages. Each says in its `__init__` what it is for and where to begin.
"""

VERSION = "1.0.0"
