"""`quatch bench`: how fast the program is, each figure beside a baseline of the same run.

What it must not know: nothing is forbidden. The server never imports it, and no test measures time with it.
Where to begin: `figures.py` has the figures and their reports, `servers.py` starts what is measured, `people.py` drives
it; `playing.py` measures people at tables over ssh, `attacks.py` a server under attack.
"""
