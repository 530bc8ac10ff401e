// SPDX-License-Identifier: MIT OR Apache-2.0
// elastic_buffer with what the line and the two clocks may do, for the proof that it neither overflows
// nor runs empty in a frame (LNK-6, LNK-7). What is proved and how: docs/proof.md.
//
// A step is one edge of one clock, or a move (below): prove.sh makes the clocks enables. Registers of the instances come
// in through prove.sh (yosys `connect`). The words of the memory are free but for what a memory is:
// what is read at a place was written there.
`default_nettype none

module elastic_core (
    input wire        writes,      // the edge of this step is one of wr_clk
    input wire        move,        // the pair of differences moves, see below
    input wire [37:0] word,
    input wire        valid,
    input wire        track        // the frame that begins in this step is the one observed
);
    localparam ADDR_W    = 6;
    localparam P         = ADDR_W + 1;
    localparam [P-1:0] DEPTH = 1 << ADDR_W;
    localparam WORDS_MAX = 261;    // LNK-6
    localparam WINDOW    = 300;    // LNK-6: edges of rd_clk in which the difference has two values
    localparam SURPLUS   = DEPTH - 14; // LNK-5

    wire wr_clk = writes && !move;
    wire rd_clk = !writes && !move;

    wire [31:0] unused_tdata;
    wire [3:0]  unused_tkeep;
    wire        unused_tuser, m_tvalid, m_tlast, ev_overflow, ev_underrun;
    wire [P-1:0] words;

    elastic_buffer #(.ADDR_W(ADDR_W)) u_elastic (
        .wr_clk(wr_clk), .wr_rst(1'b0), .s_axis_tdata(word[31:0]), .s_axis_tkeep(word[35:32]),
        .s_axis_tvalid(valid), .s_axis_tlast(word[36]), .s_axis_tuser(word[37]),
        .ev_overflow(ev_overflow), .rd_clk(rd_clk), .rd_rst(1'b0), .m_axis_tdata(unused_tdata),
        .m_axis_tkeep(unused_tkeep), .m_axis_tvalid(m_tvalid), .m_axis_tlast(m_tlast),
        .m_axis_tuser(unused_tuser), .ev_underrun(ev_underrun), .words(words));

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire [P-1:0] wr_ptr, rd_ptr, wr_gray, rd_gray, first, second, back_first, back_second;
    (* keep *) wire         lost, inside, ended, waited;

    function [P-1:0] binary;
        input [P-1:0] gray;
        integer n;
        begin
            binary = gray;
            for (n = 1; n < P; n = n + 1) binary = binary ^ (gray >> n);
        end
    endfunction

    wire [P-1:0] s1 = binary(first);
    wire [P-1:0] s2 = binary(second);
    wire [P-1:0] b1 = binary(back_first);
    wire [P-1:0] b2 = binary(back_second);
    wire [P-1:0] stored = wr_ptr - rd_ptr;

    // ---- The clocks ----

    // d: edges of wr_clk less edges of rd_clk, counted from a base. Just before an edge of rd_clk it is
    // 1 or 2. The base moves, so that the pair is the next one, only if d has had the value that both
    // pairs have at the last WINDOW edges of rd_clk.
    reg [1:0] d = 2'd1;
    reg [1:0] v = 2'd1;  // at the last edge of rd_clk
    reg [8:0] q = 9'd0;  // edges of rd_clk since it was another value, WINDOW at most
    reg [1:0] g1 = 2'd1; // d when `first` was sampled
    reg [1:0] g2 = 2'd1; // and `second`
    reg [1:0] h1 = 2'd0; // d when back_first was sampled, by wr_clk: before it, 0 or 1
    reg [1:0] h2 = 2'd0;

    wire up   = move && q == WINDOW && v == 2'd2;
    wire down = move && q == WINDOW && v == 2'd1;

    function [1:0] moved;
        input [1:0] x;
        moved = up ? x - 2'd1 : down ? x + 2'd1 : x;
    endfunction

    always @($global_clock) begin
        if (move) begin
            // A step of its own, without an edge.
            d  <= moved(d);
            v  <= moved(v);
            g1 <= moved(g1);
            g2 <= moved(g2);
            h1 <= moved(h1);
            h2 <= moved(h2);
        end else if (writes) begin
            d  <= d + 2'd1;
            h1 <= d;
            h2 <= h1;
        end else begin
            d  <= d - 2'd1;
            v  <= d;
            g1 <= d;
            g2 <= g1;
            q  <= d != v ? 9'd0 : q == WINDOW ? WINDOW : q + 9'd1;
        end
    end

    // ---- The line, and the frame that is observed ----

    reg         in_frame = 1'b0; // the writer is in a frame
    reg         due = 1'b0;      // the last word was the last of a frame: an idle word follows
    reg [8:0]   written = 9'd0;  // words of the writer's frame
    reg [6:0]   surplus = 7'd0;  // words of frames, and one idle word of each, less edges of rd_clk
    reg [P-1:0] lasts = 0;       // last words stored

    reg [1:0]   phase = 2'd0;    // of the frame observed: 0 none, 1 being written, 2 written
    reg [1:0]   p1 = 2'd0;       // phase when `first` was sampled
    reg [1:0]   p2 = 2'd0;       // and `second`
    reg [P-1:0] start = 0;       // place of its first word
    reg [P-1:0] stop = 0;        // place behind its last
    reg [8:0]   total = 9'd0;    // words of it written
    reg [8:0]   taken = 9'd0;    // and read
    reg         reading = 1'b0;  // it has begun to leave

    wire       needed  = valid || due;
    wire [6:0] surplus_d = surplus + {6'd0, needed};
    wire       begins  = wr_clk && valid && !in_frame && track && phase == 2'd0;
    wire       grows   = wr_clk && valid && phase == 2'd1;
    wire       take    = rd_clk && m_tvalid;
    wire       opens   = take && phase != 2'd0 && !reading && rd_ptr == start;
    wire       closes  = take && (opens || reading) && phase == 2'd2 && rd_ptr + 1'b1 == stop;

    always @($global_clock) begin
        if (wr_clk) begin
            in_frame <= valid && !word[36];
            due      <= valid && word[36];
            written  <= valid ? written + 9'd1 : 9'd0;
            if (valid && word[36]) written <= 9'd0;
            surplus  <= surplus_d;
            if (valid && word[36]) lasts <= lasts + 1'b1;
            if (begins) begin
                phase <= word[36] ? 2'd2 : 2'd1;
                start <= wr_ptr;
                stop  <= wr_ptr + 1'b1;
                total <= 9'd1;
            end
            if (grows) begin
                total <= total + 9'd1;
                stop  <= wr_ptr + 1'b1;
                if (word[36]) phase <= 2'd2;
            end
        end
        if (rd_clk) begin
            if (surplus != 7'd0) surplus <= surplus - 7'd1;
            if (take && m_tlast) lasts <= lasts - 1'b1;
            p1 <= phase;
            p2 <= p1;
            if (opens) begin
                reading <= 1'b1;
                taken   <= 9'd1;
            end
            if (reading && take) taken <= taken + 9'd1;
            if (closes) begin
                reading <= 1'b0;
                phase   <= 2'd0;
                p1      <= 2'd0;
                p2      <= 2'd0;
            end
        end
    end

    // ---- Assumptions ----

    wire last_place = phase == 2'd2 && rd_ptr + 1'b1 == stop;

    always @* begin
        // LNK-6: the clocks.
        if (wr_clk) assume (d <= 2'd1);
        if (rd_clk) assume (d >= 2'd1);
        if (move) assume (up || (down && d <= 2'd1));
        // LNK-3, LNK-5, FRM-3: what link_rx makes of the line.
        if (wr_clk && in_frame) assume (valid);
        if (wr_clk && due) assume (!valid);
        if (wr_clk && valid && written == WORDS_MAX - 1) assume (word[36]);
        if (wr_clk) assume (surplus_d <= SURPLUS);
        // A memory: what is read is what was written.
        if (take && (reading || opens)) assume (m_tlast == last_place);
        if (take && phase != 2'd0 && !reading && rd_ptr + 1'b1 == start) assume (m_tlast);
        if (take && stored == 1) assume (m_tlast == !in_frame);
        if (take && m_tlast) assume (lasts != 0);
        if (take && !m_tlast) assume (lasts < stored);
        // The first state.
        if ($initstate) begin
            assume (wr_ptr == 0 && rd_ptr == 0 && wr_gray == 0 && rd_gray == 0);
            assume (first == 0 && second == 0 && back_first == 0 && back_second == 0);
            assume (!lost && !inside && !ended && !waited);
        end
    end

    // ---- Properties ----

    always @* begin
        overflow: assert (!(wr_clk && ev_overflow));
        underrun: assert (!(rd_clk && reading && ev_underrun));
        idle:     assert (!(rd_clk && m_tvalid && ended));
    end

    // ---- Invariants ----

    wire [P-1:0] seen1 = s1 - rd_ptr;
    wire [P-1:0] seen2 = s2 - rd_ptr;
    wire [P-1:0] begin_at = start - rd_ptr;
    wire [P-1:0] end_at = stop - rd_ptr;
    wire [P:0]   ahead = {1'b0, seen2} - {6'd0, g2}; // two's complement
    wire         short = ahead[P];
    wire         one   = !short && ahead != 0;

    always @* begin
        assert (wr_gray == (wr_ptr ^ (wr_ptr >> 1)));
        assert (rd_gray == (rd_ptr ^ (rd_ptr >> 1)));
        assert (!lost);
        assert (seen2 <= seen1 && seen1 <= stored && stored <= DEPTH);
        assert (wr_ptr - b1 <= wr_ptr - b2 && stored <= wr_ptr - b1 && wr_ptr - b2 <= DEPTH);
        // Clocks.
        assert (d <= 2'd2 && (v == 2'd1 || (v == 2'd2 && d != 2'd0)));
        assert (g1 == v && (g2 == 2'd1 || g2 == 2'd2) && (q == 9'd0 || g2 == g1));
        assert (q <= WINDOW);
        assert (h1 <= 2'd1 && h2 <= 2'd1 && d <= h1 + 2'd1);
        if (d >= v) assert (h1 == d - 2'd1);
        if (d == v - 2'd1) assert ((q < 9'd1 || h1 == d) && (q < 9'd2 || h2 == d));
        if (d == v) assert (q < 9'd1 || h2 == d - 2'd1);
        // Edges between the samples.
        assert (stored - seen1 <= d + 7'd1 - g1);
        assert (seen1 - seen2 <= g1 + 7'd1 - g2);
        assert (rd_ptr - b1 <= h1 + 7'd1 - d);
        assert (b1 - b2 <= h2 + 7'd1 - h1);
        // The line.
        assert (written <= WORDS_MAX - 1 && (in_frame == (written != 0)) && !(in_frame && due));
        assert (surplus <= SURPLUS && lasts <= stored);
        assert ({1'b0, stored} + lasts + ended <= surplus + due + 8'd8);
        if (stored == 0) assert (inside == in_frame);
        if (waited) assert (seen2 != 0);
        assert (!(inside && ended));
        // The frame that is observed.
        assert (phase <= 2'd2 && p1 <= phase && p2 <= p1);
        if (phase == 2'd1) assert (in_frame && written == total && stop == wr_ptr);
        if (phase == 2'd1 && p1 == 2'd1) assert (stored - seen1 == d + 7'd1 - g1);
        if (p1 == 2'd1 && p2 == 2'd1) assert (seen1 - seen2 == g1 + 7'd1 - g2);
        if (phase == 2'd0) assert (!reading);
        if (phase != 2'd0) begin
            assert (total != 0 && total <= WORDS_MAX && end_at <= stored && end_at != 0);
            if (p1 == 2'd2) assert (seen1 >= end_at);
            if (p2 == 2'd2) assert (seen2 >= end_at);
        end
        if (phase != 2'd0 && !reading) begin
            assert (begin_at < end_at && total == {2'd0, end_at - begin_at});
            assert ((p1 == 2'd0) == (seen1 <= begin_at));
            assert ((p2 == 2'd0) == (seen2 <= begin_at));
            if (rd_ptr == start) begin
                assert (!inside);
                if (waited && p2 == 2'd1) assert (!short && (one || v == 2'd2 || q <= 9'd4));
            end
        end
        if (reading) begin
            assert (inside && !waited && taken != 0 && taken < total);
            assert (total - taken == {2'd0, end_at});
            assert (p2 != 2'd0);
            if (p2 == 2'd1) assert (!short && (one || v == 2'd2 || q <= taken + 9'd4));
        end
    end
endmodule

`default_nettype wire
