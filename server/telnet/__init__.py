"""Telnet: plain text over the network, so that every player is a guest.

It is off by default, listens on this machine only unless told otherwise, and its parser is bounded.
What it must not know: tables, players and what is shown; it carries bytes as ssh does.
Where to begin: `acceptor.py` is a connection from its first byte; `options.py` agrees with the client on what it can,
`parser.py` tells commands from text.
"""
