"""The local network: how guests in one room find this server, by a line, a QR code or an announcement.

What it must not know: tables, players and sessions. What comes from the network may be forged; nothing here trusts it.
Where to begin: `own_join_lines.py` finds what guests type from the addresses in `interfaces.py`; `qr.py` draws it,
and `words.py` puts the fingerprint of the key into words. `announcement.py` is what servers announce: `announcer.py`
sends it, in a process of its own, and `finder.py` finds servers by it.
"""
