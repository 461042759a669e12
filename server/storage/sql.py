"""The schema and every statement, once for all engines. A word in braces differs: each engine has its own.

Every statement finds its rows by an index, so that it takes no longer while a database grows; tests check the plans.
"""

from collections.abc import Mapping
from typing import Final


class Dialect(dict[str, str]):
    """The statements as one engine writes them, by their shared text."""

    def __init__(self, words: Mapping[str, str], mark: str = "$") -> None:
        """``words`` stand for those in braces; ``mark`` begins the number of a parameter."""
        super().__init__()
        self._words, self._mark = words, mark

    def __missing__(self, shared: str) -> str:
        text = self[shared] = shared.format_map(self._words).replace("$", self._mark)
        return text


_PLACE: Final = "max(ifnull((SELECT max(change) FROM entry), 0), ifnull((SELECT max(change) FROM game_table), 0))"
SQLITE: Final = Dialect(
    {
        "integer": "INTEGER",
        "real": "REAL",
        "text": "TEXT",
        "bytes": "BLOB",
        "empty": "x''",
        "strict": "STRICT",
        "keyed": "STRICT, WITHOUT ROWID",
        "change": "INTEGER",
        "entry_key": "PRIMARY KEY",
        "next": f"({_PLACE} + 1)",
        "place": _PLACE,
        "unseen": "change > $1",
        "age": f"({_PLACE} - change)",
        "greatest": "max",
        "kept_as_it_is": "1",
        "lock": "",
    },
    mark="?",
)
"""A change has a number; only one transaction at a time takes numbers."""

SCHEMA: Final = """
    CREATE TABLE entry (
        change {change} {entry_key}, table_id {integer} NOT NULL, seq {integer} NOT NULL,
        hash {bytes} NOT NULL, at {real} NOT NULL, data {bytes} NOT NULL, UNIQUE (table_id, seq)
    ) {strict};
    CREATE TABLE game_table (
        table_id {integer} PRIMARY KEY, change {change} NOT NULL,
        is_open {integer} NOT NULL, due {real}, listing {text} NOT NULL
    ) {strict};
    CREATE INDEX table_change ON game_table (change);
    CREATE INDEX table_awake ON game_table (table_id) WHERE is_open = 1 AND due IS NULL;
    CREATE INDEX table_closed ON game_table (table_id) WHERE is_open = 0;
    CREATE INDEX table_due ON game_table (due, table_id) WHERE due IS NOT NULL;
    CREATE TABLE seat (
        table_id {integer} NOT NULL, player_id {text} NOT NULL, look {text} NOT NULL, name {text} NOT NULL,
        PRIMARY KEY (table_id, player_id, look)
    ) {keyed};
    CREATE INDEX seat_by_player ON seat (player_id, table_id);
    CREATE INDEX seat_by_look ON seat (look);
    CREATE TABLE opener (
        opener {text} NOT NULL, table_id {integer} NOT NULL, PRIMARY KEY (opener, table_id)
    ) {keyed};
    CREATE INDEX opener_by_table ON opener (table_id);

    CREATE TABLE game (
        number {integer} PRIMARY KEY, id {text} NOT NULL UNIQUE, rules {text} NOT NULL,
        at {real} NOT NULL, result {text} NOT NULL, record {text} NOT NULL
    ) {strict};
    CREATE TABLE game_player (
        account {text} NOT NULL, number {integer} NOT NULL, PRIMARY KEY (account, number)
    ) {keyed};
    CREATE INDEX game_player_by_game ON game_player (number);
    CREATE TABLE standing (
        rules {text} NOT NULL, key {text} NOT NULL, strength {real} NOT NULL, value {text} NOT NULL,
        PRIMARY KEY (rules, key)
    ) {keyed};
    CREATE INDEX standing_by_key ON standing (key, rules);
    CREATE INDEX standing_by_strength ON standing (rules, strength, key);
    CREATE INDEX standing_best ON standing (strength, key) WHERE rules <> '';
    CREATE TABLE counted (number {integer} NOT NULL) {strict};
    INSERT INTO counted VALUES (0);

    CREATE TABLE text (
        number {integer} NOT NULL, kind {text} NOT NULL, key {text} NOT NULL, value {text}, PRIMARY KEY (kind, key)
    ) {strict};
    CREATE INDEX text_by_number ON text (kind, number);
    CREATE INDEX text_deleted ON text (number) WHERE value IS NULL;
    CREATE TABLE total (kind {text} PRIMARY KEY, number {integer} NOT NULL) {keyed};

    CREATE TABLE account (id {text} PRIMARY KEY, name {text}, seen {integer} NOT NULL, settings {text}) {strict};
    CREATE INDEX account_by_day ON account (seen, id);
    CREATE TABLE account_key (
        key {text} PRIMARY KEY, account {text} NOT NULL, own {text} NOT NULL, number {integer} NOT NULL
    ) {strict};
    CREATE INDEX key_by_account ON account_key (account, number);
    CREATE TABLE look (look {text} PRIMARY KEY, account {text} NOT NULL) {keyed};
    CREATE INDEX look_by_account ON look (account);
"""
"""A table whose number is free again keeps its row, so that changes are never numbered anew.

A text that was deleted keeps its row for a while, without a value, so that other processes learn of it. `total` is how
many texts there are of each kind, accounts, and linked keys; the one without a kind counts the changes of texts. Their
numbers alone have no index: PostgreSQL would look for the texts of one kind along it. A key stands for an `account`:
its `own`, which it was given when it came first, or another to which it is linked.
"""

