"""The local network: a server is announced to it, and `quatch find` and `quatch join` find it there.

What it must not know: what goes on at tables. What comes from the network may be forged; nothing here trusts it.
Where to begin: `local_network.py` watches the addresses of the machine, and keeps the server announced while it serves.
`announcement.py` is what servers announce: `announcer.py` sends it, in a process of its own, and `finder.py` finds
servers by it.
"""
