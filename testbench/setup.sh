#!/bin/sh
# Installs what the tests need, and says so. Does nothing for what is there.
#   setup.sh         for all tests
#   setup.sh quick   for `test.sh quick`
#   setup.sh long    for `test.sh long`: Open MPI and Debian's ARMCI, too
#   simulators, lint, counters, tshark: the system's package manager (apt, dnf, pacman or brew)
#   cargo-deny, gungraun-runner: cargo install, versions pinned below
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
mode=${1:-default}

CARGO_DENY=0.20.2
GUNGRAUN_RUNNER=0.20.0

tools="iverilog verilator yosys make g++ python3"
[ "$mode" = quick ] || tools="$tools yosys-smtbmc z3 valgrind gfortran tshark ccache"
# What ARMCI programs are compared with.
[ "$mode" != long ] || tools="$tools mpicc mpirun"

missing() {
    for tool in $tools; do
        command -v "$tool" >/dev/null 2>&1 || printf ' %s' "$tool"
    done
    # ARMCI of Debian, which is no command.
    if [ "$mode" = long ] && command -v apt-get >/dev/null 2>&1; then
        echo '#include <armcix.h>' | mpicc -x c -E - >/dev/null 2>&1 || printf ' armci'
    fi
}

packages() { # $1 package manager: the names that it has for the tools
    for tool in $tools $([ "$mode" != long ] || echo armci); do
        case $1:$tool in
            *:yosys-smtbmc) ;; # a part of yosys
            apt-get:armci) echo libarmci-mpi-dev ;;
            apt-get:mpicc) echo libopenmpi-dev ;;
            apt-get:mpirun) echo openmpi-bin ;;
            dnf:mpicc) echo openmpi-devel ;;
            pacman:mpicc | brew:mpicc) echo openmpi ;;
            *:armci | *:mpirun) ;;
            dnf:g++) echo gcc-c++ ;;
            dnf:gfortran) echo gcc-gfortran ;;
            pacman:g++) echo gcc ;;
            pacman:gfortran) echo gcc-fortran ;;
            pacman:python3) echo python ;;
            dnf:tshark | pacman:tshark) echo wireshark-cli ;;
            brew:iverilog) echo icarus-verilog ;;
            brew:tshark) echo wireshark ;;
            brew:make | brew:g++ | brew:gfortran | brew:python3 | brew:valgrind) ;;
            *) echo "$tool" ;;
        esac
    done
}

absent=$(missing)
if [ -n "$absent" ]; then
    echo "setup: missing:$absent"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    manager=
    for name in apt-get dnf pacman brew; do
        [ -n "$manager" ] || ! command -v "$name" >/dev/null 2>&1 || manager=$name
    done
    # shellcheck disable=SC2046
    set -- $(packages "$manager")
    [ -z "$manager" ] || echo "setup: installing with $manager: $*"
    case $manager in
        apt-get)
            $sudo apt-get update -qq
            $sudo env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y -qq --no-install-recommends "$@" >/dev/null
            ;;
        dnf) $sudo dnf install -y -q "$@" ;;
        pacman) $sudo pacman -S --needed --noconfirm "$@" ;;
        brew) brew install "$@" ;;
        *)
            echo "setup: no package manager known here; install:$absent" >&2
            exit 2
            ;;
    esac
    absent=$(missing)
    [ -z "$absent" ] || {
        echo "setup: still missing:$absent" >&2
        exit 2
    }
fi
[ "$mode" != quick ] || exit 0

# $1 program, $2 crate, $3 version
cargo_tool() {
    if "$1" --version 2>/dev/null | grep -qF "$3"; then
        return
    fi
    echo "setup: installing with cargo: $2 $3"
    # Unoptimised: these run for seconds, and compile for minutes otherwise.
    cargo install --quiet --locked --debug --version "$3" "$2"
}
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
cargo_tool cargo-deny cargo-deny "$CARGO_DENY"
cargo_tool gungraun-runner gungraun-runner "$GUNGRAUN_RUNNER"
