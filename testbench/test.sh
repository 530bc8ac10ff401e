#!/bin/sh
# Tests. Installs what they need first (testbench/setup.sh lists it; `long` also gcc-riscv64-unknown-elf and, below
# target, packages of Python; and Chromium).
#   test.sh          the tests of every change
#   test.sh quick    the tests that need no simulator run of minutes: for work in progress
#   test.sh long     every mutant, every random campaign, every long table and proof: hours, before a release.
#                    testbench/long.sh has its steps; results are in docs/long.md
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/.."
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH
mode=${1:-default}
target=${CARGO_TARGET_DIR:-target}
begin=$(date +%s)
# Verilator compiles its library for each design; the same file is compiled once.
if command -v ccache >/dev/null 2>&1 || [ "$mode" != quick ]; then
    export OBJCACHE="${OBJCACHE-ccache}" CCACHE_DIR="${CCACHE_DIR-$PWD/target/ccache}"
fi

step() { # $1 name, then the command
    printf '\n== %s\n' "$1"
    name=$1
    shift
    start=$(date +%s)
    "$@"
    printf '== %s: %s s\n' "$name" "$(($(date +%s) - start))"
}

# One crate compiles after another for much of the time, and leaves a core to other steps. `beside` starts
# them; what they print is kept whole until `join` shows it. `join` fails if a step did.
other=
beside() { # the commands, as one function
    printed=$(mktemp)
    ("$@") >"$printed" 2>&1 &
    other=$!
}

join() {
    code=0
    wait "$other" || code=$?
    other=
    cat "$printed"
    rm -f "$printed"
    [ "$code" -eq 0 ] || printf '\n== failed beside the others, exit code %s\n' "$code" >&2
    return "$code"
}

# A step that fails ends the command only after the steps beside it, which may have failed too.
ended() {
    result=$?
    [ -z "$other" ] || join || true
    [ "$result" -eq 0 ] || printf '\nfailed: %s\n' "$mode" >&2
    exit "$result"
}
trap ended EXIT
trap 'trap - EXIT; [ -z "$other" ] || kill "$other"; exit 130' INT TERM

# The compiler is clippy's, which lints what it compiles: a second pass over all crates would only check.
# Tests that run cargo inherit it, and find what is compiled.
with_lints() {
    CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ RUSTC_WORKSPACE_WRAPPER=clippy-driver "$@"
}

tools() { step "tools" sh testbench/setup.sh "$mode"; }

quick() {
    step "format" cargo fmt --all --check
    step "tests of the model and the command line" \
        with_lints cargo test --workspace --locked --lib --bins \
        --test codec --test cli
}

# These take no lock of target/debug, so that they run while the tests compile.
no_compiler() {
    step "lint: Verilog" sh testbench/lint.sh
    step "proofs on the Verilog" sh testbench/formal/prove.sh
    step "licences and sources of dependencies" \
        cargo deny --locked --log-level error check bans licenses sources
}

documentation() {
    step "documentation of the API and its examples" \
        with_lints env RUSTDOC="$PWD/testbench/rustdoc.sh" cargo test --workspace --locked --no-fail-fast --doc
}

# Runs the program that the tests' build made. `cargo bench` would choose features for this target alone, and
# compile the board again for it.
instruction_counts() {
    program=$(with_lints cargo test --workspace --all-targets --locked --no-run 2>&1 |
        sed -n 's/.*benches\/instructions.rs (\(.*\))$/\1/p')
    step "instruction counts" "${program:?no benches/instructions.rs in the build}" --bench
}

# A command of cargo whose tests are timed. Its own build of xtask would choose other features.
timed() { # $1 name of the times, then the command
    times="$target/times/$1"
    shift
    with_lints "$target/debug/xtask" times "$times" -- "$@"
}

# Two halves, one beside the other: names of the test programs that compare with Verilog begin with v.
with_verilog() {
    step "paths between clocks" "$target/debug/awgstar" xtask crossings check
    step "tests: vectors, both simulators, lockstep, samples of the mutants" \
        timed verilog cargo test --workspace --locked --no-fail-fast --test 'v*'
    instruction_counts
}

without_verilog() {
    step "tests: model, firmware, command line, programs" \
        timed others cargo test --workspace --locked --no-fail-fast --lib --bins --test '[!v]*'
    documentation
}

default() {
    step "format" cargo fmt --all --check
    beside no_compiler
    step "lint and compile" \
        with_lints cargo test --quiet --workspace --all-targets --locked --no-run
    join
    beside with_verilog
    without_verilog
    join
    step "longest tests" "$target/debug/xtask" longest "$target/times/verilog" "$target/times/others"
}

long() { sh testbench/long.sh; }

case $mode in
    quick | default | long) ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
tools
"$mode"
printf '\nall tests passed: %s, %s s\n' "$mode" "$(($(date +%s) - begin))"
