// SPDX-License-Identifier: MIT OR Apache-2.0
// join_fence: a board that joins puts a fence onto the ring; each board answers that all it had sent
// has returned good.
//
// Promises: from a fence on, a board sends no new data until its `here` has returned good (JOIN-2).
// While it joins, a board takes data of a source only after the `here` that answers its last fence
// (JOIN-3). A fence that is lost is sent again, and so is a `here`.
//
// Latency: one control token at a time, after those of link_control; its return acts in the next
// cycle. A source is known to be here in the cycle after its `here`.
//
// Requirements: JOIN-1, JOIN-2, JOIN-3, JOIN-5.
`include "awgstar.vh"
`default_nettype none

module join_fence #(
    parameter JOIN = `AWG_JOIN // 0: the board neither joins nor answers
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        synced,
    input  wire [7:0]  cfg_node_id,
    input  wire [23:0] cfg_timeout,

    input  wire        cmd_begin,
    input  wire [7:0]  cmd_number, // of its fence
    input  wire        cmd_again,
    input  wire        cmd_settle,
    input  wire        cmd_whole,
    input  wire        clearing,

    input  wire        s_hdr_valid,
    output wire        s_hdr_ready,
    input  wire [4:0]  s_hdr_c_st,
    input  wire [7:0]  s_hdr_packet_cnt,

    output wire        m_hdr_valid,
    input  wire        m_hdr_ready,
    output wire [4:0]  m_hdr_c_st,
    output wire [7:0]  m_hdr_packet_cnt,
    output wire [31:0] m_hdr_addr,

    input  wire        ret_valid,
    input  wire        ret_good,
    input  wire [2:0]  ret_token,
    input  wire [4:0]  ret_c_st,
    input  wire [7:0]  ret_packet_cnt,
    output wire        ret_hit,

    input  wire [7:0]  rx_source,
    input  wire [31:0] rx_addr,
    input  wire        fence_seen,
    input  wire        here_seen,
    output wire        blocked,
    output wire        here_new,

    input  wire        drained,
    input  wire [7:0]  fresh,
    output wire        hold,

    output wire        whole,
    output wire        joining,
    output wire        settled,
    output wire        busy,
    output wire        fenced,
    output wire [8:0]  heard,
    output wire [7:0]  peer,

    output wire        ev_fenced,
    output wire        ev_here,
    output wire        ev_peer
);
    generate if (JOIN < 0 || JOIN > 1) begin : g_check
        join_fence_JOIN_must_be_0_to_1 u_error ();
    end endgenerate

    localparam ON = JOIN != 0;

    reg [2:0]   state_q, state_d;
    reg [7:0]   count_q, count_d;       // Packet_Cnt of the next token
    reg [23:0]  timer_q, timer_d;       // cycles in flight
    reg         busy_q, busy_d;         // a fence is to return
    reg         fenced_q, fenced_d;     // the last one has
    reg [7:0]   fence_q, fence_d;       // its number
    reg         whole_q, whole_d;
    reg         joining_q, joining_d;
    reg         settled_q, settled_d;   // data of all sources counts
    reg         owe_q, owe_d;           // a fence is to be answered
    reg [7:0]   owe_node_q, owe_node_d; // to whom
    reg [7:0]   owe_count_q, owe_count_d;
    reg [15:0]  echo_q, echo_d;         // the same of the answer under way
    reg [127:0] here_low_q, here_low_d; // sources that are here, 0 to 127
    reg [127:0] here_high_q, here_high_d;
    reg [8:0]   heard_q, heard_d;       // so many
    reg [7:0]   peer_q, peer_d;         // source of the last fence
    reg         lead_q;                 // a token of link_control is on offer
    reg         mine_q;                 // one of this module is

    // ---- Answers to our fence (JOIN-3) ----

    wire known = rx_source[7] ? here_high_q[rx_source[6:0]] : here_low_q[rx_source[6:0]];
    wire ours  = joining_q && fenced_q && rx_addr[31:16] == {cfg_node_id, fence_q};
    wire heard_new = ON && here_seen && ours && !known;

    wire unused_addr = &{1'b0, rx_addr[15:0]}; // rx_sorter looks at the number of data

    assign blocked  = ON && joining_q && !settled_q && !known;
    assign here_new = ON && ours && !settled_q && !known;

    // ---- Tokens ----

    wire       fencing = state_q == `AWG_JOIN_FENCE_FENCE || state_q == `AWG_JOIN_FENCE_FENCING;
    wire       offer   = state_q == `AWG_JOIN_FENCE_FENCE || state_q == `AWG_JOIN_FENCE_HERE;
    wire       flight  = state_q == `AWG_JOIN_FENCE_FENCING || state_q == `AWG_JOIN_FENCE_ANSWERED;
    wire [4:0] c_st    = fencing ? `AWG_C_ST_CONTROL_FENCE : `AWG_C_ST_CONTROL_HERE;
    wire       back    = ON && flight && ret_valid && ret_good && ret_token == `AWG_TOKEN_CONTROL
                      && ret_c_st == c_st && ret_packet_cnt == count_q;
    wire       lost    = (ret_valid && !ret_good) || timer_q >= cfg_timeout;

    // A header on offer stays: those of link_control go first.
    wire pick = !ON || lead_q ? 1'b0 : mine_q || !s_hdr_valid; // 1: of this module
    wire take = pick && offer && m_hdr_ready;

    assign s_hdr_ready      = !pick && m_hdr_ready;
    assign m_hdr_valid      = pick ? offer : s_hdr_valid;
    assign m_hdr_c_st       = pick ? c_st : s_hdr_c_st;
    assign m_hdr_packet_cnt = pick ? count_q : s_hdr_packet_cnt;
    assign m_hdr_addr       = !pick ? 32'd0 : fencing ? {24'd0, fence_q} : {echo_q, 8'd0, fresh};

    assign hold = ON && (owe_q || state_q == `AWG_JOIN_FENCE_HERE || state_q == `AWG_JOIN_FENCE_ANSWERED);

    wire command = cmd_begin || cmd_again || cmd_settle;

    always @* begin
        state_d     = state_q;
        count_d     = count_q;
        timer_d     = timer_q;
        busy_d      = busy_q;
        fenced_d    = fenced_q;
        fence_d     = fence_q;
        whole_d     = whole_q;
        joining_d   = joining_q;
        settled_d   = settled_q;
        owe_d       = owe_q;
        owe_node_d  = owe_node_q;
        owe_count_d = owe_count_q;
        echo_d      = echo_q;
        here_low_d  = here_low_q;
        here_high_d = here_high_q;
        heard_d     = heard_q;
        peer_d      = peer_q;

        if (ON) case (state_q)
            `AWG_JOIN_FENCE_IDLE: if (synced) begin
                if (owe_q && drained) begin // JOIN-2
                    state_d = `AWG_JOIN_FENCE_HERE;
                    echo_d  = {owe_node_q, owe_count_q};
                    owe_d   = 1'b0;
                end else if (busy_q && !clearing) begin
                    state_d = `AWG_JOIN_FENCE_FENCE;
                end
            end

            `AWG_JOIN_FENCE_FENCE,
            `AWG_JOIN_FENCE_HERE: if (take) begin
                state_d = fencing ? `AWG_JOIN_FENCE_FENCING : `AWG_JOIN_FENCE_ANSWERED;
                timer_d = 24'd0;
            end

            default: begin // FENCING, ANSWERED
                timer_d = timer_q + 24'd1;
                if (back || lost) count_d = count_q + 8'd1;
                if (back) begin
                    state_d = `AWG_JOIN_FENCE_IDLE;
                    if (fencing) begin
                        busy_d   = 1'b0;
                        fenced_d = 1'b1;
                    end
                end else if (lost) begin
                    state_d = fencing ? `AWG_JOIN_FENCE_FENCE : `AWG_JOIN_FENCE_HERE;
                    if (fencing) fence_d = fence_q + 8'd1;
                end
            end
        endcase

        // One answer is owed at a time: who gets none puts up another fence.
        if (ON && fence_seen) begin
            peer_d = rx_source;
            if (!owe_d || owe_node_q == rx_source) begin
                owe_d       = 1'b1;
                owe_node_d  = rx_source;
                owe_count_d = rx_addr[7:0];
            end
        end

        if (heard_new) begin
            heard_d = heard_q + 9'd1;
            if (rx_source[7]) here_high_d[rx_source[6:0]] = 1'b1;
            else              here_low_d[rx_source[6:0]]  = 1'b1;
        end

        if (ON && command) begin
            busy_d   = 1'b1;
            fenced_d = 1'b0;
            fence_d  = cmd_begin ? cmd_number : fence_q + 8'd1;
        end
        if (ON && (cmd_begin || cmd_settle)) begin
            joining_d   = 1'b1;
            settled_d   = cmd_settle;
            here_low_d  = 128'd0;
            here_high_d = 128'd0;
            heard_d     = 9'd0;
        end
        if (ON && cmd_begin) whole_d = 1'b0;
        if (ON && cmd_whole) begin
            whole_d   = 1'b1;
            joining_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        state_q     <= state_d;
        count_q     <= count_d;
        timer_q     <= timer_d;
        busy_q      <= busy_d;
        fenced_q    <= fenced_d;
        fence_q     <= fence_d;
        whole_q     <= whole_d;
        joining_q   <= joining_d;
        settled_q   <= settled_d;
        owe_q       <= owe_d;
        owe_node_q  <= owe_node_d;
        owe_count_q <= owe_count_d;
        echo_q      <= echo_d;
        here_low_q  <= here_low_d;
        here_high_q <= here_high_d;
        heard_q     <= heard_d;
        peer_q      <= peer_d;
        lead_q      <= !pick && s_hdr_valid && !m_hdr_ready;
        mine_q      <= pick && offer && !m_hdr_ready;
        if (rst || !ON) begin // a board that cannot join keeps no registers for it
            state_q     <= `AWG_JOIN_FENCE_IDLE;
            count_q     <= 8'd0;
            timer_q     <= 24'd0;
            busy_q      <= 1'b0;
            fenced_q    <= 1'b0;
            fence_q     <= 8'd0;
            whole_q     <= 1'b0;
            joining_q   <= 1'b0;
            settled_q   <= 1'b0;
            owe_q       <= 1'b0;
            owe_node_q  <= 8'd0;
            owe_count_q <= 8'd0;
            echo_q      <= 16'd0;
            here_low_q  <= 128'd0;
            here_high_q <= 128'd0;
            heard_q     <= 9'd0;
            peer_q      <= 8'd0;
            lead_q      <= 1'b0;
            mine_q      <= 1'b0;
        end
    end

    assign ret_hit   = back;
    assign whole     = whole_q;
    assign joining   = joining_q;
    assign settled   = settled_q;
    assign busy      = busy_q;
    assign fenced    = fenced_q;
    assign heard     = heard_q;
    assign peer      = peer_q;
    assign ev_fenced = back && fencing;
    assign ev_here   = heard_new;
    assign ev_peer   = ON && fence_seen;
endmodule

`default_nettype wire
