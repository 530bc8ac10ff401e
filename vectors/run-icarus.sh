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
# A class without vectors is an error, and so is a folder of vectors that the list leaves out. A design that names
# anything outside itself is refused before it runs.
# Exit code: 0 all vectors pass, 1 something failed, 2 not judged: iverilog or an input is missing, a vector cannot
# be read, a name outside the design, a program that a signal ended, a full disk.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
hdl=${1:-$root/hdl}
[ $# = 0 ] || shift
bench=$root/testbench/verilog
vectors=$root/vectors

case $hdl in
    -*) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 2 ;;
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

not_judged() {
    echo "$1; not judged" >&2
    exit 2
}

# The list has each folder of these vectors.
for folder in "$vectors"/crc32/*/ "$vectors"/frame/*/; do
    class=${folder%/}
    kind=${class%/*}
    listed="${kind##*/} ${class##*/}"
    [ -d "$folder" ] || not_judged "no folder $folder"
    grep -qx "$listed" "$vectors/classes.txt" || not_judged "$vectors/classes.txt: '$listed' is missing"
done

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

token=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
if [ ${#token} != 16 ]; then
    echo "cannot read /dev/urandom" >&2
    exit 2
fi

# Ends the script if the exit code is that of a program which a signal ended, or its messages say that this computer
# was at its end.
judged() { # exit code, messages, what was done
    case $1,$2 in
        # The exit code of Icarus is the number of errors that it has named.
        *error*) ;;
        129,* | 1[3-8][0-9],*) not_judged "$3: ended by signal $(($1 - 128))" ;;
    esac
    case $2 in
        *'No space left on device'* | *'Disk quota exceeded'* | *'Cannot allocate memory'* | *'Too many open files'*)
            printf '%s\n' "$2" >&2
            not_judged "$3: this computer lacks something"
            ;;
    esac
}

