#!/bin/sh
# Try the last commit like a new user: a fresh clone in a new folder, a new HOME, no caches.
#
#   scripts/fresh-machine.sh          make serve: first page within a minute, a table opened with one click,
#                                     second start within three seconds; then make test
#   scripts/fresh-machine.sh serve    only make serve
#
# PORT sets the port (8379). Properties of the machine, such as a C compiler, are used as they are; to test an empty
# machine, run this in a new container or chroot with make, git, curl and Python.
set -eu

cd "$(dirname "$0")/.."
port=${PORT:-8379}
address=http://127.0.0.1:$port
folder=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    # A compilation started in the background may still write there.
    rm -rf "$folder" 2>/dev/null || { sleep 2; rm -rf "$folder"; }
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    echo "fresh-machine: $*" >&2
    exit 1
}

# start LIMIT: run make serve and wait for its first page; fail if that takes more than LIMIT seconds.
start() {
    begun=$(date +%s)
    make serve PORT="$port" ARGS="--coinche-port off --sagrada-port off --sagrada-line-port off" &
    server=$!
    until curl --silent --fail --output page.html "$address/"; do
        kill -0 "$server" 2>/dev/null || fail "make serve ended"
        [ $(($(date +%s) - begun)) -le 600 ] || fail "no page after ten minutes"
        sleep 0.2
    done
    took=$(($(date +%s) - begun))
    echo "== first page after $took s"
    [ "$took" -le "$1" ] || fail "the first page took $took s, expected $1 s at most"
}

stop() {
    kill "$server"
    wait "$server" || true
    server=
}

# Do what the page does when Play is pressed: load its script, open a table with bots and show it.
click() {
    script=$(grep -o '/assets/[^"]*\.js' page.html | head -n 1)
    [ -n "$script" ] || fail "the page has no script"
    curl --silent --fail --output script.js "$address$script" || fail "no $script"
    wish='{"game": "hearts", "seats": ["open", "bot heuristic", "bot heuristic", "bot heuristic"]}'
    curl --silent --fail -H 'Content-Type: application/json' -d "$wish" "$address/api/tables" >table.json ||
        fail "no table was opened"
    table=$(grep -o '"page": *"[^"]*"' table.json | cut -d '"' -f 4)
    curl --silent --fail --output table.html "$address$table" || fail "no page $table"
    echo "== a table of Hearts at $table"
}

git clone --quiet . "$folder/croupier"
mkdir "$folder/home"
export HOME="$folder/home" XDG_CACHE_HOME="$folder/home/.cache" PIP_NO_CACHE_DIR=1 npm_config_cache="$folder/home/.npm"
cd "$folder/croupier"

start "${LIMIT:-60}"
click
stop
start 3
stop
[ "${1:-}" = serve ] || make test
