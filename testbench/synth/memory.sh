#!/bin/sh
# Both files of shared_memory through Yosys: where they must become block RAM, nothing may become
# flip-flops. hdl/shared_memory.v has two write ports, which Yosys 0.23 maps on some families only;
# hdl/one_write/shared_memory.v has one and must map on all that Yosys has block RAM for.
#   memory.sh             all families
#   memory.sh FAMILY...   these only: a synth_ command without its prefix
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
command -v yosys >/dev/null 2>&1 || {
    echo "memory: yosys is missing; Debian and Ubuntu: apt-get install yosys" >&2
    exit 2
}

WIDTH=11   # 2^11 words: each of the 8 lanes of a row is 2^10 bytes, at least one block
FLOPS=1000 # registers that wait and that are read; 2^16 if the memory dissolves
LIMIT=300  # seconds: a memory that dissolves may take hours
work=target/synth/memory
mkdir -p $work
wanted=$*
status=0

map() { # $1 file, $2 synth command without its prefix, $3 its block RAM
    family=${2%% *}
    case " $wanted " in "  " | *" $family "*) ;; *) return 0 ;; esac
    name=$(basename "$(dirname "$1")")-$family
    timeout $LIMIT yosys -q -l "$work/$name.log" -p "read_verilog -sv -Ihdl/include $1;
        chparam -set MEM_ADDR_W $WIDTH shared_memory; synth_$2 -top shared_memory;
        tee -q -o $work/$name.stat stat" >/dev/null 2>&1 || {
        echo "memory: $1 on $family: Yosys gives no result, see $work/$name.log" >&2
        status=1
        return 0
    }
    # A line of the statistics is a cell and a number, in either order.
    count() {
        awk -v cell="$1" '{ for (i = 1; i < 3; i++) if ($i ~ cell && $(3 - i) ~ /^[0-9]+$/) n += $(3 - i) }
            END { print n + 0 }' "$work/$name.stat"
    }
    blocks=$(count "^($3)\$")
    flops=$(count '(DFF|_FF|FD[RSCP]E|FD1P3|dffeas|_SLICE_FF|TRELLIS_FF|EG_PHY_SEQ|SEQ)')
    if [ "$blocks" -eq 0 ] || [ "$flops" -gt $FLOPS ]; then
        echo "memory: $1 on $family: $blocks block RAMs ($3), $flops flip-flops" >&2
        status=1
    else
        echo "$1 on $family: $blocks block RAMs, $flops flip-flops"
    fi
}

one=hdl/one_write/shared_memory.v
map $one anlogic EG_PHY_BRAM
map $one ecp5 'DP16KD|PDPW16KD'
map $one efinix EFX_RAM_5K
map $one gatemate 'CC_BRAM_20K|CC_BRAM_40K'
map $one gowin 'DP|DPB|DPX9|DPX9B|SDP|SDPB|SDPX9|SDPX9B'
map $one ice40 SB_RAM40_4K
map $one 'intel -family max10' altsyncram
map $one intel_alm MISTRAL_M10K
map $one machxo2 'DP8KC|PDPW8KC'
map $one nexus 'DP16K|PDP16K|PDPSC16K'
map $one xilinx 'RAMB18E1|RAMB36E1'

two=hdl/shared_memory.v
map $two anlogic EG_PHY_BRAM
map $two ecp5 DP16KD
map $two xilinx 'RAMB18E1|RAMB36E1'
exit $status