# Runs Icarus on testbench, design and further files; $log is what it says.
icarus() { # module, definition or nothing, options and files...
    module=$1
    definition=$2
    shift 2
    log=$(iverilog -g2012 "-DAWGSTAR_TOKEN=$token" ${definition:+"-D$definition"} -c "$bench/icarus.f" -I "$bench" \
        -I "$hdl/include" "$bench/tb_$module.v" "$@" "$hdl"/*.v 2>&1)
    code=$?
    judged $code "$log" "iverilog, $module"
    return $code
}

# Compiles the testbench of a module. Before, the design is elaborated alone, with the macros of the testbench but not
# below it: there a name outside the design leads nowhere. Only in $bits is such a name no error, so its arguments are
# searched for names of the testbench.
compile() { # module, definition or nothing
    echo "module alone_$token; $1 dut_$token (); endmodule" >"$work/alone.v" || exit 2
    icarus "$1" "${2:-}" "$work/alone.v" -s "alone_$token" -t null -o /dev/null
    alone=$code
    outside=$(printf '%s\n' "$log" | grep -v 'warning: timescale')
    case $log in
        *'warning: Scope of '*' not found'*) alone=1 ;;
    esac
    if [ $alone = 0 ]; then
        icarus "$1" "${2:-}" "$work/alone.v" -E -o - || true
        # Macros are expanded; the design comes after the module `alone`.
        names=$(printf '%s\n' "$log" | sed "/^module alone_$token/,\$d" | tr -cs 'A-Za-z0-9_$' '\n' | grep '^[A-Za-z_]' | sort -u)
        outside=$(printf '%s\n' "$log" | sed "1,/^module alone_$token/d" | tr '\n' ' ' | grep -o '\$bits[^;]*;' |
            tr -d ' \\' | grep -o '[A-Za-z_][A-Za-z0-9_$]*[.(]' | tr -d '.(' | grep -Fx "$names")
        [ -z "$outside" ] || alone=1
    fi
    icarus "$1" "${2:-}" -Wall -s "tb_$1" -o "$work/$1.vvp"
    compiled=$code
    [ -z "$log" ] || printf '%s\n' "$log" >&2
    if [ $compiled != 0 ]; then
        echo "$1 does not compile${2:+ with $2}" >&2
        exit 1
    fi
    if [ $alone != 0 ]; then
        printf '%s\n' "$outside" >&2
        not_judged "$1 names something outside itself"
    fi
}

for module in crc32 frame_tx frame_rx; do
    compile $module
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
ran_all=
left=
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
    grep -c "$flags" "$vectors/$1/fields.hex" || [ $? = 1 ] || not_judged "cannot read $vectors/$1/fields.hex"
}

# Cycles of a vector of the board or the node: the sum of the first fields.
cycles() { # folder
    sum=0
    while IFS=_ read -r count rest || [ -n "$count" ]; do
        case $count in
            *[!0-9a-fA-F]* | '') not_judged "$1/stimulus.hex: not the number of cycles: '$count'" ;;
        esac
        sum=$((sum + 0x$count))
    done <"$vectors/$1/stimulus.hex"
    echo $sum
}

# Runs a testbench on a folder below $vectors and prints a row of the table.
# $readmemh takes only ASCII in a name, so the folder's is relative.
run() { # folder class module mode count
    [ -n "$5" ] && [ "$5" != 0 ] || not_judged "$1: no vector is there"
    said=$(cd "$vectors" && vvp -n "$work/$3.vvp" "+dir=$1" "+mode=$4" 2>&1)
    judged $? "$said" "vvp, $1"
    printf '%s\n' "$said" | grep '^FAIL' | sed "s|^|$1: |" >&2
    result=$(printf '%s\n' "$said" | sed -n "s/^$token RESULT .*=\([0-9]*\) failed=\([0-9]*\)$/\1 \2/p")
    failed=${result#* }
    case $result in
        *[!0-9\ ]* | '') result= ;; # none, or more than one
        "$5 "*) ;;
        *) [ "$failed" -ge 10 ] || result= ;; # a run ends after 10 failing vectors
    esac
    if [ -z "$result" ] || printf '%s\n' "$said" | grep '^RESULT' >/dev/null; then
        printf '%s\n' "$said" | sed "s|^|$1: |" >&2
        result='- no-result'
    fi
    case $result in
        *' 0') ;;
        *) bad=1 ;;
    esac
    ran=1
    ran_all=$ran_all$2"
"
    # shellcheck disable=SC2059,SC2086
    printf "$row" "$2" "$3" "$4" $result
}

while read -r kind class || [ -n "$kind" ]; do
    ran=0
    asked "$class" "$@" || continue
    case $kind in
        crc32)
            count=$(applying "crc32/$class" crc32) || exit 2
            run "crc32/$class" "$class" crc32 0 "$count"
            ;;
        frame)
            for module in frame_tx frame_rx; do
                count=$(applying "frame/$class" $module) || exit 2
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
    if [ ! -r "$hdl/$2.v" ]; then
        left="$left, $1 (no $2.v)"
        return 0
    fi
    compile "$2" "${3:-}"
    # shellcheck disable=SC2059
    printf "$row" "$1" module mode cycles failed
    for folder in "$vectors/$1"/*/; do
        class=$(basename "$folder")
        asked "$class" $classes || continue
        [ -r "$folder/stimulus.hex" ] || not_judged "cannot read ${folder}stimulus.hex"
        count=$(cycles "$1/$class") || exit 2
        run "$1/$class" "$class" "$2" - "$count"
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
    left="$left, board_engine (no ENGINE_NODE_W)"
fi
board board_axi4 smb_axi4

# A class that was named and whose module is not there would pass without a run.
for class in "$@"; do
    if ! echo "$ran_all" | grep -qx "$class"; then
        echo "$class: no vector was run" >&2
        bad=1
    fi
done

if [ "$bad" = 0 ] && [ $# != 0 ]; then
    echo "the vectors of $# classes pass"
elif [ "$bad" = 0 ]; then
    echo "all vectors pass${left:+; not run: ${left#, }}"
else
    echo "vectors fail" >&2
fi
exit $bad
