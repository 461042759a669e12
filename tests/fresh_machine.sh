#!/usr/bin/env bash
# Quatch on machines that have nothing but Debian and what our pages name: each argument is one of these, all of them if
# there is none. Needs root and mmdebstrap, and ends with 77 if there is no Debian to be had. Packages come from where
# this machine has its own.
#
#   stable, testing   README's two commands, a login and a game
#   lacks             machines with an old Python, without venv, with half an installation, a read-only home
#   tests             README's second command in full, on testing, which has the newest Python
#   wheel             pipx install of the wheel from an empty home, a login and a game, on stable
#   image             deploy/Containerfile over a base of Debian stable, its volume, a login and a game
#   unit              deploy/README.md and UPGRADING.md to the letter under systemd, a kill, a reboot and a stop
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
# With a key, so that the games are kept.
ssh-keygen -q -t ed25519 -N "" -f "$work/key"
ssh_options=(-i "$work/key" -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR)

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
fail() { say "FAILED: $*" && exit 1; }
skip() { say "SKIPPED: $*" && exit 77; }
set -E
trap 'say "FAILED: $BASH_COMMAND, in line $LINENO" >&2' ERR

# reach_packages NAME: as this machine reaches the registry of Python's packages.
reach_packages() {
    local file
    for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        [[ ! -e $file ]] || install -D -m 0644 "$file" "$work/$1$file"
    done
}

