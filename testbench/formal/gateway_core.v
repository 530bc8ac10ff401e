// SPDX-License-Identifier: MIT OR Apache-2.0
// window_gate, window_tap and window_inject with what their surroundings may do, for the proof that the
// store of a gateway always has room, that a frame is cut or whole, and that each word is written once
// (GWY-1 to GWY-7). What is proved and how: docs/proof.md.
//
// The store is its number of words; the receive buffer is how many words of windows it may still give.
// Registers of the instances come in through prove.sh (yosys `connect`).
`include "awgstar.vh"
`default_nettype none

module gateway_core (
    input wire        clk,
    input wire        rst,
    // Link, store
    input wire [31:0] tdata,
    input wire [3:0]  tkeep,
    input wire        tvalid,
    input wire        tlast,
    input wire        tuser,
    input wire [15:0] cfg_wait,
    input wire [10:0] free,      // as the writer sees it
    input wire        taken,     // the other ring takes a word
    input wire [8:0]  adds,      // words in windows of the frame that passes
    input wire [10:0] drops,     // words that the receive buffer drops or writes elsewhere
    // Port B of the memory
    input wire [11:0] mem_addr,
    input wire [3:0]  mem_we,
    input wire [31:0] mem_wdata,
    // Words of the other ring, host, board
    input wire        s_valid,
    input wire [63:0] s_word,
    input wire        h_valid,
    input wire        h_write,
    input wire [31:0] h_addr,
    input wire [31:0] h_wdata,
    input wire [3:0]  h_wstrb,
    input wire        rsp_valid,
    input wire        rsp_error,
    input wire [31:0] rsp_rdata
);
    localparam        WINDOWS = 2;
    localparam [10:0] DEPTH   = 11'd1024;
    localparam [10:0] BUFFER  = 11'd512 + 11'd16; // beats, and a word more for each header
    localparam [8:0]  FRAME   = 9'd257;           // 1,024 bytes that are not aligned

    (* anyconst *) reg [47:0]           cfg_mac;
    (* anyconst *) reg [WINDOWS-1:0]    cfg_valid;
    (* anyconst *) reg [26*WINDOWS-1:0] cfg_first, cfg_last, cfg_offset;

    wire [31:0] m_tdata;
    wire [3:0]  m_tkeep;
    wire        m_tvalid, m_tlast, m_tuser, ev_cut;

    window_gate #(.WINDOWS(WINDOWS), .RX_ADDR_W(9), .RX_HEADER_ADDR_W(4)) u_gate (
        .clk(clk), .rst(rst), .cfg_mac(cfg_mac), .cfg_valid(cfg_valid), .cfg_first(cfg_first),
        .cfg_last(cfg_last), .cfg_wait(cfg_wait), .free(free), .s_axis_tdata(tdata),
        .s_axis_tkeep(tkeep), .s_axis_tvalid(tvalid), .s_axis_tlast(tlast), .s_axis_tuser(tuser),
        .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep), .m_axis_tvalid(m_tvalid),
        .m_axis_tlast(m_tlast), .m_axis_tuser(m_tuser), .ev_cut(ev_cut));

    wire        put;
    wire [63:0] unused_word;
    wire        unused_range;

    window_tap #(.MEM_ADDR_W(12), .WINDOWS(WINDOWS)) u_tap (
        .clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_first(cfg_first), .cfg_last(cfg_last),
        .cfg_offset(cfg_offset), .mem_addr(mem_addr), .mem_we(mem_we), .mem_wdata(mem_wdata),
        .m_valid(put), .m_word(unused_word), .ev_range(unused_range));

    wire        s_ready, h_done, h_error, req_valid, req_write;
    wire [31:0] h_rdata, req_addr, req_wdata;
    wire [3:0]  req_wstrb;

    window_inject u_inject (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_word(s_word),
        .h_valid(h_valid), .h_write(h_write), .h_addr(h_addr), .h_wdata(h_wdata),
        .h_wstrb(h_wstrb), .h_done(h_done), .h_error(h_error), .h_rdata(h_rdata),
        .req_valid(req_valid), .req_write(req_write), .req_addr(req_addr), .req_wdata(req_wdata),
        .req_wstrb(req_wstrb), .rsp_valid(rsp_valid), .rsp_error(rsp_error), .rsp_rdata(rsp_rdata));

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire [2:0]  word_count;
    (* keep *) wire [31:0] mac_upper, addr_of;
    (* keep *) wire        own, is_data, room_seen, kept, asks_seen, gone_seen;
    (* keep *) wire [31:0] s1_tdata;
    (* keep *) wire [3:0]  s1_tkeep;
    (* keep *) wire        s1_tvalid, s1_tlast, s1_tuser;
    (* keep *) wire [7:0]  source, number, kept_source;
    (* keep *) wire        more, full, mine;
    (* keep *) wire [63:0] next, word;

    // Reset in the first cycle, and whenever it may come again.
    reg first = 1'b1;
    always @(posedge clk) first <= 1'b0;
    always @* if (first) assume (rst);

    // ---- The link, a cycle later: the word before, and the header as it was ----

    reg [31:0] l_tdata, p_tdata, h0, h1, h2, h3;
    reg [3:0]  l_tkeep, p_tkeep;
    reg        l_tvalid, l_tlast, l_tuser;
    reg        p_tvalid, p_tlast, p_tuser;
    reg [2:0]  count;                 // words of the frame, up to 5
    reg        gone, was_gone, was_cut; // the frame was cut; so it was a cycle ago; it was cut then
    reg        room;                  // there was room a cycle ago

    always @(posedge clk) begin
        {l_tdata, l_tkeep, l_tlast, l_tuser} <= {tdata, tkeep, tlast, tuser};
        {p_tdata, p_tkeep, p_tlast, p_tuser} <= {l_tdata, l_tkeep, l_tlast, l_tuser};
        l_tvalid <= tvalid;
        p_tvalid <= l_tvalid;
        was_gone <= gone;
        was_cut  <= ev_cut;
        room     <= free >= BUFFER + FRAME + 11'd3;
        if (l_tvalid) begin
            count <= l_tlast ? 3'd0 : seen;
            gone  <= !l_tlast && (gone || ev_cut);
            h0    <= f0;
            h1    <= f1;
            h2    <= f2;
            h3    <= f3;
        end
        if (rst) begin
            count    <= 3'd0;
            gone     <= 1'b0;
            l_tvalid <= 1'b0;
            p_tvalid <= 1'b0;
            was_cut  <= 1'b0;
            room     <= 1'b0;
        end
    end

    // The words of the frame and its header, with the word that is here now.
    wire [2:0]  seen = !l_tvalid || count == 3'd5 ? count : count + 3'd1;
    wire [31:0] f0   = l_tvalid && count == 3'd0 ? l_tdata : h0;
    wire [31:0] f1   = l_tvalid && count == 3'd1 ? l_tdata : h1;
    wire [31:0] f2   = l_tvalid && count == 3'd2 ? l_tdata : h2;
    wire [31:0] f3   = l_tvalid && count == 3'd3 ? l_tdata : h3;
    wire [47:0] s_mac  = {f0[7:0], f0[15:8], f0[23:16], f0[31:24], f1[7:0], f1[15:8]};
    wire [31:0] s_addr = {f2[23:16], f2[31:24], f3[7:0], f3[15:8]};

    wire [47:0] mac    = {h0[7:0], h0[15:8], h0[23:16], h0[31:24], h1[7:0], h1[15:8]};
    wire [31:0] addr   = {h2[23:16], h2[31:24], h3[7:0], h3[15:8]};
    wire [32:0] end_at = {1'b0, addr} + 33'd1023; // the last byte of the longest frame
    wire        fifth  = l_tvalid && count == 3'd4;

    reg     reaches, hit;
    integer n;

    always @* begin
        reaches = 1'b0;
        hit     = 1'b0;
        for (n = 0; n < WINDOWS; n = n + 1) begin
            if (cfg_valid[n] && addr <= {cfg_last[26*n +: 26], 6'd63}
                             && end_at >= {1'b0, cfg_first[26*n +: 26], 6'd0}) reaches = 1'b1;
            if (cfg_valid[n] && {18'd0, mem_addr, 2'd0} >= {cfg_first[26*n +: 26], 6'd0}
                             && {18'd0, mem_addr, 2'd0} <= {cfg_last[26*n +: 26], 6'd63}) hit = 1'b1;
        end
    end

    wire asks = fifth && h1[23:21] == `AWG_TOKEN_DATA && mac != cfg_mac && reaches;

    always @* if (!first) begin
        // GWY-2
        if (was_cut) begin
            abort: assert (m_tvalid && m_tlast && m_tuser && m_tkeep == 4'b1111 && m_tdata == 32'd0);
        end else if (was_gone || !p_tvalid) begin
            swallowed: assert (!m_tvalid);
        end else begin
            whole: assert (m_tvalid && {m_tdata, m_tkeep, m_tlast, m_tuser}
                                    == {p_tdata, p_tkeep, p_tlast, p_tuser});
        end
        cut_once: assert (!ev_cut || (fifth && !gone));
        // GWY-1, GWY-3, GWY-4
        no_room:  assert (!asks || room || ev_cut);
        not_ours: assert (asks || !ev_cut);
        in_turn:  assert (!(asks && room && (!kept || kept_source == mac[7:0])) || !ev_cut);
    end

    always @* if (!first) begin
        assert (count <= 3'd5 && (!gone || count == 3'd5));
        assert (word_count == (l_tvalid && l_tlast ? 3'd0 : seen));
        if (seen >= 3'd1) assert (mac_upper == s_mac[47:16]);
        if (seen >= 3'd2) assert (own == (s_mac == cfg_mac) && source == s_mac[7:0]);
        if (seen >= 3'd2) assert (is_data == (f1[23:21] == `AWG_TOKEN_DATA));
        if (seen >= 3'd3) assert (number == f2[15:8] && addr_of[31:16] == s_addr[31:16]);
        if (seen >= 3'd4) assert (addr_of[15:0] == s_addr[15:0]);
        assert (s1_tvalid == l_tvalid);
        if (l_tvalid) assert ({s1_tdata, s1_tkeep, s1_tlast, s1_tuser}
                              == {l_tdata, l_tkeep, l_tlast, l_tuser});
        assert (asks_seen == asks && gone_seen == gone);
        assert (room_seen == room);
    end

    // ---- The store ----

    reg  [10:0] stored, held;
    wire        writes = hit && mem_we != 4'b0000;
    wire        passes = asks && !ev_cut;
    wire [10:0] rest   = held - {10'd0, writes} - drops;

    always @(posedge clk) begin
        stored <= stored + {10'd0, put} - {10'd0, taken && stored != 11'd0};
        held   <= passes ? rest + {2'd0, adds} : rest;
        if (rst) begin
            stored <= 11'd0;
            held   <= 11'd0;
        end
    end

    always @* begin
        assume (free <= DEPTH - stored);                  // CDC-2
        assume (!writes || held != 11'd0);
        assume (drops <= held - {10'd0, writes});
        assume (adds <= FRAME);
        // The buffer, and the register of mem_writer, when the next frame is at the gate.
        if (asks) assume (held <= BUFFER + 11'd1);
    end

    always @* if (!first) begin
        lost: assert (!(put && stored == DEPTH));
        assert ({1'b0, stored} + {11'd0, put} + {1'b0, held} <= {1'b0, DEPTH});
        if (room) assert (stored <= DEPTH - (BUFFER + FRAME + 11'd3) + 11'd1);
    end

    // ---- Words of the other ring ----

    reg  [1:0]  due;              // words that were taken and are not written yet
    reg  [63:0] due_word, due_next;
    reg         waits;            // a request had no answer
    reg  [68:0] waiting;
    reg         h_waits;          // that of the host, too
    reg  [68:0] h_waiting;
    reg         owed;             // the last answer was for a word, and the host waited
    wire [68:0] request   = {req_write, req_addr, req_wdata, req_wstrb};
    wire [68:0] h_request = {h_write, h_addr, h_wdata, h_wstrb};
    wire [68:0] w_request = {1'b1, 2'b10, due_word[63:36], 2'b00, due_word[31:0], due_word[35:32]};
    wire        answer    = req_valid && rsp_valid;
    wire        w_answer  = answer && !h_done;
    wire        written   = w_answer && !rsp_error;

    always @(posedge clk) begin
        due <= due - {1'b0, written} + {1'b0, s_valid && s_ready};
        if (written) due_word <= due_next;
        if (s_valid && s_ready) begin
            if (due == {1'b0, written}) due_word <= s_word;
            else                        due_next <= s_word;
        end
        waits     <= req_valid && !rsp_valid;
        waiting   <= request;
        h_waits   <= h_valid && !h_done;
        h_waiting <= h_request;
        if (answer) owed <= w_answer && h_valid;
        if (rst) {due, waits, h_waits, owed} <= 5'b00000;
    end

    always @* begin
        if (h_waits) assume (h_valid && h_request == h_waiting);
        if (rsp_valid) assume (req_valid);
    end

    always @* if (!first) begin
        // GWY-6
        two_words:  assert (!s_ready || due != 2'd2 || written);
        no_stop:    assert (s_ready || due == 2'd2);
        as_taken:   assert (!w_answer || (due != 2'd0 && request == w_request));
        asked_for:  assert (req_valid == (full || h_valid));
        // GWY-7
        of_host:    assert (!h_done || (answer && h_valid && request == h_request));
        answer_is:  assert (h_error == rsp_error && h_rdata == rsp_rdata);
        stays:      assert (!waits || (req_valid && request == waiting));
        host_next:  assert (!(owed && w_answer));
    end

    always @* if (!first) begin
        assert (due == {1'b0, more} + {1'b0, full});
        if (full) assert (word == due_word);
        if (more) assert (next == (full ? due_next : due_word));
        assert (!mine || full);
        if (waits && mine)  assert (waiting == w_request);
        if (waits && !mine) assert (h_waits && waiting == h_waiting);
        if (full && !mine)  assert (h_waits);
        if (owed)           assert (h_waits && !mine);
    end
endmodule

`default_nettype wire
