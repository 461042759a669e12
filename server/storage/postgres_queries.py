"""What the PostgreSQL log reads. Each query uses an index, so that it takes no longer while the database grows."""

from typing import Final

READ: Final = """
    SELECT place, table_id, seq, hash, at, data
    FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS asked (table_id, after, place) JOIN entry USING (table_id)
    WHERE seq > after ORDER BY place, seq
"""
CHANGES: Final = """
    SELECT change, table_id, seq, hash, due, (SELECT pg_current_snapshot()::text) FROM table_row
    WHERE change > $1
    OR written_by >= pg_snapshot_xmin($2::text::pg_snapshot)
    AND NOT pg_visible_in_snapshot(written_by, $2::text::pg_snapshot)
    AND ($3 OR seq > 0 AND due IS NULL)
    ORDER BY change
"""
"""Changes after a number, and those that were written by transactions which had not ended in a snapshot.

If the third argument is false, only tables that are awake count among the latter.
"""
LAST_CHANGE: Final = "SELECT coalesce(max(change), 0), pg_current_snapshot()::text FROM table_row"
AWAKE: Final = "SELECT table_id FROM table_row WHERE seq > 0 AND due IS NULL ORDER BY table_id"
COUNT_ASLEEP: Final = "SELECT count(*) FROM table_row WHERE due IS NOT NULL"
DUE: Final = "SELECT table_id FROM table_row WHERE due <= $1 ORDER BY due, table_id LIMIT $2"
SEATS_OF: Final = "SELECT DISTINCT table_id, name FROM seat WHERE player_id = $1 ORDER BY table_id"
IS_SEAT_NAME: Final = "SELECT EXISTS (SELECT FROM seat WHERE look = ANY ($1) AND player_id <> $2)"
OPENED_BY: Final = (
    "SELECT table_id, due FROM opener JOIN table_row USING (table_id) WHERE opener = $1 ORDER BY table_id"
)
FREE_NUMBER: Final = """
    SELECT coalesce(
        (SELECT table_id FROM table_row WHERE seq = 0 AND table_id > $1 ORDER BY table_id LIMIT 1),
        greatest($1, (SELECT max(table_id) FROM table_row)) + 1
    )
"""
GAME: Final = "SELECT id, rules, at, result, record FROM game WHERE id = $1"
GAMES: Final = "SELECT number, id, rules, at, result, '' FROM game WHERE number > $1 ORDER BY number LIMIT $2"
LATEST: Final = "SELECT id, rules, at, result, '' FROM game ORDER BY number DESC LIMIT $1"
OLDEST: Final = """
    SELECT number, at FROM game WHERE number <= $1 AND number < (SELECT max(number) FROM game)
    ORDER BY number LIMIT $2
"""
COUNTED: Final = "SELECT number FROM counted"
STANDING: Final = "SELECT value FROM standing WHERE rules = $1 AND key = $2"
STANDINGS_OF: Final = "SELECT value FROM standing WHERE key = $1 ORDER BY rules"
BEST: Final = "SELECT value FROM standing WHERE rules <> '' ORDER BY strength DESC, key DESC LIMIT $1"
BEST_UNDER: Final = "SELECT value FROM standing WHERE rules = $1 ORDER BY strength DESC, key DESC LIMIT $2"
TEXT: Final = "SELECT value FROM text WHERE kind = $1 AND key = $2"
TEXTS: Final = "SELECT number, key, value FROM text WHERE kind = $1 AND number > $2 ORDER BY number"
OLDEST_TEXTS: Final = """
    SELECT number, key, value FROM text WHERE kind = $1 AND value IS NOT NULL ORDER BY number LIMIT $2
"""
COUNT_TEXTS: Final = "SELECT coalesce((SELECT number FROM text_count WHERE kind = $1), 0)"
LINKED_KEYS: Final = "SELECT key FROM text WHERE kind = 'account' AND value = $1 ORDER BY number"
NAME_OWNERS: Final = """
    SELECT (
        SELECT key FROM look JOIN text USING (key)
        WHERE look.look = asked.look AND kind = 'name' ORDER BY number LIMIT 1
    ) FROM unnest($1::text[]) WITH ORDINALITY AS asked (look, place) ORDER BY place
"""
SIZE: Final = """
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
    WHERE relnamespace = to_regnamespace('quatch') AND relkind = 'r'
"""
