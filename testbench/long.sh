#!/bin/sh
# The long checks: every mutant, every random campaign, every long table and proof. Hours on two cores.
#   long.sh            each step without a result for the present sources in docs/long.md
#   long.sh list       names of the steps
#   long.sh NAME...    these steps, with or without a result
# A step that ends writes its row in docs/long.md, so a run that was interrupted continues where it was.
# What a step prints is in target/long/NAME.log.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/.."
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH
page=docs/long.md
# Random cases of each set of parameters, frames of each ring with links: docs/lockstep.md and docs/links.md have the
# commands with more, which take an hour and more each.
export AWGSTAR_CASES="${AWGSTAR_CASES:-100}" AWGSTAR_FRAMES="${AWGSTAR_FRAMES:-500000}"
logs=target/long

with_lints() {
    CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ RUSTC_WORKSPACE_WRAPPER=clippy-driver "$@"
}

# $1 crate, then options and names of tests
all_of() {
    crate=$1
    shift
    with_lints env AWGSTAR_MUTANTS=all cargo test --locked --package "awgstar-$crate" "$@"
}

verilog() { # part of the names of tests of lockstep
    all_of lockstep --test 'verilog*' -- --include-ignored "$@"
}

# One crate or one part of the tests of lockstep each, then what is no test of cargo.
steps="model board sync coherence rings host stimulus programs cg command openmp dpi
    lockstep-modules lockstep-nodes lockstep-node-mutants lockstep-board lockstep-board-mutants lockstep-link
    lockstep-engines lockstep-conform lockstep-others extremes random-states
    mutants-firmware-lock mutants-firmware-barrier mutants-firmware-paging
    mutants-firmware-onesided mutants-firmware-coherence mutants-firmware-rings
    mutants-current mutants-request mutants-cluster
    mutants-compare mutants-compare-runs registers editors riscv instructions documentation site campaign proofs python cocotb
    newer-lint newer-tests newer-cocotb browser slurm
    large-rings-17 large-rings-21 large-rings-25 large-rings-29"

run() { # $1 name of a step
    case $1 in
        model) with_lints cargo test --locked --workspace --exclude awgstar-board --exclude awgstar-sync \
            --exclude awgstar-coherence --exclude awgstar-rings --exclude awgstar-host --exclude awgstar-stimulus --exclude awgstar-cli --exclude awgstar-dpi \
            --exclude awgstar-lockstep --exclude awgstar-openmp -- --include-ignored ;;
        # Rings of 17 to 32 boards are the last steps.
        board) all_of board -- --include-ignored --skip large_rings ;;
        sync | coherence | rings | stimulus | dpi | openmp) all_of "$1" -- --include-ignored ;;
        # A test of the driver on RISC-V is ignored without its compiler: step riscv.
        host) all_of host -- --include-ignored --skip riscv ;;
        programs) all_of cli --test programs --test openmp -- --include-ignored --skip cg_o ;;
        # The library of OpenMP programs is beside the command.
        cg) cargo build --release --locked -p awgstar-openmp && cargo test --release --locked -p awgstar-cli --test openmp -- --ignored cg_o ;;
        command) all_of cli --lib --bins --test cli --test repository --test verilog -- --include-ignored --skip extremes ;;
        lockstep-modules) verilog module_mutants ;;
        lockstep-nodes) verilog node:: ;;
        lockstep-node-mutants) verilog node_mutants ;;
        lockstep-board) verilog board:: board_vectors burst ;;
        lockstep-board-mutants) verilog board_mutants ;;
        lockstep-link) verilog link:: ;;
        lockstep-engines) verilog engine ;;
        lockstep-conform) verilog conform ;;
        lockstep-others) verilog --skip module_mutants --skip node:: --skip node_mutants --skip board:: \
            --skip board_vectors --skip burst --skip board_mutants --skip link:: --skip engine --skip conform ;;
        extremes) all_of cli --test verilog -- --include-ignored extremes ;;
        random-states) cargo test --release --locked -p awgstar-lockstep --test verilog -- total:: ;;
        mutants-*) cargo xtask mutants "${1#mutants-}" ;;
        registers) testbench/registers/check.sh ;;
        editors) testbench/editors/check.sh ;;
        riscv) with_lints testbench/registers/riscv.sh ;;
        instructions) cargo bench --quiet --locked -p awgstar-board --bench instructions ;;
        documentation) env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --locked ;;
        site) cargo xtask site ;;
        campaign) cargo run --quiet --release --locked -- campaign &&
            cargo run --quiet --release --locked -- campaign --rings 3 --cases 1000 ;;
        proofs) sh testbench/formal/prove.sh long ;;
        python) sh model/python/test.sh ;;
        cocotb) sh testbench/cocotb/benches.sh ;;
        # What runs a simulator, with a current Verilator, too.
        newer-lint) testbench/verilator/install.sh sh testbench/lint.sh ;;
        newer-tests)
            with_lints testbench/verilator/install.sh cargo test --workspace --locked --test 'v*'
            with_lints testbench/verilator/install.sh \
                cargo test --package awgstar-dpi --locked --test 'v*' -- --include-ignored ;;
        newer-cocotb) testbench/verilator/install.sh sh testbench/cocotb/benches.sh ;;
        browser) testbench/browser/test.sh ;;
        slurm) testbench/slurm/test.sh ;;
        large-rings-*)
            cargo test --release --locked -p awgstar-board --test star "large_rings::of_${1##*-}" -- --ignored --nocapture ;;
        *) echo "long: no step '$1'" >&2; exit 2 ;;
    esac
}

