#!/usr/bin/env bash
# Quatch on machines that have nothing but Debian and what our pages name: each argument is one of these, all of them if
# there is none. Needs root and mmdebstrap, and ends with 77 if there is no Debian to be had. Packages come from where
# this machine has its own.
#
#   stable, testing   README's two commands, a login, a game, and what a machine may lack
#   tests             README's second command in full, on testing, which has the newest Python
#   wheel             pipx install of the wheel from an empty home, a login and a game, on stable
#   image             deploy/Containerfile over a base of Debian stable, its volume, a login and a game
#   unit              deploy/README.md to the letter under systemd, with a reboot, a kill, a reload and a stop
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# In namespaces of its own: its mounts and what it started are gone when it has ended, whatever has ended it.
if [[ -z ${FRESH_MACHINE-} ]]; then
    FRESH_MACHINE=$(mktemp -d)
    trap 'rm -rf --one-file-system "$FRESH_MACHINE"' EXIT
    trap 'exit 130' INT TERM
    export FRESH_MACHINE
    unshare --mount --pid --fork --kill-child --mount-proc --propagation private "$root/tests/fresh_machine.sh" "$@"
    exit
fi

work=$FRESH_MACHINE
cd "$work"
ssh_options=(-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR)

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
fail() { say "FAILED: $*" && exit 1; }
skip() { say "SKIPPED: $*" && exit 77; }

# machine NAME SUITE PACKAGES: a Debian in $work/NAME with these packages and a player who has a home.
machine() {
    local name=$1 suite=$2 packages=$3 mirror folder=$work/$1 file
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
    [[ $mirror ]] || skip "apt knows no archive of Debian: run apt-get update"
    # The lists of an archive may be older than their date allows, if it is a copy.
    mmdebstrap --quiet --mode=root --variant=apt --include="$packages" \
        --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$suite" "$folder" "deb $mirror $suite main" 2>"$work/$name.log" || skip "$(tail -n 5 "$work/$name.log")"
    # How this machine reaches the registry of Python's packages.
    for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        [[ ! -e $file ]] || install -D -m 0644 "$file" "$folder$file"
    done
    echo "player:x:1000:1000::/home/player:/bin/bash" >>"$folder/etc/passwd"
    install -d -o 1000 -g 1000 "$folder/home/player"
    mount -t proc proc "$folder/proc"
    mount --rbind /dev "$folder/dev"
    say "Debian $suite with $packages"
}

# inside NAME [FOLDER]: what goes before a command of the player there.
inside() {
    in=(chroot --userspec=1000:1000 --groups= "$work/$1" env -i --chdir="${2:-/home/player}" HOME=/home/player LANG=C.UTF-8
        TERM=dumb PATH=/home/player/.local/bin:/usr/bin:/bin)
}

# clone NAME: what is committed here.
clone() {
    git clone --quiet "$root" "$work/$1/home/player/quatch"
    chown -R 1000:1000 "$work/$1/home/player/quatch"
}

# serving COMMAND...: a server in the background; $port is where it listens, $server what to end. No time is lost in games.
serving() {
    local log=$work/server line=
    "${in[@]}" QUATCH_PORT=0 QUATCH_PACE=0 PYTHONUNBUFFERED=1 "$@" >"$log" 2>&1 &
    server=$!
    for ((tenths = 0; tenths < 3000; tenths++)); do
        line=$(grep -m 1 '^ready ssh ' "$log" || true)
        [[ ! $line ]] || break
        kill -0 "$server" 2>/dev/null || fail "$* ended: $(tail -n 3 "$log")"
        sleep 0.1
    done
    [[ $line ]] || fail "$* is not ready: $(tail -n 3 "$log")"
    port=${line##* }
    say "$*: $line"
}

# played: a login, and a whole game of the bot of README's page.
played() {
    ssh "${ssh_options[@]}" -T -p "$port" localhost version
    "$root/deploy/bots/first_legal.sh" "${ssh_options[@]}" -p "$port" localhost 2>&1 | grep -o '"kind":"[a-z]*"' ||
        fail "no game was played"
    say "a login and a game"
}

# stopped: the server, which make may have started, ends in its time when it is told to.
stopped() {
    local keeper=$server
    [[ $(cat "/proc/$server/comm") != make ]] || keeper=$(pgrep -P "$server")
    kill "$keeper"
    wait "$server" || fail "the server ended with $?"
}

two_commands() {
    machine "$1" "$1" "make,python3-venv"
    clone "$1"
    inside "$1" /home/player/quatch
    serving make serve
    played
    stopped
    "${in[@]}" make test ARGS="-q tests/server/records" || fail "make test ended with $?"
    say "make test, a part of it"
}

installed_wheel() {
    machine wheel stable pipx
    git clone --quiet "$root" "$work/source"
    make --quiet -C "$root" setup
    (cd "$work/source" && "$root/.venv/bin/python" -m hatchling build -t wheel -d "$work/wheel/srv") 2>&1
    inside wheel
    "${in[@]}" sh -c 'pipx install --quiet /srv/*.whl' || fail "pipx ended with $?"
    say "pipx install"
    serving quatch serve
    played
    stopped
}

for what in "${@:-stable}"; do
    case $what in
        stable | testing) two_commands "$what" ;;
        wheel) installed_wheel ;;
        *) fail "unknown: $what" ;;
    esac
done
