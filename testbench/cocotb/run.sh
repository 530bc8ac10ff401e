#!/usr/bin/env bash
# Drives the Verilog with the bus models of cocotbext-axi (docs/third-party.md). Needs Icarus,
# Python 3 with venv and pip, and a network the first time. Not part of testbench/test.sh.
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

mkdir -p "$out"
if ! cmp -s "$here/requirements.txt" "$out/installed.txt"; then
    python3 -m venv --clear "$out/venv" || missing "the venv module of python3 (python3-venv)"
    "$out/venv/bin/python" -m pip --version >/dev/null 2>&1 || missing "pip in the venv (python3-pip)"
    "$out/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        -r "$here/requirements.txt" || missing "network, or a package of requirements.txt"
    cp "$here/requirements.txt" "$out/installed.txt"
fi
export PATH="$out/venv/bin:$PATH" PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1
export PYGPI_PYTHON_BIN="$out/venv/bin/python" COCOTB_LOG_LEVEL="${COCOTB_LOG_LEVEL:-WARNING}"

failed=0
for test in smb frame_tx frame_rx ring_node; do
    top="$test"
    extra=()
    if [ "$test" = smb ]; then
        top=top_smb
        extra=("$here/top_smb.v")
    fi
    iverilog -g2012 -s "$top" -c "$root/testbench/verilog/icarus.f" -I "$root/hdl/include" \
        -o "$out/$test.vvp" "${extra[@]}" "$root"/hdl/*.v
    rm -f "$out/$test.xml"
    echo "== $test"
    MODULE="test_$test" TOPLEVEL="$top" TOPLEVEL_LANG=verilog COCOTB_RESULTS_FILE="$out/$test.xml" \
        vvp -M "$(cocotb-config --lib-dir)" -m "$(cocotb-config --lib-name vpi icarus)" \
        "$out/$test.vvp" || failed=1
    python "$here/results.py" "$out/$test.xml" || failed=1
done
exit "$failed"
