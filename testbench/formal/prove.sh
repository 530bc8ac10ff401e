#!/bin/sh
# Proves the properties of node_core.v, axil_core.v, line_core.v, gateway_core.v, engine_core.v and elastic_core.v, then requires that they fail on broken Verilog (broken.txt).
# One line per set: name, depth of the base case, of the induction, seconds. Anything else fails.
#   prove.sh            the quick sets, overflow window tokens axil line gateway, and a sample of their broken variants
#   prove.sh long       slots, order, engine and elastic too, and every broken variant: minutes
#   prove.sh SET...     these sets only, without the broken variants
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

wires() { # $1 set: what stands behind the undriven wires of its core
    [ "$1" != slots ] || {
        echo "connect -nounset -set wr_ptr \\u_buffer.wr_ptr_q"
        echo "connect -nounset -set rd_ptr \\u_buffer.rd_ptr_q"
        echo "connect -nounset -set mem \\u_buffer.all"
        return
    }
    [ "$1" != elastic ] || {
        for pair in wr_ptr=wr_ptr_q rd_ptr=rd_ptr_q wr_gray=wr_gray_q rd_gray=rd_gray_q first=u_wr_gray.first_q \
            second=u_wr_gray.second_q back_first=u_rd_gray.first_q back_second=u_rd_gray.second_q; do
            echo "connect -nounset -set ${pair%=*} \\u_elastic.u_crossing.${pair#*=}"
        done
        for name in lost inside ended waited; do
            echo "connect -nounset -set $name \\u_elastic.${name}_q"
        done
        return
    }
    [ "$1" != line ] || {
        for name in valid words; do
            echo "connect -nounset -set $name \\u_rx.${name}_q"
        done
        for pair in live=live gone=words ended=ended; do
            echo "connect -nounset -set ${pair%=*} \\u_line.${pair#*=}_q"
        done
        return
    }
    [ "$1" != engine ] || {
        for pair in sorter=u_sorter.state_q index=u_sorter.index_q mine=u_engine.u_router.mine_q \
            wr=u_engine.u_router.wr_q rd=u_engine.u_router.rd_q lock=u_engine.u_lock.state_q \
            barrier=u_engine.u_barrier.state_q word=u_engine.u_barrier.word_q own=u_engine.u_barrier.own_q \
            ended=u_engine.u_barrier.end_q l_valid=u_engine.l_msg_valid l_ready=u_engine.l_msg_ready \
            b_valid=u_engine.b_msg_valid b_ready=u_engine.b_msg_ready \
            live=u_rules.live_q beats=u_rules.beats_q gap=u_rules.gap_q; do
            echo "connect -nounset -set ${pair%=*} \\${pair#*=}"
        done
        return
    }
    [ "$1" != gateway ] || {
        for pair in word_count=word_q mac_upper=mac_q addr_of=addr_q own=own_q is_data=data_q \
            room_seen=room_q kept=kept_q source=source_q number=number_q kept_source=kept_source_q \
            asks_seen=asks_q gone_seen=gone_q s1_tdata=s1_tdata_q s1_tkeep=s1_tkeep_q \
            s1_tvalid=s1_tvalid_q s1_tlast=s1_tlast_q s1_tuser=s1_tuser_q; do
            echo "connect -nounset -set ${pair%=*} \\u_gate.${pair#*=}"
        done
        for name in more next full mine word; do
            echo "connect -nounset -set $name \\u_inject.${name}_q"
        done
        return
    }
    [ "$1" != axil ] || {
        for name in state write turn ready; do
            echo "connect -nounset -set $name \\u_port.${name}_q"
        done
        for name in live aw_open w_open ar_open aw_wait w_wait ar_wait read_passed write_passed; do
            echo "connect -nounset -set $name \\u_axil.${name}_q"
        done
        return
    }
    echo "connect -nounset -set in_state \\u_ingress.state_q"
    echo "connect -nounset -set slot \\u_ingress.slot_q"
    echo "connect -nounset -set out_state \\u_egress.state_q"
    echo "connect -nounset -set left \\u_egress.left_q"
    echo "connect -nounset -set ending \\u_egress.ending_q"
    for name in room_data room_signal room_min; do
        echo "connect -nounset -set $name \\u_arbiter.${name}_q"
    done
    echo "connect -nounset -set data_cycles \\u_arbiter.data_cycles_q"
    echo "connect -nounset -set signal_cycles \\u_arbiter.signal_cycles_q"
    case $1 in
    window)
        for pair in tx_state=state_q a_valid=a_valid_q a_last=a_last_q a_cut=a_cut_q tail=tail_q \
            cov_left=cov_left_q pay_left=pay_left_q hdr_words=hdr_words_q; do
            echo "connect -nounset -set ${pair%=*} \\u_frame_tx.${pair#*=}"
        done ;;
    order)
        for name in s2_valid s2_last s2_keep complete; do
            echo "connect -nounset -set $name \\u_ingress.${name}_q"
        done
        echo "connect -nounset -set wr_ptr \\u_buffer.wr_ptr_q"
        echo "connect -nounset -set rd_ptr \\u_buffer.rd_ptr_q"
        echo "connect -nounset -set mem \\u_buffer.all" ;;
    tokens)
        for pair in s1_valid=s1_valid_q s2_valid=s2_valid_q s1_last=s1_last_q s2_last=s2_last_q \
            s1_user=s1_user_q s2_user=s2_user_q s1_keep=s1_keep_q s2_keep=s2_keep_q s1_data=s1_data_q s2_data=s2_data_q \
            word_count=word_q complete=complete_q own=own_q; do
            echo "connect -nounset -set ${pair%=*} \\u_ingress.${pair#*=}"
        done
        for name in hand single run over; do
            echo "connect -nounset -set $name \\u_arbiter.${name}_q"
        done ;;
    esac
}

