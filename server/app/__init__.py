"""The wiring of a running server: listeners, lobby, sessions, monitoring, and how it all stops.

It makes one server of the parts; `process` has what each of them needs of the process that it runs in. What the host
sees of it is in `main_process.py`.
What it must not know: no rules, no drawing: it only connects what the packages below offer.
Where to begin: `app.py`, class `App`: `start`, `stop`, and `_welcome`, which decides what a connection gets.
"""
