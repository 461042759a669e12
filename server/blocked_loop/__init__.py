"""A process whose event loop answers no more says where it is blocked, and aborts, so that it is started again.

What it must not know: what the loop does.
Where to begin: `blocked_loop.py`.
"""
