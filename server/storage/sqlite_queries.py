"""What the SQLite log reads. Each query uses an index, so that it takes no longer while the file grows."""

from typing import Final

CHANGES: Final = """
    SELECT change, table_row.table_id, ifnull(seq, 0), ifnull(hash, x''), due FROM table_row
    LEFT JOIN entry ON entry.table_id = table_row.table_id
    AND seq = (SELECT max(seq) FROM entry WHERE table_id = table_row.table_id)
    WHERE change > ? ORDER BY change
"""
LAST_CHANGE: Final = "SELECT ifnull(max(change), 0) FROM table_row"
AWAKE: Final = "SELECT table_id FROM table_row WHERE is_open = 1 AND due IS NULL ORDER BY table_id"
COUNT_ASLEEP: Final = "SELECT count(*) FROM table_row WHERE due IS NOT NULL"
DUE: Final = "SELECT table_id FROM table_row WHERE due <= ? ORDER BY due LIMIT ?"
SEATS_OF: Final = "SELECT table_id, name FROM seat WHERE player_id = ? ORDER BY table_id"
SEAT_NAMED: Final = "SELECT 1 FROM seat WHERE look = ? AND player_id <> ? LIMIT 1"
OPENED_BY: Final = "SELECT table_id, due FROM opener JOIN table_row USING (table_id) WHERE opener = ? ORDER BY table_id"
FREE_NUMBER: Final = """
    SELECT ifnull(
        (SELECT table_id FROM table_row WHERE is_open = 0 AND table_id > ?1 ORDER BY table_id LIMIT 1),
        max(?1, (SELECT ifnull(max(table_id), 0) FROM table_row)) + 1
    )
"""
BEST: Final = "SELECT value FROM standing WHERE rules <> '' ORDER BY strength DESC, key DESC LIMIT ?"
BEST_UNDER: Final = "SELECT value FROM standing WHERE rules = ? ORDER BY strength DESC, key DESC LIMIT ?"
STANDINGS_OF: Final = "SELECT value FROM standing WHERE key = ? ORDER BY rules"
OLDEST: Final = """
    SELECT number, at FROM game WHERE number <= ? AND number < (SELECT max(number) FROM game) ORDER BY number LIMIT ?
"""
TEXTS: Final = """
    SELECT number, key, value FROM text_change LEFT JOIN text USING (kind, key)
    WHERE kind = ? AND number > ? ORDER BY number
"""
TEXT: Final = "SELECT value FROM text WHERE kind = ? AND key = ?"
COUNT_TEXTS: Final = "SELECT ifnull((SELECT number FROM text_count WHERE kind = ?), 0)"
LINKED_KEYS: Final = "SELECT key FROM text WHERE kind = 'account' AND value = ? ORDER BY written"
NAME_OWNER: Final = "SELECT key FROM look JOIN text USING (written) WHERE look = ? ORDER BY written LIMIT 1"
OLDEST_TEXTS: Final = """
    SELECT number, key, value FROM text_change JOIN text USING (kind, key) WHERE kind = ? ORDER BY number LIMIT ?
"""
LAST_MESSAGE: Final = "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)"
NEW_MESSAGES: Final = "SELECT number, text FROM message WHERE number > ? AND sender <> ? ORDER BY number"
