// SPDX-License-Identifier: MIT OR Apache-2.0
// ring: NODES ring nodes, the fibre between them, and a source of data at each. Every node always
// wants to send. `acknowledged` counts, per node, the data frames that came back good.
`include "awgstar.vh"
`default_nettype none

module ring #(
    parameter NODES  = 4,    // 1 to 256
    parameter FIBRE  = 4,    // cycles of each link
    parameter TOKENS = 4,    // free tokens, issued at node 0 after reset
    parameter LEN    = 1024  // bytes of each data frame
) (
    input  wire                clk,
    input  wire                rst,
    output reg  [NODES*32-1:0] acknowledged
);
    wire [NODES*32-1:0] out_tdata, in_tdata;
    wire [NODES*4-1:0]  out_tkeep, in_tkeep;
    wire [NODES-1:0]    out_tvalid, out_tlast, out_tuser, in_tvalid, in_tlast, in_tuser;
    wire [NODES-1:0]    back;

    reg [8:0] issued_q;
    wire      issue = !rst && issued_q != TOKENS[8:0];

    always @(posedge clk) issued_q <= rst ? 9'd0 : issued_q + {8'd0, issue};

    genvar i;
    generate
        for (i = 0; i < NODES; i = i + 1) begin : node
            wire        hdr_valid, hdr_ready, pay_tvalid, pay_tready, pay_tlast;
            wire [7:0]  packet_cnt;
            wire [10:0] len;
            wire [31:0] pay_tdata;
            wire [3:0]  pay_tkeep;
            wire        ret_valid, ret_good;
            wire [2:0]  ret_token;

            fibre #(.CYCLES(FIBRE)) u_fibre (
                .clk           (clk),
                .rst           (rst),
                .s_axis_tdata  (out_tdata[((i + NODES - 1) % NODES)*32 +: 32]),
                .s_axis_tkeep  (out_tkeep[((i + NODES - 1) % NODES)*4 +: 4]),
                .s_axis_tvalid (out_tvalid[(i + NODES - 1) % NODES]),
                .s_axis_tlast  (out_tlast[(i + NODES - 1) % NODES]),
                .s_axis_tuser  (out_tuser[(i + NODES - 1) % NODES]),
                .m_axis_tdata  (in_tdata[i*32 +: 32]),
                .m_axis_tkeep  (in_tkeep[i*4 +: 4]),
                .m_axis_tvalid (in_tvalid[i]),
                .m_axis_tlast  (in_tlast[i]),
                .m_axis_tuser  (in_tuser[i])
            );

            traffic #(.LEN(LEN), .NODE(i[7:0])) u_traffic (
                .clk              (clk),
                .rst              (rst),
                .m_hdr_valid      (hdr_valid),
                .m_hdr_ready      (hdr_ready),
                .m_hdr_packet_cnt (packet_cnt),
                .m_hdr_len        (len),
                .m_axis_tdata     (pay_tdata),
                .m_axis_tkeep     (pay_tkeep),
                .m_axis_tvalid    (pay_tvalid),
                .m_axis_tready    (pay_tready),
                .m_axis_tlast     (pay_tlast)
            );

            wire        unused_signal_hdr_ready, unused_signal_tready, unused_rx_hdr_valid;
            wire [47:0] unused_rx_mac;
            wire [2:0]  unused_rx_token, unused_sent_error;
            wire [4:0]  unused_rx_c_st, unused_ret_c_st;
            wire [7:0]  unused_rx_node_id, unused_rx_packet_cnt, unused_ret_packet_cnt, unused_held;
            wire [3:0]  unused_rx_multi_g, unused_rx_act_seq, unused_rx_tkeep;
            wire [31:0] unused_rx_addr, unused_rx_tdata, unused_count;
            wire [10:0] unused_rx_len;
            wire        unused_rx_tvalid, unused_rx_tlast, unused_sent_valid;
            wire [1:0]  unused_sent_class;
            wire        unused_token_seen, unused_buffered, unused_orphan, unused_discarded;

            ring_node u_node (
                .clk                     (clk),
                .rst                     (rst),
                .cfg_mac                 ({40'h02_53_4d_42_00, i[7:0]}),
                .cfg_node_id             (i[7:0]),
                .cfg_groups              (16'd0),
                .cfg_monitor             (1'b0),
                .issue                   (i == 0 && issue),
                .discard                 (1'b0),
                .s_axis_tdata            (in_tdata[i*32 +: 32]),
                .s_axis_tkeep            (in_tkeep[i*4 +: 4]),
                .s_axis_tvalid           (in_tvalid[i]),
                .s_axis_tlast            (in_tlast[i]),
                .s_axis_tuser            (in_tuser[i]),
                .m_axis_tdata            (out_tdata[i*32 +: 32]),
                .m_axis_tkeep            (out_tkeep[i*4 +: 4]),
                .m_axis_tvalid           (out_tvalid[i]),
                .m_axis_tlast            (out_tlast[i]),
                .m_axis_tuser            (out_tuser[i]),
                .s_data_hdr_valid        (hdr_valid),
                .s_data_hdr_ready        (hdr_ready),
                .s_data_hdr_act_seq      (4'd0),
                .s_data_hdr_packet_cnt   (packet_cnt),
                .s_data_hdr_addr         (32'd0),
                .s_data_hdr_len          (len),
                .s_data_axis_tdata       (pay_tdata),
                .s_data_axis_tkeep       (pay_tkeep),
                .s_data_axis_tvalid      (pay_tvalid),
                .s_data_axis_tready      (pay_tready),
                .s_data_axis_tlast       (pay_tlast),
                .s_signal_hdr_valid      (1'b0),
                .s_signal_hdr_ready      (unused_signal_hdr_ready),
                .s_signal_hdr_token      (3'd0),
                .s_signal_hdr_c_st       (5'd0),
                .s_signal_hdr_node_id    (8'd0),
                .s_signal_hdr_multi_g    (4'd0),
                .s_signal_hdr_act_seq    (4'd0),
                .s_signal_hdr_packet_cnt (8'd0),
                .s_signal_hdr_addr       (32'd0),
                .s_signal_hdr_len        (11'd0),
                .s_signal_axis_tdata     (32'd0),
                .s_signal_axis_tkeep     (4'd0),
                .s_signal_axis_tvalid    (1'b0),
                .s_signal_axis_tready    (unused_signal_tready),
                .s_signal_axis_tlast     (1'b0),
                .m_rx_hdr_valid          (unused_rx_hdr_valid),
                .m_rx_hdr_ready          (1'b1),
                .m_rx_hdr_mac            (unused_rx_mac),
                .m_rx_hdr_token          (unused_rx_token),
                .m_rx_hdr_c_st           (unused_rx_c_st),
                .m_rx_hdr_node_id        (unused_rx_node_id),
                .m_rx_hdr_multi_g        (unused_rx_multi_g),
                .m_rx_hdr_act_seq        (unused_rx_act_seq),
                .m_rx_hdr_packet_cnt     (unused_rx_packet_cnt),
                .m_rx_hdr_addr           (unused_rx_addr),
                .m_rx_hdr_len            (unused_rx_len),
                .m_rx_axis_tdata         (unused_rx_tdata),
                .m_rx_axis_tkeep         (unused_rx_tkeep),
                .m_rx_axis_tvalid        (unused_rx_tvalid),
                .m_rx_axis_tready        (1'b1),
                .m_rx_axis_tlast         (unused_rx_tlast),
                .m_ret_valid             (ret_valid),
                .m_ret_good              (ret_good),
                .m_ret_token             (ret_token),
                .m_ret_c_st              (unused_ret_c_st),
                .m_ret_packet_cnt        (unused_ret_packet_cnt),
                .m_sent_valid            (unused_sent_valid),
                .m_sent_class            (unused_sent_class),
                .m_sent_error            (unused_sent_error),
                .count_addr              (4'd0),
                .count_data              (unused_count),
                .held                    (unused_held),
                .token_seen              (unused_token_seen),
                .buffered                (unused_buffered),
                .ev_orphan               (unused_orphan),
                .ev_discarded            (unused_discarded)
            );

            assign back[i] = ret_valid && ret_good && ret_token == `AWG_TOKEN_DATA;
        end
    endgenerate

    integer k;
    always @(posedge clk)
        for (k = 0; k < NODES; k = k + 1)
            acknowledged[k*32 +: 32] <= rst ? 32'd0 : acknowledged[k*32 +: 32] + {31'd0, back[k]};
endmodule

`default_nettype wire
