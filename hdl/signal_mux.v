// SPDX-License-Identifier: MIT OR Apache-2.0
// signal_mux: the signal port of the node serves control tokens and the host's signals.
//
// Promises: a header that was offered stays until it is taken; control tokens go first.
//
// Latency: none.
//
// Requirements: MON-1, SND-1.
`include "awgstar.vh"
`default_nettype none

module signal_mux (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         c_hdr_valid,
    output wire                         c_hdr_ready,
    input  wire [4:0]                   c_hdr_c_st,
    input  wire [7:0]                   c_hdr_packet_cnt,
    input  wire [31:0]                  c_hdr_addr,

    input  wire [7:0]                   cfg_node_id,

    input  wire                         h_hdr_valid,
    output wire                         h_hdr_ready,
    input  wire [`AWG_SIGNAL_HDR_W-1:0] h_hdr,

    input  wire [31:0]                  h_axis_tdata,
    input  wire [3:0]                   h_axis_tkeep,
    input  wire                         h_axis_tvalid,
    output wire                         h_axis_tready,
    input  wire                         h_axis_tlast,

    output wire                         m_hdr_valid,
    input  wire                         m_hdr_ready,
    output reg  [`AWG_SIGNAL_HDR_W-1:0] m_hdr,

    output wire [31:0]                  m_axis_tdata,
    output wire [3:0]                   m_axis_tkeep,
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire                         m_axis_tlast
);
    reg busy_q; // a header is on offer: stay with it
    reg pick_q; // 1: the host's

    wire pick = busy_q ? pick_q : !c_hdr_valid;

    always @(posedge clk) begin
        busy_q <= m_hdr_valid && !m_hdr_ready;
        pick_q <= pick;
        if (rst) begin
            busy_q <= 1'b0;
            pick_q <= 1'b0;
        end
    end

    assign c_hdr_ready = !pick && m_hdr_ready;
    assign h_hdr_ready = pick && m_hdr_ready;

    // Whichever it is: with busy_q the one picked is still on offer.
    assign m_hdr_valid = c_hdr_valid || h_hdr_valid;

    always @* begin
        m_hdr = h_hdr;
        if (!pick) begin
            m_hdr = {`AWG_SIGNAL_HDR_W{1'b0}}; // MON-1
            m_hdr[`AWG_HDR_TOKEN]      = `AWG_TOKEN_CONTROL;
            m_hdr[`AWG_HDR_C_ST]       = c_hdr_c_st;
            m_hdr[`AWG_HDR_NODE_ID]    = cfg_node_id;
            m_hdr[`AWG_HDR_PACKET_CNT] = c_hdr_packet_cnt;
            m_hdr[`AWG_HDR_ADDR]       = c_hdr_addr;
        end
    end

    // Control tokens have no payload, and the node takes no header while one streams.
    assign m_axis_tdata  = h_axis_tdata;
    assign m_axis_tkeep  = h_axis_tkeep;
    assign m_axis_tvalid = h_axis_tvalid;
    assign m_axis_tlast  = h_axis_tlast;
    assign h_axis_tready = m_axis_tready;
endmodule

`default_nettype wire
