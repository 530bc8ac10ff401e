// SPDX-License-Identifier: MIT OR Apache-2.0
// signal_sender: a queue of signals from the host and those of the engine, sent one at a time.
//
// Promises: each signal is sent until it has returned good, always with the same number (SND-1,
// SND-4). One with an order does not leave before the data that precedes it (SND-2); one of order
// sent that returns before that data does not count and becomes a confirmed one (SND-3). Host and
// engine take turns when both have one; both take their numbers from one sequence (ENG-8).
//
// Latency: pushed in cycle t, offered in t + 3 at the earliest; its first word is there when its
// header is taken. e_valid in cycle t: offered in t + 1 with order none, else in t + 2.
//
// Requirements: SND-1, SND-2, SND-3, SND-4, ACK-6, ENG-8.
`include "awgstar.vh"
`default_nettype none

module signal_sender #(
    parameter SIGNAL_W = `AWG_SIGNAL_W // room for 2^n signals
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         enable,
    input  wire [23:0]                  cfg_timeout,

    input  wire                         word_we,
    input  wire [3:0]                   word_index,
    input  wire [31:0]                  word_data,
    input  wire                         push,
    input  wire [1:0]                   push_order,
    input  wire [2:0]                   push_token,
    input  wire [4:0]                   push_c_st,
    input  wire [7:0]                   push_node_id,
    input  wire [3:0]                   push_multi_g,
    input  wire [5:0]                   push_len,
    input  wire [7:0]                   push_mark,
    output wire                         full,
    output wire                         pending,

    input  wire                         e_valid,
    input  wire [1:0]                   e_order,
    input  wire [7:0]                   e_mark,
    input  wire [4:0]                   e_c_st,
    input  wire [7:0]                   e_node_id,
    input  wire [79:0]                  e_data,
    output wire                         e_done,

    input  wire [7:0]                   data_base,
    input  wire [7:0]                   data_next,

    output wire                         m_hdr_valid,
    input  wire                         m_hdr_ready,
    output reg  [`AWG_SIGNAL_HDR_W-1:0] m_hdr,

    output wire [31:0]                  m_axis_tdata,
    output reg  [3:0]                   m_axis_tkeep,
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire                         m_axis_tlast,

    input  wire                         ret_valid,
    input  wire                         ret_good,
    input  wire [2:0]                   ret_token,
    input  wire [4:0]                   ret_c_st,
    input  wire [7:0]                   ret_packet_cnt,

    output wire                         ev_done,
    output wire                         ev_resend,
    output wire                         stalled,
    output wire                         ret_hit,
    output wire                         hold
);
    generate if (SIGNAL_W < 1 || SIGNAL_W > 6) begin : g_check
        signal_sender_SIGNAL_W_must_be_1_to_6 u_error ();
    end endgenerate

    localparam              HDR_W = 36;
    localparam [SIGNAL_W:0] FULL  = {1'b1, {SIGNAL_W{1'b0}}};
    localparam [SIGNAL_W:0] ONE   = {{SIGNAL_W{1'b0}}, 1'b1};
    localparam [5:0]        E_LEN = 6'd10; // bytes of Data of a signal of the engine

    reg [2:0]        state_q, state_d;
    reg [SIGNAL_W:0] wr_q, wr_d;             // signals pushed
    reg [SIGNAL_W:0] rd_q, rd_d;             // signals done
    reg              engine_q, engine_d;     // the signal at hand, or the last one, is the engine's
    reg [30:0]       number_q, number_d;     // of the signal at hand
    reg [1:0]        order_q, order_d;
    reg [7:0]        mark_q, mark_d;         // the first data frame behind it
    reg [2:0]        token_q, token_d;
    reg [4:0]        c_st_q, c_st_d;
    reg [7:0]        node_id_q, node_id_d;
    reg [3:0]        multi_g_q, multi_g_d;
    reg [5:0]        len_q, len_d;
    reg [3:0]        index_q, index_d;       // word being sent
    reg [31:0]       word_q;
    reg [23:0]       timer_q, timer_d;
    reg [3:0]        retries_q, retries_d;
    reg [31:0]       mem [0:(1 << (SIGNAL_W + 4)) - 1];
    reg [HDR_W-1:0]  headers [0:(1 << SIGNAL_W) - 1];

    // ---- Queue ----

    wire [SIGNAL_W-1:0] wr_slot = wr_q[SIGNAL_W-1:0];
    wire [SIGNAL_W-1:0] rd_slot = rd_q[SIGNAL_W-1:0];
    wire [SIGNAL_W:0]   waiting = wr_q - rd_q;
    wire [HDR_W-1:0]    header  = headers[rd_slot];

    always @(posedge clk) begin
        if (push) headers[wr_slot] <= {push_order, push_mark, push_token, push_c_st, push_node_id,
                                       push_multi_g, push_len};
    end

    always @(posedge clk) begin
        if (word_we) mem[{wr_slot, word_index}] <= word_data;
        word_q <= mem[{rd_slot, index_d}];
    end

    // ---- Order against data (SND-2, SND-3) ----

    // Frame numbers are modulo 256: bit 7 of a difference says which is behind.
    function reached;
        input [7:0] frame;
        input [7:0] mark;
        reg         short;
        reg   [6:0] unused;
        begin
            {short, unused} = frame - mark;
            reached          = !short;
        end
    endfunction

    wire settled = reached(data_base, mark_q);
    wire is_sent = order_q == `AWG_ORDER_SENT;
    wire go      = order_q == `AWG_ORDER_NONE
                || (is_sent && reached(data_next, mark_q))
                || (order_q == `AWG_ORDER_CONFIRMED && settled);
    wire at_risk = is_sent && !settled; // receivers that missed data before it have dropped it

    // Data 64 frames ahead: 8 bits would soon not tell ahead from behind any more.
    function is_ahead;
        input [7:0] frame;
        input [7:0] mark;
        reg   [1:0] part;
        reg   [5:0] unused;
        begin
            {part, unused} = frame - mark;
            is_ahead       = part == 2'b01;
        end
    endfunction

    wire [7:0] head_mark = header[33:26]; // of the host's next signal

    // ---- One signal ----

    wire flight  = state_q == `AWG_SIGNAL_SENDER_FLIGHT;
    wire ret     = ret_valid && ret_good && ret_token == token_q && ret_c_st == c_st_q
                && ret_packet_cnt == number_q[7:0];
    wire done    = flight && ret && !at_risk;
    wire early   = flight && ret && at_risk; // SND-3
    wire bad     = flight && ret_valid && !ret_good;
    wire late    = flight && timer_q >= cfg_timeout;
    wire timeout = late && !ret && !bad;

    wire [3:0] words = len_q[5:2] + {3'd0, len_q[1:0] != 2'd0};

    wire e_turn = e_valid && !(pending && engine_q); // ENG-8

    always @* begin
        state_d    = state_q;
        wr_d       = wr_q;
        rd_d       = rd_q;
        engine_d   = engine_q;
        number_d   = number_q;
        order_d    = order_q;
        mark_d     = mark_q;
        token_d    = token_q;
        c_st_d     = c_st_q;
        node_id_d  = node_id_q;
        multi_g_d  = multi_g_q;
        len_d      = len_q;
        index_d    = index_q;
        timer_d    = timer_q;
        retries_d  = retries_q;

        if (push) wr_d = wr_q + ONE;

        case (state_q)
            `AWG_SIGNAL_SENDER_IDLE: if (enable && (pending || e_valid)) begin
                {order_d, mark_d, token_d, c_st_d, node_id_d, multi_g_d, len_d} = header;
                if (e_turn) {order_d, mark_d, token_d, c_st_d, node_id_d, multi_g_d, len_d}
                    = {e_order, e_mark, `AWG_TOKEN_BROADCAST, e_c_st, e_node_id, 4'd0, E_LEN};
                engine_d = e_turn;
                timer_d  = 24'd0;
                state_d  = `AWG_SIGNAL_SENDER_WAIT;
                if (e_turn && e_order == `AWG_ORDER_NONE) begin // nothing to wait for
                    index_d = 4'd0;
                    state_d = `AWG_SIGNAL_SENDER_OFFER;
                end
            end

            `AWG_SIGNAL_SENDER_WAIT: begin
                index_d = 4'd0;
                timer_d = 24'd0;
                if (go) state_d = `AWG_SIGNAL_SENDER_OFFER;
            end

            `AWG_SIGNAL_SENDER_OFFER: if (m_hdr_ready) begin
                state_d = len_q == 6'd0 ? `AWG_SIGNAL_SENDER_FLIGHT : `AWG_SIGNAL_SENDER_STREAM;
            end

            `AWG_SIGNAL_SENDER_STREAM: if (m_axis_tready) begin
                index_d = index_q + 4'd1;
                if (m_axis_tlast) state_d = `AWG_SIGNAL_SENDER_FLIGHT;
            end

            `AWG_SIGNAL_SENDER_FLIGHT: begin
                timer_d = timer_q + 24'd1;
                if (early) order_d = `AWG_ORDER_CONFIRMED;
                if (done) begin
                    if (!engine_q) rd_d = rd_q + ONE;
                    number_d  = number_q + 31'd1; // SND-4
                    retries_d = 4'd0;
                    state_d   = `AWG_SIGNAL_SENDER_IDLE;
                end else if (ev_resend) begin
                    state_d = `AWG_SIGNAL_SENDER_WAIT;
                    if (timeout && retries_q != `AWG_RETRY_LIMIT) retries_d = retries_q + 4'd1;
                end
            end

            default: ;
        endcase
    end

    always @(posedge clk) begin
        state_q    <= state_d;
        wr_q       <= wr_d;
        rd_q       <= rd_d;
        engine_q   <= engine_d;
        number_q   <= number_d;
        order_q    <= order_d;
        mark_q     <= mark_d;
        token_q    <= token_d;
        c_st_q     <= c_st_d;
        node_id_q  <= node_id_d;
        multi_g_q  <= multi_g_d;
        len_q      <= len_d;
        index_q    <= index_d;
        timer_q    <= timer_d;
        retries_q  <= retries_d;
        if (rst) begin
            state_q    <= `AWG_SIGNAL_SENDER_IDLE;
            wr_q       <= {(SIGNAL_W + 1){1'b0}};
            rd_q       <= {(SIGNAL_W + 1){1'b0}};
            engine_q   <= 1'b0;
            number_q   <= 31'd0;
            timer_q    <= 24'd0;
            retries_q  <= 4'd0;
        end
    end

    always @* begin
        m_axis_tkeep = 4'b1111;
        if (m_axis_tlast) case (len_q[1:0]) // LNK-2
            2'd1:    m_axis_tkeep = 4'b0001;
            2'd2:    m_axis_tkeep = 4'b0011;
            2'd3:    m_axis_tkeep = 4'b0111;
            default: ;
        endcase
    end

    assign full    = waiting == FULL;
    assign pending = wr_q != rd_q;

    assign m_hdr_valid = state_q == `AWG_SIGNAL_SENDER_OFFER;

    always @* begin
        m_hdr = {`AWG_SIGNAL_HDR_W{1'b0}};
        m_hdr[`AWG_HDR_TOKEN]      = token_q;
        m_hdr[`AWG_HDR_C_ST]       = c_st_q;
        m_hdr[`AWG_HDR_NODE_ID]    = node_id_q;
        m_hdr[`AWG_HDR_MULTI_G]    = multi_g_q;
        m_hdr[`AWG_HDR_PACKET_CNT] = number_q[7:0];
        m_hdr[`AWG_HDR_ADDR]       = {is_sent, number_q[30:8], mark_q}; // SND-3, SND-4
        m_hdr[`AWG_HDR_LEN]        = {5'd0, len_q};
    end

    reg [31:0] e_word;

    always @* begin
        case (index_q[1:0])
            2'd0:    e_word = e_data[31:0];
            2'd1:    e_word = e_data[63:32];
            default: e_word = {16'd0, e_data[79:64]};
        endcase
    end

    assign m_axis_tdata  = engine_q ? e_word : word_q;
    assign m_axis_tvalid = state_q == `AWG_SIGNAL_SENDER_STREAM;
    assign m_axis_tlast  = index_q == words - 4'd1;

    assign ev_done   = done && !engine_q;
    assign e_done    = done && engine_q;
    assign ev_resend = ret ? early : bad || late; // ret comes late
    assign stalled   = retries_q == `AWG_RETRY_LIMIT; // ACK-6
    assign ret_hit   = flight && ret;
    // The one that is not at hand may be the older one.
    assign hold      = (state_q != `AWG_SIGNAL_SENDER_IDLE && is_ahead(data_next, mark_q))
                    || (state_q != `AWG_SIGNAL_SENDER_IDLE && engine_q && pending
                        && is_ahead(data_next, head_mark))
                    || (e_valid && is_ahead(data_next, e_mark));
endmodule

`default_nettype wire
