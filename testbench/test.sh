#!/bin/sh
# All tests. Installs what they need first (testbench/setup.sh says what).
set -eu
cd "$(dirname "$0")/.."
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH

step() {
    printf '\n== %s\n' "$1"
    shift
    "$@"
}

step "tools" sh testbench/setup.sh
step "format" cargo fmt --all --check
step "lint: Rust" cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
step "lint: Verilog" sh testbench/lint.sh
step "proofs on the Verilog" sh testbench/formal/prove.sh
step "licences and sources of dependencies" cargo deny --locked --log-level error check bans licenses sources
step "documentation of the API" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --locked
step "tests: model, vectors, both simulators, lockstep, mutants" cargo test --workspace --locked
step "instruction counts" cargo bench --quiet --locked -p awgstar --bench instructions
printf '\nall tests passed\n'
