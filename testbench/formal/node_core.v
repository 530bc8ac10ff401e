// SPDX-License-Identifier: MIT OR Apache-2.0
// The part of the ring node that NODE-8, NODE-9 and NODE-13 are about, with properties and invariants.
//
// Inputs are free: any words from the link, any requests, any payload, gates that open for any
// request that was there in the cycle before. Registers of the instances come in through `prove.sh`
// (yosys `connect`), under the names below, so that nothing of this stands in hdl/. What is proved
// and how: docs/proof.md.
`include "awgstar.vh"
`default_nettype none

module node_core #(
    parameter ADDR_W = 9
) (
    input wire        clk,
    input wire        rst,
    input wire [31:0] s_axis_tdata,
    input wire [3:0]  s_axis_tkeep,
    input wire        s_axis_tvalid,
    input wire        s_axis_tlast,
    input wire        s_axis_tuser,
    input wire [47:0] cfg_mac,
    input wire        cfg_monitor,
    input wire        issue,
    input wire        discard,
    input wire        data_valid,
    input wire [10:0] data_len,
    input wire        data_open,
    input wire        signal_valid,
    input wire [2:0]  signal_token,
    input wire [10:0] signal_len,
    input wire        signal_open,
    input wire [31:0] pay_tdata,
    input wire [3:0]  pay_tkeep,
    input wire        pay_tvalid,
    input wire        pay_tlast
);
    localparam WORDS_W = ADDR_W + 1;
    localparam DEPTH   = 1 << ADDR_W;

    wire               wr_valid, rd_ready, token_in, free_passed, take_free, boundary, tx_ready;
    wire [35:0]        wr_word, rd_word;
    wire [WORDS_W-1:0] words;
    wire               some, pick_data, pick_signal;
    wire               grant_data, grant_signal, grant_free, ev_token_overflow;
    wire [8:0]         grant_cycles;
    wire [7:0]         held;
    wire               ev_passed, ev_taken, ev_reserved, ev_cut, ev_dropped;
    wire               token_seen, ev_orphan, ev_discarded;

    ring_ingress u_ingress (
        .clk(clk), .rst(rst), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tlast(s_axis_tlast), .s_axis_tuser(s_axis_tuser),
        .cfg_mac(cfg_mac), .cfg_monitor(cfg_monitor), .take_free(take_free), .wr_valid(wr_valid),
        .wr_word(wr_word), .token_in(token_in), .free_passed(free_passed), .token_seen(token_seen),
        .ev_passed(ev_passed), .ev_taken(ev_taken), .ev_reserved(ev_reserved), .ev_cut(ev_cut),
        .ev_dropped(ev_dropped), .ev_orphan(ev_orphan));

    insert_buffer #(.ADDR_W(ADDR_W)) u_buffer (
        .clk(clk), .rst(rst), .wr_valid(wr_valid), .wr_word(wr_word), .rd_ready(rd_ready),
        .rd_word(rd_word), .words(words), .some(some));

    wire       hdr_valid, pay_tready, status_valid;
    wire [2:0] status_error;
    wire [`AWG_HDR_W-1:0] hdr;
    wire [2:0] hdr_token = hdr[`AWG_HDR_TOKEN];
    wire [1:0] tx_class;
    wire [31:0] mux_tdata, tx_tdata;
    wire [3:0]  mux_tkeep, tx_tkeep;
    wire mux_tvalid, mux_tlast, tx_tvalid, tx_tlast, tx_tuser;

    wire refused = status_valid && tx_class == `AWG_CLASS_DATA
                && (status_error == `AWG_TX_TOKEN || status_error == `AWG_TX_LENGTH);

    tx_arbiter #(.WORDS_W(WORDS_W)) u_arbiter (
        .clk(clk), .rst(rst), .token_in(token_in), .free_passed(free_passed), .issue(issue),
        .discard(discard), .refused(refused), .data_valid(data_valid), .data_len(data_len),
        .data_pending(data_seen), .data_open(data_open), .signal_pending(signal_seen),
        .signal_valid(signal_valid), .signal_len(signal_len), .signal_open(signal_open),
        .boundary(boundary), .tx_ready(tx_ready), .words(words),
        .push(wr_valid), .pop(rd_ready && some), .take_free(take_free), .pick_data(pick_data),
        .pick_signal(pick_signal),
        .grant_data(grant_data), .grant_signal(grant_signal), .grant_free(grant_free),
        .grant_cycles(grant_cycles), .held(held), .ev_token_overflow(ev_token_overflow),
        .ev_discarded(ev_discarded));

    tx_mux u_mux (
        .clk(clk), .rst(rst), .pick_data(pick_data), .pick_signal(pick_signal),
        .grant_data(grant_data), .grant_signal(grant_signal), .grant_free(grant_free), .cfg_mac(cfg_mac), .cfg_node_id(8'd0),
        .s_data_hdr({44'd0, data_len}), .s_data_axis_tdata(pay_tdata), .s_data_axis_tkeep(pay_tkeep),
        .s_data_axis_tvalid(pay_tvalid), .s_data_axis_tlast(pay_tlast),
        .s_signal_hdr({signal_token, 61'd0, signal_len}), .s_signal_axis_tdata(pay_tdata),
        .s_signal_axis_tkeep(pay_tkeep), .s_signal_axis_tvalid(pay_tvalid),
        .s_signal_axis_tlast(pay_tlast), .m_hdr_valid(hdr_valid), .m_hdr(hdr),
        .m_axis_tdata(mux_tdata), .m_axis_tkeep(mux_tkeep), .m_axis_tvalid(mux_tvalid),
        .m_axis_tready(pay_tready), .m_axis_tlast(mux_tlast), .tx_class(tx_class));

    frame_tx u_frame_tx (
        .clk(clk), .rst(rst), .s_hdr_valid(hdr_valid), .s_hdr_ready(tx_ready),
        .s_hdr_mac(hdr[`AWG_HDR_MAC]), .s_hdr_token(hdr_token), .s_hdr_c_st(hdr[`AWG_HDR_C_ST]),
        .s_hdr_node_id(hdr[`AWG_HDR_NODE_ID]), .s_hdr_multi_g(hdr[`AWG_HDR_MULTI_G]),
        .s_hdr_act_seq(hdr[`AWG_HDR_ACT_SEQ]), .s_hdr_packet_cnt(hdr[`AWG_HDR_PACKET_CNT]),
        .s_hdr_addr(hdr[`AWG_HDR_ADDR]), .s_hdr_len(hdr[`AWG_HDR_LEN]),
        .s_axis_tdata(mux_tdata), .s_axis_tkeep(mux_tkeep), .s_axis_tvalid(mux_tvalid),
        .s_axis_tready(pay_tready), .s_axis_tlast(mux_tlast), .m_axis_tdata(tx_tdata),
        .m_axis_tkeep(tx_tkeep), .m_axis_tvalid(tx_tvalid), .m_axis_tlast(tx_tlast),
        .m_axis_tuser(tx_tuser), .status_valid(status_valid), .status_error(status_error));

    wire m_tvalid, m_tlast;
    ring_egress #(.OWN_IDLE(`OWN_IDLE)) u_egress (
        .clk(clk), .rst(rst), .rd_word(rd_word), .some(some), .rd_ready(rd_ready),
        .grant(hdr_valid), .grant_cycles(grant_cycles), .tx_tdata(tx_tdata), .tx_tkeep(tx_tkeep),
        .tx_tvalid(tx_tvalid), .tx_tlast(tx_tlast), .tx_tuser(tx_tuser), .boundary(boundary),
        .m_axis_tvalid(m_tvalid), .m_axis_tlast(m_tlast));

    // ---- Registers of the instances, connected by prove.sh ----

    (* keep *) wire [1:0]  in_state, out_state, tx_state;
    (* keep *) wire        slot, a_valid, a_last, a_cut, tail;
    (* keep *) wire [8:0]  left;
    (* keep *) wire [10:0] cov_left, pay_left;
    (* keep *) wire [1:0]  hdr_words;
    (* keep *) wire        ending;

    wire gap    = in_state == `AWG_RING_INGRESS_GAP;
    wire skip   = in_state == `AWG_RING_INGRESS_SKIP;
    wire in     = in_state == `AWG_RING_INGRESS_PASS;
    wire ready  = out_state == `AWG_RING_EGRESS_READY;
    wire pass   = out_state == `AWG_RING_EGRESS_PASS;
    wire insert = out_state == `AWG_RING_EGRESS_INSERT;
    wire send   = tx_state == `AWG_FRAME_TX_SEND;

    // One cycle of reset, none after it.
    reg first = 1'b1;
    reg past_first = 1'b1;
    always @(posedge clk) begin first <= 1'b0; past_first <= first; end
    always @* assume (rst == first);

    // A gate opens only for a header that was there in the cycle before (order_gate: pending_q).
    reg data_seen = 1'b0, signal_seen = 1'b0;
    always @(posedge clk) begin
        data_seen   <= data_valid && !grant_data && !rst;
        signal_seen <= signal_valid && !grant_signal && !rst;
    end
    always @* assume ((!data_open || data_seen) && (!signal_open || signal_seen));

`ifndef PROVE_SLOTS
    (* keep *) wire [8:0] data_cycles, signal_cycles;
    (* keep *) wire       room_data, room_signal, room_min;
    always @* if (!first) begin // Invariants
        assert (data_cycles >= 9'd19 && data_cycles <= 9'd264);
        assert (signal_cycles >= 9'd19 && signal_cycles <= 9'd264);
        assert (data_seen || data_cycles == 9'd264);
        assert (signal_seen || signal_cycles == 9'd264);
        assert (!data_seen || !room_data || words + {8'd0, data_cycles} < DEPTH);
        assert (!signal_seen || !room_signal || words + {8'd0, signal_cycles} < DEPTH);
        assert (!room_min || words + 17'd19 < DEPTH);
        assert (ending == (insert && left <= 9'd3 - `OWN_IDLE));
    end
`endif

    always @* if (!first) assert (words <= DEPTH && some == (words != 0)); // invariant

    // ---- Overflow (NODE-9) ----

`ifdef PROVE_OVERFLOW
    always @* if (!first) begin
        assert (!(wr_valid && words == DEPTH));            // no word is ever refused
        assert (!slot || gap || skip);                     // slot and table never write together
        assert (!(grant_data && grant_signal) && !(grant_data && grant_free)
             && !(grant_signal && grant_free));            // one grant at most
        // Invariants
        assert (out_state != 2'd3);
        assert (words < DEPTH);
        assert (!insert || (left != 9'd0 && words + left < DEPTH));
    end
`endif

    // ---- Frames of the node's own: inside their window, whole (NODE-8) ----

`ifdef PROVE_WINDOW
    // A header that is offered stays as it is until it is taken.
    reg [10:0] data_len_1, signal_len_1;
    always @(posedge clk) begin data_len_1 <= data_len; signal_len_1 <= signal_len; end
    always @* begin
        assume (!data_seen || (data_valid && data_len == data_len_1));
        assume (!signal_seen || (signal_valid && signal_len == signal_len_1));
    end
    function [8:0] cycles_of; // words of the frame and 3
        input [10:0] len;
        reg   [10:0] bytes;
        begin
            bytes     = len < 11'd46 || len > 11'd1024 ? 11'd64 : len + 11'd18;
            cycles_of = (bytes + 11'd15) >> 2;
        end
    endfunction
    always @* if (!first) begin // Invariants
        assert (!data_seen || data_cycles == cycles_of(data_len_1));
        assert (!signal_seen || signal_cycles == cycles_of(signal_len_1));
    end
    // In the first cycle of SEND the covered bytes are still those of the length.
    wire        send_1    = send && hdr_words == 2'd2;
    wire [10:0] covered   = !send_1 ? cov_left : pay_left < 11'd46 ? 11'd56 : pay_left + 11'd10;
    wire [11:0] cov_words = ({1'b0, covered} + 12'd3) >> 2;
    reg m_valid_1 = 1'b0, m_last_1 = 1'b0, insert_1 = 1'b0;
    always @(posedge clk) begin m_valid_1 <= tx_tvalid; m_last_1 <= tx_tlast; insert_1 <= insert; end
    always @* if (!first) begin
        // A word of frame_tx is always put on the link, and none is there when the window closes.
        assert (!tx_tvalid || (insert && left >= 9'd2));
        assert (!(tx_tvalid && left == 9'd2) || tx_tlast);
        if (!past_first) begin
            assert (!(m_valid_1 && !m_last_1) || tx_tvalid); // no gap inside
            assert (!(m_valid_1 && m_last_1) || !tx_tvalid); // an idle word behind
        end
        // Invariants: where the pipeline of frame_tx stands in the window.
        assert (out_state != 2'd3 && tx_state != 2'd3);
        assert (!insert || left != 9'd0);
        assert (!send || hdr_words != 2'd3);
        assert (!send_1 || (cov_left == 11'd56 && pay_left <= 11'd1024));
        assert (!send || (insert && {3'd0, left} == cov_words + 12'd4 && cov_left != 11'd0
                          && a_valid && !a_last && !a_cut));
        assert (!(a_valid && !send) || (insert && (a_cut || a_last) && (a_cut || left == 9'd4)
                                        && left >= 9'd3));
        assert (!a_cut || a_valid);
        assert (!tail || (insert && left == 9'd3 && tx_tvalid && !tx_tlast && !a_valid));
        assert (!(tx_tvalid && !tx_tlast) || a_valid || tail);
        assert (!(tx_tvalid && tx_tlast) || (!a_valid && !tail));
        assert (!tx_ready || (!a_valid && !tail && tx_state == `AWG_FRAME_TX_IDLE));
    end
`endif

    // ---- Contents of the buffer, and the link out (NODE-8); small buffer ----

`ifdef PROVE_ORDER
    `define PROVE_CONTENTS
`endif
`ifdef PROVE_SLOTS
    `define PROVE_CONTENTS
`endif

`ifdef PROVE_CONTENTS
    // frame_tx is left out; what PROVE_WINDOW proves of it is assumed of its outputs.
    (* keep *) wire [36*DEPTH-1:0] mem; // connected: word j in bits 36 j + 35 to 36 j
    (* keep *) wire [ADDR_W-1:0]   wr_ptr, rd_ptr;
    localparam [1:0] WORD = 2'd0, LAST = 2'd1, IDLE = 2'd2;

    function [1:0] class_of;
        input [35:0] w;
        class_of = w[34] ? LAST : w[33:32] == 2'd0 ? WORD : IDLE;
    endfunction
    function follows; // b may stand behind a
        input [1:0] a, b;
        follows = a == WORD ? b != IDLE : a == LAST ? b == IDLE : b == WORD;
    endfunction

    reg m_valid_1 = 1'b0, m_last_1 = 1'b0;
    reg tx_valid_1 = 1'b0, tx_last_1 = 1'b0;
    always @(posedge clk) begin
        m_valid_1 <= m_tvalid; m_last_1 <= m_tlast;
        tx_valid_1 <= tx_tvalid; tx_last_1 <= tx_tlast;
    end

    always @* if (!first) begin // proved by PROVE_WINDOW
        assume (!tx_tvalid || (insert && left >= 9'd2));
        assume (!(tx_tvalid && left == 9'd2) || tx_tlast);
        assume (!(tx_valid_1 && !tx_last_1) || tx_tvalid);
        assume (!(tx_valid_1 && tx_last_1) || !tx_tvalid);
    end

    // NODE-13: one slot, any place, any time: it leaves once, as it came.
    (* anyconst *) wire [ADDR_W-1:0] place;
    reg        have = 1'b0;
    reg [35:0] came;
    wire       pop = rd_ready && words != 0;
    wire [ADDR_W-1:0] place_age = place - rd_ptr;
    wire [ADDR_W-1:0] newest    = wr_ptr - 1'b1;
    always @(posedge clk) begin
        if (pop && rd_ptr == place) have <= 1'b0;
        if (wr_valid && wr_ptr == place) begin have <= 1'b1; came <= wr_word; end
        if (rst) have <= 1'b0;
    end

    genvar j;
    generate for (j = 0; j < DEPTH; j = j + 1) begin : g_place
        wire [ADDR_W-1:0] at   = j;
        wire [ADDR_W-1:0] age  = at - rd_ptr;
        wire [35:0]       word = mem[36 * j +: 36];
        wire [35:0]       next = mem[36 * ((j + 1) % DEPTH) +: 36];
        always @* if (!first) begin
`ifdef PROVE_ORDER
            assert (!(age + 6'd1 < words) || follows(class_of(word), class_of(next)));
            assert (!(rd_ptr == at && words != 0) || class_of(rd_word) == class_of(word));
            assert (!(newest == at && words != 0)
                    || class_of(word) == (in ? WORD : slot ? LAST : IDLE));
`else
            assert (!(rd_ptr == at && words != 0) || rd_word == word);
            assert (!(place == at && have) || word == came);
`endif
        end
    end endgenerate

`ifdef PROVE_ORDER
    (* keep *) wire       s2_valid, s2_last, complete;
    (* keep *) wire [3:0] s2_keep;
    always @* if (!first) begin
        // NODE-8
        if (!past_first) begin
            assert (!(m_valid_1 && !m_last_1) || m_tvalid); // no gap inside
            assert (!(m_valid_1 && m_last_1) || !m_tvalid); // an idle word behind
        end
        // Invariants
        assert (out_state != 2'd3);
        assert (words < DEPTH && words[ADDR_W-1:0] == wr_ptr - rd_ptr);
        assert (!insert || (left != 9'd0 && words + left < DEPTH));
        assert (!(in_state == `AWG_RING_INGRESS_IDLE && s2_valid && complete)
                || (!s2_last && s2_keep == 4'b1111)); // found one cycle before
        assert (!slot || gap || skip);
        assert (!in || words != 0);
        assert (!slot || words != 0);
        assert (pass || words == 0 || class_of(rd_word) == WORD);
        assert (!pass || (m_tvalid && words != 0
                          && (class_of(rd_word) == IDLE) == m_tlast));
        assert (!ready || !m_tvalid);
        assert (!insert || m_tvalid == tx_valid_1);
        assert (!(insert && tx_valid_1) || m_tlast == tx_last_1);
    end
`else
    // Writes and reads are free here; that no word is refused is the work of PROVE_OVERFLOW.
    always @* if (!first) begin
        assume (!(wr_valid && words == DEPTH));
        assert (words <= DEPTH && words[ADDR_W-1:0] == wr_ptr - rd_ptr);
        assert (!(pop && rd_ptr == place) || (have && rd_word == came)); // as it came
        assert (!(wr_valid && wr_ptr == place) || !have);                // never overwritten
        assert (have == ({1'b0, place_age} < words));
    end
`endif
`endif

    // ---- Tokens (NODE-13, NODE-22 to NODE-24) ----

`ifdef PROVE_TOKENS
    // The link is as LNK-3 says: a frame is read here a second time, by counting.
    reg [8:0] n = 9'd0;    // words of the frame on s_axis so far
    reg       idle = 1'b0; // an idle word has passed
    reg [31:0] w0, w1;
    reg        m0;         // M of the frame
    always @(posedge clk) begin
        idle <= !s_axis_tvalid;
        if (s_axis_tvalid) begin
            n <= s_axis_tlast ? 9'd0 : n + 9'd1;
            if (n == 9'd0) begin w0 <= s_axis_tdata; m0 <= s_axis_tuser; end
        end
        if (rst) begin n <= 9'd0; idle <= 1'b0; end
    end
    always @* begin
        if (first) assume (!s_axis_tvalid);
        if (!first && n == 9'd0 && s_axis_tvalid) assume (idle);
        if (n != 9'd0) assume (s_axis_tvalid);
        if (s_axis_tvalid && s_axis_tlast) assume (n >= 9'd15 && (s_axis_tkeep == 4'd1
                || s_axis_tkeep == 4'd3 || s_axis_tkeep == 4'd7 || s_axis_tkeep == 4'd15));
        if (s_axis_tvalid && !s_axis_tlast) assume (s_axis_tkeep == 4'd15 && n < 9'd260);
        // The clean start of the ring: one idle cycle behind the reset.
        if (past_first) assume (!s_axis_tvalid);
    end

    // What word 1 of a frame says, as the specification has it (FRM-2, NODE-3, NODE-5, NODE-22).
    wire       word_1   = s_axis_tvalid && n == 9'd1;
    wire [2:0] token    = s_axis_tdata[23:21];
    wire [47:0] mac     = {w0[7:0], w0[15:8], w0[23:16], w0[31:24], s_axis_tdata[7:0],
                           s_axis_tdata[15:8]};
    wire       mine     = mac == cfg_mac;
    wire       is_data  = token == `AWG_TOKEN_DATA;
    reg free_1 = 1'b0, own_1 = 1'b0, data_1 = 1'b0, orphan_1 = 1'b0;
    always @(posedge clk) begin // one cycle later the ingress decides: word 1 is in its stage 1
        free_1 <= word_1 && token == `AWG_TOKEN_FREE;
        own_1  <= word_1 && is_data && mine;
        data_1 <= word_1 && is_data;
        orphan_1 <= word_1 && is_data && !mine && cfg_monitor && m0;
        if (rst) begin free_1 <= 1'b0; own_1 <= 1'b0; data_1 <= 1'b0; orphan_1 <= 1'b0; end
    end
    (* anyconst *) wire [47:0] mac_const;
    (* anyconst *) wire        monitor_const;
    always @* assume (cfg_mac == mac_const && cfg_monitor == monitor_const);

    // Tokens that came into the hand and left it.
    wire sends = hdr_valid && (hdr_token == `AWG_TOKEN_FREE || hdr_token == `AWG_TOKEN_DATA);
    reg [15:0] came_in = 16'd0, went_out = 16'd0;
    always @(posedge clk) begin
        came_in  <= came_in + (free_1 && !free_passed) + own_1 + orphan_1 + issue
                  + refused;
        went_out <= went_out + sends + ev_discarded;
        if (rst) begin came_in <= 16'd0; went_out <= 16'd0; end
    end
    wire [15:0] in_hand = came_in - went_out;
    always @* if (!first) assume (in_hand <= 16'd250); // tokens around, with those of this cycle

    (* keep *) wire        s1_valid, s2_valid, s1_last, s2_last, s1_user, s2_user;
    (* keep *) wire [3:0]  s1_keep, s2_keep;
    (* keep *) wire [31:0] s1_data, s2_data;
    (* keep *) wire [8:0]  word_count;
    (* keep *) wire        complete, own, hand, single, over;
    (* keep *) wire [3:0]  run;
    wire of_home = cfg_mac == {s2_data[7:0], s2_data[15:8], s2_data[23:16], s2_data[31:24],
                               s1_data[7:0], s1_data[15:8]};
    always @* if (!first) begin
        assert (in_hand == {8'd0, held});                 // none lost, none made
        assert (hand == (held != 8'd0) && single == (held == 8'd1));
        assert (over == (run == `AWG_TOKEN_RUN));
        assert (!(n == 9'd2) || (complete && own == of_home));
        assert (!ev_token_overflow);
        assert (!ev_cut && !ev_dropped);                  // a whole frame stays whole
        assert (!free_passed || free_1);
        assert (!ev_taken || free_1);
        assert (!free_1 || (free_passed != ev_taken));    // passed or taken, never both, never none
        assert (!free_passed || (wr_valid && wr_word[31:0] == s2_data && ev_passed));
        assert (!(in && s2_valid) || (wr_valid && wr_word[31:0] == s2_data && wr_word[34] == s2_last));
        assert (!(hdr_valid && hdr_token == `AWG_TOKEN_FREE) || grant_free);
        assert (!(grant_data || grant_free) || held != 8'd0);
        assert (ev_discarded == (discard && in_hand != 16'd0)); // NODE-23
        assert (token_seen == (free_1 || data_1));        // NODE-24
        assert (!orphan_1 || ev_orphan);                  // NODE-22
        assert (!ev_orphan || (cfg_monitor && s2_user && !free_1 && !own_1 && !wr_valid));
        assert (!ev_passed || wr_word[35] == (s2_user || (cfg_monitor && !free_1)));
        assert (!(ev_passed && cfg_monitor && !free_1) || !s2_user); // never a second time
        // Invariants: stages 1 and 2 are the last two words of the link.
        assert (s1_valid == (n != 9'd0 || (s1_valid && s1_last)));
        assert (!s1_valid || (s1_last ? n == 9'd0 : n != 9'd0));
        assert (!(n == 9'd1) || (s1_valid && !s2_valid && s1_data == w0
                                && s1_user == m0));
        assert (!(n >= 9'd2) || (s1_valid && s2_valid && !s2_last));
        assert (!(n == 9'd2) || (s2_data == w0 && s2_user == m0));
        assert (!(s1_valid && s1_last) || (s2_valid && !s2_last));
        assert (!(s2_valid && s2_last) || !s1_valid);
        assert (!(s2_valid && !s2_last) || s1_valid);
        assert (!s1_valid || (s1_last ? (s1_keep == 4'd1 || s1_keep == 4'd3 || s1_keep == 4'd7
                                         || s1_keep == 4'd15) : s1_keep == 4'd15));
        assert (!s2_valid || (s2_last ? (s2_keep == 4'd1 || s2_keep == 4'd3 || s2_keep == 4'd7
                                         || s2_keep == 4'd15) : s2_keep == 4'd15));
        // The state of the ingress, by the words it has seen.
        assert (!(s2_valid && n == 9'd2) || in_state == `AWG_RING_INGRESS_IDLE);
        assert (!(s2_valid && n != 9'd2) || in || skip);
        assert (s2_valid || gap || in_state == `AWG_RING_INGRESS_IDLE);
        assert (!(s1_valid && !s2_valid) || n == 9'd1);
        assert (!(n == 9'd1) || in_state == `AWG_RING_INGRESS_IDLE || gap);
        assert (!in || !s2_valid || n == 9'd0 || word_count == n - 9'd2);
        assert (!(in && s2_valid && s1_valid && s1_last) || word_count <= 9'd259);
        assert (!(in && s2_valid && s2_last) || word_count <= 9'd260);
        assert (n <= 9'd260);
        assert ((n == 9'd2) || (!free_1 && !data_1));
        assert (data_1 || (!own_1 && !orphan_1));
        assert (!(n == 9'd2) || (free_1 == (s1_data[23:21] == `AWG_TOKEN_FREE)
             && data_1 == (s1_data[23:21] == `AWG_TOKEN_DATA)
             && own_1 == (data_1 && of_home)
             && orphan_1 == (data_1 && !of_home && cfg_monitor && m0)));
        // idle: stage 1 is empty exactly when the last cycle was idle, once out of reset.
        assert (idle == !s1_valid || past_first);
    end
`endif
endmodule

`default_nettype wire
