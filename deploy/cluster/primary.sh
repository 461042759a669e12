#!/bin/bash
# The first start of the primary in compose.yaml: let the standby copy it, and commit only what the standby has, too.
set -e
echo 'host replication quatch 10.77.0.0/24 scram-sha-256' >>"$PGDATA/pg_hba.conf"
# It counts from the next start on; until the standby is there, every commit waits for it.
psql -d "$POSTGRES_DB" -c "alter system set synchronous_standby_names = '*'"
