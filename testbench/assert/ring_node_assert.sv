// SPDX-License-Identifier: MIT OR Apache-2.0
// ring_node_assert: rules of the ports of ring_node, to be bound to it or to another node with these
// ports.
//
// A frame is known to be of this node by its MAC. After a change of cfg_mac or cfg_node_id under
// traffic that does not hold until the next reset, and the frames of the node are not checked.
`include "awgstar.vh"
`include "awgstar_assert.svh"
`default_nettype none

module ring_node_assert #(
    parameter ENV = 1 // 1: check the rules of the link in and of the headers to send, too
) (
    input wire        clk,
    input wire        rst,

    input wire [47:0] cfg_mac,
    input wire [7:0]  cfg_node_id,

    input wire [31:0] s_axis_tdata,
    input wire [3:0]  s_axis_tkeep,
    input wire        s_axis_tvalid,
    input wire        s_axis_tlast,
    input wire        s_axis_tuser,

    input wire [31:0] m_axis_tdata,
    input wire [3:0]  m_axis_tkeep,
    input wire        m_axis_tvalid,
    input wire        m_axis_tlast,
    input wire        m_axis_tuser,

    input wire        s_data_hdr_valid,
    input wire        s_data_hdr_ready,
    input wire [3:0]  s_data_hdr_act_seq,
    input wire [7:0]  s_data_hdr_packet_cnt,
    input wire [31:0] s_data_hdr_addr,
    input wire [10:0] s_data_hdr_len,

    input wire        s_signal_hdr_valid,
    input wire        s_signal_hdr_ready,
    input wire [2:0]  s_signal_hdr_token,
    input wire [4:0]  s_signal_hdr_c_st,
    input wire [7:0]  s_signal_hdr_node_id,
    input wire [3:0]  s_signal_hdr_multi_g,
    input wire [3:0]  s_signal_hdr_act_seq,
    input wire [7:0]  s_signal_hdr_packet_cnt,
    input wire [31:0] s_signal_hdr_addr,
    input wire [10:0] s_signal_hdr_len,

    input wire        m_rx_hdr_valid,
    input wire        m_rx_hdr_ready,
    input wire [47:0] m_rx_hdr_mac,
    input wire [2:0]  m_rx_hdr_token,
    input wire [4:0]  m_rx_hdr_c_st,
    input wire [7:0]  m_rx_hdr_node_id,
    input wire [3:0]  m_rx_hdr_multi_g,
    input wire [3:0]  m_rx_hdr_act_seq,
    input wire [7:0]  m_rx_hdr_packet_cnt,
    input wire [31:0] m_rx_hdr_addr,
    input wire [10:0] m_rx_hdr_len,

    input wire [31:0] m_rx_axis_tdata,
    input wire [3:0]  m_rx_axis_tkeep,
    input wire        m_rx_axis_tvalid,
    input wire        m_rx_axis_tready,
    input wire        m_rx_axis_tlast,

    input wire        m_ret_valid,
    input wire        m_ret_good,
    input wire [2:0]  m_ret_token,

    input wire        m_sent_valid,
    input wire [1:0]  m_sent_class,
    input wire [2:0]  m_sent_error
);
    generate if (ENV != 0 && ENV != 1) begin : g_check
        ring_node_assert_ENV_must_be_0_or_1 u_error ();
    end endgenerate

    // ---- Link ----

    reg        live_q;
    reg        rst_q;
    initial begin
        live_q = 1'b0;
        rst_q  = 1'b0;
    end
    reg        moved_q;  // there was traffic since the reset
    reg        known_q;
    reg [47:0] mac_q;
    reg [7:0]  node_id_q;

    wire traffic = s_axis_tvalid || m_axis_tvalid || s_data_hdr_valid || s_signal_hdr_valid;

    always @(posedge clk) begin
        if (rst) live_q <= 1'b1;
        rst_q     <= rst;
        mac_q     <= cfg_mac;
        node_id_q <= cfg_node_id;
        moved_q   <= !rst && (traffic || moved_q);
        if (moved_q && (mac_q != cfg_mac || node_id_q != cfg_node_id)) known_q <= 1'b0;
        if (rst) known_q <= 1'b1;
    end

    wire on    = live_q && !rst;
    wire known = known_q && mac_q == cfg_mac && node_id_q == cfg_node_id;

    link_assert u_out (
        .clk(clk), .rst(rst), .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid),
        .tlast(m_axis_tlast), .tuser(m_axis_tuser)
    );

    frame_assert u_frame (
        .clk(clk), .rst(rst), .known(known), .mac(cfg_mac), .node_id(cfg_node_id),
        .tdata(m_axis_tdata), .tkeep(m_axis_tkeep), .tvalid(m_axis_tvalid), .tlast(m_axis_tlast),
        .tuser(m_axis_tuser)
    );

    generate if (ENV == 1) begin : g_env
        link_assert #(.ENV(1)) u_in (
            .clk(clk), .rst(rst), .tdata(s_axis_tdata), .tkeep(s_axis_tkeep),
            .tvalid(s_axis_tvalid), .tlast(s_axis_tlast), .tuser(s_axis_tuser)
        );

        stream_assert #(.ENV(1), .W(55)) u_data_hdr (
            .clk(clk), .rst(rst), .valid(s_data_hdr_valid), .ready(s_data_hdr_ready),
            .payload({s_data_hdr_act_seq, s_data_hdr_packet_cnt, s_data_hdr_addr, s_data_hdr_len})
        );

        stream_assert #(.ENV(1), .W(75)) u_signal_hdr (
            .clk(clk), .rst(rst), .valid(s_signal_hdr_valid), .ready(s_signal_hdr_ready),
            .payload({s_signal_hdr_token, s_signal_hdr_c_st, s_signal_hdr_node_id,
                      s_signal_hdr_multi_g, s_signal_hdr_act_seq, s_signal_hdr_packet_cnt,
                      s_signal_hdr_addr, s_signal_hdr_len})
        );
    end endgenerate

    // ---- What is received ----

    stream_assert #(.W(123)) u_rx_hdr (
        .clk(clk), .rst(rst), .valid(m_rx_hdr_valid), .ready(m_rx_hdr_ready),
        .payload({m_rx_hdr_mac, m_rx_hdr_token, m_rx_hdr_c_st, m_rx_hdr_node_id, m_rx_hdr_multi_g,
                  m_rx_hdr_act_seq, m_rx_hdr_packet_cnt, m_rx_hdr_addr, m_rx_hdr_len})
    );

    stream_assert #(.W(37)) u_rx_data (
        .clk(clk), .rst(rst), .valid(m_rx_axis_tvalid), .ready(m_rx_axis_tready),
        .payload({m_rx_axis_tdata, m_rx_axis_tkeep, m_rx_axis_tlast})
    );

    wire rx_short = m_rx_hdr_c_st == `AWG_C_ST_DATA_SHORT;
    wire rx_keep  = m_rx_axis_tkeep == 4'b1111
                 || (m_rx_axis_tlast && (m_rx_axis_tkeep == 4'b0001 || m_rx_axis_tkeep == 4'b0011
                                         || m_rx_axis_tkeep == 4'b0111));

    // FRM-4: nothing reserved is given to the receive side, nor a free token (NODE-16).
    `AWG_ASSERT(node16_token, "NODE-16, FRM-4", on && m_rx_hdr_valid,
        m_rx_hdr_token != `AWG_TOKEN_FREE && m_rx_hdr_token != 3'b010 && m_rx_hdr_token != 3'b111)
    `AWG_ASSERT(frm8_rx_c_st, "FRM-8", on && m_rx_hdr_valid && m_rx_hdr_token == `AWG_TOKEN_DATA,
        rx_short || m_rx_hdr_c_st == `AWG_C_ST_DATA_FULL)
    `AWG_ASSERT(rx5_length, "RX-5, FRM-3, FRM-7", on && m_rx_hdr_valid,
        (m_rx_hdr_token == `AWG_TOKEN_DATA && rx_short)
            ? m_rx_hdr_len != 11'd0 && m_rx_hdr_len < `AWG_DATA_MIN
            : m_rx_hdr_len >= `AWG_DATA_MIN && m_rx_hdr_len <= `AWG_DATA_MAX)
    `AWG_ASSERT(rx2_keep, "RX-2", on && m_rx_axis_tvalid, rx_keep)

    // ---- Reports on own frames ----

    `AWG_ASSERT(node21_reset_ret, "NODE-21, NODE-18", rst_q, !m_ret_valid)
    `AWG_ASSERT(node18_token, "NODE-18, NODE-3", on && m_ret_valid && m_ret_good,
        m_ret_token != `AWG_TOKEN_FREE && m_ret_token != 3'b010 && m_ret_token != 3'b111)
    `AWG_ASSERT(node21_reset_sent, "NODE-21, NODE-19", rst_q, !m_sent_valid)
    `AWG_ASSERT(node19_verdict, "NODE-19, TX-6", on && m_sent_valid,
        m_sent_class <= `AWG_CLASS_SIGNAL && m_sent_error <= `AWG_TX_LAST)
endmodule

`default_nettype wire