# machine NAME SUITE PACKAGES: a Debian in $work/NAME with these packages and a player who has a home.
machine() {
    local name=$1 suite=$2 packages=$3 mirror folder=$work/$1
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
    [[ $mirror ]] || skip "apt knows no archive of Debian: run apt-get update"
    # The lists of an archive may be older than their date allows, if it is a copy.
    mmdebstrap --quiet --mode=root --variant=apt --include="$packages" \
        --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$suite" "$folder" "deb $mirror $suite main" 2>"$work/$name.log" || skip "$(tail -n 5 "$work/$name.log")"
    reach_packages "$name"
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

# committed: the same in $work/source, outside the machines.
committed() {
    [[ -e $work/source ]] || git clone --quiet "$root" "$work/source"
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

all_tests() {
    # The programs that .ci/run installs for the tests.
    machine tests testing "git,python3-venv,$(sed -n 's/^for program in \(.*\); do$/\1/p' "$root/.ci/run" | grep -o '[^: ]*\( \|$\)' | paste -sd, - | tr -d ' ')"
    clone tests
    install -d -m 0777 "$work/tests/run/systemd" # systemd-analyze writes there, and nothing has made it without a boot
    inside tests /home/player/quatch
    in+=(PATH=/usr/bin:/bin:/usr/sbin) # where haproxy is
    "${in[@]}" make test || "${in[@]}" make test ARGS="--last-failed -n 0" || fail "make test ended with $?"
    say "make test in full"
}

installed_wheel() {
    machine wheel stable pipx
    committed
    make --quiet -C "$root" setup
    (cd "$work/source" && "$root/.venv/bin/python" -m hatchling build -t wheel -d "$work/wheel/srv") 2>&1
    inside wheel
    "${in[@]}" sh -c 'pipx install --quiet /srv/*.whl' || fail "pipx ended with $?"
    say "pipx install"
    serving quatch serve
    played
    stopped
}

# refused WORDS COMMAND...: it fails, and one line says what to do.
refused() {
    local told
    ! told=$("${in[@]}" "${@:2}" 2>&1) || fail "${*:2} should fail"
    [[ $told == *"$1"* && $(grep -vc '^make' <<<"$told") == 1 ]] || fail "${*:2} says $told"
    say "${*:2}: $(grep -v '^make' <<<"$told")"
}

lacking() {
    machine old oldoldstable make,python3-venv
    clone old
    inside old /home/player/quatch
    refused "Python 3.11 or newer is needed" make serve
    machine lacks stable make,python3
    clone lacks
    inside lacks /home/player/quatch
    refused "apt install python3-venv" make serve
    chroot "$work/lacks" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv' \
        >"$work/apt.log" 2>&1 || skip "$(tail -n 3 "$work/apt.log")"
    reach_packages lacks
    # With all that it has started, as Ctrl-C does.
    setsid "${in[@]}" make setup &
    sleep 6
    kill -- -$!
    wait $! && fail "make setup was not interrupted"
    install -d -m 0555 "$work/lacks/srv/home"
    serving env HOME=/srv/home LC_ALL=C LANG=C make serve
    played
    stopped
    say "after an interrupted setup, in a read-only home, with the locale C"
    chmod -R a-w "$work/lacks/home/player/quatch" && chown -R 0:0 "$work/lacks/home/player/quatch"
    refused "cannot" .venv/bin/quatch serve --port 0
}

# page HEADING: the first commands of a part of deploy/README.md.
page() {
    awk -v heading="## $1" '$0 == heading { here = 1 }
        here && /^    / { print substr($0, 5); found = 1 }
        found && !/^    / { exit }' "$root/deploy/README.md"
}

# containers: podman, with what it needs where not everything is allowed: no limits of its own, no layers, no network.
containers() {
    apt-get install -y -qq --no-install-recommends podman runc catatonit jq >"$work/apt.log" 2>&1 || skip "no podman: $(tail -n 1 "$work/apt.log")"
    mount -t tmpfs tmpfs /run
    cat >"$work/runc" <<'END'
#!/bin/bash
while [[ $# -gt 1 && $1 != create ]]; do words+=("$1") && shift; done
if [[ $1 == create ]]; then
    [[ "$*" =~ --bundle[\ =]([^ ]+) ]]
    config=${BASH_REMATCH[1]}/config.json
    jq 'del(.process.rlimits)' "$config" >"$config.new" && mv "$config.new" "$config"
fi
exec "$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v runc)" "${words[@]}" "$@"
END
    chmod +x "$work/runc"
    podman() {
        local extra=()
        case $1 in
            build) extra=(--isolation chroot --layers=false --build-arg BASE=localhost/base) ;;
            run) extra=(--network host -e QUATCH_PORT=0 -e QUATCH_PACE=0) ;;
        esac
        command podman --root "$work/containers" --runroot /run/containers --storage-driver vfs --cgroup-manager cgroupfs \
            --runtime "$work/runc" "$1" "${extra[@]}" "${@:2}"
    }
}

# ready COMMAND...: $port is the newest that the log tells which COMMAND prints.
ready() {
    local line=
    for ((tenths = 0; tenths < 600; tenths++)); do
        line=$("$@" 2>/dev/null | grep -o 'ready ssh .*' | tail -n 1 || true)
        [[ ! $line ]] || break
        sleep 0.1
    done
    [[ $line ]] || fail "the server is not ready: $("$@" 2>&1 | tail -n 5)"
    port=${line##* }
}

# kept: what must be there again: the host key, and how many games there are.
kept() {
    ssh-keyscan -p "$port" -t ed25519 localhost 2>/dev/null | cut -d ' ' -f 3
    ssh "${ssh_options[@]}" -p "$port" localhost replay --json | grep -o '"game"' | wc -l
}

image() {
    local before after
    machine base stable python3-venv
    committed
    containers
    tar -C "$work/base" --one-file-system -c . | podman import --quiet - localhost/base >/dev/null
    cd "$work/source"
    page "As a container" >"$work/commands"
    . "$work/commands" >"$work/image.log" 2>&1 || fail "$(tail -n 5 "$work/image.log")"
    say "built, $(podman image inspect quatch --format '{{.Size}}') bytes"
    ready podman logs quatch
    played
    podman exec quatch /opt/quatch/bin/quatch backup /var/lib/quatch/quatch-backup.db
    before=$(kept)
    podman stop quatch >/dev/null
    [[ $(podman inspect quatch --format '{{.State.ExitCode}}') == 0 ]] || fail "the container ended badly"
    podman rm quatch >/dev/null
    eval "$(sed -n '/run -d/,$p' "$work/commands")" >/dev/null
    ready podman logs quatch
    after=$(kept)
    [[ $before == "$after" ]] || fail "the volume had $before, and then $after"
    say "a new container has the host key and the games of the last one: $after"
    podman rm --force quatch >/dev/null
}

# booted COMMAND...: what root does in the machine that systemd has booted.
booted() {
    nsenter --target "$(pgrep -P "$machine" | head -n 1)" --mount --uts --ipc --pid env -i \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 SYSTEMD_PAGER=cat "$@"
}

# boot: the machine is up. If it is to boot again, systemd-nspawn ends with 133.
boot() {
    systemd-nspawn --quiet --register=no --keep-unit --capability=all --directory="$work/unit" --boot --console=pipe \
        >"$work/boot.log" 2>&1 &
    machine=$!
    for ((tenths = 0; tenths < 1800; tenths++)); do
        [[ ! $(booted systemctl is-system-running 2>/dev/null || true) =~ running|degraded ]] || return 0
        sleep 0.1
    done
    fail "the machine does not boot: $(booted systemctl list-jobs 2>&1 || true)"
}

the_unit() {
    local before after exposed
    machine unit testing dbus,git,make,python3-venv,systemd,systemd-sysv
    umount --recursive "$work/unit/proc" "$work/unit/dev"
    git clone --quiet --bare "$root" "$work/unit/srv/quatch.git"
    # The machine shares the network of this one, so its port is any free one.
    mkdir -p "$work/unit/etc/systemd/system/quatch.service.d"
    printf '[Service]\nEnvironment=QUATCH_PORT=0 QUATCH_PACE=0\n' >"$work/unit/etc/systemd/system/quatch.service.d/port.conf"
    command -v systemd-nspawn >/dev/null || apt-get install -y -qq --no-install-recommends systemd-container >/dev/null
    mount -t tmpfs tmpfs /run
    # Today's systemd knows control groups of the second version only.
    [[ $(stat -f -c %T /sys/fs/cgroup) == cgroup2fs ]] || { umount --recursive /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup; }
    boot
    say "booted, $(booted systemctl --version | head -n 1)"
    page "With systemd" | sed 's|URL|/srv/quatch.git|' >"$work/unit/srv/commands"
    booted sh -e /srv/commands ||
        fail "deploy/README.md: its commands end with $?: $(booted journalctl -u quatch -o cat -n 8)"
    ready booted journalctl -u quatch -o cat
    played
    before=$(kept)
    say "installed and played by deploy/README.md"
    exposed=$(booted systemd-analyze security quatch --no-pager | tail -n 1)
    say "$exposed"
    [[ $exposed =~ :\ ([0-9.]+) ]] && awk "BEGIN { exit !(${BASH_REMATCH[1]} <= 2.0) }" || fail "too exposed"
    git clone --quiet "$work/unit/srv/quatch.git" "$work/next"
    sed -i 's/^VERSION = .*/VERSION = "1.0.99"/' "$work/next/server/__init__.py"
    git -C "$work/next" commit --quiet --all --message "Release 1.0.99"
    git -C "$work/next" tag v1.0.99
    git -C "$work/next" push --quiet --tags origin HEAD
    sed -n 's/^| a clone under systemd | `\(.*\)`, then `\(.*\)` |.*/cd \/opt\/quatch \&\& \1 \&\& \2/p' "$root/deploy/UPGRADING.md" |
        sed 's/v1\.0\.1 /v1.0.99 /' >"$work/unit/srv/commands"
    booted sh -e /srv/commands || fail "deploy/UPGRADING.md: its commands end with $?"
    for ((tenths = 0; tenths < 600; tenths++)); do
        [[ $(ssh "${ssh_options[@]}" -p "$port" localhost version) != "quatch 1.0.99" ]] || break
        sleep 0.1
    done
    ((tenths < 600)) || fail "the old release goes on: $(booted journalctl -u quatch -o cat -n 8)"
    played
    say "upgraded and reloaded by deploy/UPGRADING.md"
    booted systemctl kill --signal=KILL quatch
    for ((tenths = 0; tenths < 300; tenths++)); do
        [[ $(booted systemctl show quatch --property NRestarts,SubState --value | sort | paste -sd ' ' -) != "1 running" ]] || break
        sleep 0.1
    done
    ready booted journalctl -u quatch -o cat
    played
    say "killed, and started anew"
    before=$(kept)
    booted systemctl reboot 2>/dev/null || true
    wait "$machine" || (($? == 133)) || fail "the machine ended with $?, not to boot again"
    boot
    ready booted journalctl -b -u quatch -o cat
    after=$(kept)
    [[ $before == "$after" ]] || fail "before the boot there was $before, and then $after"
    played
    say "booted again, with the same host key and games"
    booted systemctl stop quatch
    booted systemctl show quatch --property ActiveState,Result,ExecMainStatus | paste -sd ' ' -
    booted systemctl poweroff
    wait "$machine" || true
}

(($#)) || set -- stable testing lacks tests wheel image unit
for what in "$@"; do
    case $what in
        stable | testing) two_commands "$what" ;;
        tests) all_tests ;;
        wheel) installed_wheel ;;
        lacks) lacking ;;
        image) image ;;
        unit) the_unit ;;
        *) fail "unknown: $what" ;;
    esac
done