# Folders of a crate and of those it depends on.
crate() {
    cargo tree --locked --package "awgstar-$1" --edges all --prefix none --no-dedupe --format '{p}' |
        sed -n 's/.*(\(\/.*\))$/\1/p' | sort -u | sed "s|^$PWD/||"
}

# What a step runs on: a row holds as long as nothing of it changes.
places() { # $1 name of a step
    case $1 in
        sync | coherence | rings) crate "$1" ;;
        large-rings-*) crate board ;;
        board | host | stimulus | openmp | dpi) crate "$1"; echo hdl vectors testbench/mutants ;;
        # The fates of bugs are what these steps write.
        lockstep-* | random-states) crate lockstep; echo hdl vectors testbench/mutants
            git ls-files testbench/fixtures | grep -v /mutants.csv ;;
        proofs) echo hdl testbench/formal ;;
        newer-lint) echo hdl testbench/lint.sh testbench/verilator ;;
        # What tries the bugs belongs to it.
        mutants-*)
            list=${1#mutants-}
            case $list in
                firmware-coherence) crate coherence ;;
                firmware-rings) crate rings ;;
                firmware-*) crate sync ;;
                current | request) crate thesis ;;
                cluster) crate cluster ;;
                compare) crate compare ;;
                *) crate lockstep ;;
            esac
            echo "testbench/mutants/$list.toml testbench/lockstep/src/mutants" ;;
        registers | riscv) crate host; echo testbench/registers ;;
        # The page of results is written by the steps before.
        site) crate xtask; git ls-files docs | grep -v '^docs/long.md$'
            echo README.md CONTRIBUTING.md hdl/README.md vectors ;;
        *) echo hdl model testbench vectors ;;
    esac
}

# Hash of that; nothing where it is not known.
sources() { # $1 name of a step
    # No folder of the project has a space in its name.
    # shellcheck disable=SC2046
    set -- Cargo.lock Cargo.toml $(places "$1")
    if git diff --quiet HEAD -- "$@" 2>/dev/null; then
        git ls-tree -r HEAD "$@" | sha256sum | cut -c1-16
    fi
}

row() { # $1 name: its row of the page
    awk -F' *[|] *' -v name="\`$1\`" '$2 == name' "$page"
}

record() { # $1 name, $2 result, $3 seconds, $4 tests, $5 hash
    new="| \`$1\` | $2 | $4 | $3 | $(git rev-parse --short=8 HEAD) | $5 |"
    awk -F' *[|] *' -v name="\`$1\`" -v new="$new" '
        $2 == name { next }
        /^<!-- long.sh: end -->/ { print new }
        { print }' "$page" >"$logs/page"
    cp "$logs/page" "$page"
}

if [ "${1:-}" = --step ]; then
    run "$2"
    exit
fi
names=$*
[ "$names" != list ] || { printf '%s\n' $steps; exit 0; }
for name in $names; do
    printf '%s\n' $steps | grep -qx "$name" || { echo "long: no step '$name'; \`testbench/long.sh list\` has the names" >&2; exit 2; }
done
mkdir -p "$logs"
failed=
for name in ${names:-$steps}; do
    known=$(sources "$name")
    [ -n "$known" ] || echo "long: changed files, or no git: the result is not written to $page" >&2
    if [ -z "$names" ] && [ -n "$known" ] && row "$name" | grep -q "| passed |.*| $known |"; then
        echo "== $name: passed before, with these sources"
        continue
    fi
    printf '== %s\n' "$name"
    begin=$(date +%s)
    result=passed
    # In a shell of its own, where a command that fails ends the step.
    sh "$0" --step "$name" >"$logs/$name.log" 2>&1 || result=failed
    tests=$(awk '/^test result:/ { sum += $4; some = 1 } END { if (some) print sum }' "$logs/$name.log")
    if [ "$tests" = 0 ]; then
        echo "no test ran" >>"$logs/$name.log"
        result=failed
    fi
    seconds=$(($(date +%s) - begin))
    printf '== %s: %s, %s s, %s tests\n' "$name" "$result" "$seconds" "${tests:-no count of}"
    [ -z "$known" ] || record "$name" "$result" "$seconds" "${tests:--}" "$known"
    [ "$result" = passed ] || { failed="$failed $name"; tail -n 40 "$logs/$name.log"; }
done
[ -z "$failed" ] || { echo "long: failed:$failed" >&2; exit 1; }
