// SPDX-License-Identifier: MIT OR Apache-2.0
// links: NODES ring nodes, each with a clock of its own, joined by ring_link and line; a source of
// numbered frames and a scoreboard at each. links.cpp drives the clocks and the faults.
`include "awgstar.vh"
`default_nettype none

module links #(
    parameter NODES   = 4, // 2 to 8
    parameter LONGEST = 0, // 1: every frame has 1,024 bytes
    parameter ADDR_W  = 6, // of the elastic buffers
    parameter OWN_IDLE = 2 // of the nodes
) (
    input  wire [NODES-1:0]    clk,
    input  wire [NODES-1:0]    rx_clk,   // that of the node before, delayed
    input  wire                rst,
    input  wire [NODES-1:0]    enable,   // the node sends
    input  wire [NODES-1:0]    issue,
    input  wire [NODES*6-1:0]  skew,
    input  wire [NODES-1:0]    flip,     // on the line to node i
    input  wire [5:0]          at,
    input  wire [NODES-1:0]    dark,
    output wire [NODES-1:0]    up,
    output wire [NODES-1:0]    token_seen,
    output wire [NODES-1:0]    in_first, // the first word of a frame comes into the node
    output wire [NODES-1:0]    out_first, // and leaves it
    output wire [NODES-1:0]    bad,
    output wire [NODES-1:0]    broken,
    output wire [NODES-1:0]    overflow,
    output wire [NODES-1:0]    underrun,
    output wire [NODES*8-1:0]  waiting,  // words in the elastic buffer
    output wire [NODES*32-1:0] sent,     // headers that the node has taken
    output wire [NODES*32-1:0] returned, // good
    output wire [NODES*32-1:0] good,
    output wire [NODES*32-1:0] missing,
    output wire [NODES*32-1:0] again,
    output wire [NODES*32-1:0] wrong
);
    wire [NODES*40-1:0] tx_code;

    genvar i;
    generate
        for (i = 0; i < NODES; i = i + 1) begin : node
            localparam FROM = (i + NODES - 1) % NODES;

            wire [31:0] in_tdata, out_tdata, pay_tdata, rx_tdata, seq, rx_addr;
            wire [3:0]  in_tkeep, out_tkeep, pay_tkeep;
            wire        in_tvalid, in_tlast, in_tuser, out_tvalid, out_tlast, out_tuser;
            wire        hdr_valid, hdr_ready, pay_tvalid, pay_tready, pay_tlast;
            wire [10:0] len, rx_len;
            wire        rx_hdr_valid, rx_hdr_ready, rx_tvalid, rx_tready, rx_tlast;
            wire [7:0]  rx_node_id, rx_packet_cnt;
            wire        ret_valid, ret_good;
            wire [2:0]  ret_token;
            wire [39:0] rx_code;
            wire [ADDR_W:0] words;

            line u_line (
                .clk     (clk[FROM]),
                .skew    (skew[i*6 +: 6]),
                .flip    (flip[i]),
                .at      (at),
                .dark    (dark[i]),
                .tx_code (tx_code[FROM*40 +: 40]),
                .rx_code (rx_code)
            );

            ring_link #(
                .ELASTIC_ADDR_W (ADDR_W)
            ) u_link (
                .clk            (clk[i]),
                .rst            (rst),
                .s_axis_tdata   (out_tdata),
                .s_axis_tkeep   (out_tkeep),
                .s_axis_tvalid  (out_tvalid),
                .s_axis_tlast   (out_tlast),
                .s_axis_tuser   (out_tuser),
                .m_axis_tdata   (in_tdata),
                .m_axis_tkeep   (in_tkeep),
                .m_axis_tvalid  (in_tvalid),
                .m_axis_tlast   (in_tlast),
                .m_axis_tuser   (in_tuser),
                .up             (up[i]),
                .words          (words),
                .ev_underrun    (underrun[i]),
                .tx_code        (tx_code[i*40 +: 40]),
                .rx_clk         (rx_clk[i]),
                .rx_los         (dark[i]),
                .rx_code        (rx_code),
                .rx_ev_bad      (bad[i]),
                .rx_ev_broken   (broken[i]),
                .rx_ev_overflow (overflow[i])
            );

            assign waiting[i*8 +: 8] = {{(7 - ADDR_W){1'b0}}, words};

            reg in_q, out_q;

            always @(posedge clk[i]) begin
                in_q  <= in_tvalid;
                out_q <= out_tvalid;
            end

            assign in_first[i]  = in_tvalid && !in_q;
            assign out_first[i] = out_tvalid && !out_q;

            numbered_source #(.LONGEST(LONGEST), .NODE(i[7:0])) u_source (
                .clk           (clk[i]),
                .rst           (rst),
                .enable        (enable[i]),
                .m_hdr_valid   (hdr_valid),
                .m_hdr_ready   (hdr_ready),
                .m_hdr_seq     (seq),
                .m_hdr_len     (len),
                .m_axis_tdata  (pay_tdata),
                .m_axis_tkeep  (pay_tkeep),
                .m_axis_tvalid (pay_tvalid),
                .m_axis_tready (pay_tready),
                .m_axis_tlast  (pay_tlast)
            );

            numbered_sink #(.LONGEST(LONGEST), .NODES(NODES)) u_sink (
                .clk              (clk[i]),
                .rst              (rst),
                .s_hdr_valid      (rx_hdr_valid),
                .s_hdr_ready      (rx_hdr_ready),
                .s_hdr_node_id    (rx_node_id),
                .s_hdr_packet_cnt (rx_packet_cnt),
                .s_hdr_seq        (rx_addr),
                .s_hdr_len        (rx_len),
                .s_axis_tdata     (rx_tdata),
                .s_axis_tvalid    (rx_tvalid),
                .s_axis_tready    (rx_tready),
                .s_axis_tlast     (rx_tlast),
                .good             (good[i*32 +: 32]),
                .missing          (missing[i*32 +: 32]),
                .again            (again[i*32 +: 32]),
                .wrong            (wrong[i*32 +: 32])
            );

            wire        unused_signal_hdr_ready, unused_signal_tready;
            wire [47:0] unused_rx_mac;
            wire [2:0]  unused_rx_token, unused_sent_error;
            wire [4:0]  unused_rx_c_st, unused_ret_c_st;
            wire [7:0]  unused_ret_packet_cnt, unused_held;
            wire [3:0]  unused_rx_multi_g, unused_rx_act_seq, unused_rx_tkeep;
            wire [31:0] unused_count;
            wire        unused_sent_valid;
            wire [1:0]  unused_sent_class;
            wire        unused_buffered, unused_orphan, unused_discarded;

            ring_node #(
                .OWN_IDLE (OWN_IDLE)
            ) u_node (
                .clk                     (clk[i]),
                .rst                     (rst),
                .cfg_mac                 ({40'h02_53_4d_42_00, i[7:0]}),
                .cfg_node_id             (i[7:0]),
                .cfg_groups              (16'd0),
                .cfg_monitor             (1'b0),
                .issue                   (issue[i]),
                .discard                 (1'b0),
                .s_axis_tdata            (in_tdata),
                .s_axis_tkeep            (in_tkeep),
                .s_axis_tvalid           (in_tvalid),
                .s_axis_tlast            (in_tlast),
                .s_axis_tuser            (in_tuser),
                .m_axis_tdata            (out_tdata),
                .m_axis_tkeep            (out_tkeep),
                .m_axis_tvalid           (out_tvalid),
                .m_axis_tlast            (out_tlast),
                .m_axis_tuser            (out_tuser),
                .s_data_hdr_valid        (hdr_valid),
                .s_data_hdr_ready        (hdr_ready),
                .s_data_hdr_act_seq      (4'd0),
                .s_data_hdr_packet_cnt   (seq[7:0]),
                .s_data_hdr_addr         (seq),
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
                .m_rx_hdr_valid          (rx_hdr_valid),
                .m_rx_hdr_ready          (rx_hdr_ready),
                .m_rx_hdr_mac            (unused_rx_mac),
                .m_rx_hdr_token          (unused_rx_token),
                .m_rx_hdr_c_st           (unused_rx_c_st),
                .m_rx_hdr_node_id        (rx_node_id),
                .m_rx_hdr_multi_g        (unused_rx_multi_g),
                .m_rx_hdr_act_seq        (unused_rx_act_seq),
                .m_rx_hdr_packet_cnt     (rx_packet_cnt),
                .m_rx_hdr_addr           (rx_addr),
                .m_rx_hdr_len            (rx_len),
                .m_rx_axis_tdata         (rx_tdata),
                .m_rx_axis_tkeep         (unused_rx_tkeep),
                .m_rx_axis_tvalid        (rx_tvalid),
                .m_rx_axis_tready        (rx_tready),
                .m_rx_axis_tlast         (rx_tlast),
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
                .token_seen              (token_seen[i]),
                .buffered                (unused_buffered),
                .ev_orphan               (unused_orphan),
                .ev_discarded            (unused_discarded)
            );

            reg [31:0] sent_q, returned_q;

            always @(posedge clk[i]) begin
                if (hdr_valid && hdr_ready) sent_q <= sent_q + 32'd1;
                if (ret_valid && ret_good && ret_token == `AWG_TOKEN_DATA)
                    returned_q <= returned_q + 32'd1;
                if (rst) begin
                    sent_q     <= 32'd0;
                    returned_q <= 32'd0;
                end
            end

            assign sent[i*32 +: 32]     = sent_q;
            assign returned[i*32 +: 32] = returned_q;
        end
    endgenerate
endmodule

`default_nettype wire
