#!/bin/sh
# Tests. Installs what they need first (testbench/setup.sh lists it; `long` also gcc-riscv64-unknown-elf and, below
# target, packages of Python; and Chromium).
#   test.sh          the tests of every change
#   test.sh quick    the tests that need no simulator run of minutes: for work in progress
#   test.sh long     every mutant, every random campaign, every long table of the model checker, and
#                    the proofs of testbench/formal/prove.sh long: hours, before a release
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/.."
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH
mode=${1:-default}
begin=$(date +%s)

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

tools() { step "tools" sh testbench/setup.sh; }

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

# Two halves, one beside the other: names of the test programs that compare with Verilog begin with v.
with_verilog() {
    step "tests: vectors, both simulators, lockstep, samples of the mutants" \
        with_lints cargo test --workspace --locked --no-fail-fast --test 'v*'
    instruction_counts
}

without_verilog() {
    step "tests: model, firmware, command line, programs" \
        with_lints cargo test --workspace --locked --no-fail-fast --lib --bins --test '[!v]*'
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
}

long() {
    step "registers in the tools of others" testbench/registers/check.sh
    step "scenario files in editors" testbench/editors/check.sh
    step "driver in C on RISC-V" with_lints testbench/registers/riscv.sh
    step "every test, every mutant" \
        with_lints env AWGSTAR_MUTANTS=all cargo test --workspace --locked -- --include-ignored
    for list in firmware-lock firmware-barrier firmware-paging current; do
        step "mutants: $list" cargo run --quiet --locked -- mutants "$list"
    done
    step "instruction counts, release build" \
        cargo bench --quiet --locked -p awgstar-board --bench instructions
    step "documentation of the API, all crates" \
        env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --locked
    # What runs a simulator, with a current Verilator, too.
    step "current Verilator: lint" testbench/verilator/install.sh sh testbench/lint.sh
    step "current Verilator: every test with a simulator" \
        with_lints testbench/verilator/install.sh cargo test --workspace --locked --test 'v*' -- --include-ignored
    step "random states, release build" \
        cargo test --release --locked -p awgstar-lockstep --test verilog -- total::
    step "campaign" cargo run --quiet --release --locked -- campaign
    step "proofs on the Verilog, all sets" sh testbench/formal/prove.sh long
    step "Python package" sh model/python/test.sh
    step "test benches in cocotb" sh testbench/cocotb/benches.sh
    step "test benches in cocotb, current Verilator" \
        testbench/verilator/install.sh sh testbench/cocotb/benches.sh
    step "pages of runs in Chromium" testbench/browser/test.sh
    step "parts of a run on Slurm" testbench/slurm/test.sh
}

case $mode in
    quick | default | long) ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
tools
"$mode"
printf '\nall tests passed: %s, %s s\n' "$mode" "$(($(date +%s) - begin))"
