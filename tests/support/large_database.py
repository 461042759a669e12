"""A large database: what fills it, and every statement with values of it."""

from typing import Final

from server.storage.database import Value
from server.storage.sql import Dialect

ROWS: Final = 20_000
NUMBERS: Final = "WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 20000)"
FILL: Final = (
    """game_table (table_id, change, is_open, listing, due)
    SELECT i, {next}, CASE i WHEN 7777 THEN 0 ELSE 1 END, '', CASE WHEN i > 10 AND i <> 7777 THEN 1e9 + i END""",
    "seat (table_id, player_id, look, name) SELECT i, 'player ' || i, 'look ' || i, 'name'",
    "opener (opener, table_id) SELECT 'opener ' || i, i",
    "game (number, id, rules, at, result, record) SELECT i, 'game ' || i, 'life', i, '', ''",
    "game_player (account, number) SELECT 'player ' || i, i",
    "standing (rules, key, strength, value) SELECT CASE i % 2 WHEN 0 THEN 'life' ELSE '' END, 'key ' || i, i, ''",
    "text (number, kind, key, value) SELECT i, 'account', 'key ' || i, 'player ' || i",
    "text (number, kind, key, value) SELECT i + 20000, 'ban', 'key ' || i, CASE i % 2 WHEN 0 THEN NULL ELSE '' END",
    "total (kind, number) SELECT CASE i WHEN 1 THEN '' ELSE 'kind ' || i END, 40000",
    "account (id, name, seen, settings) SELECT 'player ' || i, 'name ' || i, i, ''",
    "account_key (key, account, own, number) SELECT 'key ' || i, 'player ' || i, 'player ' || i, 1",
    "look (look, account) SELECT 'look ' || i, 'player ' || i",
)
"""Ten tables are awake and one has closed; all others are asleep."""
ENTRIES: Final = [(table, 1, b"", 0.0, b"{}") for table in range(1, ROWS + 1) if table != 7777]
ASKED: Final[dict[str, tuple[Value, ...]]] = {
    "APPEND": (5, 2, b"h", 0.0, b"{}", 1, b""),
    "ADD_ENTRY": (5, 2, b"h", 0.0, b"{}"),
    "READ": (5, 0),
    "STATE": (5,),
    "OPEN": (7777,),
    "CLOSE": (5,),
    "SLEEP": (5, 1.0),
    "PUT_LISTING": (5, "{}"),
    "REWRITE_ENTRY": (5, 1, b"[]"),
    "DELETE_ENTRIES": (5, 2),
    "DELETE_SEATS": (5,),
    "PUT_SEAT": (5, "another", "player", "name"),
    "DELETE_OPENERS": (5,),
    "PUT_OPENER": ("another", 5),
    "PLACE": (),
    "AWAKE": (),
    "OPEN_AFTER": (ROWS - 5, 10),
    "DUE": (2e9, 10),
    "SEATS_OF": ("player 5",),
    "SEAT_NAMED": ("look 5", "player 6"),
    "OPENED_BY": ("opener 5",),
    "FREE_NUMBER": (5, 0),
    "KEEP_GAME": ("another", "life", 0.0, "", ""),
    "PUT_GAME_PLAYER": ("player 5", "game 6"),
    "GAMES_OF": ("player 5", ROWS, 10),
    "GAME": ("game 5",),
    "GAMES": (ROWS - 5, 10),
    "LATEST": (10,),
    "OLDEST": (ROWS, 10),
    "REWRITE_GAME": ("game 5", "", ""),
    "DELETE_GAMES": (2,),
    "DELETE_GAME_PLAYERS": (2,),
    "FORGET_GAMES": ("player 4",),
    "COUNTED": (),
    "PUT_COUNTED": (5,),
    "PUT_STANDING": ("life", "key 4", 1.0, ""),
    "DELETE_STANDINGS": ("key 4",),
    "STANDING": ("life", "key 4"),
    "STANDINGS_OF": ("key 4",),
    "BEST": (10,),
    "BEST_UNDER": ("life", 10),
    "PUT_TEXT": ("account", "key 5", "another"),
    "COUNT": ("kind 5", 1),
    "DROP_OLD_DELETIONS": (2 * ROWS - 3,),
    "REWRITE_TEXT": ("account", "key 5", "another"),
    "TEXT": ("account", "key 5"),
    "TEXTS": ("account", ROWS - 5),
    "OLDEST_TEXTS": ("ban", 10),
    "TOTAL": ("kind 5",),
    "ACCOUNT_OF": ("key 5",),
    "ACCOUNT": ("player 5",),
    "SEEN_FIRST": (10,),
    "KEEP_ACCOUNT": ("player 5", 9),
    "PUT_NAME": ("player 5", "another"),
    "PUT_SETTINGS": ("player 5", "{}"),
    "DELETE_ACCOUNT": ("player 5",),
    "KEY": ("key 5",),
    "KEYS": ("player 5",),
    "LINK": ("key 5", "player 6", "player 5"),
    "UNLINK_ALL": ("player 5",),
    "DELETE_KEYS": ("player 5",),
    "NAME_OWNER": ("look 5",),
    "PUT_LOOK": ("another", "player 5"),
    "DELETE_LOOKS": ("player 5",),
}


def fill(dialect: Dialect) -> list[str]:
    """The statements that fill a database."""
    return [dialect[f"{NUMBERS} INSERT INTO {rows} FROM number"] for rows in FILL]
