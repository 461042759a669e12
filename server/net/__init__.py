"""Connections before their login: which are accepted, how often, and how fast they are read.

`transport` speaks with them after that; this package reads nothing that a client says.
What it must not know: protocols above TCP, except the PROXY header.
Where to begin: `listener.py` accepts, `connection_limits.py` decides, `throttled_transport.py` meters the bytes.
"""