# $1 set, $2 directory of the Verilog, $3 alone: without the invariants of axil_core or line_core, and no
# induction, so that only an assertion of axil_assert or link_assert can fail, from reset. 0 proved, 1 not, 2 cannot be read
prove() {
    [ "$1" = axil ] || [ "$1" = line ] || set -- "$1" "$2"
    dir=$(mktemp -d "$work/XXXXXX")
    cp -r "$2/." "$dir"
    addr_w=9
    left_out=t:crc32
    # The memory is left out, its words are free, unless its contents are what it is about. So are
    # the values of the CRC.
    memory='delete t:$mem*'
    if [ "$1" = order ] || [ "$1" = slots ]; then
        addr_w=5
        memory=memory_map
        left_out='t:crc32 t:frame_tx' # node_core.v assumes of frame_tx what window proves
        [ "$1" = order ] || left_out="$left_out t:ring_ingress t:ring_egress t:tx_arbiter t:tx_mux"
        sed -i 's/^endmodule/    (* keep *) wire [36*DEPTH-1:0] all;\
    genvar g;\
    generate for (g = 0; g < DEPTH; g = g + 1) begin : g_all\
        assign all[36*g +: 36] = mem[g];\
    end endgenerate\
endmodule/' "$dir/insert_buffer.v"
    fi
    core=node_core
    steps=$(induction "$1")
    [ "$1" != axil ] || core=axil_core
    [ "$1" != line ] || core=line_core
    [ "$1" != engine ] || core=engine_core
    [ "$1" != gateway ] || core=gateway_core
    if [ "$1" = elastic ]; then
        core=elastic_core
        # Clocks become enables, the words of the memory are free.
        for file in synchronizer clock_crossing elastic_buffer; do
            sed -i 's/always @(posedge \([a-z_]*\))/always @($global_clock) if (\1)/; /reg .* mem \[/d
                /mem\[wr_ptr/d; /assign rd_data .*mem\[/d' "$dir/$file.v"
        done
    fi
    {
        if [ "$1" = elastic ]; then
            echo "read_verilog -sv -formal testbench/formal/elastic_core.v"
            for file in synchronizer clock_crossing elastic_buffer; do echo "read_verilog -sv $dir/$file.v"; done
            echo "hierarchy -check -top elastic_core; proc; flatten"
        elif [ "$1" = line ]; then
            echo "read_verilog -sv -formal ${3:+-D ALONE} -Itestbench/assert testbench/formal/line_core.v testbench/assert/link_assert.sv"
            echo "read_verilog -sv $dir/link_rx.v"
            echo "hierarchy -check -top line_core; proc; flatten"
        elif [ "$1" = engine ]; then
            echo "read_verilog -sv -formal -I$dir/include -Itestbench/assert testbench/formal/engine_core.v testbench/assert/rx_sorter_assert.sv"
            for file in rx_sorter sync_engine engine_router engine_regs engine_mux lock_engine request_list barrier_engine; do
                echo "read_verilog -sv -I$dir/include $dir/$file.v"
            done
            echo "hierarchy -check -top engine_core; proc -norom"
            # Registers of the host, senders, lists and memories are free, but for the queue.
            echo "delete t:*engine_regs* t:*engine_mux* t:*request_list*"
            echo "memory_collect; memory_map *engine_router*; flatten; $memory"
        elif [ "$1" = gateway ]; then
            echo "read_verilog -sv -formal -I$dir/include testbench/formal/gateway_core.v"
            for file in window_gate window_tap window_inject; do echo "read_verilog -sv -I$dir/include $dir/$file.v"; done
            echo "hierarchy -check -top gateway_core; proc; flatten"
        elif [ "$1" = axil ]; then
            echo "read_verilog -sv -formal ${3:+-D ALONE} -I$dir/include -Itestbench/assert testbench/formal/axil_core.v testbench/assert/axil_assert.sv"
            echo "read_verilog -sv -I$dir/include $dir/axil_port.v"
            echo "hierarchy -check -top axil_core; proc; flatten"
        else
            echo "read_verilog -sv -formal -D OWN_IDLE=${own_idle:-1} -D PROVE_$(echo "$1" | tr a-z A-Z) -I$dir/include testbench/formal/node_core.v"
            for file in ring_ingress insert_buffer tx_arbiter tx_mux ring_egress frame_tx crc32; do
                echo "read_verilog -sv -I$dir/include $dir/$file.v"
            done
            echo "chparam -set ADDR_W $addr_w node_core"
            echo "hierarchy -check -top node_core; proc; delete $left_out"
            echo "memory_collect; flatten; $memory"
        fi
        wires "$1"
        echo "opt_clean; async2sync; dffunmap; opt_clean"
        echo "write_smt2 -wires $dir/core.smt2"
    } >"$dir/core.ys"
    if ! yosys -q "$dir/core.ys" >"$dir/log" 2>&1; then
        cat "$dir/log"
        return 2
    fi
    for kind in "-t $(base "$1")" "-i -t $steps"; do
        [ -z "${3:-}" ] || [ "$kind" = "-t $(base "$1")" ] || continue
        # shellcheck disable=SC2086
        if ! timeout 600 yosys-smtbmc -s z3 --unroll --noprogress $kind "$dir/core.smt2" >"$dir/log" 2>&1; then
            sed -n 's/.*Assert failed in '$core': \([^ ]*\).*/\1/p' "$dir/log"
            grep -q 'Status: FAILED' "$dir/log" || { tail -n 3 "$dir/log"; return 2; }
            return 1
        fi
    done
}

base() { # $1 set: steps checked from reset: k = 1 needs the first state behind it
    if [ "$1" = axil ] || [ "$1" = line ]; then echo 12; elif [ "$1" = engine ]; then echo 3; else echo 2; fi
}

induction() { # $1 set: steps of its induction; an assertion in a clocked block fails a step later
    if [ "$1" = axil ] || [ "$1" = line ] || [ "$1" = engine ]; then echo 2; else echo 1; fi
}

report() { # $1 set, $2 OWN_IDLE if it is not 1
    start=$(date +%s)
    own_idle=${2:-1}
    label=$1${2:+ with OWN_IDLE=$2}
    if why=$(prove "$1" hdl); then
        echo "$label: proved, base $(base "$1"), induction $(induction "$1"), $(($(date +%s) - start)) s"
    else
        echo "$label: NOT PROVED: $why"
        return 1
    fi
}

quick="overflow window tokens axil line gateway"
all=$quick
if [ "${1:-}" = long ]; then
    shift
    all="overflow window order slots tokens axil line gateway engine elastic"
fi
# The long one beside the others: two processes at a time.
sets=${*:-$all}
own_idle=1
for set_name in $sets; do
    [ "$set_name" != order ] || report order >"$work/order" &
done
for set_name in $sets; do
    [ "$set_name" = order ] || report "$set_name" || status=1
    case $set_name in overflow | window | tokens) report "$set_name" 2 || status=1 ;; esac
done
own_idle=1
wait
[ ! -s "$work/order" ] || { cat "$work/order"; ! grep -q NOT "$work/order" || status=1; }
[ $# -eq 0 ] || exit $status

# A broken variant: a file in $work/wrong says what is not as it must be.
refuted() { # $1 name, $2 set, $3 file, $4 edit
    broken="$work/broken-$1"
    cp -r hdl "$broken"
    sed -i "$4" "$broken/$3"
    code=0
    why=$(prove "$2" "$broken" alone) || code=$?
    echo 1 >"$work/tried/$1"
    [ $code -eq 1 ] || echo "broken $1: $2 gives $code, 1 expected: $why" >"$work/wrong/$1"
    # Of axil_assert and link_assert the assertion that the variant is named after has to fail.
    case $2 in axil | line) ;; *) return ;; esac
    printf '%s\n' "$why" | grep -Eqx "u_$2\.(g_[a-z0-9_]*\.)?${1%%.*}" ||
        echo "broken $1: u_$2.${1%%.*} expected, not: $why" >"$work/wrong/$1"
}

