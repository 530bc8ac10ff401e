#!/bin/sh
# Runs every class of golden vectors on the Verilog with Icarus and prints a table (VEC-4). No Rust.
#
#   vectors/run-icarus.sh [HDL_DIR]
#
# HDL_DIR holds crc32.v, frame_tx.v, frame_rx.v and include/ (default: hdl/ of this repository), so any
# design with the ports of docs/spec.md can be run. All other *.v files of HDL_DIR are compiled too, and
# if smb.v is there, the vectors of the board run as well.
# Modes: 0 back to back, 1 pseudo-random gaps. FAIL lines go to standard error.
# Exit code: 0 all vectors pass, 1 something failed, 2 iverilog or an input is missing.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
hdl=${1:-$root/hdl}
bench=$root/testbench/verilog
vectors=$root/vectors

case $hdl in
    -*) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
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

for module in crc32 frame_tx frame_rx; do
    if ! iverilog -g2012 -Wall -c "$bench/icarus.f" -I "$bench" -I "$hdl/include" -s "tb_$module" \
        -o "$work/$module.vvp" "$bench/tb_$module.v" "$hdl"/*.v; then
        echo "$module does not compile" >&2
        exit 1
    fi
done

bad=0
row='%-28s %-9s %4s %8s %7s\n'
# shellcheck disable=SC2059
printf "$row" class module mode vectors failed

run() { # kind class module mode
    vvp -n "$work/$3.vvp" "+dir=$vectors/$1/$2" "+mode=$4" >"$work/out" 2>&1
    grep '^FAIL' "$work/out" | sed "s|^|$1/$2: |" >&2
    result=$(sed -n 's/^RESULT .* vectors=\([0-9]*\) failed=\([0-9]*\)$/\1 \2/p' "$work/out")
    if [ -z "$result" ]; then
        sed "s|^|$1/$2: |" "$work/out" >&2
        result='- no-result'
    fi
    case $result in
        '0 0') return ;; # a class for the other module
        *' 0') ;;
        *) bad=1 ;;
    esac
    ran=1
    # shellcheck disable=SC2059,SC2086
    printf "$row" "$2" "$3" "$4" $result
}

while read -r kind class; do
    ran=0
    case $kind in
        crc32) run crc32 "$class" crc32 0 ;;
        frame)
            for module in frame_tx frame_rx; do
                for mode in 0 1; do
                    run frame "$class" "$module" "$mode"
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

if [ -r "$hdl/smb.v" ]; then
    if ! iverilog -g2012 -Wall -c "$bench/icarus.f" -I "$hdl/include" -s tb_smb \
        -o "$work/smb.vvp" "$bench/tb_smb.v" "$hdl"/*.v; then
        echo "smb does not compile" >&2
        exit 1
    fi
    # shellcheck disable=SC2059
    printf "$row" board module mode cycles failed
    for folder in "$vectors"/board/*/; do
        class=$(basename "$folder")
        vvp -n "$work/smb.vvp" "+dir=${folder%/}" >"$work/out" 2>&1
        grep '^FAIL' "$work/out" | sed "s|^|board/$class: |" >&2
        result=$(sed -n 's/^RESULT .* cycles=\([0-9]*\) failed=\([0-9]*\)$/\1 \2/p' "$work/out")
        if [ -z "$result" ]; then
            sed "s|^|board/$class: |" "$work/out" >&2
            result='- no-result'
        fi
        case $result in
            *' 0') ;;
            *) bad=1 ;;
        esac
        # shellcheck disable=SC2059,SC2086
        printf "$row" "$class" smb - $result
    done
fi

if [ "$bad" = 0 ]; then
    echo "all vectors pass"
else
    echo "vectors fail" >&2
fi
exit $bad
