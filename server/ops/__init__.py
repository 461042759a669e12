"""The health of the process: metrics, watchdog, background tasks, logs, file descriptors.

What it must not know: players, tables and connections.
Where to begin: `metrics.py` and `watchdog.py`.
"""
