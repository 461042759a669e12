"""The health of the process: metrics, watchdog, background tasks, logs, file descriptors, garbage collector.

What it must not know: players, tables, and what connections carry.
Where to begin: `metrics.py` and `watchdog.py`.
"""
