"""The schema of the database file, as the migrations that make it."""

from typing import Final

APPLICATION_ID: Final = 0x51_75_61_74
"""Stands in the header of a file of this program since release 1.0.0; a file from before has 0 there."""

MIGRATIONS: Final = (
    """
    CREATE TABLE entry (
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        at REAL NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT;
    CREATE TABLE table_row (
        table_id INTEGER PRIMARY KEY,
        change INTEGER NOT NULL UNIQUE,
        is_open INTEGER NOT NULL,
        due REAL
    ) STRICT;
    CREATE INDEX table_awake ON table_row (table_id) WHERE is_open = 1 AND due IS NULL;
    CREATE INDEX table_closed ON table_row (table_id) WHERE is_open = 0;
    CREATE INDEX table_due ON table_row (due) WHERE due IS NOT NULL;
    CREATE TABLE seat (
        table_id INTEGER NOT NULL,
        look TEXT NOT NULL,
        player_id TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (table_id, player_id, look)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX seat_by_player ON seat (player_id);
    CREATE INDEX seat_by_look ON seat (look);
    CREATE TABLE opener (
        opener TEXT NOT NULL,
        table_id INTEGER NOT NULL,
        PRIMARY KEY (opener, table_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX opener_by_table ON opener (table_id);
    CREATE TRIGGER entry_written AFTER INSERT ON entry BEGIN
        INSERT INTO table_row (table_id, change, is_open)
        SELECT NEW.table_id, (SELECT ifnull(max(change), 0) + 1 FROM table_row), 1
        WHERE NOT EXISTS (SELECT 1 FROM table_row WHERE table_id = NEW.table_id);
        UPDATE table_row SET change = (SELECT max(change) + 1 FROM table_row) WHERE table_id = NEW.table_id;
        UPDATE table_row SET is_open = 1, due = NULL
        WHERE table_id = NEW.table_id AND (is_open = 0 OR due IS NOT NULL);
    END;
    CREATE TRIGGER table_closed AFTER DELETE ON entry
    WHEN NOT EXISTS (SELECT 1 FROM entry WHERE table_id = OLD.table_id) BEGIN
        UPDATE table_row SET is_open = 0, due = NULL, change = (SELECT max(change) + 1 FROM table_row)
        WHERE table_id = OLD.table_id;
        DELETE FROM seat WHERE table_id = OLD.table_id;
        DELETE FROM opener WHERE table_id = OLD.table_id;
    END;

    CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        rules TEXT NOT NULL,
        at REAL NOT NULL,
        result TEXT NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
    CREATE TABLE standing (
        rules TEXT NOT NULL,
        key TEXT NOT NULL,
        strength REAL NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (rules, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX standing_by_key ON standing (key);
    CREATE INDEX standing_by_strength ON standing (rules, strength, key);
    CREATE INDEX standing_best ON standing (strength, key) WHERE rules <> '';
    CREATE TABLE counted (number INTEGER NOT NULL) STRICT;
    INSERT INTO counted VALUES (0);

    CREATE TABLE text (
        written INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        UNIQUE (kind, key)
    ) STRICT;
    CREATE INDEX text_account ON text (value) WHERE kind = 'account';
    CREATE TABLE text_change (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        UNIQUE (kind, key)
    ) STRICT;
    CREATE INDEX text_change_by_number ON text_change (kind, number);
    CREATE TABLE text_count (kind TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE look (
        look TEXT NOT NULL,
        written INTEGER NOT NULL,
        PRIMARY KEY (look, written)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX look_by_text ON look (written);
    CREATE TRIGGER text_written AFTER INSERT ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (NEW.kind, NEW.key);
        INSERT OR IGNORE INTO text_count (kind, number) VALUES (NEW.kind, 0);
        UPDATE text_count SET number = number + 1 WHERE kind = NEW.kind;
    END;
    CREATE TRIGGER text_deleted AFTER DELETE ON text BEGIN
        INSERT OR REPLACE INTO text_change (kind, key) VALUES (OLD.kind, OLD.key);
        UPDATE text_count SET number = number - 1 WHERE kind = OLD.kind;
    END;
    CREATE TRIGGER name_deleted AFTER DELETE ON text WHEN OLD.kind = 'name' BEGIN
        DELETE FROM look WHERE written = OLD.written;
    END;

    CREATE TABLE message (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        sender TEXT NOT NULL,
        at REAL NOT NULL,
        text TEXT NOT NULL
    ) STRICT;
    """,
)
"""Migration N brings the schema from version N to N + 1. A migration that was released never changes.

During a deploy the last release may still have the file open, so a migration only adds what that release can ignore.
Once stopped, the last release does not open the file again, since the schema is too new for it.
"""
