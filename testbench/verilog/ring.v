// A ring of NODES nodes with fibre of FIBRE cycles between them and TOKENS tokens, issued by node 0
// in the first cycles after reset (RING-1, RING-4). MODE 0: every node always has data to send;
// 1: only node 0 has. On a rising edge of `report` every node prints its counters, what still waits
// in the pending counts included. No part of the hardware.
`default_nettype none

module ring #(
    parameter NODES  = 4,    // 1 to 256
    parameter FIBRE  = 0,    // cycles of each link
    parameter TOKENS = 1,    // tokens of the ring
    parameter MODE   = 0,    // who sends
    parameter LEN    = 1024, // bytes of a data frame
    parameter GAP    = 0     // cycles a node waits before its next request
) (
    input wire clk,
    input wire rst,
    input wire report
);
    localparam [31:0] TOKENS_32 = TOKENS;

    // Link i leads from node i to node i + 1: near its beginning, far its end.
    wire [31:0] near_tdata [0:NODES-1];
    wire [3:0]  near_tkeep [0:NODES-1];
    wire [NODES-1:0] near_tvalid, near_tlast, near_tuser;
    wire [31:0] far_tdata [0:NODES-1];
    wire [3:0]  far_tkeep [0:NODES-1];
    wire [NODES-1:0] far_tvalid, far_tlast, far_tuser;

    reg  [31:0] tokens_q; // still to be issued
    reg  [3:0]  count_addr_q;
    wire        issue = !rst && tokens_q != 32'd0;

    initial count_addr_q = 4'd0;

    always @(posedge clk) begin
        count_addr_q <= count_addr_q + 4'd1;
        if (issue) tokens_q <= tokens_q - 32'd1;
        if (rst)   tokens_q <= TOKENS_32;
    end

    genvar i;
    generate
        for (i = 0; i < NODES; i = i + 1) begin : node
            localparam [31:0] I    = i;
            localparam [7:0]  ID   = I[7:0];
            localparam        PREV = (i + NODES - 1) % NODES;

            wire        hdr_valid, hdr_ready;
            wire [3:0]  hdr_act_seq;
            wire [7:0]  hdr_packet_cnt;
            wire [31:0] hdr_addr;
            wire [10:0] hdr_len;
            wire [31:0] axis_tdata;
            wire [3:0]  axis_tkeep;
            wire        axis_tvalid, axis_tready, axis_tlast;

            traffic #(
                .NODE   (ID),
                .LEN    (LEN),
                .GAP    (GAP),
                .ENABLE (MODE == 0 || i == 0)
            ) u_traffic (
                .clk            (clk),
                .rst            (rst),
                .hdr_valid      (hdr_valid),
                .hdr_ready      (hdr_ready),
                .hdr_act_seq    (hdr_act_seq),
                .hdr_packet_cnt (hdr_packet_cnt),
                .hdr_addr       (hdr_addr),
                .hdr_len        (hdr_len),
                .axis_tdata     (axis_tdata),
                .axis_tkeep     (axis_tkeep),
                .axis_tvalid    (axis_tvalid),
                .axis_tready    (axis_tready),
                .axis_tlast     (axis_tlast)
            );

            // What the node gives its host: there to be looked at, nobody takes it.
            wire        unused_signal_hdr_ready, unused_signal_axis_tready;
            wire        unused_rx_hdr_valid, unused_rx_axis_tvalid, unused_rx_axis_tlast;
            wire [47:0] unused_rx_mac;
            wire [2:0]  unused_rx_token;
            wire [4:0]  unused_rx_c_st;
            wire [7:0]  unused_rx_node_id;
            wire [3:0]  unused_rx_multi_g, unused_rx_act_seq;
            wire [7:0]  unused_rx_packet_cnt;
            wire [31:0] unused_rx_addr;
            wire [10:0] unused_rx_len;
            wire [31:0] unused_rx_axis_tdata;
            wire [3:0]  unused_rx_axis_tkeep;
            wire        unused_ret_valid, unused_ret_good;
            wire [2:0]  unused_ret_token;
            wire [4:0]  unused_ret_c_st;
            wire [7:0]  unused_ret_packet_cnt;
            wire        unused_sent_valid;
            wire [1:0]  unused_sent_class;
            wire [2:0]  unused_sent_error;
            wire [31:0] unused_count_data;
            wire [7:0]  held;

            ring_node u_node (
                .clk                     (clk),
                .rst                     (rst),
                .cfg_mac                 ({40'h02_53_4D_42_00, ID}),
                .cfg_node_id             (ID),
                .cfg_groups              (16'd0),
                .issue                   (issue && i == 0),
                .s_axis_tdata            (far_tdata[PREV]),
                .s_axis_tkeep            (far_tkeep[PREV]),
                .s_axis_tvalid           (far_tvalid[PREV]),
                .s_axis_tlast            (far_tlast[PREV]),
                .s_axis_tuser            (far_tuser[PREV]),
                .m_axis_tdata            (near_tdata[i]),
                .m_axis_tkeep            (near_tkeep[i]),
                .m_axis_tvalid           (near_tvalid[i]),
                .m_axis_tlast            (near_tlast[i]),
                .m_axis_tuser            (near_tuser[i]),
                .s_data_hdr_valid        (hdr_valid),
                .s_data_hdr_ready        (hdr_ready),
                .s_data_hdr_act_seq      (hdr_act_seq),
                .s_data_hdr_packet_cnt   (hdr_packet_cnt),
                .s_data_hdr_addr         (hdr_addr),
                .s_data_hdr_len          (hdr_len),
                .s_data_axis_tdata       (axis_tdata),
                .s_data_axis_tkeep       (axis_tkeep),
                .s_data_axis_tvalid      (axis_tvalid),
                .s_data_axis_tready      (axis_tready),
                .s_data_axis_tlast       (axis_tlast),
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
                .s_signal_axis_tready    (unused_signal_axis_tready),
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
                .m_rx_axis_tdata         (unused_rx_axis_tdata),
                .m_rx_axis_tkeep         (unused_rx_axis_tkeep),
                .m_rx_axis_tvalid        (unused_rx_axis_tvalid),
                .m_rx_axis_tready        (1'b1),
                .m_rx_axis_tlast         (unused_rx_axis_tlast),
                .m_ret_valid             (unused_ret_valid),
                .m_ret_good              (unused_ret_good),
                .m_ret_token             (unused_ret_token),
                .m_ret_c_st              (unused_ret_c_st),
                .m_ret_packet_cnt        (unused_ret_packet_cnt),
                .m_sent_valid            (unused_sent_valid),
                .m_sent_class            (unused_sent_class),
                .m_sent_error            (unused_sent_error),
                .count_addr              (count_addr_q),
                .count_data              (unused_count_data),
                .held                    (held)
            );

            fibre #(
                .CYCLES (FIBRE)
            ) u_fibre (
                .clk           (clk),
                .rst           (rst),
                .s_axis_tdata  (near_tdata[i]),
                .s_axis_tkeep  (near_tkeep[i]),
                .s_axis_tvalid (near_tvalid[i]),
                .s_axis_tlast  (near_tlast[i]),
                .s_axis_tuser  (near_tuser[i]),
                .m_axis_tdata  (far_tdata[i]),
                .m_axis_tkeep  (far_tkeep[i]),
                .m_axis_tvalid (far_tvalid[i]),
                .m_axis_tlast  (far_tlast[i]),
                .m_axis_tuser  (far_tuser[i])
            );

            integer k;
            always @(posedge report) begin
                $write("node %0d held %0d counts", i, held);
                for (k = 0; k < 16; k = k + 1)
                    $write(" %0d", u_node.u_counters.mem[k]
                                   + {27'd0, u_node.u_counters.pending_q[k * 5 +: 5]});
                $write("\n");
            end
        end
    endgenerate
endmodule

`default_nettype wire