# Tables.

APPEND: Final = """
    INSERT INTO entry (change, table_id, seq, hash, at, data)
    SELECT {next}, $1, $2, $3, $4, $5
    WHERE (
        SELECT table_id FROM game_table
        WHERE table_id = $1 AND is_open = 1 AND due IS NULL AND {kept_as_it_is} {lock}
    ) IS NOT NULL
    AND (SELECT hash FROM entry WHERE table_id = $1 AND seq = $6) = $7
    ON CONFLICT DO NOTHING
"""
"""A move: nothing is inserted unless the table is awake and this is the next entry behind the head.

PostgreSQL locks the table's row against closing and falling asleep. The row must not have changed since the statement
began: what else the statement reads is as old as that. Of two entries at one head, the second finds its place taken.
"""
ADD_ENTRY: Final = "INSERT INTO entry (change, table_id, seq, hash, at, data) VALUES ({next}, $1, $2, $3, $4, $5)"
READ: Final = "SELECT table_id, seq, hash, at, data FROM entry WHERE table_id = $1 AND seq > $2 ORDER BY seq"
STATE: Final = """
    SELECT game_table.table_id, coalesce(seq, 0), coalesce(hash, {empty}), due, listing
    FROM game_table LEFT JOIN entry ON entry.table_id = game_table.table_id
    WHERE game_table.table_id = $1 ORDER BY seq DESC LIMIT 1
"""
OPEN: Final = """
    INSERT INTO game_table (table_id, change, is_open, listing) VALUES ($1, {next}, 1, '')
    ON CONFLICT (table_id) DO UPDATE SET change = excluded.change, is_open = 1
"""
CLOSE: Final = "UPDATE game_table SET change = {next}, is_open = 0, due = NULL, listing = '' WHERE table_id = $1"
SLEEP: Final = "UPDATE game_table SET change = {next}, due = $2 WHERE table_id = $1"
PUT_LISTING: Final = "UPDATE game_table SET listing = $2 WHERE table_id = $1"
REWRITE_ENTRY: Final = "UPDATE entry SET data = $3 WHERE table_id = $1 AND seq = $2"
DELETE_ENTRIES: Final = "DELETE FROM entry WHERE table_id = $1 AND seq < $2"
DELETE_SEATS: Final = "DELETE FROM seat WHERE table_id = $1"
PUT_SEAT: Final = "INSERT INTO seat (table_id, look, player_id, name) VALUES ($1, $2, $3, $4)"
DELETE_OPENERS: Final = "DELETE FROM opener WHERE table_id = $1"
PUT_OPENER: Final = "INSERT INTO opener (opener, table_id) VALUES ($1, $2)"

PLACE: Final = "SELECT {place}"
CHANGED: Final = "SELECT table_id FROM game_table WHERE {unseen} UNION ALL SELECT table_id FROM entry WHERE {unseen}"
AWAKE: Final = "SELECT table_id, listing FROM game_table WHERE is_open = 1 AND due IS NULL ORDER BY table_id"
OPEN_AFTER: Final = "SELECT table_id FROM game_table WHERE table_id > $1 AND is_open = 1 ORDER BY table_id LIMIT $2"
COUNT_SEEN: Final = "SELECT count(*) FROM account WHERE seen = $1"
COUNT_ASLEEP: Final = "SELECT count(*) FROM game_table WHERE due IS NOT NULL"
DUE: Final = "SELECT table_id FROM game_table WHERE due <= $1 ORDER BY due, table_id LIMIT $2"
SEATS_OF: Final = "SELECT table_id, name FROM seat WHERE player_id = $1 ORDER BY table_id"
SEAT_NAMED: Final = "SELECT player_id FROM seat WHERE look = $1 AND player_id <> $2 LIMIT 1"
OPENED_BY: Final = """
    SELECT table_id, due FROM opener JOIN game_table USING (table_id) WHERE opener = $1 ORDER BY table_id
"""
FREE_NUMBER: Final = """
    SELECT coalesce(
        (SELECT table_id FROM game_table WHERE is_open = 0 AND table_id > $1 AND {age} >= $2 ORDER BY table_id LIMIT 1),
        {greatest}($1, coalesce((SELECT max(table_id) FROM game_table), 0)) + 1
    )
"""

# Finished games and standings.