# name|set|file|sed command, two at a time
start=$(date +%s)
mkdir "$work/wrong" "$work/tried"
expected=0
# A sample of each quick set, as of the mutants: another one with each version.
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
sample() { # names, one a line
    while read -r name; do
        printf '%s %s\n' "$(printf '%s %s' "$version" "$name" | sha256sum | cut -d' ' -f1)" "$name"
    done | sort | head -n 2 | cut -d' ' -f2
}
for set_name in $all; do
    awk -F'|' -v of="$set_name" '$2 == of { print $1 }' testbench/formal/broken.txt |
        if [ "$all" = "$quick" ]; then sample; else cat; fi
done >"$work/chosen"
while IFS='|' read -r name set_name file edit; do
    case $name in '' | '#'*) continue ;; esac
    if sed "$edit" "hdl/$file" | cmp -s - "hdl/$file"; then
        echo "broken $name: the edit no longer matches $file" >"$work/wrong/$name"
        continue
    fi
    grep -Fqx "$name" "$work/chosen" || continue
    expected=$((expected + 1))
    refuted "$name" "$set_name" "$file" "$edit" &
    [ $((expected % 2)) -eq 1 ] || wait
done <testbench/formal/broken.txt
wait
count=$(cat "$work"/tried/* 2>/dev/null | grep -c 1) || true
for file in "$work"/wrong/*; do
    [ ! -f "$file" ] || { cat "$file"; status=1; }
done
# One that was neither tried nor found wrong has died.
[ "$count" -eq "$expected" ] || { echo "broken variants: $count of $expected tried"; status=1; }
echo "broken variants: $count tried, $(($(date +%s) - start)) s"
exit $status
