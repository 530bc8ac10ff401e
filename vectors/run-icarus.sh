#!/bin/sh
# Runs every class of golden vectors on the Verilog with Icarus and prints a table (VEC-4). No Rust.
#
#   vectors/run-icarus.sh [HDL_DIR [CLASS]...]
#
# HDL_DIR holds crc32.v, frame_tx.v, frame_rx.v and include/ (default: hdl/ of this repository), so any
# design with the ports of docs/spec.md can be run. All other *.v files of HDL_DIR are compiled too, and
# if ring_node.v, smb.v or smb_axi4.v is there, the vectors of that module run as well; those of the lock and barrier engine
# run if smb.v has the parameter ENGINE_NODE_W. With classes named, only these run.
# Modes: 0 back to back, 1 pseudo-random gaps. FAIL lines go to standard error.
# A RESULT line counts if it begins with the random number that the testbench is compiled with, is the
# only one, and has all vectors of the class: a design can print such a line too.
# Exit code: 0 all vectors pass, 1 something failed, 2 iverilog or an input is missing.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
hdl=${1:-$root/hdl}
[ $# = 0 ] || shift
bench=$root/testbench/verilog
vectors=$root/vectors

case $hdl in
    -*) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
if ! command -v iverilog >/dev/null 2>&1 || ! command -v vvp >/dev/null 2>&1; then
    echo "iverilog is not installed. Install it with: apt-get install iverilog" >&2
    exit 2
fi
for file in "$hdl/crc32.v" "$hdl/frame_tx.v" "$hdl/frame_rx.v" "$vectors/classes.txt"; do
    if [ ! -r "$file" ]; then
        echo "cannot read $file" >&2
        exit 2
    fi
done

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

token=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
if [ ${#token} != 16 ]; then
    echo "cannot read /dev/urandom" >&2
    exit 2
fi

for module in crc32 frame_tx frame_rx; do
    if ! iverilog -g2012 -Wall "-DAWGSTAR_TOKEN=$token" -c "$bench/icarus.f" -I "$bench" -I "$hdl/include" -s "tb_$module" \
        -o "$work/$module.vvp" "$bench/tb_$module.v" "$hdl"/*.v; then
        echo "$module does not compile" >&2
        exit 1
    fi
done

for class in "$@"; do
    case $class in
        *[!a-z0-9_]* | '') known=0 ;;
        *) known=$(cat "$vectors/classes.txt"; ls "$vectors/board" "$vectors/board_engine" "$vectors/board_axi4" "$vectors/node"); known=$(echo "$known" | grep -cx "\(.* \)\{0,1\}$class") ;;
    esac
    if [ "$known" = 0 ]; then
        echo "there is no class '$class' in classes.txt, board/, board_engine/, board_axi4/ or node/" >&2
        exit 2
    fi
done

asked() { # class, then those asked for
    [ $# = 1 ] && return 0
    class_asked=$1
    shift
    for one in "$@"; do
        [ "$one" = "$class_asked" ] && return 0
    done
    return 1
}

bad=0
row='%-28s %-9s %4s %8s %7s\n'
# shellcheck disable=SC2059
printf "$row" class module mode vectors failed

# Vectors of a class that apply to a module: bits 0 and 1 of the flags (FORMAT.md).
applying() { # folder module
    case $2 in
        crc32) flags='^[0-9a-fA-F]' ;;
        frame_tx) flags='^.[13579bdfBDF]' ;;
        frame_rx) flags='^.[2367abefABEF]' ;;
    esac
    grep -c "$flags" "$vectors/$1/fields.hex"
}

# Cycles of a vector of the board or the node: the sum of the first fields.
cycles() { # folder
    sum=0
    while IFS=_ read -r count rest; do
        sum=$((sum + 0x$count))
    done <"$vectors/$1/stimulus.hex"
    echo $sum
}

# Runs a testbench on a folder below $vectors and prints a row of the table.
# $readmemh takes only ASCII in a name, so the folder's is relative.
run() { # folder class module mode count
    (cd "$vectors" && vvp -n "$work/$3.vvp" "+dir=$1" "+mode=$4") >"$work/out" 2>&1
    grep '^FAIL' "$work/out" | sed "s|^|$1: |" >&2
    result=$(sed -n "s/^$token RESULT .*=\([0-9]*\) failed=\([0-9]*\)$/\1 \2/p" "$work/out")
    failed=${result#* }
    case $result in
        *[!0-9\ ]* | '') result= ;; # none, or more than one
        "$5 "*) ;;
        *) [ "$failed" -ge 10 ] || result= ;; # a run ends after 10 failing vectors
    esac
    if [ -z "$result" ] || grep '^RESULT' "$work/out" >/dev/null; then
        sed "s|^|$1: |" "$work/out" >&2
        result='- no-result'
    fi
    case $result in
        *' 0') ;;
        *) bad=1 ;;
    esac
    ran=1
    echo "$2" >>"$work/ran"
    # shellcheck disable=SC2059,SC2086
    printf "$row" "$2" "$3" "$4" $result
}

while read -r kind class; do
    ran=0
    asked "$class" "$@" || continue
    case $kind in
        crc32) run "crc32/$class" "$class" crc32 0 "$(applying "crc32/$class" crc32)" ;;
        frame)
            for module in frame_tx frame_rx; do
                count=$(applying "frame/$class" $module)
                [ "$count" = 0 ] && continue # a class for the other module
                for mode in 0 1; do
                    run "frame/$class" "$class" $module $mode "$count"
                done
            done
            ;;
        '' | '#'*) continue ;;
        *) echo "classes.txt: unknown kind '$kind'" >&2; exit 2 ;;
    esac
    if [ "$ran" = 0 ]; then
        echo "$kind/$class: no vector was run" >&2
        bad=1
    fi
done <"$vectors/classes.txt"

# Folder, module, and what is defined for its testbench.
board() {
    [ -r "$hdl/$2.v" ] || return 0
    if ! iverilog -g2012 -Wall "-DAWGSTAR_TOKEN=$token" ${3:+"-D$3"} -c "$bench/icarus.f" -I "$hdl/include" -s "tb_$2" \
        -o "$work/$2.vvp" "$bench/tb_$2.v" "$hdl"/*.v; then
        echo "$2 does not compile${3:+ with ENGINE_NODE_W}" >&2
        exit 1
    fi
    # shellcheck disable=SC2059
    printf "$row" "$1" module mode cycles failed
    for folder in "$vectors/$1"/*/; do
        class=$(basename "$folder")
        asked "$class" $classes || continue
        run "$1/$class" "$class" "$2" - "$(cycles "$1/$class")"
    done
}

# Names of classes have no spaces.
classes=$*
board node ring_node
board board smb
if [ -r "$hdl/smb.v" ] && grep -q ENGINE_NODE_W "$hdl/smb.v"; then
    board board_engine smb AWGSTAR_ENGINE
elif [ -r "$hdl/smb.v" ]; then
    echo "smb.v has no parameter ENGINE_NODE_W: the vectors of board_engine are not run"
    left=" but those of board_engine, which were not run"
fi
board board_axi4 smb_axi4

# A class that was named and whose module is not there would pass without a run.
for class in "$@"; do
    if ! grep -qx "$class" "$work/ran"; then
        echo "$class: no vector was run" >&2
        bad=1
    fi
done

if [ "$bad" = 0 ] && [ $# != 0 ]; then
    echo "the vectors of $# classes pass"
elif [ "$bad" = 0 ]; then
    echo "all vectors pass${left:-}"
else
    echo "vectors fail" >&2
fi
exit $bad