KEEP_GAME: Final = """
    INSERT INTO game (number, id, rules, at, result, record)
    VALUES ((SELECT coalesce(max(number), 0) + 1 FROM game), $1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING
"""
PUT_GAME_PLAYER: Final = """
    INSERT INTO game_player (account, number) SELECT $1, number FROM game WHERE id = $2 ON CONFLICT DO NOTHING
"""
GAMES_OF: Final = """
    SELECT number, id, rules, at, result, '' FROM game_player JOIN game USING (number)
    WHERE account = $1 AND number < $2 ORDER BY number DESC LIMIT $3
"""
GAME: Final = "SELECT id, rules, at, result, record FROM game WHERE id = $1"
GAMES: Final = "SELECT number, id, rules, at, result, '' FROM game WHERE number > $1 ORDER BY number LIMIT $2"
LATEST: Final = "SELECT id, rules, at, result, '' FROM game ORDER BY number DESC LIMIT $1"
OLDEST: Final = """
    SELECT number, at FROM game WHERE number <= $1 AND number < (SELECT max(number) FROM game) ORDER BY number LIMIT $2
"""
REWRITE_GAME: Final = "UPDATE game SET result = $2, record = $3 WHERE id = $1"
DELETE_GAMES: Final = "DELETE FROM game WHERE number <= $1"
DELETE_GAME_PLAYERS: Final = "DELETE FROM game_player WHERE number <= $1"
FORGET_GAMES: Final = "DELETE FROM game_player WHERE account = $1"
COUNTED: Final = "SELECT number FROM counted"
PUT_COUNTED: Final = "UPDATE counted SET number = $1"
PUT_STANDING: Final = """
    INSERT INTO standing (rules, key, strength, value) VALUES ($1, $2, $3, $4)
    ON CONFLICT (rules, key) DO UPDATE SET strength = excluded.strength, value = excluded.value
"""
DELETE_STANDINGS: Final = "DELETE FROM standing WHERE key = $1"
STANDING: Final = "SELECT value FROM standing WHERE rules = $1 AND key = $2"
STANDINGS_OF: Final = "SELECT value FROM standing WHERE key = $1 ORDER BY rules"
BEST: Final = "SELECT value FROM standing WHERE rules <> '' ORDER BY strength DESC, key DESC LIMIT $1"
BEST_UNDER: Final = "SELECT value FROM standing WHERE rules = $1 ORDER BY strength DESC, key DESC LIMIT $2"

# Texts.

PUT_TEXT: Final = """
    INSERT INTO text (number, kind, key, value)
    VALUES ((SELECT number FROM total WHERE kind = ''), $1, $2, $3)
    ON CONFLICT (kind, key) DO UPDATE SET number = excluded.number, value = excluded.value
"""
COUNT: Final = """
    INSERT INTO total (kind, number) VALUES ($1, $2)
    ON CONFLICT (kind) DO UPDATE SET number = total.number + excluded.number
"""
TOTAL: Final = "SELECT coalesce((SELECT number FROM total WHERE kind = $1), 0)"
DROP_OLD_DELETIONS: Final = """
    DELETE FROM text WHERE value IS NULL AND number <= (SELECT number FROM total WHERE kind = '') - $1
"""
REWRITE_TEXT: Final = "UPDATE text SET value = $3 WHERE kind = $1 AND key = $2 AND value IS NOT NULL"
TEXT: Final = "SELECT value FROM text WHERE kind = $1 AND key = $2"
TEXTS: Final = "SELECT number, key, value FROM text WHERE kind = $1 AND number > $2 ORDER BY number"
OLDEST_TEXTS: Final = """
    SELECT number, key, value FROM text WHERE kind = $1 AND value IS NOT NULL ORDER BY number LIMIT $2
"""

# Accounts.

ACCOUNT_OF: Final = """
    SELECT account, name, seen, settings FROM account_key LEFT JOIN account ON account.id = account_key.account
    WHERE key = $1
"""
ACCOUNT: Final = "SELECT id, name, seen, settings FROM account WHERE id = $1"
SEEN_FIRST: Final = "SELECT id, name, seen, settings FROM account ORDER BY seen, id LIMIT $1"
KEEP_ACCOUNT: Final = """
    INSERT INTO account (id, seen) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
"""
PUT_NAME: Final = "UPDATE account SET name = $2 WHERE id = $1"
PUT_SETTINGS: Final = "UPDATE account SET settings = $2 WHERE id = $1"
DELETE_ACCOUNT: Final = "DELETE FROM account WHERE id = $1"
DELETE_KEYS: Final = "DELETE FROM account_key WHERE account = $1"
KEYS: Final = "SELECT key, own FROM account_key WHERE account = $1 ORDER BY number"
LINK: Final = """
    INSERT INTO account_key (key, account, own, number)
    VALUES ($1, $2, $3, (SELECT coalesce(max(number), 0) + 1 FROM account_key WHERE account = $2))
    ON CONFLICT (key) DO UPDATE SET account = excluded.account, own = excluded.own, number = excluded.number
"""
UNLINK_ALL: Final = "UPDATE account_key SET account = own WHERE account = $1 AND own <> $1"
KEY: Final = "SELECT account, own FROM account_key WHERE key = $1"
NAME_OWNER: Final = "SELECT account FROM look WHERE look = $1"
PUT_LOOK: Final = "INSERT INTO look (look, account) VALUES ($1, $2)"
DELETE_LOOKS: Final = "DELETE FROM look WHERE account = $1"
