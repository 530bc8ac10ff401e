// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs one class of golden vectors on frame_tx (TX-1 to TX-9, LNK-2, LNK-3). Plusargs, sampling law and
// output: tb_common.vh.
//
// mode 0: headers and payload always wait, so between two good frames lies exactly one idle word (TX-2).
// mode 1: pseudo-random delays before headers, and gaps in payload that is dropped (TX-7, TX-8).
// mode 2: the next header comes long after everything of the former one is over.
//
// Payload of all vectors stands on s_axis one beat after another, from before the header on. A beat with
// flag bit 2 is withheld until one cycle in which tready was high and the beat was missing has passed.
// A word on the link belongs to the header taken last. When a vector fails, the design is reset and the
// run goes on with the next vector.
`default_nettype none

module tb_frame_tx;
    `include "tb_frame.vh"

    localparam integer STATUS_LATENCY = 2;     // TX-6
    localparam integer WORD_LATENCY = 2;       // TX-1
    localparam integer HANG = 3000;            // cycles without progress
    localparam integer SETTLE = 700;           // cycles a failing vector has to end

    reg s_hdr_valid;
    wire s_hdr_ready;
    reg [47:0] s_hdr_mac;
    reg [2:0] s_hdr_token;
    reg [4:0] s_hdr_c_st;
    reg [7:0] s_hdr_node_id;
    reg [3:0] s_hdr_multi_g;
    reg [3:0] s_hdr_act_seq;
    reg [7:0] s_hdr_packet_cnt;
    reg [31:0] s_hdr_addr;
    reg [10:0] s_hdr_len;
    reg [31:0] s_axis_tdata;
    reg [3:0] s_axis_tkeep;
    reg s_axis_tvalid;
    wire s_axis_tready;
    reg s_axis_tlast;
    wire [31:0] m_axis_tdata;
    wire [3:0] m_axis_tkeep;
    wire m_axis_tvalid;
    wire m_axis_tlast;
    wire m_axis_tuser;
    wire status_valid;
    wire [2:0] status_error;

    frame_tx dut (
        .clk(clk), .rst(rst),
        .s_hdr_valid(s_hdr_valid), .s_hdr_ready(s_hdr_ready), .s_hdr_mac(s_hdr_mac),
        .s_hdr_token(s_hdr_token), .s_hdr_c_st(s_hdr_c_st), .s_hdr_node_id(s_hdr_node_id),
        .s_hdr_multi_g(s_hdr_multi_g), .s_hdr_act_seq(s_hdr_act_seq),
        .s_hdr_packet_cnt(s_hdr_packet_cnt), .s_hdr_addr(s_hdr_addr), .s_hdr_len(s_hdr_len),
        .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep), .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready), .s_axis_tlast(s_axis_tlast),
        .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep), .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser),
        .status_valid(status_valid), .status_error(status_error)
    );

    // Positions in `order`: header offered next, payload offered next and its beat, verdict due next.
    integer hdr_p;
    integer pay_p;
    integer pay_k;
    integer status_p;
    integer hdr_wait;
    integer hdr_offered;                       // cycle since which the header is offered
    reg missed;                                // the withheld beat was missing in its cycle
    reg presenting;                            // headers may be offered

    // Per vector: cycle in which the header was taken, of its first and last word, in which its verdict
    // is due at the latest (-1: not yet known).
    integer t_hdr [0:MAX_VECTORS-1];
    integer t_first [0:MAX_VECTORS-1];
    integer t_last [0:MAX_VECTORS-1];
    integer t_due [0:MAX_VECTORS-1];

    integer word_i;                            // next word of the frame on the link
    reg in_frame;
    integer frame_p;                           // position of that frame
    integer found_p;                           // position of the frame whose words are kept
    integer last_word_cycle;                   // of any frame; -10 none
    integer beat_offset;                       // first word's cycle + 3 - cycle of beat 0
    integer run_from;                          // first position since the last reset

    reg hdr_taken;
    reg beat_taken;
    reg quiet;                                 // nothing may come out (reset checks)

    reg [38:0] e;
    reg [31:0] mask;
    integer d;

    // First payload beat of a cut frame that is not taken on time: the one its last word replaces (TX-7).
    function integer regular_beats(input integer p);
        if (v_status(p) == 8'd0) regular_beats = v_tx_words(p);
        else if (v_wire_words(p) == 0) regular_beats = 0;
        else regular_beats = v_wire_words(p) - 4;
    endfunction

    task forget(input integer p);
        integer i;
        begin
            hdr_p = p;
            pay_p = p;
            pay_k = 0;
            status_p = p;
            run_from = p;
            hdr_wait = 0;
            hdr_offered = cycle;
            missed = 1'b0;
            in_frame = 1'b0;
            word_i = 0;
            frame_p = -1;
            last_word_cycle = -10;
            found_n = 0;
            found_p = -1;
            for (i = p; i < count; i = i + 1) begin
                t_hdr[i] = -1;
                t_first[i] = -1;
                t_last[i] = -1;
                t_due[i] = -1;
            end
        end
    endtask

    // ------------------------------------------------------------------ inputs, just after the edge
    task drive;
        reg [31:0] noise;
        begin
            next_random;
            noise = junk(rnd);
            while (pay_p < count && v_tx_words(pay_p) == 0) pay_p = pay_p + 1;
            s_hdr_valid = presenting && hdr_p < count && hdr_wait == 0 && fail_at < 0;
            if (mode == 2 && hdr_wait == 0 && hdr_p > run_from && status_p < hdr_p) s_hdr_valid = 1'b0;
            if (hdr_wait > 0 && !(mode == 2 && status_p < hdr_p)) hdr_wait = hdr_wait - 1;
            if (s_hdr_valid)
                {s_hdr_mac, s_hdr_token, s_hdr_c_st, s_hdr_node_id, s_hdr_multi_g, s_hdr_act_seq,
                 s_hdr_packet_cnt, s_hdr_addr, s_hdr_len} =
                    {fields[order[hdr_p]][191:144], fields[order[hdr_p]][138:136],
                     fields[order[hdr_p]][132:128], fields[order[hdr_p]][127:72],
                     fields[order[hdr_p]][58:48]};
            else begin
                s_hdr_mac = {noise, noise[15:0]};
                s_hdr_token = noise[2:0];
                s_hdr_c_st = noise[7:3];
                s_hdr_node_id = noise[15:8];
                s_hdr_multi_g = noise[19:16];
                s_hdr_act_seq = noise[23:20];
                s_hdr_packet_cnt = noise[31:24];
                s_hdr_addr = ~noise;
                s_hdr_len = noise[10:0];
            end
            s_axis_tvalid = 1'b0;
            if (presenting && pay_p < count) begin
                e = pay_mem[pay_base[pay_p] + pay_k][38:0];
                s_axis_tvalid = !e[38] || missed;
                // Beats that are only dropped may come with gaps (TX-7, TX-8).
                if (mode == 1 && pay_p < hdr_p && v_status(pay_p) != 8'd0 && pay_k > regular_beats(pay_p)
                    && rnd[9:8] == 2'd0) s_axis_tvalid = 1'b0;
            end
            if (s_axis_tvalid) begin
                s_axis_tdata = lanes(e[31:0], e[35:32], noise);
                s_axis_tkeep = e[35:32];
                s_axis_tlast = e[36];
            end else begin
                s_axis_tdata = noise;
                s_axis_tkeep = noise[7:4];
                s_axis_tlast = noise[9];
            end
        end
    endtask

    // ------------------------------------------------------------ outputs, just before the next edge
    task check;
        begin
            // TX-9: no valid or ready is ever unknown once reset has acted.
            if ((^{s_hdr_ready, s_axis_tready, m_axis_tvalid, status_valid}) === 1'bx) begin
                fail_note(hdr_p > run_from ? hdr_p - 1 : run_from);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=x at=%0d expected=known found=hdr_ready:%b,tready:%b,tvalid:%b,status_valid:%b",
                             order[fail_at], word_i, s_hdr_ready, s_axis_tready, m_axis_tvalid, status_valid);
            end
            if (quiet && (m_axis_tvalid !== 1'b0 || status_valid !== 1'b0)) begin // TX-9
                fail_note(run_from);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=reset at=%0d expected=0 found=tvalid:%b,status_valid:%b",
                             order[fail_at], cycle, m_axis_tvalid, status_valid);
            end
            check_header;
            check_payload;
            check_word;
            check_status;
            check_deadlines;
        end
    endtask

    task check_header;
        begin
            hdr_taken = s_hdr_valid && s_hdr_ready === 1'b1;
            if (hdr_taken) begin
                t_hdr[hdr_p] = cycle;
                // TX-1, LNK-3: a header is taken when the former frame is at its end, not before.
                if (hdr_p > run_from && v_wire_words(hdr_p - 1) > 0 && t_first[hdr_p - 1] < 0) begin
                    fail_note(hdr_p - 1);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=missing_word at=0 expected=%0d_words found=next_header_taken",
                                 order[hdr_p - 1], v_wire_words(hdr_p - 1));
                end
                // TX-8: with nothing to drain a refused header's verdict counts from the header.
                if (v_wire_words(hdr_p) == 0 && v_tx_words(hdr_p) == 0) t_due[hdr_p] = cycle + STATUS_LATENCY;
                hdr_p = hdr_p + 1;
                hdr_offered = cycle + 1;
                next_random;
                case (mode)
                    0: hdr_wait = 0;
                    1: hdr_wait = (rnd[1:0] == 2'd0) ? 0 : (rnd[1:0] == 2'd1) ? {24'd0, rnd[15:8]}
                                                                         : {28'd0, rnd[11:8]};
                    default: hdr_wait = 40;
                endcase
            end else if (!s_hdr_valid)
                hdr_offered = cycle;
        end
    endtask

    task check_payload;
        begin
            beat_taken = s_axis_tvalid && s_axis_tready === 1'b1;
            if (!s_axis_tvalid && s_axis_tready === 1'b1 && pay_p < count && pay_p < hdr_p) missed = 1'b1;
            if (beat_taken) begin
                if (pay_p >= hdr_p) begin // TX-4, TX-5: no beat without its header
                    fail_note(hdr_p > run_from ? hdr_p - 1 : run_from);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=payload at=%0d expected=no_beat_taken found=beat_taken",
                                 order[fail_at], pay_k);
                end else if (pay_k < regular_beats(pay_p)) begin // TX-5: taken as its word is made
                    d = (t_first[pay_p] < 0) ? -1 : t_first[pay_p] + 3 + pay_k - cycle;
                    if (pay_k == 0) beat_offset = d;
                    if (d < 0 || d > 2 || d != beat_offset) begin
                        fail_note(pay_p);
                        if (fail_print)
                            $display("FAIL module=frame_tx index=%0d kind=payload at=%0d expected=beat_taken_with_word_%0d found=%0d_cycles_before_it",
                                     order[pay_p], pay_k, pay_k + 3, d);
                    end
                end
                missed = 1'b0;
                pay_k = pay_k + 1;
                if (pay_k == v_tx_words(pay_p)) begin
                    if (pay_p < hdr_p && v_wire_words(pay_p) == 0) t_due[pay_p] = cycle + STATUS_LATENCY; // TX-6, TX-8
                    pay_k = 0;
                    pay_p = pay_p + 1;
                end
            end
        end
    endtask

    task check_word;
        begin
            if (m_axis_tvalid === 1'b1) begin
                if (!in_frame) start_frame;
                if (frame_p >= 0) begin
                    if (frame_p == fail_at || fail_at < 0)
                        keep_found({2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                    compare_word;
                end
                word_i = word_i + 1;
                if (m_axis_tlast === 1'b1) begin
                    in_frame = 1'b0;
                    last_word_cycle = cycle;
                    if (frame_p >= 0) end_frame;
                end
            end else if (in_frame) begin // LNK-3, TX-1: one word a cycle until the frame ends
                fail_note(frame_p < 0 ? run_from : frame_p);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=idle at=%0d expected=word found=idle_inside_the_frame",
                             order[fail_at], word_i);
                in_frame = 1'b0;
                if (frame_p >= 0) t_last[frame_p] = cycle;
            end
        end
    endtask

    task start_frame;
        begin
            in_frame = 1'b1;
            word_i = 0;
            frame_p = hdr_p - 1;
            if (hdr_taken) frame_p = hdr_p - 2; // a word in the cycle of the header is not that header's
            if (frame_p < run_from || t_first[frame_p] >= 0 || v_wire_words(frame_p) == 0) begin
                // TX-8: nothing is sent for a refused header; TX-6: one frame a header.
                fail_note(frame_p < run_from ? run_from : frame_p);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=extra_word at=0 expected=idle found=%h_%h_%h",
                             order[fail_at], {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                frame_p = -1;
            end else begin
                t_first[frame_p] = cycle;
                if (fail_at < 0) begin
                    found_n = 0;
                    found_p = frame_p;
                end
                if (cycle - t_hdr[frame_p] > WORD_LATENCY) begin // TX-1
                    fail_note(frame_p);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=latency at=0 expected=%0d found=%0d",
                                 order[frame_p], WORD_LATENCY, cycle - t_hdr[frame_p]);
                end
                d = cycle - last_word_cycle - 1;
                if (d < 1) begin // LNK-3: at least one idle word
                    fail_note(frame_p);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=idle at=0 expected=1 found=%0d",
                                 order[frame_p], d);
                end
                // TX-2: no more than one, while headers and payload wait.
                if (mode == 0 && frame_p > run_from && v_status(frame_p - 1) == 8'd0
                    && t_last[frame_p - 1] >= 0 && d != 1) begin
                    fail_note(frame_p);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=idle at=0 expected=1 found=%0d",
                                 order[frame_p], d);
                end
            end
        end
    endtask

    // TX-3, TX-5, TX-7, FRM-1, FRM-2, FRM-5, FRM-6, FRM-10, FCS-1, LNK-2: the words are those of the vector.
    task compare_word;
        begin
            if (word_i >= v_wire_words(frame_p)) begin
                fail_note(frame_p);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=extra_word at=%0d expected=end found=%h_%h_%h",
                             order[frame_p], word_i, {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
            end else begin
                e = wire_mem[wire_base[frame_p] + word_i][38:0];
                mask = lane_mask(e[35:32]);
                if ({m_axis_tuser, m_axis_tlast} !== e[37:36] || m_axis_tkeep !== e[35:32]
                    || (m_axis_tdata & mask) !== (e[31:0] & mask)) begin
                    fail_note(frame_p);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=word at=%0d expected=%h_%h_%h found=%h_%h_%h",
                                 order[frame_p], word_i, {2'b00, e[37:36]}, e[35:32], e[31:0],
                                 {2'b00, m_axis_tuser, m_axis_tlast}, m_axis_tkeep, m_axis_tdata);
                end
            end
        end
    endtask

    task end_frame;
        begin
            t_last[frame_p] = cycle;
            t_due[frame_p] = cycle + STATUS_LATENCY;
            if (word_i != v_wire_words(frame_p)) begin // TX-3
                fail_note(frame_p);
                if (fail_print && word_i < v_wire_words(frame_p))
                    $display("FAIL module=frame_tx index=%0d kind=missing_word at=%0d expected=%0d_words found=%0d_words",
                             order[frame_p], word_i, v_wire_words(frame_p), word_i);
            end
            // TX-4, TX-5: a good frame has taken all of its payload.
            if (v_status(frame_p) == 8'd0 && v_tx_words(frame_p) > 0 && pay_p <= frame_p) begin
                fail_note(frame_p);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=payload at=%0d expected=%0d_beats_taken found=%0d",
                             order[frame_p], pay_k, v_tx_words(frame_p), pay_k);
            end
        end
    endtask

    // TX-6: one verdict for each header, in order, on time.
    task check_status;
        begin
            if (status_valid === 1'b1) begin
                if (status_p >= hdr_p || (hdr_taken && status_p == hdr_p - 1)) begin
                    fail_note(hdr_p > run_from ? hdr_p - 1 : run_from);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=status at=0 expected=no_verdict found=%0d",
                                 order[fail_at], status_error);
                end else begin
                    if (status_error !== fields[order[status_p]][194:192]) begin
                        fail_note(status_p);
                        if (fail_print)
                            $display("FAIL module=frame_tx index=%0d kind=status at=0 expected=%0d found=%0d",
                                     order[status_p], v_status(status_p), status_error);
                    end
                    if (v_wire_words(status_p) > 0 && t_first[status_p] < 0) begin
                        fail_note(status_p);
                        if (fail_print)
                            $display("FAIL module=frame_tx index=%0d kind=missing_word at=0 expected=%0d_words found=verdict_%0d",
                                     order[status_p], v_wire_words(status_p), status_error);
                    end
                    status_p = status_p + 1;
                end
            end
        end
    endtask

    task check_deadlines;
        begin
            if (status_p < hdr_p) begin
                if (t_due[status_p] >= 0 && cycle >= t_due[status_p]) begin // TX-6
                    fail_note(status_p);
                    if (fail_print && lines == 1)
                        $display("FAIL module=frame_tx index=%0d kind=latency at=0 expected=verdict found=none_in_%0d_cycles",
                                 order[status_p], STATUS_LATENCY);
                end else if (t_hdr[status_p] >= 0 && cycle - t_hdr[status_p] > HANG) begin
                    fail_note(status_p);
                    if (fail_print)
                        $display("FAIL module=frame_tx index=%0d kind=timeout at=%0d expected=verdict found=none",
                                 order[status_p], word_i);
                end
            end
            // TX-1: the first word is due 2 cycles after the header.
            if (hdr_p > run_from && v_wire_words(hdr_p - 1) > 0 && t_first[hdr_p - 1] < 0
                && cycle - t_hdr[hdr_p - 1] == WORD_LATENCY + 1) begin
                fail_note(hdr_p - 1);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=latency at=0 expected=%0d found=no_word",
                             order[hdr_p - 1], WORD_LATENCY);
            end
            if (s_hdr_valid && cycle - hdr_offered > HANG) begin
                fail_note(hdr_p);
                if (fail_print)
                    $display("FAIL module=frame_tx index=%0d kind=timeout at=0 expected=header_taken found=s_hdr_ready:%b",
                             order[hdr_p], s_hdr_ready);
            end
        end
    endtask

    // ------------------------------------------------------------------------------------ sequence
    // Each of these tasks is called from one place: Verilator copies a task to every call, and the C++
    // of a dozen copies takes minutes to compile. A delay follows every trigger, so nothing races.
    event drives, checks;
    initial forever @(drives) drive;
    initial forever @(checks) check;

    task step(input compare);
        begin
            clk = 1'b1;
            #1;
            -> drives;
            #4 clk = 1'b0;
            #4;
            if (compare) -> checks;
            #1;
            cycle = cycle + 1;
        end
    endtask

    // One cycle long in turn with two.
    reg long_reset;
    task reset(input integer p);
        begin
            presenting = 1'b0;
            clk = 1'b1;
            #1;
            rst = 1'b1;
            -> drives;
            #4 clk = 1'b0;
            #5;
            cycle = cycle + 1;
            forget(p);
            quiet = 1'b1;
            if (long_reset) step(1'b1);        // TX-9: quiet from the next cycle on
            clk = 1'b1;
            #1;
            rst = 1'b0;
            -> drives;
            #4 clk = 1'b0;
            #4;
            -> checks;
            #1;
            cycle = cycle + 1;
            for (d_i = 0; d_i < 6; d_i = d_i + 1) step(1'b1); // TX-9: and until a header is taken
            quiet = 1'b0;
            long_reset = !long_reset;
        end
    endtask
    integer d_i;

    // TX-9: cuts the vector at `p` by a reset `after` cycles, and looks whether a trace is left.
    task cut(input integer p, input integer after);
        integer i;
        begin
            forget(p);
            presenting = 1'b1;
            for (i = 0; i < after; i = i + 1) begin
                step(1'b0);
                hdr_taken = s_hdr_valid && s_hdr_ready === 1'b1;
                if (hdr_taken) hdr_p = count;  // no second header
                if (s_axis_tvalid && s_axis_tready === 1'b1) begin
                    pay_k = pay_k + 1;
                    if (pay_k == v_tx_words(pay_p)) begin
                        pay_k = 0;
                        pay_p = count;
                    end
                end
            end
            reset(0);
        end
    endtask

    integer i;
    integer idle;
    initial begin
        read_plusargs;
        load(1'b1);
        presenting = 1'b0;
        quiet = 1'b0;
        long_reset = 1'b1;
        beat_offset = 0;
        hdr_taken = 1'b0;
        beat_taken = 1'b0;
        forget(0);
        if (count > 0) begin
            reset(0);
            for (i = 0; i < 100 && fail_at < 0; i = i + 1) cut((i / 25) % count, 1 + i % 25);
            if (fail_at < 0) dump_waves;
            presenting = 1'b1;
            idle = 0;
            while (idle < 12 && failed < max_failed) begin
                step(1'b1);
                if (fail_at >= 0) begin
                    if ((status_p > fail_at && !in_frame && cycle - fail_cycle > 4)
                        || cycle - fail_cycle > SETTLE) begin
                        if (found_p == fail_at) dump_found;
                        i = fail_at + 1;
                        fail_at = -1;
                        lines = 0;
                        reset(i);
                        presenting = 1'b1;
                        idle = 0;
                    end
                end else
                    idle = (status_p == count && !in_frame) ? idle + 1 : 0;
            end
            if (fail_at >= 0 && found_p == fail_at) dump_found;
        end
        $display("%h RESULT module=frame_tx mode=%0d vectors=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, mode, count, failed);
        $finish;
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
