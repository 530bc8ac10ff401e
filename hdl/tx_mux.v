// SPDX-License-Identifier: MIT OR Apache-2.0
// tx_mux: header and payload of the class that was granted, for frame_tx.
//
// Promises: MAC is that of the node whatever is sent, Node_ID of data and free tokens is its own,
// and nothing that looks like one of those leaves the signal port (NODE-14). Payload comes from the
// port of the last grant, and no other port is asked for any.
//
// Latency: none; class_q follows the grant by one cycle, before frame_tx takes the first beat.
//
// Requirements: NODE-1, NODE-14, NODE-19, NODE-21.
`include "awgstar.vh"
`default_nettype none

module tx_mux (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         pick_data,
    input  wire                         pick_signal,
    input  wire                         grant_data,
    input  wire                         grant_signal,
    input  wire                         grant_free,

    input  wire [47:0]                  cfg_mac,
    input  wire [7:0]                   cfg_node_id,

    input  wire [`AWG_DATA_HDR_W-1:0]   s_data_hdr,
    input  wire [31:0]                  s_data_axis_tdata,
    input  wire [3:0]                   s_data_axis_tkeep,
    input  wire                         s_data_axis_tvalid,
    output wire                         s_data_axis_tready,
    input  wire                         s_data_axis_tlast,

    input  wire [`AWG_SIGNAL_HDR_W-1:0] s_signal_hdr,
    input  wire [31:0]                  s_signal_axis_tdata,
    input  wire [3:0]                   s_signal_axis_tkeep,
    input  wire                         s_signal_axis_tvalid,
    output wire                         s_signal_axis_tready,
    input  wire                         s_signal_axis_tlast,

    output wire                         m_hdr_valid,
    output reg  [`AWG_HDR_W-1:0]        m_hdr,
    output wire [31:0]                  m_axis_tdata,
    output wire [3:0]                   m_axis_tkeep,
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire                         m_axis_tlast,

    output wire [1:0]                   tx_class
);
    localparam [2:0] TOKEN_REFUSED = 3'b111; // not assigned: frame_tx refuses it (TX-8)

    reg [1:0] class_q, class_d; // class of the last grant

    wire       from_data   = class_q == `AWG_CLASS_DATA;
    wire       from_signal = class_q == `AWG_CLASS_SIGNAL;
    wire [2:0] token       = s_signal_hdr[`AWG_HDR_TOKEN];
    wire       needs_token = token == `AWG_TOKEN_FREE || token == `AWG_TOKEN_DATA;

    always @* begin
        class_d = class_q;
        m_hdr   = {`AWG_HDR_W{1'b0}};
        m_hdr[`AWG_HDR_TOKEN]   = `AWG_TOKEN_FREE;
        m_hdr[`AWG_HDR_NODE_ID] = cfg_node_id;

        if (grant_free)   class_d = `AWG_CLASS_FREE;
        if (grant_data)   class_d = `AWG_CLASS_DATA;
        if (grant_signal) class_d = `AWG_CLASS_SIGNAL;

        // Of whoever is next: the grant comes later.
        if (pick_data) begin
            m_hdr[`AWG_DATA_HDR_W-1:0] = s_data_hdr;
            m_hdr[`AWG_HDR_TOKEN]      = `AWG_TOKEN_DATA;
        end

        if (pick_signal) begin
            m_hdr[`AWG_SIGNAL_HDR_W-1:0] = s_signal_hdr;
            m_hdr[`AWG_HDR_TOKEN]        = needs_token ? TOKEN_REFUSED : token; // NODE-14
        end

        m_hdr[`AWG_HDR_MAC] = cfg_mac; // NODE-14
    end

    always @(posedge clk) begin
        class_q <= class_d;
        if (rst) class_q <= `AWG_CLASS_FREE; // NODE-21
    end

    assign m_hdr_valid          = grant_data || grant_signal || grant_free;
    assign m_axis_tdata         = from_data ? s_data_axis_tdata : s_signal_axis_tdata;
    assign m_axis_tkeep         = from_data ? s_data_axis_tkeep : s_signal_axis_tkeep;
    assign m_axis_tlast         = from_data ? s_data_axis_tlast : s_signal_axis_tlast;
    assign m_axis_tvalid        = (from_data && s_data_axis_tvalid)
                               || (from_signal && s_signal_axis_tvalid);
    assign s_data_axis_tready   = from_data && m_axis_tready;
    assign s_signal_axis_tready = from_signal && m_axis_tready;
    assign tx_class             = class_q; // NODE-19
endmodule

`default_nettype wire
