"""What `quatch bench growth` fills a log with: the habits of accounts."""

import time
from math import inf

from engine.ai.mistakes import MISTAKES
from server.addresses import AddressSet
from server.bench.growth_data import GAMES_OF_A_PLAYER, fingerprint, write_all
from server.people.new_accounts import NewAccounts
from server.people.players import Player
from server.people.profiles import Profiles
from server.review.habits import KIND, Counted, Habits
from server.storage.table_log import TableLog


async def add_habits(log: TableLog, number: int) -> None:
    """Those of so many accounts."""
    profiles = Profiles(log, time.time, inf, NewAccounts(AddressSet(())))
    habits = Habits(counted=GAMES_OF_A_PLAYER, turns=300, mistakes=dict.fromkeys(MISTAKES, Counted(times=9, cost=1.5)))
    players = (Player(fingerprint(account), "") for account in range(number))
    await write_all(profiles.keep_text(KIND, player, habits.to_json()) for player in players)
