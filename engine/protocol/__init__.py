"""The engine for programs in any language: positions and views as JSON, and the referee that answers requests.

What it must not know: the server, its log, AI players.
Where to begin: `README.md` describes the protocol, `referee.py` answers it.
"""
