// SPDX-License-Identifier: MIT OR Apache-2.0
// rx_filter: sorts the verdicts of frame_rx into frames for this node, own frames and defects.
//
// Promises: a verdict is of one kind only, so it makes at most one of deliver, an event and
// m_ret_valid come true. An own frame that has returned is reported once (NODE-18).
//
// Latency: deliver and the events within the cycle of the verdict, m_ret_* in the next.
//
// Requirements: NODE-16, NODE-18, NODE-20, NODE-21.
`include "awgstar.vh"
`default_nettype none

module rx_filter (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [1:0]            kind,
    input  wire                  hdr_valid,
    input  wire                  hdr_good,
    input  wire [3:0]            hdr_check,
    input  wire [`AWG_HDR_W-1:0] hdr,

    input  wire [7:0]            cfg_node_id,
    input  wire [15:0]           cfg_groups,

    output wire                  deliver,

    output wire                  m_ret_valid,
    output wire                  m_ret_good,
    output wire [2:0]            m_ret_token,
    output wire [4:0]            m_ret_c_st,
    output wire [7:0]            m_ret_packet_cnt,

    output wire                  ev_returned_good,
    output wire                  ev_returned_bad,
    output wire                  ev_bad_fcs,
    output wire                  ev_bad_other
);
    reg       ret_valid_q;
    reg       ret_good_q, ret_good_d;
    reg [2:0] ret_token_q, ret_token_d;
    reg [4:0] ret_c_st_q, ret_c_st_d;
    reg [7:0] ret_packet_cnt_q, ret_packet_cnt_d;

    wire own     = hdr_valid && kind == `AWG_KIND_OWN;
    wire other   = hdr_valid && kind == `AWG_KIND_OTHER;
    wire bad_fcs = hdr_check == `AWG_CHECK_FCS;

    wire unused_hdr = &{1'b0, hdr}; // not all fields matter here

    reg for_us;

    always @* begin // NODE-16
        for_us = 1'b0;
        case (hdr[`AWG_HDR_TOKEN])
            `AWG_TOKEN_DATA,
            `AWG_TOKEN_BROADCAST,
            `AWG_TOKEN_CONTROL:   for_us = 1'b1;
            `AWG_TOKEN_P2P:       for_us = hdr[`AWG_HDR_NODE_ID] == cfg_node_id;
            `AWG_TOKEN_MULTICAST: for_us = cfg_groups[hdr[`AWG_HDR_MULTI_G]];
            default:              ;
        endcase
    end

    always @* begin
        ret_good_d       = ret_good_q;
        ret_token_d      = ret_token_q;
        ret_c_st_d       = ret_c_st_q;
        ret_packet_cnt_d = ret_packet_cnt_q;
        if (own) begin
            ret_good_d       = hdr_good;
            ret_token_d      = hdr[`AWG_HDR_TOKEN];
            ret_c_st_d       = hdr[`AWG_HDR_C_ST];
            ret_packet_cnt_d = hdr[`AWG_HDR_PACKET_CNT];
        end
    end

    always @(posedge clk) begin
        ret_valid_q      <= own; // NODE-18
        ret_good_q       <= ret_good_d;
        ret_token_q      <= ret_token_d;
        ret_c_st_q       <= ret_c_st_d;
        ret_packet_cnt_q <= ret_packet_cnt_d;
        if (rst) ret_valid_q <= 1'b0; // NODE-21
    end

    assign deliver          = other && hdr_good && for_us;
    assign ev_returned_good = own && hdr_good;
    assign ev_returned_bad  = own && !hdr_good;
    assign ev_bad_fcs       = other && !hdr_good && bad_fcs;
    assign ev_bad_other     = other && !hdr_good && !bad_fcs;
    assign m_ret_valid      = ret_valid_q;
    assign m_ret_good       = ret_good_q;
    assign m_ret_token      = ret_token_q;
    assign m_ret_c_st       = ret_c_st_q;
    assign m_ret_packet_cnt = ret_packet_cnt_q;
endmodule

`default_nettype wire
