// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_ingress: decides on each frame from the link: pass on, strip, take, absorb or drop.
//
// Promises: whatever the link brings, the slots it writes are whole frames, each with one idle slot
// behind it: a frame that breaks on the way is cut and ends in an abort word (NODE-6), one without
// a clean start leaves no slot at all (NODE-7). With cfg_monitor no frame but a free token passes
// twice: it is marked with M the first time and absorbed when it arrives with M (NODE-22).
//
// Latency: word in cycle t, slot for the insertion buffer in cycle t + 2, which is also the cycle
// of the decision for a first word: word 1 is in stage 1 by then (NODE-2).
//
// Requirements: NODE-1, NODE-2, NODE-3, NODE-4, NODE-5, NODE-6, NODE-7, NODE-12, NODE-21,
// NODE-22, NODE-24.
`include "awgstar.vh"
`default_nettype none

module ring_ingress (
    input  wire                          clk,
    input  wire                          rst,

    input  wire [31:0]                   s_axis_tdata,
    input  wire [3:0]                    s_axis_tkeep,
    input  wire                          s_axis_tvalid,
    input  wire                          s_axis_tlast,
    input  wire                          s_axis_tuser,

    input  wire [47:0]                   cfg_mac,
    input  wire                          cfg_monitor,
    input  wire                          take_free,

    output wire [31:0]                   link_tdata,
    output wire [3:0]                    link_tkeep,
    output wire                          link_tvalid,
    output wire                          link_tlast,
    output wire                          link_tuser,

    output reg                           wr_valid,
    output reg  [`AWG_BUFFER_WORD_W-1:0] wr_word,

    output reg                           token_in,
    output reg                           free_passed,
    output reg                           token_seen,
    output wire [1:0]                    kind,

    output reg                           ev_passed,
    output reg                           ev_taken,
    output reg                           ev_reserved,
    output reg                           ev_cut,
    output reg                           ev_dropped,
    output reg                           ev_orphan
);
    localparam [8:0] WORD_MAX = 9'd260; // of the longest frame: without tlast it is over-long

    // ---- Two words of the link ----

    reg        s1_valid_q;
    reg [31:0] s1_data_q, s1_data_d;
    reg [3:0]  s1_keep_q, s1_keep_d;
    reg        s1_last_q, s1_last_d;
    reg        s1_user_q, s1_user_d;
    reg        s2_valid_q;
    reg [31:0] s2_data_q, s2_data_d;
    reg [3:0]  s2_keep_q, s2_keep_d;
    reg        s2_last_q, s2_last_d;
    reg        s2_user_q, s2_user_d;

    always @* begin
        s1_data_d = s1_data_q;
        s1_keep_d = s1_keep_q;
        s1_last_d = s1_last_q;
        s1_user_d = s1_user_q;
        s2_data_d = s2_data_q;
        s2_keep_d = s2_keep_q;
        s2_last_d = s2_last_q;
        s2_user_d = s2_user_q;
        if (s_axis_tvalid) begin
            s1_data_d = s_axis_tdata;
            s1_keep_d = s_axis_tkeep;
            s1_last_d = s_axis_tlast;
            s1_user_d = s_axis_tuser;
        end
        if (s1_valid_q) begin
            s2_data_d = s1_data_q;
            s2_keep_d = s1_keep_q;
            s2_last_d = s1_last_q;
            s2_user_d = s1_user_q;
        end
    end

    // ---- What the words say ----

    reg [1:0] state_q, state_d;

    // Of the words that are in stage 2 and stage 1 in the cycle of the decision, found one cycle before.
    reg         complete_q, complete_d; // NODE-7: words 0 and 1 are both there and full
    reg         own_q, own_d;           // MAC is that of this node
    wire        between  = state_q == `AWG_RING_INGRESS_GAP || state_q == `AWG_RING_INGRESS_IDLE;
    wire [47:0] mac      = {s1_data_q[7:0], s1_data_q[15:8], s1_data_q[23:16], s1_data_q[31:24],
                            s_axis_tdata[7:0], s_axis_tdata[15:8]}; // FRM-2
    wire [2:0]  token    = s1_data_q[23:21];                        // FRM-2
    wire        is_free  = token == `AWG_TOKEN_FREE;
    wire        is_data  = token == `AWG_TOKEN_DATA;
    wire        reserved = token == 3'b010 || token == 3'b111;      // FRM-4

    always @* begin
        complete_d = complete_q;
        own_d      = own_q;
        if (s1_valid_q && between) begin
            complete_d = !s1_last_q && s1_keep_q == 4'b1111
                      && s_axis_tvalid && s_axis_tkeep == 4'b1111;
            own_d      = mac == cfg_mac;
        end
    end

    reg  [1:0]  code;    // bytes of the word modulo 4
    reg         keep_ok;

    always @* begin // LNK-2
        code    = 2'd0;
        keep_ok = 1'b1;
        case (s2_keep_q)
            4'b1111: code = 2'd0;
            4'b0111: code = 2'd3;
            4'b0011: code = 2'd2;
            4'b0001: code = 2'd1;
            default: keep_ok = 1'b0;
        endcase
        if (!s2_last_q) keep_ok = s2_keep_q == 4'b1111;
    end

    // ---- The decision ----

    reg [8:0] word_q, word_d; // words of the frame passed on so far
    reg       slot_q, slot_d; // the idle word behind a frame is due in the buffer
    reg [1:0] kind_q, kind_d; // kind of the frame under way
    reg [1:0] kind1_q;        // kind_q one cycle ago, in step with the verdict of frame_rx

    wire too_long = !s2_last_q && word_q == WORD_MAX;
    wire good     = s2_valid_q && keep_ok && !too_long;

    wire [`AWG_BUFFER_WORD_W-1:0] word = {s2_user_q, s2_last_q, code, s2_data_q};
    wire                          mark = cfg_monitor && !is_free; // NODE-22

    always @* begin
        state_d     = state_q;
        word_d      = word_q;
        slot_d      = 1'b0;
        kind_d      = kind_q;
        wr_valid    = slot_q;
        wr_word     = `AWG_BUFFER_IDLE;
        token_in    = 1'b0;
        free_passed = 1'b0;
        token_seen  = 1'b0;
        ev_passed   = 1'b0;
        ev_taken    = 1'b0;
        ev_reserved = 1'b0;
        ev_cut      = 1'b0;
        ev_dropped  = 1'b0;
        ev_orphan   = 1'b0;

        case (state_q)
            `AWG_RING_INGRESS_IDLE: if (s2_valid_q) begin
                state_d    = `AWG_RING_INGRESS_SKIP;
                kind_d     = `AWG_KIND_NONE;
                // Whether it is written comes late, with take_free.
                wr_word    = {s2_user_q || mark, word[`AWG_BUFFER_WORD_W-2:0]};
                token_seen = complete_q && (is_free || is_data); // NODE-24
                if (!complete_q) begin // NODE-7
                    ev_dropped = 1'b1;
                    if (s2_last_q) state_d = `AWG_RING_INGRESS_GAP;
                end else if (reserved) begin // NODE-5
                    ev_reserved = 1'b1;
                end else if (own_q && !is_free) begin // NODE-3
                    kind_d   = `AWG_KIND_OWN;
                    token_in = is_data; // NODE-4
                end else if (mark && s2_user_q) begin // NODE-22
                    ev_orphan = 1'b1;
                    token_in  = is_data;
                end else if (is_free && take_free) begin // NODE-12
                    ev_taken = 1'b1;
                    token_in = 1'b1;
                end else begin // NODE-1
                    state_d     = `AWG_RING_INGRESS_PASS;
                    kind_d      = `AWG_KIND_OTHER;
                    wr_valid    = 1'b1;
                    word_d      = 9'd1;
                    ev_passed   = 1'b1;
                    free_passed = is_free;
                end
            end

            `AWG_RING_INGRESS_PASS: begin
                wr_valid = 1'b1;
                if (good) begin
                    wr_word = word;
                    word_d  = word_q + 9'd1;
                    if (s2_last_q) begin
                        state_d = `AWG_RING_INGRESS_GAP;
                        slot_d  = 1'b1;
                    end
                end else begin // NODE-6
                    wr_word = `AWG_BUFFER_ABORT;
                    ev_cut  = 1'b1;
                    slot_d  = 1'b1;
                    state_d = s2_valid_q && s2_last_q ? `AWG_RING_INGRESS_GAP
                                                      : `AWG_RING_INGRESS_SKIP;
                end
            end

            `AWG_RING_INGRESS_SKIP: if (s2_valid_q && s2_last_q) state_d = `AWG_RING_INGRESS_GAP;

            default: begin // GAP
                state_d = `AWG_RING_INGRESS_IDLE;
                if (s2_valid_q) begin // NODE-7: no idle word before it
                    ev_dropped = 1'b1;
                    kind_d     = `AWG_KIND_NONE;
                    state_d    = s2_last_q ? `AWG_RING_INGRESS_GAP : `AWG_RING_INGRESS_SKIP;
                end
            end
        endcase
    end

    always @(posedge clk) begin
        s1_valid_q <= s_axis_tvalid;
        s1_data_q  <= s1_data_d;
        s1_keep_q  <= s1_keep_d;
        s1_last_q  <= s1_last_d;
        s1_user_q  <= s1_user_d;
        s2_valid_q <= s1_valid_q;
        s2_data_q  <= s2_data_d;
        s2_keep_q  <= s2_keep_d;
        s2_last_q  <= s2_last_d;
        s2_user_q  <= s2_user_d;
        complete_q <= complete_d;
        own_q      <= own_d;
        state_q    <= state_d;
        word_q     <= word_d;
        slot_q     <= slot_d;
        kind_q     <= kind_d;
        kind1_q    <= kind_q;
        if (rst) begin // NODE-21
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            state_q    <= `AWG_RING_INGRESS_GAP;
            slot_q     <= 1'b0;
            kind_q     <= `AWG_KIND_NONE;
            kind1_q    <= `AWG_KIND_NONE;
        end
    end

    assign link_tdata  = s2_data_q;
    assign link_tkeep  = s2_keep_q;
    assign link_tvalid = s2_valid_q;
    assign link_tlast  = s2_last_q;
    assign link_tuser  = s2_user_q;
    assign kind        = kind1_q;
endmodule

`default_nettype wire
