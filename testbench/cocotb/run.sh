#!/usr/bin/env bash
# Drives the Verilog with the bus models of cocotbext-axi (docs/third-party.md), in the oldest version that
# is known to work (requirements.txt) and in the newest (newest.txt), or in the one that is named:
#
#   testbench/cocotb/run.sh [oldest|newest]
#
# Needs Icarus, Python 3 with venv and pip, and a network: for the oldest the first time, for the newest
# in each run. Not part of testbench/test.sh.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -euo pipefail

root="$(cd "$(dirname "$0")/../.." && pwd)"
here="$root/testbench/cocotb"
out="$root/target/cocotb"

missing() {
    echo "missing: $1" >&2
    exit 1
}

for tool in iverilog vvp; do
    command -v "$tool" >/dev/null || missing "$tool (Icarus Verilog; testbench/setup.sh tells how)"
done
command -v python3 >/dev/null || missing "python3"

export PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 COCOTB_LOG_LEVEL="${COCOTB_LOG_LEVEL:-WARNING}"
path="$PATH"

# Makes the environment of a set of versions and uses it.
environment() { # folder, file of requirements, options of pip
    local folder="$1" file="$2"
    shift 2
    mkdir -p "$folder"
    if [ $# -gt 0 ] || ! cmp -s "$file" "$folder/installed.txt"; then
        rm -f "$folder/installed.txt"
        python3 -m venv --clear "$folder/venv" || missing "the venv module of python3 (python3-venv)"
        "$folder/venv/bin/python" -m pip --version >/dev/null 2>&1 || missing "pip in the venv (python3-pip)"
        "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" \
            -r "$file" || missing "network, or a package of $(basename "$file")"
        cp "$file" "$folder/installed.txt"
    fi
    export PATH="$folder/venv/bin:$path" PYGPI_PYTHON_BIN="$folder/venv/bin/python"
}

run() { # folder: runs every test in the environment that is in use
    python -m pip list --disable-pip-version-check 2>/dev/null | grep '^cocotb'
    for test in smb smb_axi4 frame_tx frame_rx ring_node; do
        top="$test"
        extra=()
        if [ "$test" = smb ] || [ "$test" = smb_axi4 ]; then
            top=top_$test
            extra=("$here/top_$test.v")
        fi
        iverilog -g2012 -s "$top" -c "$root/testbench/verilog/icarus.f" -I "$root/hdl/include" \
            -o "$1/$test.vvp" "${extra[@]}" "$root"/hdl/*.v
        rm -f "$1/$test.xml"
        echo "== $test"
        MODULE="test_$test" TOPLEVEL="$top" TOPLEVEL_LANG=verilog COCOTB_RESULTS_FILE="$1/$test.xml" \
            vvp -M "$(cocotb-config --lib-dir)" -m "$(cocotb-config --lib-name vpi icarus)" \
            "$1/$test.vvp" || failed=1
        python "$here/results.py" "$1/$test.xml" || failed=1
    done
}

failed=0
case "${1:-both}" in
    oldest | newest | both) ;;
    *) missing "expected oldest, newest or nothing, found '$1'" ;;
esac
if [ "${1:-both}" != newest ]; then
    environment "$out/oldest" "$here/requirements.txt"
    run "$out/oldest"
fi
if [ "${1:-both}" != oldest ]; then
    # What is newest changes, so the environment is made anew in each run.
    environment "$out/newest" "$here/newest.txt" --upgrade
    run "$out/newest"
fi
exit "$failed"
