#!/bin/sh
# Every Verilog module alone through Verilator -Wall, Icarus -Wall and Yosys. Any message fails.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/.."
status=0
check() { # $1 what, then the command: it must succeed and print nothing
    what=$1
    shift
    # Verilator says what it has read and how long it took, from 5.036 on.
    if messages=$("$@" 2>&1); then
        messages=$(printf '%s\n' "$messages" | grep -v '^- V e r i l a t i o n\|^- Verilator: ') || true
    else
        messages="$messages
$1 failed"
    fi
    if [ -n "$messages" ]; then
        printf 'lint: %s\n%s\n' "$what" "$messages" >&2
        status=1
    fi
}
for file in hdl/*.v; do
    top=$(basename "$file" .v)
    # -y finds the modules that this one instantiates.
    check "verilator $file" verilator --lint-only -Wall -Ihdl/include -y hdl --top-module "$top" "$file"
    check "iverilog $file" iverilog -g2012 -Wall -I hdl/include -y hdl -t null -s "$top" "$file"
    tops="${tops:-} design -load all; hierarchy -check -top $top; proc; check -assert;"
done
check "yosys hdl/*.v" yosys -q -p "read_verilog -sv -Ihdl/include hdl/*.v; design -save all; $tops"
# Files that take the place of one of hdl/, under the same name.
for file in hdl/one_write/*.v; do
    top=$(basename "$file" .v)
    check "verilator $file" verilator --lint-only -Wall -Ihdl/include --top-module "$top" "$file"
    check "iverilog $file" iverilog -g2012 -Wall -I hdl/include -t null -s "$top" "$file"
    check "yosys $file" yosys -q -p "read_verilog -sv -Ihdl/include $file; hierarchy -check -top $top; proc; check -assert"
done
# Top levels of boards, with models of the parts of the FPGA from sim/. For synthesis the library of the parts is Yosys'
# own.
for file in hdl/boards/*.v hdl/boards/sim/*.v; do
    top=$(basename "$file" .v)
    check "verilator $file" verilator --lint-only -Wall -Ihdl/include -y hdl/boards/sim -y hdl/boards -y hdl --top-module "$top" "$file"
    check "iverilog $file" iverilog -g2012 -Wall -I hdl/include -y hdl/boards/sim -y hdl/boards -y hdl -t null -s "$top" "$file"
done
# ulx3s has the boards of ulx3s_link, so only its own wires are left to check.
cells="read_verilog -sv -Ihdl/include hdl/*.v hdl/boards/*.v; read_verilog -lib +/ecp5/cells_bb.v"
check "yosys ulx3s_link" yosys -q -p "$cells; hierarchy -check -top ulx3s_link; proc; check -assert"
check "yosys ulx3s" yosys -q -p "$cells; hierarchy -check -top ulx3s; select ulx3s; proc; check -assert"
for top in ulx3s:1 ulx3s_link:4; do
    check "verilator $top" verilator --lint-only -Wall -Ihdl/include -y hdl/boards/sim -y hdl/boards -y hdl "-GBOARDS=${top#*:}" --top-module "${top%:*}" "hdl/boards/${top%:*}.v"
done
# The files of a folder all at once, with those that they need: hdl/ has more than one top.
all="hdl/*.v hdl/boards/*.v hdl/boards/sim/*.v"
for files in "hdl/*.v" "hdl/one_write/*.v" "hdl/boards/sim/*.v" "$all"; do
    # shellcheck disable=SC2086
    {
        check "verilator $files" verilator --lint-only -Wall -Wno-MULTITOP -Ihdl/include $files
        check "iverilog $files" iverilog -g2012 -Wall -I hdl/include -t null $files
        check "yosys $files" yosys -q -p "read_verilog -sv -Ihdl/include $files; hierarchy -check; proc; check -assert"
    }
done
# At the ends of what the parameters may be. Verilator holds no memory of 2^29 words.
node="BUFFER_ADDR_W RX_ADDR_W RX_HEADER_ADDR_W"
board="MEM_ADDR_W TX_ADDR_W TX_FRAME_W SIGNAL_W MAIL_W $node"
ends() { # $1 top, $2 names, then their values
    top=$1 names=$2 sizes=
    shift 2
    for name in $names; do
        sizes="$sizes -G$name=$1"
        shift
    done
    # shellcheck disable=SC2086
    check "verilator $top$sizes" verilator --lint-only -Wall -Ihdl/include -y hdl $sizes "-GTOKEN_RUN=15" --top-module "$top" "hdl/$top.v"
}
ends ring_node "$node" 5 4 1
ends ring_node "$node" 15 15 15
ends smb "$board" 2 9 1 1 1 9 8 1
ends smb "$board" 24 15 6 6 12 15 15 15
ends smb_axi4 "$board AXI_ID_W" 2 9 1 1 1 9 8 1 1
ends smb_axi4 "$board AXI_ID_W" 24 15 6 6 12 15 15 15 16
ends ring_gateway "$board WINDOWS" 2 9 1 1 1 9 8 1 1
ends ring_gateway "$board WINDOWS" 24 15 6 6 12 15 9 7 4
for top in ring_node smb smb_axi4; do
    check "verilator $top OWN_IDLE=2" verilator --lint-only -Wall -Ihdl/include -y hdl -GOWN_IDLE=2 --top-module "$top" "hdl/$top.v"
done
for size in 3 10; do
    check "verilator ring_link $size" verilator --lint-only -Wall -y hdl "-GELASTIC_ADDR_W=$size" --top-module ring_link hdl/ring_link.v
done
for size in 2 8; do
    check "verilator lock_engine $size" verilator --lint-only -Wall -Ihdl/include -y hdl "-GNODE_W=$size" --top-module lock_engine hdl/lock_engine.v
done
# The assertions: as in simulation and as in a proof. Icarus 11 has neither `bind` nor `final`.
for file in testbench/assert/*_assert.sv; do
    top=$(basename "$file" .sv)
    for token in "" -DAWGSTAR_ASSERT_TOKEN=0; do
        check "verilator $file $token" verilator --lint-only --assert -Wall $token -Ihdl/include -Itestbench/assert -y testbench/assert --top-module "$top" "$file"
    done
    assertions="${assertions:-} design -load all; hierarchy -check -top $top; proc; check -assert;"
done
check "yosys testbench/assert/*_assert.sv" yosys -q -p "read_verilog -sv -formal -Ihdl/include -Itestbench/assert testbench/assert/*_assert.sv; design -save all; $assertions"
check "verilator bind.sv" verilator --lint-only --assert -Wall -Ihdl/include -Itestbench/assert -y hdl -y testbench/assert +libext+.v+.sv --top-module smb hdl/smb.v testbench/assert/bind.sv
check "verilator bind_axi4.sv" verilator --lint-only --assert -Wall -Ihdl/include -Itestbench/assert -y hdl -y testbench/assert +libext+.v+.sv --top-module smb_axi4 hdl/smb_axi4.v testbench/assert/bind_axi4.sv
check "verilator bind_link.sv" verilator --lint-only --assert -Wall -Ihdl/include -Itestbench/assert -y hdl -y testbench/assert +libext+.v+.sv --top-module smb_link hdl/smb_link.v testbench/assert/bind_link.sv
# The package of SystemVerilog and the benches beside the model. A package has constants that it does not use, and its functions read parts of structures.
check "verilator awgstar_pkg.sv" verilator --lint-only -Wall -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL testbench/dpi/sv/awgstar_pkg.sv
for top in ring_node smb; do
    for only in "" -DPORTS_ONLY; do
        check "verilator tb_$top $only" verilator --lint-only --timing $only -Itestbench/dpi/sv -Itestbench/dpi/example -Ihdl/include -y hdl --top-module "tb_$top" testbench/dpi/sv/awgstar_pkg.sv "testbench/dpi/example/tb_$top.sv"
    done
done
for word in lint_off verilator translate_off; do
    if grep -n "$word" hdl/*.v hdl/include/*.vh hdl/one_write/*.v hdl/boards/*.v hdl/boards/sim/*.v testbench/assert/*; then
        echo "lint: waivers are not allowed" >&2
        status=1
    fi
done
exit $status
