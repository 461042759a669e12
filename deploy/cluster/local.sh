#!/usr/bin/env bash
# A whole cluster on this machine, to try out what fails how: PostgreSQL with a standby, three nodes, HAProxy.
#
#     deploy/cluster/local.sh [FOLDER]
#
# Ctrl-C stops all of it. Data, logs and process ids are in FOLDER, by default a new one, and are used again if the
# folder is. What dies is started again a second later, as systemd would; after touch FOLDER/NAME.off it is not.
# PORT is that of HAProxy (2222); the others follow it. With DATABASE=file the nodes share a file instead of PostgreSQL.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
port=${PORT:-2222} database=${DATABASE:-postgresql}
quatch=${QUATCH:-$here/../../.venv/bin/quatch}
folder=${1:-$(mktemp -d "${TMPDIR:-/tmp}/quatch-cluster.XXXXXX")}
mkdir -p "$folder/hostkeys" "$folder/postgresql" && folder=$(cd "$folder" && pwd)
rm -f "$folder"/*.off "$folder"/*.pid
chmod 711 "$folder" && chmod 700 "$folder/hostkeys"

# What is started, in this order; it is stopped in the opposite one.
started=()

keep() { # NAME COMMAND...: run it, and start it again when it has ended
    local name=$1
    shift
    started=("$name" "${started[@]}")
    while
        "$@" >>"$folder/$name.log" 2>&1 &
        echo $! >"$folder/$name.pid"
        wait $! || true
        [[ ! -e $folder/$name.off ]]
    do
        echo "$name has ended: it is started again"
        sleep 1
    done 2>/dev/null &
}

stop_all() {
    trap '' INT TERM
    for name in "${started[@]}"; do touch "$folder/$name.off"; done
    for name in "${started[@]}"; do
        pid=$(cat "$folder/$name.pid") || continue
        kill -CONT "$pid" 2>/dev/null || true
        # A database that gets SIGINT ends its sessions; with SIGTERM it would wait for them.
        [[ $name == primary || $name == standby ]] && signal=INT || signal=TERM
        kill -"$signal" "$pid" 2>/dev/null || true
        for _ in {1..60}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -KILL "$pid" 2>/dev/null || true
    done
    echo "stopped; the games are in $folder"
}
trap stop_all EXIT
trap 'exit 0' INT TERM HUP

until_true() { # NAME COMMAND...: wait until the command says yes
    local name=$1
    shift
    for _ in {1..300}; do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
    echo "$name does not start; its log ends like this:" >&2
    tail -n 3 "$folder/$name.log" >&2
    exit 1
}

start_postgresql() { # the primary and its synchronous standby
    "$(dirname "$quatch")/python" -c 'import asyncpg' 2>/dev/null ||
        { echo "the nodes need asyncpg for PostgreSQL: make setup" >&2; exit 1; }
    local bin as=() primary=$((port + 21)) standby=$((port + 22)) data=$folder/postgresql
    bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
    bin=${bin:-$(dirname "$(readlink -f "$(command -v initdb)")")}
    [[ -x $bin/initdb ]] || { echo "there is no PostgreSQL here: apt install postgresql" >&2; exit 1; }
    if ((EUID == 0)); then # as which PostgreSQL does not run
        as=(setpriv --reuid nobody --regid nogroup --clear-groups)
        chown nobody:nogroup "$data"
    fi
    serve() { # NAME PORT
        keep "$1" "${as[@]}" "$bin/postgres" -D "$data/$1" -p "$2" -c listen_addresses=127.0.0.1 \
            -c unix_socket_directories= -c wal_keep_size=256MB -c wal_retrieve_retry_interval=500ms
        until_true "$1" "$bin/pg_isready" -h 127.0.0.1 -p "$2"
    }
    ask() { "$bin/psql" -h 127.0.0.1 -p "$primary" -U quatch -d postgres -qAtc "$1"; }
    [[ -d $data/primary ]] || "${as[@]}" "$bin/initdb" -N -D "$data/primary" -U quatch --auth=trust >"$folder/initdb.log"
    serve primary "$primary"
    if [[ ! -d $data/standby ]]; then
        ask "create database quatch"
        "${as[@]}" "$bin/pg_basebackup" -N -D "$data/standby" -R -c fast -h 127.0.0.1 -p "$primary" -U quatch
        # In the settings of the primary alone: once it is lost, the standby goes on without another one.
        ask "alter system set synchronous_standby_names = '*'"
        ask "select pg_reload_conf()" >/dev/null
    fi
    serve standby "$standby"
    settings+=("QUATCH_DATABASE=postgresql://quatch@127.0.0.1:$primary,127.0.0.1:$standby/quatch")
}

health() { # PORT: whether the node is ready
    exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && grep -q '^ready' <&3
}

start_node() { # NAME NUMBER
    keep "$1" env "${settings[@]}" QUATCH_NODE="$1" QUATCH_METRICS_PORT=$((port + 10 + $2)) \
        "$quatch" serve --host 127.0.0.1 --port $((port + $2)) --data "$folder/${data:-$1}"
}

key=$folder/hostkeys/ssh_host_ed25519_key
[[ -e $key ]] || ssh-keygen -q -t ed25519 -N '' -C quatch -f "$key"
settings=(QUATCH_HOSTKEYS="$folder/hostkeys" QUATCH_PROXIES=127.0.0.1 QUATCH_PUBLIC_HOST=127.0.0.1
    QUATCH_PUBLIC_PORT="$port")
if [[ $database == file ]]; then data=data; else start_postgresql; fi
start_node a 1
start_node b 2
start_node c 3
number=0
for name in a b c; do until_true $name health $((port + 10 + ++number)); done
export BIND=127.0.0.1:$port
export NODE_A=127.0.0.1 NODE_A_PORT=$((port + 1)) NODE_A_HEALTH=$((port + 11))
export NODE_B=127.0.0.1 NODE_B_PORT=$((port + 2)) NODE_B_HEALTH=$((port + 12))
export NODE_C=127.0.0.1 NODE_C_PORT=$((port + 3)) NODE_C_HEALTH=$((port + 13))
PATH=$PATH:/usr/sbin keep haproxy haproxy -db -f "$here/haproxy.cfg"
until_true haproxy bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"

echo "ssh -p $port 127.0.0.1"
echo "kill -9 \$(cat $folder/a.pid) \$(pgrep -P \$(cat $folder/a.pid))    # if uptime says that you are at a"
# It ends with the program that started it, however that ended.
while ps -p "$PPID" >/dev/null; do
    sleep 1 &
    wait $!
done
