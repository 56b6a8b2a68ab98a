#!/bin/sh
# Setup steps of the Makefile that depend on the machine.
#
#   scripts/setup.sh venv DIR              create a virtual environment with $PYTHON
#   scripts/setup.sh pip DIR ARG...        run pip ARG... there; show its output only if it fails
#   scripts/setup.sh compiled              install the package into .venv-compiled, unless it is up to date
#   scripts/setup.sh serve ARG...          run croupier serve ARG... from .venv-compiled if it is up to date, else
#                                          from .venv, and install into .venv-compiled in the background
#   scripts/setup.sh packages              install what pip cannot for `make test`: Chromium, a C compiler, curl,
#                                          openssl, bubblewrap, PostgreSQL, NATS, HAProxy, Caddy, faketime
#
# Prints nothing if there is nothing to do. Packages are installed with apt-get, as root or with a sudo that needs no
# password; on other systems the script lists what is missing and stops.
set -eu

PYTHON=${PYTHON:-python3}

fail() {
    echo "croupier: $*" >&2
    exit 1
}

# apt PACKAGE...: install packages, or print what to install.
apt() {
    if [ "$(id -u)" = 0 ]; then
        become=
    elif sudo -n true 2>/dev/null; then
        become=sudo
    else
        fail "missing on this machine: $*; install it (Debian: sudo apt-get install $*) and try again"
    fi
    command -v apt-get >/dev/null || fail "missing on this machine: $* (Debian's names); install it and try again"
    echo "== set-up: apt-get install $*"
    mkdir -p build
    if ! { $become apt-get update -q && $become env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@"; } >build/apt.log 2>&1; then
        tail -n 20 build/apt.log >&2
        fail "apt-get could not install $*"
    fi
}

venv() {
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Python 3.11 or later is needed, $PYTHON is $("$PYTHON" -V 2>&1 || true); name another: make PYTHON=python3.12"
    # Debian has a separate package for venv.
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || apt python3-venv
    "$PYTHON" -m venv "$1"
    touch "$1/.made"
}

pip() {
    mkdir -p build
    into=$1
    log=build/pip$1.log
    shift
    if ! "$into/bin/pip" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        fail "pip $* failed"
    fi
}

up_to_date() {
    [ .venv-compiled/.ready -nt build/packed.inputs ]
}

# Only one at a time: `make test` may start while `make serve` is still compiling.
compiled() {
    exec 9>build/compiled.lock
    "$PYTHON" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    ! up_to_date || return 0
    [ -e .venv-compiled/.made ] || venv .venv-compiled
    # The time stamp is that of the inputs before the build: they may change during it.
    touch .venv-compiled/.begun
    pip .venv-compiled install .
    mv .venv-compiled/.begun .venv-compiled/.ready
    failed
}

# Print why the rules could not be compiled, if they could not.
failed() {
    [ ! -f build/rules.log ] || echo "$(head -n 1 build/rules.log) (build/rules.log): the rules run interpreted, which is slower"
}

serve() {
    from=.venv
    if up_to_date; then
        from=.venv-compiled
        failed
    elif [ "${CROUPIER_PURE:-0}" != 0 ] || ! command -v "${CC:-cc}" >/dev/null; then
        echo "== the rules run interpreted (no C compiler, or CROUPIER_PURE is set), which is slower"
    else
        echo "== the rules run interpreted this time and are being compiled for the next start (build/compile.log)"
        nohup nice -n 19 "$0" compiled >build/compile.log 2>&1 &
        export CROUPIER_COMPILING=1  # shown in the lobby
    fi
    exec "$from/bin/croupier" serve "$@"
}

packages() {
    set --
    # Chromium without its window, which takes a quarter less processor time.
    [ -x /usr/bin/chromium-headless-shell ] || set -- "$@" chromium-headless-shell
    command -v "${CC:-cc}" >/dev/null || set -- "$@" gcc libc6-dev
    "$PYTHON" -c 'import os, sysconfig as s; open(os.path.join(s.get_path("include"), "Python.h"))' 2>/dev/null ||
        set -- "$@" python3-dev
    # The documents use these commands, and the tests run the documents.
    command -v curl >/dev/null || set -- "$@" curl
    command -v openssl >/dev/null || set -- "$@" openssl
    # The arena runs programs in a sandbox.
    command -v bwrap >/dev/null || set -- "$@" bubblewrap
    ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || set -- "$@" postgresql
    [ -x /usr/sbin/nats-server ] || set -- "$@" nats-server
    # The examples of proxies are tested with them.
    [ -x /usr/sbin/haproxy ] || set -- "$@" haproxy
    [ -x /usr/bin/caddy ] || set -- "$@" caddy
    # A node gets another clock.
    ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || set -- "$@" libfaketime
    [ $# = 0 ] || apt "$@"
}

case ${1:-} in
venv) venv "$2" ;;
packages) packages ;;
compiled) compiled ;;
pip | serve) "$@" ;;
*) fail "usage: scripts/setup.sh venv DIR | packages | compiled | pip DIR ARG... | serve ARG..." ;;
esac
