// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs one class of golden vectors on frame_rx (RX-1 to RX-8, LNK-4). Plusargs, sampling law and output:
// tb_common.vh.
//
// mode 0: exactly one idle word between frames. mode 1: pseudo-random idle words between frames and gaps
// inside them. mode 2: long idle between frames. Gaps of the vector (flag bit 2 of a word) are always there.
//
// Verdicts belong to the frames in their order. A beat belongs to the frame whose word 3, the first with
// Data, came last: no earlier word of the next frame can make a beat. When a vector fails, the design is
// reset and the run goes on with the next vector.
`default_nettype none

module tb_frame_rx;
    `include "tb_frame.vh"

    localparam integer VERDICT_LATENCY = 3;    // RX-3
    localparam integer BEATS_MAX = 256;        // RX-6
    localparam integer SETTLE = 12;            // cycles after its last word that a failing vector has

    reg [31:0] s_axis_tdata;
    reg [3:0] s_axis_tkeep;
    reg s_axis_tvalid;
    reg s_axis_tlast;
    reg s_axis_tuser;
    wire [31:0] m_axis_tdata;
    wire [3:0] m_axis_tkeep;
    wire m_axis_tvalid;
    wire m_axis_tlast;
    wire m_axis_tuser;
    wire m_hdr_valid;
    wire m_hdr_good;
    wire [3:0] m_hdr_check;
    wire m_hdr_monitor;
    wire [47:0] m_hdr_mac;
    wire [2:0] m_hdr_token;
    wire [4:0] m_hdr_c_st;
    wire [7:0] m_hdr_node_id;
    wire [3:0] m_hdr_multi_g;
    wire [3:0] m_hdr_act_seq;
    wire [7:0] m_hdr_packet_cnt;
    wire [31:0] m_hdr_addr;
    wire [10:0] m_hdr_len;

    frame_rx dut (
        .clk(clk), .rst(rst),
        .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep), .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tlast(s_axis_tlast), .s_axis_tuser(s_axis_tuser),
        .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep), .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser),
        .m_hdr_valid(m_hdr_valid), .m_hdr_good(m_hdr_good), .m_hdr_check(m_hdr_check),
        .m_hdr_monitor(m_hdr_monitor), .m_hdr_mac(m_hdr_mac), .m_hdr_token(m_hdr_token),
        .m_hdr_c_st(m_hdr_c_st), .m_hdr_node_id(m_hdr_node_id), .m_hdr_multi_g(m_hdr_multi_g),
        .m_hdr_act_seq(m_hdr_act_seq), .m_hdr_packet_cnt(m_hdr_packet_cnt), .m_hdr_addr(m_hdr_addr),
        .m_hdr_len(m_hdr_len)
    );

    // Positions in `order`: frame on the link and its next word, verdict due next, frame the beats are of.
    integer link_p;
    integer link_w;
    integer verdict_p;
    integer beat_p;
    integer idle_left;
    reg gap_done;
    reg sending;                               // frames may be sent
    reg word_sent;
    integer run_from;

    integer t_last [0:MAX_VECTORS-1];          // cycle of the last word, -1 before it
    integer beats;                             // of frame beat_p
    reg open;                                  // beats without tlast yet
    reg closed;                                // tlast seen
    reg closed_now;
    reg quiet;
    reg header_seen;                           // of the failing vector
    string header_line;

    reg [38:0] s;                              // word on the link
    reg [36:0] e;
    reg [31:0] mask;

    task forget(input integer p);
        integer i;
        begin
            link_p = p;
            link_w = 0;
            verdict_p = p;
            beat_p = -1;
            run_from = p;
            idle_left = 0;
            gap_done = 1'b0;
            beats = 0;
            open = 1'b0;
            closed = 1'b0;
            found_n = 0;
            header_seen = 1'b0;
            for (i = p; i < count; i = i + 1) t_last[i] = -1;
        end
    endtask

    // ------------------------------------------------------------------ inputs, just after the edge
    task drive;
        reg [31:0] noise;
        begin
            next_random;
            noise = junk(rnd);
            word_sent = 1'b0;
            if (idle_left > 0) idle_left = idle_left - 1;
            else if (sending && link_p < count && (fail_at < 0 || link_p <= fail_at)) begin
                s = wire_mem[wire_base[link_p] + link_w][38:0];
                if (s[38] && !gap_done) gap_done = 1'b1; // RX-1
                else word_sent = !(mode == 1 && link_w > 0 && rnd[10:8] == 3'd0);
            end
            s_axis_tvalid = word_sent;
            if (word_sent) begin
                s_axis_tdata = lanes(s[31:0], s[35:32], noise);
                s_axis_tkeep = s[35:32];
                s_axis_tlast = s[36];
                // LNK-4: M on the first word, abort on the last, nothing in between.
                if (s[36]) s_axis_tuser = s[37];
                else if (link_w == 0) s_axis_tuser = fields[order[link_p]][210];
                else s_axis_tuser = noise[11];
                gap_done = 1'b0;
            end else begin
                s_axis_tdata = noise;
                s_axis_tkeep = noise[7:4];
                s_axis_tlast = noise[9];
                s_axis_tuser = noise[10];
            end
        end
    endtask

    // After the comparison: the link moves on.
    task advance;
        begin
            if (word_sent) begin
                link_w = link_w + 1;
                if (link_w == v_wire_words(link_p)) begin
                    link_w = 0;
                    link_p = link_p + 1;
                    next_random;
                    case (mode)
                        0: idle_left = 1;
                        1: idle_left = (rnd[1:0] == 2'd0) ? 1 : 1 + {28'd0, rnd[7:4]};
                        default: idle_left = 100;
                    endcase
                end
            end
        end
    endtask

    // ------------------------------------------------------------ outputs, just before the next edge
    task check;
        begin
            // RX-8: no valid is ever unknown once reset has acted.
            if ((^{m_axis_tvalid, m_hdr_valid}) === 1'bx) begin
                fail_note(verdict_p < count ? verdict_p : count - 1);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=x at=%0d expected=known found=tvalid:%b,hdr_valid:%b",
                             order[fail_at], beats, m_axis_tvalid, m_hdr_valid);
            end
            if (quiet && (m_axis_tvalid !== 1'b0 || m_hdr_valid !== 1'b0)) begin // RX-8
                fail_note(run_from);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=reset at=%0d expected=0 found=tvalid:%b,hdr_valid:%b",
                             order[fail_at], cycle, m_axis_tvalid, m_hdr_valid);
            end
            if (word_sent && link_w == 3) begin
                beats_over;
                beat_p = link_p;
                beats = 0;
                open = 1'b0;
                closed = 1'b0;
                if (fail_at < 0) found_n = 0;
            end
            if (word_sent && link_w == v_wire_words(link_p) - 1) t_last[link_p] = cycle;
            check_beat;
            check_verdict;
            advance;
        end
    endtask

    // RX-6: what went out of a frame has been ended.
    task beats_over;
        begin
            if (open) begin
                fail_note(beat_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=payload at=%0d expected=tlast found=no_tlast",
                             order[fail_at], beats);
                open = 1'b0;
            end
        end
    endtask

    task check_beat;
        begin
            closed_now = 1'b0;
            if (m_axis_tvalid === 1'b1 && !quiet) begin
                if (beat_p < 0 || closed) begin
                    fail_note(beat_p < 0 ? run_from : beat_p);
                    if (fail_print)
                        $display("FAIL module=frame_rx index=%0d kind=extra_word at=%0d expected=no_beat found=%h_%h_%h",
                                 order[fail_at], beats, {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                end else begin
                    if (beat_p == fail_at || fail_at < 0)
                        keep_found({2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                    if (v_check(beat_p) == 8'd0) compare_beat;
                    else check_bad_beat;
                    beats = beats + 1;
                    open = m_axis_tlast !== 1'b1;
                    closed = !open;
                    closed_now = closed;
                end
            end
        end
    endtask

    // RX-2, RX-6: the beats of a good frame.
    task compare_beat;
        begin
            if (beats >= v_rx_words(beat_p)) begin
                fail_note(beat_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=extra_word at=%0d expected=end found=%h_%h_%h",
                             order[beat_p], beats, {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
            end else begin
                e = pay_mem[pay_base[beat_p] + beats][36:0];
                mask = lane_mask(e[35:32]);
                if (m_axis_tlast !== e[36] || m_axis_tuser !== 1'b0 || m_axis_tkeep !== e[35:32]
                    || (m_axis_tdata & mask) !== (e[31:0] & mask)) begin
                    fail_note(beat_p);
                    if (fail_print)
                        $display("FAIL module=frame_rx index=%0d kind=word at=%0d expected=%h_%h_%h found=%h_%h_%h",
                                 order[beat_p], beats, {3'b000, e[36]}, e[35:32], e[31:0],
                                 {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                end
            end
        end
    endtask

    // RX-6: of a bad frame at most 256 beats, tuser 1 on the last and only there.
    task check_bad_beat;
        begin
            if (beats == BEATS_MAX) begin
                fail_note(beat_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=extra_word at=%0d expected=at_most_%0d_beats found=%h_%h_%h",
                             order[beat_p], beats, BEATS_MAX, {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
            end
            if ((^{m_axis_tlast, m_axis_tuser}) === 1'bx || m_axis_tlast !== m_axis_tuser) begin
                fail_note(beat_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=abort at=%0d expected=tuser_with_tlast found=tlast:%b,tuser:%b",
                             order[beat_p], beats, m_axis_tlast, m_axis_tuser);
            end
        end
    endtask

    // RX-5: the ports of the verdict keep their values until the next one.
    wire [128:0] verdict_ports = {m_hdr_good, m_hdr_check, m_hdr_monitor, m_hdr_mac, m_hdr_token, m_hdr_c_st,
                                  m_hdr_node_id, m_hdr_multi_g, m_hdr_act_seq, m_hdr_packet_cnt, m_hdr_addr,
                                  m_hdr_len};
    reg [128:0]  kept;
    reg          keeping = 1'b0;               // not across a reset
    task check_kept;
        begin
            if (rst) keeping = 1'b0;
            else if (m_hdr_valid === 1'b1) begin
                keeping = 1'b1;
                kept = verdict_ports;
            end else if (keeping && verdict_ports !== kept) begin
                keeping = 1'b0;
                i_kept = (verdict_p > 0) ? verdict_p - 1 : 0;
                fail_note(i_kept);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=kept at=0 expected=%h found=%h",
                             order[i_kept], kept, verdict_ports);
            end
        end
    endtask
    integer i_kept;

    task check_verdict;
        begin
            check_kept;
            if (m_hdr_valid === 1'b1 && !quiet) begin
                if (verdict_p >= count || t_last[verdict_p] < 0) begin
                    // RX-3: exactly one verdict a frame, and none before its last word.
                    fail_note(verdict_p >= count ? count - 1 : verdict_p);
                    if (fail_print)
                        $display("FAIL module=frame_rx index=%0d kind=verdict at=0 expected=none_before_the_last_word found=%h",
                                 order[fail_at], m_hdr_check);
                end else begin
                    compare_verdict;
                    verdict_p = verdict_p + 1;
                end
            end else if (verdict_p < count && t_last[verdict_p] >= 0
                         && cycle - t_last[verdict_p] >= VERDICT_LATENCY) begin // RX-3
                fail_note(verdict_p);
                if (fail_print && lines == 1)
                    $display("FAIL module=frame_rx index=%0d kind=timeout at=0 expected=verdict found=none_in_%0d_cycles",
                             order[verdict_p], VERDICT_LATENCY);
            end
        end
    endtask

    task field(input string name, input [47:0] expected, input [47:0] got);
        begin
            if (got !== expected) begin
                fail_note(verdict_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=field:%0s at=0 expected=%h found=%h",
                             order[verdict_p], name, expected, got);
            end
        end
    endtask

    // RX-4 for every frame; RX-5, FRM-1, FRM-2, FRM-6 for a good one.
    task compare_verdict;
        reg good;
        begin
            good = v_check(verdict_p) == 8'd0;
            if (m_hdr_check !== fields[order[verdict_p]][203:200] || m_hdr_good !== good) begin
                fail_note(verdict_p);
                if (fail_print)
                    $display("FAIL module=frame_rx index=%0d kind=check at=0 expected=%0d found=%0d,good:%b",
                             order[verdict_p], v_check(verdict_p), m_hdr_check, m_hdr_good);
            end
            if (good) begin
                field("monitor", {47'd0, fields[order[verdict_p]][210]}, {47'd0, m_hdr_monitor});
                field("mac", fields[order[verdict_p]][191:144], m_hdr_mac);
                field("token", {45'd0, fields[order[verdict_p]][138:136]}, {45'd0, m_hdr_token});
                field("c_st", {43'd0, fields[order[verdict_p]][132:128]}, {43'd0, m_hdr_c_st});
                field("node_id", {40'd0, fields[order[verdict_p]][127:120]}, {40'd0, m_hdr_node_id});
                field("multi_g", {44'd0, fields[order[verdict_p]][119:116]}, {44'd0, m_hdr_multi_g});
                field("act_seq", {44'd0, fields[order[verdict_p]][115:112]}, {44'd0, m_hdr_act_seq});
                field("packet_cnt", {40'd0, fields[order[verdict_p]][111:104]}, {40'd0, m_hdr_packet_cnt});
                field("addr", {16'd0, fields[order[verdict_p]][103:72]}, {16'd0, m_hdr_addr});
                field("len", {37'd0, fields[order[verdict_p]][58:48]}, {37'd0, m_hdr_len});
                // RX-3: the verdict of a good frame comes with its last beat.
                if (beat_p != verdict_p || !closed_now) begin
                    fail_note(verdict_p);
                    if (fail_print)
                        $display("FAIL module=frame_rx index=%0d kind=verdict at=%0d expected=with_tlast found=without",
                                 order[verdict_p], beats);
                end
                if (beat_p == verdict_p && beats < v_rx_words(verdict_p)) begin // RX-2
                    fail_note(verdict_p);
                    if (fail_print)
                        $display("FAIL module=frame_rx index=%0d kind=missing_word at=%0d expected=%0d_beats found=%0d_beats",
                                 order[verdict_p], beats, v_rx_words(verdict_p), beats);
                end
            end
            if (!header_seen && (fail_at < 0 || fail_at == verdict_p)) begin
                header_seen = fail_at >= 0;
                header_line = $sformatf("good=%b check=%h monitor=%b mac=%h token=%h c_st=%h node_id=%h multi_g=%h act_seq=%h packet_cnt=%h addr=%h len=%h",
                    m_hdr_good, m_hdr_check, m_hdr_monitor, m_hdr_mac, m_hdr_token, m_hdr_c_st, m_hdr_node_id,
                    m_hdr_multi_g, m_hdr_act_seq, m_hdr_packet_cnt, m_hdr_addr, m_hdr_len);
            end
        end
    endtask

    // ------------------------------------------------------------------------------------ sequence
    // Each of these tasks is called from one place: Verilator copies a task to every call, and the C++
    // of a dozen copies takes minutes to compile. A delay follows every trigger, so nothing races.
    event drives, checks, advances;
    initial forever @(drives) drive;
    initial forever @(checks) check;
    initial forever @(advances) advance;

    task step(input compare);
        begin
            clk = 1'b1;
            #1;
            -> drives;
            #4 clk = 1'b0;
            #4;
            if (compare) -> checks;
            else -> advances;
            #1;
            cycle = cycle + 1;
        end
    endtask

    // Words may go on while rst is high: they are no frame (RX-8).
    // One cycle long in turn with two.
    reg long_reset;
    task reset(input integer p);
        integer i;
        begin
            clk = 1'b1;
            #1;
            rst = 1'b1;
            -> drives;
            #4 clk = 1'b0;
            #5;
            cycle = cycle + 1;
            sending = 1'b0;
            forget(p);
            quiet = 1'b1;
            if (long_reset) step(1'b1);        // RX-8: quiet from the next cycle on
            clk = 1'b1;
            #1;
            rst = 1'b0;
            -> drives;
            #4 clk = 1'b0;
            #4;
            -> checks;
            #1;
            cycle = cycle + 1;
            for (i = 0; i < 6; i = i + 1) step(1'b1);
            quiet = 1'b0;
            long_reset = !long_reset;
        end
    endtask

    // RX-8: cuts the vector at `p` by a reset after some words, and looks whether a trace is left.
    task cut(input integer p, input integer words);
        integer n;
        begin
            forget(p);
            sending = 1'b1;
            n = 0;
            while (n < words && link_p == p) begin
                step(1'b0);
                if (word_sent) n = n + 1;
            end
            if (link_p != p) begin             // the frame is over: its verdict is cut
                idle_left = 1000;
                for (n = words; n > v_wire_words(p); n = n - 1) step(1'b0);
            end
            reset(0);
        end
    endtask

    integer i;
    integer idle;
    initial begin
        read_plusargs;
        load(1'b0);
        sending = 1'b0;
        quiet = 1'b0;
        long_reset = 1'b1;
        header_line = "";
        forget(0);
        if (count > 0) begin
            reset(0);
            // After 1, 2, 5, 9 words, before and after the last word, 1 and 2 cycles later. The last
            // cut is inside a frame, so that the first vector meets what it left.
            for (i = 35; i >= 0 && fail_at < 0; i = i - 1)
                cut((i / 9) % count, (i % 9 == 0) ? 1 : (i % 9 == 1) ? 2 : (i % 9 == 2) ? 5
                    : (i % 9 == 3) ? 9 : v_wire_words((i / 9) % count) + i % 9 - 6);
            if (fail_at < 0) dump_waves;
            sending = 1'b1;
            idle = 0;
            while (idle < 12 && failed < max_failed) begin
                step(1'b1);
                if (fail_at < 0 && link_p == count && idle == 11) beats_over;
                if (fail_at >= 0) begin
                    if ((link_p > fail_at && t_last[fail_at] >= 0 && cycle - t_last[fail_at] > SETTLE)
                        || cycle - fail_cycle > 20000) begin
                        report_found;
                        i = fail_at + 1;
                        fail_at = -1;
                        lines = 0;
                        sending = 1'b0;
                        reset(i);
                        sending = 1'b1;
                        idle = 0;
                    end
                end else
                    idle = (link_p == count && verdict_p == count) ? idle + 1 : 0;
            end
            if (fail_at >= 0) report_found;
        end
        $display("%h RESULT module=frame_rx mode=%0d vectors=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, mode, count, failed);
        $finish;
    end

    task report_found;
        begin
            dump_found;
            if (header_seen) $display("HEADER index=%0d %0s", order[fail_at], header_line);
        end
    endtask
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
