#!/bin/sh
# What the Makefile needs of the machine itself.
#
#   scripts/setup.sh venv DIR     make a virtual environment of $PYTHON
#   scripts/setup.sh packages     what pip cannot bring for `make test`: Chromium and a C compiler
#
# Says nothing when there is nothing to do. Packages come from apt-get, as root or through a sudo that asks
# for no password; anywhere else the script names what is missing and stops.
set -eu

PYTHON=${PYTHON:-python3}

fail() {
    echo "croupier: $*" >&2
    exit 1
}

# apt PACKAGE...: install, or say what to install.
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
    # Debian packs what venv needs apart from Python.
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || apt python3-venv
    "$PYTHON" -m venv "$1"
}

packages() {
    set --
    [ -x /usr/bin/chromium ] || set -- "$@" chromium
    command -v "${CC:-cc}" >/dev/null || set -- "$@" gcc libc6-dev
    "$PYTHON" -c 'import os, sysconfig as s; open(os.path.join(s.get_path("include"), "Python.h"))' 2>/dev/null ||
        set -- "$@" python3-dev
    [ $# = 0 ] || apt "$@"
}

case ${1:-} in
venv) venv "$2" ;;
packages) packages ;;
*) fail "usage: scripts/setup.sh venv DIR | packages" ;;
esac
