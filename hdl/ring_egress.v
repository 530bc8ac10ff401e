// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_egress: puts frames from the insertion buffer and frames of the node's own on the link out.
//
// Promises: frames leave whole, without a gap inside and with an idle word between (NODE-8): it
// changes over at a boundary only, and a boundary is an idle word on the link.
//
// Latency: head of the buffer in cycle t, on m_axis in t + 1. For a frame of L words granted in t
// INSERT lasts from t + 1 to t + 2 + L; its words are on m_axis from t + 3 on.
//
// With OWN_IDLE = 2 each frame of the node's own has two idle words before it: behind a frame that
// passes it has them anyway. Nodes with clocks of their own need it (LNK-5).
//
// Requirements: NODE-1, NODE-2, NODE-8, NODE-21, LNK-5.
`include "awgstar.vh"
`default_nettype none

module ring_egress #(
    parameter OWN_IDLE = 1 // idle words before a frame of the node's own, at least: 1 or 2
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire [`AWG_BUFFER_WORD_W-1:0] rd_word,
    input  wire                          some,
    output wire                          rd_ready,

    input  wire                          grant,
    input  wire [8:0]                    grant_cycles,

    input  wire [31:0]                   tx_tdata,
    input  wire [3:0]                    tx_tkeep,
    input  wire                          tx_tvalid,
    input  wire                          tx_tlast,
    input  wire                          tx_tuser,

    output wire                          boundary,

    output wire [31:0]                   m_axis_tdata,
    output wire [3:0]                    m_axis_tkeep,
    output wire                          m_axis_tvalid,
    output wire                          m_axis_tlast,
    output wire                          m_axis_tuser
);
    // Cycles from a grant to the first word on tx_*: the frame's last word comes 2 before the end.
    // LNK-5: a grant that comes a cycle later leaves a second idle word between two own frames.
    localparam [8:0] LEAD = OWN_IDLE == 1 ? 9'd2 : 9'd1;

    generate
        if (OWN_IDLE < 1 || OWN_IDLE > 2) begin : g_check_idle
            ring_egress_OWN_IDLE_must_be_1_to_2 u_error ();
        end
    endgenerate

    // LNK-2
    function [3:0] keep_of;
        input [1:0] code;
        keep_of = {code == 2'd0, code == 2'd0 || code == 2'd3, code != 2'd1, 1'b1};
    endfunction
    function [1:0] code_of;
        input [3:0] keep; // from lane 0 on
        code_of = {keep[1] && !keep[3], ^keep};
    endfunction

    reg [1:0]  state_q, state_d;
    reg [8:0]  left_q, left_d;     // cycles of INSERT still to come, this one included
    reg        ending_q, ending_d; // INSERT, and left_q is at most LEAD
    reg        m_valid_q, m_valid_d;
    reg [31:0] m_data_q, m_data_d;
    reg [1:0]  m_code_q, m_code_d; // bytes of the word modulo 4, as in the insertion buffer
    reg        m_last_q, m_last_d;
    reg        m_user_q, m_user_d;

    wire ready     = state_q == `AWG_RING_EGRESS_READY;
    wire pass      = state_q == `AWG_RING_EGRESS_PASS;
    // The slot behind a last word is idle and no other is (NODE-8), so the word that left last says
    // what the head is: rd_word comes late, out of a memory.
    wire idle_slot = pass && m_last_q;
    wire from_head = rd_ready && some && !idle_slot;

    assign boundary = ready || (pass && some && idle_slot) || ending_q;
    assign rd_ready = pass || (ready && !grant);

    always @* begin
        state_d   = state_q;
        left_d    = left_q;
        ending_d  = 1'b0;
        m_valid_d = 1'b0;
        m_data_d  = m_data_q;
        m_code_d  = m_code_q;
        m_last_d  = m_last_q;
        m_user_d  = m_user_q;

        if (from_head) begin
            m_valid_d = 1'b1;
            m_data_d  = rd_word[31:0];
            m_code_d  = rd_word[33:32];
            m_last_d  = rd_word[34];
            m_user_d  = rd_word[35];
        end

        case (state_q)
            `AWG_RING_EGRESS_PASS: if (some && idle_slot) state_d = `AWG_RING_EGRESS_READY;

            `AWG_RING_EGRESS_INSERT: begin
                left_d   = left_q - 9'd1;
                ending_d = left_q > 9'd1 && left_q <= LEAD + 9'd1;
                if (left_q == 9'd1) state_d = `AWG_RING_EGRESS_READY;
                if (tx_tvalid) begin
                    m_valid_d = 1'b1;
                    m_data_d  = tx_tdata;
                    m_code_d  = code_of(tx_tkeep);
                    m_last_d  = tx_tlast;
                    m_user_d  = tx_tuser;
                end
            end

            default: if (from_head) state_d = `AWG_RING_EGRESS_PASS; // READY
        endcase

        if (boundary && grant) begin
            state_d  = `AWG_RING_EGRESS_INSERT;
            left_d   = grant_cycles;
            ending_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        state_q   <= state_d;
        left_q    <= left_d;
        ending_q  <= ending_d;
        m_valid_q <= m_valid_d;
        m_data_q  <= m_data_d;
        m_code_q  <= m_code_d;
        m_last_q  <= m_last_d;
        m_user_q  <= m_user_d;
        if (rst) begin // NODE-21
            state_q   <= `AWG_RING_EGRESS_READY;
            ending_q  <= 1'b0;
            m_valid_q <= 1'b0;
        end
    end

    assign m_axis_tdata  = m_data_q;
    assign m_axis_tkeep  = keep_of(m_code_q);
    assign m_axis_tvalid = m_valid_q;
    assign m_axis_tlast  = m_last_q;
    assign m_axis_tuser  = m_user_q;
endmodule

`default_nettype wire
