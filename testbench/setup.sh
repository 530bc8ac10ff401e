#!/bin/sh
# Installs what the tests need, and says so. Does nothing for what is there.
#   simulators, lint, counters, tshark: the system's package manager (apt, dnf, pacman or brew)
#   cargo-deny, gungraun-runner: cargo install, versions pinned below
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu

CARGO_DENY=0.20.2
GUNGRAUN_RUNNER=0.20.0

missing=
for tool in iverilog verilator yosys yosys-smtbmc z3 valgrind make g++ gfortran python3 tshark; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done

if [ -n "$missing" ]; then
    echo "setup: missing:$missing"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    if command -v apt-get >/dev/null 2>&1; then
        echo "setup: installing with apt-get: iverilog verilator yosys z3 valgrind make g++ gfortran python3 tshark"
        $sudo apt-get update -qq
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            iverilog verilator yosys z3 valgrind make g++ gfortran python3 tshark >/dev/null
    elif command -v dnf >/dev/null 2>&1; then
        echo "setup: installing with dnf: iverilog verilator yosys z3 valgrind make gcc-c++ gcc-gfortran python3 wireshark-cli"
        $sudo dnf install -y -q iverilog verilator yosys z3 valgrind make gcc-c++ gcc-gfortran python3 wireshark-cli
    elif command -v pacman >/dev/null 2>&1; then
        echo "setup: installing with pacman: iverilog verilator yosys z3 valgrind make gcc gcc-fortran python wireshark-cli"
        $sudo pacman -S --needed --noconfirm iverilog verilator yosys z3 valgrind make gcc gcc-fortran python wireshark-cli
    elif command -v brew >/dev/null 2>&1; then
        echo "setup: installing with brew: icarus-verilog verilator yosys z3 wireshark"
        brew install icarus-verilog verilator yosys z3 wireshark
    else
        echo "setup: no package manager known here; install:$missing" >&2
        exit 2
    fi
fi
for tool in iverilog verilator yosys yosys-smtbmc z3 valgrind make g++ gfortran python3 tshark; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "setup: still missing: $tool" >&2
        exit 2
    }
done

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
