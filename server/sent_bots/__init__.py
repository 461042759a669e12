"""`quatch bots`: our AI players go to any server and play there, through the bot protocol (deploy/bots/README.md).

What it must not know: anything that the protocol doesn't tell every bot.
Where to begin: `run_bots` in `bots.py`.
"""
