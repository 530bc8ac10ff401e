#!/bin/sh
# The examples of awgstar.cocotb with each pinned version of cocotb on Icarus, and on Verilator where both work;
# bugs that they must find; benches that must fail.
#   benches.sh [WHEEL]     WHEEL is that of the package awgstar; without it `model/python/test.sh` must have made one
# Needs Icarus, Verilator, make, Python 3.11 or newer with venv; installs the packages of benches-1.txt and
# benches-2.txt below target/cocotb.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
here="$root/testbench/cocotb"
out="$root/target/cocotb"

missing() { # what
    echo "missing: $1" >&2
    exit 2
}

for tool in iverilog vvp verilator make python3; do
    command -v "$tool" >/dev/null || missing "$tool (testbench/setup.sh installs it)"
done
if [ $# -gt 0 ]; then
    wheel=$1
else
    set -- "$root"/target/python/dist/*.whl
    wheel=$1
fi
[ -f "$wheel" ] || missing "a wheel of the package: run model/python/test.sh, which writes target/python/dist"

path=$PATH
environment() { # number: makes the environment of benches-NUMBER.txt and uses it
    folder="$out/benches-$1"
    file="$here/benches-$1.txt"
    echo "installing into $folder: $(grep -v '^#' "$file" | tr '\n' ' ')"
    if ! cmp -s "$file" "$folder/installed.txt"; then
        rm -rf "$folder"
        python3 -m venv "$folder" || missing "the venv module of python3 (Debian: python3-venv)"
        "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$file" ||
            missing "network, or a package of $file"
        cp "$file" "$folder/installed.txt"
    fi
    "$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    PATH="$folder/bin:$path"
    export PATH
}

failed=0
run() { # arguments of benches.py after the version
    python "$here/benches.py" "$root" "$out/runs" "$@" || failed=1
}

environment 1
echo '== cocotb 1.9.2 on Icarus'
run 1.9.2
echo '== cocotb 1.9.2 on Verilator: ring_node only, a read of the AXI4-Lite master of cocotbext-axi does not end there'
run 1.9.2 verilator
environment 2
echo '== cocotb 2.1.0 on Icarus'
run 2.1.0
found=$(verilator --version | sed 's/^Verilator \([0-9]*\)\.\([0-9]*\).*/\1\2/')
if [ "$found" -ge 5036 ]; then
    echo '== cocotb 2.1.0 on Verilator'
    run 2.1.0 verilator
else
    echo "== cocotb 2.1.0 on Verilator: not run, it needs 5.036 or newer and this is $(verilator --version)"
fi
echo '== bugs and empty benches, cocotb 2.1.0 on Icarus'
run 2.1.0 bugs
exit "$failed"
