"""The schema of the PostgreSQL database, as the migrations that make it, and how they are carried out."""

from collections.abc import Sequence
from typing import Final

from asyncpg import Connection

from server.storage.table_log import NotSaved

SCHEMA: Final = "quatch"
"""The PostgreSQL schema that holds all our tables, so that the database may hold others, too."""
SCHEMA_LOCK: Final = 0x51_75_61_74_63_68
"""The advisory lock under which the schema is upgraded; `postgres_writes` has another one."""

MIGRATIONS: Final = (
    """
    CREATE SEQUENCE change_number;
    CREATE TABLE table_row (
        table_id bigint PRIMARY KEY,
        seq bigint NOT NULL,
        hash bytea NOT NULL,
        due double precision,
        change bigint NOT NULL DEFAULT nextval('change_number'),
        written_by xid8 NOT NULL DEFAULT pg_current_xact_id()
    ) WITH (fillfactor = 50);
    CREATE INDEX table_change ON table_row (change);
    CREATE INDEX table_written_by ON table_row (written_by);
    CREATE INDEX table_awake ON table_row (table_id) WHERE seq > 0 AND due IS NULL;
    CREATE INDEX table_closed ON table_row (table_id) WHERE seq = 0;
    CREATE INDEX table_due ON table_row (due) WHERE due IS NOT NULL;
    CREATE TABLE entry (
        table_id bigint,
        seq bigint,
        hash bytea NOT NULL,
        at double precision NOT NULL,
        data bytea NOT NULL,
        PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE seat (
        table_id bigint,
        look text COLLATE "C",
        player_id text COLLATE "C",
        name text NOT NULL,
        PRIMARY KEY (table_id, player_id, look)
    );
    CREATE INDEX seat_by_player ON seat (player_id);
    CREATE INDEX seat_by_look ON seat (look);
    CREATE TABLE opener (opener text COLLATE "C", table_id bigint, PRIMARY KEY (opener, table_id));
    CREATE INDEX opener_by_table ON opener (table_id);

    CREATE TABLE game (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text COLLATE "C" NOT NULL UNIQUE,
        rules text NOT NULL,
        at double precision NOT NULL,
        result text NOT NULL,
        record text NOT NULL
    );
    CREATE TABLE standing (
        rules text COLLATE "C",
        key text COLLATE "C",
        strength double precision NOT NULL,
        value text NOT NULL,
        PRIMARY KEY (rules, key)
    );
    CREATE INDEX standing_by_key ON standing (key);
    CREATE INDEX standing_by_strength ON standing (rules, strength, key);
    CREATE INDEX standing_best ON standing (strength, key) WHERE rules <> '';
    CREATE TABLE counted (number bigint NOT NULL);
    INSERT INTO counted VALUES (0);

    CREATE SEQUENCE text_number;
    CREATE TABLE text (
        kind text COLLATE "C",
        key text COLLATE "C",
        value text COLLATE "C",
        number bigint NOT NULL,
        PRIMARY KEY (kind, key)
    );
    CREATE INDEX text_by_number ON text (kind, number);
    CREATE INDEX text_deleted ON text (number) WHERE value IS NULL;
    CREATE INDEX text_account ON text (value, number) WHERE kind = 'account';
    CREATE TABLE look (look text COLLATE "C", key text COLLATE "C", PRIMARY KEY (look, key));
    CREATE INDEX look_by_key ON look (key);
    CREATE TABLE text_count (kind text COLLATE "C" PRIMARY KEY, number bigint NOT NULL);
    CREATE FUNCTION text_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        added integer := (NEW.value IS NOT NULL)::integer;
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            added := added - (OLD.value IS NOT NULL)::integer;
        END IF;
        IF added <> 0 THEN
            INSERT INTO text_count VALUES (NEW.kind, added)
            ON CONFLICT (kind) DO UPDATE SET number = text_count.number + added;
        END IF;
        IF NEW.kind = 'name' THEN
            DELETE FROM look WHERE key = NEW.key;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER text_changed AFTER INSERT OR UPDATE OF value, number ON text
    FOR EACH ROW EXECUTE FUNCTION text_changed();
    """,
)
"""Migration N brings the schema from version N to N + 1. A migration that was released never changes.

During a deploy the last release runs on beside this one, so a migration only adds what that release can ignore; what
no release uses any more goes with a later one. A release does not open a database with a newer schema.
"""

FOREIGN: Final = (
    f"its schema {SCHEMA} was made before release 1.0.0 or by another program, and cannot be read; use another database"
)
HAS_TABLES: Final = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1))"
FORGET_OTHER_COUNTS: Final = """
    UPDATE table_row SET written_by = '3' WHERE written_by >= pg_snapshot_xmax(pg_current_snapshot())
"""
"""A database that was restored elsewhere has numbers of transactions that this PostgreSQL has yet to count."""


async def migrate(db: Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Create or upgrade the schema, in one transaction.

    Raises NotSaved if a newer release, one before 1.0.0 or another program has made it.
    """
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        if await db.fetchval(f"SELECT to_regclass('{SCHEMA}.form')") is None:
            if await db.fetchval("SELECT to_regnamespace($1)", SCHEMA) is None:
                await db.execute(f"CREATE SCHEMA {SCHEMA}")
            elif await db.fetchval(HAS_TABLES, SCHEMA):
                raise NotSaved(FOREIGN)
            channel = "channel text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '')"
            await db.execute(f"CREATE TABLE form (version integer NOT NULL, {channel})")
            await db.execute("INSERT INTO form (version) VALUES (0)")
        version = await db.fetchval("SELECT version FROM form")
        if version > len(migrations):
            raise NotSaved("the database was written by a newer version of this program; use that one")
        for statements in migrations[version:]:
            await db.execute(statements)
        await db.execute("UPDATE form SET version = $1 WHERE version < $1", len(migrations))
        await db.execute(FORGET_OTHER_COUNTS)
