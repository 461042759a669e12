"""The PROXY protocol: a proxy before the server says for which client it speaks.

What it must not know: what the connections carry.
Where to begin: `proxy_protocol.py`.
"""
