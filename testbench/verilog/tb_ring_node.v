// SPDX-License-Identifier: MIT OR Apache-2.0
// Plays one golden vector of the ring node (vectors/FORMAT.md, node). No Rust.
//   +dir=FOLDER   folder of the vector
//   +fatal        a difference ends the simulator with an exit code
// Output: FAIL lines (10 at most) and one RESULT line, marked by AWGSTAR_TOKEN as in tb_common.vh.
`ifndef AWGSTAR_TOKEN
`define AWGSTAR_TOKEN 0
`endif
`default_nettype none

module tb_ring_node;
    localparam MAX_LINES = 16384;
    localparam IN_W      = 329;
    localparam OUT_W     = 273;
    // Each number of a line is a whole number of digits.
    localparam IN_D      = 332;
    localparam OUT_D     = 276;

    reg              clk;
    reg  [IN_W-1:0]  in;
    wire [OUT_W-1:0] out;

    reg [16+IN_D-1:0]    stimulus [0:MAX_LINES-1];
    reg [16+2*OUT_D-1:0] expected [0:MAX_LINES-1];

    ring_node dut (
        .clk(clk), .rst(in[328]), .cfg_mac(in[327:280]), .cfg_node_id(in[279:272]),
        .cfg_groups(in[271:256]), .cfg_monitor(in[255]), .issue(in[254]), .discard(in[253]),
        .s_axis_tdata(in[252:221]), .s_axis_tkeep(in[220:217]), .s_axis_tvalid(in[216]),
        .s_axis_tlast(in[215]), .s_axis_tuser(in[214]), .s_data_hdr_valid(in[213]),
        .s_data_hdr_act_seq(in[212:209]), .s_data_hdr_packet_cnt(in[208:201]),
        .s_data_hdr_addr(in[200:169]), .s_data_hdr_len(in[168:158]),
        .s_data_axis_tdata(in[157:126]), .s_data_axis_tkeep(in[125:122]),
        .s_data_axis_tvalid(in[121]), .s_data_axis_tlast(in[120]), .s_signal_hdr_valid(in[119]),
        .s_signal_hdr_token(in[118:116]), .s_signal_hdr_c_st(in[115:111]),
        .s_signal_hdr_node_id(in[110:103]), .s_signal_hdr_multi_g(in[102:99]),
        .s_signal_hdr_act_seq(in[98:95]), .s_signal_hdr_packet_cnt(in[94:87]),
        .s_signal_hdr_addr(in[86:55]), .s_signal_hdr_len(in[54:44]),
        .s_signal_axis_tdata(in[43:12]), .s_signal_axis_tkeep(in[11:8]),
        .s_signal_axis_tvalid(in[7]), .s_signal_axis_tlast(in[6]), .m_rx_hdr_ready(in[5]),
        .m_rx_axis_tready(in[4]), .count_addr(in[3:0]), .m_axis_tdata(out[272:241]),
        .m_axis_tkeep(out[240:237]), .m_axis_tvalid(out[236]), .m_axis_tlast(out[235]),
        .m_axis_tuser(out[234]), .s_data_hdr_ready(out[233]), .s_data_axis_tready(out[232]),
        .s_signal_hdr_ready(out[231]), .s_signal_axis_tready(out[230]), .m_rx_hdr_valid(out[229]),
        .m_rx_hdr_mac(out[228:181]), .m_rx_hdr_token(out[180:178]), .m_rx_hdr_c_st(out[177:173]),
        .m_rx_hdr_node_id(out[172:165]), .m_rx_hdr_multi_g(out[164:161]),
        .m_rx_hdr_act_seq(out[160:157]), .m_rx_hdr_packet_cnt(out[156:149]),
        .m_rx_hdr_addr(out[148:117]), .m_rx_hdr_len(out[116:106]), .m_rx_axis_tdata(out[105:74]),
        .m_rx_axis_tkeep(out[73:70]), .m_rx_axis_tvalid(out[69]), .m_rx_axis_tlast(out[68]),
        .m_ret_valid(out[67]), .m_ret_good(out[66]), .m_ret_token(out[65:63]),
        .m_ret_c_st(out[62:58]), .m_ret_packet_cnt(out[57:50]), .m_sent_valid(out[49]),
        .m_sent_class(out[48:47]), .m_sent_error(out[46:44]), .count_data(out[43:12]),
        .held(out[11:4]), .token_seen(out[3]), .buffered(out[2]), .ev_orphan(out[1]),
        .ev_discarded(out[0])
    );

    reg [8191:0]    dir;
    reg [OUT_W-1:0] value;
    reg [OUT_W-1:0] mask;
    reg [15:0]      in_left;  // cycles for which the inputs of the line stay
    reg [15:0]      out_left;
    integer         in_line;
    integer         out_line;
    integer         in_cycles;  // by the lines of each file
    integer         out_cycles;
    integer         cycle;
    integer         failed;

    initial begin
        clk      = 1'b0;
        in_left  = 16'd0;
        out_left = 16'd0;
        in_line  = 0;
        out_line = 0;
        cycle    = 0;
        failed   = 0;
        if (!$value$plusargs("dir=%s", dir)) begin
            $display("%h ERROR +dir=FOLDER is missing", 64'h`AWGSTAR_TOKEN);
            $finish;
        end
        // What is not read stays 0: a simulator with two states has no X.
        for (in_line = 0; in_line < MAX_LINES; in_line = in_line + 1) begin
            stimulus[in_line] = 0;
            expected[in_line] = 0;
        end
        $readmemh({dir, "/stimulus.hex"}, stimulus);
        $readmemh({dir, "/expect.hex"}, expected);
        in_cycles  = 0;
        out_cycles = 0;
        for (in_line = 0; in_line < MAX_LINES; in_line = in_line + 1) begin
            in_cycles  = in_cycles + {16'd0, stimulus[in_line][16+IN_D-1:IN_D]};
            out_cycles = out_cycles + {16'd0, expected[in_line][16+2*OUT_D-1:2*OUT_D]};
        end
        in_line = 0;
        if (in_cycles == 0 || in_cycles !== out_cycles) begin
            failed = failed + 1;
            $display("FAIL cycles of stimulus.hex=%0d of expect.hex=%0d", in_cycles, out_cycles);
        end
        while (cycle < in_cycles) begin
            if (in_left == 16'd0) begin
                in_left = stimulus[in_line][16+IN_D-1:IN_D];
                in      = stimulus[in_line][IN_W-1:0];
                in_line = in_line + 1;
            end
            if (out_left == 16'd0) begin
                out_left = expected[out_line][16+2*OUT_D-1:2*OUT_D];
                value    = expected[out_line][OUT_D+OUT_W-1:OUT_D];
                mask     = expected[out_line][OUT_W-1:0];
                out_line = out_line + 1;
            end
            #9;
            if (((out ^ value) & mask) !== {OUT_W{1'b0}}) begin
                failed = failed + 1;
                if (failed <= 10)
                    $display("FAIL cycle=%0d expected=%h found=%h mask=%h", cycle, value,
                             out, mask);
            end
            #1 clk = 1'b1;
            #10 clk = 1'b0;
            in_left  = in_left - 16'd1;
            out_left = out_left - 16'd1;
            cycle    = cycle + 1;
        end
        $display("%h RESULT module=ring_node cycles=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, cycle, failed);
        if (failed != 0 && $test$plusargs("fatal")) $fatal(1, "the design differs from the vector");
        $finish;
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
