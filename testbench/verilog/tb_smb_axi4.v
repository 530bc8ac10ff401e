// SPDX-License-Identifier: MIT OR Apache-2.0
// Plays a vector of a board with an AXI4 port, in the format of those of the board (vectors/FORMAT.md).
//   +dir=FOLDER   folder of the vector
//   +fatal        a difference ends the simulator with an exit code
// Output: FAIL lines (10 at most) and one RESULT line, marked by AWGSTAR_TOKEN as in tb_common.vh.
`ifndef AWGSTAR_TOKEN
`define AWGSTAR_TOKEN 0
`endif
`default_nettype none

module tb_smb_axi4;
    localparam MAX_LINES = 32768;
    localparam IN_W      = 180;
    localparam OUT_W     = 90;
    // Each number of a line is a whole number of digits.
    localparam IN_D      = 180;
    localparam OUT_D     = 92;

    reg              clk;
    reg  [IN_W-1:0]  in;
    wire [OUT_W-1:0] out;

    reg [16+IN_D-1:0]    stimulus [0:MAX_LINES-1];
    reg [16+2*OUT_D-1:0] expected [0:MAX_LINES-1];

    smb_axi4 dut (
        .clk(clk), .rst(in[179]), .s_axi_awid(in[178:175]), .s_axi_awaddr(in[174:143]),
        .s_axi_awlen(in[142:135]), .s_axi_awsize(in[134:132]), .s_axi_awburst(in[131:130]),
        .s_axi_awvalid(in[129]), .s_axi_wdata(in[128:97]), .s_axi_wstrb(in[96:93]),
        .s_axi_wlast(in[92]), .s_axi_wvalid(in[91]), .s_axi_bready(in[90]), .s_axi_arid(in[89:86]),
        .s_axi_araddr(in[85:54]), .s_axi_arlen(in[53:46]), .s_axi_arsize(in[45:43]),
        .s_axi_arburst(in[42:41]), .s_axi_arvalid(in[40]), .s_axi_rready(in[39]),
        .s_axis_tdata(in[38:7]), .s_axis_tkeep(in[6:3]), .s_axis_tvalid(in[2]),
        .s_axis_tlast(in[1]), .s_axis_tuser(in[0]), .s_axi_awready(out[89]), .s_axi_wready(out[88]),
        .s_axi_bid(out[87:84]), .s_axi_bresp(out[83:82]), .s_axi_bvalid(out[81]),
        .s_axi_arready(out[80]), .s_axi_rid(out[79:76]), .s_axi_rdata(out[75:44]),
        .s_axi_rresp(out[43:42]), .s_axi_rlast(out[41]), .s_axi_rvalid(out[40]),
        .m_axis_tdata(out[39:8]), .m_axis_tkeep(out[7:4]), .m_axis_tvalid(out[3]),
        .m_axis_tlast(out[2]), .m_axis_tuser(out[1]), .irq(out[0])
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
        $display("%h RESULT module=smb_axi4 cycles=%0d failed=%0d", 64'h`AWGSTAR_TOKEN, cycle, failed);
        if (failed != 0 && $test$plusargs("fatal")) $fatal(1, "the design differs from the vector");
        $finish;
    end
endmodule

`undef AWGSTAR_TOKEN
`default_nettype wire
