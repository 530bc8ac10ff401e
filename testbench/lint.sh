#!/bin/sh
# Every Verilog module alone through Verilator -Wall, Icarus -Wall and Yosys. Any message fails.
set -eu
cd "$(dirname "$0")/.."
status=0
check() { # $1 what, then the command: it must succeed and print nothing
    what=$1
    shift
    if ! messages=$("$@" 2>&1) || [ -n "$messages" ]; then
        printf 'lint: %s\n%s\n' "$what" "$messages" >&2
        status=1
    fi
}
for file in hdl/*.v; do
    top=$(basename "$file" .v)
    # -y finds the modules that this one instantiates.
    check "verilator $file" verilator --lint-only -Wall -Ihdl/include -y hdl --top-module "$top" "$file"
    check "iverilog $file" iverilog -g2012 -Wall -I hdl/include -y hdl -t null -s "$top" "$file"
    check "yosys $file" yosys -q -p "read_verilog -sv -Ihdl/include hdl/*.v; hierarchy -check -top $top; proc; check -assert"
done
for word in lint_off verilator translate_off; do
    if grep -n "$word" hdl/*.v; then
        echo "lint: waivers are not allowed" >&2
        status=1
    fi
done
exit $status
